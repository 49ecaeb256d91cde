//! Many messages at once.

use core::ffi::{c_char, c_int};

use jlanes::{
    Algorithm, Backend,
    algorithm::{AnyHash, AnyLanes, Key},
    multi::Messages,
};
use jlanes_columns::Kernel;

use super::{
    arguments::{self, check_derived, free, give, room, text, value, values, values_mut},
    hasher::with_key,
};
use crate::status::{Failure, call};

/// An algorithm, and its settings for many messages at once. It is immutable: any number of threads
/// may use it at the same time.
pub struct jlanes_lanes {
    pub(super) lanes: AnyLanes,
    pub(super) kernel: Kernel,
}
/// Use all threads of the process's pool, not only the calling one.
pub const JLANES_PARALLEL: u32 = 1;
/// Creates lanes for an algorithm, on a backend ("avx2", for example), or on the best one if
/// `backend` is NULL. `flags` is 0 or JLANES_PARALLEL.
///
/// # Safety
/// Texts are NULL or NUL-terminated; `lanes` is NULL or leads to space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_lanes_new(
    algorithm: *const c_char,
    backend: *const c_char,
    flags: u32,
    lanes: *mut *mut jlanes_lanes,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let algorithm: Algorithm = unsafe { text(algorithm) }?.parse()?;
        // SAFETY: the caller's promise.
        let made = unsafe { make(&algorithm.into(), backend, flags) }?;
        // SAFETY: the caller's promise.
        unsafe { give(lanes, made) }
    })
}

/// Makes lanes under the algorithm's own key: 1 to 64 bytes for "blake2b", 1 to 32 for "blake2s", 32
/// for "blake3", and at least one byte for Skein. Their digests are tags. Otherwise as
/// `jlanes_lanes_new`.
///
/// # Safety
/// As `jlanes_lanes_new`; `key` is NULL or has `key_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_lanes_new_keyed(
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
    backend: *const c_char,
    flags: u32,
    lanes: *mut *mut jlanes_lanes,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let hash = unsafe { with_key(algorithm, key, key_len, Key::Own) }?;
        // SAFETY: the caller's promise.
        let made = unsafe { make(&hash, backend, flags) }?;
        // SAFETY: the caller's promise.
        unsafe { give(lanes, made) }
    })
}

/// # Safety
/// As [`jlanes_lanes_new`].
unsafe fn make(
    hash: &AnyHash,
    backend: *const c_char,
    flags: u32,
) -> Result<jlanes_lanes, Failure> {
    let backend = match backend.is_null() {
        true => Backend::detect(),
        // SAFETY: the caller's promise.
        false => unsafe { text(backend) }?.parse()?,
    };
    let lanes = hash.lanes()?.on(backend);
    let kernel = Kernel::from(lanes.clone());
    match flags {
        0 => Ok(jlanes_lanes { lanes, kernel }),
        #[cfg(feature = "rayon")]
        JLANES_PARALLEL => Ok(jlanes_lanes { lanes: lanes.parallel(), kernel: kernel.parallel() }),
        _ => Err(Failure::argument("there is no such flag")),
    }
}

/// Frees lanes, which may be NULL.
///
/// # Safety
/// `lanes` is NULL, or lanes that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_lanes_free(lanes: *mut jlanes_lanes) {
    // SAFETY: the caller's promise.
    unsafe { free(lanes) };
}

/// The digests of `count` messages, contiguous in `out`, which has `count` times the digest's
/// bytes. Message `i` is `lens[i]` bytes at `messages[i]`.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_digest_many(
    lanes: *const jlanes_lanes,
    messages: *const *const u8,
    lens: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let lanes = &unsafe { value(lanes) }?.lanes;
        // SAFETY: the caller's promise.
        let messages = unsafe { arguments::messages(messages, lens, count) }?;
        room(out_len, count, lanes.output_size())?;
        // SAFETY: the caller's promise.
        lanes.digest(Messages::slices(&messages), unsafe { values_mut(out, out_len) }?);
        Ok(())
    })
}

/// The digests of `count` contiguous messages of `width` bytes.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_digest_records(
    lanes: *const jlanes_lanes,
    records: *const u8,
    width: usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let lanes = &unsafe { value(lanes) }?.lanes;
        let bytes = width.checked_mul(count);
        let bytes = bytes.ok_or_else(|| Failure::argument("a length is too large"))?;
        // SAFETY: the caller's promise.
        let records = unsafe { values(records, bytes) }?;
        let records = Messages::records(records, width);
        let records = records.map_err(|_| Failure::argument("records have no bytes"))?;
        room(out_len, count, lanes.output_size())?;
        // SAFETY: the caller's promise.
        lanes.digest(records, unsafe { values_mut(out, out_len) }?);
        Ok(())
    })
}

/// The HMAC tags of `count` messages under one key, contiguous in `out`.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hmac_many(
    lanes: *const jlanes_lanes,
    key: *const u8,
    key_len: usize,
    messages: *const *const u8,
    lens: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let lanes = &unsafe { value(lanes) }?.lanes;
        // SAFETY: the caller's promise.
        let key = unsafe { values(key, key_len) }?;
        // SAFETY: the caller's promise.
        let messages = unsafe { arguments::messages(messages, lens, count) }?;
        room(out_len, count, lanes.output_size())?;
        // SAFETY: the caller's promise.
        let out = unsafe { values_mut(out, out_len) }?;
        Ok(lanes.hmac(key, Messages::slices(&messages), out)?)
    })
}

/// The HMAC tags of `count` messages, message `i` under key `i`.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hmac_many_keyed(
    lanes: *const jlanes_lanes,
    keys: *const *const u8,
    key_lens: *const usize,
    messages: *const *const u8,
    lens: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let lanes = &unsafe { value(lanes) }?.lanes;
        // SAFETY: the caller's promise.
        let keys = unsafe { arguments::messages(keys, key_lens, count) }?;
        // SAFETY: the caller's promise.
        let messages = unsafe { arguments::messages(messages, lens, count) }?;
        room(out_len, count, lanes.output_size())?;
        // SAFETY: the caller's promise.
        let out = unsafe { values_mut(out, out_len) }?;
        Ok(lanes.hmac_keyed(Messages::slices(&keys), Messages::slices(&messages), out)?)
    })
}

/// Keys of `width` bytes, contiguous in `out`, derived with PBKDF2 and HMAC from `count` passwords
/// and as many salts.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_pbkdf2_many(
    lanes: *const jlanes_lanes,
    passwords: *const *const u8,
    password_lens: *const usize,
    salts: *const *const u8,
    salt_lens: *const usize,
    count: usize,
    rounds: u32,
    width: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let lanes = &unsafe { value(lanes) }?.lanes;
        // SAFETY: the caller's promise.
        let passwords = unsafe { arguments::messages(passwords, password_lens, count) }?;
        // SAFETY: the caller's promise.
        let salts = unsafe { arguments::messages(salts, salt_lens, count) }?;
        check_derived(rounds, width)?;
        room(out_len, count, width)?;
        // SAFETY: the caller's promise.
        let out = unsafe { values_mut(out, out_len) }?;
        let (passwords, salts) = (Messages::slices(&passwords), Messages::slices(&salts));
        Ok(lanes.pbkdf2(passwords, salts, rounds, width, out)?)
    })
}
