//! Lists of messages to be hashed, described by their lengths.

pub(crate) const KIB: usize = 1024;
pub(crate) const MIB: usize = 1024 * KIB;

/// The lengths of some messages.
#[derive(Clone, Debug)]
pub(crate) struct Workload {
    description: String,
    lengths: Vec<usize>,
}

impl Workload {
    pub(crate) fn equal(count: usize, length: usize) -> Self {
        let description = format!("{count} x {}", human(length));
        Self { description, lengths: vec![length; count] }
    }

    /// `count` messages with log-normal lengths: the logarithm has the given median and the
    /// standard deviation 1, as sizes of source files have.
    pub(crate) fn log_normal(count: usize, median: usize) -> Self {
        let description = format!("{count} log-normal, {}", human(median));
        let mut random = SplitMix64(count as u64);
        let mut length = || (median as f64 * random.normal().exp()) as usize;
        Self { description, lengths: (0..count).map(|_| length()).collect() }
    }

    /// `count` messages with log-normal lengths like those of git objects, of a standard deviation of
    /// 1.5, and at most `longest`.
    pub(crate) fn git_objects(count: usize, median: usize, longest: usize) -> Self {
        let description = format!("{count} objects, {}", human(median));
        let mut random = SplitMix64(count as u64);
        let mut length = || (median as f64 * (1.5 * random.normal()).exp()) as usize;
        Self { description, lengths: (0..count).map(|_| length().clamp(1, longest)).collect() }
    }

    /// `count` messages of any lengths from `low` to `high`, all equally likely.
    pub(crate) fn uniform(count: usize, low: usize, high: usize) -> Self {
        let description = format!("{count} of {low} to {high} B");
        let mut random = SplitMix64(count as u64);
        let mut length = || low + (random.word() % (high + 1 - low) as u64) as usize;
        Self { description, lengths: (0..count).map(|_| length()).collect() }
    }

    /// `count` messages with lengths spread evenly on a logarithmic scale from `low` to `high`, in no
    /// order.
    pub(crate) fn log_uniform(count: usize, low: usize, high: usize) -> Self {
        let description = format!("{count} of {} to {}", human(low), human(high));
        let step = (high as f64 / low as f64).ln() / (count - 1).max(1) as f64;
        let mut lengths: Vec<usize> =
            (0..count).map(|i| (low as f64 * (step * i as f64).exp()).round() as usize).collect();
        let mut random = SplitMix64(count as u64);
        for i in (1..count).rev() {
            lengths.swap(i, (random.word() % (i as u64 + 1)) as usize);
        }
        Self { description, lengths }
    }

    /// Messages of `length` bytes, then one of `long` bytes, which runs on when the other lanes are empty.
    pub(crate) fn with_straggler(count: usize, length: usize, long: usize) -> Self {
        let description = format!("{count} x {} + 1 x {}", human(length), human(long));
        let mut lengths = vec![length; count];
        lengths.push(long);
        Self { description, lengths }
    }

    pub(crate) fn description(&self) -> &str {
        &self.description
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.lengths.iter().map(|&length| length as u64).sum()
    }

    pub(crate) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The messages, filled with bytes that repeat on every machine.
    ///
    /// Each is an allocation of its own, as messages are in a program: neighbours in one buffer
    /// at a distance of a power of two would fight for the same cache sets.
    pub(crate) fn messages(&self) -> Vec<Vec<u8>> {
        let mut random = SplitMix64(0x6a6c_616e_6573);
        self.lengths.iter().map(|&length| random.bytes(length)).collect()
    }
}

/// `n` bytes in the largest unit that divides them.
pub(crate) fn human(n: usize) -> String {
    match n {
        _ if n >= MIB && n.is_multiple_of(MIB) => format!("{} MiB", n / MIB),
        _ if n >= KIB && n.is_multiple_of(KIB) => format!("{} KiB", n / KIB),
        _ => format!("{n} B"),
    }
}

/// Steele, Lea and Flood's generator: five lines that give the same bytes for ever, which no
/// random-number crate promises across versions.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn bytes(&mut self, n: usize) -> Vec<u8> {
        let mut bytes = vec![0; n];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        bytes
    }

    /// Uniform in `(0, 1)`.
    pub(crate) fn unit(&mut self) -> f64 {
        ((self.word() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Standard normal, by Box and Muller's transform.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (core::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_the_same_every_time_and_have_the_lengths() {
        let workload = Workload::with_straggler(3, 5, 70);
        let messages = workload.messages();
        assert_eq!(messages, workload.messages());
        assert!(messages.iter().map(Vec::len).eq([5, 5, 5, 70]));
        assert_eq!(workload.bytes(), 85);
    }

    #[test]
    fn log_normal_lengths_have_their_median() {
        let mut lengths = Workload::log_normal(10_001, 4 * KIB).lengths().to_vec();
        lengths.sort_unstable();
        assert!((3_900..4_300).contains(&lengths[5_000]), "{}", lengths[5_000]);
    }

    #[test]
    fn log_uniform_lengths_reach_from_end_to_end() {
        let mut lengths = Workload::log_uniform(101, 10, 1000).lengths().to_vec();
        assert!(!lengths.is_sorted());
        lengths.sort_unstable();
        assert_eq!((lengths[0], lengths[50], lengths[100]), (10, 100, 1000));
    }

    #[test]
    fn sizes_are_written_in_the_largest_unit() {
        assert_eq!([0, 1000, 2048, 3 * MIB].map(human), ["0 B", "1000 B", "2 KiB", "3 MiB"]);
    }
}
