//! The instruction sets in use, and the policy for using them.

use crate::{
    frame::sets::{Remembered, SETS, Sets},
    target::{self, CpuClass, FORCED},
};

/// The instruction sets found, and the policy for using them.
///
/// Only this module creates it, and only from the results of the target's `sets` or `has`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    sets: Sets,
    marks: Sets,
    class: CpuClass,
    /// Whether n-SMS was asked for; it may be the class's default, too.
    n_sms: bool,
}

/// The sets, and above them the class of the CPU.
static DETECTED: Remembered = Remembered::new();

fn ask() -> u16 {
    let sets = target::sets();
    sets.bits() | (CpuClass::of(sets) as u16) << SETS
}

impl Features {
    /// No instruction sets.
    pub(crate) const NONE: Self =
        Self { sets: Sets::NONE, marks: Sets::NONE, class: CpuClass::Portable, n_sms: false };

    /// Everything that this CPU supports and that is used by default.
    #[inline]
    pub(crate) fn detect() -> Self {
        let bits = DETECTED.get(ask);
        let class = CpuClass::ALL[usize::from(bits >> SETS) % CpuClass::ALL.len()];
        Self { sets: Sets::of_bits(bits), marks: class.marks(), class, n_sms: false }
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
        target::has(wanted).then_some(Self { sets: wanted, marks, class, n_sms: false })
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
        let sets = target::sets();
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
}
