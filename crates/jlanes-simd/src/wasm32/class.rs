//! The classes of WebAssembly's CPUs: all CPUs have the same one, because a module does not learn which CPU it
//! runs on.

use jlanes_core::kernel::plan::Costs;

use crate::common::{classes::classes, needs::Needs};

classes! {
    /// Any CPU, by the instructions that its module uses.
    enum CpuClass {
        /// No instruction set is used.
        Portable;
        /// Vectors.
        Simd128;
    }
    forced {
        /// Only vectors, forced.
        OnlySimd128;
    }
}

/// The costs of forced sets. A register costs less than two streams, so it is used from two live lanes on.
pub(crate) const FORCED_COSTS: Costs = Costs { streams1: 100, bits128: 150, ..Costs::NONE };

impl CpuClass {
    /// The class for `sets`.
    pub(crate) fn of(sets: Needs) -> Self {
        if sets.contains(Needs::SIMD128) { Self::Simd128 } else { Self::Portable }
    }
}
