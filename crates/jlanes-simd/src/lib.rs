#![doc = include_str!("../README.md")]
#![no_std]

#[cfg(test)]
extern crate std;

mod backend;
#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
mod engine;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod foreign;
#[cfg(test)]
mod lane_tests;
mod shared;
#[cfg(target_arch = "x86_64")]
mod x86_64;

// what a target provides: `Features`, and the functions that `engine` forwards to
#[cfg(not(target_arch = "x86_64"))]
use elsewhere as target;
#[cfg(target_arch = "x86_64")]
use x86_64 as target;

pub use backend::{Backend, BackendError};
