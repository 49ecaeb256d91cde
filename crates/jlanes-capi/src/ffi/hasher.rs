//! One message, at once or in pieces.

use core::ffi::{c_char, c_int};

use jlanes::{
    Algorithm, Backend,
    algorithm::{AnyHash, AnyHasher, Key},
};

use super::arguments::{free, give, put, room, text, value, value_mut, values, values_mut};
use crate::status::{Failure, call};

/// A message that arrives in pieces. Only one thread at a time may use it.
pub struct jlanes_hasher {
    hasher: Box<dyn AnyHasher>,
}
/// The number of bytes of an algorithm's digest.
///
/// # Safety
/// `algorithm` is NULL or NUL-terminated; `size` is NULL or leads to space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_output_size(algorithm: *const c_char, size: *mut usize) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let algorithm: Algorithm = unsafe { text(algorithm) }?.parse()?;
        // SAFETY: the caller's promise.
        unsafe { put(size, algorithm.output_size()) }
    })
}

/// The digest of one message, in `out_len` bytes, the result of `jlanes_output_size`.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_digest(
    algorithm: *const c_char,
    message: *const u8,
    len: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let algorithm: Algorithm = unsafe { text(algorithm) }?.parse()?;
        room(out_len, 1, algorithm.output_size())?;
        // SAFETY: the caller's promise.
        let message = unsafe { values(message, len) }?;
        // SAFETY: the caller's promise.
        Ok(algorithm.digest_into(message, unsafe { values_mut(out, out_len) }?)?)
    })
}

/// Creates a hasher of an algorithm: "sha256", "skein512-256", "shake128-512" (512 bits of output),
/// "jlanes8-sha256", "fsverity-sha256", and all others of jlanes-sum.
///
/// # Safety
/// `algorithm` is NULL or NUL-terminated; `hasher` is NULL or leads to space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_new(
    algorithm: *const c_char,
    hasher: *mut *mut jlanes_hasher,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let algorithm: Algorithm = unsafe { text(algorithm) }?.parse()?;
        // SAFETY: the caller's promise.
        unsafe { give(hasher, jlanes_hasher { hasher: algorithm.hasher_on(Backend::detect())? }) }
    })
}

/// Creates a hasher of HMAC tags, with a hash and a key of any length.
///
/// # Safety
/// `algorithm` is NULL or NUL-terminated; `key` is NULL or has `key_len` bytes; `hasher` is NULL or
/// leads to space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_new_hmac(
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
    hasher: *mut *mut jlanes_hasher,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let hash = unsafe { with_key(algorithm, key, key_len, Key::Hmac) }?;
        // SAFETY: the caller's promise.
        unsafe { give(hasher, jlanes_hasher { hasher: hash.hasher_on(Backend::detect())? }) }
    })
}

/// # Safety
/// `algorithm` is NULL or NUL-terminated; `key` is NULL or has `key_len` bytes.
pub(super) unsafe fn with_key(
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
    of: fn(Vec<u8>) -> Key,
) -> Result<AnyHash, Failure> {
    // SAFETY: the caller's promise.
    let algorithm: Algorithm = unsafe { text(algorithm) }?.parse()?;
    // SAFETY: the caller's promise.
    let key = unsafe { values(key, key_len) }?;
    Ok(algorithm.with(of(key.to_vec()))?)
}

/// Makes a hasher under the algorithm's own key: 1 to 64 bytes for "blake2b", 1 to 32 for "blake2s",
/// 32 for "blake3", and at least one byte for Skein.
///
/// # Safety
/// As `jlanes_hasher_new_hmac`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_new_keyed(
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
    hasher: *mut *mut jlanes_hasher,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let hash = unsafe { with_key(algorithm, key, key_len, Key::Own) }?;
        // SAFETY: the caller's promise.
        unsafe { give(hasher, jlanes_hasher { hasher: hash.hasher_on(Backend::detect())? }) }
    })
}

/// Creates a hasher in the same state.
///
/// # Safety
/// `hasher` is NULL or a hasher that no other thread uses; `copy` is NULL or leads to space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_copy(
    hasher: *const jlanes_hasher,
    copy: *mut *mut jlanes_hasher,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let hasher = unsafe { value(hasher) }?.hasher.clone();
        // SAFETY: the caller's promise.
        unsafe { give(copy, jlanes_hasher { hasher }) }
    })
}
/// Hashes more of the message.
///
/// # Safety
/// `hasher` is NULL or a hasher that no other thread uses; `data` is NULL or has `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_update(
    hasher: *mut jlanes_hasher,
    data: *const u8,
    len: usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let hasher = unsafe { value_mut(hasher) }?;
        // SAFETY: the caller's promise.
        hasher.hasher.update(unsafe { values(data, len) }?);
        Ok(())
    })
}

/// Writes the digest in `out_len` bytes, the result of `jlanes_output_size`, and starts a new
/// message.
///
/// # Safety
/// `hasher` is NULL or a hasher that no other thread uses; `out` is NULL or has `out_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_finish(
    hasher: *mut jlanes_hasher,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let hasher = unsafe { value_mut(hasher) }?;
        // SAFETY: the caller's promise.
        let out = unsafe { values_mut(out, out_len) }?;
        let size = Failure::argument("the output is not as long as the digest");
        hasher.hasher.finalize_into_reset(out).map_err(|_| size)
    })
}

/// Discards the message, and starts a new one.
///
/// # Safety
/// `hasher` is NULL or a hasher that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_reset(hasher: *mut jlanes_hasher) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        unsafe { value_mut(hasher) }?.hasher.reset();
        Ok(())
    })
}

/// Frees a hasher, which may be NULL.
///
/// # Safety
/// `hasher` is NULL, or a hasher that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_free(hasher: *mut jlanes_hasher) {
    // SAFETY: the caller's promise.
    unsafe { free(hasher) };
}
