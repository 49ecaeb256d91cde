//! Code that all architectures share: macros for tokens and vectors, sets and marks, constructors of the kernels in
//! tables, and the input of streams.

pub(crate) mod blocks;
#[cfg(test)]
pub(crate) mod check;
// where every hash has a kernel for one stream, or portable code is forced, only tests use it
#[cfg(any(
    test,
    not(any(
        jlanes_backend = "portable",
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    ))
))]
pub(crate) mod foreign;
pub(crate) mod kernels;
pub(crate) mod sets;
pub(crate) mod token;
pub(crate) mod tuning;
pub(crate) mod vector;
