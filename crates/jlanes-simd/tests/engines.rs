//! Every backend as an engine, against the portable one: any number of live lanes, of blocks, and
//! every kind of input.

use jlanes_core::{
    engine::{Engine, Input, MAX_LANES},
    hash::compression::{Columns, Compression, block_words},
    hashes::{sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish},
    simd::{
        lanes::{Array, Word},
        layout::Interleaved,
        portable::Portable,
    },
};
use jlanes_simd::Backend;
use jlanes_testing::{backends, message};

/// A compression function that backends compute.
trait Function: Compression {
    /// The backend as an engine for it.
    fn engine(backend: Backend) -> impl Engine<Self>;
}

macro_rules! functions {
    ($($compression:ty: $module:ident;)*) => {
        $(impl Function for $compression {
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
    Sha1Compression: sha1;
    Sha2<u32>: sha256;
    Sha2<u64>: sha512;
    Threefish<4>: skein256;
    Threefish<8>: skein512;
    Threefish<16>: skein1024;
}

/// A random state in every column.
fn states<C: Compression>() -> Vec<C::Word> {
    let words = C::State::<C::Word>::LEN * MAX_LANES;
    message(1, words * C::Word::BYTES).chunks(C::Word::BYTES).map(C::Word::from_le).collect()
}

/// The states of the first `live` lanes after `blocks` blocks of `input`, and after the expanded
/// block `last`.
fn advanced<C: Compression>(
    engine: impl Engine<C>,
    input: Input<'_>,
    live: usize,
    blocks: usize,
    last: &[C::Word],
) -> Vec<C::State<C::Word>> {
    let mut states = states::<C>();
    let mut columns = Columns::new(&mut states, MAX_LANES);
    engine.advance(columns.reborrow(), input, live, blocks, last);
    (0..live).map(|lane| columns.get(lane)).collect()
}

fn words<C: Compression>(states: &[C::State<C::Word>]) -> Vec<&[C::Word]> {
    states.iter().map(AsRef::as_ref).collect()
}

const BLOCKS: usize = 5;

fn lanes_advance<C: Function>() {
    let text = message(2, BLOCKS * C::BLOCK + 8 * MAX_LANES);
    // starts that are aligned to nothing in particular
    let runs: Vec<&[u8]> = (0..MAX_LANES).map(|l| &text[7 * l..][..BLOCKS * C::BLOCK]).collect();
    let mut schedule = vec![C::Word::default(); C::SCHEDULE];
    C::expand(&block_words::<C>(&text), &mut schedule);
    for backend in backends::<Backend>() {
        let engine = C::engine(backend);
        assert!((1..=MAX_LANES).contains(&engine.lanes()), "{backend}");
        for live in 0..=MAX_LANES {
            for last in [&[], &schedule[..]] {
                for blocks in usize::from(last.is_empty())..=BLOCKS {
                    let input = Input::Pointers(&runs);
                    let ours = advanced::<C>(engine, input, live, blocks, last);
                    let portable = advanced::<C>(Portable::<1>, input, live, blocks, last);
                    assert_eq!(words::<C>(&ours), words::<C>(&portable), "{backend}, {live} lanes");
                }
            }
            let ours = advanced::<C>(engine, Input::NONE, live, 0, &schedule);
            let portable = advanced::<C>(Portable::<1>, Input::NONE, live, 0, &schedule);
            assert_eq!(words::<C>(&ours), words::<C>(&portable), "{backend}, {live} lanes");
        }
    }
}

/// Interleaved lanes, against the same lanes dealt out into runs of their own.
fn interleaved_lanes_advance<C: Function>() {
    let word = C::Word::BYTES;
    for live in 1..=MAX_LANES {
        for lanes in [live, MAX_LANES, 37] {
            let rows = BLOCKS * C::BLOCK / word;
            // the data ends with the last row's last live lane
            let data = message(4, ((rows - 1) * lanes + live) * word);
            let mut runs = vec![Vec::new(); MAX_LANES];
            for row in data.chunks(lanes * word) {
                for (run, bytes) in runs.iter_mut().zip(row.chunks(word)) {
                    run.extend_from_slice(bytes);
                }
            }
            let runs: Vec<_> = runs.iter().map(Vec::as_slice).collect();
            let portable = advanced::<C>(Portable::<1>, Input::Pointers(&runs), live, BLOCKS, &[]);
            let input = Input::Interleaved(Interleaved { data: &data, lanes });
            for backend in backends::<Backend>() {
                let ours = advanced::<C>(C::engine(backend), input, live, BLOCKS, &[]);
                let which = format!("{backend}, {live} of {lanes} lanes");
                assert_eq!(words::<C>(&ours), words::<C>(&portable), "{which}");
            }
        }
    }
}

fn one_stream_advances<C: Function>() {
    let text = message(3, 40 * C::BLOCK + 3);
    let with_n_sms = |backend: Backend| [backend, backend.with_n_sms()];
    for backend in backends::<Backend>().into_iter().flat_map(with_n_sms) {
        for blocks in (0..10).chain([40]) {
            let start: C::State<C::Word> = Columns::new(&mut states::<C>(), MAX_LANES).get(0);
            let (mut ours, mut portable) = (start, start);
            let run = &text[3..][..blocks * C::BLOCK];
            C::engine(backend).advance_one(&mut ours, run);
            Engine::<C>::advance_one(&Portable::<1>, &mut portable, run);
            assert_eq!(ours.as_ref(), portable.as_ref(), "{backend}, {blocks} blocks");
        }
    }
}
