//! The sections of the report: each is a table of contests, or measures in a way of its own.

pub mod batches;
pub mod calibrate;
pub mod files;
pub mod instructions;
pub mod kernels;
