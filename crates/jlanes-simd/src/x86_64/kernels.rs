//! The tables of kernels for x86-64, one for each compression function.
//!
//! The plan picks a [`KernelKind`](jlanes_core::kernel::plan::KernelKind) by its cost. Of one kind, the first
//! row that the CPU supports runs: the order decides only between rows of one kind. [`vectors`] of 128, 256, 512
//! and 1,024 bits, in one register or two, are `Bits128`, `Bits256`, `Bits512` and `Bits1024`; other kernels have the
//! kind of their number of streams. The figures behind the order are in
//! [EXPERIMENTS](https://github.com/jlanes/jlanes/blob/main/docs/EXPERIMENTS.md#figures-behind-comments).

use jlanes_core::{
    compression::Compression,
    hashes::{md5::Md5Compression, sha1::Sha1Compression, sha2::Sha2, sm3::Sm3Compression},
    kernel::{Kernel, Table, portable, stream::VectorLane},
    simd::registers::{OneLatencyBoundRegister, OneRegister, TwoRegisters},
};

#[cfg(feature = "blake2")]
use super::avx512vl::{Avx512Vl128, Avx512VlShifts};
use super::{
    Avx, Avx2, Avx512, Avx512Vl, Sha512Ni, ShaNi, Sse41, avx2, sha512ni, shani,
    shani_avx::{self, ShaNiAvx},
    shani_vl, sm3,
};
use crate::common::{
    kernels::{
        HasFeed, fused, n_sms, n_sms_then, one_stream, single::schedule_in_vectors, streams,
        vectors, vectors_with_shared, with_digest, with_halves, with_marks, with_rehash,
    },
    needs::Needs,
    tuning::{HasTable, PlainHash},
};

/// The feed of each set's kernels.
macro_rules! fed {
    ($($set:ident by $by:ident;)*) => {$(
        impl HasFeed for $set {
            type FeedSet = $by;
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

impl HasTable for Sha1Compression {
    const TABLE: &'static Table<u32> = &[
        with_rehash(streams::<ShaNi, 1, _>(shani::sha1::<1>), shani::sha1_rehash::<1>),
        n_sms::<Self, Avx512Vl>(),
        n_sms::<Self, Avx2>(),
        n_sms::<Self, Avx>(),
        n_sms::<Self, Sse41>(),
        with_rehash(streams::<ShaNi, 2, _>(shani::sha1::<2>), shani::sha1_rehash::<2>),
        with_rehash(streams::<ShaNi, 3, _>(shani::sha1::<3>), shani::sha1_rehash::<3>),
        fused::<Self, Avx512, OneRegister>(),
        fused::<Self, Avx512Vl, OneRegister>(),
        fused::<Self, Avx2, OneRegister>(),
        vectors_with_shared::<Self, Avx>(),
        vectors_with_shared::<Self, Sse41>(),
        portable::kernel::<Self>(),
    ];
}

/// One stream has its schedule in vectors of four words. With eight words, the dependency on the one two
/// before it costs more than the length gains, but for AVX-512VL, which has rotations.
///
/// n-SMS is the default on Intel's cores without SHA-NI, from Haswell to Cascade Lake, where it takes 0.82 to
/// 0.96 of the cycles. On AMD's it is slower: it has fewer instructions, but the rounds alone take almost as
/// long, and its first group waits for its schedule. Shorter messages than a group of blocks have the
/// schedule of each block.
impl HasTable for Sha2<u32> {
    const TABLE: &'static Table<u32> = &[
        with_rehash(streams::<ShaNi, 1, _>(shani::sha256::<1>), shani::sha256_rehash::<1>),
        n_sms_then::<Self, Avx2, Avx512Vl>(),
        n_sms::<Self, Avx512Vl>(),
        n_sms::<Self, Avx2>(),
        n_sms::<Self, Avx>(),
        n_sms::<Self, Sse41>(),
        schedule_in_vectors::<u32, Avx512Vl>(),
        schedule_in_vectors::<u32, Avx>(),
        schedule_in_vectors::<u32, Avx2>(),
        schedule_in_vectors::<u32, Sse41>(),
        with_marks(
            Needs::ORDER_MATTERS,
            with_rehash(
                with_digest(
                    streams::<ShaNi, 2, _>(shani::sha256_ordered),
                    shani::sha256_digests_ordered,
                ),
                shani::sha256_rehash::<2>,
            ),
        ),
        with_rehash(
            with_halves(
                with_digest(streams::<ShaNi, 2, _>(shani::sha256::<2>), shani::sha256_digests::<2>),
                shani::sha256_halves,
            ),
            shani::sha256_rehash::<2>,
        ),
        with_marks(Needs::THREE_STREAMS, interleaved_sha256::<3>()),
        with_digest(streams::<ShaNi, 3, _>(shani::sha256::<3>), shani::sha256_digests::<3>),
        with_halves(interleaved_sha256::<4>(), shani_avx::sha256_halves),
        shani_vl::KERNEL,
        fused::<Self, Avx512, OneLatencyBoundRegister>(),
        fused::<Self, Avx512, OneRegister>(),
        fused::<Self, Avx512Vl, OneRegister>(),
        fused::<Self, Avx2, OneRegister>(),
        vectors_with_shared::<Self, Avx>(),
        vectors_with_shared::<Self, Sse41>(),
        portable::kernel::<Self>(),
    ];
}

/// `S` streams, three or four, in an order of instructions of their own.
const fn interleaved_sha256<const S: usize>() -> Kernel<u32> {
    let kernel = streams::<ShaNiAvx, S, _>(shani_avx::sha256_streams::<S>);
    with_rehash(with_digest(kernel, shani_avx::sha256_digests::<S>), shani_avx::sha256_rehash::<S>)
}

/// One stream has an order of instructions of its own on AVX2 (`sha512.rs`), which is faster than four lanes
/// on Zen, and than the compiler's order with AVX-512VL on Zen 4 and Zen 5 (1.09, 1.05). Intel's CPUs keep
/// the latter until it is measured there.
const ORDERED_SHA512: Kernel<u64> = with_rehash(
    with_digest(streams::<Avx2, 1, _>(avx2::sha512), avx2::sha512_digests),
    avx2::sha512_rehash,
);

impl HasTable for Sha2<u64> {
    const TABLE: &'static Table<u64> = &[
        streams::<Sha512Ni, 1, _>(sha512ni::sha512::<1>),
        n_sms::<Self, Avx512Vl>(),
        n_sms::<Self, Avx2>(),
        n_sms::<Self, Avx>(),
        n_sms::<Self, Sse41>(),
        with_marks(Needs::ORDER_MATTERS, ORDERED_SHA512),
        schedule_in_vectors::<u64, Avx512Vl>(),
        ORDERED_SHA512,
        schedule_in_vectors::<u64, Avx>(),
        schedule_in_vectors::<u64, Sse41>(),
        streams::<Sha512Ni, 2, _>(sha512ni::sha512::<2>),
        fused::<Self, Avx512, OneLatencyBoundRegister>(),
        fused::<Self, Avx512, OneRegister>(),
        fused::<Self, Avx512Vl, OneRegister>(),
        fused::<Self, Avx2, OneRegister>(),
        vectors_with_shared::<Self, Avx>(),
        portable::kernel::<Self>(),
    ];
}

/// One stream runs in one lane of AVX-512VL's vectors where that is faster: its rounds are bound by latency,
/// and take fewer instructions there (1.37 of the speed of scalar code, 1.21 for RIPEMD-160).
impl HasTable for Md5Compression {
    const TABLE: &'static Table<u32> = &[
        with_marks(Needs::LANE_STREAM, one_stream::<Self, Avx512Vl, VectorLane>()),
        fused::<Self, Avx512, TwoRegisters>(),
        fused::<Self, Avx512, OneRegister>(),
        fused::<Self, Avx512Vl, OneRegister>(),
        fused::<Self, Avx2, OneRegister>(),
        vectors::<Self, Sse41, OneRegister>(),
        portable::kernel::<Self>(),
    ];
}

/// One stream runs in one lane of vectors, as for [MD5](Md5Compression).
impl<C: Compression> PlainHash<C> {
    pub(crate) const TABLE: &'static Table<C::Word> = &[
        with_marks(Needs::LANE_STREAM, one_stream::<C, Avx512Vl, VectorLane>()),
        fused::<C, Avx512, OneRegister>(),
        fused::<C, Avx512Vl, OneRegister>(),
        fused::<C, Avx2, OneRegister>(),
        vectors::<C, Sse41, OneRegister>(),
        portable::kernel::<C>(),
    ];
}

/// One stream has its schedule in vectors, and BMI, which comes with AVX2, for its rounds (`sm3.rs`): 1.28 of
/// the speed of scalar code with BMI on Zen 4.
impl HasTable for Sm3Compression {
    const TABLE: &'static Table<u32> = &[
        streams::<Avx2, 1, _>(sm3::advance),
        fused::<Self, Avx512, OneRegister>(),
        fused::<Self, Avx512Vl, OneRegister>(),
        fused::<Self, Avx2, OneRegister>(),
        vectors::<Self, Sse41, OneRegister>(),
        portable::kernel::<Self>(),
    ];
}

#[cfg(any(feature = "skein", test))]
mod skein {
    use jlanes_core::hashes::skein::threefish::Threefish;

    use super::*;

    /// Skein-256 has no fused kernel for AVX-512: its block is half of a register in each lane, and a fused
    /// kernel loads whole ones.
    macro_rules! threefish {
        ($($words:literal: $widest:ident)*) => {$(
            impl HasTable for Threefish<$words> {
                const TABLE: &'static Table<u64> = &[
                    $widest::<Self, Avx512, OneRegister>(),
                    fused::<Self, Avx512Vl, OneRegister>(),
                    fused::<Self, Avx2, OneRegister>(),
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
    use jlanes_core::{hashes::keccak::Keccak, kernel::stream::Scalar};

    use super::*;

    type Any = Keccak<17, 24>;

    static TABLE: &Table<u64> = &[
        one_stream::<Any, Avx2, Scalar>(),
        vectors::<Any, Avx512, OneRegister>(),
        vectors::<Any, Avx512Vl, OneRegister>(),
        vectors::<Any, Avx2, OneRegister>(),
        portable::kernel::<Any>(),
    ];

    impl<const WORDS: usize, const ROUNDS: usize> HasTable for Keccak<WORDS, ROUNDS> {
        const TABLE: &'static Table<u64> = TABLE;
    }
}

#[cfg(feature = "blake2")]
mod blake2 {
    use jlanes_core::hashes::blake2::Blake2;

    use super::*;
    use crate::common::kernels::single::blake2_rows;

    /// One stream has its rows in vectors of four words: filling vectors of eight with two rows costs more
    /// than their rotations gain. AVX-512VL's instructions on four words gain both. On Zen 5 an operation has
    /// a latency of two cycles, and the dependency chain decides: portable code has 1.6 of the speed of
    /// vectors.
    impl HasTable for Blake2<u32> {
        const TABLE: &'static Table<u32> = &[
            with_marks(Needs::SCALAR_STREAM, portable::kernel::<Self>()),
            blake2_rows::<u32, Avx512Vl128>(),
            blake2_rows::<u32, Avx>(),
            blake2_rows::<u32, Avx2>(),
            blake2_rows::<u32, Sse41>(),
            fused::<Self, Avx512, OneRegister>(),
            fused::<Self, Avx512Vl, OneRegister>(),
            fused::<Self, Avx2, OneRegister>(),
            vectors::<Self, Sse41, OneRegister>(),
            portable::kernel::<Self>(),
        ];
    }

    impl HasTable for Blake2<u64> {
        const TABLE: &'static Table<u64> = &[
            with_marks(Needs::SCALAR_STREAM, portable::kernel::<Self>()),
            // Zen 4 alone: Zen 5 has the row before, and on Intel's cores rotations take one cycle
            with_marks(Needs::ORDER_MATTERS, blake2_rows::<u64, Avx512VlShifts>()),
            blake2_rows::<u64, Avx512Vl>(),
            blake2_rows::<u64, Avx2>(),
            fused::<Self, Avx512, OneRegister>(),
            fused::<Self, Avx512Vl, OneRegister>(),
            fused::<Self, Avx2, OneRegister>(),
            portable::kernel::<Self>(),
        ];
    }
}

#[cfg(feature = "sha1dc")]
mod sha1dc {
    use jlanes_core::{
        compression::{RunByteOrder, Shape},
        hashes::sha1::checked::{CheckedCompression, CheckedStep, stream},
        kernel::stream::{advance_one, advance_shared},
        simd::vector::Isa,
    };

    use super::*;
    use crate::common::{
        kernels::{fused_by, single::in_message_order, vectors_by},
        token::Token,
    };

    /// The kernel for one message of SHA-1 with detection, in scalar code, with conditions in the lanes of `I`.
    const fn checked_stream<I: Isa + Token>() -> Kernel<u32> {
        streams::<I, 1, _>(advance_checked::<I>)
    }

    fn advance_checked<I: Isa + Token>(
        shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        in_message_order(shape, runs[0], order, blocks, |data| {
            stream::advance(I::get(), states, data, |state, data| {
                let blocks = data.len() / shape.block_bytes;
                let order = RunByteOrder::Message;
                advance_one::<Sha1Compression>(shape, state, &[data], order, blocks, &[]);
            });
        });
        advance_shared::<CheckedCompression>(shape, states, shared);
    }

    /// In a fused kernel, blocks with candidates wait for the end of a message, and not only for the end of the
    /// block.
    impl HasTable for CheckedCompression {
        const TABLE: &'static Table<u32> = &[
            streams::<ShaNiAvx, 1, _>(shani_avx::sha1_checked),
            streams::<ShaNi, 1, _>(shani::sha1_checked),
            checked_stream::<Avx2>(),
            checked_stream::<Sse41>(),
            fused_by::<CheckedStep<OneRegister>, Avx512>(),
            fused_by::<CheckedStep<OneRegister>, Avx512Vl>(),
            fused_by::<CheckedStep<OneRegister>, Avx2>(),
            vectors_by::<CheckedStep<OneRegister>, Sse41>(),
            portable::kernel::<Self>(),
        ];
    }
}

/// One stream runs in rows of four words, as for BLAKE2s: the round is the same.
#[cfg(feature = "blake3")]
mod blake3 {
    use jlanes_core::hashes::blake3::Blake3Compression;

    use super::*;
    use crate::{
        common::kernels::{fused_by, single::blake3_rows},
        x86_64::blake3::{Avx2Step, rows, woven::Avx512Step},
    };

    impl HasTable for Blake3Compression {
        const TABLE: &'static Table<u32> = &[
            with_marks(Needs::SCALAR_STREAM, portable::kernel::<Self>()),
            rows::kernel::<Avx512Vl, 1, 1>(),
            rows::kernel::<Avx512Vl, 2, 1>(),
            rows::kernel::<Avx512Vl, 4, 2>(),
            rows::kernel::<Avx2, 2, 1>(),
            rows::kernel::<Avx2, 4, 2>(),
            blake3_rows::<Avx>(),
            blake3_rows::<Avx2>(),
            blake3_rows::<Sse41>(),
            fused_by::<Avx512Step, Avx512>(),
            fused::<Self, Avx512Vl, OneRegister>(),
            fused_by::<Avx2Step, Avx2>(),
            vectors::<Self, Sse41, OneRegister>(),
            portable::kernel::<Self>(),
        ];
    }
}
