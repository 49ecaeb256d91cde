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

/// The costs of forced sets, which make plans use every kernel that a set has, from two live lanes on. They are no
/// cycles: only their order counts.
pub(crate) const FORCED_COSTS: Costs = Costs {
    streams1: 100,
    // less than one stream twice, so two lanes are enough, as they are for one register
    streams2: 150,
    // less than two streams and one
    streams3: 249,
    bits128: 150,
    // more than one register, but less than a register and a stream: two if one is not enough
    bits256: 199,
    ..Costs::NONE
};

impl CpuClass {
    /// The class of a CPU with `sets`.
    pub(crate) fn of(sets: Needs) -> Self {
        let full = Needs::SHA2CE.union(Needs::SHA512CE).union(Needs::SHA3CE);
        if sets.contains(full) {
            if cfg!(target_vendor = "apple") { Self::Apple } else { Self::Sha3 }
        } else if sets.contains(Needs::SHA2CE) {
            Self::Sha2
        } else if sets.contains(Needs::NEON) {
            Self::Neon
        } else {
            Self::Portable
        }
    }
}
