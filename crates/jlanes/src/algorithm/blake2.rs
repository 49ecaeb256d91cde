//! BLAKE2 with an output length that is known at run time.

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use digest::DynDigest;
use jlanes_core::{
    batch::Start,
    hashes::blake2::{Blake2Word as Word, Sequential, params, variable::Variable},
};

use super::{
    hasher::AnyHasher,
    job::{OnBackend, function},
};
use crate::{Backend, Blake2b256, Blake2b512, Blake2bVar, Blake2s256, Blake2sVar};

/// BLAKE2 with its longest digest. Shorter ones are its prefix, from another initial state.
pub(super) type LongestBlake2<W> = Sequential<W, <W as Word>::MaxSize>;

/// BLAKE2 with an output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blake2 {
    pub(super) word: Blake2Word,
    pub(super) bytes: usize,
}

/// The size of BLAKE2's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blake2Word {
    /// BLAKE2s, of 32 bits.
    U32,
    /// BLAKE2b, of 64 bits.
    U64,
}

impl Blake2 {
    /// The size of the words.
    #[must_use]
    pub fn word(self) -> Blake2Word {
        self.word
    }

    /// Bytes of the digest.
    #[must_use]
    pub fn output_size(self) -> usize {
        self.bytes
    }

    /// Bytes of a block.
    #[must_use]
    pub fn block_size(self) -> usize {
        2 * self.word.max_size()
    }

    /// A hasher on a given backend, optionally with a key.
    ///
    /// # Panics
    /// If the key is empty, or longer than the [maximum](Blake2Word::max_size).
    #[must_use]
    pub fn hasher_on(self, key: Option<&[u8]>, backend: Backend) -> Box<dyn AnyHasher> {
        const SIZES: &str = "parsing has checked the output's length, and the caller the key's";
        match self.word {
            Blake2Word::U32 => {
                let hasher = Blake2sVar::with_params(backend, self.bytes, key, &[], &[]);
                Box::new(hasher.expect(SIZES))
            }
            Blake2Word::U64 => {
                let hasher = Blake2bVar::with_params(backend, self.bytes, key, &[], &[]);
                Box::new(hasher.expect(SIZES))
            }
        }
    }
}

impl Blake2 {
    /// The start of messages (the key's block, if the key is not empty, and `prefix`), and the rest
    /// of the prefix.
    pub(super) fn start<W: Word>(
        self,
        key: &[u8],
        prefix: &[u8],
    ) -> (Start<LongestBlake2<W>>, Vec<u8>) {
        let state = params::start(self.bytes, key.len(), &[], &[]);
        let state = state.expect("the lengths of output and key have been checked");
        let mut first = key.to_vec();
        if !key.is_empty() {
            first.resize(self.block_size(), 0);
        }
        first.extend_from_slice(prefix);
        (Start::at(state, 0), first)
    }

    /// The function on a backend, if the output has a length with a type.
    pub(super) fn function(self) -> Option<OnBackend> {
        Some(match (self.word, self.bytes) {
            (Blake2Word::U32, 32) => function::<Blake2s256>,
            (Blake2Word::U64, 32) => function::<Blake2b256>,
            (Blake2Word::U64, 64) => function::<Blake2b512>,
            _ => return None,
        })
    }
}

impl Blake2Word {
    /// The maximum number of bytes of a digest, which is also the default, and of a key.
    #[must_use]
    pub fn max_size(self) -> usize {
        match self {
            Self::U32 => 32,
            Self::U64 => 64,
        }
    }

    /// The name as a part of algorithms' names.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::U32 => "blake2s",
            Self::U64 => "blake2b",
        }
    }
}

impl fmt::Display for Blake2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word.name())?;
        if self.bytes == self.word.max_size() { Ok(()) } else { write!(f, "-{}", 8 * self.bytes) }
    }
}

#[doc(hidden)]
impl<W: Word> AnyHasher for Variable<W, Backend> where Self: DynDigest + Clone + Send + 'static {}
