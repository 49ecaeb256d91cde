//! The classes of x86-64 CPUs.

#[cfg(not(any(miri, target_env = "sgx")))]
use core::arch::x86_64::__cpuid;

use jlanes_core::kernel::plan::Costs;

use crate::common::{classes::classes, needs::Needs};

classes! {
    /// CPUs with similar kernel costs.
    enum CpuClass {
        /// No instruction set is used.
        Portable;
        /// 128-bit vectors.
        Sse41;
        /// 128-bit vectors and SHA instructions, in small cores without AVX (Goldmont to Tremont).
        Sse41Sha;
        /// 256-bit vectors (Haswell to Comet Lake).
        Avx2: N_SMS;
        /// 256-bit vectors and SHA instructions (Alder Lake and later). Also unknown CPUs with these sets.
        Avx2Sha;
        /// 256-bit vectors on 128-bit pipes, one of which shifts, and SHA instructions, by AMD and Hygon (Zen, Zen+).
        Zen;
        /// 256-bit vectors and SHA instructions, by AMD (Zen 2 and Zen 3).
        Zen3: THREE_STREAMS;
        /// 512-bit vectors without SHA instructions (Skylake-X, Cascade Lake).
        Avx512: LANE_STREAM, N_SMS;
        /// 512-bit vectors on two ports, and SHA instructions (Ice Lake to Granite Rapids). Also
        /// unknown CPUs with these sets.
        Avx512Sha: LANE_STREAM;
        /// 512-bit vectors on 256-bit pipes, and equally fast SHA instructions.
        Zen4: ORDER_MATTERS;
        /// 512-bit vectors on four pipes, with a latency of two cycles.
        Zen5: LATENCY_BOUND, SCALAR_STREAM, ORDER_MATTERS;
    }
    forced {
        /// Only SSE4.1, forced.
        OnlySse41;
        /// Only AVX, forced.
        OnlyAvx;
        /// Only AVX2, forced.
        OnlyAvx2;
        /// Only AVX-512VL, forced.
        OnlyAvx512Vl;
        /// Only AVX-512, forced.
        OnlyAvx512;
        /// Only the SHA extensions, forced.
        OnlyShaNi;
        /// Only SHA512-NI, forced.
        OnlySha512Ni;
    }
}

/// The costs of forced sets, which make plans use every kernel that a set has, from two live lanes on. They are no
/// cycles: only their order counts.
pub(crate) const FORCED_COSTS: Costs = Costs {
    streams1: 100,
    // less than one stream twice, so two lanes are enough, as they are for one register of any width
    streams2: 150,
    // less than two streams and one
    streams3: 249,
    // less than a register: four lanes, where a set has both
    streams4: 149,
    bits128: 150,
    bits256: 150,
    bits512: 150,
    // more than one register: two only for more lanes than one has
    bits1024: 151,
    ..Costs::NONE
};

impl CpuClass {
    /// The class of this CPU, which has `sets`.
    pub(crate) fn of(sets: Needs) -> Self {
        Self::of_version(sets, version(sets))
    }

    /// The class of a CPU with `sets`, by the version of an AMD or Hygon CPU.
    fn of_version(sets: Needs, version: Option<Version>) -> Self {
        let full = Needs::AVX512.union(Needs::AVX512VL);
        let sha = sets.contains(Needs::SHANI);
        match version {
            Some(Version { family: 0x1a.., .. }) if sets.contains(full) && sha => Self::Zen5,
            Some(_) if sets.contains(full) && sha => Self::Zen4,
            _ if sets.contains(full) && sha => Self::Avx512Sha,
            _ if sets.contains(full) => Self::Avx512,
            Some(Version { family: 0x17, model: ..0x30 } | Version { family: 0x18, .. })
                if sets.contains(Needs::AVX2) && sha =>
            {
                Self::Zen
            }
            Some(_) if sets.contains(Needs::AVX2) && sha => Self::Zen3,
            _ if sets.contains(Needs::AVX2) && sha => Self::Avx2Sha,
            _ if sets.contains(Needs::AVX2) => Self::Avx2,
            _ if sets.contains(Needs::SSE41) && sha => Self::Sse41Sha,
            _ if sets.contains(Needs::SSE41) => Self::Sse41,
            _ => Self::Portable,
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
fn version(sets: Needs) -> Option<Version> {
    if sets == Needs::NONE {
        return None;
    }
    #[allow(unused_unsafe)] // safe in versions of Rust after the MSRV
    // SAFETY: CPUID exists, otherwise no set would have been found.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx];
    (vendor == VENDOR_AMD || vendor == VENDOR_HYGON).then_some(Version::new(version.eax))
}

#[cfg(any(miri, target_env = "sgx"))]
fn version(_: Needs) -> Option<Version> {
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
