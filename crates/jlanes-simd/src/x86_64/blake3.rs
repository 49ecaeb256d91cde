//! BLAKE3's compression function on eight lanes of AVX2.
//!
//! The sixteen words of a state fill the registers, and rotations need one more. LLVM keeps some hundred
//! values of a block in memory for a while, and applies the shuffle of a rotation to both operands of the
//! `xor` before it. Here word 11 is in memory all the time, and nothing else: a block takes 0.9 of the
//! cycles. Blocks are also transposed here, in registers that the state does not need yet: 0.92 of what is left.

use core::{
    arch::{asm, x86_64::__m256i},
    mem::{MaybeUninit, offset_of},
};

use jlanes_core::{
    compression::{Compression, Shape},
    hashes::{
        blake3::{BLOCK, Blake3Compression, take_flags},
        sha2::consts::IV_256,
    },
    kernel::step::Step,
    simd::{registers::OneRegister, runs::Runs, vector::SimdWord},
};

use super::{Avx2, vec256::U32x8};

pub(super) mod rows;
pub(super) mod woven;

/// The constants of the rounds.
#[repr(C, align(32))]
struct Constants {
    /// The shuffle that rotates words to the right by 16 bits.
    rotate_16: [u8; 32],
    /// The shuffle that rotates words to the right by 8 bits.
    rotate_8: [u8; 32],
    /// The first words of the initial value.
    iv: [u32; 4],
}

static CONSTANTS: Constants = Constants {
    rotate_16: rotation(2),
    rotate_8: rotation(1),
    iv: [IV_256[0], IV_256[1], IV_256[2], IV_256[3]],
};

/// The shuffle that rotates words to the right by `n` bytes.
const fn rotation(n: usize) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i] = (i % 16 / 4 * 4 + (i + n) % 4) as u8;
        i += 1;
    }
    bytes
}

/// Applies `$op` to each pair of registers, with the result in the first one.
#[rustfmt::skip]
macro_rules! each {
    ($op:literal: $($to:literal $by:literal),*) => {
        concat!($($op, " ymm", $to, ", ymm", $to, ", ymm", $by, "\n"),*)
    };
}

/// Rotates a register by `$r` bits to the right, which is `$l` to the left.
#[rustfmt::skip]
macro_rules! rotate {
    ($b:literal, $r:literal $l:literal) => {
        concat!(
            "vpsrld ymm11, ymm", $b, ", ", $r, "\n",
            "vpslld ymm", $b, ", ymm", $b, ", ", $l, "\n",
            "vpor ymm", $b, ", ymm", $b, ", ymm11\n",
        )
    };
}

/// Adds a word of the block.
#[rustfmt::skip]
macro_rules! add_word {
    ($a:literal $word:literal) => {
        concat!("vpaddd ymm", $a, ", ymm", $a, ", [{block} + 32 * ", $word, "]\n")
    };
}

/// Half of the mixing function in four groups. `c` of the last one is word 11, in memory.
#[rustfmt::skip]
macro_rules! half {
    ($shuffle:literal, $r:literal $l:literal,
     $a0:literal $b0:literal $c0:literal $d0:literal $w0:literal,
     $a1:literal $b1:literal $c1:literal $d1:literal $w1:literal,
     $a2:literal $b2:literal $c2:literal $d2:literal $w2:literal,
     $a3:literal $b3:literal $d3:literal $w3:literal) => {
        concat!(
            add_word!($a0 $w0), add_word!($a1 $w1), add_word!($a2 $w2), add_word!($a3 $w3),
            each!("vpaddd": $a0 $b0, $a1 $b1, $a2 $b2, $a3 $b3),
            each!("vpxor": $d0 $a0, $d1 $a1, $d2 $a2, $d3 $a3),
            "vmovdqa ymm11, [{constants} + {", $shuffle, "}]\n",
            each!("vpshufb": $d0 "11", $d1 "11", $d2 "11", $d3 "11"),
            "vpaddd ymm11, ymm", $d3, ", [{params} + 96]\n",
            each!("vpaddd": $c0 $d0, $c1 $d1, $c2 $d2),
            "vmovdqa [{params} + 96], ymm11\n",
            each!("vpxor": $b3 "11", $b0 $c0, $b1 $c1, $b2 $c2),
            rotate!($b0, $r $l), rotate!($b1, $r $l), rotate!($b2, $r $l), rotate!($b3, $r $l),
        )
    };
}

/// Rounds, one for each dot, from the words of the block in the order of the first of them.
#[rustfmt::skip]
macro_rules! rounds {
    (() $($word:literal)*) => { "" };
    ((. $($more:tt)*)
     $w0:literal $w1:literal $w2:literal $w3:literal $w4:literal $w5:literal $w6:literal
     $w7:literal $w8:literal $w9:literal $w10:literal $w11:literal $w12:literal $w13:literal
     $w14:literal $w15:literal) => {
        concat!(
            half!("rotate_16", "12" "20", "0" "4" "8" "12" $w0, "1" "5" "9" "13" $w2,
                "2" "6" "10" "14" $w4, "3" "7" "15" $w6),
            half!("rotate_8", "7" "25", "0" "4" "8" "12" $w1, "1" "5" "9" "13" $w3,
                "2" "6" "10" "14" $w5, "3" "7" "15" $w7),
            half!("rotate_16", "12" "20", "0" "5" "10" "15" $w8, "2" "7" "8" "13" $w12,
                "3" "4" "9" "14" $w14, "1" "6" "12" $w10),
            half!("rotate_8", "7" "25", "0" "5" "10" "15" $w9, "2" "7" "8" "13" $w13,
                "3" "4" "9" "14" $w15, "1" "6" "12" $w11),
            rounds!(($($more)*)
                $w2 $w6 $w3 $w10 $w7 $w0 $w4 $w13 $w1 $w11 $w12 $w5 $w9 $w14 $w15 $w8),
        )
    };
}

/// Writes quarters of the block, each four words of every lane, as
/// [`load_square`](jlanes_core::simd::vector::Vector::load_square) transposes them.
#[rustfmt::skip]
macro_rules! transpose {
    ($($quarter:literal),*) => {
        concat!($(
            transpose!(@row $quarter "8" "0" "32"), transpose!(@row $quarter "9" "8" "40"),
            transpose!(@row $quarter "10" "16" "48"), transpose!(@row $quarter "11" "24" "56"),
            "vpunpckldq ymm12, ymm8, ymm9\nvpunpckldq ymm13, ymm10, ymm11\n",
            "vpunpckhdq ymm14, ymm8, ymm9\nvpunpckhdq ymm15, ymm10, ymm11\n",
            "vpunpcklqdq ymm8, ymm12, ymm13\nvmovdqa [{block} + 128 * ", $quarter, "], ymm8\n",
            "vpunpckhqdq ymm9, ymm12, ymm13\nvmovdqa [{block} + 128 * ", $quarter, " + 32], ymm9\n",
            "vpunpcklqdq ymm10, ymm14, ymm15\nvmovdqa [{block} + 128 * ", $quarter, " + 64], ymm10\n",
            "vpunpckhqdq ymm11, ymm14, ymm15\nvmovdqa [{block} + 128 * ", $quarter, " + 96], ymm11\n",
        )*)
    };
    (@row $quarter:literal $row:literal $low:literal $high:literal) => {
        concat!(
            "mov {run}, [{runs} + ", $low, "]\n",
            "vmovdqu xmm", $row, ", [{run} + {at} + 16 * ", $quarter, "]\n",
            "mov {run}, [{runs} + ", $high, "]\n",
            "vinserti128 ymm", $row, ", ymm", $row, ", [{run} + {at} + 16 * ", $quarter, "], 1\n",
        )
    };
}

/// The step of fused kernels: [`compress`] for a block of every lane.
pub(super) struct Avx2Step;

impl Step<Avx2> for Avx2Step {
    type Compression = Blake3Compression;
    type Registers = OneRegister;
    type SideState = ();

    #[inline(always)]
    fn compress(
        proof: Avx2,
        shape: &Shape<u32>,
        state: &mut [U32x8; 16],
        block: [U32x8; 16],
        (): &mut (),
    ) {
        if cfg!(miri) {
            // Miri does not run assembly
            return Blake3Compression::compress_as(proof, shape, state, block);
        }
        let flags = take_flags(proof, state);
        let mut value = [flags.raw(); 8];
        for i in 0..8 {
            value[i] = state[i].raw();
        }
        // SAFETY: the token exists only where the CPU has AVX2. The block is a whole one.
        let second = unsafe { compress(&mut value, params(state, flags), &raw const block) };
        for i in 0..8 {
            if shape.whole_output {
                state[8 + i] = state[i].xor(U32x8::from_raw(proof, second[i]));
            }
            state[i] = U32x8::from_raw(proof, value[i]);
        }
    }

    /// The chaining values stay in registers, and so a block is loaded during the last rounds of the one before.
    #[inline(always)]
    fn compress_whole(
        proof: Avx2,
        shape: &Shape<u32>,
        state: &mut [U32x8; 16],
        runs: &Runs<'_>,
        blocks: usize,
        before: impl Fn(usize, &mut [U32x8; 16]),
    ) -> bool {
        if cfg!(miri) || shape.whole_output {
            return false; // Miri does not run assembly
        }
        assert!(blocks.checked_mul(BLOCK).is_some_and(|bytes| bytes <= runs.shortest()));
        let Some(lanes) = runs.runs().first_chunk::<8>() else { panic!("a run for each lane") };
        let lanes = lanes.map(<[u8]>::as_ptr);
        let mut block = MaybeUninit::uninit();
        let mut value = [state[0].raw(); 8];
        for i in 0..8 {
            value[i] = state[i].raw();
        }
        for b in 0..blocks {
            before(b, state);
            let flags = take_flags(proof, state);
            // SAFETY: the token exists only where the CPU has AVX2. All runs have `blocks` blocks.
            unsafe { load(&lanes, b * BLOCK, block.as_mut_ptr()) };
            // SAFETY: as above. The block has been written.
            unsafe { compress(&mut value, params(state, flags), block.as_ptr()) };
        }
        for i in 0..8 {
            state[i] = U32x8::from_raw(proof, value[i]);
        }
        true
    }
}

/// The counter, the length and the flags of a block.
#[inline(always)]
fn params(state: &[U32x8; 16], flags: U32x8) -> [U32x8; 4] {
    [state[8], state[9], state[10], flags]
}

/// Writes the words of the block that begins at byte `at` of all runs.
///
/// # Safety
/// The runs have [`BLOCK`] bytes there.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(runs: &[*const u8; 8], at: usize, block: *mut [U32x8; 16]) {
    // SAFETY: the CPU has AVX2. The text reads 64 bytes of each run, and writes the sixteen registers of `block`, at
    // their type's alignment.
    unsafe {
        asm!(
            transpose!("0", "1", "2", "3"),
            block = in(reg) block,
            runs = in(reg) runs,
            at = in(reg) at,
            run = out(reg) _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options(nostack, preserves_flags),
        );
    }
}

/// Compresses a block, and returns the second half of the working vector.
///
/// # Safety
/// `block` has been written.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn compress(
    [v0, v1, v2, v3, v4, v5, v6, v7]: &mut [__m256i; 8],
    mut params: [U32x8; 4],
    block: *const [U32x8; 16],
) -> [__m256i; 8] {
    let mut second = [*v0; 8];
    let [v8, v9, v10, v11, v12, v13, v14, v15] = &mut second;
    // SAFETY: the CPU has AVX2. The text reads the sixteen registers of `block`, the four of `params` and the constants,
    // and writes the last of `params`, all at their types' alignment.
    unsafe {
        asm!(
            "vpbroadcastd ymm8, [{constants} + {iv}]",
            "vpbroadcastd ymm9, [{constants} + {iv} + 4]",
            "vpbroadcastd ymm10, [{constants} + {iv} + 8]",
            "vpbroadcastd ymm11, [{constants} + {iv} + 12]",
            "vmovdqa ymm12, [{params}]",
            "vmovdqa ymm13, [{params} + 32]",
            "vmovdqa ymm14, [{params} + 64]",
            "vmovdqa ymm15, [{params} + 96]",
            "vmovdqa [{params} + 96], ymm11",
            rounds!((. . . . . . .)
                "0" "1" "2" "3" "4" "5" "6" "7" "8" "9" "10" "11" "12" "13" "14" "15"),
            "vmovdqa ymm11, [{params} + 96]",
            each!("vpxor": "0" "8", "1" "9", "2" "10", "3" "11", "4" "12", "5" "13", "6" "14",
                "7" "15"),
            block = in(reg) block,
            params = in(reg) &raw mut params,
            constants = in(reg) &CONSTANTS,
            rotate_16 = const offset_of!(Constants, rotate_16),
            rotate_8 = const offset_of!(Constants, rotate_8),
            iv = const offset_of!(Constants, iv),
            inout("ymm0") *v0, inout("ymm1") *v1, inout("ymm2") *v2, inout("ymm3") *v3,
            inout("ymm4") *v4, inout("ymm5") *v5, inout("ymm6") *v6, inout("ymm7") *v7,
            out("ymm8") *v8, out("ymm9") *v9, out("ymm10") *v10, out("ymm11") *v11,
            out("ymm12") *v12, out("ymm13") *v13, out("ymm14") *v14, out("ymm15") *v15,
            options(nostack, preserves_flags),
        );
    }
    second
}

#[cfg(test)]
mod tests {
    use jlanes_core::simd::portable::PlainWords;

    use super::*;
    use crate::common::token::Token;

    type Lanes = [[u32; 8]; 16];

    /// A row of words for each of 16 positions, different in every lane.
    fn words(seed: &mut u32) -> Lanes {
        let mut next = || {
            *seed ^= *seed << 13;
            *seed ^= *seed >> 17;
            *seed ^= *seed << 5;
            *seed
        };
        [[(); 8]; 16].map(|row| row.map(|()| next()))
    }

    #[test]
    fn blocks_are_compressed_as_by_portable_code() {
        let Some(proof) = Avx2::detected() else { return };
        let mut seed = 1;
        for round in 0..1000 {
            let (before, block) = (words(&mut seed), words(&mut seed));
            let whole = round % 2 == 1;
            let shape = Shape { whole_output: whole, ..Shape::of::<Blake3Compression>() };
            let [mut state, words] =
                [before, block].map(|rows| rows.map(|row| U32x8::load(proof, &row)));
            Avx2Step::compress(proof, &shape, &mut state, words, &mut ());
            let after: Lanes = state.map(|row| {
                let mut words = [0; 8];
                row.store(&mut words);
                words
            });
            for lane in 0..8 {
                let [mut state, words] =
                    [before, block].map(|rows| rows.map(|row| PlainWords([row[lane]])));
                Blake3Compression::compress_as((), &shape, &mut state, words);
                let after = after.map(|row| PlainWords([row[lane]]));
                assert_eq!(after, state, "lane {lane}, whole: {whole}");
            }
        }
    }
}
