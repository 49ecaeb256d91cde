//! Clocks: wall time, a thread's time, and the frequency of the core.
//!
//! Time-stamp counters run at a fixed rate, and hypervisors hide the core's frequency, so it is measured. A chain
//! of dependent 64-bit multiplications runs at one per three cycles on every x86-64 core since Nehalem and Zen,
//! and on the Arm cores that we know: its time gives the length of a cycle.

use std::{hint::black_box, time::Duration};

use nix::time::{ClockId, clock_gettime};

/// The clock that counts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopwatch {
    /// The wall clock: for work on several threads or in other processes.
    Wall,
    /// The time that this thread ran: other processes that want the core do not count.
    Thread,
}

impl Stopwatch {
    /// Time since some fixed moment.
    pub(crate) fn now(self) -> Duration {
        let id = match self {
            Self::Wall => ClockId::CLOCK_MONOTONIC,
            Self::Thread => ClockId::CLOCK_THREAD_CPUTIME_ID,
        };
        clock_gettime(id).expect("POSIX has these clocks").into()
    }
}

/// Cycles from one multiplication to the next that needs its result.
const MULTIPLY_LATENCY: f64 = 3.0;
/// About a millisecond: long enough for the stopwatch, short compared with a round.
const SQUARES: u32 = 1 << 20;

/// Cycles per nanosecond, now.
pub(crate) fn gigahertz() -> f64 {
    let start = Stopwatch::Thread.now();
    black_box(squarings(black_box(0x9e37_79b9_7f4a_7c15), SQUARES));
    f64::from(SQUARES) * MULTIPLY_LATENCY / ((Stopwatch::Thread.now() - start).as_secs_f64() * 1e9)
}

/// Squares `n` times. Squares, because a chain of products with one factor could be re-associated.
fn squarings(mut x: u64, n: u32) -> u64 {
    for _ in 0..n {
        x = x.wrapping_mul(x);
    }
    x
}
