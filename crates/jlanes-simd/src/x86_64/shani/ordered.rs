//! The blocks of two streams of SHA-256, with every instruction in its place.
//!
//! On Zen 5 a `sha256rnds2` has a latency of four cycles, one can start every two, and the other instructions
//! find room between them: 64 cycles a block. The order of instructions decides how near two streams come to
//! that: 66 to 75 in this order, 78 to 86 in the compiler's; 82 and 86 if another thread is busy on the same
//! core. Four streams with their words in memory take 68, but 101 next to such a thread.

use core::{
    arch::{asm, x86_64::*},
    mem::offset_of,
    ptr::from_mut,
};

use jlanes_core::{compression::RunByteOrder, hashes::sha2::consts::K32};

use super::{ShaNi, byte_shuffle, sha256};
use crate::common::blocks::Blocks;

/// The constants, aligned as SSE's operands have to be.
#[repr(align(64))]
pub(in super::super) struct Constants(pub(in super::super) [u32; 64]);

pub(in super::super) static K: Constants = Constants(K32);

/// The memory of the loop apart from the blocks and the constants.
#[repr(C, align(64))]
struct Scratch {
    /// The shuffle that makes words of bytes.
    order: __m128i,
    /// The chaining values before the block: `abef` and `cdgh` of each stream.
    before: [[__m128i; 2]; 2],
}

/// Four words of both streams' blocks, at byte `$at`, into the registers `$a` and `$b`.
#[rustfmt::skip]
macro_rules! load {
    ($a:literal $b:literal, $at:literal) => {
        concat!(
            "movdqu ", $a, ", [{a} + ", $at, "]\n",
            "pshufb ", $a, ", [{scratch} + {order}]\n",
            "movdqu ", $b, ", [{b} + ", $at, "]\n",
            "pshufb ", $b, ", [{scratch} + {order}]\n",
        )
    };
}

/// Two rounds with the words `$w`. Their sums with the constants at byte `$k` stay in `$kw`.
#[rustfmt::skip]
macro_rules! two_rounds {
    ($abef:literal $cdgh:literal $kw:literal, $w:literal, $k:literal) => {
        concat!(
            "movdqa ", $kw, ", ", $w, "\n",
            "paddd ", $kw, ", [{k} + ", $k, "]\n",
            "movdqa xmm0, ", $kw, "\n",
            "sha256rnds2 ", $cdgh, ", ", $abef, ", xmm0\n",
        )
    };
}

/// Two rounds after those of `$w`, with the upper half of `$kw`.
#[rustfmt::skip]
macro_rules! two_more {
    ($abef:literal $cdgh:literal $kw:literal) => {
        concat!(
            "pshufd xmm0, ", $kw, ", 14\n",
            "sha256rnds2 ", $abef, ", ", $cdgh, ", xmm0\n",
        )
    };
}

/// Four rounds of both streams.
#[rustfmt::skip]
macro_rules! rounds {
    ($a:literal $b:literal, $k:literal) => {
        concat!(
            two_rounds!("xmm1" "xmm2" "xmm13", $a, $k),
            two_rounds!("xmm3" "xmm4" "xmm14", $b, $k),
            two_more!("xmm1" "xmm2" "xmm13"),
            two_more!("xmm3" "xmm4" "xmm14"),
        )
    };
}

/// The four words of the schedule after `$w0` to `$w3`, in place of `$w0`.
#[rustfmt::skip]
macro_rules! schedule {
    ($w0:literal $w1:literal $w2:literal $w3:literal) => {
        concat!(
            "movdqa xmm15, ", $w3, "\n",
            "palignr xmm15, ", $w2, ", 4\n",
            "sha256msg1 ", $w0, ", ", $w1, "\n",
            "paddd ", $w0, ", xmm15\n",
            "sha256msg2 ", $w0, ", ", $w3, "\n",
        )
    };
}

/// Four rounds of both streams, and then four words of each schedule.
macro_rules! rounds_and_schedule {
    ($a0:literal $a1:literal $a2:literal $a3:literal,
     $b0:literal $b1:literal $b2:literal $b3:literal, $k:literal) => {
        concat!(
            rounds!($a0 $b0, $k),
            schedule!($a0 $a1 $a2 $a3),
            schedule!($b0 $b1 $b2 $b3),
        )
    };
}

/// Advances two streams by `blocks`; the halves of their states are in the order of `sha256rnds2`.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub(super) fn compress(
    _: ShaNi,
    abef: &mut [__m128i; 2],
    cdgh: &mut [__m128i; 2],
    blocks: &Blocks<'_, 2, 64>,
    order: RunByteOrder,
) {
    if cfg!(miri) {
        // Miri does not run assembly
        return sha256::compress::<_, _, _, 2>(abef, cdgh, blocks, order);
    }
    if blocks.count() == 0 {
        return;
    }
    let order = byte_shuffle(ShaNi::new(), order);
    let mut scratch = Scratch { order, before: [[order; 2]; 2] };
    // SAFETY: The token stands for the instructions. `a` and `b` have `count` blocks of 64 bytes
    // each, of which the outer loop reads one at a time. `k` points to the constants: the inner loop
    // runs three times over 64 of their 256 bytes, and the rounds after it take the rest. Accesses
    // to `scratch` are within its fields, at multiples of 16 bytes. All registers that change are
    // operands.
    unsafe {
        asm!(
            "2:",
            "movdqa [{scratch} + {before}], xmm1",
            "movdqa [{scratch} + {before} + 16], xmm2",
            "movdqa [{scratch} + {before} + 32], xmm3",
            "movdqa [{scratch} + {before} + 48], xmm4",
            load!("xmm5" "xmm9", "0"),
            load!("xmm6" "xmm10", "16"),
            load!("xmm7" "xmm11", "32"),
            load!("xmm8" "xmm12", "48"),
            "mov {sixteens:e}, 3",
            ".p2align 6",
            "3:",
            rounds_and_schedule!("xmm5" "xmm6" "xmm7" "xmm8", "xmm9" "xmm10" "xmm11" "xmm12", "0"),
            rounds_and_schedule!("xmm6" "xmm7" "xmm8" "xmm5", "xmm10" "xmm11" "xmm12" "xmm9", "16"),
            rounds_and_schedule!("xmm7" "xmm8" "xmm5" "xmm6", "xmm11" "xmm12" "xmm9" "xmm10", "32"),
            rounds_and_schedule!("xmm8" "xmm5" "xmm6" "xmm7", "xmm12" "xmm9" "xmm10" "xmm11", "48"),
            "add {k}, 64",
            "dec {sixteens:e}",
            "jnz 3b",
            rounds!("xmm5" "xmm9", "0"),
            rounds!("xmm6" "xmm10", "16"),
            rounds!("xmm7" "xmm11", "32"),
            rounds!("xmm8" "xmm12", "48"),
            "sub {k}, 192",
            "paddd xmm1, [{scratch} + {before}]",
            "paddd xmm2, [{scratch} + {before} + 16]",
            "paddd xmm3, [{scratch} + {before} + 32]",
            "paddd xmm4, [{scratch} + {before} + 48]",
            "add {a}, 64",
            "add {b}, 64",
            "dec {count}",
            "jnz 2b",
            a = inout(reg) blocks.get(0, 0).as_ptr() => _,
            b = inout(reg) blocks.get(1, 0).as_ptr() => _,
            count = inout(reg) blocks.count() => _,
            k = inout(reg) K.0.as_ptr() => _,
            scratch = in(reg) from_mut(&mut scratch),
            order = const offset_of!(Scratch, order),
            before = const offset_of!(Scratch, before),
            sixteens = out(reg) _,
            inout("xmm1") abef[0], inout("xmm2") cdgh[0],
            inout("xmm3") abef[1], inout("xmm4") cdgh[1],
            out("xmm0") _, out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _,
            out("xmm9") _, out("xmm10") _, out("xmm11") _, out("xmm12") _, out("xmm13") _,
            out("xmm14") _, out("xmm15") _,
            options(nostack),
        );
    }
}
