//! Every backend as an engine, against the portable one: any number of live lanes, of blocks, and
//! every kind of input.

use digest::consts::{U29, U64};
use jlanes_core::{
    engine::{
        Engine, Input,
        messages::Messages,
        rehash::{DigestBlock, Rehash, StartStates, get_digest, put_digest},
    },
    hash::{
        HashFunction, WordOf,
        compression::{Compression, LaneBuffer, LaneStates, max_lanes, read_words},
        digest_size,
        padding::Padding,
    },
    hashes::{
        blake2::{Blake2, Blake2b, Blake2s},
        blake3::Blake3Compression,
        keccak::{
            Keccak,
            functions::{Keccak256, Sha3_224, Sha3_256, Sha3_384, Sha3_512},
        },
        md5::{Md5, Md5Compression},
        ripemd160::{Ripemd160, Ripemd160Compression},
        sha1::{Sha1, Sha1Compression, checked::CheckedCompression},
        sha2::{Sha2, Sha224, Sha256, Sha512, Sha512_224},
        skein::threefish::Threefish,
        sm3::{Sm3, Sm3Compression},
    },
    kernel::{Kernels, feed::Interleaved},
    simd::{
        lanes::{Array, Word},
        portable::Portable,
    },
};
use jlanes_simd::Backend;
use jlanes_testing::message;

/// A compression function that backends compute.
trait Function: Compression {
    /// How its messages end.
    const PADDING: Padding;
    /// The backend as an engine for it.
    fn engine(backend: Backend) -> impl Engine<Self>;
    /// What the backend chooses among.
    fn kernels(backend: Backend) -> Kernels<Self::Word> {
        Self::engine(backend).kernels()
    }
}

/// Portable code for it.
fn portable<C: Compression>() -> Kernels<C::Word> {
    Engine::<C>::kernels(&Portable::<1>)
}

macro_rules! functions {
    ($($compression:ty: $module:ident, $padding:expr;)*) => {
        $(impl Function for $compression {
            const PADDING: Padding = $padding;

            fn engine(backend: Backend) -> impl Engine<Self> {
                backend
            }
        })*

        mod lanes_advance_as_portable_code_does {
            use super::*;
            $(#[test]
            fn $module() {
                lanes_advance::<$compression>();
            })*
        }

        mod interleaved_lanes_advance_as_dealt_ones_do {
            use super::*;
            $(#[test]
            fn $module() {
                interleaved_lanes_advance::<$compression>();
            })*
        }

        mod messages_end_as_in_portable_code {
            use super::*;
            $(#[test]
            fn $module() {
                messages_end::<$compression>();
            })*
        }

        mod one_stream_advances_as_portable_code_does {
            use super::*;
            $(#[test]
            fn $module() {
                one_stream_advances::<$compression>();
            })*
        }
    };
}
functions! {
    Md5Compression: md5, Padding::Length;
    Ripemd160Compression: ripemd160, Padding::Length;
    Sm3Compression: sm3, Padding::Length;
    Sha1Compression: sha1, Padding::Length;
    CheckedCompression: sha1dc, Padding::Length;
    Sha2<u32>: sha256, Padding::Length;
    Sha2<u64>: sha512, Padding::Length;
    Threefish<4>: skein256, Padding::Zeros;
    Threefish<8>: skein512, Padding::Zeros;
    Threefish<16>: skein1024, Padding::Zeros;
    Keccak<9, 24>: keccak72, Padding::Sponge(0x06);
    Keccak<13, 24>: keccak104, Padding::Sponge(0x06);
    Keccak<17, 24>: keccak136, Padding::Sponge(0x01);
    Keccak<18, 24>: keccak144, Padding::Sponge(0x06);
    Keccak<21, 24>: keccak168, Padding::Sponge(0x1f);
    Keccak<17, 12>: keccak136_12, Padding::Sponge(0x7f);
    Keccak<21, 12>: keccak168_12, Padding::Sponge(0x0b);
    Blake2<u32>: blake2s, Padding::Zeros;
    Blake2<u64>: blake2b, Padding::Zeros;
    Blake3Compression: blake3, Padding::Zeros;
}

/// Every backend of this CPU, and its instruction sets under the policies of other CPUs.
fn backends() -> Vec<Backend> {
    let other = |backend: &Backend| backend.class() != Backend::detect().class();
    let others = Backend::policies().filter(other);
    jlanes_testing::backends().into_iter().chain(others).collect()
}

/// A random state in every lane.
fn states<C: Compression>() -> LaneBuffer<C::Word> {
    let mut lanes = LaneBuffer::new(portable::<C>().shape);
    let size = C::State::<C::Word>::LEN * C::Word::BYTES;
    for lane in 0..max_lanes::<C>() {
        let mut state = C::State::splat(C::Word::default());
        let bytes = message(lane as u64, size);
        for (word, bytes) in state.as_mut().iter_mut().zip(bytes.chunks(C::Word::BYTES)) {
            *word = C::Word::from_le(bytes);
        }
        lanes.states().set(lane, state.as_ref());
    }
    lanes
}

/// The state in lane `lane`.
fn state<C: Compression>(lanes: &LaneBuffer<C::Word>, lane: usize) -> C::State<C::Word> {
    let mut state = C::State::splat(C::Word::default());
    lanes.get_into(lane, state.as_mut());
    state
}

fn words<C: Compression>(lanes: &LaneBuffer<C::Word>, live: usize) -> Vec<Vec<C::Word>> {
    (0..live).map(|lane| state::<C>(lanes, lane).as_ref().to_vec()).collect()
}

/// The states of the first `live` lanes after `blocks` blocks of `input`, and after the shared block
/// `last`.
fn advanced<C: Compression>(
    engine: impl Engine<C>,
    input: Input<'_>,
    live: usize,
    blocks: usize,
    last: &[C::Word],
) -> Vec<Vec<C::Word>> {
    let mut lanes = states::<C>();
    engine.advance(lanes.states(), input, live, blocks, last);
    words::<C>(&lanes, live)
}

const BLOCKS: usize = 5;

/// What is made of the block in `bytes` that all lanes share.
fn shared<C: Compression>(bytes: &[u8]) -> Vec<C::Word> {
    let mut block = vec![C::Word::default(); C::BLOCK / C::Word::BYTES];
    read_words(C::ORDER, bytes, &mut block);
    let mut shared = vec![C::Word::default(); C::SHARED];
    C::share(&block, &mut shared);
    shared
}

fn lanes_advance<C: Function>() {
    let most = max_lanes::<C>();
    let text = message(2, BLOCKS * C::BLOCK + 8 * most);
    // starts that are aligned to nothing in particular
    let runs: Vec<&[u8]> = (0..most).map(|l| &text[7 * l..][..BLOCKS * C::BLOCK]).collect();
    let shared = shared::<C>(&text);
    for backend in backends() {
        let engine = C::engine(backend);
        assert!((1..=most).contains(&engine.lanes()), "{backend:?}");
        for live in 0..=most {
            for last in [&[][..], &shared] {
                for blocks in usize::from(last.is_empty())..=BLOCKS {
                    let input = Input::Runs(&runs);
                    let ours = advanced::<C>(engine, input, live, blocks, last);
                    let portable = advanced::<C>(Portable::<1>, input, live, blocks, last);
                    assert_eq!(ours, portable, "{backend:?}, {live} lanes");
                }
            }
        }
    }
}

/// Interleaved lanes, against the same lanes dealt out into runs of their own.
fn interleaved_lanes_advance<C: Function>() {
    let (word, most) = (C::Word::BYTES, max_lanes::<C>());
    for live in 1..=most {
        for lanes in [live, most, most + 5] {
            let rows = BLOCKS * C::BLOCK / word;
            // the data ends with the last row's last live lane
            let data = message(4, ((rows - 1) * lanes + live) * word);
            let mut runs = vec![Vec::new(); most];
            for row in data.chunks(lanes * word) {
                for (run, bytes) in runs.iter_mut().zip(row.chunks(word)) {
                    run.extend_from_slice(bytes);
                }
            }
            let runs: Vec<_> = runs.iter().map(Vec::as_slice).collect();
            let shared = shared::<C>(&message(5, C::BLOCK));
            // the last lanes of rows that end with the data; others may read beyond their rows
            let last = if lanes == live { &shared[..] } else { &[] };
            let portable = advanced::<C>(Portable::<1>, Input::Runs(&runs), live, BLOCKS, last);
            let input = Input::Interleaved(Interleaved { data: &data, lanes });
            for backend in backends() {
                let ours = advanced::<C>(C::engine(backend), input, live, BLOCKS, last);
                assert_eq!(ours, portable, "{backend:?}, {live} of {lanes} lanes");
            }
        }
    }
}

/// Messages of all lengths around three blocks, from any block on, over as many blocks as the
/// shortest has left: their ends lie in the run, before it or behind it.
fn messages_end<C: Function>() {
    let most = max_lanes::<C>();
    let text = message(9, 4 * C::BLOCK).into_boxed_slice();
    for seed in 0..60 {
        let random = message(100 + seed, 2 * most);
        let live = 1 + seed as usize * (most - 1) / 59;
        let mut lens = vec![0; live];
        let mut skip = vec![0; live];
        for l in 0..live {
            // two bytes make a length, as often near the end of a block as not
            let near = C::BLOCK * usize::from(random[l] % 4) + usize::from(random[l] / 4) % 24;
            let any = usize::from(random[l]) * 4 * C::BLOCK / 256;
            lens[l] = if seed % 2 == 0 { near.saturating_sub(12) } else { any };
            let blocks = C::PADDING.blocks(C::BLOCK, C::Word::BYTES, lens[l]);
            skip[l] = usize::from(random[most + l]) % blocks;
        }
        let left = |l: usize| C::PADDING.blocks(C::BLOCK, C::Word::BYTES, lens[l]) - skip[l];
        let blocks = (0..live).map(left).min().unwrap_or(0);
        let messages: Vec<&[u8]> = lens.iter().map(|len| &text[..*len]).collect();
        let run = |kernels: Kernels<C::Word>| {
            let mut lanes = states::<C>();
            kernels.messages(Messages {
                skip: &skip,
                blocks,
                end: Some((C::PADDING, 77)),
                ..Messages::advance(lanes.states(), &messages)
            });
            words::<C>(&lanes, live)
        };
        let portable = run(portable::<C>());
        for backend in backends() {
            let ours = run(C::kernels(backend));
            assert_eq!(ours, portable, "{backend:?}, seed {seed}");
        }
    }
}

fn one_stream_advances<C: Function>() {
    let text = message(3, 40 * C::BLOCK + 3);
    let with_n_sms = |backend: Backend| [backend, backend.with_n_sms()];
    for backend in backends().into_iter().flat_map(with_n_sms) {
        for blocks in (0..10).chain([40]) {
            let start = state::<C>(&states::<C>(), 0);
            let (mut ours, mut portable) = (start, start);
            let run = &text[3..][..blocks * C::BLOCK];
            C::engine(backend).advance_one(&mut ours, run);
            Engine::<C>::advance_one(&Portable::<1>, &mut portable, run);
            assert_eq!(ours.as_ref(), portable.as_ref(), "{backend:?}, {blocks} blocks");
        }
    }
}

/// A hash function that backends compute.
trait Hash: HashFunction<Compression: Function> {
    /// The digest of one message, by the reference.
    fn reference(message: &[u8]) -> Vec<u8>;
}

macro_rules! hashes {
    ($($hash:ty: $reference:ident;)*) => {
        $(impl Hash for $hash {
            fn reference(message: &[u8]) -> Vec<u8> {
                jlanes_core::reference::$reference(message).to_vec()
            }
        })*

        mod whole_messages_have_their_digests {
            use super::*;
            $(#[test]
            fn $reference() {
                whole_messages::<$hash>();
                whole_blocks::<$hash>();
            })*
        }

        mod digests_are_hashed_again_in_the_lanes {
            use super::*;
            $(#[test]
            fn $reference() {
                digests_again::<$hash>();
            })*
        }
    };
}
hashes! {
    Md5: md5;
    Ripemd160: ripemd160;
    Sm3: sm3;
    Sha1: sha1;
    Sha224: sha224;
    Sha256: sha256;
    Sha512: sha512;
    Sha512_224: sha512_224;
    Sha3_224: sha3_224;
    Sha3_256: sha3_256;
    Sha3_384: sha3_384;
    Sha3_512: sha3_512;
    Keccak256: keccak256;
}

impl Hash for Blake2b<U64> {
    fn reference(message: &[u8]) -> Vec<u8> {
        let mut digest = vec![0; 64];
        jlanes_core::reference::blake2b(&Default::default(), message, &mut digest);
        digest
    }
}

/// A digest that ends within a word, and is no whole number of stored vectors.
impl Hash for Blake2s<U29> {
    fn reference(message: &[u8]) -> Vec<u8> {
        let mut digest = vec![0; 29];
        jlanes_core::reference::blake2s(&Default::default(), message, &mut digest);
        digest
    }
}

#[test]
fn blake2_of_whole_messages() {
    whole_messages::<Blake2b<U64>>();
    whole_messages::<Blake2s<U29>>();
}

/// Many groups of lanes in one call, from the start to digests in a row.
fn whole_messages<H: Hash>() {
    let size = digest_size::<H>();
    let text = message(10, 500);
    for count in [1, 5, 16, 33, 150] {
        for len in [0, 1, 55, 56, 64, 71, 72, 111, 119, 120, 128, 135, 136, 143, 300] {
            let messages: Vec<&[u8]> = (0..count).map(|i| &text[i..][..len]).collect();
            let blocks = H::DESCRIPTOR.blocks(len);
            for backend in backends() {
                let mut digests = vec![0; count * size];
                H::Compression::kernels(backend).messages(Messages {
                    blocks,
                    end: Some((H::PADDING, 0)),
                    start: Some(H::start().as_ref()),
                    digests: Some((&mut digests, size)),
                    ..Messages::advance(LaneStates::new(&mut [], 0), &messages)
                });
                for (message, digest) in messages.iter().zip(digests.chunks(size)) {
                    assert_eq!(
                        digest,
                        H::reference(message),
                        "{backend:?}, {count} of {len} bytes"
                    );
                }
            }
        }
    }
}

/// The same for messages that are whole blocks, before a block that all share, and without one.
fn whole_blocks<H: Hash>() {
    let size = digest_size::<H>();
    let block = <H::Compression as Compression>::BLOCK;
    let text = message(12, 9 * block + 200);
    let shared = shared::<H::Compression>(&text);
    for count in [1, 7, 8, 16, 24, 33, 40, 150] {
        for (blocks, last) in [(1, &[][..]), (1, &shared), (2, &shared), (9, &[])] {
            let messages: Vec<&[u8]> = (0..count).map(|i| &text[i..][..blocks * block]).collect();
            let digests = |kernels: Kernels<WordOf<H>>| {
                let mut digests = vec![0; count * size];
                kernels.messages(Messages {
                    blocks,
                    last,
                    start: Some(H::start().as_ref()),
                    digests: Some((&mut digests, size)),
                    ..Messages::advance(LaneStates::new(&mut [], 0), &messages)
                });
                digests
            };
            let portable = digests(portable::<H::Compression>());
            for backend in backends() {
                let ours = digests(H::Compression::kernels(backend));
                assert_eq!(ours, portable, "{backend:?}, {count} of {blocks} blocks");
            }
        }
    }
}

/// Chains from one start, and two starts by turns with a sum, against the reference.
fn digests_again<H: Hash>() {
    let (most, size) = (max_lanes::<H::Compression>(), digest_size::<H>());
    let block = DigestBlock::after(H::DESCRIPTOR, 0).expect("one block");
    let block_size = <H::Compression as Compression>::BLOCK;
    assert!(DigestBlock::after(H::DESCRIPTOR, block_size as u128).is_some());
    let mut start = <WordOf<H> as Word>::State::splat(Default::default());
    start.as_mut()[..H::start().as_ref().len()].copy_from_slice(H::start().as_ref());
    let mut each = LaneBuffer::new(&H::DESCRIPTOR.shape);
    (0..most).for_each(|lane| each.states().set(lane, H::start().as_ref()));
    for live in [1, 2, 3, 7, 8, 15, 16, 17, most - 1, most] {
        let live = live.min(most);
        let digests: Vec<Vec<u8>> = (0..live).map(|l| message(l as u64, size)).collect();
        for backend in backends() {
            let kernels = H::Compression::kernels(backend);
            let load = || {
                let mut lanes = LaneBuffer::new(&H::DESCRIPTOR.shape);
                for (l, digest) in digests.iter().enumerate() {
                    put_digest(H::DESCRIPTOR, &mut lanes.states(), l, digest);
                }
                lanes
            };
            let mut lanes = load();
            let mut out = vec![0; live * size];
            kernels.rehash(Rehash {
                digests: lanes.states(),
                block: &block,
                starts: &[StartStates::Same(start)],
                rounds: 3,
                sum: None,
                live,
                out: Some((&mut out, size)),
            });
            for (digest, out) in digests.iter().zip(out.chunks(size)) {
                let thrice = H::reference(&H::reference(&H::reference(digest)));
                assert_eq!(out, thrice, "{backend:?}, {live} lanes");
            }

            let starts = [StartStates::Each(each), StartStates::Same(start)];
            let (mut lanes, mut sum) = (load(), load());
            kernels.rehash(Rehash {
                digests: lanes.states(),
                block: &block,
                starts: &starts,
                rounds: 2,
                sum: Some(sum.states()),
                live,
                out: None,
            });
            for (l, digest) in digests.iter().enumerate() {
                let second = H::reference(&H::reference(digest));
                let fourth = H::reference(&H::reference(&second));
                let xor = |a: &[u8], b: &[u8]| -> Vec<u8> {
                    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
                };
                let got = |lanes: &mut LaneBuffer<WordOf<H>>| {
                    let mut digest = vec![0; size];
                    get_digest(H::DESCRIPTOR, &lanes.states(), l, &mut digest);
                    digest
                };
                assert_eq!(got(&mut lanes), fourth, "{backend:?}, {live} lanes");
                assert_eq!(got(&mut sum), xor(&xor(digest, &second), &fourth), "{backend:?}");
            }
        }
    }
}
