//! A row of jlanes-simd's table of costs, measured.

use std::{fmt, hint::black_box, iter};

use jlanes::Backend;
use jlanes_core::{
    compression::{Compression, LaneBuffer, max_lanes},
    jobs::{Jobs, LaneInput},
    kernel::{HasKernels, feed::Interleaved},
    simd::vector::Word,
};

use crate::{clock, measure::Plan, workload::KIB};

/// Bytes of a lane: 16 lanes of them fit the second-level cache.
const LANE: usize = 8 * KIB;

/// What the kernels of one compression function cost on this CPU, as `x86_64/table.rs` has it.
#[derive(Clone, Debug)]
pub struct CostRow {
    class: &'static str,
    /// Kernels and their cycles a step: of lanes that lie apart, and of interleaved ones.
    costs: [Vec<(&'static str, f64)>; 2],
}

impl CostRow {
    /// Measures every kernel alone, on the backend that has it.
    pub fn measure<C: Compression<Word: Jobs>>(plan: Plan) -> Self
    where
        Backend: HasKernels<C>,
    {
        let costs = [false, true].map(|interleaved| costs::<C>(interleaved, plan));
        Self { class: Backend::detect().class(), costs }
    }
}

/// The kernels that gain something over narrower ones, narrowest first.
fn costs<C: Compression<Word: Jobs>>(interleaved: bool, plan: Plan) -> Vec<(&'static str, f64)>
where
    Backend: HasKernels<C>,
{
    let words = |bytes: usize| bytes / C::Word::BYTES;
    // a kernel of two instruction sets runs only under a policy that chooses it
    let kernels: [(&str, &[&str], usize); 8] = [
        ("one", &["auto"], 1),
        ("pair", &["shani"], 2),
        ("triple", &["shani+avx", "shani"], 3),
        ("quarter", &["sse41"], words(16)),
        ("eight", &["shani+avx512vl"], 8),
        ("half", &["avx512vl", "avx2"], words(32)),
        ("full", &["avx512"], words(64)),
        ("two", &["avx512"], words(128)),
    ];
    // by live lanes, the least cycles with the kernels so far
    let mut least = vec![0.0];
    let mut found = Vec::new();
    for (kernel, names, lanes) in kernels {
        let backend = names.iter().find_map(|name| {
            let chooses = |backend: &Backend| {
                *name == "auto" || HasKernels::<C>::kernel_name(backend, lanes) == *name
            };
            let forced = name.parse().ok().filter(chooses);
            forced.or_else(|| Backend::policies().find(chooses))
        });
        let (Some(backend), true) = (backend, lanes <= max_lanes::<C>()) else { continue };
        let cycles = cycles::<C>(backend, lanes, interleaved, plan);
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
    found.into_iter().map(|(kernel, _, cycles)| (kernel, cycles)).collect()
}

/// Cycles of one step of `lanes` lanes, all live.
fn cycles<C: Compression<Word: Jobs>>(
    backend: Backend,
    lanes: usize,
    interleaved: bool,
    plan: Plan,
) -> f64
where
    Backend: HasKernels<C>,
{
    // rows of a tree are as wide as all lanes, also where few of them are computed
    let row = max_lanes::<C>();
    let data = vec![0x5a; row * LANE];
    let runs: Vec<&[u8]> = data.chunks(LANE).collect();
    let blocks = LANE / C::BLOCK;
    let kernels = HasKernels::<C>::kernels(&backend);
    let mut states = LaneBuffer::new(kernels.shape);
    let mut step = || {
        let input = match interleaved {
            true => LaneInput::Interleaved(Interleaved { data: &data, lanes: row }),
            false => LaneInput::Runs(&runs),
        };
        kernels.advance(black_box(&mut states).states(), input, lanes, blocks, &[]);
    };
    let mut steps = 0_u32;
    let mut round = || {
        let ghz = clock::gigahertz();
        let begun = plan.watch.now();
        steps = 0;
        while plan.watch.now() - begun < plan.slice {
            (0..16).for_each(|_| step());
            steps += 16;
        }
        let nanoseconds = (plan.watch.now() - begun).as_secs_f64() * 1e9;
        nanoseconds * ghz / (f64::from(steps) * blocks as f64)
    };
    let mut rounds: Vec<f64> = iter::repeat_with(&mut round).take(plan.rounds.max(3)).collect();
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

impl fmt::Display for CostRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, costs: &[(&str, f64)]| -> fmt::Result {
            for (i, (kernel, cycles)) in costs.iter().enumerate() {
                write!(f, "{}{kernel} {cycles:.0}", if i > 0 { ", " } else { "" })?;
            }
            Ok(())
        };
        write!(f, "{}: {{ ", self.class)?;
        list(f, &self.costs[0])?;
        f.write_str(" } interleaved { ")?;
        list(f, &self.costs[1])?;
        f.write_str(" };")
    }
}
