//! AArch64: tokens and vectors of NEON, units that work on streams, classes of CPUs, and what
//! kernels cost on them.

mod class;
mod features;
mod kernels;
mod neon;
mod sha2ce;
mod sha3ce;
mod sha512ce;
mod table;
mod vec128;
#[cfg(windows)]
mod windows;

// nothing computes schedules in vectors for the instructions of rounds
pub(crate) use core::convert::Infallible as ManySha256;

#[cfg(test)]
pub(crate) use self::kernels::on_every_token;
pub(crate) use self::{
    class::Class,
    features::{FORCED, detect, has},
    kernels::{Rows, Vectors},
    sha2ce::Sha2Ce as Sha1Unit,
    sha2ce::Sha2Ce as Sha256Unit,
    sha512ce::Sha512Ce as Sha512Unit,
};
use self::{neon::Neon, sha2ce::Sha2Ce, sha3ce::Sha3Ce, sha512ce::Sha512Ce};

/// Asks for the cache line at `bytes[offset]`, which need not exist.
#[cfg_attr(miri, allow(unused_variables))]
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], offset: usize) {
    #[cfg(not(miri))]
    {
        let address = bytes.as_ptr().wrapping_add(offset);
        // SAFETY: a prefetch of any address is a hint that cannot fault, and changes nothing.
        unsafe {
            core::arch::asm!(
                "prfm pldl1keep, [{}]",
                in(reg) address,
                options(readonly, nostack, preserves_flags)
            );
        }
    }
}
