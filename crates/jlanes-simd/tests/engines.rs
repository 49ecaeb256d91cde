//! Every backend as an engine, against the portable one: any number of live lanes, of blocks, and
//! both kinds of input.

use jlanes_core::{
    compression::{Columns, Compression, block_words},
    engine::{Engine, Input, MAX_LANES},
    lanes::{Array, Word},
    portable::Portable,
    sha2::Sha2,
    skein::threefish::Threefish,
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

/// The states of the first `live` lanes after `input`.
fn advanced<C: Compression>(
    engine: impl Engine<C>,
    input: Input<'_, C::Word>,
    live: usize,
    blocks: usize,
) -> Vec<C::State<C::Word>> {
    let mut states = states::<C>();
    let mut columns = Columns::new(&mut states, MAX_LANES);
    engine.advance(columns.reborrow(), input, live, blocks);
    (0..live).map(|lane| columns.get(lane)).collect()
}

fn words<C: Compression>(states: &[C::State<C::Word>]) -> Vec<&[C::Word]> {
    states.iter().map(AsRef::as_ref).collect()
}

fn lanes_advance<C: Function>() {
    const BLOCKS: usize = 5;
    let text = message(2, BLOCKS * C::BLOCK + 8 * MAX_LANES);
    // starts that are aligned to nothing in particular
    let runs: Vec<&[u8]> = (0..MAX_LANES).map(|l| &text[7 * l..][..BLOCKS * C::BLOCK]).collect();
    let mut schedule = vec![C::Word::default(); C::SCHEDULE];
    C::expand(&block_words::<C>(&text), &mut schedule);
    for backend in backends::<Backend>() {
        let engine = C::engine(backend);
        assert!((1..=MAX_LANES).contains(&engine.lanes()), "{backend}");
        for live in 0..=MAX_LANES {
            for blocks in 1..=BLOCKS {
                let input = Input::Pointers(&runs);
                let ours = advanced::<C>(engine, input, live, blocks);
                let portable = advanced::<C>(Portable::<1>, input, live, blocks);
                assert_eq!(words::<C>(&ours), words::<C>(&portable), "{backend}, {live} lanes");
            }
            let input = Input::Expanded(&schedule);
            let ours = advanced::<C>(engine, input, live, 1);
            let portable = advanced::<C>(Portable::<1>, input, live, 1);
            assert_eq!(words::<C>(&ours), words::<C>(&portable), "{backend}, {live} lanes");
        }
    }
}

fn one_stream_advances<C: Function>() {
    let text = message(3, 40 * C::BLOCK + 3);
    for backend in backends::<Backend>() {
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
