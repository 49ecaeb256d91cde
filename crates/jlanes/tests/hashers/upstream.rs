//! Batches behind `digest::multi`, which RustCrypto discusses (RustCrypto/traits, pull request 2479):
//! messages of one length, fed block by block, with blocks that all of them share.
//!
//! The traits here have that proposal's shape in words of our own, and follow it when it changes.

use jlanes::{
    Digest, Sha256, Sha512,
    digest::{Output, OutputSizeUser},
    multi::MultiDigest,
};
use jlanes_core::{
    compression::{Compression, Contiguous, LaneBuffer},
    hash::{HashFunction, State, WordOf, shared_block::SharedBlock},
    jobs::LaneInput,
    kernel::HasKernels,
    lanes::messages::{LaneWork, MessageEnd, Route},
};
use jlanes_testing::message;

/// `MSGS` messages that grow side by side.
trait MultiCore<const MSGS: usize>: OutputSizeUser + Sized {
    /// Advances each message by whole blocks of its own, as many for each.
    fn update_blocks(&mut self, blocks: [&[u8]; MSGS]);
    /// Advances all messages by the same whole blocks.
    fn update_blocks_shared(&mut self, blocks: &[u8]);
    /// Ends each message with `TAIL` bytes, less than a block.
    fn finalize<const TAIL: usize>(self, tails: [&[u8; TAIL]; MSGS]) -> [Output<Self>; MSGS];
}

/// A digest with a core for any number of messages.
trait Multi: Digest {
    type Core<const MSGS: usize>: MultiCore<MSGS> + OutputSizeUser<OutputSize = Self::OutputSize>;
    fn core<const MSGS: usize>() -> Self::Core<MSGS>;
}

type CompressionOf<H> =
    <<H as jlanes_core::batch::MultiDigest>::Function as HashFunction>::Compression;

/// The states of `MSGS` messages, which go to the lanes in groups of as many as there are.
struct Core<H: MultiDigest, const MSGS: usize> {
    states: [State<H::Function>; MSGS],
    /// Bytes of each message so far.
    len: usize,
}

impl<H: MultiDigest, const MSGS: usize> Core<H, MSGS> {
    /// Calls `run` for each group of lanes with the number of its first message, and its messages'
    /// states.
    fn groups(&mut self, mut run: impl FnMut(usize, usize, &mut LaneBuffer<WordOf<H::Function>>)) {
        let shape = &H::Function::DESCRIPTOR.shape;
        let width = shape.max_lanes;
        for (group, states) in self.states.chunks_mut(width).enumerate() {
            let mut lanes = LaneBuffer::new(shape);
            for (lane, state) in states.iter().enumerate() {
                lanes.states().set(lane, state.as_ref());
            }
            run(group * width, states.len(), &mut lanes);
            for (lane, state) in states.iter_mut().enumerate() {
                lanes.get_into(lane, state.as_mut());
            }
        }
    }
}

impl<H: MultiDigest, const MSGS: usize> OutputSizeUser for Core<H, MSGS> {
    type OutputSize = H::OutputSize;
}

impl<H: MultiDigest, const MSGS: usize> MultiCore<MSGS> for Core<H, MSGS> {
    fn update_blocks(&mut self, blocks: [&[u8]; MSGS]) {
        let len = blocks.first().map_or(0, |blocks| blocks.len());
        assert!(blocks.iter().all(|message| message.len() == len), "as many blocks for each");
        let count = len / CompressionOf::<H>::BLOCK;
        self.len += len;
        self.groups(|first, live, lanes| {
            let runs = LaneInput::Runs(&blocks[first..first + live]);
            H::backend().kernels().advance(lanes.states(), runs, live, count, &[]);
        });
    }

    fn update_blocks_shared(&mut self, blocks: &[u8]) {
        self.len += blocks.len();
        for block in blocks.chunks_exact(CompressionOf::<H>::BLOCK) {
            let block = SharedBlock::of(H::Function::DESCRIPTOR, block);
            self.groups(|_, live, lanes| {
                let none = LaneInput::Runs(&[&[] as &[u8]; 32]);
                H::backend().kernels().advance(lanes.states(), none, live, 0, block.words());
            });
        }
    }

    fn finalize<const TAIL: usize>(mut self, tails: [&[u8; TAIL]; MSGS]) -> [Output<Self>; MSGS] {
        assert!(TAIL < CompressionOf::<H>::BLOCK && !H::Function::OUTPUT_TRANSFORM);
        let tails = tails.map(|tail| &tail[..]);
        let before = self.len as u128;
        let end = MessageEnd { padding: H::Function::PADDING, before, all: true };
        let blocks = H::Function::DESCRIPTOR.blocks(TAIL);
        let size = <H as Digest>::output_size();
        let mut digests = vec![0; MSGS * size];
        self.groups(|first, live, lanes| {
            let tails = LaneWork::new(&tails[first..first + live], blocks);
            let bytes = &mut digests[first * size..][..live * size];
            let digests = Contiguous { bytes, size };
            let route = Route::StatesToDigests { states: lanes.states(), digests };
            H::backend().kernels().messages(LaneWork { end: Some(end), ..tails }, route);
        });
        let mut digests = digests.chunks_exact(size);
        std::array::from_fn(|_| {
            let digest = digests.next().expect("a digest a message");
            Output::<Self>::try_from(digest).expect("of the digest's size")
        })
    }
}

impl<H: MultiDigest> Multi for H {
    type Core<const MSGS: usize> = Core<H, MSGS>;

    fn core<const MSGS: usize>() -> Core<H, MSGS> {
        Core { states: [H::Function::start(); MSGS], len: 0 }
    }
}

/// Merkle leaves as the proposal has them: a block of tags, pages, and a tail, without a copy.
fn leaves<H: MultiDigest, const MSGS: usize, const TAIL: usize>() {
    let block = CompressionOf::<H>::BLOCK;
    let shared = message(1, block);
    let pages: Vec<_> = (0..MSGS).map(|i| message(i as u64, 4 * block)).collect();
    let tails: Vec<_> = (0..MSGS).map(|i| message(77 + i as u64, TAIL)).collect();

    let mut core = H::core::<MSGS>();
    core.update_blocks_shared(&shared);
    core.update_blocks(std::array::from_fn(|i| &pages[i][..]));
    let tail = |i: usize| <&[u8; TAIL]>::try_from(&tails[i][..]).expect("of that length");
    let digests = core.finalize(std::array::from_fn(tail));

    for (i, digest) in digests.iter().enumerate() {
        let whole = [&shared[..], &pages[i], &tails[i]].concat();
        assert_eq!(digest[..], H::digest(&whole)[..], "message {i} of {MSGS}, tail of {TAIL}");
    }
}

#[test]
fn equal_messages_in_the_shape_that_rustcrypto_discusses() {
    leaves::<Sha256, 1, 0>();
    leaves::<Sha256, 8, 55>();
    leaves::<Sha256, 16, 56>();
    leaves::<Sha256, 40, 63>();
    leaves::<Sha512, 3, 111>();
    leaves::<Sha512, 40, 112>();
}
