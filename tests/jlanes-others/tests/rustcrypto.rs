//! RustCrypto's own test files, unchanged, with jlanes's hashers in place of its crates of hashes. HMAC
//! and PBKDF2 are RustCrypto's, over our hashers. Hashes that we lack (Streebog, BelT) are
//! RustCrypto's, so that the files compile.

#![allow(warnings, clippy::all, clippy::pedantic)] // the files are not ours

extern crate jlanes_others as blake2;
extern crate jlanes_others as cshake;
extern crate jlanes_others as k12;
extern crate jlanes_others as md5;
extern crate jlanes_others as ripemd;
extern crate jlanes_others as sha1;
extern crate jlanes_others as sha2;
extern crate jlanes_others as sha3;
extern crate jlanes_others as shake;
extern crate jlanes_others as skein;
extern crate jlanes_others as sm3;
extern crate jlanes_others as turboshake;

include!(concat!(env!("OUT_DIR"), "/rustcrypto.rs"));
