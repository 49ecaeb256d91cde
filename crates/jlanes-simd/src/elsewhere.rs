//! Targets without kernels of their own: lanes one by one, on RustCrypto's block functions.

use jlanes_core::{
    engine::{Engine, Input},
    hash::compression::Columns,
    simd::portable::Portable,
};

use crate::foreign::{self, Foreign};

/// What is used: nothing but portable code, or RustCrypto's block functions. The other names stand
/// for instruction sets that this target does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features(u8);

impl Features {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const SSE41: Self = Self(1);
    pub(crate) const AVX: Self = Self(2);
    pub(crate) const AVX2: Self = Self(3);
    pub(crate) const AVX512VL: Self = Self(4);
    pub(crate) const AVX512: Self = Self(5);
    pub(crate) const SHANI: Self = Self(6);
    pub(crate) const SHA512NI: Self = Self(7);
    /// Whatever instructions the block functions find.
    const FOREIGN: Self = Self(8);

    pub(crate) const fn detect() -> Self {
        Self::FOREIGN
    }

    /// n-SMS is for vectors.
    pub(crate) const fn with_n_sms(self) -> Self {
        self
    }

    pub(crate) const fn without_n_sms(self) -> Self {
        self
    }

    pub(crate) fn only(wanted: Self) -> Option<Self> {
        (wanted == Self::NONE).then_some(wanted)
    }
}

pub(crate) fn lanes<C: Foreign>(_: Features) -> usize {
    1
}

pub(crate) fn advance<C: Foreign>(
    features: Features,
    states: Columns<'_, C::Word>,
    input: Input<'_>,
    live: usize,
    blocks: usize,
    last: &[C::Word],
) {
    if features == Features::FOREIGN {
        foreign::advance_each::<C>(states, input, live, blocks, last);
    } else {
        Engine::<C>::advance(&Portable::<1>, states, input, live, blocks, last);
    }
}

pub(crate) fn advance_one<C: Foreign>(
    features: Features,
    state: &mut C::State<C::Word>,
    data: &[u8],
) {
    if features == Features::FOREIGN {
        C::advance(state, data);
    } else {
        Engine::<C>::advance_one(&Portable::<1>, state, data);
    }
}

pub(crate) fn kernel_name<C: Foreign>(features: Features, _live: usize) -> &'static str {
    if features == Features::FOREIGN { "foreign" } else { "portable" }
}
