//! The instruction set of a module, which is fixed when it is compiled.

use super::{CpuClass, Simd128};
use crate::common::{detection::ForcedSets, needs::Needs, rustcrypto::RustCrypto, token::Token};

impl Needs {
    pub(crate) const SIMD128: Self = Self::set(0);
}

/// Every backend that can be forced.
pub(crate) const FORCED: [ForcedSets<CpuClass>; 3] = [
    ForcedSets::new("portable", Needs::NONE, CpuClass::Portable),
    ForcedSets::new("simd128", Needs::SIMD128, CpuClass::OnlySimd128),
    ForcedSets::with_n_sms("simd128+n-sms", Needs::SIMD128, CpuClass::OnlySimd128),
];

/// The sets that the module is compiled with, and their class.
pub(crate) fn detected() -> (Needs, CpuClass) {
    let sets = Simd128::SETS.union(RustCrypto::SETS);
    (sets, CpuClass::of(sets))
}

/// Whether the module has the sets `wanted`.
#[inline(always)]
pub(crate) fn has(wanted: Needs) -> bool {
    detected().0.contains(wanted)
}
