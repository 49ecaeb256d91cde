//! Which instruction sets there are: the one place that asks the CPU.

use core::{
    arch::x86_64::__cpuid,
    sync::atomic::{AtomicU16, Ordering},
};

use super::{Avx, Avx2, Avx512, Avx512Vl, Sha512Ni, ShaNi, Sse41};

/// A set of instruction sets, each of them detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features(u16);

/// Marks a cache that has not been filled; no bit of a [`Features`].
const UNKNOWN: u16 = 1 << 15;

static DETECTED: AtomicU16 = AtomicU16::new(UNKNOWN);

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
cpufeatures::new!(cpu_sha512ni, "sha512", "avx2", "avx", "sse4.1", "ssse3");

impl Features {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const SSE41: Self = Self(1 << 0);
    pub(crate) const AVX: Self = Self(1 << 1);
    pub(crate) const AVX2: Self = Self(1 << 2);
    pub(crate) const AVX512VL: Self = Self(1 << 3);
    pub(crate) const AVX512: Self = Self(1 << 4);
    pub(crate) const SHANI: Self = Self(1 << 5);
    pub(crate) const SHA512NI: Self = Self(1 << 6);
    /// Not instructions, but how fast some are: see [`streams_are_fast`](Self::streams_are_fast).
    const FAST_STREAMS: Self = Self(1 << 7);
    /// Not instructions either: [`with_n_sms`](Self::with_n_sms).
    const N_SMS: Self = Self(1 << 8);

    /// All that this CPU has but SHA512-NI, whose kernel nobody has run on hardware yet.
    #[inline]
    pub(crate) fn detect() -> Self {
        match DETECTED.load(Ordering::Relaxed) {
            UNKNOWN => Self::ask(),
            bits => Self(bits),
        }
    }

    #[cold]
    fn ask() -> Self {
        // every list costs three CPUIDs, some microseconds each where a hypervisor answers: those
        // that hold others come first
        let all = cpu_all::get();
        let avx512 = all || cpu_avx512::get();
        let found = [
            (Self::SSE41, avx512 || cpu_sse41::get()),
            (Self::AVX, avx512 || cpu_avx::get()),
            (Self::AVX2, avx512 || cpu_avx2::get()),
            (Self::AVX512VL, avx512 || cpu_avx512vl::get()),
            (Self::AVX512, avx512),
            (Self::SHANI, all || cpu_shani::get()),
            (Self::FAST_STREAMS, is_amd_before_zen5()),
        ];
        let bits = found.iter().filter(|(_, has)| *has).fold(0, |bits, (set, _)| bits | set.0);
        DETECTED.store(bits, Ordering::Relaxed);
        Self(bits)
    }

    /// Whether interleaved streams on the SHA extensions are as fast as full 512-bit vectors.
    #[inline(always)]
    pub(crate) const fn streams_are_fast(self) -> bool {
        self.has(Self::FAST_STREAMS)
    }

    /// The same, with n-SMS for one stream.
    pub(crate) const fn with_n_sms(self) -> Self {
        Self(self.0 | Self::N_SMS.0)
    }

    /// The instructions alone.
    pub(crate) const fn without_n_sms(self) -> Self {
        Self(self.0 & !Self::N_SMS.0)
    }

    /// Whether one stream is to be computed by n-SMS.
    #[inline(always)]
    pub(crate) const fn n_sms(self) -> bool {
        self.has(Self::N_SMS)
    }

    /// Those of `wanted`, if the CPU has them all.
    pub(crate) fn only(wanted: Self) -> Option<Self> {
        let has = match wanted {
            Self::SHA512NI => cpu_sha512ni::get(),
            _ => Self::detect().0 & wanted.0 == wanted.0,
        };
        has.then_some(wanted)
    }

    #[inline(always)]
    const fn has(self, set: Self) -> bool {
        self.0 & set.0 != 0
    }

    #[inline(always)]
    pub(crate) fn sse41(self) -> Option<Sse41> {
        // SAFETY: a bit of a `Features` is set only where `ask` has found the token's features.
        self.has(Self::SSE41).then(|| unsafe { Sse41::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx(self) -> Option<Avx> {
        // SAFETY: a bit of a `Features` is set only where `ask` has found the token's features.
        self.has(Self::AVX).then(|| unsafe { Avx::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx2(self) -> Option<Avx2> {
        // SAFETY: a bit of a `Features` is set only where `ask` has found the token's features.
        self.has(Self::AVX2).then(|| unsafe { Avx2::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx512vl(self) -> Option<Avx512Vl> {
        // SAFETY: a bit of a `Features` is set only where `ask` has found the token's features.
        self.has(Self::AVX512VL).then(|| unsafe { Avx512Vl::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx512(self) -> Option<Avx512> {
        // SAFETY: a bit of a `Features` is set only where `ask` has found the token's features.
        self.has(Self::AVX512).then(|| unsafe { Avx512::assume() })
    }

    #[inline(always)]
    pub(crate) fn shani(self) -> Option<ShaNi> {
        // SAFETY: a bit of a `Features` is set only where `ask` has found the token's features.
        self.has(Self::SHANI).then(|| unsafe { ShaNi::assume() })
    }

    #[inline(always)]
    pub(crate) fn sha512ni(self) -> Option<Sha512Ni> {
        // SAFETY: a bit of a `Features` is set only where `only` has found the token's features.
        self.has(Self::SHA512NI).then(|| unsafe { Sha512Ni::assume() })
    }
}

/// AMD's families 17h and 19h (Zen to Zen 4) and Hygon's 18h. Zen 5 (1Ah) has 512-bit datapaths.
fn is_amd_before_zen5() -> bool {
    #[allow(unused_unsafe)] // safe in later versions of Rust than the oldest supported
    // SAFETY: every x86-64 CPU has CPUID.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let amd = [vendor.ebx, vendor.edx, vendor.ecx] == VENDOR_AMD;
    let hygon = [vendor.ebx, vendor.edx, vendor.ecx] == VENDOR_HYGON;
    let family = ((version.eax >> 8) & 0xf) + ((version.eax >> 20) & 0xff);
    (amd || hygon) && (0x17..=0x19).contains(&family)
}

/// `AuthenticAMD` in `ebx`, `edx`, `ecx`.
const VENDOR_AMD: [u32; 3] = [0x6874_7541, 0x6974_6e65, 0x444d_4163];
/// `HygonGenuine` in `ebx`, `edx`, `ecx`.
const VENDOR_HYGON: [u32; 3] = [0x6f67_7948, 0x656e_476e, 0x656e_6975];
