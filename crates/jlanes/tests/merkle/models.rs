//! Every format against its naive model.

use jlanes::{
    Sha256,
    merkle::{
        BitTorrent, BitTorrentV1, Bitcoin, DmVerity, Dropbox, Error, Format, FsVerity, Glacier,
        Rfc6962, S3, Ssz, Version,
    },
};
use jlanes_testing::{message, model::merkle as model};

/// Lengths around multiples of a unit, up to `most` units.
fn lengths(unit: usize, most: usize) -> impl Iterator<Item = usize> {
    let few = (0..most).flat_map(move |n| [n * unit, n * unit + 1, n * unit + unit / 2]);
    few.chain([most * unit - 1, most * unit])
}

#[test]
fn bittorrent_matches_its_model() {
    for len in lengths(16 << 10, 35).skip(1) {
        let data = message(1, len);
        assert_eq!(BitTorrent::default().digest(&data).unwrap().root, model::btv2(&data), "{len}");
    }
}

#[test]
fn pieces_of_bittorrent_v1_are_sha1_of_each() {
    use sha1::Digest;
    for piece in [1, 20, 64, 1000, 16 << 10, 1 << 20, (1 << 20) + 1] {
        for len in [0, 1, piece - 1, piece, piece + 1, 17 * piece + 3].map(|len| len.min(9 << 20)) {
            let data = message(10, len);
            let expected: Vec<_> = data
                .chunks(piece)
                .map(|piece| <[u8; 20]>::from(sha1::Sha1::digest(piece)))
                .collect();
            let format = BitTorrentV1::new(piece).unwrap();
            let Ok(found) = format.digest(&data);
            assert_eq!(found, expected, "{len} in {piece}");
            let mut hasher = format.hasher();
            data.chunks(70_001).for_each(|part| hasher.update(part));
            assert_eq!(hasher.finalize(), Ok(found.clone()), "{len} in {piece}, in parts");
            #[cfg(feature = "rayon")]
            assert_eq!(format.parallel().digest(&data), Ok(found), "{len} in {piece}");
        }
    }
    assert_eq!(BitTorrentV1::new(0).unwrap_err(), Error::ZeroSize);
}

#[test]
fn glacier_matches_its_model() {
    for len in lengths(1 << 20, 4).chain([(18 << 20) + 3, 37 << 20]) {
        let data = message(2, len);
        assert_eq!(Glacier.digest(&data).unwrap(), model::glacier(&data), "{len}");
    }
}

#[test]
fn lists_match_their_model() {
    for len in [0, 1, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, (17 << 20) + 5] {
        let data = message(3, len);
        assert_eq!(Dropbox.digest(&data).unwrap(), model::dropbox(&data), "{len}");
        for part in [1000, 1 << 20, 5 << 20] {
            let composite = S3::new(part).unwrap().digest(&data).unwrap();
            assert_eq!(*composite.digest, model::s3(&data, part), "{len} in {part}");
            assert_eq!(composite.parts, len.div_ceil(part).max(1) as u64);
        }
    }
}

#[cfg(feature = "md5")]
#[test]
fn entity_tags_are_md5_of_md5s() {
    use md5::Digest;
    let md5 = |data: &[u8]| <[u8; 16]>::from(md5::Md5::digest(data));
    for len in [0, 1, 999, 1000, 1001, 100_000, (17 << 20) + 5] {
        let data = message(3, len);
        for part in [1000, 1 << 20, 5 << 20] {
            let tag = jlanes::merkle::ETag::new(part).unwrap().digest(&data).unwrap();
            let parts: Vec<_> = data.chunks(part).map(md5).collect();
            let (digest, count) = match len <= part {
                true => (md5(&data), 1),
                false => (md5(parts.as_flattened()), parts.len()),
            };
            assert_eq!(
                (&tag.digest[..], tag.parts),
                (&digest[..], count as u64),
                "{len} in {part}"
            );
            let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            let printed = if count > 1 { format!("{hex}-{count}") } else { hex };
            assert_eq!(tag.to_string(), printed);
            let mut hasher = jlanes::merkle::ETag::new(part).unwrap().hasher();
            data.chunks(300_007).for_each(|piece| hasher.update(piece));
            assert_eq!(hasher.finalize(), Ok(tag), "{len} in {part}, in pieces");
        }
    }
}

#[test]
fn fsverity_matches_its_model() {
    for block in [1024, 4096] {
        for len in lengths(block, 40).chain([1_000_000, block * block / 32 + 1]) {
            let data = message(4, len);
            for salt in [&b""[..], b"abcd", &[7; 32]] {
                let Ok(digest) = FsVerity::sha256(block, salt).unwrap().digest(&data);
                assert_eq!(*digest, model::fsverity(&data, block, salt), "{len} in {block}");
            }
        }
    }
}

#[test]
fn dmverity_matches_its_model() {
    for version in [Version::V0, Version::V1] {
        for blocks in [1, 2, 15, 16, 17, 31, 32, 33, 300, 1100] {
            let data = message(5, blocks * 1024);
            for salt in [0, 1, 32, 63, 64, 65, 256] {
                let salt = message(6, salt);
                let format = DmVerity::new::<Sha256>(1024, &salt).unwrap();
                let format = format.version(version);
                let found = format.digest(&data).unwrap();
                let (root, tree) = model::dmverity(&data, 1024, &salt, version == Version::V1);
                assert_eq!(*found.root, root, "{blocks} blocks, salt of {}", salt.len());
                assert!(found.tree.is_empty());
                let found = format.with_tree().digest(&data).unwrap();
                assert_eq!((&found.root[..], found.tree), (&root[..], tree));
            }
        }
    }
}

#[test]
fn rfc6962_matches_its_model() {
    for leaf in [1, 31, 64, 1000] {
        for len in (0..40).chain([255, 256, 257, 1000, 5000, 20_000]) {
            let data = message(7, len);
            let leaves: Vec<_> = data.chunks(leaf).collect();
            let Ok(root) = Rfc6962::chunks::<Sha256>(leaf).unwrap().digest(&data);
            assert_eq!(*root, model::rfc6962(&leaves), "{len} in {leaf}");
        }
    }
}

#[test]
fn ssz_matches_its_model() {
    for len in lengths(32, 70).chain([32 * 1000, 32 * 9000]) {
        let data = message(8, len);
        assert_eq!(Ssz::default().digest(&data).unwrap(), model::ssz(&data, 0), "{len}");
        let chunks = len.div_ceil(32);
        for limit in [chunks, chunks + 1, 2 * chunks + 1, 1024] {
            let root = Ssz::with_limit(limit.max(chunks) as u64).digest(&data).unwrap();
            assert_eq!(root, model::ssz(&data, limit), "{len}, limit {limit}");
        }
    }
}

#[test]
fn bitcoin_matches_its_model() {
    for ids in (1..70).chain([1000, 9000]) {
        let data = message(9, ids * 32);
        assert_eq!(Bitcoin.digest(&data).unwrap().root, model::bitcoin(&data), "{ids} ids");
    }
}
