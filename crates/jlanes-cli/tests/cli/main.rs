//! `jlanes-sum` as users run it: whole processes on real files, compared with GNU's tools.
//!
//! Modules for Unix need other programs, or kinds of files that Windows lacks.

#![allow(clippy::unwrap_used, reason = "a failing helper is a failing test")]

#[cfg(unix)]
mod accounted;
mod algorithms;
mod audit;
mod blake3;
#[cfg(unix)]
mod cksum;
mod common;
mod corpora;
#[cfg(unix)]
mod dedupe;
#[cfg(unix)]
mod devices;
#[cfg(unix)]
mod dialects;
#[cfg(unix)]
mod dirhash;
#[cfg(unix)]
mod extras;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod formats;
#[cfg(unix)]
mod gitignore;
#[cfg(unix)]
mod gnu;
#[cfg(unix)]
mod kept;
mod keys;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod list_hash;
mod merkle;
#[cfg(unix)]
mod newcomers;
mod options;
#[cfg(unix)]
mod outboards;
#[cfg(unix)]
mod output;
#[cfg(unix)]
mod random_trees;
#[cfg(unix)]
mod replaced;
mod s3;
mod sha1dc;
#[cfg(unix)]
mod snapshots;
#[cfg(unix)]
mod statuses;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod swallowed;
#[cfg(unix)]
mod torrents;
#[cfg(unix)]
mod tutorial;
#[cfg(unix)]
mod untrusted;
#[cfg(unix)]
mod update;
mod verdicts;
#[cfg(unix)]
mod verified;
#[cfg(unix)]
mod walk;
#[cfg(windows)]
mod windows;
