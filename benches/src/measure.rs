//! Runs contestants alternately and times them.
//!
//! A contestant is a closure that does one known piece of work and leaves digests behind. Rounds
//! go A B C A B C ...; in a round each contestant repeats its work for long enough that the
//! stopwatch does not matter. Digests are cleared before and compared after each of them, outside
//! the timed part.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::clock::{self, Stopwatch};

/// Does the work once and writes its digests.
pub(crate) type Run<'a> = Box<dyn FnMut(&mut [u8]) + Send + 'a>;

/// How often and how long contestants run, and the clock that times them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    pub(crate) rounds: usize,
    /// The least time that a contestant runs in a round.
    pub(crate) min_time: Duration,
    /// The clock that times them.
    pub(crate) stopwatch: Stopwatch,
}

/// Work that is timed, and the digests that it must give.
pub(crate) struct Contestant<'a> {
    /// The name in tables.
    pub(crate) name: String,
    run: Run<'a>,
    expected: Vec<u8>,
    digests: Vec<u8>,
}

impl<'a> Contestant<'a> {
    /// Work that gives `digest_bytes` bytes of digests. It is run once here, for its digests.
    pub(crate) fn new(name: &str, digest_bytes: usize, mut run: Run<'a>) -> Self {
        let mut expected = vec![0; digest_bytes];
        run(&mut expected);
        Self { name: name.to_owned(), run, expected, digests: vec![0; digest_bytes] }
    }

    /// Fails if `self` and `other` give different digests.
    pub(crate) fn agrees_with(&self, other: &Self) -> Result<()> {
        ensure!(
            self.expected == other.expected,
            "{} and {} give different digests",
            self.name,
            other.name
        );
        Ok(())
    }

    /// How often the work must be repeated to take `min_time`.
    fn repetitions(&mut self, timing: Timing) -> u32 {
        let mut repetitions = 1;
        loop {
            let elapsed = self.repeat(repetitions, timing.stopwatch);
            if elapsed >= timing.min_time || repetitions >= 1 << 24 {
                return repetitions;
            }
            let wanted = timing.min_time.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
            let step = (wanted * 1.1).ceil().clamp(2.0, 64.0);
            repetitions *= step as u32;
        }
    }

    fn repeat(&mut self, repetitions: u32, stopwatch: Stopwatch) -> Duration {
        let start = stopwatch.now();
        for _ in 0..repetitions {
            (self.run)(&mut self.digests);
        }
        stopwatch.now() - start
    }

    /// Seconds that the work takes once.
    fn time(&mut self, repetitions: u32, stopwatch: Stopwatch) -> Result<f64> {
        self.digests.fill(0);
        let elapsed = self.repeat(repetitions, stopwatch);
        ensure!(self.digests == self.expected, "{} gave other digests than before", self.name);
        Ok(elapsed.as_secs_f64() / f64::from(repetitions))
    }
}

/// The times of all contestants.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    /// For each contestant, the seconds that its work took in each round.
    pub(crate) times: Vec<Samples>,
    /// The core's clock in GHz, once a round.
    pub(crate) clock_ghz: Samples,
}

/// Times all contestants, alternately.
pub(crate) fn alternate(contestants: &mut [Contestant<'_>], timing: Timing) -> Result<Measurement> {
    let repetitions: Vec<u32> =
        contestants.iter_mut().map(|contestant| contestant.repetitions(timing)).collect();
    let mut times = vec![Vec::with_capacity(timing.rounds); contestants.len()];
    let mut clocks = Vec::with_capacity(timing.rounds);
    for _ in 0..timing.rounds {
        clocks.push(clock::gigahertz());
        for (i, contestant) in contestants.iter_mut().enumerate() {
            times[i].push(contestant.time(repetitions[i], timing.stopwatch)?);
        }
    }
    Ok(Measurement { times: times.into_iter().map(Samples).collect(), clock_ghz: Samples(clocks) })
}

/// One figure a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(pub(crate) Vec<f64>);

impl Samples {
    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Half the distance between the quartiles, relative to the median.
    pub(crate) fn spread(&self) -> f64 {
        (self.quantile(0.75) - self.quantile(0.25)) / 2.0 / self.median()
    }

    /// `other / self`, round by round: our speed-up over `other`.
    pub(crate) fn speed_up_over(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(ours, theirs)| theirs / ours).collect())
    }

    /// A value that the fraction `q` of them does not exceed, interpolated.
    pub(crate) fn quantile(&self, q: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = q * (sorted.len() - 1) as f64;
        let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
        low + (high - low) * at.fract()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONCE: Timing =
        Timing { rounds: 3, min_time: Duration::ZERO, stopwatch: Stopwatch::Thread };

    #[test]
    fn median_and_spread_interpolate() {
        let samples = Samples(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!(samples.median(), 2.5);
        assert_eq!(samples.spread(), 0.75 / 2.5);
    }

    #[test]
    fn speed_up_is_taken_round_by_round() {
        let (ours, theirs) = (Samples(vec![1.0, 2.0]), Samples(vec![3.0, 4.0]));
        assert_eq!(ours.speed_up_over(&theirs).0, [3.0, 2.0]);
    }

    #[test]
    fn every_contestant_is_timed_in_every_round() {
        let mut contestants =
            [Contestant::new("a", 1, Box::new(|_| ())), Contestant::new("b", 1, Box::new(|_| ()))];
        let measured = alternate(&mut contestants, ONCE).unwrap();
        assert!(measured.times.iter().all(|times| times.0.len() == 3));
    }

    #[test]
    fn digests_that_change_are_an_error() {
        let mut runs = 0;
        let run = move |out: &mut [u8]| {
            runs += 1;
            out[0] = runs;
        };
        assert!(alternate(&mut [Contestant::new("fickle", 1, Box::new(run))], ONCE).is_err());
    }

    #[test]
    fn different_digests_do_not_agree() {
        let digest = |byte| Contestant::new("", 1, Box::new(move |out| out[0] = byte));
        assert!(digest(1).agrees_with(&digest(1)).is_ok());
        assert!(digest(1).agrees_with(&digest(2)).is_err());
    }
}
