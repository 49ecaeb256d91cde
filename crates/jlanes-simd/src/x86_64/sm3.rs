//! SM3 of one message: rounds in scalar registers, and between them the schedule in vectors of four words.
//!
//! In scalar code a round and its word take 33 operations, more than eight cycles of the four units that Zen 4
//! has for them. Without the word they are 24, and what limits them is a chain of seven cycles, from `e` over
//! `SS1`, or the choice by `e` of `f` or `g`, to the `e` after it. The compiler's order of sums is a longer one.

use core::arch::asm;

use jlanes_core::{
    compression::{RunByteOrder, Shape},
    hashes::sm3::{ROTATED, Sm3Compression},
    kernel::stream::{advance_one, advance_shared},
    simd::vector::{ByteOrder, Isa, SimdWord, Vector, VectorCode},
};

use super::{Avx2, Sse41, vec128::U32x4};
use crate::common::{kernels::single::in_message_order, token::Token};

/// The kernel of one stream.
pub(super) fn advance(
    shape: &Shape<u32>,
    state: &mut [u32],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[u32],
) {
    if cfg!(miri) {
        // Miri does not run assembly
        return advance_one::<Sm3Compression>(shape, state, runs, order, blocks, shared);
    }
    in_message_order(shape, runs[0], order, blocks, |data| {
        Avx2::get().run(Stream { state: state.as_chunks_mut().0, data });
    });
    advance_shared::<Sm3Compression>(shape, state, shared);
}

/// One stream: its state, and whole blocks.
struct Stream<'a> {
    state: &'a mut [[u32; 8]],
    data: &'a [u8],
}

impl VectorCode<Avx2> for Stream<'_> {
    type Out = ();

    #[inline(always)]
    fn call(self, isa: Avx2) {
        // SAFETY: AVX2 includes SSE4.1.
        let (proof, state) = (unsafe { Sse41::new() }, &mut self.state[0]);
        for block in self.data.as_chunks::<64>().0 {
            let mut rows = [U32x4::splat(proof, 0); 4];
            for i in 0..4 {
                rows[i] = U32x4::load_bytes(proof, ByteOrder::Big, &block[16 * i..]);
            }
            let (mut s, mut words) = (*state, [0; 8]);
            /// Fours of rounds, by their words and `W_j ^ W_(j + 4)` of each.
            macro_rules! rounds {
                ($($n:literal)*) => {$(
                    rows[$n % 4].store(&mut words);
                    rows[$n % 4].xor(rows[($n + 1) % 4]).store(&mut words[4..]);
                    if $n < 13 {
                        rows[$n % 4] = next_row(proof, &rows, $n);
                    }
                    round::<{ 4 * $n }>(isa, &mut s, &words);
                    round::<{ 4 * $n + 1 }>(isa, &mut s, &words);
                    round::<{ 4 * $n + 2 }>(isa, &mut s, &words);
                    round::<{ 4 * $n + 3 }>(isa, &mut s, &words);
                )*};
            }
            rounds!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            for i in 0..8 {
                state[i] ^= s[i];
            }
        }
    }
}

/// The words four rows after row `n`.
#[inline(always)]
fn next_row(proof: Sse41, rows: &[U32x4; 4], n: usize) -> U32x4 {
    let [a, b, c, d] = [rows[n % 4], rows[(n + 1) % 4], rows[(n + 2) % 4], rows[(n + 3) % 4]];
    let zero = U32x4::splat(proof, 0);
    let known = U32x4::concat_from(proof, d, zero, 1).rotr(17);
    let next = p1(U32x4::xor3(a, U32x4::concat_from(proof, b, c, 3), known));
    let later = U32x4::concat_from(proof, a, b, 3).rotr(25);
    let next = U32x4::xor3(next, later, U32x4::concat_from(proof, c, d, 2));
    // the last word depends on the first one, too
    next.xor(p1(U32x4::concat_from(proof, zero, next, 1).rotr(17)))
}

#[inline(always)]
fn p1(x: U32x4) -> U32x4 {
    U32x4::xor3(x, x.rotr(17), x.rotr(9))
}

/// Round `J`, with its words. The variables of either half are renamed instead of moved.
#[inline(always)]
fn round<const J: usize>(_: Avx2, s: &mut [u32; 8], words: &[u32; 8]) {
    let at = |name: usize| (4 + name - J % 4) % 4;
    /// The text of a round. `$ff` adds `FF` to `d`, `$gg` adds `GG` to `h`: sums of parts without a common bit.
    #[rustfmt::skip]
    macro_rules! round {
        ($ff:literal, $gg:literal) => {
            // SAFETY: The token stands for BMI. The text reads two of eight words.
            unsafe {
                asm!(
                    "rorx {x:e}, {a:e}, 20",
                    "lea {y:e}, [{x} + {t}]",
                    "add {y:e}, {e:e}",
                    "add {h:e}, [{words} + {at}]",
                    $gg,
                    "rol {y:e}, 7",
                    "add {h:e}, {y:e}",
                    "xor {x:e}, {y:e}",
                    "add {d:e}, [{words} + {at} + 16]",
                    $ff,
                    "add {d:e}, {x:e}",
                    "rol {b:e}, 9",
                    "rol {f:e}, 19",
                    "rorx {x:e}, {h:e}, 23",
                    "rorx {y:e}, {h:e}, 15",
                    "xor {h:e}, {x:e}",
                    "xor {h:e}, {y:e}",
                    a = in(reg) s[at(0)], b = inout(reg) s[at(1)],
                    c = in(reg) s[at(2)], d = inout(reg) s[at(3)],
                    e = in(reg) s[4 + at(0)], f = inout(reg) s[4 + at(1)],
                    g = in(reg) s[4 + at(2)], h = inout(reg) s[4 + at(3)],
                    x = out(reg) _, y = out(reg) _, z = out(reg) _,
                    words = in(reg) words,
                    at = const J % 4 * 4,
                    t = const ROTATED[J].cast_signed(),
                    options(pure, readonly, nostack),
                );
            }
        };
    }
    if J < 16 {
        round!(
            "mov {z:e}, {b:e}\nxor {z:e}, {c:e}\nxor {z:e}, {a:e}\nadd {d:e}, {z:e}",
            "mov {z:e}, {f:e}\nxor {z:e}, {g:e}\nxor {z:e}, {e:e}\nadd {h:e}, {z:e}"
        );
    } else {
        round!(
            "mov {z:e}, {a:e}\nand {z:e}, {b:e}\nadd {d:e}, {z:e}
             mov {z:e}, {a:e}\nxor {z:e}, {b:e}\nand {z:e}, {c:e}\nadd {d:e}, {z:e}",
            "andn {z:e}, {e:e}, {g:e}\nadd {h:e}, {z:e}
             mov {z:e}, {e:e}\nand {z:e}, {f:e}\nadd {h:e}, {z:e}"
        );
    }
}
