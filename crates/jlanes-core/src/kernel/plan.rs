//! Plans: the kernel for each number of live lanes.
//!
//! [`Costs`] have the cycles of one *step* of each kernel: one block in each of its lanes, live or not. From
//! them a plan determines at compile time the fastest kernels for any number of live lanes, the number of
//! lanes worth keeping filled, and the cost of a batch on one or two threads.

use crate::compression::MAX_LANES;

/// A kind of kernel, named by its number of streams, or by the bits of its registers. Portable arrays of lanes are
/// [`Bits512`](Self::Bits512), whatever their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelKind {
    /// One stream, by dedicated instructions or in scalar registers.
    Streams1,
    /// Two interleaved streams.
    Streams2,
    /// Three interleaved streams.
    Streams3,
    /// Four interleaved streams.
    Streams4,
    /// Eight streams with schedules in vectors.
    Streams8,
    /// One register of 128 bits.
    Bits128,
    /// One register of 256 bits.
    Bits256,
    /// One register of 512 bits.
    Bits512,
    /// Two interleaved registers of 512 bits.
    Bits1024,
}

impl KernelKind {
    /// The lanes of such a kernel, for words of `word` bytes.
    #[must_use]
    pub const fn lanes(self, word: usize) -> usize {
        match self {
            Self::Streams1 => 1,
            Self::Streams2 => 2,
            Self::Streams3 => 3,
            Self::Streams4 => 4,
            Self::Streams8 => 8,
            Self::Bits128 => 16 / word,
            Self::Bits256 => 32 / word,
            Self::Bits512 => 64 / word,
            Self::Bits1024 => 128 / word,
        }
    }

    /// Whether all lanes of such a kernel must be live: vectors may have idle lanes, but an idle stream has no
    /// message.
    #[must_use]
    pub const fn needs_live_lanes(self) -> bool {
        matches!(
            self,
            Self::Streams1 | Self::Streams2 | Self::Streams3 | Self::Streams4 | Self::Streams8
        )
    }
}

/// Cycles of one step of each kernel: one block in each of its lanes. 0 means that the kernel does
/// not exist or is never worth using.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    /// [`KernelKind::Streams1`].
    pub streams1: u32,
    /// [`KernelKind::Streams2`].
    pub streams2: u32,
    /// [`KernelKind::Streams3`].
    pub streams3: u32,
    /// [`KernelKind::Streams4`].
    pub streams4: u32,
    /// [`KernelKind::Streams8`].
    pub streams8: u32,
    /// [`KernelKind::Bits128`].
    pub bits128: u32,
    /// [`KernelKind::Bits256`].
    pub bits256: u32,
    /// [`KernelKind::Bits512`].
    pub bits512: u32,
    /// [`KernelKind::Bits1024`].
    pub bits1024: u32,
}

impl Costs {
    /// No kernels.
    pub const NONE: Self = Self {
        streams1: 0,
        streams2: 0,
        streams3: 0,
        streams4: 0,
        streams8: 0,
        bits128: 0,
        bits256: 0,
        bits512: 0,
        bits1024: 0,
    };

    /// The kernels, widest first, with the lanes of each and their costs.
    #[must_use]
    pub const fn kernels(&self, word: usize) -> [(KernelKind, usize, u32); 9] {
        const fn row(kind: KernelKind, word: usize, cost: u32) -> (KernelKind, usize, u32) {
            (kind, kind.lanes(word), cost)
        }
        [
            row(KernelKind::Bits1024, word, self.bits1024),
            row(KernelKind::Bits512, word, self.bits512),
            row(KernelKind::Streams8, word, self.streams8),
            row(KernelKind::Bits256, word, self.bits256),
            row(KernelKind::Bits128, word, self.bits128),
            row(KernelKind::Streams4, word, self.streams4),
            row(KernelKind::Streams3, word, self.streams3),
            row(KernelKind::Streams2, word, self.streams2),
            row(KernelKind::Streams1, word, self.streams1),
        ]
    }
}

/// The kernel for the first of each number of live lanes, from [`Costs`]. The remaining lanes are looked up
/// again.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    costs: Costs,
    kinds: [KernelKind; MAX_LANES + 1],
    lanes_to_fill: u8,
}

impl Plan {
    /// The best plan for these costs, for words of `word` bytes and no more than `max_lanes` lanes.
    #[must_use]
    pub const fn new(costs: Costs, word: usize, max_lanes: usize) -> Self {
        let kernels = costs.kernels(word);
        let mut kinds = [KernelKind::Streams1; MAX_LANES + 1];
        let mut cycles = [0; MAX_LANES + 1];
        let mut live = 1;
        while live <= MAX_LANES {
            cycles[live] = u32::MAX;
            let mut k = 0;
            while k < kernels.len() {
                let (kind, lanes, cost) = kernels[k];
                let rest = live.saturating_sub(lanes);
                let fits = lanes <= if kind.needs_live_lanes() { live } else { max_lanes };
                // The widest among equals, so that a kernel's lanes start at a multiple of their
                // number.
                if cost > 0 && fits && cost + cycles[rest] < cycles[live] {
                    cycles[live] = cost + cycles[rest];
                    kinds[live] = kind;
                }
                k += 1;
            }
            live += 1;
        }
        Self { costs, kinds, lanes_to_fill: fewest_efficient_lanes(&cycles, max_lanes) as u8 }
    }

    /// The plan for a single kernel of `lanes` lanes.
    #[must_use]
    pub const fn only(lanes: usize) -> Self {
        let kind = if lanes > 1 { KernelKind::Bits512 } else { KernelKind::Streams1 };
        let costs = Costs { streams1: 1, bits512: 1, ..Costs::NONE };
        Self { costs, kinds: [kind; MAX_LANES + 1], lanes_to_fill: lanes as u8 }
    }

    /// The kernel for the first of `live` lanes.
    #[inline(always)]
    #[must_use]
    pub const fn kind(&self, live: usize) -> KernelKind {
        self.kinds[if live < MAX_LANES { live } else { MAX_LANES }]
    }

    /// The number of lanes worth keeping filled: more are hardly faster per lane.
    #[inline(always)]
    #[must_use]
    pub const fn lanes_to_fill(&self) -> usize {
        self.lanes_to_fill as usize
    }

    /// Cycles of one step of `live` lanes, for words of `word` bytes.
    #[must_use]
    #[allow(clippy::missing_panics_doc)] // kinds come from the list
    pub fn cycles(&self, word: usize, mut live: usize) -> u32 {
        let kernels = self.costs.kernels(word);
        let mut cycles = 0;
        while live > 0 {
            let kind = self.kind(live);
            let kernel = kernels.iter().find(|(other, ..)| *other == kind);
            let (_, lanes, cost) = *kernel.expect("every kind is in the list");
            cycles += cost;
            live = live.saturating_sub(lanes);
        }
        cycles
    }
}

/// The smallest number of lanes within 3 % of the best time per lane.
const fn fewest_efficient_lanes(cycles: &[u32; MAX_LANES + 1], max_lanes: usize) -> usize {
    const fn product(a: u32, b: usize) -> u64 {
        a as u64 * b as u64
    }
    let (mut best, mut lanes) = (1, 2);
    while lanes <= max_lanes {
        if product(cycles[lanes], best) < product(cycles[best], lanes) {
            best = lanes;
        }
        lanes += 1;
    }
    lanes = 1;
    while product(cycles[lanes], best) * 100 > product(cycles[best], lanes) * 103 {
        lanes += 1;
    }
    lanes
}

/// The kinds of input with different costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// Blocks of messages, each contiguous.
    Contiguous,
    /// The words of one message, round-robin. Vectors load them as they are; streams have to gather
    /// theirs.
    Interleaved,
    /// Few blocks, with states or padding that vectors load as they are; and digests, one block
    /// each. The costs are those of [`Contiguous`](Self::Contiguous), but without
    /// [`Streams8`](KernelKind::Streams8): there is no schedule to compute ahead.
    Short,
}

impl InputKind {
    /// The number of kinds.
    pub const COUNT: usize = Self::Short as usize + 1;
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    /// Plans for any costs of two kernels, equal ones among them.
    #[test]
    fn streams_are_never_more_than_live_lanes() {
        let costs = [0, 99, 100, 101, 150, 250];
        for (streams1, streams2, streams3) in
            costs.iter().flat_map(|pair| costs.iter().map(move |triple| (100, *pair, *triple)))
        {
            for (bits256, streams4, streams8) in
                [(0, 0, 0), (100, 150, 300), (300, 0, 300), (300, 150, 100)]
            {
                let costs = Costs {
                    streams1,
                    streams2,
                    streams3,
                    streams4,
                    bits256,
                    streams8,
                    ..Costs::NONE
                };
                let plan = Plan::new(costs, 4, 16);
                for live in 1..=16 {
                    let kind = plan.kind(live);
                    assert!(!kind.needs_live_lanes() || live >= kind.lanes(4), "{plan:?}");
                }
            }
        }
    }

    #[test]
    fn kernels_come_widest_first() {
        let costs = Costs {
            streams1: 1,
            streams2: 2,
            streams3: 3,
            streams4: 4,
            bits128: 5,
            bits256: 6,
            streams8: 7,
            bits512: 8,
            bits1024: 9,
        };
        let kernels = |[bits1024, bits512, bits256, bits128]: [usize; 4]| {
            [
                (KernelKind::Bits1024, bits1024, 9),
                (KernelKind::Bits512, bits512, 8),
                (KernelKind::Streams8, 8, 7),
                (KernelKind::Bits256, bits256, 6),
                (KernelKind::Bits128, bits128, 5),
                (KernelKind::Streams4, 4, 4),
                (KernelKind::Streams3, 3, 3),
                (KernelKind::Streams2, 2, 2),
                (KernelKind::Streams1, 1, 1),
            ]
        };
        assert_eq!(costs.kernels(4), kernels([32, 16, 8, 4]));
        assert_eq!(costs.kernels(8), kernels([16, 8, 4, 2]));
    }

    /// Costs of some kernels; others are missing. The range is small, so that equal sums are
    /// frequent.
    fn some_costs(seed: u64) -> Costs {
        let random = jlanes_testing::message(seed, 8);
        let cost = |i: usize| match random[i] % 4 {
            0 => 0,
            step => 50 * u32::from(step) + u32::from(random[i] / 64),
        };
        Costs {
            streams1: cost(0).max(1),
            streams2: cost(1),
            streams3: cost(2),
            streams4: 2 * cost(7),
            streams8: 2 * cost(3),
            bits128: cost(4),
            bits256: 2 * cost(5),
            bits512: 2 * cost(6),
            bits1024: 3 * cost(7),
        }
    }

    /// Checks plans by such costs.
    fn check_plans(check: impl Fn(&Plan, usize, usize)) {
        for costs in (0..300).map(some_costs) {
            for (word, max_lanes) in [(4, 32), (4, 16), (8, 16)] {
                check(&Plan::new(costs, word, max_lanes), word, max_lanes);
            }
        }
    }

    #[test]
    fn no_other_kernel_would_cost_less() {
        check_plans(|plan, word, max_lanes| {
            let cycles = |live| plan.cycles(word, live);
            for live in 1..=max_lanes {
                let fits =
                    plan.costs.kernels(word).into_iter().filter_map(|(kind, lanes, cost)| {
                        let room = if kind.needs_live_lanes() { live } else { max_lanes };
                        (cost > 0 && lanes <= room)
                            .then(|| (kind, cost + cycles(live.saturating_sub(lanes))))
                    });
                let fits: std::vec::Vec<_> = fits.collect();
                let least = fits.iter().map(|(_, cycles)| *cycles).min();
                let case = std::format!("{live} of {max_lanes} lanes, {:?}", plan.costs);
                assert_eq!(Some(cycles(live)), least, "{case}");
                // the widest of the cheapest
                let first = fits.iter().find(|(_, cycles)| Some(*cycles) == least);
                assert_eq!(Some(plan.kind(live)), first.map(|(kind, _)| *kind), "{case}");
            }
            assert_eq!(plan.kind(1000), plan.kind(MAX_LANES));
        });
    }

    #[test]
    fn more_lanes_than_enough_are_hardly_faster() {
        check_plans(|plan, word, max_lanes| {
            let a_lane = |lanes| f64::from(plan.cycles(word, lanes)) / lanes as f64;
            let best = (1..=max_lanes).map(a_lane).fold(f64::INFINITY, f64::min);
            let is_enough = |lanes: &usize| a_lane(*lanes) <= best * (1.03 + 1e-9);
            assert_eq!(
                Some(plan.lanes_to_fill()),
                (1..=max_lanes).find(is_enough),
                "{:?}",
                plan.costs
            );
        });
    }
}
