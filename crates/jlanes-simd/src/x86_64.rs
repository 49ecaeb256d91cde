//! x86-64: tokens (one file per instruction set), vectors (one file per register width), code for streams by
//! instructions for a hash, the kernels of each hash, classes of CPUs, and the costs of kernels on them.

use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

mod avx;
mod avx2;
mod avx512;
mod avx512vl;
#[cfg(feature = "blake3")]
mod blake3;
mod class;
mod costs;
mod features;
mod kernels;
mod lane_rows;
#[cfg(feature = "sha1dc")]
mod sha1dc;
mod sha512;
mod sha512ni;
mod shani;
mod shani_avx;
mod shani_vl;
mod sm3;
mod sse41;
mod vec128;
mod vec256;
mod vec512;

use self::{
    avx::Avx, avx2::Avx2, avx512::Avx512, avx512vl::Avx512Vl, sha512ni::Sha512Ni, shani::ShaNi,
    sse41::Sse41,
};
pub(crate) use self::{
    class::{CpuClass, FORCED_COSTS},
    features::{FORCED, detected, has},
};

/// Prefetches the cache line at `bytes[offset]`, which need not exist.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], offset: usize) {
    let address = bytes.as_ptr().wrapping_add(offset);
    // SAFETY: SSE is part of x86-64, and a prefetch of any address is a hint that cannot fault.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

/// Runs `check` under every token that the CPU supports.
#[cfg(test)]
pub(crate) fn on_every_token(check: impl crate::common::check::Check) {
    use crate::common::check::check_on;

    check_on::<Sse41>(check);
    check_on::<Avx>(check);
    check_on::<Avx2>(check);
    check_on::<Avx512Vl>(check);
    check_on::<avx512vl::Avx512Vl128>(check);
    check_on::<Avx512>(check);
}
