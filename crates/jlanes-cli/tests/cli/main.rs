//! `jlanes-sum` as users run it: whole processes on real files, beside GNU's tools.

#![allow(clippy::unwrap_used, reason = "a failing helper is a failing test")]

mod algorithms;
mod audit;
mod cksum;
mod common;
mod corpora;
mod dedupe;
mod devices;
mod dirhash;
mod extras;
mod faults;
mod formats;
mod gnu;
mod keys;
mod limits;
mod options;
mod output;
mod snapshots;
mod streams;
mod tutorial;
mod update;
mod verdicts;
mod walk;
