#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
// Only x86-64 uses all of the shared code, so only there unused code is dead; other targets use parts of it.
#![cfg_attr(
    any(jlanes_backend = "portable", not(all(target_arch = "x86_64", target_feature = "sse2"))),
    allow(dead_code, unused_imports, unused_macros)
)]
// Without a hash there is nothing to compute, and RIPEMD-160 alone uses only kernels of vectors.
#![cfg_attr(
    not(any(
        test,
        feature = "blake2",
        feature = "blake3",
        feature = "keccak",
        feature = "md5",
        feature = "sha1",
        feature = "sha2",
        feature = "skein",
        feature = "sm3",
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(test)]
extern crate std;

mod backend;
mod common;
mod features;
mod kernels;
#[cfg(test)]
mod lane_tests;
mod plans;

/// Compiles the items of the first branch that applies. rustfmt formats modules in a macro only if
/// it has this name.
macro_rules! cfg_if {
    ($(if #[cfg($when:meta)] { $($item:item)* } else)* { $($otherwise:item)* }) => {
        cfg_if! { @branches [any()] $([$when] { $($item)* })* [all()] { $($otherwise)* } }
    };
    (@branches [$before:meta]) => {};
    (@branches [$before:meta] [$when:meta] { $($item:item)* } $($rest:tt)*) => {
        $(#[cfg(all($when, not($before)))] $item)*
        cfg_if! { @branches [any($before, $when)] $($rest)* }
    };
}

// `target` is the module of this target. All of these have the same names: sets and their detection, classes of
// CPUs, tables of kernels and their costs, and a prefetch. The dependencies of each are in Cargo.toml.
cfg_if! {
    if #[cfg(jlanes_backend = "portable")] {
        mod fallback;
        use fallback as target;
    } else if #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        mod x86_64;
        use x86_64 as target;
    } else if #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ))] {
        mod aarch64;
        use aarch64 as target;
    } else if #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] {
        mod wasm32;
        use wasm32 as target;
    } else {
        mod fallback;
        use fallback as target;
    }
}

pub use backend::{Backend, BackendError};
