//! SHA-256 on three streams by SHA-NI, with AVX's encoding of all other instructions.
//!
//! On Zen 3 a `sha256rnds2` can start every cycle, and its latency is four cycles: two streams are bound by
//! latency, at 64 cycles a block, and four would fill the unit, at 32. The front end limits three: a
//! `sha256rnds2` takes four of the six slots of a cycle, `sha256msg2` four and `sha256msg1` two, about 310
//! slots a block. In this order three streams take 55 cycles, and in SSE's encoding, which needs a copy
//! wherever an operand is kept, 61; as the compiler orders them, 65 with AVX and 86 without. The words do not
//! fit the registers: only the latest four of each stream stay there.

use core::{
    arch::{asm, x86_64::*},
    mem::offset_of,
    ptr::from_mut,
};

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    kernel::WholeMessages,
};

use super::{
    Avx, ShaNi,
    shani::{byte_shuffle, ordered::K, sha256},
};
#[cfg(feature = "sha1dc")]
use super::{
    Sse41,
    sha1dc::{self, BLOCKS_IN_LANES},
};
use crate::common::{blocks::Blocks, needs::Needs, token::token};

token! {
    /// The CPU supports the SHA extensions and AVX.
    ShaNiAvx(ShaNi, Avx): "shani+avx", Needs::SHANI.union(Needs::AVX);
    enables ["sha", "avx"];

    /// SHA-256 on three streams.
    fn sha256_three(
        _shape: &Shape<u32>,
        states: &mut [u32],
        runs: &[&[u8]],
        order: RunByteOrder,
        blocks: usize,
        shared: &[u32],
    ) {
        let blocks = Blocks::new(runs, blocks);
        sha256::advance(states, &blocks, shared, |abef, cdgh, blocks| {
            compress(ShaNiAvx::new(), abef, cdgh, blocks, order);
        });
    }

    /// SHA-1 of some blocks of one message, and their candidates.
    #[cfg(feature = "sha1dc")]
    fn sha1_with_candidates(
        state: &mut [u32; 5],
        blocks: &[[u8; 64]; BLOCKS_IN_LANES],
        before: &mut [[u32; 5]; BLOCKS_IN_LANES],
        candidates: &mut [[u32; BLOCKS_IN_LANES]; 2],
    ) {
        sha1dc::compress(ShaNiAvx::new().sse41(), state, blocks, before, candidates);
    }

    /// SHA-256 of whole messages, three at a time.
    fn sha256_digests_three(work: WholeMessages<'_, '_, u32>) {
        sha256::digest(work, |abef, cdgh, blocks| {
            enter_compress(ShaNiAvx::new(), abef, cdgh, blocks, RunByteOrder::Message);
        });
    }
}

#[cfg(feature = "sha1dc")]
impl ShaNiAvx {
    /// The token of the vectors.
    #[inline(always)]
    pub(super) fn sse41(self) -> Sse41 {
        self.0.0.proof()
    }
}

/// The memory of the loop.
#[repr(C, align(64))]
struct Scratch {
    /// The shuffle that makes words of bytes.
    order: __m128i,
    /// The chaining values before the block: `abef` and `cdgh` of each stream.
    before: [[__m128i; 2]; 3],
    /// Sixteen words of each stream's schedule, four by four.
    words: [[__m128i; 3]; 4],
}

/// The place of four words in `Scratch::words`: group `$g` of the stream at byte `$s`.
#[rustfmt::skip]
macro_rules! words {
    ($g:literal $s:literal) => {
        concat!("[{scratch} + {words} + ", $g, " * 48 + ", $s, "]")
    };
}

/// Group `$g` of a block's words, from `$run` into the register `$w` and into memory.
#[rustfmt::skip]
macro_rules! load_one {
    ($run:literal $s:literal, $w:literal, $g:literal) => {
        concat!(
            "vmovdqu ", $w, ", [", $run, " + ", $g, " * 16]\n",
            "vpshufb ", $w, ", ", $w, ", [{scratch} + {order}]\n",
            "vmovdqa ", words!($g $s), ", ", $w, "\n",
        )
    };
}

/// The same for all streams.
macro_rules! load {
    ($a:literal $b:literal $c:literal, $g:literal) => {
        concat!(
            load_one!("{a}" "0", $a, $g),
            load_one!("{b}" "16", $b, $g),
            load_one!("{c}" "32", $c, $g),
        )
    };
}

/// Four rounds of one stream with group `$g`; its words are in `$w`.
#[rustfmt::skip]
macro_rules! rounds {
    ($abef:literal $cdgh:literal, $w:literal, $g:literal) => {
        concat!(
            "vpaddd xmm0, ", $w, ", [{k} + ", $g, " * 16]\n",
            "sha256rnds2 ", $cdgh, ", ", $abef, ", xmm0\n",
            "vpshufd xmm0, xmm0, 14\n",
            "sha256rnds2 ", $abef, ", ", $cdgh, ", xmm0\n",
        )
    };
}

/// Four rounds of one stream with group `$g0`, then the group after `$g3`, in place of `$g0`. `$latest`
/// has group `$g3` before, and the new one afterwards.
#[rustfmt::skip]
macro_rules! rounds_and_schedule {
    ($abef:literal $cdgh:literal $latest:literal $w:literal $seven:literal,
     $s:literal, $g0:literal $g1:literal $g2:literal) => {
        concat!(
            "vmovdqa ", $w, ", ", words!($g0 $s), "\n",
            rounds!($abef $cdgh, $w, $g0),
            "sha256msg1 ", $w, ", ", words!($g1 $s), "\n",
            "vpalignr ", $seven, ", ", $latest, ", ", words!($g2 $s), ", 4\n",
            "vpaddd ", $w, ", ", $w, ", ", $seven, "\n",
            "sha256msg2 ", $w, ", ", $latest, "\n",
            "vmovdqa ", words!($g0 $s), ", ", $w, "\n",
            "vmovdqa ", $latest, ", ", $w, "\n",
        )
    };
}

/// The same for all streams.
macro_rules! all_rounds_and_schedules {
    ($g0:literal $g1:literal $g2:literal) => {
        concat!(
            rounds_and_schedule!("xmm1" "xmm2" "xmm7" "xmm10" "xmm11", "0", $g0 $g1 $g2),
            rounds_and_schedule!("xmm3" "xmm4" "xmm8" "xmm12" "xmm13", "16", $g0 $g1 $g2),
            rounds_and_schedule!("xmm5" "xmm6" "xmm9" "xmm14" "xmm15", "32", $g0 $g1 $g2),
        )
    };
}

/// Four rounds of all streams with group `$g`, without a schedule.
macro_rules! all_rounds {
    ($g:literal) => {
        concat!(
            "vmovdqa xmm10, ", words!($g "0"), "\n",
            rounds!("xmm1" "xmm2", "xmm10", $g),
            "vmovdqa xmm12, ", words!($g "16"), "\n",
            rounds!("xmm3" "xmm4", "xmm12", $g),
            "vmovdqa xmm14, ", words!($g "32"), "\n",
            rounds!("xmm5" "xmm6", "xmm14", $g),
        )
    };
}

/// [`compress`] out of line, because the kernel of whole messages would get too large: a node of 64 bytes
/// takes 108 cycles, and would take 98 with it inlined.
#[inline(never)]
#[target_feature(enable = "sha,avx")]
fn enter_compress(
    token: ShaNiAvx,
    abef: &mut [__m128i; 3],
    cdgh: &mut [__m128i; 3],
    blocks: &Blocks<'_, 3, 64>,
    order: RunByteOrder,
) {
    compress(token, abef, cdgh, blocks, order);
}

/// Advances three streams by `blocks`; the halves of their states are in the order of `sha256rnds2`.
#[inline]
#[target_feature(enable = "sha,avx")]
fn compress(
    _: ShaNiAvx,
    abef: &mut [__m128i; 3],
    cdgh: &mut [__m128i; 3],
    blocks: &Blocks<'_, 3, 64>,
    order: RunByteOrder,
) {
    if cfg!(miri) {
        // Miri does not run assembly
        return sha256::compress::<_, 2>(abef, cdgh, blocks, order);
    }
    if blocks.count() == 0 {
        return;
    }
    let order = byte_shuffle(ShaNi::new(), order);
    let mut scratch = Scratch { order, before: [[order; 2]; 3], words: [[order; 3]; 4] };
    // SAFETY: The token stands for the instructions. `a`, `b` and `c` have `count` blocks of 64 bytes
    // each, of which the outer loop reads one at a time. `k` points to the constants: the inner loop
    // runs three times over 64 of their 256 bytes, and the rounds after it take the rest. Accesses
    // to `scratch` are within its fields, at multiples of 16 bytes. All registers that change are
    // operands.
    unsafe {
        asm!(
            // with upper halves in use, changes between the two encodings take hundreds of cycles
            "vzeroupper",
            "2:",
            "vmovdqa [{scratch} + {before}], xmm1",
            "vmovdqa [{scratch} + {before} + 16], xmm2",
            "vmovdqa [{scratch} + {before} + 32], xmm3",
            "vmovdqa [{scratch} + {before} + 48], xmm4",
            "vmovdqa [{scratch} + {before} + 64], xmm5",
            "vmovdqa [{scratch} + {before} + 80], xmm6",
            load!("xmm10" "xmm11" "xmm12", "0"),
            load!("xmm13" "xmm14" "xmm15", "1"),
            load!("xmm10" "xmm11" "xmm12", "2"),
            load!("xmm7" "xmm8" "xmm9", "3"),
            "mov {sixteens:e}, 3",
            ".p2align 6",
            "3:",
            all_rounds_and_schedules!("0" "1" "2"),
            all_rounds_and_schedules!("1" "2" "3"),
            all_rounds_and_schedules!("2" "3" "0"),
            all_rounds_and_schedules!("3" "0" "1"),
            "add {k}, 64",
            "dec {sixteens:e}",
            "jnz 3b",
            all_rounds!("0"),
            all_rounds!("1"),
            all_rounds!("2"),
            all_rounds!("3"),
            "sub {k}, 192",
            "vpaddd xmm1, xmm1, [{scratch} + {before}]",
            "vpaddd xmm2, xmm2, [{scratch} + {before} + 16]",
            "vpaddd xmm3, xmm3, [{scratch} + {before} + 32]",
            "vpaddd xmm4, xmm4, [{scratch} + {before} + 48]",
            "vpaddd xmm5, xmm5, [{scratch} + {before} + 64]",
            "vpaddd xmm6, xmm6, [{scratch} + {before} + 80]",
            "add {a}, 64",
            "add {b}, 64",
            "add {c}, 64",
            "dec {count}",
            "jnz 2b",
            a = inout(reg) blocks.get(0, 0).as_ptr() => _,
            b = inout(reg) blocks.get(1, 0).as_ptr() => _,
            c = inout(reg) blocks.get(2, 0).as_ptr() => _,
            count = inout(reg) blocks.count() => _,
            k = inout(reg) K.0.as_ptr() => _,
            scratch = in(reg) from_mut(&mut scratch),
            order = const offset_of!(Scratch, order),
            before = const offset_of!(Scratch, before),
            words = const offset_of!(Scratch, words),
            sixteens = out(reg) _,
            inout("xmm1") abef[0], inout("xmm2") cdgh[0],
            inout("xmm3") abef[1], inout("xmm4") cdgh[1],
            inout("xmm5") abef[2], inout("xmm6") cdgh[2],
            out("xmm0") _, out("xmm7") _, out("xmm8") _, out("xmm9") _, out("xmm10") _,
            out("xmm11") _, out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack),
        );
    }
}
