//! Targets without kernels of their own: lanes one by one, on RustCrypto's block functions.

use jlanes_core::{
    engine::{Engine, Work},
    simd::portable::Portable,
};

use crate::foreign::{self, Foreign};

/// A set of instruction sets. None of those that have a name is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sets(u8);

impl Sets {
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
}

/// What is used: nothing but portable code, or RustCrypto's block functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    sets: Sets,
    n_sms: bool,
}

impl Features {
    pub(crate) const NONE: Self = Self { sets: Sets::NONE, n_sms: false };

    pub(crate) const fn detect() -> Self {
        Self { sets: Sets::FOREIGN, n_sms: false }
    }

    pub(crate) const fn sets(self) -> Sets {
        self.sets
    }

    /// There is no table, and so there are no classes.
    pub(crate) const fn class_name(self) -> &'static str {
        "Portable"
    }

    /// n-SMS is for vectors, and changes nothing here.
    pub(crate) const fn with_n_sms(self) -> Self {
        Self { n_sms: true, ..self }
    }

    pub(crate) const fn n_sms(self) -> bool {
        self.n_sms
    }

    pub(crate) fn only(wanted: Sets) -> Option<Self> {
        (wanted == Sets::NONE).then_some(Self::NONE)
    }
}

pub(crate) fn lanes<C: Foreign>(_: Features) -> usize {
    1
}

pub(crate) fn run<C: Foreign>(features: Features, work: Work<'_, C>) {
    if features.sets == Sets::FOREIGN {
        foreign::run(work);
    } else {
        Portable::<1>.run(work);
    }
}

pub(crate) fn advance_one<C: Foreign>(
    features: Features,
    state: &mut C::State<C::Word>,
    data: &[u8],
) {
    if features.sets == Sets::FOREIGN {
        C::advance(state, data);
    } else {
        Engine::<C>::advance_one(&Portable::<1>, state, data);
    }
}

pub(crate) fn kernel_name<C: Foreign>(features: Features, _live: usize) -> &'static str {
    if features.sets == Sets::FOREIGN { "foreign" } else { "portable" }
}

pub(crate) fn step_cycles<C: Foreign>(_: Features, live: usize) -> u32 {
    Engine::<C>::step_cycles(&Portable::<1>, live)
}
