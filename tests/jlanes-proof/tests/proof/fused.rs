//! Kernels that load blocks, compute, and write digests in one function.

use jlanes_core::{
    compression::{ContiguousDigests, LaneStart, MAX_LANES, Rows, Shape},
    kernel::{
        BlockInput, FusedEnding, FusedOutput, FusedWork, InterleavedRows, RehashRounds,
        fused::advance_fused, step::Plain,
    },
    simd::{
        registers::{OneLatencyBoundRegister, OneRegister, Registers, TwoRegisters},
        runs::Runs,
        vector::{Array, ByteOrder, SimdWord, Word},
    },
};
use jlanes_proof::{
    lanes::{Symbolic, Terms},
    names::{Name, term_of, word_of},
    standards::Standard,
    term::{self, Term},
};

use crate::forms::{Shared, block_of, bytes, check, check_rows, inputs, rows, state_of};

/// The number of words of the second block that belong to the message.
const TAIL: usize = 5;
/// The number of words of a digest in the second hash. Of the last one, only some bits are kept.
const AGAIN: usize = 4;

/// The parameters of a call of a kernel.
#[derive(Clone, Copy)]
struct Job {
    /// Whether the words are interleaved.
    rows: bool,
    /// Whether all lanes start with the same state.
    same: bool,
    /// Whether all lanes have the same length, and the kernel knows it.
    alike: bool,
    /// Whether the messages are whole blocks.
    whole: bool,
    /// Whether the length is in the last of these blocks.
    lengths: bool,
    /// Whether another block follows, which all lanes share.
    shared: bool,
    /// The number of times that the digest is hashed again. If that is more than one, the two starts
    /// alternate, and every second digest is added up.
    again: u64,
    /// Whether digests are written, instead of states.
    digests: bool,
}

const JOBS: [Job; 6] = [
    Job {
        rows: false,
        same: false,
        alike: true,
        whole: false,
        lengths: true,
        shared: false,
        again: 0,
        digests: true,
    },
    Job {
        rows: false,
        same: true,
        alike: false,
        whole: false,
        lengths: true,
        shared: false,
        again: 1,
        digests: true,
    },
    Job {
        rows: false,
        same: true,
        alike: true,
        whole: false,
        lengths: false,
        shared: true,
        again: 0,
        digests: false,
    },
    Job {
        rows: false,
        same: false,
        alike: false,
        whole: false,
        lengths: false,
        shared: true,
        again: 2,
        digests: false,
    },
    Job {
        rows: false,
        same: true,
        alike: true,
        whole: true,
        lengths: false,
        shared: true,
        again: 0,
        digests: true,
    },
    Job {
        rows: true,
        same: false,
        alike: true,
        whole: true,
        lengths: false,
        shared: true,
        again: 0,
        digests: false,
    },
];

/// The starts of the second hash; the second one is the same for all lanes.
const STARTS: [&str; 2] = ["first start of the second", "second start of the second"];

impl Job {
    fn starts(&self) -> &'static [&'static str] {
        &STARTS[..if self.again > 1 { 2 } else { 1 }]
    }
}

/// The places of the higher and the lower word of the length in a block.
fn length_words<C: Standard>() -> [usize; 2] {
    match C::ORDER {
        ByteOrder::Big => [14, 15],
        ByteOrder::Little => [15, 14],
    }
}

fn pad<C: Standard>() -> Term {
    Term::constant(C::Word::read(C::ORDER, &[0x80, 0, 0, 0, 0, 0, 0, 0]).number())
}

fn kept<W: Name>() -> Term {
    Term::constant(!0 << (W::BITS / 2))
}

/// The blocks of a lane, by the standard's padding.
fn blocks<C: Standard>(job: Job, lane: usize) -> [Vec<Term>; 2] {
    if job.whole {
        return [inputs(block_of::<C>("block"), lane), inputs(block_of::<C>("next"), lane)];
    }
    let mut last = inputs(("tail", TAIL), lane);
    last.push(pad::<C>());
    last.resize(16, Term::constant(0));
    if job.lengths {
        for (at, name) in length_words::<C>().into_iter().zip(["high", "low"]) {
            last[at] = Term::input(name, 0, lane);
        }
    }
    [inputs(block_of::<C>("block"), lane), last]
}

/// The final state, and the exclusive or of the digests that are hashed again.
fn expected<C: Standard>(job: Job, lane: usize) -> [Vec<Term>; 2] {
    let mut state = inputs(state_of::<C>(), if job.same { 0 } else { lane });
    for block in blocks::<C>(job, lane) {
        state = C::compressed(&state, &block);
    }
    if job.shared {
        state = C::compressed(&state, &inputs(block_of::<C>("shared"), 0));
    }
    let mut sum = vec![Term::constant(0); state.len()];
    for _ in 0..job.again {
        for (start, lane) in job.starts().iter().zip([lane, 0]) {
            let mut block = inputs(block_of::<C>("around"), 0);
            let last = (state[AGAIN - 1] & kept::<C::Word>()) | block[AGAIN - 1];
            block[..AGAIN].copy_from_slice(&state[..AGAIN]);
            block[AGAIN - 1] = last;
            state = C::compressed(&inputs((start, state.len()), lane), &block);
        }
        sum.iter_mut().zip(&state).for_each(|(sum, word)| *sum = *sum ^ *word);
    }
    [state, sum]
}

fn run<C: Shared, R: Registers, const N: usize>(job: Job) {
    let lanes = <R::Of<C::Word, Terms<C::Word, N>> as SimdWord<C::Word>>::N;
    let (expected, expected_sum): (Vec<_>, Vec<_>) =
        (0..lanes).map(|lane| expected::<C>(job, lane)).map(|[state, sum]| (state, sum)).unzip();
    let words = state_of::<C>().1;
    let messages: Vec<_> = (0..lanes)
        .map(|lane| {
            let end = if job.whole { block_of::<C>("next") } else { ("tail", TAIL) };
            let message = [inputs(block_of::<C>("block"), lane), inputs(end, lane)];
            bytes::<C::Word>(C::ORDER, &message.concat())
        })
        .collect();
    // a second group has the same messages, and starts like the first
    let groups = if job.digests { 2 } else { 1 };
    let runs: Vec<&[u8]> =
        messages.iter().cycle().take(groups * lanes).map(Vec::as_slice).collect();
    let row = |i: usize| (0..lanes).map(move |lane| blocks::<C>(job, lane)[i / 16][i % 16]);
    let data = bytes::<C::Word>(C::ORDER, &(0..32).flat_map(row).collect::<Vec<_>>());
    let interleaved =
        InterleavedRows { data: &data, row_stride: lanes * C::Word::BYTES, prefetch: true };
    let lengths = ["high", "low"].map(|name| {
        let mut words = [C::Word::default(); MAX_LANES];
        words[..lanes].copy_from_slice(&rows((name, 1), lanes));
        words
    });
    let shared = C::shared(&inputs(block_of::<C>("shared"), 0));
    let around: Vec<C::Word> = rows(block_of::<C>("around"), 1);
    let same = rows::<C::Word>((STARTS[1], words), 1);
    let each = Rows { words: &rows::<C::Word>((STARTS[0], words), lanes), stride: lanes };
    let starts = [LaneStart::Each(each), LaneStart::Same(&same)];
    let mut sum = vec![C::Word::default(); words * lanes];
    let again = RehashRounds {
        block: &around,
        digest_words: AGAIN,
        last_mask: Some(word_of(kept::<C::Word>())),
        starts: &starts[..job.starts().len()],
        rounds: job.again,
    };
    let start = rows(state_of::<C>(), 1);
    let mut states = rows(state_of::<C>(), lanes);
    let size = words * C::Word::BYTES;
    let mut digests = vec![0; groups * lanes * size];
    advance_fused::<Plain<C, R>, Symbolic<N>>(
        if job.same { LaneStart::Same(&start) } else { LaneStart::Own },
        &mut states,
        lanes,
        &mut FusedWork {
            shape: &Shape::of::<C>(),
            groups,
            first_number: None,
            input: BlockInput {
                runs: &Runs::new(&runs),
                rows: job.rows.then_some(interleaved),
                pads: &[0x80; MAX_LANES],
                blocks: 2,
                whole_blocks: if job.whole { 2 } else { 1 },
                alike: job.alike,
            },
            ending: FusedEnding {
                lengths: job.lengths.then_some(&lengths),
                shared: if job.shared { &shared } else { &[] },
            },
            rehash: (job.again > 0).then_some(again),
            output: FusedOutput {
                digests: job.digests.then_some(ContiguousDigests { bytes: &mut digests, size }),
                xor_sum: (job.again > 1).then_some(&mut sum),
            },
        },
    );
    if job.digests {
        for (lane, digest) in (0..lanes).cycle().zip(digests.chunks_exact(size)) {
            let words = digest.chunks_exact(C::Word::BYTES);
            let found: Vec<_> = words.map(|word| term_of(C::Word::read(C::ORDER, word))).collect();
            check("fused, digests", lane, &found, &expected[lane]);
        }
    } else {
        check_rows("fused, states", &states, &expected);
    }
    if job.again > 1 {
        check_rows("fused, sum", &sum, &expected_sum);
    }
}

/// All variants of the fused kernels.
pub(crate) fn fused<C: Shared>() {
    const { assert!(C::Block::<u8>::LEN == 16) };
    term::begin(C::Word::BITS);
    for job in JOBS {
        run::<C, OneRegister, 2>(job);
        run::<C, TwoRegisters, 1>(job);
    }
}

/// All variants, for functions with a separate text for cores that wait on latency.
pub(crate) fn fused_serial<C: Shared>() {
    for job in &JOBS[1..] {
        run::<C, OneLatencyBoundRegister, 1>(*job);
    }
}
