//! Which kernel for how many live lanes: every threshold, with the record that it comes from.

use jlanes_core::{compression::Compression, lanes::Word};

#[cfg(target_arch = "x86_64")]
use crate::x86_64::{Avx, Avx2, Avx512, Avx512Vl, ShaNi, Sse41};
use crate::{features::Features, streams::Streams};

/// A kernel, with the token that lets it run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Sse41(Sse41),
    #[cfg(target_arch = "x86_64")]
    Avx(Avx),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512Vl(Avx512Vl),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// So many interleaved streams.
    #[cfg(target_arch = "x86_64")]
    ShaNi(ShaNi, usize),
}

impl Kernel {
    /// Lanes that one call advances.
    #[inline]
    pub(crate) fn lanes<C: Compression>(self) -> usize {
        let of_bytes = |bytes| bytes / C::Word::BYTES;
        match self {
            Self::Portable => 1,
            #[cfg(target_arch = "x86_64")]
            Self::Sse41(_) | Self::Avx(_) => of_bytes(16),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) | Self::Avx512Vl(_) => of_bytes(32),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => of_bytes(64),
            #[cfg(target_arch = "x86_64")]
            Self::ShaNi(_, streams) => streams,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Sse41(_) => "sse41",
            #[cfg(target_arch = "x86_64")]
            Self::Avx(_) => "avx",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vl(_) => "avx512vl",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Self::ShaNi(..) => "shani",
        }
    }
}

/// Lanes that it pays to keep filled.
#[inline]
pub(crate) fn lanes<C: Streams>(features: Features) -> usize {
    kernel::<C>(features, usize::MAX).lanes::<C>()
}

/// The kernel for the first of `live` lanes.
#[cfg(target_arch = "x86_64")]
pub(crate) fn kernel<C: Streams>(features: Features, live: usize) -> Kernel {
    if live <= C::SCALAR {
        return Kernel::Portable;
    }
    if let (true, Some(isa)) = (live <= C::NARROW, features.avx512vl()) {
        return Kernel::Avx512Vl(isa);
    }
    if let Some(isa) = features.avx512() {
        return Kernel::Avx512(isa);
    }
    if let Some(isa) = features.avx512vl() {
        return Kernel::Avx512Vl(isa);
    }
    if let (true, Some(unit)) = (C::SHANI, features.shani()) {
        return Kernel::ShaNi(unit, live.min(2));
    }
    if let Some(isa) = features.avx2() {
        return Kernel::Avx2(isa);
    }
    if let Some(isa) = features.avx() {
        return Kernel::Avx(isa);
    }
    if let Some(isa) = features.sse41() {
        return Kernel::Sse41(isa);
    }
    Kernel::Portable
}
