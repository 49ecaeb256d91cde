//! Parameters of BLAKE2: keys, salts and personalizations, digests of any length, counters.

use crate::by_value;
use digest::{
    KeyInit, Mac as _,
    array::ArraySize,
    block_api::VariableOutputCoreCustomized,
    consts::{U16, U20, U32, U64},
    typenum::Unsigned,
};
use jlanes_core::{
    compression::Compression,
    function::Start,
    hashes::blake2::{
        Blake2, Blake2Word, Sequential, hasher::VarCore, mac::Mac, params, variable::Variable,
    },
    simd::portable::Portable,
};
use jlanes_reference as reference;
use jlanes_testing::{message, paint};

use crate::called::On;

type One = Portable<1>;

/// BLAKE2 by the reference.
trait Reference: Blake2Word {
    const HASH: fn(&reference::Blake2<'_>, &[u8], &mut [u8]);
    /// `F`.
    fn f(h: [Self; 8], m: [Self; 16], t: u128, last: bool) -> [Self; 8];
}

impl Reference for u32 {
    const HASH: fn(&reference::Blake2<'_>, &[u8], &mut [u8]) = reference::blake2s;

    fn f(h: [u32; 8], m: [u32; 16], t: u128, last: bool) -> [u32; 8] {
        reference::blake2s_compress(h, m, t as u64, last)
    }
}

impl Reference for u64 {
    const HASH: fn(&reference::Blake2<'_>, &[u8], &mut [u8]) = reference::blake2b;

    fn f(h: [u64; 8], m: [u64; 16], t: u128, last: bool) -> [u64; 8] {
        reference::blake2b_compress(h, m, t, last)
    }
}

fn expected<W: Reference>(
    size: usize,
    [key, salt, personalization]: [&[u8]; 3],
    message: &[u8],
) -> Vec<u8> {
    let mut out = vec![0; size];
    W::HASH(&reference::Blake2 { key, salt, personalization }, message, &mut out);
    out
}

#[test]
fn blake2b() {
    lengths::<u64>();
    parameters::<u64, U64>();
    parameters::<u64, U20>();
    counters::<u64, U64>();
}

#[test]
fn blake2s() {
    lengths::<u32>();
    parameters::<u32, U32>();
    parameters::<u32, U16>();
    counters::<u32, U32>();
}

/// Digests of every length, and none of others.
fn lengths<W: Reference>() {
    let (most, text) = (W::MaxSize::USIZE, message(60, 40 * W::BYTES));
    for size in 0..=most + 2 {
        let hasher = Variable::<W, One>::new(size);
        assert_eq!(hasher.is_ok(), 0 < size && size <= most, "{size} bytes");
        let Ok(mut hasher) = hasher else { continue };
        let expected = |text| expected::<W>(size, [&[]; 3], text);
        let mut out = vec![0; size];
        digest::Update::update(&mut hasher, &text);
        assert_eq!(hasher.output_size(), size);
        assert!(hasher.finalize_variable_reset(&mut vec![0; size + 1]).is_err());
        assert!(hasher.clone().finalize_variable(&mut out[1..]).is_err());
        hasher.finalize_variable_reset(&mut out).unwrap();
        assert_eq!(out, expected(&text), "{size} bytes");
        hasher.finalize_variable(&mut out).unwrap();
        assert_eq!(out, expected(b""), "{size} bytes after a reset");
    }
}

/// A hasher of a type that is not known.
#[test]
fn hashers_behind_pointers() {
    use digest::DynDigest;

    let variable = Variable::<u64, One>::new(20).unwrap();
    let digest = |text: &[u8]| expected::<u64>(20, [&[]; 3], text);
    let mut out = [0; 20];
    DynDigest::finalize_into(variable.clone(), &mut out).unwrap();
    assert_eq!(out[..], digest(b""));
    assert!(DynDigest::finalize_into(variable.clone(), &mut [0; 21]).is_err());
    let mut hasher: Box<dyn DynDigest> = Box::new(variable);
    hasher.update(b"something else");
    hasher.reset();
    hasher.update(b"abc");
    assert_eq!(hasher.output_size(), 20);
    assert!(hasher.finalize_into_reset(&mut [0; 19]).is_err());
    let copy = hasher.box_clone();
    for mut hasher in [hasher, copy] {
        hasher.finalize_into_reset(&mut out).unwrap();
        assert_eq!(out[..], digest(b"abc"));
        hasher.finalize_into_reset(&mut out).unwrap();
        assert_eq!(out[..], digest(b""));
    }
}

/// Keys, salts and personalizations of every kind of length, of one message and of many.
fn parameters<W: Reference, N: ArraySize>() {
    type Lanes = On<2>;
    let (size, most, word, block) =
        (N::USIZE, W::MaxSize::USIZE, W::BYTES, Blake2::<W>::BLOCK_BYTES);
    let text = message(61, 6 * block);
    let no = |key: Option<usize>, salt: usize, persona: usize| {
        let key = key.map(|len| paint(len, 1));
        let (salt, persona) = (paint(salt, 2), paint(persona, 3));
        let mac = Mac::<W, N, One>::new_with_salt_and_personal(key.as_deref(), &salt, &persona);
        let hasher = Variable::with_params(One::default(), size, key.as_deref(), &salt, &persona);
        let hasher: Result<Variable<W, One>, _> = hasher;
        mac.is_err() && hasher.is_err()
    };
    assert!(no(Some(0), 0, 0) && no(Some(most + 1), 0, 0));
    assert!(no(None, 2 * word + 1, 0) && no(Some(1), 0, 2 * word + 1));
    for size in [0, most + 1] {
        let hasher = Variable::<W, One>::with_params(One::default(), size, None, &[], &[]);
        assert!(hasher.is_err(), "{size} bytes");
    }
    let lens = [(None, 0, 0), (None, 1, 0), (Some(1), 0, word), (Some(most), 2 * word, 2 * word)];
    for (key, salt, persona) in lens.into_iter().chain([(Some(9), word + 1, 2 * word - 1)]) {
        let key = key.map(|len| paint(len, 4));
        let (salt, persona) = (paint(salt, 5), paint(persona, 6));
        let arguments = [key.as_deref().unwrap_or_default(), &salt, &persona];
        let new = Mac::<W, N, Lanes>::new_with_salt_and_personal;
        let fresh = new(key.as_deref(), &salt, &persona).unwrap();
        let hasher = Variable::<W, One>::with_params;
        for len in [0, 1, block - 1, block, block + 1, 3 * block] {
            let before = &text[..len];
            let tag = expected::<W>(size, arguments, before);
            let mut mac = fresh.clone();
            mac.update(before);
            let tagged = mac.clone();
            assert_eq!(mac.finalize_reset().into_bytes()[..], tag, "{len} bytes");
            mac.update(&text[..5]);
            mac.reset();
            mac.update(before);
            assert_eq!(mac.finalize().into_bytes()[..], tag, "{len} bytes after resets");
            let mut hasher = hasher(One::default(), size, key.as_deref(), &salt, &persona).unwrap();
            let mut out = vec![0; size];
            before.chunks(block / 2).for_each(|piece| digest::Update::update(&mut hasher, piece));
            hasher.finalize_variable(&mut out).unwrap();
            assert_eq!(out, tag, "{len} bytes");

            // every fourth message is empty
            let one = |i: usize| &text[i..][..i % 4 * (block / 2 + i)];
            let mut tags = vec![digest::array::Array::default(); 11];
            let messages: Vec<&[u8]> = (0..11).map(one).collect();
            tagged.tags(&messages, &mut tags);
            for (i, tag) in tags.iter().enumerate() {
                let whole = [before, one(i)].concat();
                assert_eq!(tag[..], expected::<W>(size, arguments, &whole), "{i} behind {len}");
            }
        }
    }
}

/// Counters go on where the lower word overflows.
fn counters<W: Reference, N: ArraySize>() {
    let (bits, block) = (8 * W::BYTES as u32, Blake2::<W>::BLOCK_BYTES);
    let text = message(62, 4 * block);
    for before in [0, (1_u128 << bits) - 2 * block as u128, (1 << bits) - block as u128, 1 << bits]
    {
        let mut start = params::start::<W>(N::USIZE, 0, &[], &[]).unwrap();
        (start[8], start[9]) = (W::truncate(before), W::truncate(before >> bits));
        let lens = [0, 1, block - 1, block, block + 1, 2 * block, 3 * block - 1];
        let mut out = vec![digest::array::Array::default(); lens.len()];
        let start_at = Start::<Sequential<W, N>>::at(start, 0);
        by_value::digest(On::<2>::default(), &start_at, |i| [&text[..lens[i]]], &mut out);
        for (len, digest) in lens.into_iter().zip(out) {
            let mut h = [W::default(); 8];
            h.copy_from_slice(&start[..8]);
            let blocks = len.div_ceil(block).max(1);
            for i in 0..blocks {
                let mut bytes = text[..len][i * block..].to_vec();
                bytes.resize(bytes.len().max(block), 0);
                let m = std::array::from_fn(|t| W::from_le(&bytes[t * W::BYTES..]));
                let t = before + len.min((i + 1) * block) as u128;
                h = W::f(h, m, t, i + 1 == blocks);
            }
            let mut whole = [0; 64];
            whole.chunks_mut(W::BYTES).zip(h).for_each(|(bytes, word)| word.write_le(bytes));
            assert_eq!(digest[..], whole[..N::USIZE], "{len} bytes behind {before}");
        }
    }
}

/// As RustCrypto's: of the type's length and of others, but not empty.
#[test]
fn keys_of_blake2() {
    assert!(Mac::<u32, U32, One>::new_from_slice(b"").is_err());
    for len in [1, 31, 32, 33] {
        let key = paint(len, 7);
        let ours = Mac::<u32, U32, One>::new_from_slice(&key);
        let theirs = blake2::Blake2sMac256::new_from_slice(&key);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "a key of {len} bytes");
        let (Ok(ours), Ok(theirs)) = (ours, theirs) else { continue };
        let tag = theirs.chain_update(b"abc").finalize().into_bytes();
        assert_eq!(ours.chain_update(b"abc").finalize().into_bytes(), tag);
    }
    let key = paint(64, 8);
    let ours = Mac::<u64, U64, One>::new(key[..].try_into().unwrap()).chain_update(b"abc");
    let tag = expected::<u64>(64, [&key, b"", b""], b"abc");
    assert_eq!(ours.finalize().into_bytes()[..], tag);
}

#[test]
#[should_panic(expected = "at most two words")]
fn personalizations_have_two_words() {
    let _ = VarCore::<u32, One>::new_customized(&[0; 9], 32);
}
