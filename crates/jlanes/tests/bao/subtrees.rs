//! Values of subtrees: joined by hand, they give the digest.

use jlanes::{
    Backend, Blake3, Digest,
    bao::{Bao, Layout, SubtreeError, Value, left_len, max_len},
};
use jlanes_testing::{backends, message};
use proptest::prelude::*;

/// A key that is no other one.
const KEY: &[u8; 32] = b"a key of thirty-two bytes for us";

/// The value of a subtree, split down to chunks.
fn split(bao: &Bao, offset: u64, data: &[u8]) -> Value {
    match left_len(data.len() as u64) {
        None => bao.subtree(offset, data).unwrap(),
        Some(len) => {
            let (left, right) = data.split_at(len as usize);
            bao.merge(&split(bao, offset, left), &split(bao, offset + len, right))
        }
    }
}

fn modes() -> [Blake3; 3] {
    let derived = Blake3::new_derive_key("jlanes tests 2026-11-29 subtrees");
    [Blake3::new(), Blake3::new_keyed(KEY), derived]
}

#[test]
fn halves_make_the_digest_in_every_mode_on_every_backend() {
    for len in [1025, 2048, 5000, 16_384, 70_000, 262_144, 262_145, 600_000] {
        let data = message(len as u64, len);
        for backend in backends::<Backend>() {
            for hasher in modes() {
                let bao = Bao::new(hasher.clone()).on(backend);
                let (left, right) = data.split_at(left_len(len as u64).unwrap() as usize);
                let offset = left.len() as u64;
                let left = bao.subtree(0, left).unwrap();
                let right_value = bao.subtree(offset, right).unwrap();
                let digest = hasher.chain_update(&data).finalize();
                assert_eq!(bao.merge_root(&left, &right_value), digest[..], "{len}, {backend}");
                assert_eq!(split(&bao, offset, right), right_value, "{len}, {backend}");
                for layout in [Layout::BAO, Layout::OBAO4] {
                    let outboard = bao.outboard(layout, &data);
                    assert_eq!(outboard.root(), digest[..], "{layout:?}, {len}, {backend}");
                }
            }
        }
    }
}

#[test]
fn data_of_the_hasher_is_dropped() {
    let bao = Bao::new(Blake3::new().chain_update(b"other data"));
    let outboard = bao.outboard(Layout::BAO, b"data");
    assert_eq!(outboard.root(), Blake3::digest(b"data")[..]);
}

#[test]
fn subtrees_that_do_not_exist() {
    let (bao, data) = (Bao::default(), message(0, 5000));
    for offset in [1, 1023, 1025, u64::MAX] {
        assert_eq!(bao.subtree(offset, &data), Err(SubtreeError::Offset(offset)));
    }
    for offset in [0, 1024, 1 << 63] {
        assert_eq!(bao.subtree(offset, b""), Err(SubtreeError::Empty));
    }
    for (offset, max) in [(1024, 1024), (4096 * 3, 4096), (u64::MAX - 1023, 1024)] {
        let error = SubtreeError::TooLong { len: 5000, max };
        assert_eq!(bao.subtree(offset, &data), Err(error));
        assert_eq!(max_len(offset), Some(max));
    }
    let last = u64::MAX - 1023;
    let error = SubtreeError::TooLong { len: 1024, max: 1023 };
    assert_eq!(bao.subtree(last, &data[..1024]), Err(error));
    assert!(bao.subtree(last, &data[..1023]).is_ok());
    assert_eq!((max_len(0), left_len(0), left_len(1024)), (None, None, None));
    assert_eq!(left_len(u64::MAX), Some(1 << 63));
}

proptest! {
    #[test]
    fn subtrees_at_any_offset_are_split_anywhere(
        shift in 10..64u32, odd: u32, len in 1..20_000usize,
    ) {
        let offset = (u64::from(odd) | 1) << shift;
        let len = max_len(offset).map_or(len, |max| len.min(max as usize));
        let (bao, data) = (Bao::default(), message(odd.into(), len));
        prop_assume!(offset.checked_add(len as u64).is_some());
        prop_assert_eq!(bao.subtree(offset, &data).unwrap(), split(&bao, offset, &data));
    }
}
