//! Which kernel for how many live lanes: every threshold, with the record that it comes from.

use jlanes_core::{engine::MAX_LANES, simd::lanes::Word};

use super::{
    Avx, Avx2, Avx512, Avx512Vl, Features, Sse41,
    streams::{Streams, Unit},
};

/// A kernel for `C`, with the token that lets it run.
#[derive(Clone, Copy)]
pub(super) enum Kernel<C: Streams> {
    Portable,
    Sse41(Sse41),
    Avx(Avx),
    Avx2(Avx2),
    Avx512Vl(Avx512Vl),
    Avx512(Avx512),
    /// One stream in scalar registers, its schedule in vectors.
    Single(Rows),
    /// One stream.
    Stream(C::Unit),
    /// Two interleaved streams.
    Pair(C::Unit),
    /// Three.
    Triple(C::Unit),
}

/// Vectors of consecutive words of a block.
#[derive(Clone, Copy)]
pub(super) enum Rows {
    Sse41(Sse41),
    Avx(Avx),
    Avx2(Avx2),
    Avx512Vl(Avx512Vl),
}

impl<C: Streams> Kernel<C> {
    /// Lanes that one call advances.
    #[inline]
    pub(super) fn lanes(self) -> usize {
        let of_bytes = |bytes| bytes / C::Word::BYTES;
        match self {
            Self::Portable => 1,
            Self::Sse41(_) | Self::Avx(_) => of_bytes(16),
            Self::Avx2(_) | Self::Avx512Vl(_) => of_bytes(32),
            Self::Avx512(_) => of_bytes(64),
            Self::Single(_) | Self::Stream(_) => 1,
            Self::Pair(_) => 2,
            Self::Triple(_) => 3,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Sse41(_) | Self::Single(Rows::Sse41(_)) => "sse41",
            Self::Avx(_) | Self::Single(Rows::Avx(_)) => "avx",
            Self::Avx2(_) | Self::Single(Rows::Avx2(_)) => "avx2",
            Self::Avx512Vl(_) | Self::Single(Rows::Avx512Vl(_)) => "avx512vl",
            Self::Avx512(_) => "avx512",
            Self::Stream(_) | Self::Pair(_) | Self::Triple(_) => C::Unit::NAME,
        }
    }
}

/// Lanes that it pays to keep filled: so many that the kernel for more is no faster a lane.
#[inline]
pub(crate) fn lanes<C: Streams>(features: Features) -> usize {
    // sixteen lanes in step would gain nothing over pairs of streams that come and go
    let full = if features.streams_are_fast() { MAX_LANES - 1 } else { MAX_LANES };
    kernel::<C>(features, full, false).lanes()
}

/// Live lanes up to which the SHA extensions beat half-filled 256-bit vectors, on CPUs whose
/// vectors win when they are full: five of eight lanes run at the speed of two streams.
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
pub(super) fn kernel<C: Streams>(features: Features, live: usize, interleaved: bool) -> Kernel<C> {
    if let Some(unit) = C::Unit::of(features)
        && (features.avx512vl().is_none()
            || live <= STREAMS_BEAT_HALF
            || (features.streams_are_fast() && live < MAX_LANES && !interleaved))
    {
        return match live {
            1 => Kernel::Stream(unit),
            3 if C::Unit::STREAMS >= 3 => Kernel::Triple(unit),
            _ => Kernel::Pair(unit),
        };
    }
    if live <= C::SCALAR {
        return alone(features);
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
        return alone(features);
    }
    if let Some(isa) = features.avx2() {
        return Kernel::Avx2(isa);
    }
    if let Some(isa) = features.avx() {
        return Kernel::Avx(isa);
    }
    features.sse41().map_or(Kernel::Portable, Kernel::Sse41)
}

/// The kernel for one stream that no unit computes.
///
/// Vectors of four words are the best: with eight, a word's dependence on the one two before it costs
/// more than the length gains. Only AVX-512VL's rotations make up for that. Cycles a block on an AMD
/// EPYC (Zen 4), 2026-11-21, by SSE4.1, AVX, AVX2, AVX-512VL and in portable code: SHA-256 495, 473,
/// 518, 463 and 625; SHA-512 698, 619, 587, 570 and 780.
///
/// n-SMS is left out, unless it is [asked for](Features::with_n_sms). On long streams it takes 502,
/// 484, 514 and 582 cycles for SHA-256, and 703, 663, 617 and 602 for SHA-512: it has fewer
/// instructions, but the rounds alone take 570 cycles of SHA-512, and its first group waits for its
/// schedule. SHA-1 gains 5 % with AVX2 from 4 KiB on, and loses below.
pub(super) fn alone<C: Streams>(features: Features) -> Kernel<C> {
    if !C::SINGLE {
        return Kernel::Portable;
    }
    if let Some(isa) = features.avx512vl() {
        return Kernel::Single(Rows::Avx512Vl(isa));
    }
    let narrow = features.avx().map(Rows::Avx);
    let wide = features.avx2().map(Rows::Avx2);
    let avx = if C::Word::BYTES == size_of::<u32>() { narrow.or(wide) } else { wide.or(narrow) };
    avx.or(features.sse41().map(Rows::Sse41)).map_or(Kernel::Portable, Kernel::Single)
}

/// The kernel that `live` lanes run on, for people.
pub(crate) fn kernel_name<C: Streams>(features: Features, live: usize) -> &'static str {
    kernel::<C>(features, live, false).name()
}
