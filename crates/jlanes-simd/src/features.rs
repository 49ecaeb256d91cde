//! [`Features`], the value inside a [`Backend`](crate::Backend). Its instruction sets were detected. The class of
//! CPUs and its marks decide which of the kernels for these sets run.

use crate::{
    common::sets::{Forced, MAX_SETS, Remembered, Sets},
    target::{self, CpuClass, FORCED},
};

/// The instruction sets found, and the policy for using them.
///
/// Only this module creates values, and only from the results of the target's `sets` or `has`: kernels rely
/// on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    sets: Sets,
    marks: Sets,
    class: CpuClass,
}

/// The detected sets in the lower bits, and above them the class of the CPU.
static DETECTED: Remembered = Remembered::new();

fn ask() -> u16 {
    let sets = target::sets();
    sets.bits() | (CpuClass::of(sets) as u16) << MAX_SETS
}

impl Features {
    /// No instruction sets.
    pub(crate) const NONE: Self =
        Self { sets: Sets::NONE, marks: Sets::NONE, class: CpuClass::Portable };

    /// Everything that this CPU supports and that is used by default.
    #[inline]
    pub(crate) fn detect() -> Self {
        let bits = DETECTED.get(ask);
        let class = CpuClass::ALL[usize::from(bits >> MAX_SETS) % CpuClass::ALL.len()];
        Self { sets: Sets::of_bits(bits), marks: class.marks(), class }
    }

    /// The same sets under the policy of another class of CPUs. Where that chooses a kernel that needs a
    /// missing set, the kernel of one stream takes its place.
    pub(crate) const fn with_class(self, class: CpuClass) -> Self {
        Self { class, marks: class.marks(), ..self }
    }

    /// Only the sets of `forced`, if the CPU supports all of them.
    pub(crate) fn only(forced: &Forced<CpuClass>) -> Option<Self> {
        let Forced { sets, n_sms, class, .. } = *forced;
        let core_marks = Sets::LATENCY_BOUND.union(Sets::ORDERED);
        let kept = if sets == Sets::NONE { Sets::NONE } else { core_marks };
        let asked = if n_sms { Sets::N_SMS } else { Sets::NONE };
        let marks = Self::detect().marks.common(kept).union(asked);
        target::has(sets).then_some(Self { sets, marks, class })
    }

    /// The backend with exactly these sets, if it is forced.
    pub(crate) fn forced(self) -> Option<&'static Forced<CpuClass>> {
        let n_sms = self.marks.has(Sets::N_SMS);
        FORCED.iter().find(|forced| (forced.sets, forced.n_sms) == (self.sets, n_sms))
    }

    /// The sets and marks that kernels may require.
    #[inline(always)]
    pub(crate) const fn sets_and_marks(self) -> Sets {
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
    use super::{Features, Sets};
    use crate::target::{self, CpuClass, FORCED};

    #[test]
    fn what_the_cpu_said_is_remembered() {
        let sets = target::sets();
        for _ in 0..2 {
            let all = Features::detect();
            assert_eq!((all.sets, all.class()), (sets, CpuClass::of(sets)));
            assert_eq!(all.sets_and_marks(), sets.union(CpuClass::of(sets).marks()));
        }
    }

    #[test]
    fn sets_that_are_asked_for_are_the_only_ones() {
        for forced in FORCED {
            let (name, wanted) = (forced.name, forced.sets);
            let Some(only) = Features::only(&forced) else { continue };
            assert_eq!((only.sets, only.class()), (wanted, forced.class), "{name}");
            assert_eq!(only.sets_and_marks().has(Sets::N_SMS), forced.n_sms, "{name}");
            assert_eq!(only.forced().map(|it| it.name), Some(name));
            let latency_bound = wanted != Sets::NONE
                && Features::detect().sets_and_marks().has(Sets::LATENCY_BOUND);
            assert_eq!(only.sets_and_marks().has(Sets::LATENCY_BOUND), latency_bound, "{name}");
            assert!(
                !only.sets_and_marks().has(Sets::LANE) && !only.sets_and_marks().has(Sets::SCALAR),
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
