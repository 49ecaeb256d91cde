//! Functions with any output length: read in any pieces, of one message or of many.

use digest::{
    CustomizedInit, ExtendableOutput, ExtendableOutputReset, Reset, XofReader,
    block_api::{AlgorithmName, BlockSizeUser},
    common::hazmat::SerializableState,
    typenum::Unsigned,
};
use jlanes_core::{
    compression::Compression,
    function::XofOnKernels,
    hashes::keccak::{
        cshake::{CShake, Customizable, left_encode, right_encode},
        functions::{CShake128, CShake256, Shake128, Shake256, TurboShake128, TurboShake256},
        hasher::Hasher,
    },
    kernel::HasKernels,
    lanes::outputs::{Outputs as _, Slices},
    simd::portable::Portable,
};
use jlanes_reference as reference;
use jlanes_testing::{algorithm_name, message, paint};

use crate::{
    called::On,
    hashers::{lengths, positions_behind_the_block_are_refused},
};

type One = Portable<1>;

macro_rules! every_function {
    ($($test:ident: $function:ty, $peer:ty;)*) => {$(
        #[test]
        fn $test() {
            outputs::<Hasher<$function, One>, $peer>();
            outputs_side_by_side::<$function, $peer>();
            outputs_that_continue::<$function, $peer>();
        }
    )*};
}
every_function! {
    shake128: Shake128, shake::Shake128;
    shake256: Shake256, shake::Shake256;
    turboshake128: TurboShake128, turboshake::TurboShake128;
    turboshake256: TurboShake256, turboshake::TurboShake256;
    turboshake128_of_a_domain: TurboShake128<0x7f>, turboshake::CTurboShake128<0x7f>;
    turboshake256_of_a_domain: TurboShake256<0x01>, turboshake::CTurboShake256<0x01>;
}

/// The first `len` bytes of what a hasher gives of a message.
fn output(mut hasher: impl ExtendableOutput, message: &[u8], len: usize) -> Vec<u8> {
    hasher.update(message);
    let mut out = vec![0; len];
    hasher.finalize_xof().read(&mut out);
    out
}

/// The output of `reader` in portions, each read by a clone of the reader.
fn portions<R: XofReader + Clone>(mut reader: R, portion: usize, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    for part in out.chunks_mut(portion) {
        reader.read(part);
        reader = reader.clone();
    }
    out
}

/// Checks outputs and their pieces.
fn check<A>(hasher: A, text: &[u8], expected: &[u8])
where
    A: ExtendableOutput<Reader: Clone> + Clone,
{
    let block = expected.len() / 4;
    for portion in lengths(block).1 {
        let mut hasher = hasher.clone();
        for piece in text.chunks(portion) {
            hasher.update(piece);
            hasher = hasher.clone();
        }
        let found = portions(hasher.finalize_xof(), portion, expected.len());
        assert_eq!(found, expected, "{} bytes, {portion} at a time", text.len());
    }
}

fn outputs<A, B>()
where
    A: ExtendableOutputReset<Reader: Clone> + Reset + Clone + Default,
    A: BlockSizeUser + AlgorithmName + SerializableState,
    B: ExtendableOutput + Default + AlgorithmName,
{
    assert_eq!(algorithm_name::<A>(), algorithm_name::<B>());
    let block = A::BlockSize::USIZE;
    let text = message(24, 5 * block);
    for len in lengths(block).0 {
        let (first, rest) = text.split_at(len);
        check(A::default(), first, &output(B::default(), first, 4 * block));

        let mut hasher = A::default();
        hasher.update(first);
        let state = A::deserialize(&hasher.serialize()).unwrap();
        assert_eq!(output(state, rest, 99), output(B::default(), &text, 99), "{len} bytes");
        let expected = output(B::default(), first, 99);
        assert_eq!(portions(hasher.finalize_xof_reset(), 50, 99), expected);
        hasher.update(rest);
        hasher.reset();
        assert_eq!(output(hasher, first, 99), expected, "after two resets");
    }
    positions_behind_the_block_are_refused::<A>();
}

fn outputs_side_by_side<H, B: ExtendableOutput + Default>()
where
    H: jlanes_core::hashes::keccak::Extendable,
    Hasher<H, On<4>>: XofOnKernels<Backend = On<4>>,
{
    let text = message(25, 1200);
    let backend = <Hasher<H, On<4>> as XofOnKernels>::backend();
    // lengths of messages and of outputs, of which some are alike and some are not
    type Lens = fn(usize) -> usize;
    let lens: [(Lens, Lens); 5] = [
        (|_| 200, |_| 32),
        (|i| i * i * 61 % 599, |i| 400 - 10 * i),
        (|i| i * 168 % 500, |i| i * 97 % 600),
        (|i| i % 2 * 300, |i| 168 * (i % 3)),
        (|_| 136, |i| 8 * i),
    ];
    let block = H::Compression::BLOCK_BYTES;
    let blocks = <Hasher<H, On<4>> as XofOnKernels>::blocks;
    assert_eq!([blocks(0, 0), blocks(block, block - 1), blocks(1, 5 * block)], [1, 2, 6]);
    for count in [0, 1, 3, 8, 9, 30] {
        for (len, size) in lens {
            let one = |i: usize| &text[i..][..len(i)];
            let mut outs: Vec<_> = (0..count).map(|i| vec![0; size(i)]).collect();
            let mut slices: Vec<_> = outs.iter_mut().map(Vec::as_mut_slice).collect();
            <Hasher<H, On<4>> as XofOnKernels>::fill(backend, one, &mut slices);
            for (i, out) in outs.iter().enumerate() {
                assert_eq!(*out, output(B::default(), one(i), size(i)), "{i} of {count}");
            }
        }
    }
}

/// Outputs of messages, and of readers that have been read from, continue in any selection.
fn outputs_that_continue<H, B>()
where
    H: jlanes_core::hashes::keccak::Extendable,
    Hasher<H, On<4>>: XofOnKernels<Backend = On<4>, Compression = H::Compression>,
    Hasher<H, On<4>>: ExtendableOutput<Reader: Clone> + Default,
    B: ExtendableOutput + Default,
{
    let text = message(27, 1200);
    let kernels = HasKernels::<H::Compression>::kernels(&On::<4>::default());
    // equal and unequal lengths
    for (count, equal) in [(0, true), (1, true), (8, true), (21, true), (8, false), (21, false)] {
        let len = |i: usize| if equal { 170 } else { i * i * 61 % 599 };
        let any = |i: usize| &text[i..][..len(i)];
        let one = |i: usize| {
            assert!(i < count, "there are {count} messages");
            any(i)
        };
        let mut outputs = <Hasher<H, On<4>> as XofOnKernels>::Outputs::default();
        assert!(outputs.is_empty());
        <Hasher<H, On<4>> as XofOnKernels>::absorb(On::default(), one, count, &mut outputs);
        let mut streams: Vec<_> = (0..count).map(|i| output(B::default(), one(i), 9000)).collect();
        for at in [0, 5, 168 + 17] {
            let mut hasher = Hasher::<H, On<4>>::default();
            digest::Update::update(&mut hasher, any(at));
            let mut reader = hasher.finalize_xof();
            reader.read(&mut vec![0; at]);
            <Hasher<H, On<4>> as XofOnKernels>::push(&reader, &mut outputs);
            streams.push(output(B::default(), any(at), 9000).split_off(at));
        }
        assert_eq!((outputs.len(), outputs.is_empty()), (count + 3, false));
        let mut at = vec![0; streams.len()];
        for (round, size) in [0, 1, 3, 8, 50, 168, 136, 500, 7, 64].into_iter().enumerate() {
            let mut which: Vec<_> = (0..streams.len()).filter(|i| i % 4 != round % 4).collect();
            if round % 3 == 0 {
                which = (0..streams.len()).collect();
            }
            // whole groups of lanes, too
            match round {
                2 => which = (1..streams.len()).collect(),
                5 => which = (0..streams.len() - 1).collect(),
                8 => which.extend(which.last().map_or(0, |last| last + 1)..streams.len()),
                _ => {}
            }
            let some = (round != 0).then_some(&which[..]);
            let lens: Vec<_> = which.iter().map(|i| size + i % 3 * (round % 2)).collect();
            let mut outs: Vec<_> = lens.iter().map(|len| vec![0; *len]).collect();
            outputs.squeeze(&kernels, some, &mut Slices(&mut outs));
            for (i, out) in which.iter().zip(outs) {
                assert!(
                    out == streams[*i][at[*i]..][..out.len()],
                    "{i} of {count}, {round}, {which:?}"
                );
                at[*i] += out.len();
            }
        }
    }
}

/// cSHAKE with a name and a customization, by the reference.
type Reference = fn(&[u8], &[u8], &[u8], &mut [u8]);

fn customized<H: Customizable, B>(reference: Reference, theirs: fn(&[u8], &[u8]) -> B)
where
    CShake<H, One>: BlockSizeUser,
    B: ExtendableOutput + AlgorithmName,
{
    assert_eq!(algorithm_name::<CShake<H, One>>(), algorithm_name::<B>());
    let block = <CShake<H, One> as BlockSizeUser>::BlockSize::USIZE;
    let text = message(26, 5 * block);
    for len in lengths(block).0 {
        let text = &text[..len];
        // the last fills a block with what is before it
        for (name, custom) in [(0, 0), (4, 0), (0, 7), (4, 32), (9, 255), (0, block - 7)] {
            let (name, custom) = (&paint(name, 70), &paint(custom, 80));
            let mut expected = vec![0; 4 * block];
            reference(text, name, custom, &mut expected);
            assert_eq!(output(theirs(name, custom), text, 4 * block), expected);
            let hasher = CShake::<H, One>::new_with_function_name(name, custom);
            check(hasher, text, &expected);
        }
        let custom = CShake::<H, One>::new_customized(b"custom");
        assert_eq!(output(custom, text, 70), output(theirs(b"", b"custom"), text, 70));
        let plain = CShake::<H, One>::default();
        assert_eq!(output(plain, text, 70), output(theirs(b"", b""), text, 70));
    }
}

#[test]
fn cshake128() {
    customized::<CShake128, _>(reference::cshake128, cshake::CShake128::new_with_function_name);
}

#[test]
fn cshake256() {
    customized::<CShake256, _>(reference::cshake256, cshake::CShake256::new_with_function_name);
}

#[test]
fn numbers_are_encoded_without_leading_zeros() {
    let numbers: [(u128, &[u8]); 6] = [
        (0, &[0]),
        (255, &[255]),
        (256, &[1, 0]),
        (0x01_0002, &[1, 0, 2]),
        (1 << 64, &[1, 0, 0, 0, 0, 0, 0, 0, 0]),
        (u128::MAX, &[255; 16]),
    ];
    for (number, digits) in numbers {
        let count = [digits.len() as u8];
        let (left, len) = left_encode(number);
        assert_eq!(left[..len], [&count, digits].concat());
        let (right, len) = right_encode(number);
        assert_eq!(right[..len], [digits, &count].concat());
    }
}
