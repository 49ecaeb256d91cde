//! Which instruction sets there are: the one place that asks the CPU.

use core::sync::atomic::{AtomicU16, Ordering};

use super::{
    Avx, Avx2, Avx512, Avx512Vl, Sha512Ni, ShaNi, Sse41,
    tuning::{self, Class},
};

/// A set of instruction sets: those that are wanted, or those that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sets(u16);

impl Sets {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const SSE41: Self = Self(1 << 0);
    pub(crate) const AVX: Self = Self(1 << 1);
    pub(crate) const AVX2: Self = Self(1 << 2);
    pub(crate) const AVX512VL: Self = Self(1 << 3);
    pub(crate) const AVX512: Self = Self(1 << 4);
    pub(crate) const SHANI: Self = Self(1 << 5);
    pub(crate) const SHA512NI: Self = Self(1 << 6);

    #[inline(always)]
    pub(super) const fn has(self, sets: Self) -> bool {
        self.0 & sets.0 == sets.0
    }

    #[inline(always)]
    pub(super) const fn and(self, sets: Self) -> Self {
        Self(self.0 | sets.0)
    }
}

/// Instruction sets that this CPU has been found to have, and how it is made use of them.
///
/// Only this module makes one, and each of its sets has been detected: tokens come from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    sets: Sets,
    class: Class,
    serial: bool,
    n_sms: bool,
}

// Each list names what the token's trampoline enables and what that implies; `f16c`, which
// AVX-512F implies too, is unknown to cpufeatures and was older than AVX2 on every CPU.
cpufeatures::new!(cpu_sse41, "sse4.1", "ssse3");
cpufeatures::new!(cpu_avx, "avx", "sse4.1", "ssse3");
cpufeatures::new!(cpu_avx2, "avx2", "avx", "bmi1", "bmi2", "sse4.1", "ssse3");
cpufeatures::new!(
    cpu_avx512vl,
    "avx512f",
    "avx512vl",
    "avx2",
    "bmi1",
    "bmi2",
    "fma",
    "sse4.1",
    "ssse3"
);
// with all that `cpu_avx512vl` and `cpu_avx2` name
cpufeatures::new!(
    cpu_avx512, "avx512f", "avx512bw", "avx512vl", "avx2", "avx", "bmi1", "bmi2", "fma", "sse4.1",
    "ssse3"
);
// all of the above, which one question answers on the CPUs that have everything
cpufeatures::new!(
    cpu_all, "sha", "avx512f", "avx512bw", "avx512vl", "avx2", "avx", "bmi1", "bmi2", "fma",
    "sse4.1", "ssse3"
);
cpufeatures::new!(cpu_shani, "sha", "sse4.1", "ssse3");
// with all that `cpu_avx2` names
cpufeatures::new!(cpu_sha512ni, "sha512", "avx2", "avx", "bmi1", "bmi2", "sse4.1", "ssse3");

/// What [`ask`] found: the sets, and the class of the CPU above them. Above everything that can be
/// found until it has been asked.
static DETECTED: AtomicU16 = AtomicU16::new(UNKNOWN);
const UNKNOWN: u16 = u16::MAX;
/// Where the class is.
const CLASS: u32 = 8;

#[cold]
fn ask() -> u16 {
    // every list costs three CPUIDs, some microseconds each where a hypervisor answers: those
    // that hold others come first
    let all = cpu_all::get();
    let avx512 = all || cpu_avx512::get();
    let found = [
        (Sets::SSE41, avx512 || cpu_sse41::get()),
        (Sets::AVX, avx512 || cpu_avx::get()),
        (Sets::AVX2, avx512 || cpu_avx2::get()),
        (Sets::AVX512VL, avx512 || cpu_avx512vl::get()),
        (Sets::AVX512, avx512),
        (Sets::SHANI, all || cpu_shani::get()),
    ];
    let sets =
        found.iter().filter(|(_, has)| *has).fold(Sets::NONE, |sets, (set, _)| sets.and(*set));
    let bits = sets.0 | (tuning::class(sets) as u16) << CLASS;
    DETECTED.store(bits, Ordering::Relaxed);
    bits
}

impl Features {
    /// No instruction sets.
    pub(crate) const NONE: Self =
        Self { sets: Sets::NONE, class: Class::Portable, serial: false, n_sms: false };

    /// All that this CPU has but SHA512-NI, whose kernel nobody has run on hardware yet.
    #[inline]
    pub(crate) fn detect() -> Self {
        let bits = match DETECTED.load(Ordering::Relaxed) {
            UNKNOWN => ask(),
            bits => bits,
        };
        let class = Class::ALL[usize::from(bits >> CLASS) % Class::ALL.len()];
        let serial = class == Class::Zen5;
        Self { sets: Sets(bits & ((1 << CLASS) - 1)), class, serial, n_sms: false }
    }

    /// The sets `wanted` and no other one, if the CPU has them all.
    pub(crate) fn only(wanted: Sets) -> Option<Self> {
        let has = match wanted {
            Sets::SHA512NI => cpu_sha512ni::get(),
            _ => Self::detect().sets.has(wanted),
        };
        let class = tuning::forced(wanted);
        let serial = wanted.has(Sets::AVX512) && Self::detect().serial;
        has.then_some(Self { sets: wanted, class, serial, n_sms: false })
    }

    /// The instruction sets alone.
    pub(crate) const fn sets(self) -> Sets {
        self.sets
    }

    /// What the policy knows of the CPU.
    #[inline(always)]
    pub(super) const fn class(self) -> Class {
        self.class
    }

    /// [`Backend::class`](crate::Backend::class).
    pub(crate) fn class_name(self) -> &'static str {
        self.class.name()
    }

    /// Whether a round of one 512-bit register takes as long as its chain of operations
    /// ([`Lanes::SERIAL`](jlanes_core::simd::lanes::Lanes::SERIAL)).
    #[inline(always)]
    pub(super) const fn serial(self) -> bool {
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

    #[inline(always)]
    pub(crate) fn sse41(self) -> Option<Sse41> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets.has(Sets::SSE41).then(|| unsafe { Sse41::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx(self) -> Option<Avx> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets.has(Sets::AVX).then(|| unsafe { Avx::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx2(self) -> Option<Avx2> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets.has(Sets::AVX2).then(|| unsafe { Avx2::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx512vl(self) -> Option<Avx512Vl> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets.has(Sets::AVX512VL).then(|| unsafe { Avx512Vl::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx512(self) -> Option<Avx512> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets.has(Sets::AVX512).then(|| unsafe { Avx512::assume() })
    }

    #[inline(always)]
    pub(crate) fn shani(self) -> Option<ShaNi> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets.has(Sets::SHANI).then(|| unsafe { ShaNi::assume() })
    }

    #[inline(always)]
    pub(crate) fn sha512ni(self) -> Option<Sha512Ni> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets.has(Sets::SHA512NI).then(|| unsafe { Sha512Ni::assume() })
    }
}
