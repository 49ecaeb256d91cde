#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
// Vector code is unused on these targets.
#![cfg_attr(
    not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    )),
    allow(dead_code, unused_imports, unused_macros)
)]
// Without a hash there is nothing to compute.
#![cfg_attr(
    not(any(
        test,
        feature = "blake2",
        feature = "blake3",
        feature = "keccak",
        feature = "md5",
        feature = "ripemd160",
        feature = "sha1",
        feature = "sha2",
        feature = "skein",
        feature = "sm3",
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

#[cfg(test)]
extern crate std;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64;
mod backend;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
)))]
mod elsewhere;
mod engine;
mod features;
mod feeds;
#[cfg(any(
    test,
    not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    ))
))]
mod foreign;
mod kernels;
#[cfg(test)]
mod lane_tests;
mod runs;
mod token;
mod tuning;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86_64;

// Every target provides the same names: its sets and their detection, classes of CPUs, kernels of
// hashes and their costs, and a prefetch.
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use aarch64 as target;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
)))]
use elsewhere as target;
#[cfg(target_arch = "x86_64")]
use x86_64 as target;

pub use backend::{Backend, BackendError};
