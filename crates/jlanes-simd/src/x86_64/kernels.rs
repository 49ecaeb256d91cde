//! The tables of kernels, one for each compression function.
//!
//! Of the kernels for one [`KernelKind`](jlanes_core::kernel::plan::KernelKind), the first that the CPU
//! supports is used. The route follows from the number of lanes: [`vectors`] of 128, 256 and 512
//! bits are `Quarter`, `Half` and `Full`.

use jlanes_core::{
    compression::Compression,
    hashes::{md5::Md5Compression, sha1::Sha1Compression, sha2::Sha2, sm3::Sm3Compression},
    kernel::{
        Table, portable,
        stream::{Register, Scalar},
    },
    simd::groups::{One, OneLatencyBound, Two},
};

use super::{
    Avx, Avx2, Avx512, Avx512Vl, Sha512Ni, ShaNi, Sse41, avx2, sha512ni, shani,
    shani_avx::{self, ShaNiAvx},
    shani_vl,
};
use crate::common::{
    kernels::{
        HasFeed, alone, fused, n_sms, n_sms_then, scheduled_apart, single::schedule, streams,
        vectors, with_digest, with_hash_again, with_marks,
    },
    sets::Sets,
    tuning::{Plain, Tabled},
};

/// The feed of each set's kernels.
macro_rules! fed {
    ($($set:ident by $by:ident;)*) => {$(
        impl HasFeed for $set {
            type By = $by;
        }
    )*};
}
fed! {
    Sse41 by Sse41;
    // AVX code must not contain instructions in SSE's encoding
    Avx by Avx;
    Avx2 by Avx2;
    Avx512Vl by Avx2;
    Avx512 by Avx512;
}

impl Tabled for Sha1Compression {
    const TABLE: &'static Table<u32> = &[
        with_hash_again(streams::<ShaNi, 1, _>(shani::sha1::<1>), shani::sha1_again::<1>),
        n_sms::<Self, Avx512Vl>(),
        n_sms::<Self, Avx2>(),
        n_sms::<Self, Avx>(),
        n_sms::<Self, Sse41>(),
        with_hash_again(streams::<ShaNi, 2, _>(shani::sha1::<2>), shani::sha1_again::<2>),
        with_hash_again(streams::<ShaNi, 3, _>(shani::sha1::<3>), shani::sha1_again::<3>),
        fused::<Self, Avx512, One>(),
        fused::<Self, Avx512Vl, One>(),
        fused::<Self, Avx2, One>(),
        scheduled_apart::<Self, Avx>(),
        scheduled_apart::<Self, Sse41>(),
        portable::kernel::<Self>(),
    ];
}

/// One stream's schedule is computed in vectors of four words. With eight words, the dependency on
/// the one two before costs more than the length gains; only AVX-512VL's rotations compensate.
/// Cycles per block by SSE4.1, AVX, AVX2, AVX-512VL and in portable code: on an AMD EPYC (Zen 4),
/// 2026-11-21, SHA-256 495, 473, 518, 463 and 625, SHA-512 698, 619, 587, 570 and 780; on Zen 5
/// SHA-256 457, 438, 615, 379 and 512, SHA-512 - , - , 533, 478 and 643.
///
/// n-SMS is the default on Intel's cores without SHA-NI, from Haswell to Cascade Lake. Cycles of the time
/// stamp counter per block of 64 KiB by n-SMS in AVX2 and by the schedule of each block in AVX-512VL, on a
/// Xeon (family 6, model 85), 2026-11-26: SHA-256 461 and 482; both in AVX-512VL SHA-512 664 and 693; SHA-1 by
/// AVX-512VL and in portable code 242 and 309. In AVX2 alone: SHA-256 461 and 563, SHA-512 591 and 664.
/// Shorter messages than a group of blocks have the schedule of each block.
///
/// On an AMD EPYC (Zen 4), 2026-11-21, n-SMS by SSE4.1, AVX, AVX2 and AVX-512VL took 502, 484, 514 and 582
/// cycles for SHA-256 on long streams, and 703, 663, 617 and 602 for SHA-512: it has fewer instructions, but
/// the rounds alone take 570 cycles of SHA-512, and its first group waits for its schedule. SHA-1 gained 5 %
/// with AVX2 from 4 KiB on, and lost below.
impl Tabled for Sha2<u32> {
    const TABLE: &'static Table<u32> = &[
        with_hash_again(streams::<ShaNi, 1, _>(shani::sha256::<1>), shani::sha256_again::<1>),
        n_sms_then::<Self, Avx2, Avx512Vl>(),
        n_sms::<Self, Avx512Vl>(),
        n_sms::<Self, Avx2>(),
        n_sms::<Self, Avx>(),
        n_sms::<Self, Sse41>(),
        schedule::<Self, Avx512Vl>(),
        schedule::<Self, Avx>(),
        schedule::<Self, Avx2>(),
        schedule::<Self, Sse41>(),
        with_marks(
            Sets::ORDERED,
            with_hash_again(
                with_digest(
                    streams::<ShaNi, 2, _>(shani::sha256_ordered),
                    shani::sha256_digests_ordered,
                ),
                shani::sha256_again::<2>,
            ),
        ),
        with_hash_again(
            with_digest(streams::<ShaNi, 2, _>(shani::sha256::<2>), shani::sha256_digests::<2>),
            shani::sha256_again::<2>,
        ),
        with_marks(
            Sets::THREE_STREAMS,
            with_digest(
                streams::<ShaNiAvx, 3, _>(shani_avx::sha256_three),
                shani_avx::sha256_digests_three,
            ),
        ),
        with_digest(streams::<ShaNi, 3, _>(shani::sha256::<3>), shani::sha256_digests::<3>),
        shani_vl::KERNEL,
        fused::<Self, Avx512, OneLatencyBound>(),
        fused::<Self, Avx512, One>(),
        fused::<Self, Avx512Vl, One>(),
        fused::<Self, Avx2, One>(),
        scheduled_apart::<Self, Avx>(),
        scheduled_apart::<Self, Sse41>(),
        portable::kernel::<Self>(),
    ];
}

/// One stream has an order of its own on AVX2. On an AMD EPYC (Zen), 2026-11-27, it is faster than four lanes:
/// 595 cycles a block instead of 820. CPUs with AVX-512VL keep the compiler's order until it is measured there.
impl Tabled for Sha2<u64> {
    const TABLE: &'static Table<u64> = &[
        streams::<Sha512Ni, 1, _>(sha512ni::sha512::<1>),
        n_sms::<Self, Avx512Vl>(),
        n_sms::<Self, Avx2>(),
        n_sms::<Self, Avx>(),
        n_sms::<Self, Sse41>(),
        schedule::<Self, Avx512Vl>(),
        with_hash_again(
            with_digest(streams::<Avx2, 1, _>(avx2::sha512), avx2::sha512_digests),
            avx2::sha512_again,
        ),
        schedule::<Self, Avx>(),
        schedule::<Self, Sse41>(),
        streams::<Sha512Ni, 2, _>(sha512ni::sha512::<2>),
        fused::<Self, Avx512, OneLatencyBound>(),
        fused::<Self, Avx512, One>(),
        fused::<Self, Avx512Vl, One>(),
        fused::<Self, Avx2, One>(),
        scheduled_apart::<Self, Avx>(),
        portable::kernel::<Self>(),
    ];
}

/// Rounds are bound by latency, and take fewer instructions in AVX-512VL's vectors: 0.85 instead of
/// 0.62 GB/s of MD5 in one lane, 0.57 instead of 0.47 of RIPEMD-160 (Intel Xeon, model 167,
/// 2026-11-22).
impl Tabled for Md5Compression {
    const TABLE: &'static Table<u32> = &[
        with_marks(Sets::LANE, alone::<Self, Avx512Vl, Register>()),
        fused::<Self, Avx512, Two>(),
        fused::<Self, Avx512, One>(),
        fused::<Self, Avx512Vl, One>(),
        fused::<Self, Avx2, One>(),
        vectors::<Self, Sse41, One>(),
        portable::kernel::<Self>(),
    ];
}

/// One stream runs in a lane, as for [MD5](Md5Compression).
impl<C: Compression> Plain for C {
    const TABLE: &'static Table<C::Word> = &[
        with_marks(Sets::LANE, alone::<Self, Avx512Vl, Register>()),
        fused::<Self, Avx512, One>(),
        fused::<Self, Avx512Vl, One>(),
        fused::<Self, Avx2, One>(),
        vectors::<Self, Sse41, One>(),
        portable::kernel::<Self>(),
    ];
}

/// BMI, which comes with AVX2, makes one stream as fast as the crate `sm3`.
impl Tabled for Sm3Compression {
    const TABLE: &'static Table<u32> = &[
        alone::<Self, Avx2, Scalar>(),
        fused::<Self, Avx512, One>(),
        fused::<Self, Avx512Vl, One>(),
        fused::<Self, Avx2, One>(),
        vectors::<Self, Sse41, One>(),
        portable::kernel::<Self>(),
    ];
}

#[cfg(any(feature = "skein", test))]
mod skein {
    use jlanes_core::hashes::skein::threefish::Threefish;

    use super::*;

    /// The block of Skein-256 is half of a register of AVX-512 in each lane.
    macro_rules! threefish {
        ($($words:literal: $widest:ident)*) => {$(
            impl Tabled for Threefish<$words> {
                const TABLE: &'static Table<u64> = &[
                    $widest::<Self, Avx512, One>(),
                    fused::<Self, Avx512Vl, One>(),
                    fused::<Self, Avx2, One>(),
                    portable::kernel::<Self>(),
                ];
            }
        )*};
    }
    threefish! { 4: vectors 8: fused 16: fused }
}

/// With BMI, `!b & c` and three-operand rotations are one instruction.
///
/// All rates and numbers of rounds share one table; they are arguments of the kernels.
#[cfg(feature = "keccak")]
mod keccak {
    use jlanes_core::hashes::keccak::Keccak;

    use super::*;

    type Any = Keccak<17, 24>;

    static TABLE: &Table<u64> = &[
        alone::<Any, Avx2, Scalar>(),
        vectors::<Any, Avx512, One>(),
        vectors::<Any, Avx512Vl, One>(),
        vectors::<Any, Avx2, One>(),
        portable::kernel::<Any>(),
    ];

    impl<const WORDS: usize, const ROUNDS: usize> Tabled for Keccak<WORDS, ROUNDS> {
        const TABLE: &'static Table<u64> = TABLE;
    }
}

#[cfg(feature = "blake2")]
mod blake2 {
    use jlanes_core::hashes::blake2::Blake2;

    use super::*;
    use crate::{common::kernels::single::rows, x86_64::avx512vl::Avx512VlNarrow};

    /// Filling vectors of eight words with two rows costs more than their rotations gain: 0.50 GB/s
    /// of BLAKE2s by AVX-512VL, 0.62 by AVX (Intel Xeon, Granite Rapids, 2026-11-22). AVX-512VL's
    /// instructions on four words gain both. On Zen 5 an operation has a latency of two cycles, and
    /// the dependency chain decides: 0.51 GB/s in vectors and 0.84 in portable code; BLAKE2b 0.90
    /// and 1.45 (2026-11-23).
    impl Tabled for Blake2<u32> {
        const TABLE: &'static Table<u32> = &[
            with_marks(Sets::SCALAR, portable::kernel::<Self>()),
            rows::<u32, Avx512VlNarrow>(),
            rows::<u32, Avx>(),
            rows::<u32, Avx2>(),
            rows::<u32, Sse41>(),
            fused::<Self, Avx512, One>(),
            fused::<Self, Avx512Vl, One>(),
            fused::<Self, Avx2, One>(),
            vectors::<Self, Sse41, One>(),
            portable::kernel::<Self>(),
        ];
    }

    impl Tabled for Blake2<u64> {
        const TABLE: &'static Table<u64> = &[
            with_marks(Sets::SCALAR, portable::kernel::<Self>()),
            rows::<u64, Avx512Vl>(),
            rows::<u64, Avx2>(),
            fused::<Self, Avx512, One>(),
            fused::<Self, Avx512Vl, One>(),
            fused::<Self, Avx2, One>(),
            portable::kernel::<Self>(),
        ];
    }
}

#[cfg(feature = "sha1dc")]
mod sha1dc {
    use jlanes_core::{
        compression::{AdvanceStreams, Bytes, Shape},
        hashes::sha1::checked::{CheckedCompression, Deferring, stream},
        kernel::{
            Kernel,
            stream::{advance_one, advance_shared},
        },
        simd::vector::Isa,
    };

    use super::*;
    use crate::common::{
        kernels::{fused_by, single::by_message, vectors_by},
        token::Token,
    };

    /// One message of SHA-1 with detection: its blocks by `S`, and their conditions in the lanes of `I`.
    const fn checked_stream<I: Isa + Token, S: Token + OneMessage>() -> Kernel<u32> {
        with_marks(I::SETS, streams::<S, 1, _>(advance_checked::<I, S>))
    }

    fn advance_checked<I: Isa + Token, S: Token + OneMessage>(
        shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        bytes: Bytes,
        blocks: usize,
        last: &[u32],
    ) {
        let (isa, _) = (I::get(), S::get()); // both are needed, even for no block
        by_message(shape, runs[0], bytes, blocks, |data| {
            S::advance(isa, states, data, |state, data| {
                S::PLAIN(shape, state, &[data], Bytes::Message, data.len() / shape.block, &[]);
            });
        });
        advance_shared::<CheckedCompression>(shape, states, last);
    }

    /// How a set advances one message.
    trait OneMessage {
        /// By SHA-1 without detection.
        const PLAIN: AdvanceStreams<u32> = advance_one::<Sha1Compression>;

        /// With detection, for which `plain` advances SHA-1's state.
        fn advance(
            isa: impl Isa,
            state: &mut [u32],
            data: &[u8],
            plain: impl Fn(&mut [u32], &[u8]),
        ) {
            stream::advance(isa, state, data, plain);
        }
    }

    impl OneMessage for ShaNi {
        const PLAIN: AdvanceStreams<u32> = shani::sha1::<1>;
    }

    /// Rounds and conditions of some blocks together; those of the others by `I`.
    impl OneMessage for ShaNiAvx {
        const PLAIN: AdvanceStreams<u32> = shani::sha1::<1>;

        fn advance(
            isa: impl Isa,
            state: &mut [u32],
            data: &[u8],
            plain: impl Fn(&mut [u32], &[u8]),
        ) {
            stream::advance_together(isa, state, data, plain, shani_avx::sha1_with_candidates);
        }
    }

    impl OneMessage for Avx2 {}

    impl OneMessage for Sse41 {}

    /// In a fused kernel, blocks with candidates wait for the end of a message, and not only for the end of the
    /// block.
    impl Tabled for CheckedCompression {
        const TABLE: &'static Table<u32> = &[
            // SSE4.1's code for the rest is there for other kernels, too
            with_marks(Sets::INTERLEAVED, checked_stream::<Sse41, ShaNiAvx>()),
            checked_stream::<Avx512, ShaNi>(),
            checked_stream::<Avx2, ShaNi>(),
            checked_stream::<Sse41, ShaNi>(),
            checked_stream::<Avx2, Avx2>(),
            checked_stream::<Sse41, Sse41>(),
            fused_by::<Deferring<One>, Avx512>(),
            fused_by::<Deferring<One>, Avx512Vl>(),
            fused_by::<Deferring<One>, Avx2>(),
            vectors_by::<Deferring<One>, Sse41>(),
            portable::kernel::<Self>(),
        ];
    }
}

/// One stream runs as for BLAKE2s, because the round is the same.
#[cfg(feature = "blake3")]
mod blake3 {
    use jlanes_core::hashes::blake3::Blake3Compression;

    use super::*;
    use crate::{
        common::kernels::{fused_by, single::blake3_rows},
        x86_64::{avx512vl::Avx512VlNarrow, blake3::OnAvx2},
    };

    impl Tabled for Blake3Compression {
        const TABLE: &'static Table<u32> = &[
            with_marks(Sets::SCALAR, portable::kernel::<Self>()),
            blake3_rows::<Avx512VlNarrow>(),
            blake3_rows::<Avx>(),
            blake3_rows::<Avx2>(),
            blake3_rows::<Sse41>(),
            fused::<Self, Avx512, One>(),
            fused::<Self, Avx512Vl, One>(),
            fused_by::<OnAvx2, Avx2>(),
            vectors::<Self, Sse41, One>(),
            portable::kernel::<Self>(),
        ];
    }
}
