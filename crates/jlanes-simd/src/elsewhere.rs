//! Architectures without a folder of their own: one stream after the other, by RustCrypto's block
//! functions or in portable code.

use jlanes_core::{engine::Work, hash::compression::Compression, simd::lanes::Word};

#[cfg(test)]
use jlanes_core::simd::isa::Kernel;

use crate::{
    features::{Features, Sets},
    foreign,
    streams::Streams,
    tuning::{Costs, Route, Row, Tuned},
};
pub(crate) use core::convert::Infallible as ManySha256;
pub(crate) use foreign::{Foreign as Sha1Unit, Foreign as Sha256Unit, Foreign as Sha512Unit};

/// Every backend that can be forced: its name, its name with n-SMS, and what it uses.
pub(crate) const FORCED: [(&str, &str, Sets); 1] = [("portable", "portable+n-sms", Sets::NONE)];

/// Whatever instructions the block functions find by themselves.
pub(crate) fn detect() -> Sets {
    foreign::SET
}

/// Whether the CPU has the sets `wanted`; `detected` is what [`detect`] found.
pub(crate) fn has(_: Sets, wanted: Sets) -> bool {
    wanted == Sets::NONE
}

/// There is no table, and so there is one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Class {
    Portable,
}

impl Class {
    pub(crate) const ALL: [Self; 1] = [Self::Portable];
    pub(crate) const FORCED: [(Self, Costs); 0] = [];

    pub(crate) fn of(_: Sets) -> Self {
        Self::Portable
    }

    pub(crate) fn forced(_: Sets) -> Self {
        Self::Portable
    }

    pub(crate) const fn is_serial(self) -> bool {
        false
    }

    pub(crate) const fn name(self) -> &'static str {
        "Portable"
    }
}

impl<C: Compression> Tuned for C {
    const ROWS: &'static [Row] = &[];
}

/// No vectors.
#[derive(Clone, Copy)]
pub(crate) enum Vectors {}

impl Vectors {
    #[inline(always)]
    pub(crate) fn of(_: Features, _: Route) -> Option<Self> {
        None
    }

    pub(crate) fn bytes(self) -> usize {
        match self {}
    }

    pub(crate) fn name(self) -> &'static str {
        match self {}
    }

    pub(crate) fn run<C: Streams>(self, _: &mut Work<'_, C>, _first: usize, _end: usize) {
        match self {}
    }
}

/// No vectors for a schedule either.
#[derive(Clone, Copy)]
pub(crate) enum Rows {}

impl Rows {
    #[inline(always)]
    pub(crate) fn of<C: Streams>(_: Features) -> Option<Self> {
        None
    }

    #[inline(always)]
    pub(crate) fn with_bmi(_: Features) -> Option<Self> {
        None
    }

    #[inline(always)]
    pub(crate) fn with_rotations(_: Features) -> Option<Self> {
        None
    }

    #[inline(always)]
    pub(crate) fn for_n_sms(_: Features) -> [Option<Self>; 0] {
        []
    }

    pub(crate) fn name(self) -> &'static str {
        match self {}
    }

    pub(crate) fn single<C: Streams>(self, _: &mut C::State<C::Word>, _: &[u8]) {
        match self {}
    }

    pub(crate) fn schedules<'a, C: Streams>(
        self,
        _: &mut C::State<C::Word>,
        _: &'a [u8],
    ) -> &'a [u8] {
        match self {}
    }
}

/// Runs `kernel` under every token of `features`: there is none.
#[cfg(test)]
pub(crate) fn on_every_token<K: Kernel + Copy>(_: Features, _: K) {}

/// Asks for the cache line at `bytes[offset]`: no hint is known.
#[inline(always)]
pub(crate) fn prefetch(_: &[u8], _offset: usize) {}
