//! `jlanes_hasher`, a message that arrives in pieces, and calls for a message as a whole.
//!
//! The algorithm is known only at run time, so a hasher is a boxed `AnyHasher`, and each exported function converts
//! its arguments and calls one method of it.

use core::ffi::{c_char, c_int};

use jlanes::{
    Backend,
    algorithm::{AnyHasher, Key, Parameters},
};

use super::{
    arguments::{algorithm, copied, free, give, present, put, room, values, values_mut},
    parameters::{jlanes_parameters, read},
};
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
        // SAFETY: `algorithm` is NULL or NUL-terminated.
        let algorithm = unsafe { self::algorithm(algorithm) }?;
        // SAFETY: `size` is NULL or leads to space.
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
        // SAFETY: `algorithm` is NULL or NUL-terminated.
        let algorithm = unsafe { self::algorithm(algorithm) }?;
        room(out_len, 1, algorithm.output_size())?;
        // SAFETY: `message` is NULL or has `len` bytes.
        let message = unsafe { values(message, len) }?;
        // SAFETY: `out` is NULL or has `out_len` bytes, which overlap nothing else.
        Ok(algorithm.digest_into(message, unsafe { values_mut(out, out_len) }?)?)
    })
}

/// Creates a hasher of an algorithm: "sha256", "skein512-256", "shake128-512" (512 bits of output),
/// "jlanes8-sha256", "fsverity-sha256", and the others of jlanes-sum that have a digest for every
/// message: all but j-pointers, BitTorrent's "btv2", dm-verity, and of S3's the composites, CRCs and xxHash.
///
/// # Safety
/// `algorithm` is NULL or NUL-terminated; `hasher` is NULL or leads to space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_new(
    algorithm: *const c_char,
    hasher: *mut *mut jlanes_hasher,
) -> c_int {
    // SAFETY: `algorithm` is NULL or NUL-terminated, and `hasher` is NULL or leads to space.
    unsafe { create(algorithm, || Ok(Parameters::default()), hasher) }
}

/// Creates a hasher of HMAC tags, with a hash and a key of at most 1 MiB.
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
    // SAFETY: `key` is NULL or has `key_len` bytes.
    let key = || Ok(Key::Hmac(unsafe { copied(key, key_len) }?).into());
    // SAFETY: `algorithm` is NULL or NUL-terminated, and `hasher` is NULL or leads to space.
    unsafe { create(algorithm, key, hasher) }
}

/// Creates a hasher under the algorithm's own key: 1 to 64 bytes for "blake2b", 1 to 32 for "blake2s",
/// 32 for "blake3", and at least one byte for Skein and KMAC.
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
    // SAFETY: `key` is NULL or has `key_len` bytes.
    let key = || Ok(Key::Own(unsafe { copied(key, key_len) }?).into());
    // SAFETY: `algorithm` is NULL or NUL-terminated, and `hasher` is NULL or leads to space.
    unsafe { create(algorithm, key, hasher) }
}

/// Creates a hasher of an algorithm with parameters: a key, a salt, a personalization and so on.
///
/// # Safety
/// `algorithm` is NULL or NUL-terminated; `parameters` is NULL, or has `size` bytes and leads to what
/// it says; `hasher` is NULL or leads to space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_new_with(
    algorithm: *const c_char,
    parameters: *const jlanes_parameters,
    hasher: *mut *mut jlanes_hasher,
) -> c_int {
    // SAFETY: `parameters` is NULL, or has `size` bytes and leads to what it says.
    let parameters = || unsafe { read(parameters) };
    // SAFETY: `algorithm` is NULL or NUL-terminated, and `hasher` is NULL or leads to space.
    unsafe { create(algorithm, parameters, hasher) }
}

/// # Safety
/// `algorithm` is NULL or NUL-terminated; `hasher` is NULL or leads to space.
unsafe fn create(
    algorithm: *const c_char,
    parameters: impl FnOnce() -> Result<Parameters, Failure>,
    hasher: *mut *mut jlanes_hasher,
) -> c_int {
    call(|| {
        // SAFETY: `algorithm` is NULL or NUL-terminated, as required above.
        let hash = unsafe { self::algorithm(algorithm) }?.with(parameters()?)?;
        let made = hash.hasher_on(Backend::detect())?;
        // SAFETY: `hasher` is NULL or leads to space, as required above.
        unsafe { give(hasher, jlanes_hasher { hasher: made }) }
    })
}

/// Creates a hasher in the same state.
///
/// # Safety
/// `hasher` is NULL or a hasher that no other thread uses; `copy` is NULL or leads to space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_copy(
    hasher: Option<&jlanes_hasher>,
    copy: *mut *mut jlanes_hasher,
) -> c_int {
    call(|| {
        let hasher = present(hasher)?.hasher.clone();
        // SAFETY: `copy` is NULL or leads to space.
        unsafe { give(copy, jlanes_hasher { hasher }) }
    })
}
/// Hashes more of the message.
///
/// # Safety
/// `hasher` is NULL or a hasher that no other thread uses; `data` is NULL or has `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_update(
    hasher: Option<&mut jlanes_hasher>,
    data: *const u8,
    len: usize,
) -> c_int {
    call(|| {
        // SAFETY: `data` is NULL or has `len` bytes.
        present(hasher)?.hasher.update(unsafe { values(data, len) }?);
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
    hasher: Option<&mut jlanes_hasher>,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        let hasher = present(hasher)?;
        // SAFETY: `out` is NULL or has `out_len` bytes, which overlap nothing else.
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
pub unsafe extern "C" fn jlanes_hasher_reset(hasher: Option<&mut jlanes_hasher>) -> c_int {
    call(|| {
        present(hasher)?.hasher.reset();
        Ok(())
    })
}

/// Frees a hasher, which may be NULL.
///
/// # Safety
/// `hasher` is NULL, or a hasher that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_free(hasher: *mut jlanes_hasher) {
    // SAFETY: `hasher` is NULL, or comes from `give` in one of the functions above.
    unsafe { free(hasher) };
}
