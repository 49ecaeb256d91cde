//! The classes of x86-64 CPUs.

#[cfg(not(any(miri, target_env = "sgx")))]
use core::arch::x86_64::__cpuid;

use crate::{features::Sets, tuning::Costs};

/// CPUs that are alike in what their kernels cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Class {
    /// No instruction set is used.
    Portable,
    /// 128-bit vectors.
    Sse41,
    /// 256-bit vectors (Haswell to Comet Lake).
    Avx2,
    /// 256-bit vectors and SHA instructions (Zen to Zen 3, Alder Lake and what follows).
    Avx2Sha,
    /// 512-bit vectors without SHA instructions (Skylake-X, Cascade Lake).
    Avx512,
    /// 512-bit vectors on two ports, and SHA instructions (Ice Lake to Granite Rapids). CPUs that
    /// nobody knows and that have these sets count as such.
    Avx512Sha,
    /// 512-bit vectors on 256-bit pipes, SHA instructions that are as fast.
    Zen4,
    /// 512-bit vectors on four pipes, with a latency of two cycles.
    Zen5,
    /// One of 128 bits, alone because it was asked for.
    Only128,
    /// One of 256 bits, alone because it was asked for.
    Only256,
    /// AVX-512 alone.
    Only512,
    /// The SHA instructions alone, or those of SHA-512.
    OnlyStreams,
}

impl Class {
    pub(crate) const ALL: [Self; 12] = [
        Self::Portable,
        Self::Sse41,
        Self::Avx2,
        Self::Avx2Sha,
        Self::Avx512,
        Self::Avx512Sha,
        Self::Zen4,
        Self::Zen5,
        Self::Only128,
        Self::Only256,
        Self::Only512,
        Self::OnlyStreams,
    ];

    /// The classes of sets that were asked for: each kernel is taken wherever two of its lanes are
    /// live.
    pub(crate) const FORCED: [(Self, Costs); 4] = [
        (Self::Only128, Costs { one: 100, quarter: 150, ..Costs::NONE }),
        (Self::Only256, Costs { one: 100, half: 150, ..Costs::NONE }),
        (Self::Only512, Costs { one: 100, full: 150, two: 151, ..Costs::NONE }),
        (Self::OnlyStreams, Costs { one: 100, pair: 150, triple: 249, ..Costs::NONE }),
    ];

    /// The class of a CPU that has `sets`.
    pub(crate) fn of(sets: Sets) -> Self {
        let full = Sets::AVX512.and(Sets::AVX512VL);
        match family(sets) {
            Some(0x1a..) if sets.has(full.and(Sets::SHANI)) => Self::Zen5,
            Some(..0x1a) if sets.has(full.and(Sets::SHANI)) => Self::Zen4,
            _ if sets.has(full.and(Sets::SHANI)) => Self::Avx512Sha,
            _ if sets.has(full) => Self::Avx512,
            _ if sets.has(Sets::AVX2.and(Sets::SHANI)) => Self::Avx2Sha,
            _ if sets.has(Sets::AVX2) => Self::Avx2,
            _ if sets.has(Sets::SSE41) => Self::Sse41,
            _ => Self::Portable,
        }
    }

    /// The class of instruction sets that were asked for.
    pub(crate) fn forced(wanted: Sets) -> Self {
        match wanted {
            Sets::SSE41 | Sets::AVX => Self::Only128,
            Sets::AVX2 | Sets::AVX512VL => Self::Only256,
            Sets::AVX512 => Self::Only512,
            Sets::SHANI | Sets::SHA512NI => Self::OnlyStreams,
            _ => Self::Portable,
        }
    }

    /// Whether a round of one 512-bit register takes as long as its chain of operations.
    pub(crate) const fn is_serial(self) -> bool {
        matches!(self, Self::Zen5)
    }

    /// As the table spells it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "Portable",
            Self::Sse41 => "Sse41",
            Self::Avx2 => "Avx2",
            Self::Avx2Sha => "Avx2Sha",
            Self::Avx512 => "Avx512",
            Self::Avx512Sha => "Avx512Sha",
            Self::Zen4 => "Zen4",
            Self::Zen5 => "Zen5",
            Self::Only128 => "Only128",
            Self::Only256 => "Only256",
            Self::Only512 => "Only512",
            Self::OnlyStreams => "OnlyStreams",
        }
    }
}

/// The family of a CPU of AMD's or Hygon's. Asked only where other features were found: where the
/// detection of those does not use CPUID, it may not be there.
#[cfg(not(any(miri, target_env = "sgx")))]
fn family(sets: Sets) -> Option<u32> {
    if sets == Sets::NONE {
        return None;
    }
    #[allow(unused_unsafe)] // safe in later versions of Rust than the oldest supported
    // SAFETY: CPUID is there, or no set would have been found.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx];
    (vendor == VENDOR_AMD || vendor == VENDOR_HYGON).then_some(family_of(version.eax))
}

/// The family in a CPU's version: CPUID's function 1, `eax`.
#[cfg(not(any(miri, target_env = "sgx")))]
const fn family_of(version: u32) -> u32 {
    ((version >> 8) & 0xf) + ((version >> 20) & 0xff)
}

#[cfg(any(miri, target_env = "sgx"))]
fn family(_: Sets) -> Option<u32> {
    None
}

/// `AuthenticAMD` in `ebx`, `edx`, `ecx`.
#[cfg(not(any(miri, target_env = "sgx")))]
const VENDOR_AMD: [u32; 3] = [0x6874_7541, 0x6974_6e65, 0x444d_4163];
/// `HygonGenuine` in `ebx`, `edx`, `ecx`.
#[cfg(not(any(miri, target_env = "sgx")))]
const VENDOR_HYGON: [u32; 3] = [0x6f67_7948, 0x656e_476e, 0x656e_6975];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_without_instructions_for_sha_say_the_class() {
        let vectors = Sets::SSE41.and(Sets::AVX);
        let wide = vectors.and(Sets::AVX2);
        for (sets, class) in [
            (Sets::NONE, Class::Portable),
            (Sets::AVX, Class::Portable),
            (Sets::SSE41, Class::Sse41),
            (vectors, Class::Sse41),
            (wide, Class::Avx2),
            (wide.and(Sets::AVX512VL), Class::Avx2),
            (wide.and(Sets::AVX512VL).and(Sets::AVX512), Class::Avx512),
            (wide.and(Sets::SHANI), Class::Avx2Sha),
            (vectors.and(Sets::SHANI), Class::Sse41),
        ] {
            assert_eq!(Class::of(sets), class, "{sets:?}");
        }
    }

    #[test]
    fn names_are_those_of_the_table() {
        for class in Class::ALL {
            assert_eq!(class.name(), std::format!("{class:?}"));
            assert_eq!(Class::ALL[class as usize], class, "plans are found by its number");
        }
    }

    #[cfg(not(any(miri, target_env = "sgx")))]
    #[test]
    fn families_are_the_sum_of_two_fields() {
        // Zen 2, Zen 3, Zen 4 and Zen 5; an Opteron before all of them
        let versions = [0x0083_0f10, 0x00a0_0f11, 0x00a1_0f11, 0x00b0_0f21, 0x0002_0f32];
        assert_eq!(versions.map(family_of), [0x17, 0x19, 0x19, 0x1a, 0x0f]);
    }
}
