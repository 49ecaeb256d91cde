//! Where messages start.

use crate::{
    engine::{Engine, rehash},
    hash::{HashFunction, Output, State, compression::Compression, end_one, whole_blocks},
    wipe,
};

/// Where a message starts: the ordinary initial value, or the midstate after a shared prefix.
#[derive(Clone, Copy)]
pub struct Start<H: HashFunction> {
    pub(super) state: State<H>,
    /// Bytes in `state`, a whole number of blocks.
    pub(super) total: u128,
}

impl<H: HashFunction> Start<H> {
    /// The start of an ordinary message.
    #[must_use]
    pub fn new() -> Self {
        Self { state: H::start(), total: 0 }
    }

    /// A start of one's own: `state` is what `total` bytes, whole blocks, have led to.
    #[must_use]
    pub fn at(state: State<H>, total: u128) -> Self {
        Self { state, total }
    }

    /// The midstate after the whole blocks of `prefix`, and the rest of `prefix`.
    #[must_use]
    pub fn after<E: Engine<H::Compression>>(engine: E, prefix: &[u8]) -> (Self, &[u8]) {
        Self::new().and(engine, prefix)
    }

    /// The midstate after the whole blocks of `prefix` too, and the rest of `prefix`.
    #[must_use]
    pub fn and<E: Engine<H::Compression>>(mut self, engine: E, prefix: &[u8]) -> (Self, &[u8]) {
        let whole = whole_blocks::<H>(prefix.len()) * H::Compression::BLOCK;
        let (blocks, rest) = prefix.split_at(whole);
        self.absorb(engine, blocks);
        (self, rest)
    }

    /// The midstate after `blocks`, which are whole and not the last ones of a message.
    pub(crate) fn after_blocks<E: Engine<H::Compression>>(engine: E, blocks: &[u8]) -> Self {
        let mut start = Self::new();
        start.absorb(engine, blocks);
        start
    }

    fn absorb<E: Engine<H::Compression>>(&mut self, engine: E, blocks: &[u8]) {
        if !blocks.is_empty() {
            engine.advance_one(&mut self.state, blocks);
            self.total += blocks.len() as u128;
        }
    }

    /// The digest of one message that starts here.
    pub(crate) fn digest_one<E: Engine<H::Compression>>(
        self,
        engine: E,
        message: &[u8],
    ) -> Output<H> {
        let (Self { mut state, total }, tail) = self.and(engine, message);
        end_one::<H, E>(&engine, &mut state, tail, total + tail.len() as u128);
        let digest = H::output(&state);
        wipe::words(state.as_mut());
        digest
    }

    /// The start as that of a hash over digests in the lanes.
    pub(crate) fn in_all_lanes(&self) -> rehash::Start<H::Compression> {
        rehash::Start::Same(self.state)
    }

    /// Wipes the midstate, which may be a key's.
    pub(crate) fn wipe(&mut self) {
        wipe::words(self.state.as_mut());
    }
}

impl<H: HashFunction> Default for Start<H> {
    fn default() -> Self {
        Self::new()
    }
}
