//! BLAKE3's compression function on eight lanes of AVX2.
//!
//! The sixteen words of a state fill the registers, and rotations need one more. LLVM keeps some hundred
//! values of a block in memory for a while, and applies the shuffle of a rotation to both operands of the
//! `xor` before it. Here word 11 is in memory all the time, and nothing else: a block takes 0.9 of the
//! cycles.

use core::{arch::asm, mem::offset_of, ptr::from_mut};

use jlanes_core::{
    compression::{Compression, Shape},
    hashes::{
        blake3::{Blake3Compression, take_flags},
        sha2::consts::IV_256,
    },
    kernel::step::Step,
    simd::registers::OneRegister,
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
            "vpaddd ymm11, ymm", $d3, ", [{eleven}]\n",
            each!("vpaddd": $c0 $d0, $c1 $d1, $c2 $d2),
            "vmovdqa [{eleven}], ymm11\n",
            each!("vpxor": $b3 "11", $b0 $c0, $b1 $c1, $b2 $c2),
            rotate!($b0, $r $l), rotate!($b1, $r $l), rotate!($b2, $r $l), rotate!($b3, $r $l),
        )
    };
}

/// Writes the second half of the whole output: `v` with the state before, at byte `$at` of both.
#[rustfmt::skip]
macro_rules! second_half {
    ($($at:literal $v:literal),*) => {
        concat!($(
            "vpxor ymm", $v, ", ymm", $v, ", [{state} + ", $at, "]\n",
            "vmovdqa [{state} + 256 + ", $at, "], ymm", $v, "\n",
        )*)
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
        let own = take_flags(proof, state);
        // SAFETY: the token exists only where the CPU has AVX2.
        unsafe { compress(state, own, &block, shape.whole_output) };
    }
}

/// [`compress`] with the block's own flags, apart from those of the state, and whether the state becomes the
/// whole output.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn compress(state: &mut [U32x8; 16], flags: U32x8, block: &[U32x8; 16], whole: bool) {
    let mut eleven = flags;
    // SAFETY: the CPU has AVX2. The text reads and writes the sixteen registers of `state` and the
    // one of `eleven`, and reads those of `block` and the constants, all at their types' alignment.
    unsafe {
        asm!(
            "vmovdqa ymm0, [{state}]",
            "vmovdqa ymm1, [{state} + 32]",
            "vmovdqa ymm2, [{state} + 64]",
            "vmovdqa ymm3, [{state} + 96]",
            "vmovdqa ymm4, [{state} + 128]",
            "vmovdqa ymm5, [{state} + 160]",
            "vmovdqa ymm6, [{state} + 192]",
            "vmovdqa ymm7, [{state} + 224]",
            "vpbroadcastd ymm8, [{constants} + {iv}]",
            "vpbroadcastd ymm9, [{constants} + {iv} + 4]",
            "vpbroadcastd ymm10, [{constants} + {iv} + 8]",
            "vpbroadcastd ymm11, [{constants} + {iv} + 12]",
            "vmovdqa ymm12, [{state} + 256]",
            "vmovdqa ymm13, [{state} + 288]",
            "vmovdqa ymm14, [{state} + 320]",
            "vmovdqa ymm15, [{eleven}]",
            "vmovdqa [{eleven}], ymm11",
            rounds!((. . . . . . .)
                "0" "1" "2" "3" "4" "5" "6" "7" "8" "9" "10" "11" "12" "13" "14" "15"),
            "vmovdqa ymm11, [{eleven}]",
            each!("vpxor": "0" "8", "1" "9", "2" "10", "3" "11", "4" "12", "5" "13", "6" "14",
                "7" "15"),
            "test {whole:l}, {whole:l}",
            "jz 2f",
            second_half!("0" "8", "32" "9", "64" "10", "96" "11", "128" "12", "160" "13", "192" "14",
                "224" "15"),
            "2:",
            "vmovdqa [{state}], ymm0",
            "vmovdqa [{state} + 32], ymm1",
            "vmovdqa [{state} + 64], ymm2",
            "vmovdqa [{state} + 96], ymm3",
            "vmovdqa [{state} + 128], ymm4",
            "vmovdqa [{state} + 160], ymm5",
            "vmovdqa [{state} + 192], ymm6",
            "vmovdqa [{state} + 224], ymm7",
            state = in(reg) state,
            block = in(reg) block,
            eleven = in(reg) from_mut(&mut eleven),
            whole = in(reg) u32::from(whole),
            constants = in(reg) &CONSTANTS,
            rotate_16 = const offset_of!(Constants, rotate_16),
            rotate_8 = const offset_of!(Constants, rotate_8),
            iv = const offset_of!(Constants, iv),
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options(nostack),
        );
    }
}

#[cfg(test)]
mod tests {
    use jlanes_core::simd::{portable::PlainWords, vector::SimdWord};

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
