//! Tests of kernels of streams, by code without lanes: the arguments that kernels of SHA instructions get.

use std::marker::PhantomData;

use jlanes_core::{
    compression::{Compression, ContiguousDigests, RunByteOrder, Shape, max_lanes},
    function::Start,
    hash::Output,
    hashes::{blake2::Blake2, keccak::Keccak, md5::Md5Compression, sha2::Sha2},
    kernel::{
        self, HasKernels, Kernel, KernelCode, Kernels, RehashRounds, WholeMessages,
        plan::{Costs, InputKind, KernelKind, Plan},
        portable, stream,
    },
    simd::{
        portable::Portable,
        vector::{ByteOrder, Word},
        words::write_words,
    },
};
use jlanes_testing::message;

use crate::{
    Function, blake3, block, by_value, called::OnBackend, compressions, edges, expected, fused,
    macs, outs,
};

for_every_function!(messages, messages_one_after_the_other, digests_again, everything);

/// Three streams at a time, or six. Whole messages, and digests that are hashed again, are taken as they are, if
/// `WHOLE` says so.
#[derive(Clone, Copy, Default)]
struct Streams<const WHOLE: bool>;

/// The kernels of `C` on such streams.
struct Three<C, const WHOLE: bool>(PhantomData<C>);

impl<C: Compression, const WHOLE: bool> Three<C, WHOLE> {
    const STREAMS: kernel::StreamKernel<C::Word> = kernel::StreamKernel {
        advance: advance::<C>,
        max_streams: if WHOLE { 6 } else { 3 }, // interleaved words of more take a kernel of their own
        interleaved: None,
        digest: if WHOLE { Some(digest_whole::<C>) } else { None },
        halves: None,
        rehash: if WHOLE { Some(again::<C>) } else { None },
    };
    const TABLE: [Kernel<C::Word>; 2] = [
        Kernel {
            name: "streams",
            kind: KernelKind::Streams3,
            lanes: 3,
            code: KernelCode::Streams(Self::STREAMS),
            ..portable::kernel::<C>()
        },
        Kernel {
            code: KernelCode::Streams(kernel::StreamKernel { max_streams: 1, ..Self::STREAMS }),
            ..portable::kernel::<C>()
        },
    ];
    const PLAN: Plan = {
        let costs = Costs { streams1: 2, streams3: 3, ..Costs::NONE };
        Plan::new(costs, C::Word::BYTES, max_lanes::<C>())
    };
}

impl<C: Compression, const WHOLE: bool> HasKernels<C> for Streams<WHOLE> {
    fn kernels(&self) -> Kernels<C::Word> {
        let own = HasKernels::<C>::kernels(&Portable::<1>);
        let table = const { &Three::<C, WHOLE>::TABLE };
        Kernels { table, plans: [const { &Three::<C, WHOLE>::PLAN }; InputKind::COUNT], ..own }
    }
}

fn advance<C: Compression>(
    shape: &Shape<C::Word>,
    states: &mut [C::Word],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[C::Word],
) {
    assert!(runs.len() <= 6, "not more than there are");
    assert!(
        runs.iter().all(|run| run.len() >= blocks * C::BLOCK_BYTES),
        "as many blocks as there are"
    );
    for (state, run) in states.chunks_exact_mut(shape.state_words).zip(runs) {
        stream::advance_one::<C>(shape, state, &[run], order, blocks, shared);
    }
}

fn digest_whole<C: Compression>(work: WholeMessages<'_, '_, C::Word>) {
    let ContiguousDigests { bytes: digests, size } = work.digests;
    assert_eq!(digests.len(), work.messages.len() * size, "as many digests as messages");
    for (message, out) in work.messages.iter().zip(digests.chunks_mut(size)) {
        let mut state = work.start.to_vec();
        let shape = &Shape::of::<C>();
        let (order, blocks) = (RunByteOrder::Message, work.blocks);
        stream::advance_one::<C>(shape, &mut state, &[message], order, blocks, work.shared);
        write_words(C::ORDER, &state, out);
    }
}

fn again<C: Compression>(
    states: &mut [C::Word],
    starts: &[&[C::Word]],
    work: &RehashRounds<'_, C::Word>,
    mut xor_sum: Option<&mut [C::Word]>,
) {
    let shape = &Shape::of::<C>();
    assert!(states.len() <= 8 * shape.state_words, "not more than take turns");
    if let Some(xor_sum) = &mut xor_sum {
        xor_sum.fill(C::Word::default());
    }
    for (s, state) in states.chunks_exact_mut(shape.state_words).enumerate() {
        for _ in 0..work.rounds {
            for start in starts {
                let mut words = work.block.to_vec();
                words[..work.digest_words].copy_from_slice(&state[..work.digest_words]);
                if let Some(mask) = work.last_mask {
                    let last = work.digest_words - 1;
                    words[last] = words[last].and(mask).or(work.block[last]);
                }
                let mut block = vec![0; C::BLOCK_BYTES];
                write_words(ByteOrder::NATIVE, &words, &mut block);
                state.copy_from_slice(&start[s * shape.state_words..][..shape.state_words]);
                stream::advance_one::<C>(shape, state, &[&block], RunByteOrder::Native, 1, &[]);
            }
            if let Some(xor_sum) = &mut xor_sum {
                for (to, word) in xor_sum[s * shape.state_words..].iter_mut().zip(&*state) {
                    *to = to.xor(*word);
                }
            }
        }
    }
}

fn check<H: Function, const WHOLE: bool>() {
    let text = message(6, 5 * block::<H>() + 200);
    let longer = edges::<H>().into_iter().map(|len| len + 3 * block::<H>());
    for len in edges::<H>().into_iter().chain(longer) {
        for count in [1, 2, 3, 50] {
            // alike, and not
            for more in [0, 1] {
                let one = |i: usize| &text[i..][..len + more * i % 7];
                let mut out = outs::<H>(count);
                by_value::digest::<H, _, 1>(
                    Streams::<WHOLE>,
                    &Start::new(),
                    |i| [one(i)],
                    &mut out,
                );
                for (i, digest) in out.iter().enumerate() {
                    assert_eq!(*digest, expected::<H>(one(i)), "{i} of {count} of {len} bytes");
                }
            }
        }
    }
}

fn messages<H: Function>() {
    check::<H, true>();
}

fn messages_one_after_the_other<H: Function>() {
    check::<H, false>();
}

fn digests_again<H: Function>() {
    digests_again_on::<H, true>();
    digests_again_on::<H, false>();
}

fn digests_again_on<H: Function, const WHOLE: bool>() {
    for count in [1, 3, 5, 13] {
        let first: Vec<_> = (0..count).map(|i| expected::<H>(&[i])).collect();
        let mut digests = first.clone();
        by_value::chains::<H, _>(Streams::<WHOLE>, &[], &mut digests, 3);
        for (first, digest) in first.into_iter().zip(digests) {
            let again = |before: Output<H>, _| expected::<H>(&before);
            assert_eq!(digest, (0..3).fold(first, again));
        }
    }
}

fn everything<H: Function>() {
    fused::everything::<OnBackend<H, Streams<true>>>();
    macs::keys::<H, _>(Streams::<false>);
    macs::keys::<H, _>(Streams::<true>);
}

#[test]
fn compressions() {
    compressions::advance::<Sha2<u32>, _>(Streams::<false>);
    compressions::advance::<Sha2<u64>, _>(Streams::<false>);
    compressions::advance::<Keccak<17, 24>, _>(Streams::<false>);
    // interleaved words are copied a part at a time, and long rows are read a part at a time
    compressions::advance_by::<Sha2<u32>, _>(Streams::<false>, 40);
    compressions::interleaved::<Sha2<u32>, _>(Streams::<false>, (500, 16), 250, &[None]);
    compressions::advance::<Blake2<u64>, _>(Streams::<false>);
    compressions::advance::<Md5Compression, _>(Streams::<false>);
}

#[test]
fn messages_of_blake3() {
    blake3::many::<Streams<true>>();
    blake3::continued::<Streams<true>>();
}

#[test]
fn outputs_of_blake3() {
    blake3::from_any_position::<Streams<true>>();
}
