//! BLAKE3's blocks on sixteen lanes of AVX-512, where the next block is loaded and transposed between the rounds of
//! the current one.
//!
//! The two use other units of a core, but are too long for it to find one while the other runs. The state has half of
//! the registers and the transposition the others, and so the words of the current block are in memory. A block
//! takes 0.94 of the time on Zen 4.

use core::{arch::asm, mem::MaybeUninit, ptr::from_mut};

use jlanes_core::{
    compression::{Compression, Shape},
    hashes::{
        blake3::{BLOCK, Blake3Compression, take_flags},
        sha2::consts::IV_256,
    },
    kernel::step::Step,
    simd::{
        registers::OneRegister,
        runs::Runs,
        vector::{ByteOrder, Vector},
    },
};

use crate::x86_64::{Avx512, vec512::U32x16};

/// Applies `$op` to each pair of registers, with the result in the first one.
#[rustfmt::skip]
macro_rules! each {
    ($op:literal: $($to:literal $by:literal),*) => {
        concat!($($op, " zmm", $to, ", zmm", $to, ", zmm", $by, "\n"),*)
    };
}

/// Rotates registers by `$r` bits to the right.
#[rustfmt::skip]
macro_rules! rotate {
    ($r:literal: $($x:literal)*) => {
        concat!($("vprord zmm", $x, ", zmm", $x, ", ", $r, "\n"),*)
    };
}

/// Adds words of the block.
#[rustfmt::skip]
macro_rules! add_words {
    ($($a:literal $word:literal),*) => {
        concat!($("vpaddd zmm", $a, ", zmm", $a, ", [{block} + 64 * ", $word, "]\n"),*)
    };
}

/// Half of the mixing function in four groups, two of which are an operation behind the others, around two pieces
/// of the transposition.
#[rustfmt::skip]
macro_rules! half {
    ($first:expr, $second:expr, $r:literal $l:literal,
     $($a:literal $b:literal $c:literal $d:literal $w:literal),*;
     $($e:literal $f:literal $g:literal $h:literal $x:literal),*) => {
        concat!(
            add_words!($($a $w),*),
            each!("vpaddd": $($a $b),*), add_words!($($e $x),*),
            each!("vpxord": $($d $a),*), each!("vpaddd": $($e $f),*),
            rotate!($r: $($d)*), each!("vpxord": $($h $e),*), $first,
            each!("vpaddd": $($c $d),*), rotate!($r: $($h)*),
            each!("vpxord": $($b $c),*), each!("vpaddd": $($g $h),*),
            rotate!($l: $($b)*), each!("vpxord": $($f $g),*), $second,
            rotate!($l: $($f)*),
        )
    };
}

/// Rounds, each around its eight pieces, from the words of the block in the order of the first of them.
#[rustfmt::skip]
macro_rules! rounds {
    ([] $($word:literal)*) => { "" };
    ([[$p0:expr, $p1:expr, $p2:expr, $p3:expr, $p4:expr, $p5:expr, $p6:expr, $p7:expr] $($more:tt)*]
     $w0:literal $w1:literal $w2:literal $w3:literal $w4:literal $w5:literal $w6:literal
     $w7:literal $w8:literal $w9:literal $w10:literal $w11:literal $w12:literal $w13:literal
     $w14:literal $w15:literal) => {
        concat!(
            half!($p0, $p1, "16" "12", "0" "4" "8" "12" $w0, "1" "5" "9" "13" $w2;
                "2" "6" "10" "14" $w4, "3" "7" "11" "15" $w6),
            half!($p2, $p3, "8" "7", "0" "4" "8" "12" $w1, "1" "5" "9" "13" $w3;
                "2" "6" "10" "14" $w5, "3" "7" "11" "15" $w7),
            half!($p4, $p5, "16" "12", "0" "5" "10" "15" $w8, "1" "6" "11" "12" $w10;
                "2" "7" "8" "13" $w12, "3" "4" "9" "14" $w14),
            half!($p6, $p7, "8" "7", "0" "5" "10" "15" $w9, "1" "6" "11" "12" $w11;
                "2" "7" "8" "13" $w13, "3" "4" "9" "14" $w15),
            rounds!([$($more)*]
                $w2 $w6 $w3 $w10 $w7 $w0 $w4 $w13 $w1 $w11 $w12 $w5 $w9 $w14 $w15 $w8),
        )
    };
}

/// Loads a half of the next block of two lanes into register `20 + $i`.
#[rustfmt::skip]
macro_rules! load {
    ($i:literal: $low:literal $high:literal, $half:literal) => {
        concat!(
            "mov {run}, [{runs} + 8 * ", $low, "]\n",
            "vmovdqu64 ymm2", $i, ", [{run} + {at} + ", $half, "]\n",
            "mov {run}, [{runs} + 8 * ", $high, "]\n",
            "vinserti64x4 zmm2", $i, ", zmm2", $i, ", [{run} + {at} + ", $half, "], 1\n",
        )
    };
}

/// Interleaves the elements of `$a` and `$b`: the lower ones into `$l`, the upper ones into `$h`.
#[rustfmt::skip]
macro_rules! unpack {
    ($size:literal: $l:literal $h:literal, $a:literal $b:literal) => {
        concat!(
            "vpunpckl", $size, " zmm", $l, ", zmm", $a, ", zmm", $b, "\n",
            "vpunpckh", $size, " zmm", $h, ", zmm", $a, ", zmm", $b, "\n",
        )
    };
}

/// Stores word `$word` of a half of the next block: the quarters `$odd_even` of two registers.
#[rustfmt::skip]
macro_rules! store {
    ($odd_even:literal: $a:literal $b:literal, $half:literal $word:literal) => {
        concat!(
            "vshufi64x2 zmm16, zmm", $a, ", zmm", $b, ", ", $odd_even, "\n",
            "vmovdqa64 [{next} + 16 * ", $half, " + 64 * ", $word, "], zmm16\n",
        )
    };
}

/// Three rounds around a half of the next block, as [`load_square`](Vector::load_square) transposes it.
#[rustfmt::skip]
macro_rules! rounds_around {
    ($half:literal $($word:literal)*) => {
        rounds!([
            [load!("0": "0" "4", $half), load!("1": "1" "5", $half),
                load!("2": "2" "6", $half), load!("3": "3" "7", $half),
                load!("4": "8" "12", $half), load!("5": "9" "13", $half),
                load!("6": "10" "14", $half), load!("7": "11" "15", $half)]
            [unpack!("dq": "16" "18", "20" "21"), unpack!("dq": "17" "19", "22" "23"),
                unpack!("qdq": "20" "21", "16" "17"), unpack!("qdq": "22" "23", "18" "19"),
                unpack!("dq": "28" "30", "24" "25"), unpack!("dq": "29" "31", "26" "27"),
                unpack!("qdq": "24" "25", "28" "29"), unpack!("qdq": "26" "27", "30" "31")]
            [store!("0x88": "20" "24", $half "0"), store!("0xdd": "20" "24", $half "4"),
                store!("0x88": "21" "25", $half "1"), store!("0xdd": "21" "25", $half "5"),
                store!("0x88": "22" "26", $half "2"), store!("0xdd": "22" "26", $half "6"),
                store!("0x88": "23" "27", $half "3"), store!("0xdd": "23" "27", $half "7")]
        ] $($word)*)
    };
}

/// The step of fused kernels.
pub(in crate::x86_64) struct Avx512Step;

impl Step<Avx512> for Avx512Step {
    type Compression = Blake3Compression;
    type Registers = OneRegister;
    type SideState = ();

    #[inline(always)]
    fn compress(
        proof: Avx512,
        shape: &Shape<u32>,
        state: &mut [U32x16; 16],
        block: [U32x16; 16],
        (): &mut (),
    ) {
        Blake3Compression::compress_as(proof, shape, state, block);
    }

    #[inline(always)]
    fn compress_whole(
        proof: Avx512,
        shape: &Shape<u32>,
        state: &mut [U32x16; 16],
        runs: &Runs<'_>,
        blocks: usize,
        before: impl Fn(usize, &mut [U32x16; 16]),
    ) -> bool {
        if cfg!(miri) || shape.whole_output || blocks < 2 {
            return false; // Miri does not run assembly, and a single block has no next one
        }
        assert!(blocks.checked_mul(BLOCK).is_some_and(|bytes| bytes <= runs.shortest()));
        let Some(lanes) = runs.runs().first_chunk::<16>() else { panic!("a run for each lane") };
        let lanes = lanes.map(<[u8]>::as_ptr);
        let mut block = U32x16::load_square(proof, ByteOrder::Little, runs, 0, 0);
        let mut room = MaybeUninit::uninit();
        let (mut block, mut next) = (from_mut(&mut block), room.as_mut_ptr());
        for b in 0..blocks {
            before(b, state);
            let flags = take_flags(proof, state);
            // the last block has no next one, and so it is loaded again
            let at = (b + 1).min(blocks - 1) * BLOCK;
            // SAFETY: the token exists only where the CPU has AVX-512. `at` is the start of one of `blocks` blocks, which
            // all runs have. The two blocks are apart, and the current one has been written.
            unsafe { compress_loading(proof, state, flags, block, next, &lanes, at) };
            (block, next) = (next, block);
        }
        true
    }
}

/// Compresses `block`, with its own flags apart from those of the state, and loads the next one, which begins at byte
/// `at` of all runs.
///
/// # Safety
/// The CPU has AVX-512, the runs have [`BLOCK`] bytes there, `block` is initialized, and `next` is another one.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn compress_loading(
    proof: Avx512,
    state: &mut [U32x16; 16],
    flags: U32x16,
    block: *const [U32x16; 16],
    next: *mut [U32x16; 16],
    runs: &[*const u8; 16],
    at: usize,
) {
    let mut v = [flags.raw(); 11];
    for i in 0..11 {
        v[i] = state[i].raw();
    }
    // SAFETY: the text reads the sixteen registers of `block` and 64 bytes of each run, and writes the
    // sixteen registers of `next`, both at their type's alignment.
    unsafe {
        asm!(
            "vpbroadcastd zmm8, [{iv}]",
            "vpbroadcastd zmm9, [{iv} + 4]",
            "vpbroadcastd zmm10, [{iv} + 8]",
            "vpbroadcastd zmm11, [{iv} + 12]",
            rounds_around!("0" "0" "1" "2" "3" "4" "5" "6" "7" "8" "9" "10" "11" "12" "13" "14" "15"),
            rounds_around!("32" "10" "7" "12" "9" "14" "3" "13" "15" "4" "0" "11" "2" "5" "8" "1" "6"),
            rounds!([["", "", "", "", "", "", "", ""]]
                "11" "15" "5" "0" "1" "9" "8" "6" "14" "10" "2" "12" "3" "4" "7" "13"),
            each!("vpxord": "0" "8", "1" "9", "2" "10", "3" "11", "4" "12", "5" "13", "6" "14",
                "7" "15"),
            block = in(reg) block,
            next = in(reg) next,
            runs = in(reg) runs,
            at = in(reg) at,
            run = out(reg) _,
            iv = in(reg) &IV_256,
            inout("zmm0") v[0], inout("zmm1") v[1], inout("zmm2") v[2], inout("zmm3") v[3],
            inout("zmm4") v[4], inout("zmm5") v[5], inout("zmm6") v[6], inout("zmm7") v[7],
            inout("zmm12") v[8] => _, inout("zmm13") v[9] => _, inout("zmm14") v[10] => _,
            inout("zmm15") flags.raw() => _,
            out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _,
            out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _,
            out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _,
            out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _,
            out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
            options(nostack),
        );
    }
    for i in 0..8 {
        state[i] = U32x16::from_raw(proof, v[i]);
    }
}

#[cfg(test)]
mod tests {
    use jlanes_core::simd::{portable::PlainWords, vector::SimdWord};

    use super::*;
    use crate::common::token::Token;

    const MAX_BLOCKS: usize = 18;

    #[test]
    fn runs_are_compressed_as_by_portable_code() {
        let Some(proof) = Avx512::detected() else { return };
        let mut seed = 1_u32;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            seed
        };
        let shape = Shape::of::<Blake3Compression>();
        let data = [[(); BLOCK * MAX_BLOCKS]; 16].map(|run| run.map(|()| next() as u8));
        let start = [[(); 16]; 16].map(|row| row.map(|()| next()));
        for blocks in 2..=MAX_BLOCKS {
            let runs = data.each_ref().map(|run| &run[..blocks * BLOCK]);
            let mut state = start.map(|row| U32x16::load(proof, &row));
            let done = Avx512Step::compress_whole(
                proof,
                &shape,
                &mut state,
                &Runs::new(&runs),
                blocks,
                |b, state| state[11] = state[11].add(U32x16::splat(proof, b as u32)),
            );
            assert_eq!(done, !cfg!(miri));
            for lane in (0..16).filter(|_| done) {
                let mut expected = start.map(|row| PlainWords([row[lane]]));
                for (b, block) in runs[lane].as_chunks::<BLOCK>().0.iter().enumerate() {
                    expected[11].0[0] = expected[11].0[0].wrapping_add(b as u32);
                    let mut words = [PlainWords([0]); 16];
                    for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
                        word.0[0] = u32::from_le_bytes(*bytes);
                    }
                    Blake3Compression::compress_as((), &shape, &mut expected, words);
                }
                let after = state.map(|row| {
                    let mut words = [0; 16];
                    row.store(&mut words);
                    PlainWords([words[lane]])
                });
                assert_eq!(after, expected, "{blocks} blocks, lane {lane}");
            }
        }
    }
}
