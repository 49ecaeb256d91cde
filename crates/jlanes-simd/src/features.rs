//! Which instruction sets are in use, and what else a choice among kernels depends on.

use core::sync::atomic::{AtomicU16, Ordering};

use jlanes_core::kernel;

use crate::target::{self, Class, FORCED};

/// A set of instruction sets and marks. Each target names its own instruction sets.
///
/// A mark is something else that a kernel can need: a wish of the user, or a property of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sets(kernel::Sets);

impl Sets {
    pub(crate) const NONE: Self = Self(0);

    /// Mark: one stream is to be computed by n-SMS.
    pub(crate) const N_SMS: Self = Self::mark(0);
    /// Mark: a round of one register of the widest vectors takes as long as its chain of operations
    /// ([`Lanes::SERIAL`](jlanes_core::simd::lanes::Lanes::SERIAL)).
    pub(crate) const SERIAL: Self = Self::mark(1);
    /// Mark: one stream of a hash without a schedule is faster in a lane of vectors than in scalar
    /// code, if they rotate and take logic of three operands in one instruction each.
    #[allow(dead_code)] // on targets where that is not known of any CPU
    pub(crate) const LANE: Self = Self::mark(2);
    /// Mark: one stream is faster in scalar code than with its own words in vectors.
    #[allow(dead_code)] // as for `LANE`
    pub(crate) const SCALAR: Self = Self::mark(3);

    /// Mark: no CPU has it.
    #[allow(dead_code)] // where every feature is enabled
    pub(crate) const NEVER: Self = Self::mark(4);

    /// One set, the target's `index`th, which is less than 8.
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

    /// The sets that were found, of those that were looked for.
    pub(crate) fn found<const N: usize>(sets: [(Self, bool); N]) -> Self {
        let found = sets.iter().filter(|(_, has)| *has);
        found.fold(Self::NONE, |sets, (set, _)| sets.union(*set))
    }

    /// As tables of kernels have them.
    #[inline(always)]
    pub(crate) const fn bits(self) -> kernel::Sets {
        self.0
    }
}

/// Instruction sets that this CPU has been found to have, and how they are made use of.
///
/// Only this module makes one, and only from sets that the target's `detect` or `has` has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    sets: Sets,
    marks: Sets,
    class: Class,
}

/// A backend that can be forced.
#[derive(Debug)]
pub(crate) struct Forced {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its name with n-SMS.
    pub(crate) n_sms: &'static str,
    /// What it uses.
    pub(crate) sets: Sets,
    /// Whose plans it follows.
    pub(crate) class: Class,
}

/// What `detect` found: the sets, and the class of the CPU above them. Above everything that can be
/// found until the CPU has been asked.
static DETECTED: AtomicU16 = AtomicU16::new(UNKNOWN);
const UNKNOWN: u16 = u16::MAX;
/// How many sets there is room for.
const SETS: u32 = 8;

#[cold]
fn ask() -> u16 {
    let sets = target::detect();
    let bits = sets.0 | (Class::of(sets) as u16) << SETS;
    DETECTED.store(bits, Ordering::Relaxed);
    bits
}

impl Features {
    /// No instruction sets.
    pub(crate) const NONE: Self =
        Self { sets: Sets::NONE, marks: Sets::NONE, class: Class::Portable };

    /// All that this CPU has and that is used without being asked for.
    #[inline]
    pub(crate) fn detect() -> Self {
        let bits = match DETECTED.load(Ordering::Relaxed) {
            UNKNOWN => ask(),
            bits => bits,
        };
        let class = Class::ALL[usize::from(bits >> SETS) % Class::ALL.len()];
        Self { sets: Sets(bits & ((1 << SETS) - 1)), marks: class.marks(), class }
    }

    /// The same under the policy of another class of CPUs. Where that wants a set which is not there,
    /// the kernel of one stream takes its place.
    pub(crate) const fn with_class(self, class: Class) -> Self {
        let marks = class.marks().union(self.marks.common(Sets::N_SMS));
        Self { class, marks, ..self }
    }

    /// The sets `wanted` and no other one, if they can be forced and the CPU has them all.
    pub(crate) fn only(wanted: Sets) -> Option<Self> {
        let all = Self::detect();
        let kept = if wanted == Sets::NONE { Sets::NONE } else { Sets::SERIAL };
        let class = FORCED.iter().find(|forced| forced.sets == wanted)?.class;
        let marks = all.marks.common(kept);
        target::has(all.sets, wanted).then_some(Self { sets: wanted, marks, class })
    }

    /// The instruction sets alone.
    #[inline(always)]
    pub(crate) const fn sets(self) -> Sets {
        self.sets
    }

    /// All that kernels may need.
    #[inline(always)]
    pub(crate) const fn all(self) -> Sets {
        self.sets.union(self.marks)
    }

    /// What the policy knows of the CPU.
    #[inline(always)]
    pub(crate) const fn class(self) -> Class {
        self.class
    }

    /// [`Backend::class`](crate::Backend::class).
    pub(crate) const fn class_name(self) -> &'static str {
        self.class.name()
    }

    /// The same, with n-SMS for one stream.
    pub(crate) const fn with_n_sms(self) -> Self {
        Self { marks: self.marks.union(Sets::N_SMS), ..self }
    }

    /// Whether one stream is to be computed by n-SMS.
    pub(crate) const fn n_sms(self) -> bool {
        self.marks.has(Sets::N_SMS)
    }
}

#[cfg(test)]
mod tests {
    use super::{Features, Sets};
    use crate::target::{self, Class, FORCED};

    #[test]
    fn what_the_cpu_said_is_remembered() {
        let sets = target::detect();
        for _ in 0..2 {
            let all = Features::detect();
            assert_eq!((all.sets(), all.class(), all.n_sms()), (sets, Class::of(sets), false));
            assert_eq!(all.all(), sets.union(Class::of(sets).marks()));
        }
    }

    #[test]
    fn sets_that_are_asked_for_are_the_only_ones() {
        for forced in FORCED {
            let (name, wanted) = (forced.name, forced.sets);
            let Some(only) = Features::only(wanted) else { continue };
            let (sets, class) = (only.sets(), only.class());
            assert_eq!((sets, class, only.n_sms()), (wanted, forced.class, false), "{name}");
            let serial = wanted != Sets::NONE && Features::detect().all().has(Sets::SERIAL);
            assert_eq!(only.all().has(Sets::SERIAL), serial, "{name}");
            assert!(!only.all().has(Sets::LANE) && !only.all().has(Sets::SCALAR), "{name}");
        }
        assert_eq!(Features::only(Sets::NONE), Some(Features::NONE));
    }

    #[test]
    fn other_policies_have_the_same_sets() {
        let all = Features::detect().with_n_sms();
        for class in Class::ALL {
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
        for mark in [Sets::N_SMS, Sets::SERIAL, Sets::LANE, Sets::SCALAR] {
            assert_eq!(sets.common(mark), Sets::NONE);
        }
    }
}
