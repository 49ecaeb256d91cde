//! Which kernel for how many live lanes: every threshold, with the record that it comes from.

use jlanes_core::{compression::Compression, engine::MAX_LANES, lanes::Word};

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

/// Lanes that it pays to keep filled: so many that the kernel for more is no faster a lane.
#[inline]
pub(crate) fn lanes<C: Streams>(features: Features) -> usize {
    // sixteen lanes in step would gain nothing over pairs of streams that come and go
    let full = if features.streams_are_fast() { MAX_LANES - 1 } else { MAX_LANES };
    kernel::<C>(features, full, false).lanes::<C>()
}

/// Live lanes up to which the SHA extensions beat half-filled 256-bit vectors, on CPUs whose
/// vectors win when they are full: five of eight lanes run at the speed of two streams.
#[cfg(target_arch = "x86_64")]
const STREAMS_BEAT_HALF: usize = 5;

/// The kernel for the first of `live` lanes. The lanes that it leaves are asked about again.
///
/// Lanes that are interleaved in memory are loaded by vectors as they are, while streams have to
/// pick their words out: vectors win as soon as they are more than half full (Zen 4, j-lanes of 8:
/// 3.2 GB/s on 256-bit vectors, 2.0 GB/s on two streams).
///
/// On an AMD core before Zen 5 the SHA unit starts an instruction every two cycles and 512-bit
/// instructions take two: two interleaved streams are as fast as sixteen lanes (EPYC, Zen 4,
/// 2026-11-21: 2.0 times one stream for either) and need only two messages. Only where sixteen are
/// at hand do lanes win, on short messages, by fewer calls (64 bytes: 2.4 against 1.9 times).
/// Elsewhere full vectors win, and the thresholds are those of the design's prototype on an Intel
/// Xeon of the Granite Rapids class; `calibrate` in the bench package says where a CPU differs.
#[cfg(target_arch = "x86_64")]
pub(crate) fn kernel<C: Streams>(features: Features, live: usize, interleaved: bool) -> Kernel {
    if live <= C::SCALAR {
        return Kernel::Portable;
    }
    if C::SHANI
        && let Some(unit) = features.shani()
        && (features.avx512vl().is_none()
            || live <= STREAMS_BEAT_HALF
            || (features.streams_are_fast() && live < MAX_LANES && !interleaved))
    {
        let streams = if live == 3 { 3 } else { live.min(2) };
        return Kernel::ShaNi(unit, streams);
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
    if live == 1 {
        return Kernel::Portable;
    }
    if let Some(isa) = features.avx2() {
        return Kernel::Avx2(isa);
    }
    if let Some(isa) = features.avx() {
        return Kernel::Avx(isa);
    }
    features.sse41().map_or(Kernel::Portable, Kernel::Sse41)
}

/// The kernel for the first of `live` lanes, where there is only one.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn kernel<C: Streams>(_: Features, _live: usize, _interleaved: bool) -> Kernel {
    Kernel::Portable
}
