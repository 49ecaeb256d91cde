//! Detection of AArch64's instruction sets: the only place that asks the CPU.
//!
//! No instruction reports the CPU's features; operating systems do.

use super::{CpuClass, Neon, Sha2Ce, Sha3Ce, Sha512Ce};
use crate::common::{
    sets::{Forced, Remembered, Sets},
    token::Token,
};

impl Sets {
    pub(crate) const NEON: Self = Self::one(0);
    pub(crate) const SHA2CE: Self = Self::one(1);
    pub(crate) const SHA512CE: Self = Self::one(2);
    pub(crate) const SHA3CE: Self = Self::one(3);
}

/// Every backend that can be forced.
pub(crate) const FORCED: [Forced<CpuClass>; 7] = {
    const fn forced(name: &'static str, sets: Sets, class: CpuClass) -> Forced<CpuClass> {
        Forced { name, sets, n_sms: false, class }
    }
    const fn n_sms(name: &'static str, sets: Sets, class: CpuClass) -> Forced<CpuClass> {
        Forced { n_sms: true, ..forced(name, sets, class) }
    }
    [
        forced("portable", Sets::NONE, CpuClass::Portable),
        forced("neon", Sets::NEON, CpuClass::OnlyNeon),
        forced("sha2ce", Sets::SHA2CE, CpuClass::OnlySha2Ce),
        forced("sha512ce", Sets::SHA512CE, CpuClass::OnlySha512Ce),
        forced("sha3ce", Sets::SHA3CE, CpuClass::OnlySha3Ce),
        n_sms("neon+n-sms", Sets::NEON, CpuClass::OnlyNeon),
        n_sms("sha3ce+n-sms", Sets::SHA3CE, CpuClass::OnlySha3Ce),
    ]
};

// For rustc, `sha2` is the SHA-1 and SHA-256 instructions (the architecture has the latter only
// with the former), and `sha3` is the SHA-512 and SHA-3 ones.
#[cfg(not(windows))]
cpufeatures::new!(cpu_sha2, "sha2");
#[cfg(not(windows))]
cpufeatures::new!(cpu_sha3, "sha3");
#[cfg(windows)]
use super::windows::{cpu_sha2, cpu_sha3};

/// Everything that this CPU supports, as far as the operating system reports it: Linux, Android,
/// Apple's and Windows do. Elsewhere the compiler's target features count. NEON is part of every
/// target of this folder. Detection runs once.
#[inline(always)]
pub(crate) fn sets() -> Sets {
    static SETS: Remembered = Remembered::new();
    Sets::of_bits(SETS.get(|| detect().bits()))
}

fn detect() -> Sets {
    let sha3 = cpu_sha3::get();
    Sets::found([
        (Neon::SETS, true),
        (Sha2Ce::SETS, cpu_sha2::get()),
        (Sha512Ce::SETS, sha3),
        (Sha3Ce::SETS, sha3),
    ])
}

/// Whether the CPU supports the sets `wanted`.
#[inline(always)]
pub(crate) fn has(wanted: Sets) -> bool {
    sets().has(wanted)
}
