//! The traits that RustCrypto proposes for many messages of equal lengths. **Unstable**: not covered by semantic
//! versioning.
//!
//! They have the names and signatures of [a pull request](https://github.com/RustCrypto/traits/pull/2479) for a module
//! `digest::multi`, as of 2026-08-03. This module follows it while it is open, and then becomes that of `digest`. So
//! [`MultiDigest`] here is RustCrypto's; every hasher with our [`multi::MultiDigest`], the bound of
//! [`Lanes`](crate::Lanes), has it. The lower layer of the request, a trait for a kernel of a fixed width, is left
//! out: its author wants another one, and a [`Backend`] chooses kernels by the number of messages.
//!
//! The messages grow side by side: by whole blocks in place, by blocks that all of them share, and by a tail of less
//! than a block. So they may come in parts that `Lanes` would need in one piece:
//!
//! ```
//! use jlanes::{Digest, Sha256, digest_multi::{MultiDigest, MultiFixedOutputCore, MultiUpdateCore}};
//!
//! // leaves of a Merkle tree: a block with a tag, a page in place, and an index
//! let tag = [[7; 64].into()];
//! let pages: [_; 16] = core::array::from_fn(|i| [[i as u8; 64].into(); 64]);
//! let indices: [_; 16] = core::array::from_fn(|i| [i as u8; 4]);
//!
//! let mut core = Sha256::multi_core::<16>();
//! core.update_blocks_shared(&tag);
//! core.update_blocks(&pages.each_ref());
//! let mut digests = [Default::default(); 16];
//! core.finalize_fixed_core(&indices.each_ref(), &mut digests);
//!
//! let one = Sha256::new().chain_update([7; 64]).chain_update([1; 4096]).chain_update([1; 4]);
//! assert_eq!(digests[1], one.finalize());
//! ```
//!
//! BLAKE3 is missing: it is a tree, not a chain of blocks. For digests of messages in one piece each, of any
//! lengths, [`Lanes::digest`](crate::Lanes::digest) has less to do.

use core::{fmt, ops::Range};

use digest::{
    Digest, Output, OutputSizeUser,
    array::Array,
    common::{Block, BlockSizeUser},
    typenum::Unsigned,
};
use jlanes_core::{
    compression::{Compression, ContiguousDigests, LaneBuffer},
    hash::{HashFunction, State, WordOf, shared_block},
    kernel::{HasKernels, Kernels},
    lanes::messages::{LaneWork, MessageEnd, Route},
    simd::vector::Array as _,
    wipe,
};

use crate::{Backend, multi};

/// Takes whole blocks of `MSGS` messages.
pub trait MultiUpdateCore<const MSGS: usize>: BlockSizeUser + Sized {
    /// Takes `BLOCKS` blocks of each message.
    fn update_blocks<const BLOCKS: usize>(&mut self, msgs: &[&[Block<Self>; BLOCKS]; MSGS]);

    /// Takes `BLOCKS` blocks that all messages share. Before any others, they are hashed once, but by BLAKE2 and
    /// Skein, which hold the last block back.
    fn update_blocks_shared<const BLOCKS: usize>(&mut self, blocks: &[Block<Self>; BLOCKS]);
}

/// Writes the digests of `MSGS` messages.
pub trait MultiFixedOutputCore<const MSGS: usize>: MultiUpdateCore<MSGS> + OutputSizeUser {
    /// Takes the last `TAIL` bytes of each message, less than a block, and writes the digests. The core is of
    /// no use after that.
    fn finalize_fixed_core<const TAIL: usize>(
        &mut self,
        tails: &[&[u8; TAIL]; MSGS],
        out: &mut [Output<Self>; MSGS],
    );

    /// The same with one tail, which all messages share.
    fn finalize_fixed_core_shared<const TAIL: usize>(
        &mut self,
        tail: &[u8; TAIL],
        out: &mut [Output<Self>; MSGS],
    ) {
        self.finalize_fixed_core(&[tail; MSGS], out);
    }
}

/// A hash function of which many messages of equal lengths can be hashed side by side.
pub trait MultiDigest: Digest {
    /// The states of `MSGS` messages.
    type MultiCore<const MSGS: usize>: MultiFixedOutputCore<MSGS, OutputSize = Self::OutputSize>;

    /// `MSGS` messages without a byte.
    fn multi_core<const MSGS: usize>() -> Self::MultiCore<MSGS>;
}

impl<H: multi::MultiDigest + BlockSizeUser> MultiDigest for H {
    type MultiCore<const MSGS: usize> = LaneCore<H, MSGS>;

    fn multi_core<const MSGS: usize>() -> LaneCore<H, MSGS> {
        LaneCore::new()
    }
}

type Hash<H> = <H as jlanes_core::function::DigestOnKernels>::Hash;
type CompressionOf<H> = <Hash<H> as HashFunction>::Compression;
type Word<H> = WordOf<Hash<H>>;
/// Word `i` of all states, in array `i`: the order in which lanes load them.
type Rows<H, const MSGS: usize> = <CompressionOf<H> as Compression>::State<[Word<H>; MSGS]>;

/// `MSGS` messages under `H`, which grow side by side on the lanes of a backend.
pub struct LaneCore<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> {
    kernels: Kernels<Word<H>>,
    states: Rows<H, MSGS>,
    /// Bytes of each message in its state.
    len: u128,
    /// Whether all states are equal, because all blocks so far were shared.
    all_equal: bool,
    /// The last block of each message, for functions that treat a message's last block in another way.
    held: Option<[Block<H>; MSGS]>,
}

impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> LaneCore<H, MSGS> {
    /// Messages without a byte, on the detected backend.
    #[must_use]
    pub fn new() -> Self {
        Self::with_kernels(H::backend().kernels())
    }

    /// Messages without a byte, on a given backend.
    #[must_use]
    pub fn on(backend: Backend) -> Self {
        Self::with_kernels(H::Backend::from(backend).kernels())
    }

    fn with_kernels(kernels: Kernels<Word<H>>) -> Self {
        let states = Rows::<H, MSGS>::splat([Default::default(); MSGS]);
        let mut core = Self { kernels, states, len: 0, all_equal: true, held: None };
        core.start_at(&Hash::<H>::start());
        core
    }

    /// Sets all states.
    fn start_at(&mut self, state: &State<Hash<H>>) {
        for (row, word) in self.states.as_mut().iter_mut().zip(state.as_ref()) {
            row.fill(*word);
        }
    }

    /// Calls `run` with the numbers of the messages that share the lanes, and with their states in the lanes.
    fn on_lanes(
        &mut self,
        mut run: impl FnMut(&Kernels<Word<H>>, Range<usize>, &mut LaneBuffer<Word<H>>),
    ) {
        let shape = self.kernels.shape;
        let mut lanes = LaneBuffer::new(shape);
        for first in (0..MSGS).step_by(shape.max_lanes) {
            let messages = first..MSGS.min(first + shape.max_lanes);
            for (i, row) in self.states.as_ref().iter().enumerate() {
                lanes.states().row_mut(i, 0)[..messages.len()]
                    .copy_from_slice(&row[messages.clone()]);
            }
            run(&self.kernels, messages.clone(), &mut lanes);
            for (i, row) in self.states.as_mut().iter_mut().enumerate() {
                row[messages.clone()].copy_from_slice(&lanes.states().row(i, 0)[..messages.len()]);
            }
        }
        lanes.wipe();
    }

    /// Advances all states by runs of `len` bytes, whole blocks.
    fn advance(&mut self, runs: &[&[u8]; MSGS], len: usize) {
        self.len += len as u128;
        let blocks = len / H::BlockSize::USIZE;
        self.on_lanes(|kernels, messages, lanes| {
            let work = LaneWork { equal_lengths: true, ..LaneWork::new(&runs[messages], blocks) };
            kernels.advance_messages(work, Route::StatesToStates(lanes.states()));
        });
    }

    /// Advances the states by the blocks that are held.
    fn absorb_held(&mut self) {
        if let Some(mut held) = self.take_held() {
            self.advance(&held.each_ref().map(|block| &block[..]), H::BlockSize::USIZE);
            wipe::bytes(Array::slice_as_flattened_mut(&mut held));
        }
    }

    /// A copy of the blocks that are held, of which the core keeps nothing.
    fn take_held(&mut self) -> Option<[Block<H>; MSGS]> {
        let held = self.held.clone();
        self.wipe_held();
        held
    }

    fn wipe_held(&mut self) {
        if let Some(held) = &mut self.held {
            wipe::bytes(Array::slice_as_flattened_mut(held));
        }
        self.held = None;
    }

    /// Takes the rest of each message, `len` bytes, and writes the digests.
    fn finalize(&mut self, tails: &[&[u8]; MSGS], len: usize, out: &mut [Output<H>; MSGS]) {
        let (hash, before) = (Hash::<H>::DESCRIPTOR, self.len);
        // after one block, the padding's message schedule is a constant
        let shared = shared_block::precomputed(hash, before + len as u128).unwrap_or_default();
        self.on_lanes(|kernels, messages, lanes| {
            let out = &mut out[messages.clone()];
            let (padding, all) = (hash.padding, true);
            let end = shared.is_empty().then_some(MessageEnd { padding, before, all_end: all });
            let blocks = hash.blocks(len) - usize::from(!shared.is_empty());
            let work = LaneWork {
                end,
                equal_lengths: true,
                shared,
                ..LaneWork::new(&tails[messages], blocks)
            };
            if !hash.has_output_transform {
                let digests = ContiguousDigests {
                    bytes: Array::slice_as_flattened_mut(out),
                    size: hash.digest_bytes,
                };
                let states = lanes.states();
                return kernels.advance_messages(work, Route::StatesToDigests { states, digests });
            }
            kernels.advance_messages(work, Route::StatesToStates(lanes.states()));
            kernels.transform(hash, lanes.states(), out.len());
            for (lane, out) in out.iter_mut().enumerate() {
                *out = Hash::<H>::output(&lanes.states().get(lane));
            }
        });
    }
}

impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> MultiUpdateCore<MSGS>
    for LaneCore<H, MSGS>
{
    fn update_blocks<const BLOCKS: usize>(&mut self, msgs: &[&[Block<H>; BLOCKS]; MSGS]) {
        if BLOCKS == 0 {
            return;
        }
        self.all_equal = false;
        self.absorb_held();
        let mut runs = msgs.map(|blocks| &blocks[..]);
        if Hash::<H>::PADDING.held_back() > 0 {
            self.held = Some(runs.map(|blocks| blocks[BLOCKS - 1].clone()));
            runs = runs.map(|blocks| &blocks[..BLOCKS - 1]);
        }
        let runs = runs.map(Array::slice_as_flattened);
        self.advance(&runs, runs.first().map_or(0, |run| run.len()));
    }

    fn update_blocks_shared<const BLOCKS: usize>(&mut self, blocks: &[Block<H>; BLOCKS]) {
        if !self.all_equal || Hash::<H>::PADDING.held_back() > 0 {
            return self.update_blocks(&[blocks; MSGS]);
        }
        let mut state = State::<Hash<H>>::splat(Default::default());
        for (word, row) in state.as_mut().iter_mut().zip(self.states.as_ref()) {
            *word = row.first().copied().unwrap_or_default();
        }
        let blocks = Array::slice_as_flattened(blocks);
        self.kernels.advance_one(state.as_mut(), blocks);
        self.len += blocks.len() as u128;
        self.start_at(&state);
        wipe::words(state.as_mut());
    }
}

impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> MultiFixedOutputCore<MSGS>
    for LaneCore<H, MSGS>
{
    fn finalize_fixed_core<const TAIL: usize>(
        &mut self,
        tails: &[&[u8; TAIL]; MSGS],
        out: &mut [Output<H>; MSGS],
    ) {
        const { assert!(TAIL < H::BlockSize::USIZE, "a tail is less than a block") }
        if TAIL == 0
            && let Some(mut held) = self.take_held()
        {
            let tails = held.each_ref().map(|block| &block[..]);
            self.finalize(&tails, H::BlockSize::USIZE, out);
            wipe::bytes(Array::slice_as_flattened_mut(&mut held));
        } else {
            self.absorb_held();
            self.finalize(&tails.map(|tail| &tail[..]), TAIL, out);
        }
    }
}

impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> BlockSizeUser for LaneCore<H, MSGS> {
    type BlockSize = H::BlockSize;
}

impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> OutputSizeUser
    for LaneCore<H, MSGS>
{
    type OutputSize = H::OutputSize;
}

impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> Default for LaneCore<H, MSGS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> fmt::Debug for LaneCore<H, MSGS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LaneCore<{}, {MSGS}> {{ .. }}", Hash::<H>::NAME)
    }
}

impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> Drop for LaneCore<H, MSGS> {
    fn drop(&mut self) {
        wipe::words(self.states.as_mut().as_flattened_mut());
        self.wipe_held();
    }
}

#[cfg(feature = "zeroize")]
impl<H: multi::MultiDigest + BlockSizeUser, const MSGS: usize> digest::zeroize::ZeroizeOnDrop
    for LaneCore<H, MSGS>
{
}
