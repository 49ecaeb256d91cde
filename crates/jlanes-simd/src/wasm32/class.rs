//! The classes: modules do not learn which CPU they run on.

use jlanes_core::kernel::plan::Costs;

use crate::common::sets::Sets;

/// Any CPU, by what is used.
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
pub(crate) const FORCED_COSTS: Costs = Costs { one: 100, quarter: 150, ..Costs::NONE };

impl CpuClass {
    /// All classes, those of CPUs first.
    pub(crate) const ALL: [Self; 3] = [Self::Portable, Self::Simd128, Self::OnlySimd128];
    /// The number of classes of CPUs.
    pub(crate) const OWN: usize = Self::OnlySimd128 as usize;

    /// The class for `sets`.
    pub(crate) fn of(sets: Sets) -> Self {
        if sets.has(Sets::SIMD128) { Self::Simd128 } else { Self::Portable }
    }

    /// Nothing else is known of CPUs.
    pub(crate) const fn marks(self) -> Sets {
        Sets::NONE
    }

    /// The name in the table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "Portable",
            Self::Simd128 => "Simd128",
            Self::OnlySimd128 => "OnlySimd128",
        }
    }
}
