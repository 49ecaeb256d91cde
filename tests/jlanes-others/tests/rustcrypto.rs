//! RustCrypto's own tests, as their packages come, of jlanes's hashers: where they name a crate of
//! hashes, they get ours. HMAC and PBKDF2 are theirs, over our hashers. What we lack (Streebog, BelT)
//! stays theirs too, so that their files compile as they are.

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
