//! BLAKE3 with a length of output that is known at run time.

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use digest::{Update, array::Array};
use jlanes_core::hashes::blake3::{KEY, Mode, hasher::Hasher};

use super::{
    hasher::AnyHasher,
    truncated::{Truncated, squeeze},
};
use crate::{AlgorithmError, Backend};

/// BLAKE3 with a length of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blake3 {
    bytes: usize,
}

impl Blake3 {
    /// Bytes of a key.
    pub const KEY_SIZE: usize = KEY;

    /// Bytes of the output.
    #[must_use]
    pub fn output_size(self) -> usize {
        self.bytes
    }

    /// `blake3` or `blake3-BITS`; `None` for other names.
    pub(super) fn parse(name: &str) -> Option<Result<Self, AlgorithmError>> {
        let bytes = match name.strip_prefix("blake3")? {
            "" => Ok(KEY),
            rest => super::parse::output_bytes(rest.strip_prefix('-')?),
        };
        Some(bytes.map(|bytes| Self { bytes }))
    }

    /// A hasher in one of the modes, on a given backend.
    ///
    /// ```
    /// use jlanes::{Algorithm, Backend, Blake3, Digest, algorithm::{Blake3Mode, Kind}};
    ///
    /// let Kind::Blake3(blake3) = "blake3".parse::<Algorithm>()?.kind() else { unreachable!() };
    /// let mode = Blake3Mode::DeriveKey("example.com 2026-11-24 tokens");
    /// let mut hasher = blake3.hasher_on(mode, Backend::detect());
    /// hasher.update(b"material");
    /// let key = Blake3::new_derive_key("example.com 2026-11-24 tokens").chain_update("material");
    /// assert_eq!(*hasher.finalize(), *key.finalize());
    /// # Ok::<(), jlanes::AlgorithmError>(())
    /// ```
    #[must_use]
    pub fn hasher_on(self, mode: Blake3Mode<'_>, backend: Backend) -> Box<dyn AnyHasher> {
        Box::new(Truncated { hasher: mode.hasher(backend), bytes: self.bytes, read: squeeze })
    }

    /// The outputs of many messages in one of the modes, in order and side by side.
    ///
    /// # Panics
    /// If `out` is not [`output_size`](Self::output_size) bytes for each message.
    pub fn digest_many_on(
        self,
        mode: Blake3Mode<'_>,
        backend: Backend,
        messages: &[&[u8]],
        out: &mut [u8],
    ) {
        self.many(&mode.hasher(backend), messages, out);
    }

    /// The outputs of messages that continue what `hasher` has absorbed.
    pub(super) fn many(self, hasher: &Hasher<Backend>, messages: &[&[u8]], out: &mut [u8]) {
        assert_eq!(Some(out.len()), messages.len().checked_mul(self.bytes), "room for all outputs");
        if self.bytes == KEY {
            let out = Array::cast_slice_from_core_mut(out.as_chunks_mut().0);
            return hasher.digest_slices(messages, out);
        }
        let mut outs: Vec<&mut [u8]> = out.chunks_mut(self.bytes).collect();
        hasher.fill_many(|i| messages[i], &mut outs);
    }
}

/// The modes of BLAKE3.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Blake3Mode<'a> {
    /// A hash.
    Hash,
    /// A hash under a key.
    Keyed(&'a [u8; KEY]),
    /// A key for the purpose that this context names, from the message as key material.
    DeriveKey(&'a str),
}

impl Blake3Mode<'_> {
    fn hasher(self, backend: Backend) -> Hasher<Backend> {
        let mode = match self {
            Self::Hash => Mode::HASH,
            Self::Keyed(key) => Mode::keyed(key),
            Self::DeriveKey(context) => Mode::derive_key(backend, context.as_bytes()),
        };
        Hasher::with_mode(backend, mode)
    }

    /// The mode under a key, if it is not empty.
    pub(super) fn of_key(key: &[u8]) -> Blake3Mode<'_> {
        key.try_into().map_or(Blake3Mode::Hash, Blake3Mode::Keyed)
    }

    /// A hasher that has absorbed `prefix`.
    pub(super) fn after(self, prefix: &[u8], backend: Backend) -> Hasher<Backend> {
        let mut hasher = self.hasher(backend);
        hasher.update(prefix);
        hasher
    }
}

/// A key is not shown.
impl fmt::Debug for Blake3Mode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hash => "Hash",
            Self::Keyed(_) => "Keyed",
            Self::DeriveKey(_) => "DeriveKey",
        })
    }
}

impl fmt::Display for Blake3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("blake3")?;
        if self.bytes == KEY { Ok(()) } else { write!(f, "-{}", 8 * self.bytes as u64) }
    }
}

impl AnyHasher for Truncated<Hasher<Backend>> {
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }

    #[cfg(feature = "rayon")]
    fn par_read(&mut self, len: usize, read: &jlanes_tree::ReadPart<'_>) -> bool {
        jlanes_tree::ParRead::par_read(&mut self.hasher, len, read);
        true
    }
}
