#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)] // but in `guard`

#[cfg(feature = "checksums")]
mod checksum;
mod computation;
mod engine;
mod files;
mod guard;
mod lanes;
#[cfg(feature = "lists")]
pub mod lists;
mod read;
mod results;
#[cfg(all(feature = "checksums", feature = "lists"))]
pub mod s3;
pub mod system;
mod threads;
#[cfg(feature = "lists")]
pub mod torrent;
mod walk;

#[cfg(feature = "checksums")]
pub use self::checksum::Checksum;
#[cfg(feature = "patterns")]
pub use self::walk::Patterns;
pub use self::{
    computation::{Computation, DirHash, FileHasher, ToResult},
    engine::{Cancel, Engine, Job, Order, Outcome, Payload, Sink, Stats, Work},
    files::Files,
    lanes::{Digests, LaneReport},
    read::{BaseDir, FileSource, LargeFileOrder, MapPolicy, OpenDir, Reader, Target},
    results::{FileResult, Input, Results},
    walk::{OutputFile, OutputPolicy, Rules, WalkEntry, WalkNotice},
};
