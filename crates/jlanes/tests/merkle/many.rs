//! Many small files at once have the digests that they have alone.

use jlanes::{
    Backend,
    merkle::{Format, FsVerity},
};
use jlanes_testing::{backends, message};

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

fn check(format: &FsVerity) {
    let files: Vec<_> = (0..).zip(LENGTHS).map(|(i, len)| message(i, len)).collect();
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let alone: Vec<_> = files.iter().map(|file| format.digest(file).unwrap()).collect();
    for backend in backends::<Backend>() {
        assert_eq!(format.digest_many_on(backend, &files), alone.concat(), "{backend}");
    }
    assert_eq!(format.digest_many(&files), alone.concat());
    for n in [0, 1, 2, 5] {
        assert_eq!(format.digest_many(&files[..n]), alone[..n].concat());
    }
}

#[test]
fn files_hashed_together_have_their_own_digests() {
    for (block, salt) in [(1024, &b""[..]), (1024, b"salt"), (4096, b""), (65536, &[7; 32])] {
        for new in [FsVerity::sha256, FsVerity::sha512] {
            let format = new(block, salt).unwrap();
            check(&format);
            check(&format.root_only());
        }
    }
}
