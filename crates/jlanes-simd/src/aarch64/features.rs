//! Which of AArch64's instruction sets there are: the one place that asks the CPU.
//!
//! No instruction tells a program what its CPU has; operating systems do.

use super::{Class, Neon, Sha2Ce, Sha3Ce, Sha512Ce};
use crate::{
    features::{Forced, Sets},
    token::Token,
};

impl Sets {
    pub(crate) const NEON: Self = Self::one(0);
    pub(crate) const SHA2CE: Self = Self::one(1);
    pub(crate) const SHA512CE: Self = Self::one(2);
    pub(crate) const SHA3CE: Self = Self::one(3);
}

/// Every backend that can be forced.
pub(crate) const FORCED: [Forced; 5] = {
    const fn forced(name: &'static str, n_sms: &'static str, sets: Sets, class: Class) -> Forced {
        Forced { name, n_sms, sets, class }
    }
    [
        forced("portable", "portable+n-sms", Sets::NONE, Class::Portable),
        forced("neon", "neon+n-sms", Sets::NEON, Class::OnlyNeon),
        forced("sha2ce", "sha2ce+n-sms", Sets::SHA2CE, Class::OnlySha2Ce),
        forced("sha512ce", "sha512ce+n-sms", Sets::SHA512CE, Class::OnlySha512Ce),
        forced("sha3ce", "sha3ce+n-sms", Sets::SHA3CE, Class::OnlySha3Ce),
    ]
};

// By what rustc calls them, `sha2` is SHA-1's instructions and SHA-256's (the architecture has the
// latter only with the former), and `sha3` is SHA-512's and SHA-3's.
#[cfg(not(windows))]
cpufeatures::new!(cpu_sha2, "sha2");
#[cfg(not(windows))]
cpufeatures::new!(cpu_sha3, "sha3");
#[cfg(windows)]
use super::windows::{cpu_sha2, cpu_sha3};

/// All that this CPU has, as far as the operating system says: Linux, Android, Apple's and Windows do.
/// Elsewhere there is what the compiler was told of. NEON is part of every target of this folder.
pub(crate) fn detect() -> Sets {
    let sha3 = cpu_sha3::get();
    Sets::found([
        (Neon::SETS, true),
        (Sha2Ce::SETS, cpu_sha2::get()),
        (Sha512Ce::SETS, sha3),
        (Sha3Ce::SETS, sha3),
    ])
}

/// Whether the CPU has the sets `wanted`; `detected` is what [`detect`] found.
#[inline(always)]
pub(crate) fn has(detected: Sets, wanted: Sets) -> bool {
    detected.has(wanted)
}
