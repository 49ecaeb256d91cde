//! Which instruction sets there are: the one place that asks the CPU.

use core::sync::atomic::{AtomicU8, Ordering};

use super::{Avx, Avx2, Avx512, Avx512Vl, ShaNi, Sse41};

/// A set of instruction sets, each of them detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features(u8);

/// Marks a cache that has not been filled; no bit of a [`Features`].
const UNKNOWN: u8 = 1 << 7;

static DETECTED: AtomicU8 = AtomicU8::new(UNKNOWN);

// Each list names what the token's trampoline enables and what that implies; `f16c`, which
// AVX-512F implies too, is unknown to cpufeatures and was older than AVX2 on every CPU.
cpufeatures::new!(cpu_sse41, "sse4.1", "ssse3");
cpufeatures::new!(cpu_avx, "avx", "sse4.1", "ssse3");
cpufeatures::new!(cpu_avx2, "avx2", "avx", "sse4.1", "ssse3");
cpufeatures::new!(cpu_avx512vl, "avx512f", "avx512vl", "avx2", "fma", "sse4.1", "ssse3");
cpufeatures::new!(cpu_avx512, "avx512f", "avx512bw", "avx512vl", "avx2", "fma", "ssse3");
cpufeatures::new!(cpu_shani, "sha", "sse4.1", "ssse3");

impl Features {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const SSE41: Self = Self(1 << 0);
    pub(crate) const AVX: Self = Self(1 << 1);
    pub(crate) const AVX2: Self = Self(1 << 2);
    pub(crate) const AVX512VL: Self = Self(1 << 3);
    pub(crate) const AVX512: Self = Self(1 << 4);
    pub(crate) const SHANI: Self = Self(1 << 5);

    /// All that this CPU has.
    #[inline]
    pub(crate) fn detect() -> Self {
        match DETECTED.load(Ordering::Relaxed) {
            UNKNOWN => Self::ask(),
            bits => Self(bits),
        }
    }

    #[cold]
    fn ask() -> Self {
        let found = [
            (Self::SSE41, cpu_sse41::get()),
            (Self::AVX, cpu_avx::get()),
            (Self::AVX2, cpu_avx2::get()),
            (Self::AVX512VL, cpu_avx512vl::get()),
            (Self::AVX512, cpu_avx512::get()),
            (Self::SHANI, cpu_shani::get()),
        ];
        let bits = found.iter().filter(|(_, has)| *has).fold(0, |bits, (set, _)| bits | set.0);
        DETECTED.store(bits, Ordering::Relaxed);
        Self(bits)
    }

    /// Those of `wanted`, if the CPU has them all.
    pub(crate) fn only(wanted: Self) -> Option<Self> {
        (Self::detect().0 & wanted.0 == wanted.0).then_some(wanted)
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
}
