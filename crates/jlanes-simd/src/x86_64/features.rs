//! Detection of x86-64's instruction sets: asks the CPU for them. `class.rs` asks for its version.

use super::{Avx, Avx2, Avx512, Avx512Vl, CpuClass, Sha512Ni, ShaNi, Sse41};
use crate::common::{
    detection::{Detection, ForcedSets},
    needs::Needs,
    token::Token,
};

impl Needs {
    pub(crate) const SSE41: Self = Self::set(0);
    pub(crate) const AVX: Self = Self::set(1);
    pub(crate) const AVX2: Self = Self::set(2);
    pub(crate) const AVX512VL: Self = Self::set(3);
    pub(crate) const AVX512: Self = Self::set(4);
    pub(crate) const SHANI: Self = Self::set(5);
    pub(crate) const SHA512NI: Self = Self::set(6);
}

/// Every backend that can be forced.
pub(crate) const FORCED: [ForcedSets<CpuClass>; 12] = [
    ForcedSets::new("portable", Needs::NONE, CpuClass::Portable),
    ForcedSets::new("sse41", Needs::SSE41, CpuClass::OnlySse41),
    ForcedSets::new("avx", Needs::AVX, CpuClass::OnlyAvx),
    ForcedSets::new("avx2", Needs::AVX2, CpuClass::OnlyAvx2),
    ForcedSets::new("avx512vl", Needs::AVX512VL, CpuClass::OnlyAvx512Vl),
    ForcedSets::new("avx512", Needs::AVX512, CpuClass::OnlyAvx512),
    ForcedSets::new("shani", Needs::SHANI, CpuClass::OnlyShaNi),
    ForcedSets::new("sha512ni", Needs::SHA512NI, CpuClass::OnlySha512Ni),
    ForcedSets::with_n_sms("sse41+n-sms", Needs::SSE41, CpuClass::OnlySse41),
    ForcedSets::with_n_sms("avx+n-sms", Needs::AVX, CpuClass::OnlyAvx),
    ForcedSets::with_n_sms("avx2+n-sms", Needs::AVX2, CpuClass::OnlyAvx2),
    ForcedSets::with_n_sms("avx512vl+n-sms", Needs::AVX512VL, CpuClass::OnlyAvx512Vl),
];

/// Tests for all features of `$list` at once.
macro_rules! all_of {
    ($cpu:ident, $list:ident: $($feature:tt),+ $(,)?) => {
        cpufeatures::new!($cpu, $($feature),+);
        #[cfg(test)]
        const $list: &[&str] = &[$($feature),+];
    };
}
// the features of all tokens except SHA512-NI's: a single test on CPUs with everything
all_of!(
    cpu_all, ALL: "sha", "avx512f", "avx512bw", "avx512vl", "avx2", "avx", "bmi1", "bmi2", "fma",
    "sse4.1", "ssse3"
);

/// Everything that this CPU supports except SHA512-NI, which has not been run on hardware yet, and its class.
/// Detection runs once.
#[inline(always)]
pub(crate) fn detected() -> (Needs, CpuClass) {
    static DETECTION: Detection = Detection::new();
    let (sets, class) = DETECTION.get(|| {
        let sets = detect();
        (sets, CpuClass::of(sets) as u16)
    });
    (sets, CpuClass::ALL[class % CpuClass::ALL.len()])
}

fn detect() -> Needs {
    // every test executes CPUID twice, up to some microseconds each in a virtual machine: a set that
    // contains others is tested before them, and one that contains an absent set is not tested
    let all = cpu_all::get();
    let avx512vl = all || Avx512Vl::is_detected();
    let avx512 = all || avx512vl && Avx512::is_detected();
    let avx2 = avx512vl || Avx2::is_detected();
    let avx = avx2 || Avx::is_detected();
    let sse41 = avx || Sse41::is_detected();
    Needs::found([
        (Sse41::SETS, sse41),
        (Avx::SETS, avx),
        (Avx2::SETS, avx2),
        (Avx512Vl::SETS, avx512vl),
        (Avx512::SETS, avx512),
        (ShaNi::SETS, all || sse41 && ShaNi::is_detected()),
    ])
}

/// Whether the CPU supports the sets `wanted`.
#[inline(always)]
pub(crate) fn has(wanted: Needs) -> bool {
    match wanted {
        Needs::SHA512NI => Sha512Ni::is_detected(),
        _ => detected().0.contains(wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::x86_64::{
        avx512vl::{Avx512Vl128, Avx512VlShifts},
        shani_avx::ShaNiAvx,
        shani_vl::ShaNiVl,
    };

    /// Whether all features of `part` are in `whole`.
    fn holds(whole: &[&str], part: &[&str]) -> bool {
        part.iter().all(|feature| whole.contains(feature))
    }

    #[test]
    fn questions_hold_those_that_they_answer() {
        assert!(holds(Avx512::FEATURES, Avx512Vl::FEATURES));
        for part in [Avx512::FEATURES, ShaNi::FEATURES] {
            assert!(holds(ALL, part), "{part:?}");
        }
        // of tokens that are contained in others
        assert!(holds(Avx::FEATURES, Sse41::FEATURES));
        assert!(holds(Avx2::FEATURES, Avx::FEATURES));
        assert!(holds(Avx512Vl::FEATURES, Avx2::FEATURES));
        assert!(holds(ShaNi::FEATURES, Sse41::FEATURES));
        assert!(holds(Sha512Ni::FEATURES, Avx2::FEATURES));
    }

    /// Of tokens without their own test.
    #[test]
    fn features_were_asked_for_with_other_tokens() {
        assert!(holds(Avx512Vl::FEATURES, Avx512Vl128::ENABLES));
        assert!(holds(Avx512Vl::FEATURES, Avx512VlShifts::ENABLES));
        let both = [ShaNi::FEATURES, Avx512Vl::FEATURES].concat();
        assert!(holds(&both, ShaNiVl::ENABLES));
        let both = [ShaNi::FEATURES, Avx::FEATURES].concat();
        assert!(holds(&both, ShaNiAvx::ENABLES));
    }

    #[test]
    fn tokens_are_there_with_their_sets() {
        fn agrees<T: Token>() {
            assert_eq!(T::detected().is_some(), has(T::SETS), "{}", T::NAME);
        }
        agrees::<Sse41>();
        agrees::<Avx>();
        agrees::<Avx2>();
        agrees::<Avx512Vl>();
        agrees::<Avx512>();
        agrees::<ShaNi>();
        agrees::<Sha512Ni>();
    }
}
