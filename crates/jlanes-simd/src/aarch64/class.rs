//! The classes of AArch64 CPUs.

use crate::{features::Sets, tuning::Costs};

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
    OnlyVectors,
    /// Instructions for streams, alone because they were asked for.
    OnlyStreams,
}

impl Class {
    pub(crate) const ALL: [Self; 7] = [
        Self::Portable,
        Self::Neon,
        Self::Sha2,
        Self::Sha3,
        Self::Apple,
        Self::OnlyVectors,
        Self::OnlyStreams,
    ];

    /// The classes of sets that were asked for: each kernel is taken wherever two of its lanes are
    /// live, and two registers wherever one is not enough.
    pub(crate) const FORCED: [(Self, Costs); 2] = [
        (Self::OnlyVectors, Costs { one: 100, quarter: 150, half: 199, ..Costs::NONE }),
        (Self::OnlyStreams, Costs { one: 100, pair: 150, triple: 249, ..Costs::NONE }),
    ];

    /// The class of a CPU that has `sets`.
    pub(crate) fn of(sets: Sets) -> Self {
        let full = Sets::SHA2CE.and(Sets::SHA512CE).and(Sets::SHA3CE);
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

    /// The class of instruction sets that were asked for.
    pub(crate) fn forced(wanted: Sets) -> Self {
        match wanted {
            Sets::NEON | Sets::SHA3CE => Self::OnlyVectors,
            Sets::SHA2CE | Sets::SHA512CE => Self::OnlyStreams,
            _ => Self::Portable,
        }
    }

    /// No core is known on which a round is as long as its chain.
    pub(crate) const fn is_serial(self) -> bool {
        false
    }

    /// As the table spells it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "Portable",
            Self::Neon => "Neon",
            Self::Sha2 => "Sha2",
            Self::Sha3 => "Sha3",
            Self::Apple => "Apple",
            Self::OnlyVectors => "OnlyVectors",
            Self::OnlyStreams => "OnlyStreams",
        }
    }
}
