//! Ordinary `H` of a string that arrives in pieces, on a given engine: the roots of the trees, and
//! leaves too long to be gathered.

use jlanes_core::{
    engine::Engine,
    hash::{HashFunction, Output, State, compression::Compression, end_one},
};

/// Bytes that are gathered before they are hashed: some blocks of any function, as kernels take
/// their time to start. Longer pieces are hashed where they are.
const RUN: usize = 1024;

/// One running hash.
#[derive(Clone)]
pub struct Linear<F: HashFunction, E> {
    engine: E,
    state: State<F>,
    gathered: [u8; RUN],
    held: usize,
    total: u128,
}

impl<F: HashFunction, E: Engine<F::Compression>> Linear<F, E> {
    /// Bytes that are gathered: whole blocks.
    const RUN: usize = RUN / F::Compression::BLOCK * F::Compression::BLOCK;

    /// The hash of nothing, so far.
    #[must_use]
    pub fn new(engine: E) -> Self {
        Self { engine, state: F::start(), gathered: [0; RUN], held: 0, total: 0 }
    }

    /// Hashes `data`.
    pub fn update(&mut self, mut data: &[u8]) {
        self.total += data.len() as u128;
        if self.held > 0 {
            let (next, rest) = data.split_at(data.len().min(Self::RUN - self.held));
            self.gathered[self.held..][..next.len()].copy_from_slice(next);
            self.held += next.len();
            data = rest;
            if data.is_empty() {
                return;
            }
            self.engine.advance_one(&mut self.state, &self.gathered[..Self::RUN]);
        }
        if data.len() > Self::RUN {
            let (whole, rest) =
                data.split_at(F::DESCRIPTOR.whole_blocks(data.len()) * F::Compression::BLOCK);
            self.engine.advance_one(&mut self.state, whole);
            data = rest;
        }
        self.gathered[..data.len()].copy_from_slice(data);
        self.held = data.len();
    }

    /// [`update`](Self::update), by value.
    pub(crate) fn chain(mut self, data: &[u8]) -> Self {
        self.update(data);
        self
    }

    /// The digest.
    #[must_use]
    pub fn finish(mut self) -> Output<F> {
        let block = F::Compression::BLOCK;
        let (whole, tail) =
            self.gathered[..self.held].split_at(F::DESCRIPTOR.whole_blocks(self.held) * block);
        self.engine.advance_one(&mut self.state, whole);
        end_one(&self.engine.kernels(), F::DESCRIPTOR, self.state.as_mut(), tail, self.total);
        F::output(&self.state)
    }
}

#[cfg(feature = "zeroize")]
impl<F: HashFunction, E> Drop for Linear<F, E> {
    fn drop(&mut self) {
        use jlanes_core::{hash::WordOf, simd::lanes::Word};
        WordOf::<F>::wipe(self.state.as_mut());
        digest::zeroize::Zeroize::zeroize(&mut self.gathered);
    }
}
