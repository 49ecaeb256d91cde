//! BLAKE3 in lanes: hashers in pieces and by subtrees, many messages, outputs from any position.

use crate::by_value;
use ::blake3 as peer;
use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, Output, Reset, Update,
    XofReader, block_api::BlockSizeUser,
};
use jlanes_core::{
    function::{Batch, Start, XofOnKernels, filling},
    hashes::blake3::{Blake3Compression, Chunk, Mode, hasher, outputs::Outputs},
    kernel::HasKernels,
    lanes::outputs::Outputs as _,
};
use jlanes_testing::{algorithm_name, message};

use crate::called::On;

const KEY: &[u8; 32] = b"a key of thirty-two bytes for us";
const CONTEXT: &str = "jlanes tests 2026-11-25 a context";
const CHUNK: usize = 1024;

type Hasher<const N: usize> = hasher::Hasher<On<N>>;

/// A mode, with the same of the crate `blake3`.
#[derive(Clone, Copy, Debug)]
enum Of {
    Hash,
    Keyed,
    DeriveKey,
}

impl Of {
    const ALL: [Self; 3] = [Self::Hash, Self::Keyed, Self::DeriveKey];

    fn ours<const N: usize>(self) -> Hasher<N> {
        self.on()
    }

    fn on<B: HasKernels<Blake3Compression> + Default>(self) -> hasher::Hasher<B> {
        match self {
            Self::Hash => hasher::Hasher::default(),
            Self::Keyed => hasher::Hasher::new_keyed(KEY),
            Self::DeriveKey => hasher::Hasher::new_derive_key(CONTEXT),
        }
    }

    fn theirs(self) -> peer::Hasher {
        match self {
            Self::Hash => peer::Hasher::new(),
            Self::Keyed => peer::Hasher::new_keyed(KEY),
            Self::DeriveKey => peer::Hasher::new_derive_key(CONTEXT),
        }
    }

    fn digest(self, message: &[u8]) -> [u8; 32] {
        *self.theirs().update(message).finalize().as_bytes()
    }

    fn output(self, message: &[u8], at: u64, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        let mut reader = self.theirs().update(message).finalize_xof();
        reader.set_position(at);
        reader.fill(&mut out);
        out
    }
}

/// Lengths around the ends of blocks and of chunks, and of subtrees that do and do not fill lanes.
fn lengths() -> impl Iterator<Item = usize> {
    let chunks = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 64, 65].map(|chunks| chunks * CHUNK);
    let edges = [64, 128, 960].into_iter().chain(chunks);
    [0, 1].into_iter().chain(edges.flat_map(|edge| [edge - 1, edge, edge + 1]))
}

fn digest<B: HasKernels<Blake3Compression>>(hasher: &hasher::Hasher<B>) -> [u8; 32] {
    hasher.clone().finalize_fixed().into()
}

#[test]
fn messages_in_pieces() {
    for len in lengths().chain([255, 256, 257, 300].map(|chunks| chunks * CHUNK + 5)) {
        let text = message(len as u64, len);
        for of in Of::ALL {
            let expected = of.digest(&text);
            let mut hasher = of.ours::<4>();
            for portion in [1000, 1024, 5000, 1_000_000] {
                let mut done = 0;
                for piece in text.chunks(portion) {
                    hasher.update(piece);
                    done += piece.len();
                    // what has been absorbed is itself a message
                    if done.is_multiple_of(4096) {
                        assert_eq!(digest(&hasher), of.digest(&text[..done]));
                    }
                }
                assert_eq!(digest(&hasher), expected, "{of:?}, {len} bytes by {portion}");
                hasher.reset();
            }
            hasher.update(&text);
            assert_eq!(hasher.finalize_fixed_reset()[..], expected, "{of:?}, {len} bytes");
            hasher.update(&text);
            let mut out = [0; 150];
            hasher.finalize_xof_reset().read(&mut out);
            assert_eq!(out[..], of.output(&text, 0, 150));
            assert_eq!(digest(&hasher), of.digest(b""), "the key is still there");
        }
    }
}

#[test]
fn messages_in_subtrees() {
    let text = message(90, 400 * CHUNK);
    for before in [0, 1, 64, CHUNK, CHUNK + 1, 3 * CHUNK, 8 * CHUNK, 64 * CHUNK + 7] {
        for chunks in [2, 8, 64, 256] {
            let mut hasher = Of::Keyed.ours::<4>();
            hasher.update(&text[..before]);
            let until = hasher.bytes_until_subtree(chunks);
            let start = before.next_multiple_of(chunks * CHUNK);
            assert_eq!(until, start - before);
            hasher.update(&text[before..start]);
            let mut done = start;
            while done + 2 * CHUNK <= text.len() {
                // no subtree is larger than what its place allows, nor than the rest
                let rest = (text.len() - done) / CHUNK;
                let own =
                    hasher.subtree((text.len() - done).min(256 * CHUNK), &|tree, len, first| {
                        assert_eq!(first as usize * CHUNK, done);
                        tree.halves(&text[done..][..len], first)
                    });
                let place = done / CHUNK;
                let allowed = if place == 0 { 256 } else { 1 << place.trailing_zeros().min(8) };
                assert_eq!(own, allowed.min(1 << rest.ilog2()) * CHUNK);
                done += own;
                if allowed == 1 || done / CHUNK % 2 == 1 {
                    break;
                }
            }
            assert_eq!(digest(&hasher), Of::Keyed.digest(&text[..done]), "{done} bytes");
            hasher.update(&text[done..]);
            assert_eq!(digest(&hasher), Of::Keyed.digest(&text), "behind {before} bytes");
        }
    }
}

#[test]
#[should_panic(expected = "there are halves")]
fn a_chunk_has_no_halves() {
    Of::Hash.ours::<4>().subtree(CHUNK, &|_, _, _| unreachable!());
}

#[test]
#[should_panic(expected = "between chunks")]
fn subtrees_start_between_chunks() {
    let mut hasher = Of::Hash.ours::<4>();
    hasher.update(b"abc");
    hasher.subtree(2 * CHUNK, &|_, _, _| unreachable!());
}

/// Messages of every kind of length, behind an empty message, a whole block, parts, and chunks.
#[test]
fn many_messages() {
    many::<On<4>>();
}

pub(crate) fn many<B: HasKernels<Blake3Compression> + Default>() {
    let text = message(91, 90_000);
    type Len = fn(usize) -> usize;
    let lens: [Len; 9] = [
        |_| 0,
        |_| 64,
        |_| 500,
        |_| 1025,
        |_| 3000,
        |i| i * 37,
        |i| i * i * 61 % 5999,
        |i| [3, 70_000, 1024, 65_536, 65_537, 2048][i % 6],
        |i| 9000 - 100 * i,
    ];
    for before in [0, 5, 64, 1000, 1500] {
        for (len, count) in lens.into_iter().flat_map(|len| [1, 21].map(|count| (len, count))) {
            let one = |i: usize| &text[i..][..len(i)];
            let of = Of::Keyed;
            let mut hasher = of.on::<B>();
            hasher.update(&text[..before]);
            let whole = |i: usize| [&text[..before], one(i)].concat();
            let expected: Vec<_> = (0..count).map(|i| of.digest(&whole(i))).collect();
            let mut out = vec![Output::<hasher::Hasher<B>>::default(); count];
            let ones = filling(|i| [one(i)]);
            hasher.digest_many(&Batch::filled(count, &ones), &mut out);
            assert!(out.iter().zip(&expected).all(|(out, expected)| out[..] == *expected));
            let slices: Vec<_> = (0..count).map(one).collect();
            out.fill(Output::<hasher::Hasher<B>>::default());
            hasher.digest_many(&Batch::slices(&slices), &mut out);
            assert!(out.iter().zip(&expected).all(|(out, expected)| out[..] == *expected));
            out.fill(Output::<hasher::Hasher<B>>::default());
            let halves = filling(|i| <[&[u8]; 2]>::from(one(i).split_at(len(i) / 3)));
            hasher.digest_many(&Batch::filled(count, &halves), &mut out);
            assert!(out.iter().zip(&expected).all(|(out, expected)| out[..] == *expected));

            let size = |i: usize| [0, 32, 64, 131, 64 * 40, 700][(i + before) % 6];
            let mut outs: Vec<_> = (0..count).map(|i| vec![0; size(i)]).collect();
            let mut slices: Vec<_> = outs.iter_mut().map(Vec::as_mut_slice).collect();
            hasher.fill_many(one, &mut slices);
            for (i, out) in outs.iter().enumerate() {
                assert!(*out == of.output(&whole(i), 0, size(i)), "{i} of {count}");
            }
        }
    }
}

/// Enough chunks for more than one window, and more parents of a level than are collected.
#[test]
fn many_chunks() {
    let text = message(92, 40_000);
    let one = |i: usize| &text[i..][..i * 173 % 12_000];
    for count in [300, 700] {
        let mut out = vec![Output::<Hasher<8>>::default(); count];
        let hasher = Of::Hash.ours::<8>();
        let messages = filling(|i| [one(i)]);
        hasher.digest_many(&Batch::filled(count, &messages), &mut out);
        let mut outs = vec![[0; 70]; count];
        let mut slices: Vec<_> = outs.iter_mut().map(|out| &mut out[..]).collect();
        hasher.fill_many(one, &mut slices);
        for (i, (digest, out)) in out.iter().zip(&outs).enumerate() {
            let expected = Of::Hash.output(one(i), 0, 70);
            assert_eq!((&digest[..], &out[..]), (&expected[..32], &expected[..]), "message {i}");
        }
    }
}

#[test]
fn outputs_from_any_position() {
    from_any_position::<On<4>>();
}

pub(crate) fn from_any_position<B: HasKernels<Blake3Compression> + Default>() {
    let last = u64::from(u32::MAX) * 64;
    for len in [0, 100, 1024, 5000] {
        let text = message(93, len);
        let mut hasher = Of::DeriveKey.on::<B>();
        hasher.update(&text);
        let mut reader = hasher.finalize_xof();
        for (at, size) in [
            (0, 5000),
            (1, 63),
            (63, 2),
            (64, 1024),
            (100, 3000),
            (last, 200),
            (last + 63, 70),
            (last - 64 * 21, 4500),
            // over the end, in whole blocks and in parts
            (u64::MAX - 63, 200),
            (u64::MAX - 64 * 21, 4500),
            (u64::MAX, 65),
        ] {
            let expected = Of::DeriveKey.output(&text, at, size);
            reader.set_position(at);
            let mut out = vec![0; size];
            reader.read(&mut out);
            assert!(out == expected, "{size} bytes from {at}");
            assert_eq!(reader.position(), at.wrapping_add(size as u64));
            reader.set_position(at);
            out.fill(0);
            out.chunks_mut(64).for_each(|piece| reader.read(piece));
            assert!(out == expected, "{size} bytes from {at}, in pieces");
        }
    }
}

/// Outputs of many messages that continue, each from its own position, in any selection.
#[test]
fn outputs_that_continue() {
    continued::<On<4>>();
}

pub(crate) fn continued<B: HasKernels<Blake3Compression> + Default>() {
    let text = message(94, 70_000);
    let one = |i: usize| &text[i..][..[0, 1, 64, 65, 1024, 1025, 5000, 66_000][i % 8]];
    let kernels = B::default().kernels();
    for (before, count) in [0, 9].into_iter().flat_map(|len| [0, 1, 16, 35].map(|n| (len, n))) {
        let mut hasher = Of::Keyed.on::<B>();
        hasher.update(&text[..before]);
        let mut outputs = Outputs::default();
        assert!(outputs.is_empty());
        hasher.absorb_many(one, count, &mut outputs);
        let mut texts: Vec<_> = (0..count).map(|i| [&text[..before], one(i)].concat()).collect();
        let (mut starts, mut done) = (vec![0; count], vec![0; count + 2]);
        // readers join, where the counter has a second word, and before the end
        for position in [(1 << 38) - 100, u64::MAX - 63] {
            let mut reader = Of::Keyed.on::<B>();
            reader.update(b"reader");
            let mut reader = reader.finalize_xof();
            reader.set_position(position);
            hasher::Hasher::<B>::push(&reader, &mut outputs);
            texts.push(b"reader".to_vec());
            starts.push(position);
        }
        assert_eq!((outputs.len(), outputs.is_empty()), (count + 2, false));
        for (round, size) in [1, 63, 64, 131, 64 * 20, 0, 64 * 16].into_iter().enumerate() {
            let which: Vec<_> = (0..count + 2).filter(|i| i % 3 != round % 3).collect();
            let all: Vec<_> = (0..count + 2).collect();
            let some = (round % 2 == 0).then_some(&which[..]);
            let own = some.unwrap_or(&all);
            let mut outs: Vec<_> = own.iter().map(|i| vec![0; size + i % 3]).collect();
            let to = &mut jlanes_core::lanes::outputs::Slices(&mut outs);
            outputs.squeeze(&kernels, some, to);
            for (i, out) in own.iter().zip(&outs) {
                let read = done[*i] + out.len();
                let expected = &Of::Keyed.output(&texts[*i], starts[*i], read)[done[*i]..];
                assert!(*out == expected, "output {i} of {count}, {size} bytes from {}", done[*i]);
                done[*i] = read;
            }
        }
    }
}

#[test]
fn outputs_of_a_type() {
    let text = message(95, 3000);
    let lens = [10, 3000, 0];
    let mut outs = [[0; 700]; 3];
    let to = &mut outs.each_mut().map(|out| &mut out[..]);
    Hasher::<2>::fill(On::default(), |i| &text[..lens[i]], to);
    let mut outputs = Outputs::default();
    Hasher::<2>::absorb(On::default(), |i| &text[..lens[i]], 3, &mut outputs);
    let mut continued = vec![vec![0; 700]; 3];
    let kernels = HasKernels::<Blake3Compression>::kernels(&Hasher::<2>::backend());
    let to = &mut jlanes_core::lanes::outputs::Slices(&mut continued);
    outputs.squeeze(&kernels, None, to);
    for (i, len) in lens.into_iter().enumerate() {
        let expected = Of::Hash.output(&text[..len], 0, 700);
        assert_eq!((&outs[i][..], &continued[i]), (&expected[..], &expected));
    }
    // a block of output after the first costs a compression, a chunk after the first a parent
    let blocks = <Hasher<2> as XofOnKernels>::blocks;
    assert_eq!([blocks(0, 0), blocks(65, 64), blocks(1025, 200)], [1, 3, 21]);
}

#[test]
fn messages_of_one_chunk() {
    let text = message(96, 1100);
    let mut out = vec![Output::<Hasher<4>>::default(); 40];
    let one = |i: usize| &text[i..][..i * 26];
    by_value::digest::<Chunk, _, 1>(On::<4>::default(), &Start::new(), |i| [one(i)], &mut out);
    for (i, digest) in out.iter().enumerate() {
        assert_eq!(digest[..], Of::Hash.digest(one(i)), "{} bytes", one(i).len());
    }
}

#[test]
fn modes_and_names() {
    let derived = Mode::derive_key(On::<4>::default(), CONTEXT.as_bytes());
    let mut hasher = Hasher::<4>::with_mode(On::default(), derived);
    hasher.update(b"material");
    assert_eq!(digest(&hasher), peer::derive_key(CONTEXT, b"material"));
    let mut keyed = Hasher::<4>::with_mode(On::default(), Mode::keyed(KEY));
    keyed.update(b"text");
    assert_eq!(digest(&keyed), *peer::keyed_hash(KEY, b"text").as_bytes());
    assert_eq!(algorithm_name::<Hasher<4>>(), "Blake3");
    assert_eq!(Hasher::<4>::block_size(), 64);
}
