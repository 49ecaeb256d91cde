//! Kernels over vectors, by the tokens that let them run.

use jlanes_core::{
    engine::Work,
    simd::{
        groups::{One, OneSerial, Two},
        isa::Isa,
        lanes::Word,
    },
};

use super::{Avx, Avx2, Avx512, Avx512Vl, Sse41, avx512vl::Avx512VlNarrow};
use crate::{
    features::Features,
    streams::{Single, Streams},
    tuning::Route,
};

/// A kernel with a stream in each lane.
#[derive(Clone, Copy)]
pub(crate) enum Vectors {
    /// Also where there is AVX: that saves moves of registers, which gains 2 % of SHA-256.
    Sse41(Sse41),
    Avx2(Avx2),
    Avx512Vl(Avx512Vl),
    Avx512(Avx512),
    /// On a core where a round takes as long as its chain of operations.
    Avx512Serial(Avx512),
    /// Two registers side by side.
    Avx512Two(Avx512),
}

impl Vectors {
    /// The kernel that `route` means on a CPU with `features`.
    #[inline(always)]
    pub(crate) fn of(features: Features, route: Route) -> Option<Self> {
        match route {
            Route::Quarter => {
                let implied = || features.avx().map(Isa::proof);
                features.sse41().or_else(implied).map(Self::Sse41)
            }
            Route::Half => {
                let vl = features.avx512vl().map(Self::Avx512Vl);
                vl.or_else(|| features.avx2().map(Self::Avx2))
            }
            Route::Full if features.serial() => features.avx512().map(Self::Avx512Serial),
            Route::Full => features.avx512().map(Self::Avx512),
            Route::Two => features.avx512().map(Self::Avx512Two),
            Route::One | Route::Pair | Route::Triple | Route::Eight => None,
        }
    }

    /// Bytes of its lanes' words.
    #[inline(always)]
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Sse41(_) => 16,
            Self::Avx2(_) | Self::Avx512Vl(_) => 32,
            Self::Avx512(_) | Self::Avx512Serial(_) => 64,
            Self::Avx512Two(_) => 128,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sse41(_) => "sse41",
            Self::Avx2(_) => "avx2",
            Self::Avx512Vl(_) => "avx512vl",
            Self::Avx512(_) | Self::Avx512Serial(_) | Self::Avx512Two(_) => "avx512",
        }
    }

    /// Does the work of the lanes `first..end`.
    #[inline(always)]
    pub(crate) fn run<C: Streams>(self, work: &mut Work<'_, C>, first: usize, end: usize) {
        match self {
            Self::Sse41(isa) => {
                if const { C::USED.quarter } {
                    work.on::<_, One>(isa, first, end);
                }
            }
            Self::Avx2(isa) => work.on::<_, One>(isa, first, end),
            Self::Avx512Vl(isa) => work.on::<_, One>(isa, first, end),
            Self::Avx512Serial(isa) if const { C::SERIAL } => {
                work.on::<_, OneSerial>(isa, first, end);
            }
            Self::Avx512(isa) | Self::Avx512Serial(isa) => work.on::<_, One>(isa, first, end),
            Self::Avx512Two(isa) => {
                if const { C::USED.two } {
                    work.on::<_, Two>(isa, first, end);
                }
            }
        }
    }
}

/// Vectors of consecutive words of a block.
#[derive(Clone, Copy)]
pub(crate) enum Rows {
    Sse41(Sse41),
    Avx(Avx),
    Avx2(Avx2),
    Avx512Vl(Avx512Vl),
    Avx512VlNarrow(Avx512VlNarrow),
}

impl Rows {
    /// The vectors for one stream's schedule.
    ///
    /// They have four words. With eight, a word's dependence on the one two before it costs more
    /// than the length gains; only AVX-512VL's rotations make up for that. Cycles a block by SSE4.1,
    /// AVX, AVX2, AVX-512VL and in portable code: on an AMD EPYC (Zen 4), 2026-11-21, SHA-256 495,
    /// 473, 518, 463 and 625, SHA-512 698, 619, 587, 570 and 780; on Zen 5 SHA-256 457, 438, 615, 379
    /// and 512, SHA-512 - , - , 533, 478 and 643.
    ///
    /// Where they may have no more than four, AVX-512VL's are narrow for 32-bit ones.
    #[inline(always)]
    pub(crate) fn of<C: Streams>(features: Features) -> Option<Self> {
        if let Some(isa) = features.avx512vl() {
            return Some(if const { narrow::<C>() } {
                Self::Avx512VlNarrow(isa.into())
            } else {
                Self::Avx512Vl(isa)
            });
        }
        let narrow = features.avx().map(Self::Avx);
        let wide = features.avx2().map(Self::Avx2);
        let avx =
            if C::Word::BYTES == size_of::<u32>() { narrow.or(wide) } else { wide.or(narrow) };
        avx.or(features.sse41().map(Self::Sse41))
    }

    /// The sets with which BMI comes, for scalar code.
    #[inline(always)]
    pub(crate) fn with_bmi(features: Features) -> Option<Self> {
        let avx2 = || features.avx2().map(Self::Avx2);
        features.avx512vl().map(Self::Avx512Vl).or_else(avx2)
    }

    /// The set whose vectors rotate.
    #[inline(always)]
    pub(crate) fn with_rotations(features: Features) -> Option<Self> {
        features.avx512vl().map(Self::Avx512Vl)
    }

    /// The vectors for n-SMS, the widest of at most 256 bits first. Wider ones would group more
    /// blocks than a short message has, and the rounds are what takes the time.
    #[inline(always)]
    pub(crate) fn for_n_sms(features: Features) -> [Option<Self>; 2] {
        let avx2 = || features.avx2().map(Self::Avx2);
        let sse41 = || features.sse41().map(Self::Sse41);
        [
            features.avx512vl().map(Self::Avx512Vl).or_else(avx2),
            features.avx().map(Self::Avx).or_else(sse41),
        ]
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sse41(_) => "sse41",
            Self::Avx(_) => "avx",
            Self::Avx2(_) => "avx2",
            Self::Avx512Vl(_) | Self::Avx512VlNarrow(_) => "avx512vl",
        }
    }

    /// [`Streams::single`].
    pub(crate) fn single<C: Streams>(self, state: &mut C::State<C::Word>, data: &[u8]) {
        match self {
            // not compiled where it would be portable code once more, or is not taken
            Self::Sse41(_) | Self::Avx(_)
                if const { matches!(C::SINGLE, Single::Scalar | Single::Lane) } => {}
            Self::Avx2(_) if const { matches!(C::SINGLE, Single::Lane) } => {}
            Self::Avx512Vl(_) if const { narrow::<C>() } => {}
            Self::Avx512VlNarrow(_) if const { !narrow::<C>() } => {}
            Self::Sse41(isa) => C::single(isa, state, data),
            Self::Avx(isa) => C::single(isa, state, data),
            Self::Avx2(isa) => C::single(isa, state, data),
            Self::Avx512Vl(isa) => C::single(isa, state, data),
            Self::Avx512VlNarrow(isa) => C::single(isa, state, data),
        }
    }

    /// [`Streams::schedules`].
    pub(crate) fn schedules<'a, C: Streams>(
        self,
        state: &mut C::State<C::Word>,
        data: &'a [u8],
    ) -> &'a [u8] {
        match self {
            Self::Sse41(isa) => C::schedules(isa, state, data),
            Self::Avx(isa) => C::schedules(isa, state, data),
            Self::Avx2(isa) => C::schedules(isa, state, data),
            Self::Avx512Vl(isa) => C::schedules(isa, state, data),
            Self::Avx512VlNarrow(_) => data, // it is not for n-SMS
        }
    }
}

/// Whether rows of four words leave half of AVX-512VL's registers empty.
const fn narrow<C: Streams>() -> bool {
    matches!(C::SINGLE, Single::FourWords) && C::Word::BYTES == size_of::<u32>()
}

/// Runs `kernel` under every token of `features`.
#[cfg(test)]
pub(crate) fn on_every_token<K: jlanes_core::simd::isa::Kernel + Copy>(
    features: Features,
    kernel: K,
) {
    if let Some(isa) = features.sse41() {
        isa.run(kernel);
    }
    if let Some(isa) = features.avx() {
        isa.run(kernel);
    }
    if let Some(isa) = features.avx2() {
        isa.run(kernel);
    }
    if let Some(isa) = features.avx512vl() {
        isa.run(kernel);
        Avx512VlNarrow::from(isa).run(kernel);
    }
    if let Some(isa) = features.avx512() {
        isa.run(kernel);
    }
}
