//! x86-64: tokens (one file an instruction set), vectors (one file a register width), units that
//! work on streams, classes of CPUs, and what kernels cost on them.

use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

mod avx;
mod avx2;
mod avx512;
mod avx512vl;
mod class;
mod features;
mod kernels;
mod rows;
mod sha512ni;
mod shani;
mod shani_vl;
mod sse41;
mod table;
mod vec128;
mod vec256;
mod vec512;

#[cfg(test)]
pub(crate) use self::kernels::on_every_token;
use self::{
    avx::Avx, avx2::Avx2, avx512::Avx512, avx512vl::Avx512Vl, sha512ni::Sha512Ni, shani::ShaNi,
    sse41::Sse41,
};
pub(crate) use self::{
    class::Class,
    features::{FORCED, detect, has},
    kernels::{Rows, Vectors},
    sha512ni::Sha512Ni as Sha512Unit,
    shani::ShaNi as Sha1Unit,
    shani::ShaNi as Sha256Unit,
    shani_vl::ShaNiVl as ManySha256,
};

/// Asks for the cache line at `bytes[offset]`, which need not exist.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], offset: usize) {
    let address = bytes.as_ptr().wrapping_add(offset);
    // SAFETY: SSE is part of x86-64, and a prefetch of any address is a hint that cannot fault.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}
