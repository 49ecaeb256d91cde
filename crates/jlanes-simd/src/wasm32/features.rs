//! The instruction set of a module, which is fixed when it is compiled.

use super::{CpuClass, Simd128};
use crate::{
    features::{Forced, Sets},
    foreign::Foreign,
    token::Token,
};

impl Sets {
    pub(crate) const SIMD128: Self = Self::one(0);
}

/// Every backend that can be forced.
pub(crate) const FORCED: [Forced; 2] = [
    Forced {
        name: "portable",
        n_sms: "portable+n-sms",
        sets: Sets::NONE,
        class: CpuClass::Portable,
    },
    Forced {
        name: "simd128",
        n_sms: "simd128+n-sms",
        sets: Sets::SIMD128,
        class: CpuClass::OnlySimd128,
    },
];

/// What the module is compiled with.
pub(crate) fn detect() -> Sets {
    Simd128::SETS.union(Foreign::SETS)
}

/// Whether the module has the sets `wanted`; `detected` is the result of [`detect`].
#[inline(always)]
pub(crate) fn has(detected: Sets, wanted: Sets) -> bool {
    detected.has(wanted)
}
