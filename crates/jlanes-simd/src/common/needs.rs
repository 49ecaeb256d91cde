//! [`Needs`]: instruction sets and marks, which kernels need, one bit each.

use jlanes_core::kernel;

/// The bits for instruction sets; marks have those above them in [`NeedBits`](kernel::NeedBits), which is wider if
/// either have no room.
pub(crate) const MAX_SETS: u32 = 8;

/// Needs of a kernel, or what a CPU meets of them: instruction sets, of which each target defines its own, and marks.
///
/// A mark is a user's choice, or another property of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs(kernel::NeedBits);

impl Needs {
    pub(crate) const NONE: Self = Self(0);

    /// Mark: compute one stream by n-SMS, as a user asked for or because it is faster on the CPU.
    pub(crate) const N_SMS: Self = Self::mark(0);
    /// Mark: a round in one register of the widest vectors is bound by latency
    /// ([`SimdWord::LATENCY_BOUND`](jlanes_core::simd::vector::SimdWord::LATENCY_BOUND)).
    pub(crate) const LATENCY_BOUND: Self = Self::mark(1);
    /// Mark: one stream of a hash without a schedule is faster in one lane of vectors than in
    /// scalar code, if vectors have instructions for rotation and three-operand logic.
    #[allow(dead_code)] // not set for any CPU of some targets
    pub(crate) const LANE_STREAM: Self = Self::mark(2);
    /// Mark: one stream is faster in scalar code than with its own words in vectors.
    #[allow(dead_code)] // as for `LANE_STREAM`
    pub(crate) const SCALAR_STREAM: Self = Self::mark(3);

    /// Mark: streams come near the limit of their instructions only in a certain order, which is not the
    /// compiler's.
    #[allow(dead_code)] // as for `LANE_STREAM`
    pub(crate) const ORDER_MATTERS: Self = Self::mark(4);

    /// Mark: the instructions for rounds of a third stream fit between those of two.
    #[allow(dead_code)] // as for `LANE_STREAM`
    pub(crate) const THREE_STREAMS: Self = Self::mark(5);

    /// Mark: no CPU has it.
    #[allow(dead_code)] // not used if every feature is enabled
    pub(crate) const NO_CPU: Self = Self::mark(6);

    /// The target's set number `index`, less than [`MAX_SETS`].
    pub(crate) const fn set(index: u32) -> Self {
        assert!(index < MAX_SETS, "the set needs a larger MAX_SETS");
        Self(1 << index)
    }

    const fn mark(index: u32) -> Self {
        assert!(index < kernel::NeedBits::BITS - MAX_SETS, "the mark needs a wider NeedBits");
        Self(1 << (MAX_SETS + index))
    }

    #[inline(always)]
    pub(crate) const fn contains(self, sets: Self) -> bool {
        self.0 & sets.0 == sets.0
    }

    #[inline(always)]
    pub(crate) const fn union(self, sets: Self) -> Self {
        Self(self.0 | sets.0)
    }

    pub(crate) const fn intersection(self, sets: Self) -> Self {
        Self(self.0 & sets.0)
    }

    /// The union of the sets that were found. Each is given with the result of its detection.
    pub(crate) fn found<const N: usize>(sets: [(Self, bool); N]) -> Self {
        let found = sets.iter().filter(|(_, has)| *has);
        found.fold(Self::NONE, |sets, (set, _)| sets.union(*set))
    }

    /// The sets among `bits`, without the class that [`Detection`](super::detection::Detection) stores above them.
    #[inline(always)]
    pub(crate) const fn from_bits_truncate(bits: u16) -> Self {
        Self(bits & ((1 << MAX_SETS) - 1))
    }

    /// The representation in tables of kernels.
    #[inline(always)]
    pub(crate) const fn bits(self) -> kernel::NeedBits {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Needs;

    #[test]
    fn sets_are_found_one_by_one() {
        let [first, second, third] = [0, 1, 7].map(Needs::set);
        let found = Needs::found([(first, true), (second, false), (third, true)]);
        assert_eq!(found, first.union(third));
        assert!(found.contains(first) && found.contains(third) && found.contains(Needs::NONE));
        assert!(!found.contains(second) && !found.contains(first.union(second)));
        assert_eq!(Needs::found([(first, false)]), Needs::NONE);
    }

    #[test]
    fn marks_are_no_sets() {
        let sets = (0..8).map(Needs::set).fold(Needs::NONE, Needs::union);
        let core_marks =
            [Needs::LATENCY_BOUND, Needs::LANE_STREAM, Needs::SCALAR_STREAM, Needs::ORDER_MATTERS];
        let other_marks = [Needs::N_SMS, Needs::THREE_STREAMS, Needs::NO_CPU];
        for mark in other_marks.into_iter().chain(core_marks) {
            assert_eq!(sets.intersection(mark), Needs::NONE);
        }
    }
}
