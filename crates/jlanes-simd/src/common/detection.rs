//! [`Detection`], which asks the CPU once, and [`ForcedSets`], backends that do not use all it found.

use core::sync::atomic::{AtomicU16, Ordering};

use super::needs::{MAX_SETS, Needs};

/// A backend that can be forced, with a class `C` of CPUs.
#[derive(Debug)]
pub(crate) struct ForcedSets<C> {
    /// The name of the backend.
    pub(crate) name: &'static str,
    /// The instruction sets of the backend.
    pub(crate) sets: Needs,
    /// Whether n-SMS computes one stream (\[SMS\]).
    pub(crate) n_sms: bool,
    /// The class with its plans.
    pub(crate) class: C,
}

impl<C: Copy> ForcedSets<C> {
    pub(crate) const fn new(name: &'static str, sets: Needs, class: C) -> Self {
        Self { name, sets, n_sms: false, class }
    }

    #[allow(dead_code)] // some targets have no set that computes it
    pub(crate) const fn with_n_sms(name: &'static str, sets: Needs, class: C) -> Self {
        Self { n_sms: true, ..Self::new(name, sets, class) }
    }
}

/// The sets of the CPU, and above their bits the number of its class, remembered in one word.
pub(crate) struct Detection(AtomicU16);

/// Detection has not run. It is no result, because no target has 255 classes.
const UNKNOWN: u16 = u16::MAX;

/// The lowest bit of the class's number.
const CLASS_SHIFT: u32 = MAX_SETS;

impl Detection {
    pub(crate) const fn new() -> Self {
        Self(AtomicU16::new(UNKNOWN))
    }

    /// The sets and the number of the class, which `ask` finds the first time.
    #[inline(always)]
    pub(crate) fn get(&self, ask: fn() -> (Needs, u16)) -> (Needs, usize) {
        let bits = match self.0.load(Ordering::Relaxed) {
            UNKNOWN => self.ask(ask),
            bits => bits,
        };
        (Needs::from_bits_truncate(bits), usize::from(bits >> CLASS_SHIFT))
    }

    #[cold]
    fn ask(&self, ask: fn() -> (Needs, u16)) -> u16 {
        let (sets, class) = ask();
        let bits = sets.bits() | class << CLASS_SHIFT;
        debug_assert_ne!(bits, UNKNOWN, "a result is known");
        self.0.store(bits, Ordering::Relaxed);
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::{Detection, Needs};

    #[test]
    fn the_first_answer_is_remembered() {
        let sets = Needs::from_bits_truncate(0xa5);
        let detection = Detection::new();
        assert_eq!(detection.get(|| (Needs::from_bits_truncate(0xa5), 17)), (sets, 17));
        assert_eq!(detection.get(|| unreachable!("it is known")), (sets, 17));
    }
}
