//! Two versions of a crate, timed alternately, with equal results.

use std::{
    fmt::Debug,
    hint::black_box,
    time::{Duration, Instant},
};

use rustix::time::{ClockId, clock_gettime};

/// The duration of a contest, and the smallest number of rounds.
const LONG_ENOUGH: Duration = Duration::from_secs(3);
const ROUNDS: usize = 5;

/// Prints the best time of both versions: other programs disturbed it least. `scale` is the number of
/// operations in a run.
pub fn contest<T: PartialEq + Debug>(
    what: &str,
    scale: u32,
    mut theirs: impl FnMut() -> T,
    mut ours: impl FnMut() -> T,
) {
    let begin = Instant::now();
    let (mut before, mut after, mut round) = (Duration::MAX, Duration::MAX, 0);
    while round < ROUNDS || begin.elapsed() < LONG_ENOUGH {
        let right = timed(&mut before, &mut theirs);
        let result = timed(&mut after, &mut ours);
        assert_eq!(result, right, "{what}");
        round += 1;
    }
    let gain = before.as_secs_f64() / after.as_secs_f64();
    println!("{what}: {:.3?} before, {:.3?} after, gain {gain:.2}", before / scale, after / scale);
}

fn timed<T>(best: &mut Duration, job: &mut impl FnMut() -> T) -> T {
    let begin = now();
    let result = black_box(job());
    *best = (now() - begin).min(*best);
    result
}

/// The time that this thread has had a CPU: other programs do not count.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Bytes that repeat nowhere, the same ones every time.
#[allow(dead_code)] // not every comparison needs it
pub fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend(state.to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}
