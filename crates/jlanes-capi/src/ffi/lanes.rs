//! `jlanes_lanes`, and its jobs on many messages at once: digests, HMAC tags, derived keys.
//!
//! C passes a list as two arrays, of addresses and of lengths. `batch` makes slices of them and checks the
//! room for the results, so the exported functions only name the job.

use core::ffi::{c_char, c_int};

use jlanes::{
    Backend,
    algorithm::{AnyLanes, Key, Parameters},
    multi::Messages,
};
use jlanes_columns::ColumnHasher;

use super::{
    arguments::{
        algorithm, check_derived, copied, free, give, messages as list, present, room, text,
        values, values_mut,
    },
    parameters::{jlanes_parameters, read},
};
use crate::status::{Failure, call};

/// An algorithm, and its settings for many messages at once. It is immutable: any number of threads
/// may use it at the same time.
pub struct jlanes_lanes {
    pub(super) lanes: AnyLanes,
    pub(super) hasher: ColumnHasher,
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
    // SAFETY: texts are NULL or NUL-terminated, and `lanes` is NULL or leads to space.
    unsafe { create(algorithm, || Ok(Parameters::default()), (backend, flags), lanes) }
}

/// Creates lanes under the algorithm's own key: 1 to 64 bytes for "blake2b", 1 to 32 for "blake2s", 32
/// for "blake3", and at least one byte for Skein and KMAC. Their digests are tags. Otherwise as
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
    // SAFETY: `key` is NULL or has `key_len` bytes.
    let key = || Ok(Key::Own(unsafe { copied(key, key_len) }?).into());
    // SAFETY: texts are NULL or NUL-terminated, and `lanes` is NULL or leads to space.
    unsafe { create(algorithm, key, (backend, flags), lanes) }
}

/// Creates lanes for an algorithm with parameters: a key, a salt, a personalization and so on. Otherwise
/// as `jlanes_lanes_new`.
///
/// # Safety
/// As `jlanes_lanes_new`; `parameters` is NULL, or has `size` bytes and leads to what it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_lanes_new_with(
    algorithm: *const c_char,
    parameters: *const jlanes_parameters,
    backend: *const c_char,
    flags: u32,
    lanes: *mut *mut jlanes_lanes,
) -> c_int {
    // SAFETY: `parameters` is NULL, or has `size` bytes and leads to what it says.
    let parameters = || unsafe { read(parameters) };
    // SAFETY: texts are NULL or NUL-terminated, and `lanes` is NULL or leads to space.
    unsafe { create(algorithm, parameters, (backend, flags), lanes) }
}

/// # Safety
/// As [`jlanes_lanes_new`].
unsafe fn create(
    algorithm: *const c_char,
    parameters: impl FnOnce() -> Result<Parameters, Failure>,
    (backend, flags): (*const c_char, u32),
    to: *mut *mut jlanes_lanes,
) -> c_int {
    call(|| {
        // SAFETY: `algorithm` is NULL or NUL-terminated, as required above.
        let hash = unsafe { self::algorithm(algorithm) }?.with(parameters()?)?;
        let backend = match backend.is_null() {
            true => Backend::detect(),
            // SAFETY: `backend` is NUL-terminated, as required above.
            false => unsafe { text(backend) }?.parse()?,
        };
        let lanes = hash.lanes()?.on(backend);
        let hasher = ColumnHasher::from(lanes.clone());
        let made = match flags {
            0 => jlanes_lanes { lanes, hasher },
            #[cfg(feature = "rayon")]
            JLANES_PARALLEL => jlanes_lanes { lanes: lanes.parallel(), hasher: hasher.parallel() },
            _ => return Err(Failure::argument("there is no such flag")),
        };
        // SAFETY: `to` is NULL or leads to space, as required above.
        unsafe { give(to, made) }
    })
}

/// Frees lanes, which may be NULL.
///
/// # Safety
/// `lanes` is NULL, or lanes that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_lanes_free(lanes: *mut jlanes_lanes) {
    // SAFETY: `lanes` is NULL, or comes from `give` in `create`.
    unsafe { free(lanes) };
}

/// The addresses and the lengths of messages.
type List = (*const *const u8, *const usize);

/// Calls `job` with lists of `count` messages, and with room for as many results of `width` bytes, or
/// of the digest's length.
///
/// # Safety
/// Pointers are null or lead to as many values as their lengths say; `out` overlaps nothing else.
unsafe fn batch<const N: usize>(
    lanes: Option<&jlanes_lanes>,
    (lists, count): ([List; N], usize),
    width: Option<usize>,
    (out, len): (*mut u8, usize),
    job: impl FnOnce(&AnyLanes, [Messages<'_>; N], &mut [u8]) -> Result<(), Failure>,
) -> c_int {
    call(|| {
        let lanes = &present(lanes)?.lanes;
        let mut slices = [const { Vec::new() }; N];
        for (slices, (messages, lens)) in slices.iter_mut().zip(lists) {
            // SAFETY: there are `count` addresses and lengths, and the messages that they say, as
            // required above.
            *slices = unsafe { list(messages, lens, count) }?;
        }
        room(len, count, width.unwrap_or(lanes.output_size()))?;
        // SAFETY: `out` is NULL or has `len` bytes, which overlap nothing else, as required above.
        let out = unsafe { values_mut(out, len) }?;
        job(lanes, slices.each_ref().map(|slices| Messages::slices(slices)), out)
    })
}

/// The digests of `count` messages, contiguous in `out`, which has `count` times the digest's
/// bytes. Message `i` is `lens[i]` bytes at `messages[i]`.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_digest_many(
    lanes: Option<&jlanes_lanes>,
    messages: *const *const u8,
    lens: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    let job = |lanes: &AnyLanes, [messages]: [Messages<'_>; 1], out: &mut [u8]| {
        lanes.digest(messages, out);
        Ok(())
    };
    // SAFETY: there are `count` messages, and `out_len` bytes that overlap nothing else.
    unsafe { batch(lanes, ([(messages, lens)], count), None, (out, out_len), job) }
}

/// The digests of `count` contiguous records of `width` bytes each.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_digest_records(
    lanes: Option<&jlanes_lanes>,
    records: *const u8,
    width: usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    call(|| {
        let lanes = &present(lanes)?.lanes;
        let bytes = width.checked_mul(count);
        let bytes = bytes.ok_or_else(|| Failure::argument("a length is too large"))?;
        // SAFETY: `records` is NULL or has `count` times `width` bytes.
        let records = unsafe { values(records, bytes) }?;
        let records = match count {
            0 => Messages::slices(&[]),
            _ => Messages::records(records, width)
                .map_err(|_| Failure::argument("records have no bytes"))?,
        };
        room(out_len, count, lanes.output_size())?;
        // SAFETY: `out` is NULL or has `out_len` bytes, which overlap nothing else.
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
    lanes: Option<&jlanes_lanes>,
    key: *const u8,
    key_len: usize,
    messages: *const *const u8,
    lens: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    let job = |lanes: &AnyLanes, [messages]: [Messages<'_>; 1], out: &mut [u8]| {
        // SAFETY: `key` is NULL or has `key_len` bytes.
        Ok(lanes.hmac(unsafe { values(key, key_len) }?, messages, out)?)
    };
    // SAFETY: there are `count` messages, and `out_len` bytes that overlap nothing else.
    unsafe { batch(lanes, ([(messages, lens)], count), None, (out, out_len), job) }
}

/// The HMAC tags of `count` messages, message `i` under key `i`.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hmac_many_keyed(
    lanes: Option<&jlanes_lanes>,
    keys: *const *const u8,
    key_lens: *const usize,
    messages: *const *const u8,
    lens: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    let lists = [(keys, key_lens), (messages, lens)];
    let job = |lanes: &AnyLanes, [keys, messages]: [Messages<'_>; 2], out: &mut [u8]| {
        Ok(lanes.hmac_keyed(keys, messages, out)?)
    };
    // SAFETY: there are `count` keys and messages, and `out_len` bytes that overlap nothing else.
    unsafe { batch(lanes, (lists, count), None, (out, out_len), job) }
}

/// Keys of `width` bytes, contiguous in `out`, derived with PBKDF2 and HMAC from `count` passwords
/// and as many salts.
///
/// # Safety
/// Pointers are NULL or lead to the described memory; `out` overlaps nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_pbkdf2_many(
    lanes: Option<&jlanes_lanes>,
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
    let lists = [(passwords, password_lens), (salts, salt_lens)];
    let job = |lanes: &AnyLanes, [passwords, salts]: [Messages<'_>; 2], out: &mut [u8]| {
        check_derived(rounds, width)?;
        Ok(lanes.pbkdf2(passwords, salts, rounds, width, out)?)
    };
    // SAFETY: there are `count` passwords and salts, and `out_len` bytes that overlap nothing else.
    unsafe { batch(lanes, (lists, count), Some(width), (out, out_len), job) }
}
