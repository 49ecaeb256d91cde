//! Errors: parameters and inputs without a result in a format.

use jlanes::{
    Sha256,
    merkle::{BitTorrent, Bitcoin, DmVerity, Error, Format, FsVerity, Rfc6962, S3, Ssz},
    skein::Skein1024,
};

#[test]
fn block_sizes_are_powers_of_two_in_range() {
    for size in [0, 1, 512, 1000, 4097, 131_072, usize::MAX] {
        let error = Error::BlockSize { size, min: 1024, max: 65536 };
        assert_eq!(FsVerity::sha256(size, b"").unwrap_err(), error);
    }
    for size in [0, 256, 3 << 10, 1 << 20] {
        let error = Error::BlockSize { size, min: 512, max: 524_288 };
        assert_eq!(DmVerity::new::<Sha256>(size, b"").unwrap_err(), error);
        assert_eq!(DmVerity::with_blocks::<Sha256>(4096, size, b"").unwrap_err(), error);
    }
    for size in [0, 8 << 10, 17 << 10] {
        let error = Error::BlockSize { size, min: 16384, max: usize::MAX };
        assert_eq!(BitTorrent::with_pieces(size).unwrap_err(), error);
    }
    let error = FsVerity::sha256(1000, b"").unwrap_err();
    assert_eq!(error.to_string(), "block size 1000 is not a power of two between 1024 and 65536");
}

#[test]
fn salts_have_a_longest() {
    let error = Error::SaltTooLong { len: 33, max: 32 };
    assert_eq!(FsVerity::sha256(4096, &[0; 33]).unwrap_err(), error);
    assert_eq!(error.to_string(), "a salt of 33 bytes is too long; at most 32");
    let error = Error::SaltTooLong { len: 257, max: 256 };
    assert_eq!(DmVerity::new::<Sha256>(4096, &[0; 257]).unwrap_err(), error);
}

#[test]
fn empty_inputs_have_no_root() {
    assert_eq!(BitTorrent::default().digest(b""), Err(Error::Empty));
    assert_eq!(Bitcoin.digest(b""), Err(Error::Empty));
    assert_eq!(DmVerity::new::<Sha256>(4096, b"").unwrap().digest(b""), Err(Error::Empty));
    assert_eq!(Error::Empty.to_string(), "an empty input has no root");
}

#[test]
fn devices_and_lists_are_whole() {
    let error = Error::Partial { len: 5000, block: 4096 };
    assert_eq!(DmVerity::new::<Sha256>(4096, b"").unwrap().digest(&[0; 5000]), Err(error));
    assert_eq!(error.to_string(), "5000 bytes are not a whole number of blocks of 4096 bytes");
    assert_eq!(Bitcoin.digest(&[0; 33]), Err(Error::Partial { len: 33, block: 32 }));
}

#[test]
fn leaves_have_bytes_and_limits_hold() {
    assert_eq!(S3::new(0).unwrap_err(), Error::ZeroSize);
    assert_eq!(Rfc6962::chunks::<Sha256>(0).unwrap_err(), Error::ZeroSize);
    let error = Error::TooManyChunks { chunks: 3, limit: 2 };
    assert_eq!(Ssz::with_limit(2).digest(&[0; 65]), Err(error));
}

#[test]
fn a_hash_block_has_room_for_two_digests() {
    use digest::consts::{U256, U512, U1024};
    let error = Error::FanOut { node: 512, digest: 512 };
    assert_eq!(DmVerity::new::<Skein1024<U512>>(512, b"").unwrap_err(), error);
    assert_eq!(error.to_string(), "a node of 512 bytes has no room for two digests of 512 bytes");
    let error = Error::FanOut { node: 512, digest: 1024 };
    assert_eq!(DmVerity::new::<Skein1024<U1024>>(512, b"").unwrap_err(), error);
    assert!(DmVerity::new::<Skein1024<U256>>(512, b"").is_ok());
}
