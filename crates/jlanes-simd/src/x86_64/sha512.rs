//! SHA-512 of one message: rounds in scalar registers, and between them the schedule in vectors, with
//! every instruction in its place.
//!
//! [`SingleStream`](jlanes_core::hashes::sha2::single::SingleStream) does the same in the compiler's order. On Zen a
//! block takes 595 cycles instead of 898; other orders are slower
//! ([EXPERIMENTS](https://github.com/jlanes/jlanes/blob/main/docs/EXPERIMENTS.md#zen)).

use core::{
    arch::{asm, x86_64::*},
    ops::Range,
};

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    hashes::sha2::{Sha2, consts::K64},
    kernel::{
        RehashRounds, WholeMessages,
        stream::{self, advance_one},
    },
    simd::{vector::ByteOrder, words::write_words},
};

use crate::common::blocks::Blocks;

/// Blocks between two prefetches.
const BLOCKS_PER_PREFETCH: usize = 8;

/// The constants, aligned as they are loaded.
#[repr(align(64))]
struct Constants([u64; 80]);

static K: Constants = Constants(K64);

const SHAPE: Shape<u64> = Shape::of::<Sha2<u64>>();

/// The shuffle that makes words of a message's bytes.
const MESSAGE: u128 = 0x0809_0a0b_0c0d_0e0f_0001_0203_0405_0607;
/// The shuffle that changes nothing.
const NATIVE: u128 = 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100;
/// The shuffle that rotates words to the right by 8 bits.
const ROTATE_8: u128 = 0x080f_0e0d_0c0b_0a09_0007_0605_0403_0201;

/// One round, with a vector instruction, or nothing, after every two of its own. `$p` is `b ^ c`, and
/// `$q` becomes `a ^ b`, which is the next round's `b ^ c`. The sum of the word and the constant is at byte
/// `$at` from `$sums` on.
#[rustfmt::skip]
macro_rules! round {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal,
     $p:literal $q:literal, $sums:literal $at:literal,
     $v0:expr, $v1:expr, $v2:expr, $v3:expr, $v4:expr, $v5:expr, $v6:expr, $v7:expr, $v8:expr,
     $v9:expr, $v10:expr, $v11:expr $(,)?) => {
        concat!(
            "add {", $h, "}, [", $sums, " + ", $at, "]\n",
            // Ch = ((f ^ g) & e) ^ g
            "mov {", $q, "}, {", $f, "}\n", $v0,
            "xor {", $q, "}, {", $g, "}\n",
            "and {", $q, "}, {", $e, "}\n", $v1,
            "xor {", $q, "}, {", $g, "}\n",
            // Sigma1
            "rorx {t}, {", $e, "}, 14\n", $v2,
            "rorx {u}, {", $e, "}, 18\n",
            "xor {t}, {u}\n", $v3,
            "rorx {u}, {", $e, "}, 41\n",
            "add {", $h, "}, {", $q, "}\n", $v4,
            "xor {t}, {u}\n",
            "add {", $h, "}, {t}\n", $v5,
            "add {", $d, "}, {", $h, "}\n",
            // Maj = ((a ^ b) & (b ^ c)) ^ b, and Sigma0
            "mov {", $q, "}, {", $a, "}\n", $v6,
            "xor {", $q, "}, {", $b, "}\n",
            "rorx {t}, {", $a, "}, 28\n", $v7,
            "rorx {u}, {", $a, "}, 34\n",
            "and {", $p, "}, {", $q, "}\n", $v8,
            "xor {t}, {u}\n",
            "rorx {u}, {", $a, "}, 39\n", $v9,
            "xor {", $p, "}, {", $b, "}\n",
            "xor {t}, {u}\n", $v10,
            "add {", $h, "}, {", $p, "}\n",
            "add {", $h, "}, {t}\n", $v11,
        )
    };
}

/// Two rounds.
#[rustfmt::skip]
macro_rules! rounds {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal,
     $sums:literal $at:literal $next:literal, $($x:literal)*) => {
        concat!(
            round!($a $b $c $d $e $f $g $h, "p" "q", $sums $at,
                "", "", "", "", "", "", "", "", "", "", "", ""),
            round!($h $a $b $c $d $e $f $g, "q" "p", $sums $next,
                "", "", "", "", "", "", "", "", "", "", "", ""),
        )
    };
}

/// Two rounds, and between them the two words sixteen rounds later: `$x0 += sigma0($x0, $x1) + ($x4, $x5) +
/// sigma1($x7)`, each with two words, where a pair in brackets stands for the second and the third of
/// four words. Their sums with constants replace those of these rounds, which have been read by then.
#[rustfmt::skip]
macro_rules! rounds_and_words {
    ($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal,
     $sums:literal $at:literal $next:literal,
     $x0:literal $x1:literal $x4:literal $x5:literal $x7:literal) => {
        concat!(
            round!($a $b $c $d $e $f $g $h, "p" "q", $sums $at,
                concat!("vpalignr xmm8, xmm", $x1, ", xmm", $x0, ", 8\n"),
                concat!("vpalignr xmm9, xmm", $x5, ", xmm", $x4, ", 8\n"),
                // sigma0: rotations by 1 and 8, a shift by 7
                "vpsrlq xmm10, xmm8, 1\n",
                concat!("vpaddq xmm", $x0, ", xmm", $x0, ", xmm9\n"),
                "vpsllq xmm11, xmm8, 63\n",
                "vpshufb xmm9, xmm8, xmm12\n",
                "vpxor xmm10, xmm10, xmm11\n",
                "vpsrlq xmm8, xmm8, 7\n",
                "vpxor xmm10, xmm10, xmm9\n",
                // sigma1: rotations by 19 and 61, a shift by 6
                concat!("vpsrlq xmm11, xmm", $x7, ", 19\n"),
                "vpxor xmm10, xmm10, xmm8\n",
                concat!("vpsllq xmm9, xmm", $x7, ", 45\n")),
            round!($h $a $b $c $d $e $f $g, "q" "p", $sums $next,
                concat!("vpaddq xmm", $x0, ", xmm", $x0, ", xmm10\n"),
                concat!("vpsrlq xmm8, xmm", $x7, ", 61\n"),
                "vpxor xmm11, xmm11, xmm9\n",
                concat!("vpsllq xmm9, xmm", $x7, ", 3\n"),
                "vpxor xmm11, xmm11, xmm8\n",
                concat!("vpsrlq xmm8, xmm", $x7, ", 6\n"),
                "vpxor xmm11, xmm11, xmm9\n",
                "vpxor xmm11, xmm11, xmm8\n",
                concat!("vpaddq xmm", $x0, ", xmm", $x0, ", xmm11\n"),
                concat!("vpaddq xmm8, xmm", $x0, ", [{k} + ", $at, "]\n"),
                concat!("vmovdqa [", $sums, " + ", $at, "], xmm8\n"),
                ""),
        )
    };
}

/// Sixteen rounds, by a macro for two.
#[rustfmt::skip]
macro_rules! sixteen_rounds {
    ($two:ident $sums:literal) => {
        concat!(
            $two!("a" "b" "c" "d" "e" "f" "g" "h", $sums "0" "8", "0" "1" "4" "5" "7"),
            $two!("g" "h" "a" "b" "c" "d" "e" "f", $sums "16" "24", "1" "2" "5" "6" "0"),
            $two!("e" "f" "g" "h" "a" "b" "c" "d", $sums "32" "40", "2" "3" "6" "7" "1"),
            $two!("c" "d" "e" "f" "g" "h" "a" "b", $sums "48" "56", "3" "4" "7" "0" "2"),
            $two!("a" "b" "c" "d" "e" "f" "g" "h", $sums "64" "72", "4" "5" "0" "1" "3"),
            $two!("g" "h" "a" "b" "c" "d" "e" "f", $sums "80" "88", "5" "6" "1" "2" "4"),
            $two!("e" "f" "g" "h" "a" "b" "c" "d", $sums "96" "104", "6" "7" "2" "3" "5"),
            $two!("c" "d" "e" "f" "g" "h" "a" "b", $sums "112" "120", "7" "0" "3" "4" "6"),
        )
    };
}

/// Two of the first sixteen words, and the sums with their constants.
#[rustfmt::skip]
macro_rules! first_words {
    ($($x:literal $at:literal),*) => {
        concat!($(
            "vmovdqu xmm", $x, ", [{u} + ", $at, "]\n",
            "vpshufb xmm", $x, ", xmm", $x, ", xmm13\n",
            "vpaddq xmm8, xmm", $x, ", [{k} + ", $at, "]\n",
            "vmovdqa [rsp + ", $at, "], xmm8\n",
        )*)
    };
}

/// A word of the state from memory.
#[rustfmt::skip]
macro_rules! load {
    ($word:literal $at:literal) => { concat!("mov {", $word, "}, [{t} + ", $at, "]\n") };
}

/// The sum of a word and the state in memory, where it stays.
#[rustfmt::skip]
macro_rules! feed_forward {
    ($word:literal $at:literal) => {
        concat!(
            "add {", $word, "}, [{t} + ", $at, "]\n",
            "mov [{t} + ", $at, "], {", $word, "}\n",
        )
    };
}

/// All words of the state, by a macro for one.
#[rustfmt::skip]
macro_rules! all_words {
    ($one:ident) => {
        concat!(
            $one!("a" "0"), $one!("b" "8"), $one!("c" "16"), $one!("d" "24"),
            $one!("e" "32"), $one!("f" "40"), $one!("g" "48"), $one!("h" "56"),
        )
    };
}

/// The text of [`compress()`]. `t` is the address of the state, `u` that of the blocks, `p` that of their end,
/// `k` that of the constants.
#[rustfmt::skip]
macro_rules! compress {
    () => {
        concat!(
            "sub rsp, 160\n",
            "mov [rsp + 128], {t}\n",
            "mov [rsp + 136], {p}\n",
            all_words!(load),
            "3:\n",
            first_words!("0" "0", "1" "16", "2" "32", "3" "48", "4" "64", "5" "80", "6" "96", "7" "112"),
            "add {u}, 128\n",
            "mov [rsp + 144], {u}\n",
            "lea {t}, [{k} + 512]\n",
            "mov [rsp + 152], {t}\n",
            "mov {p}, {b}\n",
            "xor {p}, {c}\n",
            "2:\n",
            "add {k}, 128\n",
            sixteen_rounds!(rounds_and_words "rsp"),
            "cmp {k}, [rsp + 152]\n",
            "jb 2b\n",
            sixteen_rounds!(rounds "rsp"),
            "sub {k}, 512\n",
            "mov {t}, [rsp + 128]\n",
            all_words!(feed_forward),
            "mov {u}, [rsp + 144]\n",
            "cmp {u}, [rsp + 136]\n",
            "jb 3b\n",
            "add rsp, 160\n",
        )
    };
}

/// The text of [`compress_shared()`]. `t` is the address of the state, `k` that of the sums, `q` that of their
/// end.
#[rustfmt::skip]
macro_rules! compress_shared {
    () => {
        concat!(
            "push {t}\n",
            "push {q}\n",
            all_words!(load),
            "mov {p}, {b}\n",
            "xor {p}, {c}\n",
            "2:\n",
            sixteen_rounds!(rounds "{k}"),
            "add {k}, 128\n",
            "cmp {k}, [rsp]\n",
            "jb 2b\n",
            "pop {q}\n",
            "pop {t}\n",
            all_words!(feed_forward),
        )
    };
}

/// Advances one stream by `blocks`, then by the block with `W_t + K_t` in `shared`, if any.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn advance(
    state: &mut [u64],
    blocks: &Blocks<'_, 1, 128>,
    order: RunByteOrder,
    shared: &[u64],
) {
    let Some(state) = state.first_chunk_mut() else { unreachable!("eight words") };
    for b in (0..blocks.count()).step_by(BLOCKS_PER_PREFETCH) {
        blocks.prefetch_ahead(b, super::prefetch);
        compress(state, blocks.next_blocks(0, b, BLOCKS_PER_PREFETCH), order);
    }
    if !shared.is_empty() {
        let Ok(sums) = shared.try_into() else { unreachable!("eighty words") };
        compress_shared(state, sums);
    }
}

/// Hashes whole messages from their start to their digests, one by one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn digest(work: WholeMessages<'_, '_, u64>) {
    let WholeMessages { messages, start, blocks, shared, digests } = work;
    let Some(start) = start.first_chunk::<8>() else { unreachable!("eight words") };
    for (message, digest) in messages.iter().zip(digests.bytes.chunks_exact_mut(digests.size)) {
        let mut state = *start;
        advance(&mut state, &Blocks::new(&[message], blocks), RunByteOrder::Message, shared);
        write_words(ByteOrder::Big, &state, digest);
    }
}

/// Hashes the digests in `states` again, one after the other.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn rehash(
    states: &mut [u64],
    starts: &[&[u64]],
    work: &RehashRounds<'_, u64>,
    xor_sum: Option<&mut [u64]>,
) {
    let Some(around) = work.block.first_chunk::<16>() else { unreachable!("sixteen words") };
    let mut xor_sum = xor_sum.map(|xor_sum| xor_sum.as_chunks_mut().0.iter_mut());
    for (s, digest) in states.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut xor = [0; 8];
        for _ in 0..work.rounds {
            for starts in starts {
                let mut words = *around;
                words[..work.digest_words].copy_from_slice(&digest[..work.digest_words]);
                if let Some(mask) = work.last_mask {
                    let last = work.digest_words - 1;
                    words[last] = digest[last] & mask | around[last];
                }
                *digest = starts.as_chunks::<8>().0[s];
                let mut block = [0; 128];
                write_words(ByteOrder::NATIVE, &words, &mut block);
                compress(digest, &[block], RunByteOrder::Native);
            }
            for (to, word) in xor.iter_mut().zip(&*digest) {
                *to ^= word;
            }
        }
        if let Some(to) = xor_sum.as_mut().and_then(Iterator::next) {
            *to = xor;
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn vector(bytes: u128) -> __m128i {
    _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
}

/// Compresses the blocks.
#[inline(never)] // once for its callers
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]], order: RunByteOrder) {
    if cfg!(miri) {
        // Miri does not run assembly
        let (runs, count) = (&[blocks.as_flattened()], blocks.len());
        return advance_one::<Sha2<u64>>(&SHAPE, state, runs, order, count, &[]);
    }
    if blocks.is_empty() {
        return;
    }
    let order = match order {
        RunByteOrder::Message => MESSAGE,
        RunByteOrder::Native => NATIVE,
    };
    let [order, rotate_8] = [order, ROTATE_8].map(|bytes| vector(bytes));
    let Range { start, end } = blocks.as_ptr_range();
    // SAFETY: the CPU has AVX and BMI2. The text reads the blocks, up to their end, and the constants, at their
    // alignment, and it reads and writes the state. The stack pointer is a multiple of 16 here; the text takes
    // 160 bytes of the stack and returns them.
    unsafe {
        asm!(
            compress!(),
            a = out(reg) _, b = out(reg) _, c = out(reg) _, d = out(reg) _,
            e = out(reg) _, f = out(reg) _, g = out(reg) _, h = out(reg) _,
            k = inout(reg) K.0.as_ptr() => _,
            t = inout(reg) state.as_mut_ptr() => _,
            u = inout(reg) start => _,
            p = inout(reg) end => _,
            q = out(reg) _,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            in("xmm12") rotate_8, in("xmm13") order,
        );
    }
}

/// Compresses the block with `W_t + K_t` in `sums`.
#[inline(never)] // once for its callers
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn compress_shared(state: &mut [u64; 8], sums: &[u64; 80]) {
    if cfg!(miri) {
        return stream::advance_shared::<Sha2<u64>>(&SHAPE, state, sums);
    }
    // SAFETY: the CPU has BMI2. The text reads the 80 words of `sums`, sixteen at a time, and it reads and
    // writes the state.
    unsafe {
        asm!(
            compress_shared!(),
            a = out(reg) _, b = out(reg) _, c = out(reg) _, d = out(reg) _,
            e = out(reg) _, f = out(reg) _, g = out(reg) _, h = out(reg) _,
            k = inout(reg) sums.as_ptr() => _,
            t = inout(reg) state.as_mut_ptr() => _,
            u = out(reg) _, p = out(reg) _,
            q = inout(reg) sums.as_ptr_range().end => _,
        );
    }
}

#[cfg(test)]
mod tests; // after the macros, which it needs
