//! Many small files at once have the digests that they have alone.

use jlanes::{
    Backend, Digest, Sha256, Sha512,
    merkle::{Format, FsVerity, FsVerityAlgorithm},
    multi::MultiDigest,
};
use jlanes_core::engine::Engine;
use jlanes_testing::{backends, message};
use jlanes_tree::merkle::CompressionOf;

/// Lengths around blocks of 1024 bytes and around nodes of 16 and 32 digests, in no order.
const LENGTHS: [usize; 24] = [
    3000,
    0,
    1,
    1024,
    1023,
    40 << 10,
    1025,
    0,
    2048,
    2047,
    16 << 10,
    17 << 10,
    2049,
    32 << 10,
    (32 << 10) + 1,
    (32 << 10) - 1,
    33 << 10,
    5,
    (256 << 10) + 7,
    64 << 10,
    (1 << 20) + 1,
    0,
    100,
    1 << 20,
];

fn check<H>(block: usize, salt: &[u8])
where
    H: MultiDigest<Function: FsVerityAlgorithm> + Digest + Clone,
    Backend: Engine<CompressionOf<FsVerity<H>>>,
{
    let format = FsVerity::<H>::new(block, salt).unwrap();
    let files: Vec<_> = (0..).zip(LENGTHS).map(|(i, len)| message(i, len)).collect();
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let alone: Vec<_> = files.iter().map(|file| format.digest(file).unwrap()).collect();
    for backend in backends::<Backend>() {
        assert_eq!(format.digest_many_on(backend, &files), alone, "{backend}");
    }
    assert_eq!(format.digest_many(&files), alone);
    for n in [0, 1, 2, 5] {
        assert_eq!(format.digest_many(&files[..n]), alone[..n]);
    }
}

#[test]
fn files_hashed_together_have_their_own_digests() {
    for (block, salt) in [(1024, &b""[..]), (1024, b"salt"), (4096, b""), (65536, &[7; 32])] {
        check::<Sha256>(block, salt);
        check::<Sha512>(block, salt);
    }
}
