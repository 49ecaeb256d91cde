//! Two ways to do one job, timed alternately.

use std::{
    error::Error,
    fmt,
    time::{Duration, Instant},
};

/// Versions of the crates that the examples are built with.
const LOCK: &str = include_str!("../../Cargo.lock");
/// The duration of a contest, within these limits of rounds.
const LONG_ENOUGH: Duration = Duration::from_millis(1200);
const ROUNDS: [usize; 2] = [3, 100];

/// Times jobs both ways, and requires equal results.
#[derive(Debug, Default)]
pub struct Contest {
    gains: Vec<String>,
    times: [Duration; 2],
}

/// The error for different results.
#[derive(Debug)]
pub struct Differs {
    work: String,
    peer: String,
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the result is not that of {}", self.work, self.peer)
    }
}

impl Error for Differs {}

impl Contest {
    /// Runs `work` with the peer and with jlanes alternately, prints the best time of each, and
    /// returns the result.
    ///
    /// The best of several times is the one that other programs disturbed least; the runs alternate
    /// because a CPU's clock changes over time.
    ///
    /// # Errors
    /// [`Differs`] if the results differ.
    pub fn run<T: PartialEq>(
        &mut self,
        work: &str,
        peer: &str,
        mut theirs: impl FnMut() -> T,
        mut ours: impl FnMut() -> T,
    ) -> Result<T, Differs> {
        let begin = Instant::now();
        let (mut before, mut after) = (Duration::MAX, Duration::MAX);
        let mut round = 0;
        loop {
            let right = timed(&mut before, &mut theirs);
            let result = timed(&mut after, &mut ours);
            if result != right {
                return Err(Differs { work: work.into(), peer: peer.into() });
            }
            round += 1;
            let enough = round >= ROUNDS[0] && begin.elapsed() >= LONG_ENOUGH;
            if enough || round == ROUNDS[1] {
                println!("{work}: {} with {peer}, {} with jlanes", ms(before), ms(after));
                let gain = before.as_secs_f64() / after.as_secs_f64();
                self.gains.push(format!("gain: {gain:.1}x over {peer}, {work}"));
                self.times = [before, after];
                return Ok(result);
            }
        }
    }

    /// The best times of the last comparison: before, and with jlanes.
    #[must_use]
    pub fn times(&self) -> [Duration; 2] {
        self.times
    }

    /// Prints the gain of each comparison.
    pub fn end(self) {
        for gain in self.gains {
            println!("{gain}");
        }
    }
}

fn timed<T>(best: &mut Duration, job: &mut impl FnMut() -> T) -> T {
    let begin = Instant::now();
    let result = job();
    *best = begin.elapsed().min(*best);
    result
}

/// A time in milliseconds, with its unit, to three digits.
#[must_use]
pub fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    let decimals = 2 - (ms.log10().floor() as i64).clamp(-2, 2);
    format!("{ms:.0$} ms", decimals as usize)
}

/// A crate's name with the newest version that the examples are built with.
#[must_use]
pub fn peer(name: &str) -> String {
    let head = format!("name = \"{name}\"\nversion = \"");
    let versions = LOCK.split(&head).skip(1).filter_map(|rest| rest.split('"').next());
    format!("{name} {}", versions.last().unwrap_or("of another lock file"))
}
