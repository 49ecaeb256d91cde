//! Functions with any output length.

use std::fmt::Debug;

use jlanes::{
    Backend,
    digest::{
        CollisionResistance, CustomizedInit, ExtendableOutput, ExtendableOutputReset, Reset,
        Update, XofReader,
        common::{AlgorithmName, hazmat::SerializableState},
        typenum::Unsigned,
    },
    multi::{MultiXof, Xofs},
    sha3::{CShake128, CShake256, CTurboShake128, CTurboShake256},
};
use jlanes_reference as reference;
use jlanes_testing::{algorithm_name, backends, message};

use crate::lengths;

macro_rules! hashers {
    ($($name:ident: $hasher:ty, $peer:ty, $reference:expr;)*) => {
        $(mod $name {
            use super::*;

            #[test]
            fn one_message() {
                one::<$hasher, $peer>($reference);
            }

            #[test]
            fn many_messages() {
                many::<$hasher>();
            }

            #[test]
            fn is_as_strong_as_the_peer() {
                let strength = <$hasher as CollisionResistance>::CollisionResistance::USIZE;
                assert_eq!(strength, <$peer as CollisionResistance>::CollisionResistance::USIZE);
            }
        })*
    };
}
hashers! {
    shake128: jlanes::Shake128, shake::Shake128, reference::shake128;
    shake256: jlanes::Shake256, shake::Shake256, reference::shake256;
    turboshake128: jlanes::TurboShake128, turboshake::TurboShake128,
        |data, out| reference::turboshake128(data, 0x1f, out);
    turboshake256: jlanes::TurboShake256, turboshake::TurboShake256,
        |data, out| reference::turboshake256(data, 0x1f, out);
    turboshake128_of_another_domain: CTurboShake128<0x7f>, turboshake::CTurboShake128<0x7f>,
        |data, out| reference::turboshake128(data, 0x7f, out);
    turboshake256_of_another_domain: CTurboShake256<0x01>, turboshake::CTurboShake256<0x01>,
        |data, out| reference::turboshake256(data, 0x01, out);
}

fn one<H, P>(reference: impl Fn(&[u8], &mut [u8]))
where
    H: ExtendableOutputReset + AlgorithmName + SerializableState + Default + Clone + Debug,
    P: ExtendableOutput + AlgorithmName + Default + Debug,
{
    assert_eq!(
        format!("{:?}", H::default()).split_once(' ').map(|(_, rest)| rest),
        Some("{ ... }")
    );
    assert_eq!(algorithm_name::<H>(), algorithm_name::<P>());
    let mut used = H::default();
    for len in lengths() {
        let data = message(len as u64, len);
        let mut expected = [0; 700];
        P::digest_xof(&data, &mut expected);
        let mut again = [0; 700];
        reference(&data, &mut again);
        assert_eq!(expected, again, "{len} bytes: the oracles differ");
        let mut whole = [0; 700];
        H::digest_xof(&data, &mut whole);
        assert_eq!(whole, expected, "{len} bytes");

        let (head, tail) = data.split_at(len * 3 / 7);
        used.update(head);
        let state = H::deserialize(&used.serialize()).expect("a state just written");
        used.update(tail);
        let mut reader = used.finalize_xof_reset();
        let mut pieces = [0; 700];
        let mut rest = pieces.as_mut_slice();
        for size in [0, 1, 7, 8, 136, 168, 150, 3, 169, 58] {
            let (piece, later) = rest.split_at_mut(size);
            reader.read(piece);
            rest = later;
        }
        assert!(rest.is_empty());
        assert_eq!(pieces, expected, "{len} bytes in pieces");
        let mut resumed = [0; 700];
        state.chain(tail).finalize_xof_into(&mut resumed);
        assert_eq!(resumed, expected, "{len} bytes, resumed");
        used.update(b"forgotten");
        Reset::reset(&mut used);
    }
}

/// Equal lengths and outputs, then any.
fn many<H>()
where
    H: MultiXof<Backend = Backend>,
{
    let text = message(2, 3000);
    let check = |backend: Option<Backend>, messages: &[&[u8]], sizes: &[usize]| {
        let mut filled: Vec<Vec<u8>> = sizes.iter().map(|size| vec![0xee; *size]).collect();
        let mut outs: Vec<&mut [u8]> = filled.iter_mut().map(Vec::as_mut_slice).collect();
        match backend {
            Some(backend) => Xofs::<H>::new().on(backend).fill(messages, &mut outs),
            None => Xofs::<H>::new().fill(messages, &mut outs),
        }
        for (i, filled) in filled.iter().enumerate() {
            let mut expected = vec![0; filled.len()];
            H::digest_xof(messages[i], &mut expected);
            assert_eq!(*filled, expected, "{backend:?}, message {i} of {}", messages.len());
        }
    };
    for backend in backends::<Backend>().into_iter().map(Some).chain([None]) {
        for len in [0, 1, 32, 135, 136, 137, 167, 168, 169, 500] {
            for size in [0, 1, 32, 136, 168, 169, 337, 672] {
                let count = [1, 2, 5, 8, 9, 17][(len + size) % 6];
                let messages: Vec<&[u8]> = (0..count).map(|i| &text[i..][..len]).collect();
                check(backend, &messages, &vec![size; count]);
            }
        }
        for seed in 0..20 {
            let random = message(seed, 100);
            let count = 1 + usize::from(random[99] % 33);
            let len = |i: usize| usize::from(random[i]) * usize::from(random[i + 1] % 8);
            let messages: Vec<&[u8]> = (0..count).map(|i| &text[i..][..len(i)]).collect();
            let sizes: Vec<usize> = (40..40 + count).map(len).collect();
            check(backend, &messages, &sizes);
        }
        check(backend, &[], &[]);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn all_cores_fill_the_same_outputs() {
    let text = message(4, 5000);
    for count in [0, 1, 9, 1000] {
        let messages: Vec<&[u8]> = (0..count).map(|i| &text[i..][..i % 300]).collect();
        let size = |i: usize| i * 7 % 2000;
        let filled = || -> Vec<Vec<u8>> { (0..count).map(|i| vec![0; size(i)]).collect() };
        let (mut one, mut all) = (filled(), filled());
        let mut outs: Vec<&mut [u8]> = one.iter_mut().map(Vec::as_mut_slice).collect();
        Xofs::<jlanes::Shake256>::new().fill(&messages, &mut outs);
        let mut outs: Vec<&mut [u8]> = all.iter_mut().map(Vec::as_mut_slice).collect();
        Xofs::<jlanes::Shake256>::new().parallel().fill(&messages, &mut outs);
        assert!(one == all, "{count} messages");
    }
}

#[test]
#[should_panic(expected = "as many outputs as messages")]
fn outputs_are_as_many_as_messages() {
    Xofs::<jlanes::Shake128>::new().fill(&[b"a"], &mut []);
}

/// cSHAKE with no strings, with one and with both, around the edges of the first block.
#[test]
fn cshake() {
    for len in [0, 1, 20, 150, 160, 161, 162, 163, 164, 165, 166, 167, 168, 400] {
        let strings = message(1, 2 * len);
        let (name, customization) = strings.split_at(len);
        for (name, customization) in [(name, customization), (&[], customization), (name, &[])] {
            for size in [0, 100, 1000] {
                let text = message(2, size);
                let mut out = [0; 400];
                let mut expected = [0; 400];
                reference::cshake128(&text, name, customization, &mut expected);
                let mut hasher = CShake128::new_with_function_name(name, customization);
                hasher.update(&text);
                hasher.clone().finalize_xof_into(&mut out);
                assert_eq!(out, expected, "cSHAKE128 with strings of {len} bytes");
                reference::cshake256(&text, name, customization, &mut expected);
                let mut hasher = CShake256::new_with_function_name(name, customization);
                hasher.update(&text);
                hasher.finalize_xof_into(&mut out);
                assert_eq!(out, expected, "cSHAKE256 with strings of {len} bytes");
            }
        }
        let (mut ours, mut theirs) = ([0; 99], [0; 99]);
        CShake128::new_customized(customization).finalize_xof_into(&mut ours);
        reference::cshake128(b"", b"", customization, &mut theirs);
        assert_eq!(ours, theirs);
    }
    assert_eq!(algorithm_name::<CShake128>(), "cSHAKE128");
}

/// FIPS 202's and RFC 9861's examples of empty messages.
#[test]
fn known_answers() {
    let mut out = [0; 16];
    jlanes::Shake128::digest_xof(b"", &mut out);
    assert_eq!(out, 0x7f9c2ba4e88f827d616045507605853e_u128.to_be_bytes());
    jlanes::Shake256::digest_xof(b"", &mut out);
    assert_eq!(out, 0x46b9dd2b0ba88d13233b3feb743eeb24_u128.to_be_bytes());
    jlanes::TurboShake128::digest_xof(b"", &mut out);
    assert_eq!(out, 0x1e415f1c5983aff2169217277d17bb53_u128.to_be_bytes());
}
