//! What the choice of a kernel asks about a compression function, and the instructions that are not
//! lane-shaped: instructions for rounds work on one stream, or on a few interleaved ones.

use core::convert::Infallible;

#[cfg(feature = "blake2")]
use jlanes_core::hashes::blake2::{Blake2, rows::Rows};
use jlanes_core::{
    engine::{Work, messages::Whole, one_on},
    hash::compression::Compression,
    hashes::{
        keccak::Keccak, md5::Md5Compression, ripemd160::Ripemd160Compression,
        sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish, sm3::Sm3Compression,
    },
    simd::{
        isa::{Isa, Kernel},
        lanes::{Array, Lanes, Word},
        layout::Interleaved,
        portable::{PlainWords, Portable},
    },
    sms::{self, Schedules},
};

use crate::{
    features::Features,
    feed::{Feed, Runs, Words},
    target::{ManySha256, Sha1Unit, Sha256Unit, Sha512Unit},
    tuning::Tuned,
};

/// Instructions that compute `C` on streams.
pub(crate) trait Unit<C: Compression>: Copy {
    /// Name of the backend that forces them.
    const NAME: &'static str;
    /// Streams that can be interleaved, 1 to 3; 0 if there are no such instructions.
    const STREAMS: usize;

    /// The proof that the CPU has them, if they are among `features`.
    fn of(features: Features) -> Option<Self>;

    /// Advances `S` interleaved streams by `blocks` blocks each, then by the block that they share
    /// if there is one.
    ///
    /// # Panics
    /// If `feed` has fewer blocks.
    fn advance<F: Feed<C::Word, S>, const S: usize>(
        self,
        states: &mut [C::State<C::Word>; S],
        feed: F,
        blocks: usize,
        last: Option<&C::Shared>,
    );
}

/// No instructions, for functions that no CPU computes.
impl<C: Compression> Unit<C> for Infallible {
    const NAME: &'static str = "none";
    const STREAMS: usize = 0;

    #[inline(always)]
    fn of(_: Features) -> Option<Self> {
        None
    }

    fn advance<F: Feed<C::Word, S>, const S: usize>(
        self,
        _: &mut [C::State<C::Word>; S],
        _: F,
        _: usize,
        _: Option<&C::Shared>,
    ) {
        match self {}
    }
}

/// Instructions for the rounds of `C`, and vectors for the schedules of many streams.
pub(crate) trait ManyStreams<C: Compression>: Copy {
    /// Name of what computes it.
    const NAME: &'static str;
    /// Whether there is such a kernel.
    const EXISTS: bool = true;

    /// The proof that the CPU has them, if they are among `features`.
    fn of(features: Features) -> Option<Self>;

    /// Advances the streams, a multiple of eight and [`MANY`] at most, by `blocks` blocks each of their
    /// runs, then by the block that they share if there is one.
    ///
    /// # Panics
    /// If a run has fewer blocks.
    fn advance(
        self,
        states: &mut [C::State<C::Word>],
        runs: &[&[u8]],
        blocks: usize,
        last: Option<&C::Shared>,
    );

    /// Computes any number of digests, a multiple of eight.
    ///
    /// # Panics
    /// If a message has fewer blocks.
    fn digest(self, work: Whole<'_, '_, C>);

    /// The same as `advance` with the streams' words in turn, those of the first one first.
    ///
    /// # Panics
    /// If there are fewer rows.
    fn advance_interleaved(
        self,
        states: &mut [C::State<C::Word>],
        rows: Interleaved<'_>,
        blocks: usize,
        last: Option<&C::Shared>,
    );
}

/// The most streams of [`ManyStreams`]: so many that what is done for the first schedules without
/// rounds, and for the last rounds without schedules, does not count.
pub(crate) const MANY: usize = 32;

impl<C: Compression> ManyStreams<C> for Infallible {
    const NAME: &'static str = "none";
    const EXISTS: bool = false;

    #[inline(always)]
    fn of(_: Features) -> Option<Self> {
        None
    }

    fn advance(self, _: &mut [C::State<C::Word>], _: &[&[u8]], _: usize, _: Option<&C::Shared>) {
        match self {}
    }

    fn digest(self, _: Whole<'_, '_, C>) {
        match self {}
    }

    fn advance_interleaved(
        self,
        _: &mut [C::State<C::Word>],
        _: Interleaved<'_>,
        _: usize,
        _: Option<&C::Shared>,
    ) {
        match self {}
    }
}

/// Where one stream is computed by more than portable code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Single {
    /// On no instruction set.
    Nowhere,
    /// On every set that has vectors.
    Vectors,
    /// On every set that has vectors of four words, since wider ones would be filled twice; but not
    /// where each of their operations takes two cycles, for it is a chain of them that takes the time.
    #[cfg_attr(not(feature = "blake2"), expect(dead_code, reason = "only BLAKE2's rows are so"))]
    FourWords,
    /// In scalar code where BMI comes with the vectors: AVX2 and AVX-512VL.
    Scalar,
    /// In one lane of vectors that rotate, and take logic of three operands, in one instruction
    /// each: AVX-512VL's, where the policy takes them for one message too.
    Lane,
}

/// A compression function on this target.
pub(crate) trait Streams: Compression + Tuned {
    /// The instructions that compute it on streams.
    type Unit: Unit<Self>;
    /// The same, with vectors for the schedules.
    type Many: ManyStreams<Self>;

    /// Where [`single`](Self::single) is more than portable code.
    const SINGLE: Single = Single::Nowhere;

    /// Advances one stream by its blocks: their schedules are computed in vectors one by one, or
    /// scalar code gains from instructions that come with the vectors.
    #[inline(always)]
    fn single<I: Isa>(_isa: I, state: &mut Self::State<Self::Word>, data: &[u8]) {
        one_on::<_, Self>(Portable::<1>, state, data);
    }

    /// Advances one stream by groups of blocks whose schedules are computed in vectors together,
    /// where that is known; returns the bytes that are left over.
    #[inline(always)]
    fn schedules<'a, I: Isa>(
        _isa: I,
        _state: &mut Self::State<Self::Word>,
        data: &'a [u8],
    ) -> &'a [u8] {
        data
    }
}

impl Streams for Sha2<u64> {
    type Unit = Sha512Unit;
    type Many = Infallible;
    const SINGLE: Single = Single::Vectors;

    #[inline(always)]
    fn single<I: Isa>(isa: I, state: &mut [u64; 8], data: &[u8]) {
        isa.run(sms::single::Single::<Self> { state, data });
    }

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u64; 8], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules::<Self> { state, data })
    }
}

/// A round waits for the one before it, and takes fewer instructions in vectors: MD5 0.85 GB/s and
/// not 0.62, RIPEMD-160 0.57 and not 0.47 (Intel Xeon, model 167, 2026-11-22).
macro_rules! lane {
    ($($function:ident)*) => {$(
        impl Streams for $function {
            type Unit = Infallible;
            type Many = Infallible;
            const SINGLE: Single = Single::Lane;

            #[inline(always)]
            fn single<I: Isa>(isa: I, state: &mut Self::State<u32>, data: &[u8]) {
                isa.run(Lane::<Self> { state, data });
            }
        }
    )*};
}
lane! { Md5Compression Ripemd160Compression }

/// BMI makes it as fast as the crate `sm3`.
impl Streams for Sm3Compression {
    type Unit = Infallible;
    type Many = Infallible;
    const SINGLE: Single = Single::Scalar;

    #[inline(always)]
    fn single<I: Isa>(isa: I, state: &mut [u32; 8], data: &[u8]) {
        isa.run(Scalar::<Self> { state, data });
    }
}

impl<const W: usize> Streams for Threefish<W>
where
    Self: Compression + Tuned,
{
    type Unit = Infallible;
    type Many = Infallible;
}

#[cfg(feature = "blake2")]
macro_rules! blake2 {
    ($($word:ident)*) => {$(
        impl Streams for Blake2<$word> {
            type Unit = Infallible;
            type Many = Infallible;
            /// Filling vectors of eight words with two rows costs more than their rotations gain:
            /// 0.50 GB/s of BLAKE2s by AVX-512VL, 0.62 by AVX (Intel Xeon, Granite Rapids,
            /// 2026-11-22). AVX-512VL's instructions on four words gain both. On Zen 5 it is 0.51, and
            /// 0.84 in portable code; BLAKE2b 0.90 and 1.45 (2026-11-23).
            const SINGLE: Single = Single::FourWords;

            #[inline(always)]
            fn single<I: Isa>(isa: I, state: &mut [$word; 11], data: &[u8]) {
                if const { Rows::<$word>::fits::<I>() } {
                    isa.run(Rows::<$word> { state, data });
                } else {
                    one_on::<_, Self>(Portable::<1>, state, data);
                }
            }
        }
    )*};
}
#[cfg(feature = "blake2")]
blake2! { u32 u64 }
/// `!b & c` and rotations that leave their operand alone are one instruction with BMI.
impl<const WORDS: usize, const ROUNDS: usize> Streams for Keccak<WORDS, ROUNDS>
where
    Self: Tuned,
{
    type Unit = Infallible;
    type Many = Infallible;
    const SINGLE: Single = Single::Scalar;

    #[inline(always)]
    fn single<I: Isa>(isa: I, state: &mut Self::State<Self::Word>, data: &[u8]) {
        isa.run(Scalar::<Self> { state, data });
    }
}

/// One stream in scalar code, compiled for an instruction set.
struct Scalar<'a, C: Compression> {
    state: &'a mut C::State<C::Word>,
    data: &'a [u8],
}

impl<C: Compression> Kernel for Scalar<'_, C> {
    type Out = ();

    #[inline(always)]
    fn call<I: Isa>(self, _: I) {
        in_one_lane::<C, PlainWords<C::Word, 1>>((), self.state, self.data);
    }
}

/// One stream in one lane of an instruction set's vectors.
struct Lane<'a, C: Compression> {
    state: &'a mut C::State<C::Word>,
    data: &'a [u8],
}

impl<C: Compression> Kernel for Lane<'_, C> {
    type Out = ();

    #[inline(always)]
    fn call<I: Isa>(self, isa: I) {
        in_one_lane::<C, <C::Word as Word>::Vector<I>>(isa.proof(), self.state, self.data);
    }
}

/// Advances one stream by its blocks. All lanes of `V` do the same, and the first one counts.
#[inline(always)]
fn in_one_lane<C: Compression, V: Lanes<C::Word>>(
    proof: V::Proof,
    state: &mut C::State<C::Word>,
    data: &[u8],
) {
    let zero = V::splat(proof, C::Word::default());
    let mut lanes = C::State::<V>::splat(zero);
    for (lane, word) in lanes.as_mut().iter_mut().zip(state.as_ref()) {
        *lane = V::splat(proof, *word);
    }
    for bytes in data.chunks_exact(C::BLOCK) {
        let mut block = C::Block::<V>::splat(zero);
        for (word, bytes) in block.as_mut().iter_mut().zip(bytes.chunks_exact(C::Word::BYTES)) {
            *word = V::splat(proof, C::Word::read(C::ORDER, bytes));
        }
        C::compress(proof, &mut lanes, block);
    }
    for (word, lane) in state.as_mut().iter_mut().zip(lanes.as_ref()) {
        let mut words = [C::Word::default(); MAX_WORDS];
        lane.store(&mut words);
        *word = words[0];
    }
}

/// The most words of a vector.
const MAX_WORDS: usize = 16;

impl Streams for Sha2<u32> {
    type Unit = Sha256Unit;
    type Many = ManySha256;
    const SINGLE: Single = Single::Vectors;

    #[inline(always)]
    fn single<I: Isa>(isa: I, state: &mut [u32; 8], data: &[u8]) {
        isa.run(sms::single::Single::<Self> { state, data });
    }

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u32; 8], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules::<Self> { state, data })
    }
}

impl Streams for Sha1Compression {
    type Unit = Sha1Unit;
    type Many = Infallible;

    #[inline(always)]
    fn schedules<'a, I: Isa>(isa: I, state: &mut [u32; 5], data: &'a [u8]) -> &'a [u8] {
        isa.run(Schedules::<Self> { state, data })
    }
}

/// Does the work of the lanes `first..first + S` as interleaved streams.
pub(crate) fn run<C: Compression, U: Unit<C>, const S: usize>(
    unit: U,
    work: &mut Work<'_, C>,
    first: usize,
) {
    // The compiler would find out that `unit` has no value only after it has compiled all of this.
    if const { U::STREAMS == 0 } {
        unreachable!("no value says that there are such instructions");
    }
    match work {
        Work::Messages(work) => work.on_streams::<S>(first, |states, runs, blocks, last| {
            unit.advance(states, Runs(runs), blocks, last);
        }),
        Work::Rehash(work) => work.on_streams::<S>(first, |states, blocks| {
            unit.advance(states, Words(blocks), 1, None);
        }),
        Work::Interleaved(work) => work.on_streams::<S>(first, |states, rows, blocks, last| {
            unit.advance(states, rows, blocks, last);
        }),
    }
}

/// Does the work of the lanes `first..end`, a multiple of eight, as many streams.
pub(crate) fn run_many<C: Compression, M: ManyStreams<C>>(
    many: M,
    work: &mut Work<'_, C>,
    mut first: usize,
    end: usize,
) {
    // as for `run`
    if const { !M::EXISTS } {
        unreachable!("no value says that there is such a kernel");
    }
    if let Work::Messages(work) = work
        && let Some(whole) = work.whole(first, end - first)
    {
        return many.digest(whole);
    }
    while first < end {
        let (streams, run): (_, fn(M, &mut Work<'_, C>, usize)) = match end - first {
            MANY.. => (MANY, on_many::<C, M, MANY>),
            16.. => (16, on_many::<C, M, 16>),
            _ => (8, on_many::<C, M, 8>),
        };
        run(many, work, first);
        first += streams;
    }
}

/// Does the work of the lanes `first..first + S`.
fn on_many<C: Compression, M: ManyStreams<C>, const S: usize>(
    many: M,
    work: &mut Work<'_, C>,
    first: usize,
) {
    match work {
        Work::Messages(work) => work.on_streams::<S>(first, |states, runs, blocks, last| {
            many.advance(states, &runs, blocks, last);
        }),
        Work::Interleaved(work) => work.on_streams::<S>(first, |states, rows, blocks, last| {
            many.advance_interleaved(states, rows, blocks, last);
        }),
        Work::Rehash(_) => unreachable!("no plan has this kernel for single blocks"),
    }
}

/// Advances one stream.
#[inline]
pub(crate) fn advance_one<C: Streams>(unit: C::Unit, state: &mut C::State<C::Word>, data: &[u8]) {
    let blocks = data.len() / C::BLOCK;
    unit.advance(core::array::from_mut(state), Runs([data]), blocks, None);
}
