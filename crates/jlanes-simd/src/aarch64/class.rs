//! The classes of AArch64 CPUs.

use jlanes_core::kernel::plan::Costs;

use crate::common::sets::Sets;

/// CPUs with similar kernel costs, by their instruction sets, and by whether the target is Apple's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum CpuClass {
    /// No instruction set is used.
    Portable,
    /// Only vectors (Cortex-A72 as in the Raspberry Pi 4).
    Neon,
    /// The SHA-1 and SHA-256 instructions (Neoverse N1, Cortex-A72 to A78).
    Sha2,
    /// Also the SHA-512 and SHA-3 instructions (Neoverse V1 and V2, N2, Cortex-X).
    Sha3,
    /// Apple's CPUs, with all of them.
    Apple,
    /// Only vectors, forced.
    OnlyNeon,
    /// Only the SHA-1 and SHA-256 instructions, forced.
    OnlySha2Ce,
    /// Only the SHA-512 instructions, forced.
    OnlySha512Ce,
    /// Only the SHA-3 instructions, forced.
    OnlySha3Ce,
}

/// The costs of forced sets: their kernels are used from two live lanes on, and two registers if
/// one is not enough.
pub(crate) const FORCED_COSTS: Costs = Costs {
    streams1: 100,
    streams2: 150,
    streams3: 249,
    bits128: 150,
    bits256: 199,
    ..Costs::NONE
};

impl CpuClass {
    /// All classes, those of CPUs first.
    pub(crate) const ALL: [Self; 9] = [
        Self::Portable,
        Self::Neon,
        Self::Sha2,
        Self::Sha3,
        Self::Apple,
        Self::OnlyNeon,
        Self::OnlySha2Ce,
        Self::OnlySha512Ce,
        Self::OnlySha3Ce,
    ];
    /// The number of classes of CPUs, which are detected; the others are of forced sets.
    pub(crate) const DETECTED: usize = Self::OnlyNeon as usize;

    /// The class of a CPU with `sets`.
    pub(crate) fn of(sets: Sets) -> Self {
        let full = Sets::SHA2CE.union(Sets::SHA512CE).union(Sets::SHA3CE);
        if sets.has(full) {
            if cfg!(target_vendor = "apple") { Self::Apple } else { Self::Sha3 }
        } else if sets.has(Sets::SHA2CE) {
            Self::Sha2
        } else if sets.has(Sets::NEON) {
            Self::Neon
        } else {
            Self::Portable
        }
    }

    /// No marks: instruction sets alone decide between the kernels of these CPUs.
    pub(crate) const fn marks(self) -> Sets {
        Sets::NONE
    }

    /// The name in tables of costs.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "Portable",
            Self::Neon => "Neon",
            Self::Sha2 => "Sha2",
            Self::Sha3 => "Sha3",
            Self::Apple => "Apple",
            Self::OnlyNeon => "OnlyNeon",
            Self::OnlySha2Ce => "OnlySha2Ce",
            Self::OnlySha512Ce => "OnlySha512Ce",
            Self::OnlySha3Ce => "OnlySha3Ce",
        }
    }
}
