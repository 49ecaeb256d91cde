//! RustCrypto's crates at every length up to two blocks and a bit.

use digest::Digest;
use jlanes_core::reference as r;
use jlanes_testing::message;

/// Compares the digests of messages of all lengths up to two blocks of `block` bytes and a bit.
fn digests<D: Digest, const N: usize>(block: usize, reference: fn(&[u8]) -> [u8; N]) {
    for len in 0..=2 * block + 9 {
        let message = message(len as u64, len);
        assert_eq!(reference(&message)[..], D::digest(&message)[..], "{len} bytes");
    }
}

#[test]
fn fixed_lengths() {
    digests::<md5::Md5, 16>(64, r::md5);
    digests::<ripemd::Ripemd160, 20>(64, r::ripemd160);
    digests::<sm3::Sm3, 32>(64, r::sm3);
}
