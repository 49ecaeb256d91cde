//! The classes of AArch64 CPUs.

use jlanes_core::kernel::plan::Costs;

use crate::common::{classes::classes, needs::Needs};

classes! {
    /// CPUs with similar kernel costs. Only the instruction sets tell them apart.
    enum CpuClass {
        /// No instruction set is used.
        Portable;
        /// Only vectors (Cortex-A72 as in the Raspberry Pi 4).
        Neon;
        /// The SHA-1 and SHA-256 instructions (Neoverse N1, Cortex-A72 to A78).
        Sha2;
        /// Also the SHA-512 and SHA-3 instructions (Neoverse V1 and V2, N2, Cortex-X).
        Sha3;
        /// Apple's CPUs, with all of them.
        Apple;
    }
    forced {
        /// Only vectors, forced.
        OnlyNeon;
        /// Only the SHA-1 and SHA-256 instructions, forced.
        OnlySha2Ce;
        /// Only the SHA-512 instructions, forced.
        OnlySha512Ce;
        /// Only the SHA-3 instructions, forced.
        OnlySha3Ce;
    }
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
    /// The class of a CPU with `sets`.
    pub(crate) fn of(sets: Needs) -> Self {
        let full = Needs::SHA2CE.union(Needs::SHA512CE).union(Needs::SHA3CE);
        if sets.has(full) {
            if cfg!(target_vendor = "apple") { Self::Apple } else { Self::Sha3 }
        } else if sets.has(Needs::SHA2CE) {
            Self::Sha2
        } else if sets.has(Needs::NEON) {
            Self::Neon
        } else {
            Self::Portable
        }
    }
}
