//! Which instruction sets are in use.

use core::sync::atomic::{AtomicU16, Ordering};

use crate::target::{self, Class};

/// A set of instruction sets: those that are wanted, or those that were found. Each target names
/// its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sets(u16);

impl Sets {
    pub(crate) const NONE: Self = Self(0);

    /// One set, the target's `index`th, which is less than 8.
    pub(crate) const fn one(index: u32) -> Self {
        assert!(index < CLASS, "there is no room for it");
        Self(1 << index)
    }

    #[inline(always)]
    pub(crate) const fn has(self, sets: Self) -> bool {
        self.0 & sets.0 == sets.0
    }

    #[inline(always)]
    pub(crate) const fn and(self, sets: Self) -> Self {
        Self(self.0 | sets.0)
    }

    /// The sets that were found, of those that were looked for.
    pub(crate) fn found<const N: usize>(sets: [(Self, bool); N]) -> Self {
        let found = sets.iter().filter(|(_, has)| *has);
        found.fold(Self::NONE, |sets, (set, _)| sets.and(*set))
    }
}

/// Instruction sets that this CPU has been found to have, and how it is made use of them.
///
/// Only this module makes one, and only from sets that the target's `detect` or `has` has found:
/// tokens come from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    sets: Sets,
    class: Class,
    serial: bool,
    n_sms: bool,
}

/// What `detect` found: the sets, and the class of the CPU above them. Above everything that can be
/// found until the CPU has been asked.
static DETECTED: AtomicU16 = AtomicU16::new(UNKNOWN);
const UNKNOWN: u16 = u16::MAX;
/// Where the class is.
const CLASS: u32 = 8;

#[cold]
fn ask() -> u16 {
    let sets = target::detect();
    let bits = sets.0 | (Class::of(sets) as u16) << CLASS;
    DETECTED.store(bits, Ordering::Relaxed);
    bits
}

impl Features {
    /// No instruction sets.
    pub(crate) const NONE: Self =
        Self { sets: Sets::NONE, class: Class::Portable, serial: false, n_sms: false };

    /// All that this CPU has and that is used without being asked for.
    #[inline]
    pub(crate) fn detect() -> Self {
        let bits = match DETECTED.load(Ordering::Relaxed) {
            UNKNOWN => ask(),
            bits => bits,
        };
        let class = Class::ALL[usize::from(bits >> CLASS) % Class::ALL.len()];
        let sets = Sets(bits & ((1 << CLASS) - 1));
        Self { sets, class, serial: class.is_serial(), n_sms: false }
    }

    /// The same under the policy of another class of CPUs. Where that wants a set which is not there,
    /// the kernel of one stream takes its place.
    pub(crate) const fn with_class(self, class: Class) -> Self {
        Self { class, serial: class.is_serial(), ..self }
    }

    /// The sets `wanted` and no other one, if the CPU has them all.
    pub(crate) fn only(wanted: Sets) -> Option<Self> {
        let all = Self::detect();
        let serial = all.serial && wanted != Sets::NONE;
        target::has(all.sets, wanted).then_some(Self {
            sets: wanted,
            class: Class::forced(wanted),
            serial,
            n_sms: false,
        })
    }

    /// The instruction sets alone.
    pub(crate) const fn sets(self) -> Sets {
        self.sets
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

    /// Whether a round of one register of the widest vectors takes as long as its chain of
    /// operations ([`Lanes::SERIAL`](jlanes_core::simd::lanes::Lanes::SERIAL)).
    #[allow(dead_code)] // by targets without such a core
    #[inline(always)]
    pub(crate) const fn serial(self) -> bool {
        self.serial
    }

    /// The same, with n-SMS for one stream.
    pub(crate) const fn with_n_sms(self) -> Self {
        Self { n_sms: true, ..self }
    }

    /// Whether one stream is to be computed by n-SMS.
    #[inline(always)]
    pub(crate) const fn n_sms(self) -> bool {
        self.n_sms
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
            assert_eq!(all.serial(), Class::of(sets).is_serial());
        }
    }

    #[test]
    fn sets_that_are_asked_for_are_the_only_ones() {
        for (name, _, wanted) in FORCED {
            let Some(only) = Features::only(wanted) else { continue };
            let (sets, class) = (only.sets(), only.class());
            assert_eq!(
                (sets, class, only.n_sms()),
                (wanted, Class::forced(wanted), false),
                "{name}"
            );
        }
        assert_eq!(Features::only(Sets::NONE), Some(Features::NONE));
    }

    #[test]
    fn other_policies_have_the_same_sets() {
        let all = Features::detect().with_n_sms();
        for class in Class::ALL {
            let other = all.with_class(class);
            assert_eq!((other.sets(), other.class(), other.n_sms()), (all.sets(), class, true));
            assert_eq!(other.serial(), class.is_serial());
        }
    }

    #[test]
    fn sets_are_found_one_by_one() {
        let [first, second, third] = [0, 1, 7].map(Sets::one);
        let found = Sets::found([(first, true), (second, false), (third, true)]);
        assert_eq!(found, first.and(third));
        assert!(found.has(first) && found.has(third) && found.has(Sets::NONE));
        assert!(!found.has(second) && !found.has(first.and(second)));
        assert_eq!(Sets::found([(first, false)]), Sets::NONE);
    }
}
