//! Every test of lanes on fused kernels, which take messages and not blocks.

use std::marker::PhantomData;

use jlanes_core::{
    compression::Compression,
    function::Start,
    hash::HashFunction,
    hashes::{
        blake2::Blake2,
        sha1::checked::{CheckedCompression, CheckedStep},
        sha2::Sha2,
        skein::Threefish512,
    },
    kernel::{
        AdvanceFusedFn, HasKernels, Kernel, KernelCode, Kernels, VectorKernel, VectorKernelCode,
        fused::advance_fused,
        portable,
        step::{Plain, Step, StepWord},
    },
    simd::registers::{OneLatencyBoundRegister, OneRegister, Registers, TwoRegisters},
};
use jlanes_testing::message;

use crate::{
    Blake2b, Function, Md5, Sha256, Sha512_224, Skein256, advance_one, again, attacks, blake3,
    by_value,
    called::{Calls, OnBackend},
    compressions, expected, lists, macs, outs,
};

/// Lanes with fused kernels.
#[derive(Clone, Copy)]
pub(crate) struct FusedLanes<const N: usize, R = OneRegister>(PhantomData<R>);

impl<const N: usize, R> Default for FusedLanes<N, R> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// The kernels of the step `S` on such lanes.
struct Table<S, const N: usize>(PhantomData<S>);

impl<S: Step<Calls<N>>, const N: usize> Table<S, N> {
    const PARTS: Kernels<StepWord<S, Calls<N>>> = portable::kernels_on::<S, Calls<N>>();
    const TABLE: [Kernel<StepWord<S, Calls<N>>>; 2] = {
        let kernel = Self::PARTS.table[0];
        let KernelCode::Vectors(vectors) = kernel.code else { panic!("lanes are no streams") };
        let fused: AdvanceFusedFn<StepWord<S, Calls<N>>> = advance_fused::<S, Calls<N>>;
        let code =
            KernelCode::Vectors(VectorKernel { code: VectorKernelCode::Fused(fused), ..vectors });
        [Kernel { code, ..kernel }, portable::kernel::<S::Compression>()]
    };
}

impl<C, const N: usize, R> HasKernels<C> for FusedLanes<N, R>
where
    C: Compression,
    R: Registers + Send + Sync + 'static,
{
    fn kernels(&self) -> Kernels<C::Word> {
        let table = const { &Table::<Plain<C, R>, N>::TABLE };
        Kernels { table, ..const { Table::<Plain<C, R>, N>::PARTS } }
    }
}

/// SHA-1 with checks that wait for each other.
#[derive(Clone, Copy)]
pub(crate) struct DeferringLanes<const N: usize, R>(PhantomData<R>);

impl<const N: usize, R> Default for DeferringLanes<N, R> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<const N: usize, R> HasKernels<CheckedCompression> for DeferringLanes<N, R>
where
    R: Registers + Send + Sync,
{
    fn kernels(&self) -> Kernels<u32> {
        let table = const { &Table::<CheckedStep<R>, N>::TABLE };
        Kernels { table, ..const { Table::<CheckedStep<R>, N>::PARTS } }
    }
}

/// `H` on such lanes.
type Fused<H, const N: usize, R = OneRegister> = OnBackend<H, FusedLanes<N, R>>;

/// Everything that is done with messages and digests in lanes.
pub(crate) fn everything<H: Function>() {
    lists::equal_lengths::<H>();
    lists::unequal_lengths::<H>();
    lists::a_long_message_among_short_ones::<H>();
    lists::pieces_of_equal_lengths::<H>();
    lists::prefixes::<H>();
    lists::lengths_of_two_words::<H>();
    again::chains::<H>();
    again::double_digests::<H>();
    macs::tags_under_one_key::<H>();
    macs::tags_under_a_key_each::<H>();
    macs::keys_of_passwords::<H>();
}

macro_rules! everything {
    ($($name:ident: $function:ty;)*) => {$(
        #[test]
        fn $name() {
            everything::<$function>();
        }
    )*};
}
// each takes ten seconds to compile: not all functions with all groups
everything! {
    md5: Fused<Md5, 8>;
    sha256_two: Fused<Sha256, 4, TwoRegisters>;
    sha512_224_latency_bound: Fused<Sha512_224, 2, OneLatencyBoundRegister>;
    blake2b: Fused<Blake2b, 2>;
    skein256: Fused<Skein256, 4>;
}

#[test]
fn compressions() {
    compressions::advance::<CheckedCompression, _>(FusedLanes::<4>::default());
    compressions::advance::<CheckedCompression, _>(DeferringLanes::<4, OneRegister>::default());
    compressions::advance::<Sha2<u32>, _>(FusedLanes::<4>::default());
    compressions::advance::<Sha2<u32>, _>(FusedLanes::<4, OneLatencyBoundRegister>::default());
    compressions::advance::<Sha2<u64>, _>(FusedLanes::<2, TwoRegisters>::default());
    compressions::advance::<Blake2<u64>, _>(FusedLanes::<2, TwoRegisters>::default());
    compressions::advance::<Threefish512, _>(FusedLanes::<2>::default());
}

#[test]
fn messages_of_blake3() {
    blake3::many::<FusedLanes<4>>();
    blake3::continued::<FusedLanes<4>>();
}

#[test]
fn outputs_of_blake3() {
    blake3::from_any_position::<FusedLanes<4>>();
}

#[test]
fn attacks_on_sha1() {
    attacks::found_in_lanes(FusedLanes::<4>::default());
    attacks::found_in_lanes(DeferringLanes::<4, OneRegister>::default());
    attacks::found_in_lanes(DeferringLanes::<8, TwoRegisters>::default());
}

/// The nodes of a tree, which share a block of padding: two groups of lanes take it together.
#[test]
fn nodes_that_share_their_padding() {
    let text = message(17, 16 * 64);
    for count in [4, 8, 11, 16] {
        let mut out = outs::<Sha256>(count);
        let node = |i: usize| [&text[64 * i..][..64]];
        let backend = FusedLanes::<4, OneLatencyBoundRegister>::default();
        by_value::digest::<Sha256, _, 1>(backend, &Start::new(), node, &mut out);
        for (out, node) in out.iter().zip(text.chunks(64)) {
            assert_eq!(*out, expected::<Sha256>(node), "of {count}");
        }
    }
}

/// The nodes of a tree, without padding, of more than two groups of lanes.
#[test]
fn blocks_to_states() {
    fn nodes<R: Registers + Send + Sync + 'static>() {
        let kernels = HasKernels::<Sha2<u32>>::kernels(&FusedLanes::<4, R>::default());
        let (text, start) = (message(15, 150 * 64), Sha256::start());
        for count in [1, 4, 8, 11, 70, 150] {
            let mut out = vec![0; 32 * count];
            kernels.compress_blocks(&start, |i| &text[64 * i..][..64], &mut out, 32);
            for (out, block) in out.chunks(32).zip(text.chunks(64)) {
                let mut state = start;
                advance_one::<Sha2<u32>>(&mut state, block);
                assert_eq!(out, Sha256::output(&state).as_slice(), "of {count}");
            }
        }
    }
    nodes::<OneRegister>();
    nodes::<OneLatencyBoundRegister>();
    nodes::<TwoRegisters>();
}
