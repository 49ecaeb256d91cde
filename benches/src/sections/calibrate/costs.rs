//! Rows of jlanes-simd's table of costs, measured.

use std::{fmt, hint::black_box, iter};

use anyhow::Result;
use jlanes::Backend;
use jlanes_core::{
    compression::{Compression, LaneBuffer, max_lanes},
    jobs::CompiledWord,
    kernel::{HasKernels, feed::Interleaved},
    lanes::interleaved::InterleavedLanes,
    lanes::messages::{LaneWork, Route},
    simd::vector::Word,
};

use crate::{clock, contest::Line, measure::Timing, row::Row, workload::KIB};

/// Bytes of a lane: 16 lanes of them fit the second-level cache.
const LANE_BYTES: usize = 8 * KIB;

/// Costs of the kernels of one compression function on this CPU, as `x86_64/costs.rs` has them.
pub(crate) struct Costs {
    hash: &'static str,
    measure: fn(bool, Timing) -> Vec<Cost>,
}

/// A kernel's name, its bytes a step, and its cycles.
type Cost = (&'static str, usize, f64);

/// The layouts of the lanes' data.
const LAYOUTS: [&str; 2] = ["lanes apart", "interleaved"];

impl Costs {
    /// Of `C`, which is that of `hash`.
    pub(super) fn of<C: Compression<Word: CompiledWord>>(hash: &'static str) -> Self
    where
        Backend: HasKernels<C>,
    {
        Self { hash, measure: costs::<C> }
    }
}

impl Line for Costs {
    fn title(&self) -> String {
        format!("costs of {}", self.hash)
    }

    fn run(&self, timing: Timing) -> Result<Vec<Row>> {
        let of = |(i, layout): (usize, &&str)| {
            let costs = (self.measure)(i == 1, timing).into_iter();
            let row = |(kernel, bytes, cycles): Cost| {
                let ghz = clock::gigahertz();
                Row {
                    name: self.title(),
                    size: (*layout).to_owned(),
                    ours: kernel.to_owned(),
                    bytes: bytes as u64,
                    clock_ghz: Some(ghz),
                    ours_s: Some(cycles / ghz / 1e9),
                    ..Row::default()
                }
            };
            costs.map(row).collect::<Vec<_>>()
        };
        Ok(LAYOUTS.iter().enumerate().flat_map(of).collect())
    }
}

/// Writes the rows as the table has them.
pub(super) fn summary(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    let [contiguous, interleaved] = LAYOUTS.map(|layout| {
        let cycles = |row: &Row| row.ours_cost().unwrap_or(f64::NAN) * row.bytes as f64;
        let costs = rows.iter().filter(|row| row.size == layout);
        costs.map(|row| format!("{} {:.0}", row.ours, cycles(row))).collect::<Vec<_>>().join(", ")
    });
    let class = Backend::detect().class();
    write!(f, "{}\n{class}: {{ {contiguous} }} interleaved {{ {interleaved} }};", rows[0].name)
}

/// The kernels that gain something over narrower ones, narrowest first.
fn costs<C: Compression<Word: CompiledWord>>(interleaved: bool, timing: Timing) -> Vec<Cost>
where
    Backend: HasKernels<C>,
{
    let words = |bytes: usize| bytes / C::Word::BYTES;
    // a kernel of two instruction sets runs only under a policy that chooses it
    let kernels: [(&str, &[&str], usize); 8] = [
        ("streams1", &["auto"], 1),
        ("streams2", &["shani"], 2),
        ("streams3", &["shani+avx", "shani"], 3),
        ("bits128", &["sse41"], words(16)),
        ("streams8", &["shani+avx512vl"], 8),
        ("bits256", &["avx512vl", "avx2"], words(32)),
        ("bits512", &["avx512"], words(64)),
        ("bits1024", &["avx512"], words(128)),
    ];
    // by live lanes, the least cycles with the kernels found so far
    let (mut least, mut found) = (vec![0.0], Vec::new());
    for (kernel, names, lanes) in kernels {
        let backend = names.iter().find_map(|name| {
            let chooses = |backend: &Backend| {
                *name == "auto" || HasKernels::<C>::kernels(backend).name(lanes) == *name
            };
            let forced = name.parse().ok().filter(chooses);
            forced.or_else(|| Backend::policies().find(chooses))
        });
        let (Some(backend), true) = (backend, lanes <= max_lanes::<C>()) else { continue };
        let cycles = cycles::<C>(backend, lanes, interleaved, timing);
        while least.len() <= lanes {
            let live = least.len();
            let narrower = found.iter().map(|&(_, lanes, cycles): &(&str, usize, f64)| {
                cycles + least[live.saturating_sub(lanes)]
            });
            least.push(narrower.fold(f64::INFINITY, f64::min));
        }
        if cycles < least[lanes] {
            found.push((kernel, lanes, cycles));
            least.truncate(1);
        }
    }
    found.into_iter().map(|(kernel, n, cycles)| (kernel, n * C::BLOCK_BYTES, cycles)).collect()
}

/// Cycles of one step of `live` lanes.
fn cycles<C>(backend: Backend, live: usize, interleaved: bool, timing: Timing) -> f64
where
    C: Compression<Word: CompiledWord>,
    Backend: HasKernels<C>,
{
    // rows of a tree are as wide as all lanes, also where few of them are computed
    let row = max_lanes::<C>();
    let data = vec![0x5a; row * LANE_BYTES];
    let runs: Vec<&[u8]> = data.chunks(LANE_BYTES).collect();
    let blocks = LANE_BYTES / C::BLOCK_BYTES;
    let kernels = HasKernels::<C>::kernels(&backend);
    let mut states = LaneBuffer::new(kernels.shape);
    let mut step = || {
        let states = black_box(&mut states).states();
        if interleaved {
            let (rows, shared) = (Interleaved { data: &data, lanes: row }, &[]);
            kernels.advance_interleaved(InterleavedLanes { states, rows, live, blocks, shared });
        } else {
            let work = LaneWork::new(&runs[..live], blocks);
            kernels.advance_messages(work, Route::StatesToStates(states));
        }
    };
    let mut steps = 0_u32;
    let mut round = || {
        let ghz = clock::gigahertz();
        let begun = timing.stopwatch.now();
        steps = 0;
        while timing.stopwatch.now() - begun < timing.min_time {
            (0..16).for_each(|_| step());
            steps += 16;
        }
        let nanoseconds = (timing.stopwatch.now() - begun).as_secs_f64() * 1e9;
        nanoseconds * ghz / (f64::from(steps) * blocks as f64)
    };
    let mut rounds: Vec<f64> = iter::repeat_with(&mut round).take(timing.rounds.max(3)).collect();
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}
