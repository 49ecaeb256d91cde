//! The classes of AArch64 CPUs.

use jlanes_core::kernel::plan::Costs;

use crate::features::Sets;

/// CPUs that are alike in what their kernels cost, as far as their instruction sets tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Class {
    /// No instruction set is used.
    Portable,
    /// Vectors alone (Cortex-A72 as in the Raspberry Pi 4).
    Neon,
    /// SHA-1's and SHA-256's instructions (Neoverse N1, Cortex-A72 to A78).
    Sha2,
    /// SHA-512's and SHA-3's too (Neoverse V1 and V2, N2, Cortex-X).
    Sha3,
    /// Apple's, with all of them.
    Apple,
    /// Vectors, alone because they were asked for.
    OnlyNeon,
    /// SHA-1's and SHA-256's instructions alone.
    OnlySha2Ce,
    /// SHA-512's alone.
    OnlySha512Ce,
    /// SHA-3's alone.
    OnlySha3Ce,
}

/// What kernels of sets that were asked for cost: each is taken wherever two of its lanes are live,
/// and two registers wherever one is not enough.
pub(crate) const FORCED_COSTS: Costs =
    Costs { one: 100, pair: 150, triple: 249, quarter: 150, half: 199, ..Costs::NONE };

impl Class {
    /// All, those of CPUs first.
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
    /// How many are classes of CPUs.
    pub(crate) const OWN: usize = Self::OnlyNeon as usize;

    /// The class of a CPU that has `sets`.
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

    /// Nothing else is known of any CPU.
    pub(crate) const fn marks(self) -> Sets {
        Sets::NONE
    }

    /// As the table spells it.
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
