//! Published answers, and answers of other tools, that are in no corpus.

use hex_literal::hex;
use jlanes::{
    Sha1, Sha256, Sha512,
    merkle::{
        Apk, BitTorrent, Bitcoin, DmVerity, Dropbox, Format, FsVerity, Glacier, S3, Ssz, Version,
    },
};
use jlanes_testing::paint;

/// The pattern of fsverity-utils' own tests.
fn fsverity_pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 11 + i % 439 + i % 1103) as u8).collect()
}

#[test]
fn bittorrent_as_libtorrent() {
    let cases = [
        (16384, hex!("80092352dfdc4f96652b9d0cdf27bde1f79e60c15942f8e9ed69493be42efbab")),
        (16385, hex!("aed9593a8f4bd26964a2c3806c18d5c3325d1902a2fa015efa56ea8e47045189")),
        (100_000, hex!("a15fd5eb377b37f0e02aab9781921e0590d605cbacf055768d8ba0740411a17a")),
        (1_000_000, hex!("a3c50db2f195727de9ba5efd0bc03f780cc8b442edb409489619f8f0aba0984c")),
    ];
    for (len, root) in cases {
        assert_eq!(
            BitTorrent::default().digest(&fsverity_pattern(len)).unwrap().root,
            root,
            "{len}"
        );
    }
}

#[test]
fn glacier_as_boto() {
    let mib = 1 << 20;
    let cases = [
        (mib, hex!("9bc1b2a288b26af7257a36277ae3816a7d4f16e89c1e7e77d0a5c48bad62b360")),
        (2 * mib, hex!("560c2c9333c719cb00cfdffee3ba293db17f58743cdd1f7e4055373ae6300afa")),
        (4 * mib, hex!("9491cb2ed1d4e7cd53215f4017c23ec4ad21d7050a1e6bb636c4f67e8cddb844")),
        (4 * mib + 20, hex!("12f3cbd6101b981cde074039f6f728071da8879d6f632de8afc7cdf00661b08f")),
        (0, hex!("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")),
    ];
    for (len, hash) in cases {
        assert_eq!(Glacier.digest(&vec![b'a'; len]).unwrap(), hash, "{len}");
    }
    let hash = hex!("fc00012bda78bbf97d2c87e21071e983a7850fa25bc3c9c60888a34b45bd1059");
    assert_eq!(Glacier.digest(&paint(3_300_000, 0)).unwrap(), hash);
}

#[test]
fn s3_and_dropbox() {
    let object = vec![b'a'; 6 << 20];
    let checksum = S3::new(5 << 20).unwrap().digest(&object).unwrap();
    assert_eq!(checksum.to_string(), "6Us6cU7pvIDIATL1FN7LOs5cnwBpyXdaKnhpej9M2eo=-2");
    let sha1 = S3::of::<Sha1>(5 << 20).unwrap().digest(&object).unwrap();
    assert_eq!(sha1.to_string(), "v4O0nD9jfL4ejn6bBK1EB1xdHVo=-2");
    let sha512 = S3::of::<Sha512>(5 << 20).unwrap().digest(&object).unwrap();
    let expected = "JB+yQqYZyHe4QLzw84BEUxwV0Jh0FFXPWtoPnzUwOZ1NA/H5HTdHfO/+sE9hOYtHqqRklY/HoF9rxHkvKRAK6Q==-2";
    assert_eq!(sha512.to_string(), expected);
    let one = hex!("1406e05881e299367766d313e26c05564ec91bf721d31726bd6e46e60689539a");
    assert_eq!(Dropbox.digest(&paint(1, 0)).unwrap(), one);
    let three = hex!("c84ee1d6377d71687c1cfe37be0897c4e351df175ea677ca2c918736a9cfb476");
    assert_eq!(Dropbox.digest(&paint((8 << 20) + 1, 0)).unwrap(), three);
    let empty = hex!("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(Dropbox.digest(&[]).unwrap(), empty);
}

#[test]
fn apk_sections() {
    let sections = [paint((3 << 20) + 5, 0), paint(100, 0), paint(22, 0)];
    let digest = hex!("2c024e7a8e5d81e39780c8c813ab0f15173ef6ad9702cfab192f25b9d2836522");
    assert_eq!(*Apk::sha256().digest(&sections.each_ref().map(Vec::as_slice)), digest);
}

#[test]
fn fsverity_as_fsverity_utils() {
    let data = fsverity_pattern(1_000_000);
    let cases = [
        (1_000_000, hex!("48df0c462329cd879661bd05b39aa81b05cc16afd27a7196a559da83531d39d9")),
        (100_000, hex!("f2096a36c5cdca4fa33ee8852833150bb324992e5417a9d571f1bffff73b9efc")),
        (4096, hex!("6ac39979016e3ddf3d39fff6cb984f7c118acdf1852919f5c100c4b142c1818e")),
        (1, hex!("b803429503d95915829b29fdbc8bbad142f3abfd11b1cadf5526582e685c0551")),
        (0, hex!("3d248ca542a24fc62d1c43b916eae5016878e2533c88238480b26128a1f1af95")),
    ];
    let digest = |block, salt: &[u8], data: &[u8]| {
        let Ok(digest) = FsVerity::sha256(block, salt).unwrap().digest(data);
        digest
    };
    for (len, expected) in cases {
        assert_eq!(*digest(4096, b"", &data[..len]), expected, "{len}");
    }
    let salted = hex!("917900b0d299454aa304d5debc6f39e4af7b5abe33bdbc568d5d8f1e5c4d8652");
    assert_eq!(*digest(4096, b"abcd", &data), salted);
    let full = hex!("bc2d70324c048c220a2cb190832140863eb268e680427939e5d467bea5ec5ad9");
    let salt = b"0123456789:;<=>?@ABCDEFGHIJKLMNO";
    assert_eq!(*digest(4096, salt, &data), full);
    let small = hex!("e9df927c14fcb961d5f51c666d8ae4c14fe4ff98a374c733e898d00c9e74a8e3");
    assert_eq!(*digest(1024, b"", &data), small);
}

#[test]
fn dmverity_as_cryptsetup() {
    let zeros = vec![0; 8 << 20];
    let salt = hex!("e48da609055204e89ae53b655ca2216dd983cf3cb829f34f63a297d106d53e2d");
    let root = |block, salt: &[u8], version| {
        let format = DmVerity::new::<Sha256>(block, salt).unwrap().version(version);
        format.digest(&zeros).unwrap().root
    };
    let large = hex!("e522df0f97da4febb882ac40f30b37dc0b444bf6df418929463fa25280f09d5c");
    assert_eq!(*root(4096, &salt, Version::V1), large);
    let small = hex!("54d92778750495d1f80832b486ebd007617d746271511bbf0e295e143da2b3df");
    assert_eq!(*root(1024, &salt, Version::V1), small);
    let old = hex!("cbbf4ebd004ef65e29b935bb635a39cf754d677f3fa10b0126da725bbdf10f7d");
    assert_eq!(*root(4096, &salt, Version::V0), old);
    let unsalted = hex!("ef29c902d87350f1da4bfa536e16cebc162a909bf89abe448b81ec500d4fb9bf");
    assert_eq!(*root(4096, b"", Version::V1), unsalted);
}

#[test]
fn ssz_zero_subtree() {
    let depth_2 = hex!("db56114e00fdd4c1f85c892bf35ac9a89289aaecb1ebd0a96cde606a748b5d71");
    assert_eq!(Ssz::default().digest(&[0; 128]).unwrap(), depth_2);
    assert_eq!(Ssz::with_limit(4).digest(&[0; 32]).unwrap(), depth_2);
    assert_eq!(Ssz::with_limit(4).digest(&[]).unwrap(), depth_2);
}

#[test]
fn bitcoin_block_100000() {
    let ids = [
        hex!("8c14f0db3df150123e6f3dbbf30f8b955a8249b62ac1d1ff16284aefa3d06d87"),
        hex!("fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4"),
        hex!("6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4"),
        hex!("e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d"),
    ];
    let reversed = |mut id: [u8; 32]| {
        id.reverse();
        id
    };
    let root = Bitcoin.digest(ids.map(reversed).as_flattened()).unwrap().root;
    let printed = hex!("f3e94742aca4b5ef85488dc37c06c3282295ffec960994b2c0d5ac2a25a95766");
    assert_eq!(reversed(root.into()), printed);
}
