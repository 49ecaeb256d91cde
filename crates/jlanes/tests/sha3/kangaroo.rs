//! KangarooTwelve against the literal reference, RFC 9861's values, and itself in pieces.

use jlanes::{
    Backend,
    digest::{
        CustomizedInit, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset,
        Reset, Update, XofReader,
    },
    tree::{Kt128, Kt256},
};
use jlanes_core::hashes::keccak::Extendable;
use jlanes_core::kernel::HasKernels;
use jlanes_reference as reference;
use jlanes_testing::{backends, message};
use jlanes_tree::kangaroo::{Kt, Leaf128, Leaf256};

const CHUNK: usize = 8192;

/// Lengths around the edges of chunks, and of as many chunks as there are lanes.
fn lengths() -> impl Iterator<Item = usize> {
    let edges = [1, 2, 3, 8, 9, 10, 17].into_iter().flat_map(|chunks| {
        let edge: usize = chunks * CHUNK;
        [edge - 169, edge - 2, edge - 1, edge, edge + 1, edge + 137]
    });
    [0, 1, 167, 168, 169, 5000].into_iter().chain(edges)
}

fn agrees<F: Extendable>(reference: impl Fn(&[u8], &[u8], &mut [u8]))
where
    Backend: HasKernels<F::Compression>,
{
    for len in lengths() {
        let data = message(len as u64, len);
        for customization in [0, 1, 200, CHUNK] {
            if customization == CHUNK && len > 3 * CHUNK {
                continue;
            }
            let customization = message(3, customization);
            let mut expected = [0; 300];
            reference(&data, &customization, &mut expected);
            for backend in backends::<Backend>() {
                let mut hasher = Kt::<F, Backend>::with_backend(backend, &customization);
                hasher.update(&data);
                let mut out = [0; 300];
                hasher.finalize_xof_reset().read(&mut out);
                assert_eq!(out, expected, "{backend}, {len} bytes");
                // again, in pieces
                for piece in data.chunks(len / 5 + 1) {
                    hasher.update(piece);
                }
                hasher.clone().finalize_xof().read(&mut out);
                assert_eq!(out, expected, "{backend}, {len} bytes in pieces");
                Reset::reset(&mut hasher);
                for piece in data.chunks(CHUNK) {
                    hasher.update(piece);
                }
                hasher.finalize_xof().read(&mut out);
                assert_eq!(out, expected, "{backend}, {len} bytes in chunks");
            }
        }
    }
}

#[test]
fn kt128_is_the_references() {
    agrees::<Leaf128>(reference::kt128);
}

#[test]
fn kt256_is_the_references() {
    agrees::<Leaf256>(reference::kt256);
}

/// The digest is the beginning of the output.
#[test]
fn digests_have_32_and_64_bytes() {
    for len in [0, 100, CHUNK, 3 * CHUNK] {
        let data = message(1, len);
        let (mut short, mut long) = ([0; 32], [0; 64]);
        reference::kt128(&data, b"", &mut short);
        reference::kt256(&data, b"", &mut long);
        assert_eq!(<Kt128 as jlanes::Digest>::digest(&data)[..], short);
        assert_eq!(<Kt256 as jlanes::Digest>::digest(&data)[..], long);
        let mut hasher = Kt256::default();
        Update::update(&mut hasher, b"forgotten");
        Reset::reset(&mut hasher);
        Update::update(&mut hasher, &data);
        assert_eq!(hasher.finalize_fixed_reset()[..], long);
    }
    assert_eq!(format!("{:?}", Kt128::default()), "Kt128 { ... }");
    assert_eq!(format!("{:?}", Kt256::default()), "Kt256 { ... }");
}

/// `ptn(n)` of the RFC, section 5.
fn ptn(n: usize) -> Vec<u8> {
    (0..=0xfa).cycle().take(n).collect()
}

/// The first and last bytes of values of section 5, to which the reference is held in full.
#[test]
fn known_answers() {
    let kt128 = |data: &[u8], customization: &[u8]| {
        let mut out = [0; 32];
        let hasher = Kt128::new_customized(customization);
        hasher.chain(data).finalize_xof().read(&mut out);
        out
    };
    let begins = |out: [u8; 32]| u64::from_be_bytes(*out.first_chunk().expect("32 bytes"));
    assert_eq!(begins(kt128(b"", b"")), 0x1ac2_d450_fc3b_4205);
    assert_eq!(begins(kt128(&ptn(17), b"")), 0x6bf7_5fa2_2391_98db);
    assert_eq!(begins(kt128(&ptn(17 * 17), b"")), 0x0c31_5ebc_dedb_f614);
    assert_eq!(begins(kt128(&[], &ptn(1))), 0xfab6_58db_63e9_4a24);
    assert_eq!(begins(kt128(&ptn(8191), b"")), 0x1b57_7636_f723_643e);
    assert_eq!(begins(kt128(&ptn(8192), b"")), 0x48f2_56f6_772f_9edf);
    assert_eq!(begins(kt128(&ptn(8192), &ptn(8190))), 0x6a7c_1b6a_5cd0_d8c9);
}

/// Leaves of many groups, and more than are kept at once.
#[test]
fn long_messages_are_the_same_in_any_pieces() {
    fn check<F: Extendable>()
    where
        Backend: HasKernels<F::Compression>,
    {
        let data = message(9, (4096 + 100) * CHUNK + 77);
        let new = || Kt::<F, Backend>::with_backend(Backend::detect(), b"");
        let whole = new().chain(&data).finalize_fixed();
        let mut pieces = new();
        data.chunks(100_001).for_each(|piece| pieces.update(piece));
        assert!(pieces.finalize_fixed() == whole);
        #[cfg(feature = "rayon")]
        {
            use jlanes_tree::ParUpdate;
            let mut parallel = new();
            parallel.par_update(&data[..300_000]);
            parallel.par_update(&data[300_000..]);
            assert!(parallel.finalize_fixed() == whole);
            let mut parallel = new();
            parallel.update(&data[..5]);
            parallel.par_update(&data[5..]);
            assert!(parallel.finalize_fixed() == whole);
        }
    }
    check::<Leaf128>();
    check::<Leaf256>();
}

#[cfg(feature = "rayon")]
#[test]
fn all_cores_compute_the_same() {
    use jlanes::tree::par_digest;
    for len in [0, 100, 128 << 10, 200 << 10, (1 << 20) + 5] {
        let data = message(1, len);
        assert_eq!(par_digest::<Kt128>(&data), <Kt128 as jlanes::Digest>::digest(&data));
        assert_eq!(par_digest::<Kt256>(&data), <Kt256 as jlanes::Digest>::digest(&data));
    }
}
