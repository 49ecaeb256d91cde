//! BLAKE2 with an output length that is known at run time.

use alloc::boxed::Box;
use core::fmt;

use digest::DynDigest;
use jlanes_core::{
    function::{AnyFunction, Start},
    hashes::blake2::{Blake2Word, Sequential, params, variable::Variable},
    wipe::Buffer,
};

use super::{AnyHasher, parameters::Values};
use crate::{Backend, Blake2bVar, Blake2sVar};

/// BLAKE2 with its longest digest. Shorter ones are its prefix, from another initial state.
type LongestBlake2<W> = Sequential<W, <W as Blake2Word>::MaxSize>;

/// BLAKE2 with an output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blake2 {
    pub(super) word: WordSize,
    pub(super) bytes: usize,
}

/// The size of BLAKE2's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WordSize {
    /// BLAKE2s.
    U32,
    /// BLAKE2b.
    U64,
}

const CHECKED: &str = "parsing has checked the output's length, and `Parameters` the others";

impl Blake2 {
    /// Bytes of a block.
    pub(super) fn block_size(self) -> usize {
        2 * self.word.max_size()
    }

    pub(super) fn hasher(self, values: &Values, backend: Backend) -> Box<dyn AnyHasher> {
        let (bytes, key, salt) = (self.bytes, values.own_key(), values.salt());
        let personalization = values.personalization.as_deref().unwrap_or_default();
        match self.word {
            WordSize::U32 => {
                let hasher = Blake2sVar::with_params(backend, bytes, key, salt, personalization);
                Box::new(hasher.expect(CHECKED))
            }
            WordSize::U64 => {
                let hasher = Blake2bVar::with_params(backend, bytes, key, salt, personalization);
                Box::new(hasher.expect(CHECKED))
            }
        }
    }

    /// The hash function. With a key, every message follows its [`key_block`](Self::key_block).
    pub(super) fn function(self, values: &Values, backend: Backend) -> AnyFunction {
        let function = match self.word {
            WordSize::U32 => self.start::<u32>(values).function(backend),
            WordSize::U64 => self.start::<u64>(values).function(backend),
        };
        function.shortened(self.bytes)
    }

    /// The block of the key, if there is one.
    pub(super) fn key_block(self, values: &Values) -> Buffer {
        let mut block = Buffer::from(values.own_key().unwrap_or_default());
        if !block.is_empty() {
            block.resize(self.block_size());
        }
        block
    }

    /// The function at the start of messages with these parameters. With a key, its block follows.
    fn start<W: Blake2Word>(self, values: &Values) -> Start<LongestBlake2<W>> {
        let key = values.own_key().map_or(0, <[u8]>::len);
        let personalization = values.personalization.as_deref().unwrap_or_default();
        let state = params::start(self.bytes, key, values.salt(), personalization);
        Start::at(state.expect(CHECKED), 0)
    }
}

impl WordSize {
    /// The maximum number of bytes of a digest, which is also the default, and of a key.
    pub(super) fn max_size(self) -> usize {
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

impl Blake2 {
    /// Writes the name.
    pub(super) fn fmt(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word.name())?;
        if self.bytes == self.word.max_size() { Ok(()) } else { write!(f, "-{}", 8 * self.bytes) }
    }
}

#[doc(hidden)]
impl<W: Blake2Word> AnyHasher for Variable<W, Backend> where Self: DynDigest + Clone + Send + 'static
{}
