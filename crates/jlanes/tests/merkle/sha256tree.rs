//! SHA256TREE against its definition, at every edge.

use jlanes::{
    Backend, Digest,
    merkle::{Format, Hasher, Sha256Tree},
};
use jlanes_testing::{backends, message, model::sha256tree as model};
use proptest::prelude::*;

/// Lengths around the ends of the first leaves, and around powers of two of leaves up to 1 MiB.
fn lengths() -> impl Iterator<Item = usize> {
    let around = |n: usize| [n - 1, n, n + 1];
    let leaves = (2..10).flat_map(move |n| around(n * 1024));
    (0..=1025).chain(leaves).chain((14..=20).flat_map(move |bits| around(1 << bits)))
}

#[test]
fn all_edges_on_every_backend() {
    let data = message(1, (1 << 20) + 1);
    for len in lengths() {
        let data = &data[..len];
        let expected = model::sha256tree(data);
        assert_eq!(*Sha256Tree::default().digest(data).unwrap(), expected, "{len} bytes");
        for backend in backends::<Backend>() {
            let mut hasher = Sha256Tree::default().on(backend);
            hasher.update(data);
            let Ok(digest) = hasher.finalize();
            assert_eq!(*digest, expected, "{len} bytes on {backend}");
        }
    }
}

#[test]
fn pieces_join_to_the_digest_of_the_blob() {
    for len in [0, 1, 1023, 1024, 1025, 5000, 70_000, 300_000] {
        let data = message(2, len);
        for piece in [1024, 2048, 65_536] {
            let pieces: Vec<_> = data
                .chunks(piece)
                .map(|piece| Sha256Tree::default().digest(piece).unwrap())
                .collect();
            let Ok(joined) = Sha256Tree::of_pieces().digest(&pieces.concat());
            assert_eq!(*joined, model::sha256tree(&data), "{len} bytes in pieces of {piece}");
        }
    }
}

proptest! {
    #[test]
    fn any_pieces(len in 0..100_000_usize, pieces in prop::collection::vec(1..20_000_usize, 1..9)) {
        let data = message(len as u64, len);
        let mut hasher = Hasher::<Sha256Tree>::new();
        let mut rest = &data[..];
        for piece in pieces.into_iter().cycle() {
            let (first, after) = rest.split_at(piece.min(rest.len()));
            hasher.update(first);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        assert_eq!(*Digest::finalize(hasher), model::sha256tree(&data));
    }
}
