//! Hashers that take many messages at once, by their type, and the choice of kernels.

use digest::Output;
use jlanes_core::{
    compression::{RunByteOrder, Shape},
    function::{Batch, BatchOnKernels, filling},
    hash::HashFunction,
    hashes::{
        blake3,
        keccak::{functions::Sha3_256, hasher::Hasher},
        sha2::Sha256,
    },
    kernel::{HasKernels, KernelCode, Kernels, plan::KernelKind},
};
use jlanes_testing::message;

use crate::called::On;

/// Messages behind prefixes that end within a block, at its end, and behind it.
fn many<H: BatchOnKernels>(block: usize) {
    let text = message(1, 700);
    for prefix in [0, 5, block, block + 1].map(|len| &text[..len]) {
        let digest = |pieces: &[&[u8]]| H::digest([&[prefix], pieces].concat().concat());
        let slices: Vec<&[u8]> = [3, 0, 200, 64, 5, 300, 300].map(|len| &text[len..2 * len]).into();
        let mut out = vec![Output::<H>::default(); slices.len()];
        H::digest_batch(H::backend(), prefix, &Batch::slices(&slices), &mut out);
        for (digest_of, slice) in out.iter().zip(&slices) {
            assert_eq!(*digest_of, digest(&[slice]));
        }
        let fill = filling(|i| [slices[i], &text[i..9]]);
        H::digest_batch(H::backend(), prefix, &Batch::filled(7, &fill), &mut out);
        for (i, slice) in slices.iter().enumerate() {
            assert_eq!(out[i], digest(&[slice, &text[i..9]]));
        }
        for width in [1, 37] {
            let records = &text[..width * out.len()];
            let batch = Batch::records(out.len(), records, width);
            H::digest_batch(H::backend(), prefix, &batch, &mut out);
            for (digest_of, record) in out.iter().zip(records.chunks(width)) {
                assert_eq!(*digest_of, digest(&[record]));
            }
        }
    }
    for len in [0, 5, block, 700] {
        assert_eq!(H::digest_one(H::backend(), &text[..len]), H::digest(&text[..len]));
    }
}

#[test]
fn many_messages_of_a_hasher() {
    many::<Hasher<Sha3_256, On<4>>>(136);
    many::<blake3::hasher::Hasher<On<2>>>(64);
}

#[test]
fn blocks_are_counted() {
    type Sponge = Hasher<Sha3_256, On<4>>;
    assert_eq!([0, 135, 136, 300].map(Sponge::blocks), [1, 1, 2, 3]);
    type Tree = blake3::hasher::Hasher<On<2>>;
    // a parent for each chunk but the first
    assert_eq!([0, 64, 65, 1024, 1025, 2049].map(Tree::blocks), [1, 1, 2, 16, 18, 35]);
}

/// A kernel for which the CPU lacks an instruction set is passed over, and a kind without any leads
/// to that of one stream.
#[test]
fn kernels_are_those_that_the_cpu_has() {
    const LACKING: u16 = 0b10;
    type Compression = <Sha256 as HashFunction>::Compression;
    let kernels: Kernels<u32> = HasKernels::<Compression>::kernels(&On::<4>::default());
    let mut better = *kernels.single();
    (better.needs, better.name) = (LACKING, "better");
    let table = [&[better], kernels.table].concat().leak();
    let without = Kernels { table, has: 0b101, ..kernels };
    let with = Kernels { has: 0b110, ..without };
    assert_eq!(without.single().name, kernels.single().name);
    assert_eq!(with.single().name, "better");
    assert_eq!(without.by_kind(KernelKind::Streams8).kind, KernelKind::Streams1);
    assert_eq!(with.by_kind(KernelKind::Streams8).name, "better");
    assert_eq!(without.name(4), kernels.single().name);
}

/// A kernel of one stream is told the whole blocks that there are.
#[test]
fn streams_advance_by_whole_blocks() {
    fn counted(
        _: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        _: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        assert_eq!((runs.len(), runs[0].len() / 64, shared.len()), (1, blocks, 0));
        states[0] += blocks as u32;
    }
    type Compression = <Sha256 as HashFunction>::Compression;
    let kernels: Kernels<u32> = HasKernels::<Compression>::kernels(&On::<4>::default());
    let mut kernel = *kernels.single();
    let KernelCode::Streams(streams) = &mut kernel.code else { panic!("it is one stream") };
    streams.advance = counted;
    let kernels = Kernels { table: [kernel].as_slice().to_vec().leak(), ..kernels };
    let mut state = [0; 8];
    for blocks in [0, 1, 3] {
        kernels.advance_one(&mut state, &vec![0; 64 * blocks]);
    }
    assert_eq!(state[0], 4);
}
