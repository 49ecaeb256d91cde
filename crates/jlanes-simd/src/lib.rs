#![doc = include_str!("../README.md")]
#![no_std]

#[cfg(test)]
extern crate std;

mod backend;
mod engine;
#[cfg(not(target_arch = "x86_64"))]
mod features;
#[cfg(test)]
mod lane_tests;
mod policy;
mod streams;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "x86_64")]
use x86_64::features;

pub use backend::{Backend, BackendError};
