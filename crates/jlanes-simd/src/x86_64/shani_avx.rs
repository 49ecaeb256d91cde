//! SHA-256 on three and four streams by SHA-NI, with AVX's encoding of all other instructions.
//!
//! On Zen 3 a `sha256rnds2` can start every cycle, and its latency is four cycles: two streams are bound by
//! latency, at 64 cycles a block, and four would fill the unit, at 32. The front end limits three: a
//! `sha256rnds2` takes four of the six slots of a cycle, `sha256msg2` four and `sha256msg1` two, about 310
//! slots a block. In this order three streams take 55 cycles, and in SSE's encoding, which needs a copy
//! wherever an operand is kept, 61; as the compiler orders them, 65 with AVX and 86 without. Four streams take 54,
//! and fill the unit in the second block of a node, which has no schedule. The words do not fit the registers: only
//! the latest four of each stream stay there.

use core::{
    arch::{asm, x86_64::*},
    mem::{MaybeUninit, offset_of},
    ptr,
};

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    kernel::{RehashRounds, WholeMessages},
};

#[cfg(feature = "sha1dc")]
use super::sha1dc;
use super::{
    Avx, ShaNi,
    shani::{byte_shuffle, ordered::K, sha256},
};
use crate::common::{blocks::Blocks, needs::Needs, token::token};

token! {
    /// The CPU supports the SHA extensions and AVX.
    ShaNiAvx(ShaNi, Avx): "shani+avx", Needs::SHANI.union(Needs::AVX);
    enables ["sha", "avx"];

    /// SHA-256 on `S` streams, three or four.
    fn sha256_streams<const S: usize>(
        _shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        let blocks = Blocks::new(runs, blocks);
        sha256::advance::<S>(states, &blocks, shared, |abef, cdgh, blocks| {
            compress(ShaNiAvx::new(), abef, cdgh, blocks, order);
        });
    }

    /// SHA-256 of whole messages, `S` at a time.
    fn sha256_digests<const S: usize>(work: WholeMessages<'_, '_, u32>) {
        sha256::digest::<S, S, 64>(work, |abef, cdgh, blocks| {
            compress(ShaNiAvx::new(), abef, cdgh, blocks, RunByteOrder::Message);
        });
    }

    /// SHA-256 of messages of one block, each in two halves, four at a time.
    fn sha256_halves(work: WholeMessages<'_, '_, u32>) {
        sha256::digest::<4, 8, 32>(WholeMessages { blocks: 1, ..work }, |abef, cdgh, blocks| {
            compress(ShaNiAvx::new(), abef, cdgh, blocks, RunByteOrder::Message);
        });
    }

    /// SHA-256 of `S` digests, again and again.
    fn sha256_rehash<const S: usize>(
        states: &mut [u32],
        starts: &[&[u32]],
        work: &RehashRounds<'_, u32>,
        xor_sum: Option<&mut [u32]>,
    ) {
        sha256::rehash::<S>(states, starts, work, xor_sum, |abef, cdgh, words| {
            let blocks = sha256::store_words(words);
            let blocks = Blocks::of_one_each(&blocks);
            compress(ShaNiAvx::new(), abef, cdgh, &blocks, RunByteOrder::Native);
        });
    }

    /// SHA-1 of one message with detection.
    #[cfg(feature = "sha1dc")]
    fn sha1_checked(
        shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        sha1dc::advance(ShaNi::new(), shape, states, runs, order, blocks, shared);
    }
}

/// The memory of the loop.
#[repr(C, align(64))]
struct Scratch {
    /// The chaining values before the block: `abef` and `cdgh` of each stream.
    before: [[__m128i; 2]; 4],
    /// Sixteen words of each stream's schedule, four by four.
    words: [[__m128i; 4]; 4],
}

/// A step of three streams. Each has the pointer to its block, a number, both halves of its state, its latest
/// four words, and two registers to compute the next ones.
#[rustfmt::skip]
macro_rules! three {
    ($step:ident $($g:literal)*) => {
        concat!(
            $step!("{a}" "0", "xmm1" "xmm2" "xmm7" "xmm10" "xmm11", $($g)*),
            $step!("{b}" "1", "xmm3" "xmm4" "xmm8" "xmm12" "xmm13", $($g)*),
            $step!("{c}" "2", "xmm5" "xmm6" "xmm9" "xmm14" "xmm15", $($g)*),
        )
    };
}

/// A step of four streams.
#[rustfmt::skip]
macro_rules! four {
    ($step:ident $($g:literal)*) => {
        concat!(
            $step!("{a}" "0", "xmm1" "xmm2" "xmm9" "xmm13" "xmm14", $($g)*),
            $step!("{b}" "1", "xmm3" "xmm4" "xmm10" "xmm15" "xmm14", $($g)*),
            $step!("{c}" "2", "xmm5" "xmm6" "xmm11" "xmm13" "xmm14", $($g)*),
            $step!("{d}" "3", "xmm7" "xmm8" "xmm12" "xmm15" "xmm14", $($g)*),
        )
    };
}

/// The place of four words in `Scratch::words`: group `$g` of stream `$s`.
#[rustfmt::skip]
macro_rules! words {
    ($g:literal $s:literal) => {
        concat!("[{scratch} + {words} + ", $g, " * 64 + ", $s, " * 16]")
    };
}

/// Keeps the chaining values.
#[rustfmt::skip]
macro_rules! keep {
    ($run:literal $s:literal, $abef:literal $cdgh:literal $latest:literal $w:literal $seven:literal,) => {
        concat!(
            "vmovdqa [{scratch} + {before} + ", $s, " * 32], ", $abef, "\n",
            "vmovdqa [{scratch} + {before} + ", $s, " * 32 + 16], ", $cdgh, "\n",
        )
    };
}

/// Group `$g` of a block's words, from byte `$at` of the run into `$latest` and into memory.
#[rustfmt::skip]
macro_rules! load {
    ($run:literal $s:literal, $abef:literal $cdgh:literal $latest:literal $w:literal $seven:literal,
     $g:literal $at:literal) => {
        concat!(
            "vmovdqu ", $latest, ", [", $run, " + ", $at, "]\n",
            "vpshufb ", $latest, ", ", $latest, ", [{order}]\n",
            "vmovdqa ", words!($g $s), ", ", $latest, "\n",
        )
    };
}

/// The pointer to the second half of a block of two runs, 32 bytes less: where it would be if the runs were one.
#[rustfmt::skip]
macro_rules! second {
    ($run:literal $s:literal, $abef:literal $cdgh:literal $latest:literal $w:literal $seven:literal,) => {
        concat!("mov ", $run, ", [{second} + ", $s, " * 8]\n")
    };
}

/// Four rounds with group `$g`.
#[rustfmt::skip]
macro_rules! rounds {
    ($run:literal $s:literal, $abef:literal $cdgh:literal $latest:literal $w:literal $seven:literal, $g:literal) => {
        concat!(
            "vmovdqa ", $w, ", ", words!($g $s), "\n",
            "vpaddd xmm0, ", $w, ", [{k} + ", $g, " * 16]\n",
            "sha256rnds2 ", $cdgh, ", ", $abef, ", xmm0\n",
            "vpshufd xmm0, xmm0, 14\n",
            "sha256rnds2 ", $abef, ", ", $cdgh, ", xmm0\n",
        )
    };
}

/// Four rounds with group `$g0`, then the group after `$g3`, in place of `$g0`. `$latest` has group `$g3`
/// before, and the new one afterwards.
#[rustfmt::skip]
macro_rules! rounds_and_schedule {
    ($run:literal $s:literal, $abef:literal $cdgh:literal $latest:literal $w:literal $seven:literal,
     $g0:literal $g1:literal $g2:literal) => {
        concat!(
            rounds!($run $s, $abef $cdgh $latest $w $seven, $g0),
            "sha256msg1 ", $w, ", ", words!($g1 $s), "\n",
            "vpalignr ", $seven, ", ", $latest, ", ", words!($g2 $s), ", 4\n",
            "vpaddd ", $w, ", ", $w, ", ", $seven, "\n",
            "sha256msg2 ", $w, ", ", $latest, "\n",
            "vmovdqa ", words!($g0 $s), ", ", $w, "\n",
            "vmovdqa ", $latest, ", ", $w, "\n",
        )
    };
}

/// Adds the chaining values, and goes on to the next block.
#[rustfmt::skip]
macro_rules! add {
    ($run:literal $s:literal, $abef:literal $cdgh:literal $latest:literal $w:literal $seven:literal,) => {
        concat!(
            "vpaddd ", $abef, ", ", $abef, ", [{scratch} + {before} + ", $s, " * 32]\n",
            "vpaddd ", $cdgh, ", ", $cdgh, ", [{scratch} + {before} + ", $s, " * 32 + 16]\n",
            "add ", $run, ", 64\n",
        )
    };
}

/// Advances `S` streams by `blocks`, each in one run or two; the halves of their states are in the order of
/// `sha256rnds2`.
#[inline]
#[target_feature(enable = "sha,avx")]
fn compress<const S: usize, const R: usize, const N: usize>(
    _: ShaNiAvx,
    abef: &mut [__m128i; S],
    cdgh: &mut [__m128i; S],
    blocks: &Blocks<'_, R, N>,
    order: RunByteOrder,
) {
    const { assert!((S == 3 && R == 3 || S == 4) && R * N == S * 64) };
    if cfg!(miri) {
        // Miri does not run assembly
        return sha256::compress::<_, _, _, 2>(abef, cdgh, blocks, order);
    }
    if blocks.count() == 0 {
        return;
    }
    let order = byte_shuffle(ShaNi::new(), order);
    assert!(N == 64 || blocks.count() == 1, "only whole blocks follow each other");
    let mut second = [ptr::null(); S];
    for s in 0..S {
        second[s] = blocks.get((s + 1) * R / S - 1, 0).as_ptr().wrapping_sub(32);
    }
    // not cleared, which takes 6 % of the time of a node
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    macro_rules! advance {
        ($all:ident $($second:ident)?, $($s:literal $run:ident $abef:tt $cdgh:tt)*, $($free:tt)*) => {
            // SAFETY: The token stands for the instructions. The runs have `count` blocks of 64 bytes each, of which
            // the outer loop reads one at a time, or 32 bytes each, and `second` has every other of them: then
            // `count` is 1. `k` points to the constants: the inner loop runs three times over 64 of their 256 bytes,
            // and the rounds after it take the rest. Accesses to `scratch` are within its fields, at multiples of 16
            // bytes, and what they read was written before. All registers that change are operands.
            unsafe {
                asm!(
                    // with upper halves in use, changes between the two encodings take hundreds of cycles
                    "vzeroupper",
                    "2:",
                    $all!(keep),
                    $all!(load "0" "0"),
                    $all!(load "1" "16"),
                    $($all!($second),)?
                    $all!(load "2" "32"),
                    $all!(load "3" "48"),
                    "mov {sixteens:e}, 3",
                    ".p2align 6",
                    "3:",
                    $all!(rounds_and_schedule "0" "1" "2"),
                    $all!(rounds_and_schedule "1" "2" "3"),
                    $all!(rounds_and_schedule "2" "3" "0"),
                    $all!(rounds_and_schedule "3" "0" "1"),
                    "add {k}, 64",
                    "dec {sixteens:e}",
                    "jnz 3b",
                    $all!(rounds "0"),
                    $all!(rounds "1"),
                    $all!(rounds "2"),
                    $all!(rounds "3"),
                    "sub {k}, 192",
                    $all!(add),
                    "dec {count}",
                    "jnz 2b",
                    $($run = inout(reg) blocks.get($s * R / S, 0).as_ptr() => _,)*
                    $($second = in(reg) second.as_ptr(),)?
                    count = inout(reg) blocks.count() => _,
                    k = inout(reg) K.0.as_ptr() => _,
                    scratch = in(reg) scratch.as_mut_ptr(),
                    order = in(reg) &raw const order,
                    before = const offset_of!(Scratch, before),
                    words = const offset_of!(Scratch, words),
                    sixteens = out(reg) _,
                    $(inout($abef) abef[$s], inout($cdgh) cdgh[$s],)*
                    out("xmm0") _,
                    $(out($free) _,)*
                    options(nostack),
                )
            }
        };
    }
    if S == 3 {
        advance!(
            three,
            0 a "xmm1" "xmm2" 1 b "xmm3" "xmm4" 2 c "xmm5" "xmm6",
            "xmm7" "xmm8" "xmm9" "xmm10" "xmm11" "xmm12" "xmm13" "xmm14" "xmm15"
        );
    } else if R == S {
        advance!(
            four,
            0 a "xmm1" "xmm2" 1 b "xmm3" "xmm4" 2 c "xmm5" "xmm6" 3 d "xmm7" "xmm8",
            "xmm9" "xmm10" "xmm11" "xmm12" "xmm13" "xmm14" "xmm15"
        );
    } else {
        advance!(
            four second,
            0 a "xmm1" "xmm2" 1 b "xmm3" "xmm4" 2 c "xmm5" "xmm6" 3 d "xmm7" "xmm8",
            "xmm9" "xmm10" "xmm11" "xmm12" "xmm13" "xmm14" "xmm15"
        );
    }
}
