//! Algorithms selected at run time, by the names that `jlanes-sum` takes and prints.
//!
//! | name | digest |
//! |---|---|
//! | `sha1` `sha224` `sha256` `sha384` `sha512` `sha512-224` `sha512-256` | FIPS 180-4 |
//! | `sha1dc` | SHA-1 with detection of collision attacks, and another digest for their messages: [`Sha1Checked`](crate::Sha1Checked) (feature `sha1dc`) |
//! | `md5` `ripemd160` (also `rmd160`) `sm3` | MD5 (broken), RIPEMD-160, SM3 (features of the same names) |
//! | `sha3-224` `sha3-256` `sha3-384` `sha3-512` | FIPS 202 |
//! | `keccak224` `keccak256` `keccak384` `keccak512` | Keccak with its original padding |
//! | `keccak256full` | the whole state after Keccak-256, 200 bytes, as in CryptoNight |
//! | `shake128-N` `shake256-N` | SHAKE; `N` bits, a multiple of 8 |
//! | `kt128` `kt256`, `kt128-N` | KangarooTwelve (RFC 9861); 256 and 512 bits if not given |
//! | `parallelhash128:B` `parallelhash256-N:B` `parallelhashxof128:B` | ParallelHash (SP 800-185) with blocks of `B` bytes |
//! | `kmac128` `kmac256` `kmacxof128-N` | KMAC (SP 800-185), with a [`Key`]; `N` bits, 256 and 512 if not given |
//! | `tuplehash128` `tuplehash256` `tuplehashxof128-N` | TupleHash (SP 800-185): [`AnyHash::tuple_digest`] |
//! | `skein256` `skein512` `skein1024`, `skein512-N` | Skein; `N` bits, a multiple of 8 |
//! | `blake2b` `blake2s`, `blake2b-N` | RFC 7693; `N` bits, a multiple of 8, at most 512 or 256 (feature `blake2`) |
//! | `blake3`, `blake3-N` | BLAKE3; `N` bits, a multiple of 8 (feature `blake3`) |
//! | `skein512-tree:YL.YF.YM`, `skein512-N-tree:YL.YF.YM` | Skein's tree mode |
//! | `jlanesJ-HASH`, `jlanesJ-HASH-raw` | [`JLanes`](crate::tree::JLanes) and [`JLanesRaw`](crate::tree::JLanesRaw) over one of these with a digest of one length, or simple Skein |
//! | `jpointers-HASH`, `jpointers-HASH-raw` | [`JPointers`](crate::tree::JPointers) and [`JPointersRaw`](crate::tree::JPointersRaw) |
//! | `mh-sha1` `mh-sha256` | ISA-L's multi-hash |
//! | `btv2` `sha256tree` `glacier` `dropbox` | [`merkle`](crate::merkle) |
//! | `fsverity-sha256`, `fsverity-sha512-BLOCK` | fs-verity; `BLOCK` bytes, 4096 if not given |
//! | `dmverity-sha1` `dmverity-sha256` `dmverity-sha512` | dm-verity |
//! | `rfc6962-sha256:LEAF` | RFC 6962's tree hash; `LEAF` bytes |
//! | `s3-NAME` | S3's checksum of a whole object: `crc32` `crc32c` `crc64nvme` `sha1` `sha256` `sha512` `md5` `xxhash64` `xxhash3` `xxhash128` |
//! | `s3-NAME:PART` | S3's composite checksum of an upload in parts of `PART` bytes, of all but `crc64nvme` |
//! | `etag:PART` | S3's entity tag of a multipart upload, with feature `md5` |
//!
//! Names are case-insensitive, and `_` equals `-`. Sizes take `k`, `m` and `g` for powers of 1024:
//! `s3-sha256:8M`. Spellings of standards and other tools are accepted: a hyphen before the number of any
//! hash, as in `SHA-256` and `RIPEMD-160`, and `SHA2-256`, `SHA-512/256`, `blake2b512`, `K12`.

mod any_hash;
mod base_hash;
#[cfg(feature = "blake2")]
mod blake2;
#[cfg(feature = "blake3")]
mod blake3;
mod display;
mod dyn_hasher;
mod fixed;
mod hasher;
mod hmac;
mod jpointers;
mod kernels;
pub(crate) mod kind;
mod lanes;
mod one_by_one;
mod parameters;
pub(crate) mod parse;
mod prefixed_function;
#[cfg(feature = "std")]
mod readers;
mod s3;
mod scheduler;
#[cfg(feature = "sha1dc")]
mod sha1dc;
mod skein;
mod strength;
#[cfg(feature = "sha3")]
mod xof;
#[cfg(any(feature = "blake3", feature = "sha3"))]
mod xofs;

pub use any_hash::AnyHash;
pub use base_hash::BaseHash;
#[cfg(feature = "blake2")]
pub use blake2::Blake2;
#[cfg(feature = "blake3")]
pub use blake3::Blake3;
pub use fixed::Fixed;
pub use hasher::{AnyHasher, NotADigest};
pub use kind::Kind;
pub use lanes::{AnyLanes, Unsupported};
pub use parameters::{Key, ParameterError, Parameters};
#[cfg(feature = "std")]
pub use readers::Reader;
pub use s3::S3Checksum;
pub use scheduler::AnyScheduler;
#[cfg(feature = "sha1dc")]
pub use sha1dc::Sha1Results;
pub use skein::Skein;
pub use strength::Strength;
#[cfg(feature = "sha3")]
pub use xof::Xof;
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub use xofs::AnyXofs;

use kind::Algorithm;
