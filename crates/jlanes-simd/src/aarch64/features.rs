//! Detection of AArch64's instruction sets: the only place that asks for them.
//!
//! No instruction reports them to programs, so the operating system does.

use super::{CpuClass, Neon, Sha2Ce, Sha3Ce, Sha512Ce};
use crate::common::{
    detection::{Detection, ForcedSets},
    needs::Needs,
    token::Token,
};

impl Needs {
    pub(crate) const NEON: Self = Self::set(0);
    pub(crate) const SHA2CE: Self = Self::set(1);
    pub(crate) const SHA512CE: Self = Self::set(2);
    pub(crate) const SHA3CE: Self = Self::set(3);
}

/// Every backend that can be forced.
pub(crate) const FORCED: [ForcedSets<CpuClass>; 7] = [
    ForcedSets::new("portable", Needs::NONE, CpuClass::Portable),
    ForcedSets::new("neon", Needs::NEON, CpuClass::OnlyNeon),
    ForcedSets::new("sha2ce", Needs::SHA2CE, CpuClass::OnlySha2Ce),
    ForcedSets::new("sha512ce", Needs::SHA512CE, CpuClass::OnlySha512Ce),
    ForcedSets::new("sha3ce", Needs::SHA3CE, CpuClass::OnlySha3Ce),
    ForcedSets::with_n_sms("neon+n-sms", Needs::NEON, CpuClass::OnlyNeon),
    ForcedSets::with_n_sms("sha3ce+n-sms", Needs::SHA3CE, CpuClass::OnlySha3Ce),
];

// rustc's feature `sha2` stands for the SHA-1 and the SHA-256 instructions (the architecture has the latter
// only with the former), `sha3` for the SHA-512 and the SHA-3 ones.
#[cfg(not(windows))]
cpufeatures::new!(cpu_sha2, "sha2");
#[cfg(not(windows))]
cpufeatures::new!(cpu_sha3, "sha3");
#[cfg(windows)]
use super::windows::{cpu_sha2, cpu_sha3};

/// The sets that the operating system reports, which Linux, Android, Apple's systems and Windows do, and the class.
/// Elsewhere the sets are the compiler's target features. NEON is part of every target of this folder. Detection
/// runs once.
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
    let sha3 = cpu_sha3::get();
    Needs::found([
        (Neon::SETS, true),
        (Sha2Ce::SETS, cpu_sha2::get()),
        (Sha512Ce::SETS, sha3),
        (Sha3Ce::SETS, sha3),
    ])
}

/// Whether the CPU supports the sets `wanted`.
#[inline(always)]
pub(crate) fn has(wanted: Needs) -> bool {
    detected().0.contains(wanted)
}
