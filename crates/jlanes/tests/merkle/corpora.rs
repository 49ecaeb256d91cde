//! The corpora: answers of libtorrent, botocore, Bazel's API, fsverity-utils, veritysetup and Go.

use jlanes::{
    Backend, Sha256,
    merkle::{
        BitTorrent, DmVerity, Error, Format, FsVerity, Glacier, Rfc6962, Sha256Tree, Tree, Version,
        verify_consistency, verify_inclusion,
    },
    multi::MultiDigest,
};
use jlanes_testing::{Record, corpus};

#[test]
fn btv2() {
    for record in corpus("btv2") {
        let data = record.message();
        let Some(root) = record.optional_hex("pieces_root_hex") else {
            assert_eq!(BitTorrent::default().digest(&data), Err(Error::Empty), "{}", record.name());
            continue;
        };
        let pieces = BitTorrent::with_pieces(record.number("piece_len")).unwrap();
        let pieces = pieces.digest(&data).unwrap();
        assert_eq!(BitTorrent::default().digest(&data).unwrap().root, pieces.root);
        assert_eq!(pieces.root[..], root, "{}", record.name());
        let layer = record.optional_hex("piece_layer_hex").unwrap_or_default();
        assert_eq!(pieces.layer.concat(), layer, "{}", record.name());
    }
}

#[test]
fn glacier() {
    for record in corpus("glacier") {
        let hash = Glacier.digest(&record.message()).unwrap();
        assert_eq!(hash[..], record.hex("digest_hex"), "{}", record.name());
    }
}

#[test]
fn sha256tree() {
    for record in corpus("sha256tree") {
        let Ok(digest) = Sha256Tree::default().digest(&record.message());
        assert_eq!(digest[..], record.hex("digest_hex"), "{}", record.name());
    }
}

fn fsverity_record(record: &Record, new: fn(usize, &[u8]) -> Result<FsVerity, Error>) {
    let (data, salt) = (record.message(), record.hex("salt_hex"));
    let format = new(record.number("block_size"), &salt).unwrap();
    let Ok(file) = format.digest(&data);
    assert_eq!(file[..], record.hex("file_digest_hex"), "{}", record.name());
    let Ok(root) = format.root_only().digest(&data);
    assert_eq!(root[..], record.hex("root_hash_hex"), "{}", record.name());
}

#[test]
fn fsverity() {
    for record in corpus("fsverity") {
        match record.text("hash") {
            "sha256" => fsverity_record(&record, FsVerity::sha256),
            "sha512" => fsverity_record(&record, FsVerity::sha512),
            other => panic!("{}: {other}", record.name()),
        }
    }
}

fn dmverity_record<H: MultiDigest<Backend = Backend>>(record: &Record) {
    let data = record.message();
    let (data_block, hash_block) =
        (record.number("data_block_size"), record.number("hash_block_size"));
    let version = if record.number::<u8>("format") == 0 { Version::V0 } else { Version::V1 };
    let salt = record.hex("salt_hex");
    let format = DmVerity::with_blocks::<H>(data_block, hash_block, &salt).unwrap();
    let root = format.version(version).digest(&data).unwrap().root;
    assert_eq!(root[..], record.hex("root_hash_hex"), "{}", record.name());
}

#[test]
fn dmverity() {
    for record in corpus("dmverity") {
        match record.text("hash") {
            "sha1" => dmverity_record::<jlanes::Sha1>(&record),
            "sha256" => dmverity_record::<Sha256>(&record),
            "sha512" => dmverity_record::<jlanes::Sha512>(&record),
            other => panic!("{}: {other}", record.name()),
        }
    }
}

#[test]
fn rfc6962() {
    for record in corpus("rfc6962") {
        let leaves = if record.has("leaves_hex") {
            record.hexes("leaves_hex")
        } else {
            let (data, leaf) = (record.message(), record.number("leaf_size"));
            let Ok(root) = Rfc6962::chunks::<Sha256>(leaf).unwrap().digest(&data);
            assert_eq!(root[..], record.hex("root_hex"), "{}", record.name());
            data.chunks(leaf).map(<[u8]>::to_vec).collect()
        };
        let mut tree = Tree::new(Rfc6962::entries::<Sha256>());
        tree.extend(&leaves.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
        let Ok(root) = tree.digest();
        assert_eq!(root[..], record.hex("root_hex"), "{}", record.name());
        if record.has("inclusion") {
            inclusion(&record.record("inclusion"), &tree, &leaves);
        }
        if record.has("consistency") {
            consistency(&record.record("consistency"), &tree, &leaves);
        }
    }
}

fn inclusion(record: &Record, tree: &Tree<Rfc6962>, leaves: &[Vec<u8>]) {
    let index: usize = record.number("index");
    let proof = tree.inclusion(index).unwrap();
    assert_eq!(hexes(&proof), record.hexes("path_hex"), "{}", record.name());
    let place = (index as u64, leaves.len() as u64);
    verify_inclusion::<Sha256>(&leaves[index], place, &proof, &tree.root().unwrap()).unwrap();
}

fn consistency(record: &Record, tree: &Tree<Rfc6962>, leaves: &[Vec<u8>]) {
    let size: usize = record.number("old_size");
    let proof = tree.consistency(size).unwrap();
    assert_eq!(hexes(&proof), record.hexes("path_hex"), "{}", record.name());
    let mut old = Tree::new(Rfc6962::entries::<Sha256>());
    old.extend(&leaves[..size].iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
    let (old, new) = (old.root().unwrap(), tree.root().unwrap());
    let sizes = (size as u64, leaves.len() as u64);
    verify_consistency::<Sha256>((sizes.0, &old), (sizes.1, &new), &proof).unwrap();
}

fn hexes<D: AsRef<[u8]>>(digests: &[D]) -> Vec<Vec<u8>> {
    digests.iter().map(|digest| digest.as_ref().to_vec()).collect()
}
