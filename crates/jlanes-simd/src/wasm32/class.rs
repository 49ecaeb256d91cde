//! The classes of WebAssembly's CPUs: all CPUs have the same one, because a module does not learn which CPU it
//! runs on.

use jlanes_core::kernel::plan::Costs;

use crate::common::sets::Sets;

/// Any CPU, by the instructions that its module uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum CpuClass {
    /// No instruction set is used.
    Portable,
    /// Vectors.
    Simd128,
    /// Only vectors, forced.
    OnlySimd128,
}

/// The costs of forced sets: their kernels are used from two live lanes on.
pub(crate) const FORCED_COSTS: Costs = Costs { streams1: 100, bits128: 150, ..Costs::NONE };

impl CpuClass {
    /// All classes, those of CPUs first.
    pub(crate) const ALL: [Self; 3] = [Self::Portable, Self::Simd128, Self::OnlySimd128];
    /// The number of classes of CPUs, which are detected; the others are of forced sets.
    pub(crate) const DETECTED: usize = Self::OnlySimd128 as usize;

    /// The class for `sets`.
    pub(crate) fn of(sets: Sets) -> Self {
        if sets.has(Sets::SIMD128) { Self::Simd128 } else { Self::Portable }
    }

    /// No marks: a module knows nothing else of its CPU.
    pub(crate) const fn marks(self) -> Sets {
        Sets::NONE
    }

    /// The name in tables of costs.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "Portable",
            Self::Simd128 => "Simd128",
            Self::OnlySimd128 => "OnlySimd128",
        }
    }
}
