//! Parameters and inputs that a format does not have.

use jlanes::{
    Sha256,
    merkle::{self, BitTorrent, DmVerity, Error, FsVerity},
    skein::Skein1024,
};

#[test]
fn block_sizes_are_powers_of_two_in_range() {
    for size in [0, 1, 512, 1000, 4097, 131_072, usize::MAX] {
        let error = Error::BlockSize { size, min: 1024, max: 65536 };
        assert_eq!(FsVerity::<Sha256>::new(size, b"").unwrap_err(), error);
    }
    for size in [0, 256, 3 << 10, 1 << 20] {
        let error = Error::BlockSize { size, min: 512, max: 524_288 };
        assert_eq!(DmVerity::<Sha256>::new(size, b"").unwrap_err(), error);
        assert_eq!(DmVerity::<Sha256>::with_blocks(4096, size, b"").unwrap_err(), error);
    }
    for size in [0, 8 << 10, 17 << 10] {
        let error = Error::BlockSize { size, min: 16384, max: usize::MAX };
        assert_eq!(BitTorrent::with_pieces(size).unwrap_err(), error);
    }
    let error = FsVerity::<Sha256>::new(1000, b"").unwrap_err();
    assert_eq!(error.to_string(), "block size 1000 is not a power of two between 1024 and 65536");
}

#[test]
fn salts_have_a_longest() {
    let error = Error::SaltTooLong { len: 33, max: 32 };
    assert_eq!(merkle::fsverity::<Sha256>(b"", 4096, &[0; 33]), Err(error));
    assert_eq!(error.to_string(), "a salt of 33 bytes is too long; at most 32");
    let error = Error::SaltTooLong { len: 257, max: 256 };
    assert_eq!(merkle::dmverity::<Sha256>(&[0; 4096], 4096, &[0; 257]), Err(error));
}

#[test]
fn empty_inputs_have_no_root() {
    assert_eq!(merkle::btv2(b""), Err(Error::Empty));
    assert_eq!(merkle::bitcoin(b""), Err(Error::Empty));
    assert_eq!(merkle::dmverity::<Sha256>(b"", 4096, b""), Err(Error::Empty));
    assert_eq!(Error::Empty.to_string(), "an empty input has no root");
}

#[test]
fn devices_and_lists_are_whole() {
    let error = Error::Partial { len: 5000, block: 4096 };
    assert_eq!(merkle::dmverity::<Sha256>(&[0; 5000], 4096, b""), Err(error));
    assert_eq!(error.to_string(), "5000 bytes are not a whole number of blocks of 4096 bytes");
    assert_eq!(merkle::bitcoin(&[0; 33]), Err(Error::Partial { len: 33, block: 32 }));
}

#[test]
fn leaves_have_bytes_and_limits_hold() {
    assert_eq!(merkle::s3_composite(b"x", 0), Err(Error::ZeroSize));
    assert_eq!(merkle::rfc6962::<Sha256>(b"x", 0), Err(Error::ZeroSize));
    let error = Error::TooManyChunks { chunks: 3, limit: 2 };
    assert_eq!(merkle::ssz(&[0; 65], Some(2)), Err(error));
}

#[test]
fn a_hash_block_has_room_for_two_digests() {
    use digest::consts::{U256, U512, U1024};
    let error = Error::FanOut { node: 512, digest: 512 };
    assert_eq!(merkle::dmverity::<Skein1024<U512>>(&[0; 1024], 512, b""), Err(error));
    assert_eq!(error.to_string(), "a node of 512 bytes has no room for two digests of 512 bytes");
    let error = Error::FanOut { node: 512, digest: 1024 };
    assert_eq!(merkle::dmverity::<Skein1024<U1024>>(&[0; 1024], 512, b""), Err(error));
    assert!(merkle::dmverity::<Skein1024<U256>>(&[0; 1024], 512, b"").is_ok());
}
