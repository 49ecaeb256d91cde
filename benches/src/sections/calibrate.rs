//! Which kernel is best for how many live lanes, and where the policy chooses another.

use std::fmt;

use anyhow::Result;
use jlanes::{
    Backend, Blake2b512, Blake2s256, Md5, Ripemd160, Sha1, Sha1Checked, Sha3_256, Sha256, Sha512,
    Sm3,
    multi::MultiDigest,
    skein::{Skein256, Skein512, Skein1024},
};
use jlanes_core::{
    compression::max_lanes, hash::HashFunction, hashes::blake3::Blake3Compression,
    kernel::HasKernels,
};
use serde::Serialize;

use crate::{
    clock,
    measure::{Plan, alternate},
    method::{Method, forced},
    workload::{KIB, Workload},
};

mod row;

use row::CostRow;

/// What the policy may lose to the best kernel before it is called off.
const TOLERANCE: f64 = 0.05;
/// Long enough that starts and ends of messages do not count.
const MESSAGE: usize = 16 * KIB;

/// The policy of one hash function on this CPU.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The hash function.
    pub hash: &'static str,
    /// What was measured: each backend alone, then `auto`.
    pub backends: Vec<&'static str>,
    /// The core's clock.
    pub clock_ghz: f64,
    /// A line for each number of live lanes from 1 up.
    pub lines: Vec<PolicyLine>,
    /// What each kernel costs.
    pub row: CostRow,
}

/// One figure of a policy, for a record.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyFigure {
    hash: &'static str,
    live: usize,
    backend: &'static str,
    gigabytes_per_second: f64,
}

/// One number of live lanes.
#[derive(Clone, Debug)]
pub struct PolicyLine {
    /// Live lanes.
    pub live: usize,
    /// Each backend's bytes of live lanes a nanosecond.
    pub speeds: Vec<f64>,
    /// The kernel that `auto` takes.
    pub kernel: &'static str,
}

/// Measures the policies of all hash functions, and prints each as soon as it is known.
///
/// # Errors
/// If two backends give different digests.
pub fn run(plan: Plan) -> Result<Vec<Policy>> {
    type Measure = fn(&'static str, Plan) -> Result<Policy>;
    let hashes: [(&str, Measure); 13] = [
        ("SHA-256", policy::<Sha256>),
        ("SHA-512", policy::<Sha512>),
        ("SHA-1", policy::<Sha1>),
        ("MD5", policy::<Md5>),
        ("RIPEMD-160", policy::<Ripemd160>),
        ("SM3", policy::<Sm3>),
        ("Skein-256", policy::<Skein256>),
        ("Skein-512", policy::<Skein512>),
        ("Skein-1024", policy::<Skein1024>),
        ("SHA-1 with detection", policy::<Sha1Checked>),
        ("SHA3-256", policy::<Sha3_256>),
        ("BLAKE2s", policy::<Blake2s256>),
        ("BLAKE2b", policy::<Blake2b512>),
    ];
    let policies = hashes.into_iter().map(|(hash, measure)| {
        let policy = measure(hash, plan)?;
        println!("{policy}");
        Ok(policy)
    });
    let policies = policies.collect::<Result<_>>()?;
    // one BLAKE3 digest fills the lanes itself: there are no messages to count
    println!("BLAKE3\n{}", CostRow::measure::<Blake3Compression>(plan));
    Ok(policies)
}

fn policy<H>(hash: &'static str, plan: Plan) -> Result<Policy>
where
    H: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<H::Function as HashFunction>::Compression>,
{
    let forced_names = Backend::available().map(|backend| backend.name());
    let backends: Vec<_> = forced_names.filter(|name| *name != "auto").chain(["auto"]).collect();
    let methods: Vec<Method> = backends.iter().map(|name| forced::<H>(name)).collect();
    let most = max_lanes::<<H::Function as HashFunction>::Compression>();
    let lines = (1..=most).map(|live| {
        let kernel = H::backend().kernel_name(live);
        Ok(PolicyLine { live, speeds: speeds(live, &methods, plan)?, kernel })
    });
    let lines = lines.collect::<Result<_>>()?;
    let row = CostRow::measure::<<H::Function as HashFunction>::Compression>(plan);
    Ok(Policy { hash, backends, clock_ghz: clock::gigahertz(), lines, row })
}

/// Each method's speed on `live` messages.
fn speeds(live: usize, methods: &[Method], plan: Plan) -> Result<Vec<f64>> {
    let workload = Workload::equal(live, MESSAGE);
    let messages = workload.messages();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut contestants: Vec<_> =
        methods.iter().filter_map(|method| method.contestant(&messages)).collect();
    for contestant in &contestants[1..] {
        contestants[0].agrees_with(contestant)?;
    }
    let measured = alternate(&mut contestants, plan)?;
    let speed = |seconds: f64| workload.bytes() as f64 / seconds / 1e9;
    Ok(measured.times.iter().map(|times| speed(times.median())).collect())
}

impl PolicyLine {
    /// The fastest single backend: its place and speed.
    fn best(&self) -> (usize, f64) {
        let forced = self.speeds[..self.speeds.len() - 1].iter().copied().enumerate();
        forced.max_by(|a, b| a.1.total_cmp(&b.1)).expect("portable is always there")
    }

    /// What `auto` loses to the best, if that is too much.
    fn loss(&self) -> Option<f64> {
        let auto = self.speeds.last().expect("auto is always there");
        let loss = 1.0 - auto / self.best().1;
        (loss > TOLERANCE).then_some(loss)
    }
}

impl Policy {
    /// All figures in one list.
    pub fn figures(&self) -> impl Iterator<Item = PolicyFigure> {
        self.lines.iter().flat_map(|line| {
            let speeds = self.backends.iter().zip(&line.speeds);
            speeds.map(|(backend, &gigabytes_per_second)| PolicyFigure {
                hash: self.hash,
                live: line.live,
                backend,
                gigabytes_per_second,
            })
        })
    }

    /// Where the shipped policy loses too much.
    #[must_use]
    pub fn losses(&self) -> Vec<String> {
        let loss = |line: &PolicyLine| {
            let (loss, best) = (line.loss()? * 100.0, self.backends[line.best().0]);
            Some(format!("{} live: auto loses {loss:.0} % to {best}", line.live))
        };
        self.lines.iter().filter_map(loss).collect()
    }

    /// What to say about the shipped policy.
    #[must_use]
    pub fn verdicts(&self) -> Vec<String> {
        let losses = self.losses();
        if losses.is_empty() {
            let tolerance = TOLERANCE * 100.0;
            return vec![format!("auto is within {tolerance:.0} % of the best everywhere")];
        }
        losses
    }
}

/// The table, for a terminal.
impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: GB/s of live lanes\nlive", self.hash)?;
        self.backends.iter().try_for_each(|name| write!(f, " {name:>9}"))?;
        writeln!(f, "  best      auto takes")?;
        for line in &self.lines {
            write!(f, "{:4}", line.live)?;
            line.speeds.iter().try_for_each(|speed| write!(f, " {speed:9.2}"))?;
            writeln!(f, "  {:9} {}", self.backends[line.best().0], line.kernel)?;
        }
        self.verdicts().iter().try_for_each(|verdict| writeln!(f, "{verdict}"))?;
        writeln!(f, "{}", self.row)
    }
}
