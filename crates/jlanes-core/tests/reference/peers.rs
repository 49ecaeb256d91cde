//! RustCrypto's crates at every length up to two blocks and a bit.

use digest::{Digest, Mac};
use jlanes_core::reference as r;
use jlanes_testing::{message, paint};

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

/// BLAKE2 with parameters, of one length of digest.
macro_rules! blake2 {
    ($name:ident, $reference:ident, $mac:ident, $block:expr, $($size:ident: $bytes:expr),*) => {
        #[test]
        fn $name() {$({
            type Peer = blake2::$mac<digest::consts::$size>;
            let compare = |key: &[u8], salt: &[u8], personalization: &[u8], m: &[u8]| {
                let mut out = [0; $bytes];
                r::$reference(&r::Blake2 { key, salt, personalization }, m, &mut out);
                let key = (!key.is_empty()).then_some(key);
                let mut peer = Peer::new_with_salt_and_personal(key, salt, personalization)
                    .expect("lengths that BLAKE2 allows");
                Mac::update(&mut peer, m);
                let tag = peer.finalize().into_bytes();
                assert_eq!(out[..], tag[..], "{key:?} {salt:?} {personalization:?} {}", m.len());
            };
            let (most, word) = ($block / 2, $block / 16);
            for len in 0..=2 * $block + 9 {
                let m = message(len as u64, len);
                compare(b"", b"", b"", &m);
                compare(b"k", b"", b"", &m);
                compare(&paint(most, 1), &paint(2 * word, 2), &paint(2 * word, 3), &m);
            }
            for len in 0..=most {
                compare(&paint(len, 1), b"", b"", b"");
                compare(&paint(len, 1), b"", b"", b"jlanes");
            }
            for len in 0..=2 * word {
                compare(b"", &paint(len, 2), b"", b"jlanes");
                compare(b"", b"", &paint(len, 2), b"jlanes");
            }
        })*}
    };
}

blake2!(blake2b, blake2b, Blake2bMac, 128, U1: 1, U20: 20, U32: 32, U48: 48, U63: 63, U64: 64);
blake2!(blake2s, blake2s, Blake2sMac, 64, U1: 1, U16: 16, U20: 20, U31: 31, U32: 32);
