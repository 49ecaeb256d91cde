//! Where there are no instruction sets to choose from: the empty set under every name.

/// A set of instruction sets, of which this target has none.
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

    pub(crate) const fn detect() -> Self {
        Self::NONE
    }

    pub(crate) fn only(wanted: Self) -> Option<Self> {
        (wanted == Self::NONE).then_some(wanted)
    }
}
