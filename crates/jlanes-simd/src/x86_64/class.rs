//! The classes of x86-64 CPUs.

#[cfg(not(any(miri, target_env = "sgx")))]
use core::arch::x86_64::__cpuid;

use jlanes_core::kernel::plan::Costs;

use crate::common::sets::Sets;

/// CPUs with similar kernel costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum CpuClass {
    /// No instruction set is used.
    Portable,
    /// 128-bit vectors.
    Sse41,
    /// 128-bit vectors and SHA instructions, in small cores without AVX (Goldmont to Tremont).
    Sse41Sha,
    /// 256-bit vectors (Haswell to Comet Lake).
    Avx2,
    /// 256-bit vectors and SHA instructions (Alder Lake and later). Also unknown CPUs with these sets.
    Avx2Sha,
    /// 256-bit vectors on 128-bit pipes, one of which shifts, and SHA instructions, by AMD and Hygon (Zen, Zen+).
    Zen,
    /// 256-bit vectors and SHA instructions, by AMD (Zen 2 and Zen 3).
    Zen3,
    /// 512-bit vectors without SHA instructions (Skylake-X, Cascade Lake).
    Avx512,
    /// 512-bit vectors on two ports, and SHA instructions (Ice Lake to Granite Rapids). Also
    /// unknown CPUs with these sets.
    Avx512Sha,
    /// 512-bit vectors on 256-bit pipes, and equally fast SHA instructions.
    Zen4,
    /// 512-bit vectors on four pipes, with a latency of two cycles.
    Zen5,
    /// Only SSE4.1, forced.
    OnlySse41,
    /// Only AVX, forced.
    OnlyAvx,
    /// Only AVX2, forced.
    OnlyAvx2,
    /// Only AVX-512VL, forced.
    OnlyAvx512Vl,
    /// Only AVX-512, forced.
    OnlyAvx512,
    /// Only the SHA extensions, forced.
    OnlyShaNi,
    /// Only SHA512-NI, forced.
    OnlySha512Ni,
}

/// The costs of forced sets: their kernels are used from two live lanes on.
pub(crate) const FORCED_COSTS: Costs = Costs {
    streams1: 100,
    streams2: 150,
    streams3: 249,
    streams4: 149,
    bits128: 150,
    bits256: 150,
    bits512: 150,
    bits1024: 151,
    ..Costs::NONE
};

impl CpuClass {
    /// All classes, those of CPUs first.
    pub(crate) const ALL: [Self; 18] = [
        Self::Portable,
        Self::Sse41,
        Self::Sse41Sha,
        Self::Avx2,
        Self::Avx2Sha,
        Self::Zen,
        Self::Zen3,
        Self::Avx512,
        Self::Avx512Sha,
        Self::Zen4,
        Self::Zen5,
        Self::OnlySse41,
        Self::OnlyAvx,
        Self::OnlyAvx2,
        Self::OnlyAvx512Vl,
        Self::OnlyAvx512,
        Self::OnlyShaNi,
        Self::OnlySha512Ni,
    ];
    /// The number of classes of CPUs, which are detected; the others are of forced sets.
    pub(crate) const DETECTED: usize = Self::OnlySse41 as usize;

    /// The class of this CPU, which has `sets`.
    pub(crate) fn of(sets: Sets) -> Self {
        Self::of_version(sets, version(sets))
    }

    /// The class of a CPU with `sets`, by the version of an AMD or Hygon CPU.
    fn of_version(sets: Sets, version: Option<Version>) -> Self {
        let full = Sets::AVX512.union(Sets::AVX512VL);
        let sha = sets.has(Sets::SHANI);
        match version {
            Some(Version { family: 0x1a.., .. }) if sets.has(full) && sha => Self::Zen5,
            Some(_) if sets.has(full) && sha => Self::Zen4,
            _ if sets.has(full) && sha => Self::Avx512Sha,
            _ if sets.has(full) => Self::Avx512,
            Some(Version { family: 0x17, model: ..0x30 } | Version { family: 0x18, .. })
                if sets.has(Sets::AVX2) && sha =>
            {
                Self::Zen
            }
            Some(_) if sets.has(Sets::AVX2) && sha => Self::Zen3,
            _ if sets.has(Sets::AVX2) && sha => Self::Avx2Sha,
            _ if sets.has(Sets::AVX2) => Self::Avx2,
            _ if sets.has(Sets::SSE41) && sha => Self::Sse41Sha,
            _ if sets.has(Sets::SSE41) => Self::Sse41,
            _ => Self::Portable,
        }
    }

    /// The marks of its CPUs: properties that decide between kernels.
    pub(crate) const fn marks(self) -> Sets {
        match self {
            Self::Avx2 => Sets::N_SMS,
            Self::Avx512 => Sets::LANE.union(Sets::N_SMS),
            Self::Avx512Sha => Sets::LANE,
            Self::Zen => Sets::ROUNDS_WITH_VECTORS,
            Self::Zen3 => Sets::THREE_STREAMS,
            Self::Zen4 => Sets::ORDERED.union(Sets::ROUNDS_WITH_VECTORS),
            Self::Zen5 => Sets::LATENCY_BOUND.union(Sets::SCALAR).union(Sets::ORDERED),
            _ => Sets::NONE,
        }
    }

    /// The name in tables of costs.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "Portable",
            Self::Sse41 => "Sse41",
            Self::Sse41Sha => "Sse41Sha",
            Self::Avx2 => "Avx2",
            Self::Avx2Sha => "Avx2Sha",
            Self::Zen => "Zen",
            Self::Zen3 => "Zen3",
            Self::Avx512 => "Avx512",
            Self::Avx512Sha => "Avx512Sha",
            Self::Zen4 => "Zen4",
            Self::Zen5 => "Zen5",
            Self::OnlySse41 => "OnlySse41",
            Self::OnlyAvx => "OnlyAvx",
            Self::OnlyAvx2 => "OnlyAvx2",
            Self::OnlyAvx512Vl => "OnlyAvx512Vl",
            Self::OnlyAvx512 => "OnlyAvx512",
            Self::OnlyShaNi => "OnlyShaNi",
            Self::OnlySha512Ni => "OnlySha512Ni",
        }
    }
}

/// The version of a CPU of AMD or Hygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    family: u32,
    model: u32,
}

#[cfg(not(any(miri, target_env = "sgx")))]
impl Version {
    /// The version in `eax` of CPUID's function 1. Extended fields count from family 15 on: before, they are 0.
    fn new(eax: u32) -> Self {
        let field = |at: u32, mask: u32| (eax >> at) & mask;
        Self { family: field(8, 0xf) + field(20, 0xff), model: field(4, 0xf) | field(12, 0xf0) }
    }
}

/// The version of a CPU of AMD or Hygon. It is requested only if other features were found: where
/// their detection does not use CPUID, CPUID may not exist.
#[cfg(not(any(miri, target_env = "sgx")))]
fn version(sets: Sets) -> Option<Version> {
    if sets == Sets::NONE {
        return None;
    }
    #[allow(unused_unsafe)] // safe in versions of Rust after the MSRV
    // SAFETY: CPUID exists, otherwise no set would have been found.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx];
    (vendor == VENDOR_AMD || vendor == VENDOR_HYGON).then_some(Version::new(version.eax))
}

#[cfg(any(miri, target_env = "sgx"))]
fn version(_: Sets) -> Option<Version> {
    None
}

/// `AuthenticAMD` in `ebx`, `edx`, `ecx`.
#[cfg(not(any(miri, target_env = "sgx")))]
const VENDOR_AMD: [u32; 3] = [0x6874_7541, 0x6974_6e65, 0x444d_4163];
/// `HygonGenuine` in `ebx`, `edx`, `ecx`.
#[cfg(not(any(miri, target_env = "sgx")))]
const VENDOR_HYGON: [u32; 3] = [0x6f67_7948, 0x656e_476e, 0x656e_6975];

#[cfg(test)]
mod tests;
