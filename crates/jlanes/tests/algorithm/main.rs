//! Algorithms that are chosen at run time: their names, and that each is the type that it stands for.

#![allow(clippy::unwrap_used, reason = "a failing helper is a failing test")]

#[path = "../common/late.rs"]
mod late;
mod many;
mod names;
mod parameters;
mod scheduler;
mod sp800_185;
mod types;
