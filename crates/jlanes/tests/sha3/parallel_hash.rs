//! ParallelHash against the published answers, the literal reference, and itself in pieces.

use jlanes::{
    Backend,
    digest::{
        ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, Reset, Update,
        XofReader,
    },
    tree::{ParallelHash128, ParallelHash256, TreeError},
};
use jlanes_core::{
    hashes::keccak::functions::{Shake128, Shake256},
    kernel::HasKernels,
};
use jlanes_reference as reference;
use jlanes_testing::{backends, corpus, message};
use jlanes_tree::parallel_hash::{LeafFunction, ParallelHash};

/// The literal reference of a function with one output length, and of its XOF.
type Reference = fn(&[u8], usize, &[u8], &mut [u8]);

#[test]
fn known_answers() {
    let mut answers = 0;
    for record in corpus("parallelhash") {
        let (message, custom) = (record.message(), record.input("custom"));
        let size: usize = record.number("block_size");
        let mut out = vec![0; record.number("out_len")];
        for backend in backends::<Backend>() {
            match record.text("alg") {
                "parallelhash128" => {
                    let hasher = ParallelHash128::with_backend(backend, size, &custom).unwrap();
                    hasher.chain(&message).finalize_into_slice(&mut out);
                }
                "parallelhash256" => {
                    let hasher = ParallelHash256::with_backend(backend, size, &custom).unwrap();
                    hasher.chain(&message).finalize_into_slice(&mut out);
                }
                "parallelhashxof128" => {
                    let hasher = ParallelHash128::with_backend(backend, size, &custom).unwrap();
                    hasher.chain(&message).finalize_xof().read(&mut out);
                }
                "parallelhashxof256" => {
                    let hasher = ParallelHash256::with_backend(backend, size, &custom).unwrap();
                    hasher.chain(&message).finalize_xof().read(&mut out);
                }
                other => panic!("{other} in the corpus"),
            }
            record.assert_output(&out);
        }
        answers += 1;
    }
    assert!(answers > 200, "{answers} answers");
}

fn agrees<F: LeafFunction>(fixed: Reference, xof: Reference)
where
    Backend: HasKernels<F::Compression>,
{
    let sizes = [1, 7, 8, 64, 136, 168, 169, 1000, 8192, 10_000];
    for size in sizes {
        // around the edges of blocks, of all lanes, and of what is gathered
        let gathered = 8 * size * ((64 << 10) / (8 * size)).max(1);
        let edges = [0, size, 2 * size, 8 * size, 9 * size];
        let gathered = (size >= 1000).then_some([gathered, 2 * gathered]);
        let edges = edges.into_iter().chain(gathered.into_iter().flatten());
        for len in edges.flat_map(|edge: usize| [edge.saturating_sub(1), edge, edge + 1]) {
            let data = message(len as u64, len);
            let customization = message(3, len % 7 * 50);
            let (mut expected, mut expected_xof) = ([0; 100], [0; 300]);
            fixed(&data, size, &customization, &mut expected);
            xof(&data, size, &customization, &mut expected_xof);
            for backend in backends::<Backend>() {
                let hasher =
                    ParallelHash::<F, Backend>::with_backend(backend, size, &customization);
                let mut hasher = hasher.expect("blocks of some bytes");
                let (mut out, mut out_xof) = ([0; 100], [0; 300]);
                hasher.update(&data);
                hasher.clone().finalize_into_slice(&mut out);
                assert!(out == expected, "{backend}, {len} bytes in blocks of {size}");
                hasher.finalize_xof_reset().read(&mut out_xof);
                assert!(out_xof == expected_xof, "{backend}, {len} bytes in blocks of {size}");
                // again, in pieces
                data.chunks(len / 5 + 1).for_each(|piece| hasher.update(piece));
                hasher.finalize_into_slice_reset(&mut out);
                assert!(out == expected, "{backend}, {len} bytes in blocks of {size}, in pieces");
                data.chunks(3 * size).for_each(|piece| hasher.update(piece));
                hasher.finalize_into_slice(&mut out);
                assert!(out == expected, "{backend}, {len} bytes in blocks of {size}, by three");
            }
        }
    }
}

#[test]
fn parallelhash128_is_the_references() {
    agrees::<Shake128>(reference::parallelhash128, reference::parallelhashxof128);
}

#[test]
fn parallelhash256_is_the_references() {
    agrees::<Shake256>(reference::parallelhash256, reference::parallelhashxof256);
}

/// Blocks that are too long to be gathered, in pieces of all lengths, and on all cores.
#[test]
fn long_blocks_are_hashed_as_they_come() {
    for size in [256 << 10, (256 << 10) + 1, 1 << 20] {
        let data = message(5, 5 * size + size / 3);
        let mut expected = [0; 32];
        reference::parallelhash128(&data, size, b"", &mut expected);
        let new = || ParallelHash128::new(size, b"").unwrap();
        for piece in [50_000, size - 1, size, 2 * size + 5, data.len()] {
            let mut hasher = new();
            data.chunks(piece).for_each(|piece| hasher.update(piece));
            assert_eq!(hasher.finalize_fixed()[..], expected, "{size} in pieces of {piece}");
            #[cfg(feature = "rayon")]
            {
                let mut hasher = new();
                let update = jlanes::tree::ParUpdate::par_update;
                data.chunks(piece).for_each(|piece| update(&mut hasher, piece));
                assert_eq!(hasher.finalize_fixed()[..], expected, "{size}, {piece}, all cores");
            }
        }
    }
}

/// Outputs of one length are the function with that length, and hashers start afresh.
#[test]
fn digests_have_32_and_64_bytes() {
    for len in [0, 100, 5000] {
        let data = message(1, len);
        let (mut short, mut long) = ([0; 32], [0; 64]);
        reference::parallelhash128(&data, 64, b"a", &mut short);
        reference::parallelhash256(&data, 64, b"a", &mut long);
        let hasher = ParallelHash128::new(64, b"a").unwrap();
        assert_eq!(hasher.chain(&data).finalize_fixed()[..], short);
        let mut hasher = ParallelHash256::new(64, b"a").unwrap();
        hasher.update(b"forgotten");
        hasher.reset();
        hasher.update(&data);
        assert_eq!(hasher.finalize_fixed_reset()[..], long);
        hasher.update(&data);
        assert_eq!(hasher.finalize_fixed()[..], long);
    }
    assert_eq!(ParallelHash128::new(0, b"").err(), Some(TreeError::EmptyLeaf));
    let hasher = ParallelHash256::new(1, b"").unwrap();
    assert_eq!(format!("{hasher:?}"), "ParallelHash256 { ... }");
}
