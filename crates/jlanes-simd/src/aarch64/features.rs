//! Which of AArch64's instruction sets there are: the one place that asks the CPU.
//!
//! No instruction tells a program what its CPU has; operating systems do.

use super::{Neon, Sha2Ce, Sha3Ce, Sha512Ce};
use crate::features::{Features, Sets};

impl Sets {
    pub(crate) const NEON: Self = Self::one(0);
    pub(crate) const SHA2CE: Self = Self::one(1);
    pub(crate) const SHA512CE: Self = Self::one(2);
    pub(crate) const SHA3CE: Self = Self::one(3);
}

/// Every backend that can be forced: its name, its name with n-SMS, and what it uses.
pub(crate) const FORCED: [(&str, &str, Sets); 5] = [
    ("portable", "portable+n-sms", Sets::NONE),
    ("neon", "neon+n-sms", Sets::NEON),
    ("sha2ce", "sha2ce+n-sms", Sets::SHA2CE),
    ("sha512ce", "sha512ce+n-sms", Sets::SHA512CE),
    ("sha3ce", "sha3ce+n-sms", Sets::SHA3CE),
];

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
        (Sets::NEON, true),
        (Sets::SHA2CE, cpu_sha2::get()),
        (Sets::SHA512CE, sha3),
        (Sets::SHA3CE, sha3),
    ])
}

/// Whether the CPU has the sets `wanted`; `detected` is what [`detect`] found.
pub(crate) fn has(detected: Sets, wanted: Sets) -> bool {
    detected.has(wanted)
}

impl Features {
    #[inline(always)]
    pub(crate) fn neon(self) -> Option<Neon> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::NEON).then(|| unsafe { Neon::assume() })
    }

    #[inline(always)]
    pub(crate) fn sha2ce(self) -> Option<Sha2Ce> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::SHA2CE).then(|| unsafe { Sha2Ce::assume() })
    }

    #[inline(always)]
    pub(crate) fn sha512ce(self) -> Option<Sha512Ce> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::SHA512CE).then(|| unsafe { Sha512Ce::assume() })
    }

    #[inline(always)]
    pub(crate) fn sha3ce(self) -> Option<Sha3Ce> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::SHA3CE).then(|| unsafe { Sha3Ce::assume() })
    }
}
