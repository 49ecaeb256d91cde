//! Trees that are kept give the digest as from scratch, after any change.

use core::fmt::Debug;

use jlanes::{
    Sha256,
    merkle::{
        BitTorrent, Bitcoin, DmVerity, Dropbox, Error, Format, FsVerity, Glacier, Rfc6962, S3,
        Sha256Tree, Ssz, Tree, Version,
    },
};
use jlanes_testing::message;

/// Grows a tree leaf by leaf and in batches, changes it everywhere, and compares at each step.
fn check<T>(format: T, leaf: usize, leaves: usize)
where
    T: Format<Output: PartialEq + Debug, Error: PartialEq + Debug>,
{
    let mut data = message(leaf as u64, leaf * leaves);
    let mut tree = Tree::new(format.clone());
    assert_eq!(tree.digest(), format.digest(&[]));
    let batches = [1, 1, 1, 2, 3, 5, 8, 17, 1, 40];
    let mut len = 0;
    for batch in batches.into_iter().cycle() {
        let end = data.len().min(len + batch * leaf);
        let new: Vec<_> = data[len..end].chunks(leaf).collect();
        tree.extend(&new).unwrap();
        len = end;
        assert_eq!(tree.digest(), format.digest(&data[..len]), "{} leaves", tree.leaves());
        if len == data.len() {
            break;
        }
    }
    for index in 0..leaves {
        let changed = &mut data[index * leaf..][..leaf];
        changed[index % leaf] ^= 0x55;
        tree.replace(index, changed).unwrap();
        assert_eq!(tree.digest(), format.digest(&data), "leaf {index}");
    }
}

#[test]
fn every_format_can_be_appended_to_and_changed() {
    check(Rfc6962::chunks::<Sha256>(10).unwrap(), 10, 77);
    check(Ssz::default(), 32, 77);
    check(Ssz::with_limit(500), 32, 77);
    check(Bitcoin, 32, 77);
    check(FsVerity::sha256(1024, b"salt").unwrap(), 1024, 77);
    check(S3::new(500).unwrap(), 500, 77);
    #[cfg(feature = "md5")]
    check(jlanes::merkle::ETag::new(500).unwrap(), 500, 77);
    check(BitTorrent::with_pieces(64 << 10).unwrap(), 16 << 10, 37);
    check(Sha256Tree::default(), 1 << 10, 77);
    check(Glacier, 1 << 20, 5);
    check(Dropbox, 4 << 20, 2);
    let verity = DmVerity::with_blocks::<Sha256>(1024, 512, b"salt").unwrap().with_tree();
    check(verity.clone(), 1024, 77);
    check(verity.version(Version::V0), 1024, 77);
}

#[test]
fn the_last_leaf_may_be_short() {
    let format = FsVerity::sha256(1024, b"").unwrap();
    let data = message(1, 2500);
    let mut tree = Tree::new(format.clone());
    tree.extend(&data.chunks(1024).collect::<Vec<_>>()).unwrap();
    assert_eq!(tree.digest(), format.digest(&data));
    assert_eq!(tree.push(&data[..1024]), Err(Error::LeafLength { len: 452, size: 1024 }));
    tree.replace(2, &data[..1024]).unwrap();
    tree.push(&data[..1]).unwrap();
    let grown = [&data[..2048], &data[..1024], &data[..1]].concat();
    assert_eq!(tree.digest(), format.digest(&grown));
}

#[test]
fn leaves_that_do_not_fit_are_refused_and_change_nothing() {
    let mut tree = Tree::new(Rfc6962::chunks::<Sha256>(4).unwrap());
    tree.extend(&[b"1234", b"5678"]).unwrap();
    let before = tree.digest();
    let wrong = |len| Err(Error::LeafLength { len, size: 4 });
    assert_eq!(tree.push(b"12345"), wrong(5));
    assert_eq!(tree.extend(&[b"123", b"1234"]), wrong(3));
    assert_eq!(tree.replace(0, b"123"), wrong(3));
    assert_eq!(tree.replace(1, b""), wrong(0));
    assert_eq!(tree.replace(2, b"1234"), Err(Error::NoSuchLeaf { index: 2, leaves: 2 }));
    assert_eq!(tree.extend(&[]), Ok(()));
    assert_eq!(tree.digest(), before);
}
