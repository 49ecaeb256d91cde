//! [`Features`], the value inside a [`Backend`](crate::Backend). Its instruction sets were detected. The class of
//! CPUs and its marks decide which of the kernels for these sets run.

use crate::{
    common::{detection::ForcedSets, needs::Needs},
    target::{self, CpuClass, FORCED},
};

/// The instruction sets found, and the policy for using them.
///
/// Only this module creates values, and only from the results of the target's `detected` or `has`: kernels rely
/// on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    sets: Needs,
    marks: Needs,
    class: CpuClass,
}

impl Features {
    /// No instruction sets.
    pub(crate) const NONE: Self =
        Self { sets: Needs::NONE, marks: Needs::NONE, class: CpuClass::Portable };

    /// Everything that this CPU supports and that is used by default.
    #[inline]
    pub(crate) fn detect() -> Self {
        let (sets, class) = target::detected();
        Self { sets, marks: class.marks(), class }
    }

    /// The same sets under the policy of another class of CPUs. Where that chooses a kernel that needs a
    /// missing set, the kernel of one stream takes its place.
    pub(crate) const fn with_class(self, class: CpuClass) -> Self {
        Self { class, marks: class.marks(), ..self }
    }

    /// Only the sets of `forced`, if the CPU supports all of them.
    pub(crate) fn only(forced: &ForcedSets<CpuClass>) -> Option<Self> {
        let ForcedSets { sets, n_sms, class, .. } = *forced;
        let core_marks = Needs::LATENCY_BOUND.union(Needs::ORDER_MATTERS);
        let kept = if sets == Needs::NONE { Needs::NONE } else { core_marks };
        let asked = if n_sms { Needs::N_SMS } else { Needs::NONE };
        let marks = Self::detect().marks.intersection(kept).union(asked);
        target::has(sets).then_some(Self { sets, marks, class })
    }

    /// The backend with exactly these sets, if it is forced.
    pub(crate) fn forced(self) -> Option<&'static ForcedSets<CpuClass>> {
        let n_sms = self.marks.contains(Needs::N_SMS);
        FORCED.iter().find(|forced| (forced.sets, forced.n_sms) == (self.sets, n_sms))
    }

    /// The sets and marks that kernels may require.
    #[inline(always)]
    pub(crate) const fn sets_and_marks(self) -> Needs {
        self.sets.union(self.marks)
    }

    /// The class with the costs that choose kernels: the CPU's, or that of forced sets.
    #[inline(always)]
    pub(crate) const fn class(self) -> CpuClass {
        self.class
    }

    /// [`Backend::class`](crate::Backend::class).
    pub(crate) const fn class_name(self) -> &'static str {
        self.class.name()
    }
}

#[cfg(test)]
mod tests {
    use super::{Features, Needs};
    use crate::target::{self, CpuClass, FORCED};

    #[test]
    fn what_the_cpu_said_is_remembered() {
        let (sets, class) = target::detected();
        for _ in 0..2 {
            let all = Features::detect();
            assert_eq!((all.sets, all.class()), (sets, class));
            assert_eq!(all.sets_and_marks(), sets.union(class.marks()));
        }
    }

    #[test]
    fn sets_that_are_asked_for_are_the_only_ones() {
        for forced in FORCED {
            let (name, wanted) = (forced.name, forced.sets);
            let Some(only) = Features::only(&forced) else { continue };
            assert_eq!((only.sets, only.class()), (wanted, forced.class), "{name}");
            assert_eq!(only.sets_and_marks().contains(Needs::N_SMS), forced.n_sms, "{name}");
            assert_eq!(only.forced().map(|it| it.name), Some(name));
            let latency_bound = wanted != Needs::NONE
                && Features::detect().sets_and_marks().contains(Needs::LATENCY_BOUND);
            assert_eq!(
                only.sets_and_marks().contains(Needs::LATENCY_BOUND),
                latency_bound,
                "{name}"
            );
            assert!(
                !only.sets_and_marks().contains(Needs::LANE_STREAM)
                    && !only.sets_and_marks().contains(Needs::SCALAR_STREAM),
                "{name}"
            );
        }
        assert_eq!(Features::only(&FORCED[0]), Some(Features::NONE));
    }

    #[test]
    fn other_policies_have_the_same_sets() {
        let all = Features::detect();
        for class in CpuClass::ALL {
            let other = all.with_class(class);
            assert_eq!((other.sets, other.class()), (all.sets, class));
            assert_eq!(other.sets_and_marks(), all.sets.union(class.marks()));
        }
    }
}
