//! RustCrypto's crates at every length up to two blocks or rates and a bit.

use digest::{Digest, ExtendableOutput, Mac, XofReader};
use jlanes_reference as r;
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
    digests::<sha3::Sha3_224, 28>(144, r::sha3_224);
    digests::<sha3::Sha3_256, 32>(136, r::sha3_256);
    digests::<sha3::Sha3_384, 48>(104, r::sha3_384);
    digests::<sha3::Sha3_512, 64>(72, r::sha3_512);
    digests::<sha3::Keccak224, 28>(144, r::keccak224);
    digests::<sha3::Keccak256, 32>(136, r::keccak256);
    digests::<sha3::Keccak384, 48>(104, r::keccak384);
    digests::<sha3::Keccak512, 64>(72, r::keccak512);
    digests::<sha3::Keccak256Full, 200>(136, r::keccak256full);
}

macro_rules! plain {
    (() $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        #[test]
        fn plain_hashes() {
            $(digests::<$peer, _>(64, r::$name);)*
        }
    };
}
jlanes_testing::plain_hashes!(plain, ());

/// The first `len` bytes of the output of `hasher` after `message`.
fn read(mut hasher: impl ExtendableOutput, message: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    hasher.update(message);
    hasher.finalize_xof().read(&mut out);
    out
}

/// Compares outputs of 100 bytes of messages of all lengths up to two rates and a bit, and then
/// outputs of these lengths of one message.
fn outputs<X: ExtendableOutput>(
    rate: usize,
    new: impl Fn() -> X,
    reference: impl Fn(&[u8], &mut [u8]),
) {
    let compare = |message: &[u8], len: usize| {
        let mut out = vec![0; len];
        reference(message, &mut out);
        assert_eq!(out, read(new(), message, len), "{len} bytes of {} bytes", message.len());
    };
    for len in 0..=2 * rate + 9 {
        compare(&message(len as u64, len), 100);
        compare(b"jlanes", len);
    }
}

#[test]
fn shake() {
    outputs(168, shake::Shake128::default, r::shake128);
    outputs(136, shake::Shake256::default, r::shake256);
}

#[test]
fn cshake() {
    for (name, customization) in [("", ""), ("N", ""), ("", "S"), ("KMAC", "My application")] {
        let (n, s) = (name.as_bytes(), customization.as_bytes());
        let new = || cshake::CShake128::new_with_function_name(n, s);
        outputs(168, new, |message, out| r::cshake128(message, n, s, out));
        let new = || cshake::CShake256::new_with_function_name(n, s);
        outputs(136, new, |message, out| r::cshake256(message, n, s, out));
    }
}

/// The header, of encoded strings and zeros, fills whole rates, or falls short by a byte.
#[test]
fn cshake_headers() {
    for len in 0..=2 * 168 + 9 {
        let s = message(1, len);
        let mut out = [0; 32];
        r::cshake128(b"jlanes", b"", &s, &mut out);
        let new = cshake::CShake128::new_with_function_name(b"", &s);
        assert_eq!(out[..], read(new, b"jlanes", 32), "{len} bytes");
        r::cshake256(b"jlanes", b"name", &s, &mut out);
        let new = cshake::CShake256::new_with_function_name(b"name", &s);
        assert_eq!(out[..], read(new, b"jlanes", 32), "{len} bytes");
    }
}

#[test]
fn turboshake() {
    use ::turboshake::{CTurboShake128, CTurboShake256};

    fn domain<const D: u8>() {
        outputs(168, CTurboShake128::<D>::default, |m, out| r::turboshake128(m, D, out));
        outputs(136, CTurboShake256::<D>::default, |m, out| r::turboshake256(m, D, out));
    }

    domain::<0x01>();
    domain::<0x06>();
    domain::<0x07>();
    domain::<0x0b>();
    domain::<0x1f>();
    domain::<0x7f>();
}

#[test]
fn kangarootwelve_of_one_chunk() {
    outputs(168, k12::Kt128::default, |m, out| r::kt128(m, b"", out));
    outputs(136, k12::Kt256::default, |m, out| r::kt256(m, b"", out));
}

/// The message and the customization together end near the end of a chunk, so that the customization's
/// encoded length, of one to three bytes, lies before it, across it or after it.
#[test]
fn kangarootwelve_of_several_chunks() {
    for chunks in [1_usize, 2, 3, 9] {
        for customization in [0, 1, 255, 256, 8183] {
            for end in chunks * 8192 - 9..=chunks * 8192 + 9 {
                let (m, c) = (message(7, end - customization), paint(customization, 3));
                let mut out = [0; 64];
                r::kt128(&m, &c, &mut out);
                let new = k12::CustomRefKt128::new_customized(&c);
                assert_eq!(out[..], read(new, &m, 64), "{} and {} bytes", m.len(), c.len());
                r::kt256(&m, &c, &mut out);
                let new = k12::CustomRefKt256::new_customized(&c);
                assert_eq!(out[..], read(new, &m, 64), "{} and {} bytes", m.len(), c.len());
            }
        }
    }
}

#[test]
fn permutations() {
    let words = message(5, 200);
    let mut state = core::array::from_fn(|i| u64::from_le_bytes(words.as_chunks().0[i]));
    let mut expected = state;
    r::keccak_f1600(&mut state);
    keccak::Keccak::new().with_f1600(|f| f(&mut expected));
    assert_eq!(state, expected);
    r::keccak_p1600(&mut state, 12);
    keccak::Keccak::new().with_p1600::<12>(|p| p(&mut expected));
    assert_eq!(state, expected);
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
