//! The same on lanes with fused kernels, which are given messages and not blocks.

use std::marker::PhantomData;

use jlanes_core::{
    engine::Engine,
    hash::{HashFunction, Output, State, WordOf, compression::Compression},
    hashes::{
        blake2::{self, Blake2},
        sha1::checked::CheckedCompression,
        sha2::Sha2,
        skein::Threefish512,
    },
    kernel::{
        AdvanceRuns, Kernel, Kernels, LaneStart, Run, RunBlocks, Vectors, fused::AdvanceFused,
        portable,
    },
    simd::{
        groups::{Groups, One, OneLatencyBound, Two},
        isa::Isa,
    },
};

use crate::{
    Blake2b, Function, Md5, Sha256, Sha512_224, Skein256, again, attacks, blake3, called::Calls,
    engines, lists, macs,
};

/// Lanes with fused kernels.
#[derive(Clone, Copy)]
pub(crate) struct FusedLanes<const N: usize, G = One>(PhantomData<G>);

impl<const N: usize, G> Default for FusedLanes<N, G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// The kernels of `C` on such lanes.
struct Table<C, const N: usize, G>(PhantomData<(C, G)>);

impl<C: Compression, const N: usize, G: Groups> Table<C, N, G> {
    const PARTS: Kernels<C::Word> = portable::kernels_on::<C, Calls<N>, G>();
    const TABLE: [Kernel<C::Word>; 2] = {
        let kernel = Self::PARTS.table[0];
        let Run::Vectors(vectors) = kernel.run else { panic!("lanes are no streams") };
        let fused: Option<AdvanceRuns<C::Word>> = Some(fused::<C, N, G>);
        let run = Run::Vectors(Vectors { fused, ..vectors });
        [Kernel { run, ..kernel }, portable::kernel::<C>()]
    };
}

fn fused<C: Compression, const N: usize, G: Groups>(
    from: LaneStart<'_, C::Word>,
    states: &mut [C::Word],
    stride: usize,
    blocks: &mut RunBlocks<'_, C::Word>,
) {
    let groups = PhantomData::<G>;
    Calls::<N>.run(AdvanceFused::<C, _> { from, states, stride, blocks, groups });
}

impl<C, const N: usize, G> Engine<C> for FusedLanes<N, G>
where
    C: Compression,
    G: Groups + Send + Sync + 'static,
{
    fn kernels(&self) -> Kernels<C::Word> {
        let table = const { &Table::<C, N, G>::TABLE };
        Kernels { table, ..const { Table::<C, N, G>::PARTS } }
    }
}

/// `H` on such lanes.
#[derive(Clone, Copy)]
struct Fused<H, const N: usize, G = One>(PhantomData<fn() -> (H, G)>);

impl<H: Function, const N: usize, G: Groups + 'static> HashFunction for Fused<H, N, G> {
    type Compression = H::Compression;
    type OutputSize = H::OutputSize;
    const NAME: &'static str = H::NAME;
    const PADDING: jlanes_core::hash::padding::Padding = H::PADDING;
    const OUTPUT_TRANSFORM: bool = H::OUTPUT_TRANSFORM;
    const ONE_BLOCK: Option<&'static [WordOf<H>]> = H::ONE_BLOCK;

    fn start() -> State<H> {
        H::start()
    }

    fn transform(state: &mut State<H>) -> bool {
        H::transform(state)
    }

    fn output(state: &State<H>) -> Output<H> {
        H::output(state)
    }
}

impl<H: Function, const N: usize, G> Function for Fused<H, N, G>
where
    G: Groups + Send + Sync + 'static,
{
    type On = FusedLanes<N, G>;
    type Peer = H::Peer;
}

/// Everything that is done with messages and digests in lanes.
fn everything<H: Function>() {
    lists::equal_lengths::<H>();
    lists::unequal_lengths::<H>();
    lists::a_long_message_among_short_ones::<H>();
    lists::pieces_of_equal_lengths::<H>();
    lists::prefixes::<H>();
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
everything! {
    md5: Fused<Md5, 8>;
    sha256: Fused<Sha256, 4>;
    sha256_latency_bound: Fused<Sha256, 4, OneLatencyBound>;
    sha256_two: Fused<Sha256, 4, Two>;
    sha512_224: Fused<Sha512_224, 2>;
    sha512_224_latency_bound: Fused<Sha512_224, 2, OneLatencyBound>;
    sha512_224_two: Fused<Sha512_224, 2, Two>;
    blake2b: Fused<Blake2b, 2>;
    blake2s_two: Fused<blake2::Blake2s<digest::consts::U32>, 4, Two>;
    skein256: Fused<Skein256, 4>;
}

#[test]
fn compressions() {
    engines::advance::<CheckedCompression, _>(FusedLanes::<4>::default());
    engines::advance::<Sha2<u32>, _>(FusedLanes::<4>::default());
    engines::advance::<Sha2<u32>, _>(FusedLanes::<4, OneLatencyBound>::default());
    engines::advance::<Sha2<u64>, _>(FusedLanes::<2, Two>::default());
    engines::advance::<Blake2<u64>, _>(FusedLanes::<2, Two>::default());
    engines::advance::<Threefish512, _>(FusedLanes::<2>::default());
}

#[test]
fn messages_of_blake3() {
    blake3::many::<FusedLanes<4>>();
    blake3::continued::<FusedLanes<4>>();
}

#[test]
fn attacks_on_sha1() {
    attacks::found_in_lanes(FusedLanes::<4>::default());
    attacks::found_in_lanes(FusedLanes::<8, Two>::default());
}
