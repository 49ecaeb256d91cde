//! Kernels over vectors, by the tokens that let them run.

use jlanes_core::{
    engine::Work,
    simd::{
        groups::{One, Two},
        lanes::Word,
    },
};

use super::{Neon, Sha3Ce};
use crate::{
    features::Features,
    streams::{Single, Streams},
    tuning::Route,
};

/// The token of the vectors.
#[derive(Clone, Copy)]
enum Token {
    Neon(Neon),
    Sha3Ce(Sha3Ce),
}

impl Token {
    #[inline(always)]
    fn of(features: Features) -> Option<Self> {
        let sha3ce = features.sha3ce().map(Self::Sha3Ce);
        sha3ce.or_else(|| features.neon().map(Self::Neon))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Neon(_) => "neon",
            Self::Sha3Ce(_) => "sha3ce",
        }
    }
}

/// A kernel with a stream in each lane.
#[derive(Clone, Copy)]
pub(crate) struct Vectors {
    token: Token,
    /// Two registers side by side, and not one.
    two: bool,
}

impl Vectors {
    /// The kernel that `route` means on a CPU with `features`.
    #[inline(always)]
    pub(crate) fn of(features: Features, route: Route) -> Option<Self> {
        let two = match route {
            Route::Quarter => false,
            Route::Half => true,
            Route::One | Route::Pair | Route::Triple | Route::Eight | Route::Full | Route::Two => {
                return None;
            }
        };
        Token::of(features).map(|token| Self { token, two })
    }

    /// Bytes of its lanes' words.
    #[inline(always)]
    pub(crate) const fn bytes(self) -> usize {
        if self.two { 32 } else { 16 }
    }

    pub(crate) const fn name(self) -> &'static str {
        self.token.name()
    }

    /// Does the work of the lanes `first..end`.
    #[inline(always)]
    pub(crate) fn run<C: Streams>(self, work: &mut Work<'_, C>, first: usize, end: usize) {
        match (self.token, self.two) {
            (Token::Neon(isa), false) if const { C::USED.quarter } => {
                work.on::<_, One>(isa, first, end);
            }
            (Token::Neon(isa), true) if const { C::USED.half } => {
                work.on::<_, Two>(isa, first, end);
            }
            (Token::Sha3Ce(isa), false) if const { C::USED.quarter } => {
                work.on::<_, One>(isa, first, end);
            }
            (Token::Sha3Ce(isa), true) if const { C::USED.half } => {
                work.on::<_, Two>(isa, first, end);
            }
            // the table has a use for every kernel that it names
            _ => {}
        }
    }
}

/// Vectors of consecutive words of a block.
#[derive(Clone, Copy)]
pub(crate) struct Rows(Token);

impl Rows {
    /// The vectors for one stream's schedule, for which the vector units have time beside scalar
    /// rounds. Estimated for Neoverse N1 (see the table): 456 cycles a block of SHA-256 and not 591,
    /// 537 of SHA-512 and not 756.
    #[inline(always)]
    pub(crate) fn of<C: Streams>(features: Features) -> Option<Self> {
        let fits = match C::SINGLE {
            Single::FourWords => C::Word::BYTES == size_of::<u32>(),
            _ => true,
        };
        Token::of(features).filter(|_| fits).map(Self)
    }

    /// Scalar code has what it needs without any extension.
    #[inline(always)]
    pub(crate) fn with_bmi(_: Features) -> Option<Self> {
        None
    }

    /// Scalar rotations are as good as vectors'.
    #[inline(always)]
    pub(crate) fn with_rotations(_: Features) -> Option<Self> {
        None
    }

    /// The vectors for n-SMS.
    #[inline(always)]
    pub(crate) fn for_n_sms(features: Features) -> [Option<Self>; 1] {
        [Token::of(features).map(Self)]
    }

    pub(crate) const fn name(self) -> &'static str {
        self.0.name()
    }

    /// [`Streams::single`].
    pub(crate) fn single<C: Streams>(self, state: &mut C::State<C::Word>, data: &[u8]) {
        match self.0 {
            // not compiled where it is not asked for
            _ if const { !matches!(C::SINGLE, Single::Vectors | Single::FourWords) } => {}
            Token::Neon(isa) => C::single(isa, state, data),
            Token::Sha3Ce(isa) => C::single(isa, state, data),
        }
    }

    /// [`Streams::schedules`].
    pub(crate) fn schedules<'a, C: Streams>(
        self,
        state: &mut C::State<C::Word>,
        data: &'a [u8],
    ) -> &'a [u8] {
        match self.0 {
            Token::Neon(isa) => C::schedules(isa, state, data),
            Token::Sha3Ce(isa) => C::schedules(isa, state, data),
        }
    }
}

/// Runs `kernel` under every token of `features`.
#[cfg(test)]
pub(crate) fn on_every_token<K: jlanes_core::simd::isa::Kernel + Copy>(
    features: Features,
    kernel: K,
) {
    use jlanes_core::simd::isa::Isa;
    if let Some(isa) = features.neon() {
        isa.run(kernel);
    }
    if let Some(isa) = features.sha3ce() {
        isa.run(kernel);
    }
}
