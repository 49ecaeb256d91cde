//! AArch64: tokens and vectors of NEON, code for streams by instructions for a hash, the kernels of each hash,
//! classes of CPUs, and the costs of kernels on them.

#![warn(dead_code, unused_imports, unused_macros)]

mod class;
mod costs;
mod features;
mod kernels;
mod neon;
mod sha2ce;
mod sha3ce;
mod sha512ce;
mod vec128;
#[cfg(windows)]
mod windows;

pub(crate) use self::{
    class::{CpuClass, FORCED_COSTS},
    features::{FORCED, detected, has},
};
use self::{neon::Neon, sha2ce::Sha2Ce, sha3ce::Sha3Ce, sha512ce::Sha512Ce};

/// Prefetches the cache line at `bytes[offset]`, which need not exist.
#[cfg_attr(miri, allow(unused_variables))]
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], offset: usize) {
    #[cfg(not(miri))]
    {
        let address = bytes.as_ptr().wrapping_add(offset);
        // SAFETY: a prefetch of any address is a hint that cannot fault and changes nothing.
        unsafe {
            core::arch::asm!(
                "prfm pldl1keep, [{}]",
                in(reg) address,
                options(readonly, nostack, preserves_flags)
            );
        }
    }
}

/// Runs `check` under every token that the CPU supports.
#[cfg(test)]
pub(crate) fn on_every_token(check: impl crate::common::check::Check) {
    use crate::common::check::check_on;

    check_on::<Neon>(check);
    check_on::<Sha3Ce>(check);
}
