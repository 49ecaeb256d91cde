//! Tests of BLAKE2's hashers against RustCrypto's and known answers.

use jlanes::{
    Backend, Blake2b, Blake2b512, Blake2bVar, Blake2s, Blake2s256, Blake2sVar, Digest,
    digest::{
        CustomizedInit, FixedOutput, FixedOutputReset, Reset, Update,
        array::ArraySize,
        consts::{U1, U20, U31, U32, U48, U64},
        typenum::{IsLessOrEqual, True},
    },
};
use jlanes_core::{
    hashes::blake2::{Blake2, Blake2Word, variable::Variable},
    kernel::HasKernels,
};
use jlanes_reference as r;
use jlanes_testing::{algorithm_name, backends, corpus, message, paint};
use proptest::prelude::*;

/// `H` and its peer `P` agree, in one piece and in two.
fn linear_matches<H, P>()
where
    H: Digest,
    P: Digest<OutputSize = H::OutputSize>,
{
    for len in 0..400 {
        let data = paint(len, len);
        let digest = P::digest(&data);
        assert_eq!(H::digest(&data), digest, "{len} bytes");
        let (left, right) = data.split_at(len * 2 / 3);
        let hasher = H::new_with_prefix(left).chain_update(right);
        assert_eq!(hasher.finalize(), digest, "{len} bytes in pieces");
    }
}

#[test]
fn hashers_match_the_crate_blake2() {
    linear_matches::<Blake2b<U1>, blake2::Blake2b<U1>>();
    linear_matches::<Blake2b<U20>, blake2::Blake2b<U20>>();
    linear_matches::<Blake2b<U48>, blake2::Blake2b<U48>>();
    linear_matches::<Blake2b512, blake2::Blake2b512>();
    linear_matches::<Blake2s<U1>, blake2::Blake2s<U1>>();
    linear_matches::<Blake2s<U31>, blake2::Blake2s<U31>>();
    linear_matches::<Blake2s256, blake2::Blake2s256>();
}

/// A customization, and what a reset makes of it.
fn customized<H, P>(sizes: usize)
where
    H: CustomizedInit + Update + FixedOutputReset,
    P: CustomizedInit + Update + FixedOutputReset<OutputSize = H::OutputSize>,
{
    for size in 0..=sizes {
        let (persona, data) = (message(1, size), message(2, 10 * size));
        let (mut hasher, mut peer) = (H::new_customized(&persona), P::new_customized(&persona));
        for _ in 0..2 {
            hasher.update(&data);
            peer.update(&data);
            assert_eq!(hasher.finalize_fixed_reset(), peer.finalize_fixed_reset(), "{size} bytes");
        }
    }
}

#[test]
fn customizations_match_the_crate_blake2() {
    customized::<Blake2b512, blake2::Blake2b512>(16);
    customized::<Blake2b<U20>, blake2::Blake2b<U20>>(16);
    customized::<Blake2s256, blake2::Blake2s256>(8);
}

#[test]
#[should_panic(expected = "personalization")]
fn a_customization_of_three_words_panics() {
    let _ = Blake2s256::new_customized(&[0; 9]);
}

#[test]
fn names_match_the_crate_blake2() {
    assert_eq!(algorithm_name::<Blake2b512>(), algorithm_name::<blake2::Blake2b512>());
    assert_eq!(algorithm_name::<Blake2s256>(), algorithm_name::<blake2::Blake2s256>());
    let mut hasher = Blake2b512::new();
    Update::update(&mut hasher, b"secret");
    assert_eq!(format!("{hasher:?}"), format!("{:?}", blake2::Blake2b512::new()));
    Reset::reset(&mut hasher);
    assert_eq!(hasher.finalize_fixed(), Blake2b512::digest(b""));
}

/// Every record of a corpus, on every backend and in pieces.
fn known_answers<W: Blake2Word>(name: &str)
where
    Backend: HasKernels<Blake2<W>>,
{
    let mut keyed = 0;
    for record in corpus(name) {
        let [key, salt, persona] = ["key", "salt", "personal"].map(|n| record.input(n));
        keyed += usize::from(!key.is_empty());
        let (key, size) = ((!key.is_empty()).then_some(&key[..]), record.number("out_len"));
        let text = record.message();
        for backend in backends::<Backend>() {
            let hasher = Variable::<W, _>::with_params(backend, size, key, &salt, &persona);
            let mut hasher = hasher.expect("BLAKE2's lengths");
            let mut out = vec![0; size];
            for piece in [text.len() + 1, 1 + text.len() / 3] {
                text.chunks(piece).for_each(|chunk| hasher.update(chunk));
                hasher.finalize_variable_reset(&mut out).expect("a digest of that size");
                record.assert_output(&out);
            }
        }
    }
    assert!(keyed > 0);
}

#[test]
fn digests_are_known() {
    known_answers::<u64>("blake2b");
    known_answers::<u32>("blake2s");
}

#[test]
fn every_size_matches_the_reference() {
    let text = message(5, 300);
    for size in 0..=64 {
        let Ok(hasher) = Blake2bVar::new(size) else {
            assert_eq!(size, 0);
            continue;
        };
        let (mut ours, mut expected) = (vec![0; size], vec![0; size]);
        let hasher = digest_chain(hasher, &text);
        assert!(hasher.clone().finalize_variable(&mut [0; 65]).is_err());
        hasher.finalize_variable(&mut ours).expect("a digest of that size");
        r::blake2b(&r::Blake2::default(), &text, &mut expected);
        assert_eq!(ours, expected, "{size} bytes");
        if let Ok(hasher) = Blake2sVar::new(size) {
            let hasher = digest_chain(hasher, &text);
            hasher.finalize_variable(&mut ours).expect("a digest of that size");
            r::blake2s(&r::Blake2::default(), &text, &mut expected);
            assert_eq!(ours, expected, "{size} bytes");
        } else {
            assert!(size > 32);
        }
    }
    assert!(Blake2bVar::new(65).is_err());
}

fn digest_chain<H: Update>(mut hasher: H, data: &[u8]) -> H {
    hasher.update(data);
    hasher
}

/// The counter carries from its lower word to its upper one: after `before` bytes,
/// with any hash.
fn counter_carries<W: Blake2Word>(compress: impl Fn([W; 8], &[u8], u128, bool) -> [W; 8])
where
    Backend: HasKernels<Blake2<W>>,
{
    use digest::array::Array;
    use jlanes_core::{
        function::{Function, Start},
        hashes::blake2::Sequential,
    };
    let (block, word) = (16 * W::BYTES, 8 * W::BYTES as u32);
    let text = message(6, 5 * block);
    for blocks_before_carry in 0..4 {
        let before = (3_u128 << word) - (blocks_before_carry * block) as u128;
        let mut start = [W::default(); 11];
        start[..8].copy_from_slice(&W::IV);
        (start[8], start[9]) = (W::truncate(before), W::truncate(before >> word));
        let lens =
            [0, 1, block - 1, block, block + 1, 2 * block, 3 * block - 1, 4 * block, 5 * block];
        let expected = lens.map(|len| {
            let mut h = W::IV;
            let mut at = 0;
            while at + block < len {
                at += block;
                h = compress(h, &text[at - block..at], before + at as u128, false);
            }
            let mut last = text[at..len].to_vec();
            last.resize(block, 0);
            compress(h, &last, before + len as u128, true)
        });
        for backend in backends::<Backend>() {
            // one of each length, and as many of one length as fill the lanes
            let digest = |count: usize, len: &(dyn Fn(usize) -> usize + Sync)| {
                let mut out = vec![Array::<u8, U32>::default(); count];
                let start = Start::<Sequential<W, U32>>::at(start, before);
                let function = Function::new(&start, backend);
                let bytes = Array::slice_as_flattened_mut(&mut out);
                function.digest_with(&[], |i| [&text[..len(i)]], bytes);
                out
            };
            let digests = digest(lens.len(), &|i| lens[i]);
            for (i, expected) in expected.iter().enumerate() {
                let mut bytes = vec![0; 8 * W::BYTES];
                for (bytes, word) in bytes.chunks_mut(W::BYTES).zip(expected) {
                    word.write_le(bytes);
                }
                assert_eq!(digests[i][..], bytes[..32], "{backend}, {} bytes", lens[i]);
                for out in digest(17, &|_| lens[i]) {
                    assert_eq!(out[..], bytes[..32], "{backend}, {} bytes", lens[i]);
                }
            }
        }
    }
}

fn words<W: Blake2Word>(bytes: &[u8]) -> [W; 16] {
    core::array::from_fn(|i| W::from_le(&bytes[i * W::BYTES..]))
}

#[test]
fn counters_carry() {
    counter_carries::<u32>(|h, m, t, last| r::blake2s_compress(h, words(m), t as u64, last));
    counter_carries::<u64>(|h, m, t, last| r::blake2b_compress(h, words(m), t, last));
}

/// Sizes are types, so that this compiles at all.
#[test]
fn generic_sizes_compile() {
    fn size<N>() -> usize
    where
        N: ArraySize + IsLessOrEqual<U64, Output = True>,
    {
        Blake2b::<N>::output_size()
    }
    assert_eq!(size::<U20>(), 20);
}

proptest! {
    #[test]
    fn any_chunks_give_the_same_digest(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..8),
    ) {
        let mut hasher = Blake2s256::new();
        for chunk in &chunks {
            Digest::update(&mut hasher, chunk);
        }
        let whole = blake2::Blake2s256::digest(chunks.concat());
        prop_assert_eq!(hasher.clone().finalize(), whole);
        prop_assert_eq!(hasher.finalize_reset(), whole);
        prop_assert_eq!(hasher.finalize(), Blake2s256::digest(b""));
    }
}
