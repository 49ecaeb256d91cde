//! Outputs of many roots. Their blocks are independent, so the lanes take blocks of any outputs.

use alloc::vec::Vec;

use super::{
    COUNTER, WHOLE_OUTPUT,
    node::{Node, OUTPUT_BYTES, output_block_at},
    tree::MAX_LANES,
};
use crate::{
    compression::{ContiguousDigests, LaneBuffer},
    kernel::Kernels,
    lanes::{
        messages::{LaneWork, Route},
        outputs::Destinations,
    },
    wipe,
};

/// Roots, and the positions in their outputs.
#[derive(Clone, Default)]
pub struct Outputs(Vec<(Node, u128)>);

impl Outputs {
    /// Replaces the outputs by those of roots, from the start.
    pub(super) fn set(&mut self, roots: impl Iterator<Item = Node>) {
        self.0.clear();
        self.0.extend(roots.map(|root| (root, 0)));
    }

    /// Appends the output of a root from byte `at` on.
    pub(super) fn push(&mut self, root: Node, at: u128) {
        self.0.push((root, at));
    }
}

impl crate::lanes::outputs::Outputs<u32> for Outputs {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn squeeze(
        &mut self,
        kernels: &Kernels<u32>,
        which: Option<&[usize]>,
        outs: &mut dyn Destinations,
    ) {
        let count = which.map_or(self.0.len(), <[usize]>::len);
        let output = |k: usize| which.map_or(k, |which| which[k]);
        let at = |k: usize| {
            let (root, at) = &self.0[output(k)];
            (k, root, *at)
        };
        fill(kernels, count, &at, outs);
        for k in 0..count {
            self.0[output(k)].1 += outs.get(k).len() as u128;
        }
    }
}

/// Returns the index of a destination, the root of its output, and the position of its first byte.
type OutputAt<'p, 'n> = dyn Fn(usize) -> (usize, &'n Node, u128) + 'p;

/// Bytes of one block of an output.
#[derive(Clone, Copy, Default)]
struct Piece {
    /// The output.
    output: usize,
    number: u64,
    /// The first byte in the block.
    within: usize,
    /// The first byte in the destination.
    from: usize,
    len: usize,
}

/// Fills the destinations of `count` outputs.
pub(super) fn fill(
    kernels: &Kernels<u32>,
    count: usize,
    output: &OutputAt<'_, '_>,
    outs: &mut dyn Destinations,
) {
    // pieces that do not fill the lanes share them with those of other outputs
    let (mut pieces, mut waiting) = ([Piece::default(); MAX_LANES], 0);
    for i in 0..count {
        let (to, root, first) = output(i);
        let (mut from, end) = (0, outs.get(to).len());
        while from < end {
            let (number, within) = output_block_at(first + from as u128);
            let full = (end - from) / OUTPUT_BYTES / MAX_LANES * MAX_LANES;
            if within == 0 && full > 0 {
                let (blocks, _) = outs.get(to)[from..].as_chunks_mut::<OUTPUT_BYTES>();
                root.fill(kernels, number, &mut blocks[..full]);
                from += full * OUTPUT_BYTES;
                continue;
            }
            let len = (OUTPUT_BYTES - within).min(end - from);
            pieces[waiting] = Piece { output: i, number, within, from, len };
            (waiting, from) = (waiting + 1, from + len);
            if waiting == MAX_LANES {
                fill_pieces(kernels, &pieces, output, outs);
                waiting = 0;
            }
        }
    }
    fill_pieces(kernels, &pieces[..waiting], output, outs);
}

/// Fills in pieces, at most as many as there are lanes.
fn fill_pieces(
    kernels: &Kernels<u32>,
    pieces: &[Piece],
    output: &OutputAt<'_, '_>,
    outs: &mut dyn Destinations,
) {
    if pieces.is_empty() {
        return;
    }
    let kernels = Kernels { shape: &WHOLE_OUTPUT, ..*kernels };
    let mut runs = [&[] as &[u8]; MAX_LANES];
    let mut states = LaneBuffer::new(kernels.shape);
    for (lane, piece) in pieces.iter().enumerate() {
        let (_, node, _) = output(piece.output);
        runs[lane] = &node.block;
        let mut state = node.state;
        state[COUNTER] = piece.number as u32;
        state[COUNTER + 1] = (piece.number >> 32) as u32;
        states.states().set(lane, &state);
    }
    let mut blocks = [[0; OUTPUT_BYTES]; MAX_LANES];
    let count = pieces.len();
    let digests = ContiguousDigests::of_arrays(&mut blocks[..count]);
    let route = Route::StatesToDigests { states: states.states(), digests };
    kernels.advance_messages(LaneWork::new(&runs[..count], 1), route);
    for (piece, block) in pieces.iter().zip(&blocks) {
        let out = &mut outs.get(output(piece.output).0)[piece.from..][..piece.len];
        out.copy_from_slice(&block[piece.within..][..piece.len]);
    }
    states.wipe();
    wipe::bytes(blocks.as_flattened_mut());
}
