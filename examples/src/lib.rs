//! Small programs on jlanes, in the folder `examples` of this package; its tests run each of them.
//!
//! - `dedup`: how much of some files is stored twice, by content-defined chunks
//! - `boot_manifest`: checks files against a list of SHA-256 sums, many files at once
//! - `fsverity_image`: the fs-verity digests of a directory's files
//! - `log_hmac`: seals the lines of a log, and checks the seals
//! - `sum_directory`: one j-pointers digest for a directory
//! - `transparency_log`: an RFC 6962 log with its proofs
//! - `git_pack`: verifies the objects of a git pack, with detection of collision attacks
//! - `drop_in`: PBKDF2 and HMAC over jlanes' SHA-256 where sha2's was
//!
//! The programs that do a job of another crate or tool, check their result against it, and time
//! both, are in the package's README. They share the code here.

mod contest;
mod noise;

pub use contest::{Contest, Differs, ms, peer};
pub use noise::Noise;
