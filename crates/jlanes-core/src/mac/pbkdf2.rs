//! PBKDF2 (RFC 8018, section 5.2) with HMAC, for many passwords at once.

pub use crate::jobs::pbkdf2::Passwords;
use crate::{
    batch::Start,
    engine::Engine,
    hash::WordOf,
    jobs::{BatchFunction, Jobs as _},
};

/// Fills `outs[i]` with the key of `password(i)` and the salt `prefix || salt(i)`. As in
/// RustCrypto's crate `pbkdf2`, 0 rounds are 1.
///
/// # Panics
/// If a key is longer than PBKDF2's 2^32 - 1 digests.
#[inline]
pub fn derive<'a, H: BatchFunction, E: Engine<H::Compression>>(
    engine: E,
    password: impl Fn(usize) -> &'a [u8],
    (prefix, salt): (&'a [u8], impl Fn(usize) -> &'a [u8]),
    rounds: u32,
    outs: &mut [&mut [u8]],
) {
    let passwords = Passwords { password: &password, prefix, salt: &salt, rounds };
    WordOf::<H>::pbkdf2(&Start::<H>::new().on(engine), &passwords, outs);
}
