//! Code that all architectures share: tokens and vectors by macros, what kernels need, rows of tables of kernels,
//! and blocks of streams. Those with kernels of their own for one stream of every hash compile `rustcrypto` only in
//! tests.

pub(crate) mod blocks;
#[cfg(test)]
pub(crate) mod check;
pub(crate) mod classes;
pub(crate) mod detection;
pub(crate) mod kernels;
pub(crate) mod needs;
// where every hash has a kernel for one stream, or portable code is forced, only tests use it
#[cfg(any(
    test,
    not(any(
        jlanes_backend = "portable",
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    ))
))]
pub(crate) mod rustcrypto;
pub(crate) mod token;
pub(crate) mod tuning;
pub(crate) mod vector;
