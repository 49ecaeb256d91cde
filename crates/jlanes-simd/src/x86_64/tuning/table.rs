//! The rows, each with the record that it comes from.
//!
//! - `Zen5`: AMD EPYC, family 26, 2026-11-21 (`docs/report`).
//! - `Zen4`: AMD EPYC, family 25, 2026-11-21 (`docs/report`).
//! - `Avx512Sha`: an Intel Xeon of the Granite Rapids class, measured with a prototype of these
//!   kernels before they were written; the rows for SHA-1 are estimates.
//! - The others are estimates: Zen 4's figures where the instructions are the same ones.
//!
//! There is no kernel of two registers. On Zen 5 it ran up to 40 % faster on some messages (SHA-1,
//! Skein-256) and at a third of the speed on others that differ in nothing but where they lie: the
//! words of two blocks go through memory.

use jlanes_core::{
    hash::compression::{Compression, max_lanes},
    hashes::{sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish},
    simd::lanes::Word,
};

use super::{Class, Costs, Plans, Row, Tuned, Used, plans};

/// Costs without those that are 0.
macro_rules! costs {
    ($($kernel:ident $cycles:literal),* $(,)?) => {
        Costs { $($kernel: $cycles,)* ..Costs::NONE }
    };
}

/// The rows of one hash.
trait Rows {
    const ROWS: &'static [Row];
}

macro_rules! tables {
    ($($hash:ty: [$($class:ident: { $($apart:tt)* } $(interleaved { $($interleaved:tt)* })?;)*];)*) => {$(
        impl Tuned for $hash {
            const USED: Used = Used::of(Self::ROWS);
            const PLANS: &'static Plans = &plans(
                Self::ROWS,
                <$hash as Compression>::Word::BYTES,
                max_lanes::<$hash>(),
            );
        }

        impl Rows for $hash {
            const ROWS: &'static [Row] =
                &[$(tables!(@ $class { $($apart)* } $({ $($interleaved)* })?)),*];
        }
    )*};
    (@ $class:ident { $($apart:tt)* }) => {
        Row(Class::$class, costs!($($apart)*), costs!($($apart)*))
    };
    (@ $class:ident { $($apart:tt)* } { $($interleaved:tt)* }) => {
        Row(Class::$class, costs!($($apart)*), costs!($($interleaved)*))
    };
}

tables! {
    Sha2<u32>: [
        Sse41: { one 504, quarter 1014 };
        Avx2: { one 483, quarter 989, half 1002 };
        Avx2Sha: { one 133, pair 133 } interleaved { one 236, pair 236, half 1002 };
        Avx512: { one 473, half 614, full 888 };
        Avx512Sha: { one 130, pair 210, half 614, full 888 }
            interleaved { one 236, pair 300, half 614, full 835 };
        Zen4: { one 133, pair 133, half 557, full 1025 }
            interleaved { one 236, pair 236, half 557, full 1025 };
        Zen5: { one 131, pair 171, triple 258, half 660, full 558 }
            interleaved { one 230, pair 250, half 640, full 530 };
    ];
    Sha2<u64>: [
        Sse41: { one 714 };
        Avx2: { one 603, half 1228 };
        Avx2Sha: { one 603, half 1228 };
        Avx512: { one 617, half 690, full 1100 };
        Avx512Sha: { one 617, half 690, full 1100 };
        Zen4: { one 587, half 690, full 1289 };
        Zen5: { one 478, half 840, full 680 };
    ];
    Sha1Compression: [
        Sse41: { one 260, quarter 500 };
        Avx2: { one 260, quarter 500, half 520 };
        Avx2Sha: { one 122, pair 130 } interleaved { one 200, pair 230, half 520 };
        Avx512: { one 260, half 330, full 476 };
        Avx512Sha: { one 120, pair 165, half 330, full 476 }
            interleaved { one 200, pair 230, half 330, full 476 };
        Zen4: { one 122, pair 130, half 300, full 552 }
            interleaved { one 200, pair 230, half 300, full 552 };
        Zen5: { one 125, pair 139, triple 158, half 330, full 334 }
            interleaved { one 200, pair 230, half 330, full 325 };
    ];
    Threefish<4>: [
        Avx2: { one 160, half 254 };
        Avx2Sha: { one 160, half 254 };
        Avx512: { one 161, half 170, full 298 };
        Avx512Sha: { one 161, half 170, full 298 };
        Zen4: { one 160, half 191, full 328 };
        Zen5: { one 133, half 380, full 390 };
    ];
    Threefish<8>: [
        Avx2: { one 320, half 508 };
        Avx2Sha: { one 320, half 508 };
        Avx512: { one 322, half 340, full 595 };
        Avx512Sha: { one 322, half 340, full 595 };
        Zen4: { one 320, half 382, full 657 };
        Zen5: { one 252, half 440, full 438 };
    ];
    Threefish<16>: [
        Avx2: { one 720, half 1130 };
        Avx2Sha: { one 720, half 1130 };
        Avx512: { one 720, half 760, full 1320 };
        Avx512Sha: { one 720, half 760, full 1320 };
        Zen4: { one 720, half 850, full 1460 };
        Zen5: { one 600, half 980, full 1000 };
    ];
}
