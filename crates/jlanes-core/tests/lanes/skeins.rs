//! Skein and its parts against the reference: arguments, keys, levels of trees, bits, outputs.

use digest::{
    KeyInit, Mac,
    array::ArraySize,
    consts::{U32, U64, U256},
};
use jlanes_core::{
    compression::LaneBuffer,
    hash::Output,
    hashes::skein::{
        self, Size, Threefish256, Threefish512, Threefish1024,
        hasher::SkeinCore,
        params::{self, Arguments, Error, TreeParams},
        ubi::{self, Absorber, BlockType},
    },
    kernel::{HasKernels, Kernels},
    simd::{
        portable::Portable,
        vector::ByteOrder,
        words::{read_words, write_words},
    },
};
use jlanes_reference::skein::{Skein, threefish};
use jlanes_testing::{message, paint};

use crate::{by_value, called::On, hashers::lengths, schedules::some_state};

type One = Portable<1>;

macro_rules! sizes {
    ($($test:ident: $threefish:ident, $words:literal, $lanes:literal;)*) => {$(
        #[test]
        fn $test() {
            arguments::<$threefish, _>(On::<$lanes>::default());
            keys::<$threefish>();
            leaves_and_their_parent::<$threefish, _>(On::<$lanes>::default());
            outputs::<$threefish, _>(On::<$lanes>::default());

            let (key, plain): ([u64; $words], [u64; $words]) = (some_state(5), some_state(6));
            let cipher = $threefish::encrypt(&key, [7, 8], plain);
            assert_eq!(cipher[..], threefish(&key, [7, 8], &plain));
        }
    )*};
}
sizes! {
    skein256: Threefish256, 4, 4;
    skein512: Threefish512, 8, 2;
    skein1024: Threefish1024, 16, 8;
}

/// The reference with these arguments, for a digest of `bytes` bytes.
fn reference<'a, T: Size>(arguments: &Arguments<'a>, bytes: usize) -> Skein<'a> {
    Skein {
        state_bytes: T::BLOCK_BYTES,
        output_bits: 8 * bytes as u64,
        key: arguments.key,
        personalization: arguments.personalization,
        public_key: arguments.public_key,
        key_identifier: arguments.key_id,
        nonce: arguments.nonce,
        tree: [0; 3],
    }
}

fn output(kernels: Kernels<u64>, state: &[u64], bytes: usize) -> Vec<u8> {
    let mut out = vec![0; bytes];
    ubi::output(kernels, state, 0, &mut out);
    out
}

/// The state at the start of the message.
fn initial(
    kernels: Kernels<u64>,
    arguments: &Arguments<'_>,
    bits: usize,
    tree: TreeParams,
) -> Vec<u64> {
    let mut state = vec![1; kernels.shape.state_words];
    params::initial(kernels, arguments, bits as u64, tree, &mut state);
    state
}

/// The state after a node of a level on `start`, from byte `at` of the level on.
fn node(kernels: Kernels<u64>, start: &[u64], (level, at): (u8, usize), data: &[u8]) -> Vec<u64> {
    let mut state = start.to_vec();
    ubi::begin_call(&mut state, BlockType::Message, level, at as u128);
    ubi::one_call(kernels, &mut state, data, 0);
    state
}

/// Arguments that are there or not, messages in pieces, and of any number of bits.
fn arguments<T: Size, B: HasKernels<T>>(backend: B) {
    let (text, long) = (message(70, 5 * T::BLOCK_BYTES), paint(T::BLOCK_BYTES + 9, 1));
    let one: Option<&[u8]> = Some(b"argument");
    let all = [
        Arguments::default(),
        Arguments { key: &long, ..Arguments::default() },
        Arguments { personalization: one, nonce: Some(&long), ..Arguments::default() },
        Arguments { public_key: one, key_id: Some(&[]), ..Arguments::default() },
        Arguments { key: b"k", personalization: one, public_key: one, key_id: one, nonce: one },
    ];
    let (lens, portions) = lengths(T::BLOCK_BYTES);
    let kernels = backend.kernels();
    for arguments in all {
        let reference = reference::<T>(&arguments, 40);
        let start = initial(kernels, &arguments, 320, TreeParams::default());
        for (i, len) in lens.iter().copied().enumerate() {
            let bits = if len == 0 { 0 } else { i as u32 % 8 };
            let expected = reference.hash(&text[..len], bits);
            let mut root = start.clone();
            ubi::one_call(kernels, &mut root, &text[..len], bits);
            assert_eq!(output(kernels, &root, 40), expected, "{len} bytes, {bits} bits");
            for portion in portions {
                let mut absorber = Absorber::new(kernels, &start);
                text[..len].chunks(portion).for_each(|piece| absorber.update(piece));
                assert_eq!(output(kernels, absorber.finish(bits), 40), expected, "{portion}");
            }
        }
    }
}

digest::buffer_fixed!(
    struct SkeinMac<T: Size, N: ArraySize>(SkeinCore<T, N, One>);
    impl: ResetMacTraits Clone KeyInit;
);

/// MACs of short digests, and of digests longer than a block.
fn keys<T: Size>() {
    let text = message(71, 3 * T::BLOCK_BYTES);
    for len in [0, 1, T::BLOCK_BYTES, T::BLOCK_BYTES + 1] {
        let key = paint(len, 2);
        tags::<T, U32>(SkeinMac::new_from_slice(&key).unwrap(), &key, &text);
        tags::<T, U64>(SkeinMac::new_from_slice(&key).unwrap(), &key, &text);
    }
    let key = digest::Key::<SkeinMac<T, U32>>::default();
    tags::<T, U32>(SkeinMac::new(&key), &key, &text);
}

fn tags<T: Size, N: ArraySize>(mut mac: SkeinMac<T, N>, key: &[u8], text: &[u8]) {
    let arguments = Arguments { key, ..Arguments::default() };
    let expected = reference::<T>(&arguments, N::USIZE).hash(text, 0);
    for _ in 0..2 {
        mac.update(text);
        assert_eq!(mac.clone().finalize().into_bytes()[..], expected);
        mac.reset();
        mac.update(text);
        assert_eq!(mac.finalize_reset().into_bytes()[..], expected);
    }
}

/// A tree of one level of nodes above its leaves, which are hashed side by side.
fn leaves_and_their_parent<T: Size, B: HasKernels<T>>(backend: B) {
    let kernels = backend.kernels();
    let leaf = 2 * T::BLOCK_BYTES;
    let text = message(72, kernels.lanes_to_fill() * leaf);
    let tree = TreeParams::new(1, 1, 2).unwrap();
    let reference = Skein { tree: [1, 1, 2], ..reference::<T>(&Arguments::default(), 32) };
    let mut state = initial(kernels, &Arguments::default(), 256, tree);
    let start = state.clone();
    let data: Vec<&[u8]> = text.chunks(leaf).collect();
    let mut lanes = LaneBuffer::new(kernels.shape);
    for l in 0..data.len() {
        ubi::begin_call(&mut state, BlockType::Message, 1, (l * leaf) as u128);
        lanes.states().set(l, &state);
    }
    ubi::calls_in_lanes(kernels, &mut lanes, &data);
    let mut level = vec![0; data.len() * T::BLOCK_BYTES];
    for (l, bytes) in level.chunks_mut(T::BLOCK_BYTES).enumerate() {
        lanes.get_into(l, &mut state);
        write_words(ByteOrder::Little, &state, bytes);
    }
    let root = node(kernels, &start, (2, 0), &level);
    assert_eq!(output(kernels, &root, 32), reference.hash(&text, 0));
}

/// Exponents go up to 255: a leaf or a node may be longer than any message.
#[test]
fn one_leaf_or_node_holds_all() {
    let text = message(73, 300);
    for y in [57, 58, 59, 60, 63, 64, 128, 255] {
        for (yl, yf) in [(y, 1), (1, y), (y, y)] {
            let tree = TreeParams::new(yl, yf, 255).unwrap();
            let kernels = Threefish512::ONE_STREAM;
            let start = initial(kernels, &Arguments::default(), 256, tree);
            let node = |place, data: &[u8]| node(kernels, &start, place, data);
            let root = if yl == 1 {
                let mut level = Vec::new();
                for (i, leaf) in text.chunks(128).enumerate() {
                    let value = node((1, 128 * i), leaf);
                    level.extend(
                        ubi::chaining_value(&value).iter().flat_map(|word| word.to_le_bytes()),
                    );
                }
                node((2, 0), &level)
            } else {
                node((1, 0), &text)
            };
            let skein = reference::<Threefish512>(&Arguments::default(), 32);
            let expected = Skein { tree: [yl, yf, 255], ..skein }.hash(&text, 0);
            assert_eq!(output(kernels, &root, 32), expected, "{yl}, {yf}");
        }
    }
}

/// Outputs of every kind of length, and from any block on.
fn outputs<T: Size, B: HasKernels<T>>(backend: B) {
    let (kernels, block) = (backend.kernels(), T::BLOCK_BYTES);
    let (lanes, arguments) = (kernels.lanes_to_fill(), Arguments::default());
    for bytes in [1, 8, 9, block, block + 1, lanes * block, (2 * lanes + 1) * block + 3] {
        let mut root = initial(kernels, &arguments, 8 * bytes, TreeParams::default());
        ubi::one_call(kernels, &mut root, b"jlanes", 0);
        let expected = reference::<T>(&arguments, bytes).hash(b"jlanes", 0);
        assert_eq!(output(kernels, &root, bytes), expected);
        if bytes > block {
            let mut later = vec![0; bytes - block];
            ubi::output(kernels, &root, 1, &mut later);
            assert_eq!(later, expected[block..]);
        }
    }
}

/// Digests longer than those of other functions, which are hashed again in HMAC.
#[test]
fn tags_of_long_digests() {
    type Long = skein::Skein<Threefish256, U256>;
    let hash = |data: &[u8]| reference::<Threefish256>(&Arguments::default(), 256).hash(data, 0);
    let (texts, key) = ([0, 1, 31, 32, 90].map(|len| message(74, len)), paint(20, 3));
    let mut tags = [Output::<Long>::default(); 5];
    by_value::hmac::<Long, _>(On::<4>::default(), &key, b"", |i| &texts[i], &mut tags);
    let padded = |byte: u8| -> Vec<u8> {
        let key = key.iter().copied().chain(std::iter::repeat(0)).take(32);
        key.map(|own| own ^ byte).collect()
    };
    for (text, tag) in texts.iter().zip(&tags) {
        let inner = hash(&[padded(0x36), text.clone()].concat());
        assert_eq!(tag[..], hash(&[padded(0x5c), inner].concat()), "{} bytes", text.len());
    }
}

#[test]
fn positions_have_96_bits() {
    let mut state = [1, 2, 3, 4, 0, 0];
    ubi::begin_call(&mut state, BlockType::Message, 3, 5 << 64 | 6);
    assert_eq!(state, [1, 2, 3, 4, 6, 1 << 62 | 48 << 56 | 3 << 48 | 5]);
    assert_eq!(ubi::chaining_value(&state), [1, 2, 3, 4]);
    let mut copy = state;
    read_words(ByteOrder::Little, &[[7; 8], [0; 8], [0; 8], [0; 8]].concat(), &mut copy);
    assert_eq!(copy, [0x0707_0707_0707_0707, 0, 0, 0, state[4], state[5]]);
}

#[test]
fn trees_have_a_shape() {
    let shape = TreeParams::new(3, 4, 5).unwrap();
    assert_eq!((shape.yl(), shape.yf(), shape.ym()), (3, 4, 5));
    let tree = TreeParams::new(1, 2, 255).unwrap();
    assert_eq!((tree.yl(), tree.yf(), tree.ym(), tree.is_tree()), (1, 2, 255, true));
    let none = TreeParams::new(0, 0, 0).unwrap();
    assert!(none == TreeParams::default() && !none.is_tree());
    for [yl, yf, ym] in [[0, 1, 2], [1, 0, 2], [1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 2]] {
        let error = TreeParams::new(yl, yf, ym).unwrap_err();
        assert_eq!(error, Error::Tree { yl, yf, ym });
        assert!(error.to_string().starts_with(&format!("illegal Skein tree {yl}.{yf}.{ym}:")));
    }
    assert!(Error::OutputBits.to_string().contains("2^64 - 1 bits"));
}
