//! Which kernel is best for how many live lanes, and where the policy chooses another.

use anyhow::Result;
use jlanes::{Backend, Sha256, multi::MultiDigest};
use jlanes_core::{engine::Engine, hash::HashFunction};

use crate::{
    measure::{Plan, alternate},
    method::{Method, forced},
    workload::{KIB, Workload},
};

/// What the policy may lose to the best kernel before it is called off.
const TOLERANCE: f64 = 0.05;
/// Long enough that starts and ends of messages do not count.
const MESSAGE: usize = 16 * KIB;

/// Measures and prints the policy table of every hash.
///
/// # Errors
/// If two backends give different digests.
pub fn run(plan: Plan) -> Result<()> {
    hash::<Sha256>("SHA-256", plan)
}

/// Prints the table of `H`: bytes of live lanes a nanosecond, by backend.
fn hash<H>(name: &str, plan: Plan) -> Result<()>
where
    H: MultiDigest<Engine = Backend>,
    Backend: Engine<<H::Function as HashFunction>::Compression>,
{
    let forced_names = Backend::available().map(|backend| backend.name());
    let names: Vec<_> = forced_names.filter(|name| *name != "auto").chain(["auto"]).collect();
    println!("{name}: GB/s of live lanes");
    print!("live");
    names.iter().for_each(|name| print!(" {name:>9}"));
    println!("  best      auto takes");

    let lanes = H::engine().lanes();
    let mut losses = Vec::new();
    for live in 1..=lanes.max(16) {
        let methods: Vec<Method> = names.iter().map(|name| forced::<H>(name)).collect();
        let line = Line::measure(live, &methods, plan)?;
        println!("{line}  {}", H::engine().kernel(live));
        losses.extend(line.loss());
    }
    match losses.as_slice() {
        [] => println!("the policy is within {:.0} % of the best everywhere", TOLERANCE * 100.0),
        losses => losses.iter().for_each(|loss| println!("{loss}")),
    }
    println!();
    Ok(())
}

/// One number of live lanes.
struct Line {
    live: usize,
    /// Each backend's speed, `auto` last.
    speeds: Vec<(String, f64)>,
}

impl Line {
    fn measure(live: usize, methods: &[Method], plan: Plan) -> Result<Self> {
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
        let speeds = contestants.iter().zip(measured.times);
        let speeds = speeds.map(|(who, times)| (who.name.clone(), speed(times.median()))).collect();
        Ok(Self { live, speeds })
    }

    fn best(&self) -> &(String, f64) {
        let forced = &self.speeds[..self.speeds.len() - 1];
        forced.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("portable is always there")
    }

    fn auto(&self) -> f64 {
        self.speeds.last().expect("auto is always there").1
    }

    /// What to say where the policy loses.
    fn loss(&self) -> Option<String> {
        let (best, speed) = self.best();
        let lost = 1.0 - self.auto() / speed;
        (lost > TOLERANCE)
            .then(|| format!("{} live: auto loses {:.0} % to {best}", self.live, lost * 100.0))
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:4}", self.live)?;
        self.speeds.iter().try_for_each(|(_, speed)| write!(f, " {speed:9.2}"))?;
        write!(f, "  {:9}", self.best().0)
    }
}
