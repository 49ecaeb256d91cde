//! One message on one stream: leaves too long to be gathered, roots, descriptors.

use jlanes_core::{
    compression::Compression,
    engine::Engine,
    hash::{HashFunction, MAX_BLOCK, Output, State},
};

/// A message on its way.
#[derive(Clone)]
pub(crate) struct One<F: HashFunction, E> {
    engine: E,
    state: State<F>,
    /// An incomplete block, or a whole one that is held back; room for the padding.
    buffer: [u8; 2 * MAX_BLOCK],
    held: usize,
    total: u128,
}

impl<F: HashFunction, E: Engine<F::Compression>> One<F, E> {
    pub(crate) fn new(engine: E) -> Self {
        Self { engine, state: F::start(), buffer: [0; 2 * MAX_BLOCK], held: 0, total: 0 }
    }

    pub(crate) fn update(&mut self, mut data: &[u8]) {
        let block = F::Compression::BLOCK;
        self.total += data.len() as u128;
        if self.held > 0 {
            let (fill, rest) = data.split_at(data.len().min(block - self.held));
            self.buffer[self.held..][..fill.len()].copy_from_slice(fill);
            self.held += fill.len();
            data = rest;
            if self.held < block || data.len() < F::HOLD_BACK {
                return;
            }
            self.engine.advance_one(&mut self.state, &self.buffer[..block]);
        }
        let whole = data.len().saturating_sub(F::HOLD_BACK) / block * block;
        let (blocks, rest) = data.split_at(whole);
        self.engine.advance_one(&mut self.state, blocks);
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.held = rest.len();
    }

    pub(crate) fn chain(mut self, data: &[u8]) -> Self {
        self.update(data);
        self
    }

    pub(crate) fn finalize(mut self) -> Output<F> {
        for part in 0.. {
            let n = F::end(part, &mut self.state, self.held, self.total, &mut self.buffer);
            if n == 0 {
                break;
            }
            let blocks = &self.buffer[..n * F::Compression::BLOCK];
            self.engine.advance_one(&mut self.state, blocks);
        }
        F::output(&self.state)
    }
}
