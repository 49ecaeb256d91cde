//! Every backend against the portable one: any number of live lanes, any number of blocks, every kind of input.

use jlanes_core::{
    compression::{Compression, LaneBuffer, max_lanes, padding::Padding},
    hashes::{
        blake2::Blake2,
        blake3::Blake3Compression,
        keccak::Keccak,
        sha1::{Sha1Compression, checked::CheckedCompression},
        sha2::Sha2,
        skein::threefish::Threefish,
    },
    jobs::CompiledWord,
    kernel::{HasKernels, Kernels, feed::Interleaved},
    lanes::{
        interleaved::InterleavedLanes,
        messages::{LaneWork, MessageEnd, Route},
    },
    simd::{
        portable::Portable,
        vector::{Array, Word},
        words::read_words,
    },
};
use jlanes_simd::Backend;
use jlanes_testing::{message, n_sms_backends};

mod digests;

/// A compression function that backends compute.
trait Function: Compression<Word: CompiledWord> {
    /// The padding of messages.
    const PADDING: Padding;
    /// The backend, as it has kernels for the function.
    fn backend(backend: Backend) -> impl HasKernels<Self>;
    /// The kernels that the backend chooses among.
    fn kernels(backend: Backend) -> Kernels<Self::Word> {
        Self::backend(backend).kernels()
    }
}

/// Portable code for it.
fn portable<C: Compression>() -> Kernels<C::Word> {
    HasKernels::<C>::kernels(&Portable::<1>)
}

macro_rules! functions {
    ($($compression:ty: $module:ident, $padding:expr;)*) => {
        $(impl Function for $compression {
            const PADDING: Padding = $padding;

            fn backend(backend: Backend) -> impl HasKernels<Self> {
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
macro_rules! plain {
    (($($others:tt)*) $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        functions! {
            $(jlanes_core::hashes::$module::$compression: $name, Padding::Length;)*
            $($others)*
        }
    };
}
jlanes_testing::plain_hashes!(plain, (
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
));

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

/// The states of lanes after `blocks` blocks of `rows`, or of `runs` if there are no rows, and after the
/// `shared` block.
fn advanced<C: Compression<Word: CompiledWord>>(
    backend: impl HasKernels<C>,
    rows: Option<Interleaved<'_>>,
    runs: &[&[u8]],
    blocks: usize,
    shared: &[C::Word],
) -> Vec<Vec<C::Word>> {
    let mut lanes = states::<C>();
    let (kernels, states, live) = (backend.kernels(), lanes.states(), runs.len());
    if let Some(rows) = rows {
        kernels.advance_interleaved(InterleavedLanes { states, rows, live, blocks, shared });
    } else {
        let work = LaneWork { shared, ..LaneWork::new(runs, blocks) };
        kernels.advance_messages(work, Route::StatesToStates(states));
    }
    words::<C>(&lanes, live)
}

const BLOCKS: usize = 5;

/// The words that kernels take in place of the block in `bytes`, which all lanes share.
fn shared<C: Compression>(bytes: &[u8]) -> Vec<C::Word> {
    let mut block = vec![C::Word::default(); C::BLOCK_BYTES / C::Word::BYTES];
    read_words(C::ORDER, bytes, &mut block);
    let mut shared = vec![C::Word::default(); C::SHARED_WORDS];
    C::share(&block, &mut shared);
    shared
}

fn lanes_advance<C: Function>() {
    let most = max_lanes::<C>();
    let text = message(2, BLOCKS * C::BLOCK_BYTES + 8 * most);
    // starts that are aligned to nothing in particular
    let runs: Vec<&[u8]> = (0..most).map(|l| &text[7 * l..][..BLOCKS * C::BLOCK_BYTES]).collect();
    let shared = shared::<C>(&text);
    for backend in backends() {
        let code = C::backend(backend);
        assert!((1..=most).contains(&code.lanes_to_fill()), "{backend:?}");
        for live in 0..=most {
            for shared in [&[][..], &shared] {
                for blocks in usize::from(shared.is_empty())..=BLOCKS {
                    let runs = &runs[..live];
                    let ours = advanced::<C>(code, None, runs, blocks, shared);
                    let portable = advanced::<C>(Portable::<1>, None, runs, blocks, shared);
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
        // rows of 1000 lanes are long: lanes of several kernels advance by one or two blocks in turns
        let long = if [2, most - 1, most].contains(&live) { 1000 } else { most + 1 };
        for lanes in [live, most, most + 5, long] {
            let rows = BLOCKS * C::BLOCK_BYTES / word;
            // the data ends with the last row's last live lane
            let data = message(4, ((rows - 1) * lanes + live) * word);
            let mut runs = vec![Vec::new(); most];
            for row in data.chunks(lanes * word) {
                for (run, bytes) in runs.iter_mut().zip(row.chunks(word)) {
                    run.extend_from_slice(bytes);
                }
            }
            let runs: Vec<_> = runs[..live].iter().map(Vec::as_slice).collect();
            let shared = shared::<C>(&message(5, C::BLOCK_BYTES));
            // the last lanes of rows that end with the data; others may read beyond their rows
            let shared = if [live, 1000].contains(&lanes) { &shared[..] } else { &[] };
            let portable = advanced::<C>(Portable::<1>, None, &runs, BLOCKS, shared);
            let rows = Some(Interleaved { data: &data, lanes });
            for backend in backends() {
                let ours = advanced::<C>(C::backend(backend), rows, &runs, BLOCKS, shared);
                assert_eq!(ours, portable, "{backend:?}, {live} of {lanes} lanes");
            }
        }
    }
}

/// Messages of all lengths around three blocks, from any block on, over as many blocks as the
/// shortest has left: their ends lie in the run, before it or behind it.
fn messages_end<C: Function>() {
    let most = max_lanes::<C>();
    let text = message(9, 4 * C::BLOCK_BYTES).into_boxed_slice();
    for seed in 0..60 {
        let random = message(100 + seed, 2 * most);
        let live = 1 + seed as usize * (most - 1) / 59;
        let mut lens = vec![0; live];
        let mut skip = vec![0; live];
        for l in 0..live {
            // two bytes make a length, as often near the end of a block as not
            let near =
                C::BLOCK_BYTES * usize::from(random[l] % 4) + usize::from(random[l] / 4) % 24;
            let any = usize::from(random[l]) * 4 * C::BLOCK_BYTES / 256;
            lens[l] = if seed % 2 == 0 { near.saturating_sub(12) } else { any };
            let blocks = C::PADDING.blocks(C::BLOCK_BYTES, C::Word::BYTES, lens[l]);
            skip[l] = usize::from(random[most + l]) % blocks;
        }
        let left = |l: usize| C::PADDING.blocks(C::BLOCK_BYTES, C::Word::BYTES, lens[l]) - skip[l];
        let blocks = (0..live).map(left).min().unwrap_or(0);
        let messages: Vec<&[u8]> = lens.iter().map(|len| &text[..*len]).collect();
        let run = |kernels: Kernels<C::Word>| {
            let mut lanes = states::<C>();
            let end = Some(MessageEnd { padding: C::PADDING, before: 77, all_end: false });
            let work = LaneWork { blocks_done: &skip, end, ..LaneWork::new(&messages, blocks) };
            kernels.advance_messages(work, Route::StatesToStates(lanes.states()));
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
    let text = message(3, 40 * C::BLOCK_BYTES + 3);
    for backend in backends().into_iter().chain(n_sms_backends()) {
        for blocks in (0..10).chain([40]) {
            let start = state::<C>(&states::<C>(), 0);
            let (mut ours, mut portable) = (start, start);
            let run = &text[3..][..blocks * C::BLOCK_BYTES];
            C::backend(backend).advance_one(&mut ours, run);
            HasKernels::<C>::advance_one(&Portable::<1>, &mut portable, run);
            assert_eq!(ours.as_ref(), portable.as_ref(), "{backend:?}, {blocks} blocks");
        }
    }
}
