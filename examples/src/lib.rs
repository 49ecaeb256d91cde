//! Three small programs on jlanes, in the folder `examples` of this package:
//!
//! - `dedup`: how much of some files is stored twice, by content-defined chunks
//! - `boot_manifest`: checks files against a list of SHA-256 sums, many files at once
//! - `drop_in`: HMAC over jlanes' SHA-256 where sha2's was
