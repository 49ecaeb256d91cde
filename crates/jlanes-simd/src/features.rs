//! The instruction sets in use, and other criteria for choosing a kernel.

use core::sync::atomic::{AtomicU16, Ordering};

use jlanes_core::kernel;

use crate::target::{self, CpuClass, FORCED};

/// A set of instruction sets and marks. Each target defines its own instruction sets.
///
/// A mark is another requirement of a kernel: a user's choice, or a property of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sets(kernel::Sets);

impl Sets {
    pub(crate) const NONE: Self = Self(0);

    /// Mark: compute one stream by n-SMS, as a user asked for or because it is faster on the CPU.
    pub(crate) const N_SMS: Self = Self::mark(0);
    /// Mark: a round in one register of the widest vectors is bound by latency
    /// ([`SimdWord::LATENCY_BOUND`](jlanes_core::simd::lanes::SimdWord::LATENCY_BOUND)).
    pub(crate) const LATENCY_BOUND: Self = Self::mark(1);
    /// Mark: one stream of a hash without a schedule is faster in one lane of vectors than in
    /// scalar code, if vectors have instructions for rotation and three-operand logic.
    #[allow(dead_code)] // not set for any CPU of some targets
    pub(crate) const LANE: Self = Self::mark(2);
    /// Mark: one stream is faster in scalar code than with its own words in vectors.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const SCALAR: Self = Self::mark(3);

    /// Mark: several streams reach the limit of the instructions for rounds only in a certain order
    /// of instructions.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const ORDERED: Self = Self::mark(4);

    /// Mark: the instructions for rounds of a third stream fit between those of two.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const THREE_STREAMS: Self = Self::mark(5);

    /// Mark: rounds of one stream by instructions for them leave time for what is computed in vectors of 128 bits.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const INTERLEAVED: Self = Self::mark(6);

    /// Mark: no CPU has it.
    #[allow(dead_code)] // not used if every feature is enabled
    pub(crate) const NEVER: Self = Self::mark(7);

    /// The target's set number `index`, less than 8.
    pub(crate) const fn one(index: u32) -> Self {
        assert!(index < SETS, "there is no room for it");
        Self(1 << index)
    }

    const fn mark(index: u32) -> Self {
        Self(1 << (SETS + index))
    }

    #[inline(always)]
    pub(crate) const fn has(self, sets: Self) -> bool {
        self.0 & sets.0 == sets.0
    }

    #[inline(always)]
    pub(crate) const fn union(self, sets: Self) -> Self {
        Self(self.0 | sets.0)
    }

    const fn common(self, sets: Self) -> Self {
        Self(self.0 & sets.0)
    }

    /// The sets that were found; each comes with the result of its test.
    pub(crate) fn found<const N: usize>(sets: [(Self, bool); N]) -> Self {
        let found = sets.iter().filter(|(_, has)| *has);
        found.fold(Self::NONE, |sets, (set, _)| sets.union(*set))
    }

    /// The representation in tables of kernels.
    #[inline(always)]
    pub(crate) const fn bits(self) -> kernel::Sets {
        self.0
    }
}

/// The instruction sets found, and the policy for using them.
///
/// Only this module creates it, and only from the results of the target's `detect` or `has`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    sets: Sets,
    marks: Sets,
    class: CpuClass,
    /// Whether n-SMS was asked for; it may be the class's default, too.
    n_sms: bool,
}

/// A backend that can be forced.
#[derive(Debug)]
pub(crate) struct Forced {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its name with n-SMS.
    pub(crate) n_sms: &'static str,
    /// Its instruction sets.
    pub(crate) sets: Sets,
    /// The class with its plans.
    pub(crate) class: CpuClass,
}

/// The result of `detect`: the sets, and above them the class of the CPU. `UNKNOWN` until detection
/// has run.
static DETECTED: AtomicU16 = AtomicU16::new(UNKNOWN);
const UNKNOWN: u16 = u16::MAX;
/// The number of bits for sets.
const SETS: u32 = 8;

#[cold]
fn ask() -> u16 {
    let sets = target::detect();
    let bits = sets.0 | (CpuClass::of(sets) as u16) << SETS;
    DETECTED.store(bits, Ordering::Relaxed);
    bits
}

impl Features {
    /// No instruction sets.
    pub(crate) const NONE: Self =
        Self { sets: Sets::NONE, marks: Sets::NONE, class: CpuClass::Portable, n_sms: false };

    /// Everything that this CPU supports and that is used by default.
    #[inline]
    pub(crate) fn detect() -> Self {
        let bits = match DETECTED.load(Ordering::Relaxed) {
            UNKNOWN => ask(),
            bits => bits,
        };
        let class = CpuClass::ALL[usize::from(bits >> SETS) % CpuClass::ALL.len()];
        Self { sets: Sets(bits & ((1 << SETS) - 1)), marks: class.marks(), class, n_sms: false }
    }

    /// The same sets under the policy of another class of CPUs. If that selects a missing set, the
    /// kernel of one stream replaces it.
    pub(crate) const fn with_class(self, class: CpuClass) -> Self {
        let asked = if self.n_sms { Sets::N_SMS } else { Sets::NONE };
        Self { class, marks: class.marks().union(asked), ..self }
    }

    /// Only the sets `wanted`, if they can be forced and the CPU supports all of them.
    pub(crate) fn only(wanted: Sets) -> Option<Self> {
        let all = Self::detect();
        let cores = Sets::LATENCY_BOUND.union(Sets::ORDERED);
        let kept = if wanted == Sets::NONE { Sets::NONE } else { cores };
        let class = FORCED.iter().find(|forced| forced.sets == wanted)?.class;
        let marks = all.marks.common(kept);
        target::has(all.sets, wanted).then_some(Self { sets: wanted, marks, class, n_sms: false })
    }

    /// Only the instruction sets.
    #[inline(always)]
    pub(crate) const fn sets(self) -> Sets {
        self.sets
    }

    /// The sets and marks that kernels may require.
    #[inline(always)]
    pub(crate) const fn all(self) -> Sets {
        self.sets.union(self.marks)
    }

    /// The CPU's class.
    #[inline(always)]
    pub(crate) const fn class(self) -> CpuClass {
        self.class
    }

    /// [`Backend::class`](crate::Backend::class).
    pub(crate) const fn class_name(self) -> &'static str {
        self.class.name()
    }

    /// The same features, with n-SMS for one stream.
    pub(crate) const fn with_n_sms(self) -> Self {
        Self { marks: self.marks.union(Sets::N_SMS), n_sms: true, ..self }
    }

    /// Whether n-SMS for one stream was asked for.
    pub(crate) const fn n_sms(self) -> bool {
        self.n_sms
    }
}

#[cfg(test)]
mod tests {
    use super::{Features, Sets};
    use crate::target::{self, CpuClass, FORCED};

    #[test]
    fn what_the_cpu_said_is_remembered() {
        let sets = target::detect();
        for _ in 0..2 {
            let all = Features::detect();
            assert_eq!((all.sets(), all.class(), all.n_sms()), (sets, CpuClass::of(sets), false));
            assert_eq!(all.all(), sets.union(CpuClass::of(sets).marks()));
        }
    }

    #[test]
    fn sets_that_are_asked_for_are_the_only_ones() {
        for forced in FORCED {
            let (name, wanted) = (forced.name, forced.sets);
            let Some(only) = Features::only(wanted) else { continue };
            let (sets, class) = (only.sets(), only.class());
            assert_eq!((sets, class, only.n_sms()), (wanted, forced.class, false), "{name}");
            let serial = wanted != Sets::NONE && Features::detect().all().has(Sets::LATENCY_BOUND);
            assert_eq!(only.all().has(Sets::LATENCY_BOUND), serial, "{name}");
            assert!(!only.all().has(Sets::LANE) && !only.all().has(Sets::SCALAR), "{name}");
        }
        assert_eq!(Features::only(Sets::NONE), Some(Features::NONE));
    }

    #[test]
    fn other_policies_have_the_same_sets() {
        let all = Features::detect().with_n_sms();
        for class in CpuClass::ALL {
            let other = all.with_class(class);
            assert_eq!((other.sets(), other.class(), other.n_sms()), (all.sets(), class, true));
            assert_eq!(other.all(), all.sets().union(class.marks()).union(Sets::N_SMS));
        }
    }

    #[test]
    fn sets_are_found_one_by_one() {
        let [first, second, third] = [0, 1, 7].map(Sets::one);
        let found = Sets::found([(first, true), (second, false), (third, true)]);
        assert_eq!(found, first.union(third));
        assert!(found.has(first) && found.has(third) && found.has(Sets::NONE));
        assert!(!found.has(second) && !found.has(first.union(second)));
        assert_eq!(Sets::found([(first, false)]), Sets::NONE);
    }

    #[test]
    fn marks_are_no_sets() {
        let sets = (0..8).map(Sets::one).fold(Sets::NONE, Sets::union);
        let cores = [Sets::LATENCY_BOUND, Sets::LANE, Sets::SCALAR, Sets::ORDERED];
        for mark in [Sets::N_SMS, Sets::THREE_STREAMS, Sets::NEVER].into_iter().chain(cores) {
            assert_eq!(sets.common(mark), Sets::NONE);
        }
    }
}
