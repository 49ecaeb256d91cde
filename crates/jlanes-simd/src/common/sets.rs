//! Instruction sets and marks, the requirements of kernels, one bit each.

use core::sync::atomic::{AtomicU16, Ordering};

use jlanes_core::kernel;

/// The bits for instruction sets; marks have those above them.
pub(crate) const MAX_SETS: u32 = 8;

/// A set of instruction sets and marks. Each target defines its own instruction sets.
///
/// A mark is a requirement of a kernel that is no instruction set: a user's choice, or a property of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sets(kernel::SetBits);

impl Sets {
    pub(crate) const NONE: Self = Self(0);

    /// Mark: compute one stream by n-SMS, as a user asked for or because it is faster on the CPU.
    pub(crate) const N_SMS: Self = Self::mark(0);
    /// Mark: a round in one register of the widest vectors is bound by latency
    /// ([`SimdWord::LATENCY_BOUND`](jlanes_core::simd::vector::SimdWord::LATENCY_BOUND)).
    pub(crate) const LATENCY_BOUND: Self = Self::mark(1);
    /// Mark: one stream of a hash without a schedule is faster in one lane of vectors than in
    /// scalar code, if vectors have instructions for rotation and three-operand logic.
    #[allow(dead_code)] // not set for any CPU of some targets
    pub(crate) const LANE: Self = Self::mark(2);
    /// Mark: one stream is faster in scalar code than with its own words in vectors.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const SCALAR: Self = Self::mark(3);

    /// Mark: streams come near the limit of their instructions only in a certain order, which is not the
    /// compiler's.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const ORDERED: Self = Self::mark(4);

    /// Mark: the instructions for rounds of a third stream fit between those of two.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const THREE_STREAMS: Self = Self::mark(5);

    /// Mark: instructions for the rounds of one stream leave time for operations on vectors of 128 bits.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const ROUNDS_WITH_VECTORS: Self = Self::mark(6);

    /// Mark: no CPU has it.
    #[allow(dead_code)] // not used if every feature is enabled
    pub(crate) const NEVER: Self = Self::mark(7);

    /// The target's set number `index`, less than [`MAX_SETS`].
    pub(crate) const fn one(index: u32) -> Self {
        assert!(index < MAX_SETS, "there is no room for it");
        Self(1 << index)
    }

    const fn mark(index: u32) -> Self {
        Self(1 << (MAX_SETS + index))
    }

    #[inline(always)]
    pub(crate) const fn has(self, sets: Self) -> bool {
        self.0 & sets.0 == sets.0
    }

    #[inline(always)]
    pub(crate) const fn union(self, sets: Self) -> Self {
        Self(self.0 | sets.0)
    }

    pub(crate) const fn common(self, sets: Self) -> Self {
        Self(self.0 & sets.0)
    }

    /// The union of the sets that were found. Each is given with the result of its detection.
    pub(crate) fn found<const N: usize>(sets: [(Self, bool); N]) -> Self {
        let found = sets.iter().filter(|(_, has)| *has);
        found.fold(Self::NONE, |sets, (set, _)| sets.union(*set))
    }

    /// The sets among `bits`, without the class that is stored above them.
    #[inline(always)]
    pub(crate) const fn of_bits(bits: u16) -> Self {
        Self(bits & ((1 << MAX_SETS) - 1))
    }

    /// The representation in tables of kernels.
    #[inline(always)]
    pub(crate) const fn bits(self) -> kernel::SetBits {
        self.0
    }
}

/// The sets of a backend that can be forced, with the name and the plans that they have then.
#[derive(Debug)]
pub(crate) struct Forced<C> {
    /// The name of the backend.
    pub(crate) name: &'static str,
    /// The instruction sets of the backend.
    pub(crate) sets: Sets,
    /// Whether one stream runs by n-SMS.
    pub(crate) n_sms: bool,
    /// The class of its plans.
    pub(crate) class: C,
}

/// The cached result of a detection.
pub(crate) struct Remembered(AtomicU16);

/// No result: detection has not run.
const UNKNOWN: u16 = u16::MAX;

impl Remembered {
    pub(crate) const fn new() -> Self {
        Self(AtomicU16::new(UNKNOWN))
    }

    /// The result of `ask`, which runs the first time and must not return [`u16::MAX`].
    #[inline(always)]
    pub(crate) fn get(&self, ask: fn() -> u16) -> u16 {
        match self.0.load(Ordering::Relaxed) {
            UNKNOWN => self.ask(ask),
            bits => bits,
        }
    }

    #[cold]
    fn ask(&self, ask: fn() -> u16) -> u16 {
        let bits = ask();
        debug_assert_ne!(bits, UNKNOWN, "a result is known");
        self.0.store(bits, Ordering::Relaxed);
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::Sets;

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
        let core_marks = [Sets::LATENCY_BOUND, Sets::LANE, Sets::SCALAR, Sets::ORDERED];
        let other_marks =
            [Sets::N_SMS, Sets::THREE_STREAMS, Sets::ROUNDS_WITH_VECTORS, Sets::NEVER];
        for mark in other_marks.into_iter().chain(core_marks) {
            assert_eq!(sets.common(mark), Sets::NONE);
        }
    }
}
