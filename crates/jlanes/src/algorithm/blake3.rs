//! BLAKE3 with a length of output that is known at run time.

use alloc::boxed::Box;
use core::fmt;

use digest::{ExtendableOutputReset, Update, XofReader, array::Array};
use jlanes_core::{
    function::Batch,
    hashes::blake3::{KEY_BYTES, Mode, hasher::Hasher},
};

use super::{AnyHasher, dyn_hasher::DynHasher, parameters::Values};
use crate::{AlgorithmError, Backend, multi::slices::with_output_slices};

/// BLAKE3 with a length of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blake3 {
    pub(super) bytes: usize,
}

impl Blake3 {
    /// `blake3` or `blake3-BITS`; `None` for other names.
    pub(super) fn parse(name: &str) -> Option<Result<Self, AlgorithmError>> {
        let bytes = match name.strip_prefix("blake3")? {
            "" => Ok(KEY_BYTES),
            rest => super::parse::output_bytes(rest.strip_prefix('-')?),
        };
        Some(bytes.map(|bytes| Self { bytes }))
    }

    pub(super) fn hasher(self, values: &Values, backend: Backend) -> Box<dyn AnyHasher> {
        Box::new(DynHasher {
            hasher: hasher_in_mode(values, backend),
            size: self.bytes,
            position: values.seek.unwrap_or(0),
            finalize_at: |hasher, position, out| {
                let mut reader = hasher.finalize_xof_reset();
                reader.set_position(position);
                reader.read(out);
            },
        })
    }

    /// The outputs of messages after `prefix`.
    pub(super) fn digest_many(
        self,
        (values, backend): (&Values, Backend),
        prefix: &[u8],
        messages: &[&[u8]],
        out: &mut [u8],
    ) {
        assert_eq!(Some(out.len()), messages.len().checked_mul(self.bytes), "room for all outputs");
        let mode = mode(values, backend);
        if let ([], [message], KEY_BYTES) = (prefix, messages, self.bytes) {
            return out.copy_from_slice(&Hasher::digest_in_mode(backend, mode, message)); // needs no lanes
        }
        let mut hasher = Hasher::with_mode(backend, mode);
        hasher.update(prefix);
        if self.bytes == KEY_BYTES {
            let out = Array::cast_slice_from_core_mut(out.as_chunks_mut().0);
            return hasher.digest_many(&Batch::slices(messages), out);
        }
        with_output_slices(out, self.bytes, &mut |first, outs| {
            hasher.fill_many(|i| messages[first + i], outs);
        });
    }
}

/// A hasher in the mode that the parameters select.
pub(super) fn hasher_in_mode(values: &Values, backend: Backend) -> Hasher<Backend> {
    Hasher::with_mode(backend, mode(values, backend))
}

fn mode(values: &Values, backend: Backend) -> Mode {
    let key = values.own_key().and_then(|key| key.try_into().ok());
    match (key, &values.context) {
        (Some(key), _) => Mode::keyed(key),
        (None, Some(context)) => Mode::derive_key(backend, context.as_bytes()),
        (None, None) => Mode::HASH,
    }
}

impl Blake3 {
    /// Writes the name.
    pub(super) fn fmt(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("blake3")?;
        if self.bytes == KEY_BYTES { Ok(()) } else { write!(f, "-{}", 8 * self.bytes as u64) }
    }
}

impl AnyHasher for DynHasher<Hasher<Backend>> {
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
