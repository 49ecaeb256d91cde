//! BLAKE3's compression function on the rows of one, two or four streams, with AVX-512VL, or of two or four with AVX2.
//!
//! A register has a row of two streams. A block is a chain of 168 cycles on Zen 4 by shifts, and of 224 by rotations,
//! which take two. Two streams leave most of the core's units idle: four, in two sets of registers and by rotations,
//! take a fifth longer.
//! Each round shuffles the words of the one before it, in all streams at once. In assembly, because the
//! compiler would merge these shuffles into slower ones of two registers.

use core::{
    arch::{
        asm,
        x86_64::{__m256i, _mm256_set_epi64x},
    },
    mem::MaybeUninit,
};

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    hashes::{
        blake3::{BLOCK, Blake3Compression, State, rows::RowCompression, take_flags},
        sha2::consts::IV_256,
    },
    kernel::{Kernel, stream::advance_shared_by},
    simd::{
        portable::PlainWords,
        vector::{Isa, SimdWord, VectorCode},
    },
};

use crate::{
    common::{kernels::streams, needs::Needs, token::Token},
    x86_64::{
        Avx2,
        vec256::{U32x8, U64x4},
    },
};

/// A kernel of `S` streams in `SETS` sets of registers.
pub(in crate::x86_64) const fn kernel<
    I: Isa<Proof = Avx2> + Token,
    const S: usize,
    const SETS: usize,
>() -> Kernel<u32> {
    const { assert!(SETS == S.div_ceil(2) && SETS <= 2, "a set for two streams") }
    streams::<I, S, _>(advance::<I, S, SETS>)
}

fn advance<I: Isa<Proof = Avx2> + Token, const S: usize, const SETS: usize>(
    shape: &Shape<u32>,
    state: &mut [u32],
    runs: &[&[u8]],
    _: RunByteOrder,
    blocks: usize,
    shared: &[u32],
) {
    let Some(runs) = runs.first_chunk::<S>() else { panic!("a run for each stream") };
    let advance = |state: &mut [u32], data: [&[u8]; S]| {
        // in place: a copy would wait for the words that have just been written
        let (states, _) = state.as_chunks_mut();
        let Some(states) = states.first_chunk_mut() else { panic!("a state for each stream") };
        I::get().run(Streams::<S, SETS> { states, data, whole: shape.whole_output });
    };
    advance(state, runs.map(|run| &run[..blocks * shape.block_bytes]));
    advance_shared_by::<Blake3Compression>(shape, state, shared, |state, block| {
        advance(state, [block; S]);
    });
}

/// `S` streams, in `SETS` sets of registers.
struct Streams<'a, const S: usize, const SETS: usize> {
    states: &'a mut [State; S],
    /// Whole blocks, equally many of each.
    data: [&'a [u8]; S],
    /// Whether the states become the whole outputs of the last blocks.
    whole: bool,
}

/// The rows of two streams.
type Rows = [U32x8; 4];

impl<I: Isa<Proof = Avx2> + Token, const S: usize, const SETS: usize> VectorCode<I>
    for Streams<'_, S, SETS>
{
    type Out = ();

    /// The chaining values stay in registers: through memory, a block would wait for the one before it.
    #[inline(always)]
    fn call(self, isa: I) {
        let (Self { states, data, whole }, proof) = (self, isa.proof());
        if cfg!(miri) {
            // Miri does not run assembly
            for (state, data) in states.iter_mut().zip(data) {
                isa.run(RowCompression { state, data, whole });
            }
            return;
        }
        if data[0].is_empty() {
            return; // no flags are taken
        }
        let iv = row(proof, &IV_256, &IV_256, 0);
        let (mut before, mut after) = ([[iv; 4]; SETS], [[iv; 4]; SETS]);
        // only the first block may start a chunk
        let (first, later) = (take_block_flags(states), take_block_flags(states));
        let mut counters = [[iv; 2]; SETS];
        for s in 0..SETS {
            let [l, h] = pair::<S>(s);
            let (low, high) = (&states[l], &states[h]);
            before[s][0] = row(proof, low, high, 0);
            before[s][1] = row(proof, low, high, 4);
            for (i, flags) in [&first, &later].into_iter().enumerate() {
                let ([a, b], [c, d]) = (block_params(low, flags[l]), block_params(high, flags[h]));
                let words = U64x4::load(proof, &[a, b, c, d]);
                counters[s][i] = U32x8::from_raw(proof, words.raw());
            }
        }
        for b in 0..data[0].len() / BLOCK {
            for s in 0..SETS {
                after[s] = [before[s][0], before[s][1], iv, counters[s][usize::from(b > 0)]];
            }
            let mut blocks = [&[0; BLOCK]; S];
            for m in 0..S {
                blocks[m] = &data[m].as_chunks().0[b];
            }
            rounds::<I, S, SETS>(isa, &mut after, blocks);
            for s in 0..SETS {
                let ([a, b, c, d], [e, f, ..]) = (after[s], before[s]);
                before[s] = [a.xor(c), b.xor(d), e.xor(c), f.xor(d)];
            }
        }
        let rows = if whole { 4 } else { 2 };
        for s in 0..SETS {
            for (i, row) in before[s][..rows].iter().enumerate() {
                let mut words = [0; 8];
                row.store(&mut words);
                for (m, words) in pair::<S>(s).into_iter().zip(words.as_chunks::<4>().0) {
                    states[m][4 * i..4 * i + 4].copy_from_slice(words);
                }
            }
        }
    }
}

/// The streams in the halves of set `s`. A single one is in both.
#[inline(always)]
fn pair<const S: usize>(s: usize) -> [usize; 2] {
    [2 * s % S, (2 * s + 1) % S]
}

/// Words `at..at + 4` of two streams.
#[inline(always)]
fn row(proof: Avx2, low: &[u32], high: &[u32], at: usize) -> U32x8 {
    let mut words = [0; 8];
    words[..4].copy_from_slice(&low[at..at + 4]);
    words[4..].copy_from_slice(&high[at..at + 4]);
    U32x8::load(proof, &words)
}

/// The counter, the length and the flags of a block. In pairs of words: a load that covered words stored at
/// different times would wait.
#[inline(always)]
fn block_params(state: &State, flags: u32) -> [u64; 2] {
    let word = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    [apart(word(state[8], state[9])), apart(state[10].into()) | word(0, flags)]
}

/// A word that the compiler does not load together with others.
#[inline(always)]
fn apart(mut word: u64) -> u64 {
    // SAFETY: the text is a comment.
    unsafe { asm!("/* {} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags)) };
    word
}

/// The flags of the next block of each stream; the states keep those of the blocks after it.
#[inline(always)]
fn take_block_flags<const S: usize>(states: &mut [State; S]) -> [u32; S] {
    let mut own = [0; S];
    for m in 0..S {
        let mut words = [PlainWords([0]); 16];
        for i in 0..16 {
            words[i] = PlainWords([states[m][i]]);
        }
        own[m] = take_flags((), &mut words).0[0];
        for i in 0..16 {
            states[m][i] = words[i].0[0];
        }
    }
    own
}

/// The seven rounds of a block of each stream. Loops over constants, because calls with vectors in memory would
/// take longer than a round.
#[inline(always)]
fn rounds<I: Isa<Proof = Avx2> + Token, const S: usize, const SETS: usize>(
    isa: I,
    sets: &mut [Rows; SETS],
    blocks: [&[u8; BLOCK]; S],
) {
    let zero = U32x8::splat(isa.proof(), 0).raw();
    let mut raw = [[zero; 4]; SETS];
    for s in 0..SETS {
        for i in 0..4 {
            raw[s][i] = sets[s][i].raw();
        }
    }
    let [[l0, h0], [l1, h1]] = [pair::<S>(0), pair::<S>(SETS - 1)];
    let [first, second] = [[blocks[l0], blocks[h0]], [blocks[l1], blocks[h1]]];
    match raw.as_mut_slice() {
        // SAFETY: the token stands for AVX2.
        [rows] if !I::SETS.contains(Needs::AVX512VL) => unsafe { avx2_rounds_of_two(rows, first) },
        // SAFETY: as above.
        [rows, more] if !I::SETS.contains(Needs::AVX512VL) => unsafe {
            avx2_rounds_of_four([rows, more], [first, second]);
        },
        // SAFETY: the token stands for AVX-512VL.
        [rows] => unsafe { rounds_of_two(rows, first) },
        // SAFETY: the token stands for AVX-512VL.
        [rows, more] => unsafe { rounds_of_four([rows, more], [first, second]) },
        _ => unreachable!("one set or two"),
    }
    for s in 0..SETS {
        for i in 0..4 {
            sets[s][i] = U32x8::from_raw(isa.proof(), raw[s][i]);
        }
    }
}

/// Instructions for all sets: registers 0 to 9 of the first one are 10 to 19 of the second.
#[rustfmt::skip]
macro_rules! each {
    ($sets:tt $($op:literal $to:literal $a:literal $($b:literal)? $(, $n:literal)?;)*) => {
        concat!($(each!(@sets $sets $op $to $a [$($b)?] [$($n)?])),*)
    };
    (@sets [$($set:literal)*] $op:literal $to:literal $a:literal [$b:literal] []) => {
        concat!($($op, " ymm", $set, $to, ", ymm", $set, $a, ", ymm", $set, $b, "\n"),*)
    };
    (@sets [$($set:literal)*] $op:literal $to:literal $a:literal [$b:literal] [$n:literal]) => {
        concat!($($op, " ymm", $set, $to, ", ymm", $set, $a, ", ymm", $set, $b, ", ", $n, "\n"),*)
    };
    (@sets [$($set:literal)*] $op:literal $to:literal $a:literal [] []) => {
        concat!($($op, " ymm", $set, $to, ", ymm", $set, $a, "\n"),*)
    };
    (@sets [$($set:literal)*] $op:literal $to:literal $a:literal [] [$n:literal]) => {
        concat!($($op, " ymm", $set, $to, ", ymm", $set, $a, ", ", $n, "\n"),*)
    };
}

/// Half of the mixing function in the rows 0 to 3, with the words of register `$w`, and rotations by `$r` and `$s`
/// bits to the right. In one set, where units are idle, the operand that comes last is only shifted, in one
/// cycle on Zen 4, and the other one rotated before: a rotation takes two, and then delays a shift in its unit.
#[rustfmt::skip]
macro_rules! half {
    ([""] $w:literal, $r:literal $l:literal $s:literal $t:literal) => {
        each!([""]
            "vpaddd" "0" "0" $w; "vpaddd" "0" "0" "1"; "vprord" "3" "3", $r;
            "vpslld" "8" "0", $l; "vpsrld" "9" "0", $r; "vpternlogd" "3" "8" "9", "0x96";
            "vpslld" "10" "1", $t; "vpsrld" "1" "1", $s; "vpord" "1" "1" "10"; "vpaddd" "2" "2" "3";
            "vpslld" "8" "2", $t; "vpsrld" "9" "2", $s; "vpternlogd" "1" "8" "9", "0x96";
        )
    };
    ($sets:tt $w:literal, $r:literal $l:literal $s:literal $t:literal) => {
        each!($sets
            "vpaddd" "0" "0" $w; "vpaddd" "0" "0" "1"; "vpxord" "3" "3" "0"; "vprord" "3" "3", $r;
            "vpaddd" "2" "2" "3"; "vpxord" "1" "1" "2"; "vprord" "1" "1", $s;
        )
    };
}

/// Four words of both streams of a set.
#[rustfmt::skip]
macro_rules! load {
    ($($register:literal $low:literal $high:literal $at:literal),*) => {
        concat!($(
            "vmovdqu32 xmm", $register, ", [{", $low, "} + ", $at, "]\n",
            "vinserti32x4 ymm", $register, ", ymm", $register, ", [{", $high, "} + ", $at, "], 1\n",
        )*)
    };
}

/// The seven rounds of the words in registers 4 to 7.
#[rustfmt::skip]
macro_rules! rounds {
    ($sets:tt) => {
        concat!(
            // words 0 2 4 6, 1 3 5 7, 14 8 10 12, 15 9 11 13
            each!($sets
                "vshufps" "8" "4" "5", "0x88"; "vshufps" "5" "4" "5", "0xdd"; "vmovdqa32" "4" "8";
                "vshufps" "8" "6" "7", "0x88"; "vshufps" "7" "6" "7", "0xdd";
                "vpshufd" "6" "8", "0x93"; "vpshufd" "7" "7", "0x93";
            ),
            "2:\n",
            half!($sets "4", "16" "16" "12" "20"), half!($sets "5", "8" "24" "7" "25"),
            // diagonals become columns, and columns diagonals; row 1 is the last result, so it stays
            each!($sets "vpshufd" "0" "0", "0x93"; "vpshufd" "3" "3", "0x4e"; "vpshufd" "2" "2", "0x39";),
            half!($sets "6", "16" "16" "12" "20"), half!($sets "7", "8" "24" "7" "25"),
            each!($sets "vpshufd" "0" "0", "0x39"; "vpshufd" "3" "3", "0x4e"; "vpshufd" "2" "2", "0x93";),
            "dec {round:e}\njz 3f\n",
            // the words of the next round
            each!($sets
                "vshufps" "8" "4" "5", "0xd6"; "vpshufd" "9" "4", "0x0f"; "vpshufd" "4" "8", "0x39";
                "vshufps" "8" "6" "7", "0xfa"; "vpblendmd" "9{{k1}}" "9" "8";
                "vpunpcklqdq" "8" "7" "5"; "vpblendmd" "8{{k2}}" "8" "6"; "vpshufd" "8" "8", "0x78";
                "vpunpckhdq" "5" "5" "7"; "vpunpckldq" "6" "6" "5"; "vpshufd" "7" "6", "0x1e";
                "vmovdqa32" "5" "9"; "vmovdqa32" "6" "8";
            ),
            "jmp 2b\n3:\n",
        )
    };
}

/// The rows of a set.
type Registers = [__m256i; 4];

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn rounds_of_two([a, b, c, d]: &mut Registers, [low, high]: [&[u8; BLOCK]; 2]) {
    // SAFETY: the CPU has AVX-512VL. The text reads the two blocks, and changes only the registers below.
    unsafe {
        asm!(
            load!("4" "low" "high" "0", "5" "low" "high" "16", "6" "low" "high" "32",
                "7" "low" "high" "48"),
            rounds!([""]),
            low = in(reg) low,
            high = in(reg) high,
            round = inout(reg) 7 => _,
            in("k1") 0xaa_u8,
            in("k2") 0x88_u8,
            inout("ymm0") *a, inout("ymm1") *b, inout("ymm2") *c, inout("ymm3") *d,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _, out("ymm9") _,
            out("ymm10") _,
            options(pure, readonly, nostack),
        );
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn rounds_of_four(
    [first, second]: [&mut Registers; 2],
    [[l0, h0], [l1, h1]]: [[&[u8; BLOCK]; 2]; 2],
) {
    let ([a0, b0, c0, d0], [a1, b1, c1, d1]) = (first, second);
    // SAFETY: the CPU has AVX-512VL. The text reads the four blocks, and changes only the registers below.
    unsafe {
        asm!(
            load!("4" "l0" "h0" "0", "14" "l1" "h1" "0", "5" "l0" "h0" "16", "15" "l1" "h1" "16",
                "6" "l0" "h0" "32", "16" "l1" "h1" "32", "7" "l0" "h0" "48", "17" "l1" "h1" "48"),
            rounds!(["" "1"]),
            l0 = in(reg) l0,
            h0 = in(reg) h0,
            l1 = in(reg) l1,
            h1 = in(reg) h1,
            round = inout(reg) 7 => _,
            in("k1") 0xaa_u8,
            in("k2") 0x88_u8,
            inout("ymm0") *a0, inout("ymm1") *b0, inout("ymm2") *c0, inout("ymm3") *d0,
            inout("ymm10") *a1, inout("ymm11") *b1, inout("ymm12") *c1, inout("ymm13") *d1,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _, out("ymm9") _,
            out("ymm14") _, out("ymm15") _, out("zmm16") _, out("zmm17") _, out("zmm18") _,
            out("zmm19") _,
            options(pure, readonly, nostack),
        );
    }
}

/// [`half`] with AVX2, which rotates by 16 or 8 bits with the order of bytes in register `$order`.
#[rustfmt::skip]
macro_rules! avx2_half {
    ([$($set:literal)*] $order:literal $l:literal $r:literal) => {
        concat!(
            each!([$($set)*] "vpaddd" "0" "0" "4"; "vpaddd" "0" "0" "1"; "vpxor" "3" "3" "0";),
            $("vpshufb ymm", $set, "3, ymm", $set, "3, ymm", $order, "\n",)*
            each!([$($set)*]
                "vpaddd" "2" "2" "3"; "vpxor" "1" "1" "2";
                "vpslld" "5" "1", $l; "vpsrld" "1" "1", $r; "vpor" "1" "1" "5";
            ),
        )
    };
}

/// Word `$w` of both streams of a set, at byte 0 and 16 of this place.
#[rustfmt::skip]
macro_rules! word {
    ($set:literal $w:literal) => { concat!("[{room} + 256 * 0x0", $set, " + {w", $w, "}") };
}

/// Writes four words of both streams of a set.
#[rustfmt::skip]
macro_rules! avx2_load {
    ($sets:tt) => {
        concat!(avx2_load!($sets "0" "0"), avx2_load!($sets "16" "4"), avx2_load!($sets "32" "8"),
            avx2_load!($sets "48" "12"))
    };
    ([$($set:literal $low:literal $high:literal),*] $at:literal $w:literal) => {
        concat!($(
            "vmovdqu xmm", $set, "4, [{", $low, "} + ", $at, "]\n",
            "vinserti128 ymm", $set, "4, ymm", $set, "4, [{", $high, "} + ", $at, "], 1\n",
            "vmovdqu ", word!($set $w), "], ymm", $set, "4\n",
        )*)
    };
}

/// The words of a round's half in register 4: those of the first round, which have just been written, as they were
/// written, others one by one with their neighbours. Shuffles of registers would need more of them, and keep
/// busy the units that also shift.
#[rustfmt::skip]
macro_rules! avx2_words {
    ([$($set:literal)*] $rows:literal $more:literal $picked:literal) => {
        concat!($(
            "vmovdqu ymm", $set, "4, ", word!($set $rows), "]\n",
            "vshufps ymm", $set, "4, ymm", $set, "4, ", word!($set $more), "], ", $picked, "\n",
        )*)
    };
    ([$($set:literal)*] $a:literal $b:literal $c:literal $d:literal) => {
        concat!($(
            "vmovdqu ymm", $set, "4, ", word!($set $a), "]\n",
            "vpblendd ymm", $set, "4, ymm", $set, "4, ", word!($set $b), " - 4], 0x22\n",
            "vpblendd ymm", $set, "4, ymm", $set, "4, ", word!($set $c), " - 8], 0x44\n",
            "vpblendd ymm", $set, "4, ymm", $set, "4, ", word!($set $d), " - 12], 0x88\n",
        )*)
    };
}

/// A round around its words.
#[rustfmt::skip]
macro_rules! avx2_round {
    ($sets:tt $a:expr, $b:expr, $c:expr, $d:expr) => {
        concat!(
            $a, avx2_half!($sets "6" "20" "12"), $b, avx2_half!($sets "7" "25" "7"),
            each!($sets "vpshufd" "0" "0", "0x93"; "vpshufd" "3" "3", "0x4e"; "vpshufd" "2" "2", "0x39";),
            $c, avx2_half!($sets "6" "20" "12"), $d, avx2_half!($sets "7" "25" "7"),
            each!($sets "vpshufd" "0" "0", "0x39"; "vpshufd" "3" "3", "0x4e"; "vpshufd" "2" "2", "0x93";),
        )
    };
}

/// The rounds after the first one, one for each dot, from the words in the order of the round before.
#[rustfmt::skip]
macro_rules! avx2_rounds {
    ($sets:tt () $($word:literal)*) => { "" };
    ($sets:tt (. $($more:tt)*)
     $w0:literal $w1:literal $w2:literal $w3:literal $w4:literal $w5:literal $w6:literal
     $w7:literal $w8:literal $w9:literal $w10:literal $w11:literal $w12:literal $w13:literal
     $w14:literal $w15:literal) => {
        concat!(
            avx2_round!($sets
                avx2_words!($sets $w2 $w3 $w7 $w4), avx2_words!($sets $w6 $w10 $w0 $w13),
                avx2_words!($sets $w15 $w1 $w12 $w9), avx2_words!($sets $w8 $w11 $w5 $w14)),
            avx2_rounds!($sets ($($more)*)
                $w2 $w6 $w3 $w10 $w7 $w0 $w4 $w13 $w1 $w11 $w12 $w5 $w9 $w14 $w15 $w8),
        )
    };
    ($sets:tt) => {
        concat!(
            avx2_round!($sets
                avx2_words!($sets "0" "4" "0x88"), avx2_words!($sets "0" "4" "0xdd"),
                concat!(avx2_words!($sets "8" "12" "0x88"), each!($sets "vpshufd" "4" "4", "0x93";)),
                concat!(avx2_words!($sets "8" "12" "0xdd"), each!($sets "vpshufd" "4" "4", "0x93";))),
            avx2_rounds!($sets (. . . . . .)
                "0" "1" "2" "3" "4" "5" "6" "7" "8" "9" "10" "11" "12" "13" "14" "15"),
        )
    };
}

/// Room for the words of the streams of `SETS` sets: each row of both streams amid a cache line, so that a load
/// that puts a word anywhere in a row stays in the line.
#[repr(align(64))]
struct Room<const SETS: usize>([[[u8; 64]; 4]; SETS]);

/// The place of a word in [`Room`].
const fn place(word: usize) -> usize {
    word / 4 * 64 + 16 + word % 4 * 4
}

/// The orders of bytes that rotate words to the right by 16 and 8 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn rotations() -> [__m256i; 2] {
    [[0x0504_0706_0100_0302, 0x0d0c_0f0e_0908_0b0a], [0x0407_0605_0003_0201, 0x0c0f_0e0d_080b_0a09]]
        .map(|[low, high]| _mm256_set_epi64x(high, low, high, low))
}

/// [`rounds_of_two`] with AVX2.
#[inline]
#[target_feature(enable = "avx2")]
#[rustfmt::skip]
fn avx2_rounds_of_two([a, b, c, d]: &mut Registers, [low, high]: [&[u8; BLOCK]; 2]) {
    let ([r16, r8], mut room) = (rotations(), MaybeUninit::<Room<1>>::uninit());
    // SAFETY: the CPU has AVX2. The text reads the two blocks, and words of the room that it has written; only
    // neighbours of these may be anything.
    unsafe {
        asm!(
            avx2_load!(["" "low" "high"]),
            avx2_rounds!([""]),
            low = in(reg) low,
            high = in(reg) high,
            room = in(reg) room.as_mut_ptr(),
            w0 = const place(0), w1 = const place(1), w2 = const place(2), w3 = const place(3),
            w4 = const place(4), w5 = const place(5), w6 = const place(6), w7 = const place(7),
            w8 = const place(8), w9 = const place(9), w10 = const place(10), w11 = const place(11),
            w12 = const place(12), w13 = const place(13), w14 = const place(14), w15 = const place(15),
            inout("ymm0") *a, inout("ymm1") *b, inout("ymm2") *c, inout("ymm3") *d,
            out("ymm4") _, out("ymm5") _, in("ymm6") r16, in("ymm7") r8,
            options(nostack),
        );
    }
}

/// [`rounds_of_four`] with AVX2.
#[inline]
#[target_feature(enable = "avx2")]
#[rustfmt::skip]
fn avx2_rounds_of_four(
    [first, second]: [&mut Registers; 2],
    [[l0, h0], [l1, h1]]: [[&[u8; BLOCK]; 2]; 2],
) {
    let ([a0, b0, c0, d0], [a1, b1, c1, d1]) = (first, second);
    let ([r16, r8], mut room) = (rotations(), MaybeUninit::<Room<2>>::uninit());
    // SAFETY: as in `avx2_rounds_of_two`, of four blocks.
    unsafe {
        asm!(
            avx2_load!(["" "l0" "h0", "1" "l1" "h1"]),
            avx2_rounds!(["" "1"]),
            l0 = in(reg) l0,
            h0 = in(reg) h0,
            l1 = in(reg) l1,
            h1 = in(reg) h1,
            room = in(reg) room.as_mut_ptr(),
            w0 = const place(0), w1 = const place(1), w2 = const place(2), w3 = const place(3),
            w4 = const place(4), w5 = const place(5), w6 = const place(6), w7 = const place(7),
            w8 = const place(8), w9 = const place(9), w10 = const place(10), w11 = const place(11),
            w12 = const place(12), w13 = const place(13), w14 = const place(14), w15 = const place(15),
            inout("ymm0") *a0, inout("ymm1") *b0, inout("ymm2") *c0, inout("ymm3") *d0,
            inout("ymm10") *a1, inout("ymm11") *b1, inout("ymm12") *c1, inout("ymm13") *d1,
            out("ymm4") _, out("ymm5") _, in("ymm6") r16, in("ymm7") r8, out("ymm14") _, out("ymm15") _,
            options(nostack),
        );
    }
}
