//! KangarooTwelve and ParallelHash, compared with the reference.

use digest::{
    CustomizedInit, ExtendableOutput, ExtendableOutputReset, FixedOutputReset, Reset, Update,
    XofReader,
};
use jlanes_core::simd::portable::Portable;
use jlanes_reference as reference;
use jlanes_testing::{message, paint};
use jlanes_tree::{
    kangaroo::{Kt128, Kt256},
    parallel_hash::{ParallelHash128, ParallelHash256},
};

use crate::names;

/// Reads 200 bytes.
fn output(hasher: impl ExtendableOutput) -> Vec<u8> {
    let mut out = vec![0; 200];
    hasher.finalize_xof().read(&mut out);
    out
}

fn expected(reference: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut out = vec![0; 200];
    reference(&mut out);
    out
}

#[test]
fn kangaroo_twelve() {
    let text = message(1, 40_961);
    let custom = paint(100, 5);
    // the leaf's end, with and without the customization, and some leaves
    for len in [0, 8090, 8091, 8092, 8191, 8192, 8193, 16_385, 40_961] {
        let custom = if len % 2 == 0 { &[][..] } else { &custom };
        let text = &text[..len];
        let short = expected(|out| reference::kt128(text, custom, out));
        let long = expected(|out| reference::kt256(text, custom, out));
        for piece in [5000, 50_000] {
            let mut hasher = Kt128::with_backend(Portable::<4>, custom);
            text.chunks(piece).for_each(|piece| hasher.update(piece));
            assert_eq!(output(hasher), short, "{len} bytes in pieces of {piece}");
            let mut hasher = Kt256::with_backend(Portable::<2>, custom);
            text.chunks(piece).for_each(|piece| hasher.update(piece));
            assert_eq!(output(hasher), long, "{len} bytes in pieces of {piece}");
        }
    }
}

#[test]
fn they_have_the_names_of_the_standards() {
    let kt = Kt128::with_backend(Portable::<4>, b"");
    assert_eq!(names(&kt), ["KT128", "Kt128 { ... }"]);
    let parallel = ParallelHash256::with_backend(Portable::<4>, 8, b"").unwrap();
    assert_eq!(names(&parallel), ["ParallelHash256", "ParallelHash256 { ... }"]);
}

#[test]
fn parallel_hash() {
    let text = message(2, 1500);
    for size in [1, 8, 168, 700, 5000] {
        for len in [0, 1, size - 1, size, size + 1, 1500] {
            let text = &text[..len.min(size * 20).min(1500)];
            let short = expected(|out| reference::parallelhash128(text, size, b"custom", out));
            let long = expected(|out| reference::parallelhashxof256(text, size, b"", out));
            for piece in [1, 99, 2000] {
                let mut hasher =
                    ParallelHash128::with_backend(Portable::<4>, size, b"custom").unwrap();
                text.chunks(piece).for_each(|piece| hasher.update(piece));
                let mut out = vec![0; 200];
                hasher.finalize_into_slice(&mut out);
                assert_eq!(out, short, "{len} bytes in blocks of {size}");
                let mut hasher = ParallelHash256::with_backend(Portable::<2>, size, b"").unwrap();
                text.chunks(piece).for_each(|piece| hasher.update(piece));
                assert_eq!(output(hasher), long, "{len} bytes in blocks of {size}");
            }
        }
    }
    assert!(ParallelHash128::with_backend(Portable::<4>, 0, b"").is_err());
}

#[test]
fn hashers_begin_again() {
    let text = message(3, 20_000);
    let mut kt = Kt128::<Portable<4>>::new_customized(b"custom");
    let mut ph = ParallelHash128::<Portable<4>>::new(3000, b"custom").unwrap();
    kt.update(&text[..9000]);
    ph.update(&text[..9000]);
    Reset::reset(&mut kt);
    Reset::reset(&mut ph);
    for len in [20_000, 100, 8192] {
        let text = &text[..len];
        let mut out = vec![0; 200];
        kt.update(text);
        let copy = kt.clone();
        kt.finalize_xof_reset().read(&mut out);
        let whole = expected(|out| reference::kt128(text, b"custom", out));
        assert_eq!(out, whole, "{len} bytes");
        assert_eq!(output(copy), whole, "{len} bytes");
        kt.update(text);
        assert_eq!(kt.finalize_fixed_reset()[..], whole[..32], "{len} bytes");

        ph.update(text);
        let copy = ph.clone();
        ph.finalize_xof_reset().read(&mut out);
        let whole = expected(|out| reference::parallelhashxof128(text, 3000, b"custom", out));
        assert_eq!(out, whole, "{len} bytes");
        assert_eq!(output(copy), whole, "{len} bytes");
        ph.update(text);
        ph.finalize_into_slice_reset(&mut out);
        let whole = expected(|out| reference::parallelhash128(text, 3000, b"custom", out));
        assert_eq!(out, whole, "{len} bytes");
        ph.update(text);
        let mut short = [0; 32];
        reference::parallelhash128(text, 3000, b"custom", &mut short);
        assert_eq!(ph.finalize_fixed_reset()[..], short, "{len} bytes");
    }
}
