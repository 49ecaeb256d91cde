//! The functions of `jlanes.h`, and all unsafe code of this crate.
#![allow(unsafe_code)]
#![allow(non_camel_case_types)] // the names are C's

use core::{
    ffi::{CStr, c_char, c_int},
    slice,
};

use jlanes::{Algorithm, Backend, algorithm::AnyLanes, digest::DynDigest, multi::Messages};
use jlanes_columns::{
    Array, Encoding, Kernel, Key,
    ffi::{ArrowArray, ArrowArrayStream, ArrowSchema, Imported, Stream},
};

use crate::status::{Failure, JLANES_ERROR_MEMORY, call, message};

/// One message that comes in pieces. One thread at a time may use it.
pub struct jlanes_hasher {
    hasher: Box<dyn DynDigest + Send>,
}

/// An algorithm, and how it hashes many messages at once. It does not change: any number of threads
/// may use it at the same time.
pub struct jlanes_lanes {
    lanes: AnyLanes,
    kernel: Kernel,
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    const fn moved<T: Send>() {}
    // what the header promises of threads
    shared::<jlanes_lanes>();
    moved::<jlanes_hasher>();
};

/// Use all threads of the process's pool, and not only the calling one.
pub const JLANES_PARALLEL: u32 = 1;

/// Raw digests, as Arrow's Binary.
pub const JLANES_ENCODING_BINARY: u32 = 0;
/// Raw digests, as Arrow's LargeBinary.
pub const JLANES_ENCODING_LARGE_BINARY: u32 = 1;
/// Raw digests, as Arrow's FixedSizeBinary.
pub const JLANES_ENCODING_FIXED_SIZE_BINARY: u32 = 2;
/// Hexadecimal in small letters, as Arrow's Utf8.
pub const JLANES_ENCODING_HEX: u32 = 3;
/// Hexadecimal in small letters, as Arrow's LargeUtf8.
pub const JLANES_ENCODING_LARGE_HEX: u32 = 4;

/// What an argument points to.
///
/// # Safety
/// The pointer is null, or leads to a value that nobody writes to for `'a`.
unsafe fn value<'a, T>(at: *const T) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { at.as_ref() }.ok_or_else(|| Failure::argument("a pointer is NULL"))
}

/// What an argument points to, to be changed.
///
/// # Safety
/// The pointer is null, or leads to a value that nobody else uses for `'a`.
unsafe fn value_mut<'a, T>(at: *mut T) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { at.as_mut() }.ok_or_else(|| Failure::argument("a pointer is NULL"))
}

/// A list of arguments.
///
/// # Safety
/// The pointer is null, or leads to `len` values that nobody writes to for `'a`.
unsafe fn values<'a, T>(at: *const T, len: usize) -> Result<&'a [T], Failure> {
    match check(at, len)? {
        0 => Ok(&[]),
        // SAFETY: the pointer is not null and aligned, and the values are no more than `isize::MAX`
        // bytes. That they are there is the caller's promise.
        len => Ok(unsafe { slice::from_raw_parts(at, len) }),
    }
}

/// A list to be written.
///
/// # Safety
/// The pointer is null, or leads to `len` values that nobody else uses for `'a`.
unsafe fn values_mut<'a, T>(at: *mut T, len: usize) -> Result<&'a mut [T], Failure> {
    match check(at, len)? {
        0 => Ok(&mut []),
        // SAFETY: as in `values`.
        len => Ok(unsafe { slice::from_raw_parts_mut(at, len) }),
    }
}

/// The length of a list, if there can be such a list.
fn check<T>(at: *const T, len: usize) -> Result<usize, Failure> {
    let bytes = len.checked_mul(size_of::<T>()).and_then(|bytes| isize::try_from(bytes).ok());
    if bytes.is_none() {
        return Err(Failure::argument("a length is too large"));
    }
    if len > 0 && (at.is_null() || !at.is_aligned()) {
        return Err(Failure::argument("a pointer is NULL, or not aligned"));
    }
    Ok(len)
}

/// Messages, from their addresses and their lengths.
///
/// # Safety
/// As [`values`], for both lists and for every message.
unsafe fn messages<'a>(
    messages: *const *const u8,
    lens: *const usize,
    count: usize,
) -> Result<Vec<&'a [u8]>, Failure> {
    // SAFETY: the caller's promise.
    let messages = unsafe { values(messages, count) }?;
    // SAFETY: the caller's promise.
    let lens = unsafe { values(lens, count) }?;
    let mut list = Vec::new();
    let room = list.try_reserve_exact(count);
    room.map_err(|_| Failure(JLANES_ERROR_MEMORY, "no memory for the list".into()))?;
    for (message, len) in messages.iter().zip(lens) {
        // SAFETY: the caller's promise.
        list.push(unsafe { values(*message, *len) }?);
    }
    Ok(list)
}

/// A text.
///
/// # Safety
/// The pointer is null, or leads to a text that ends with a zero, to which nobody writes.
unsafe fn text<'a>(at: *const c_char) -> Result<&'a str, Failure> {
    if at.is_null() {
        return Err(Failure::argument("a text is NULL"));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(at) };
    text.to_str().map_err(|_| Failure::argument("a text is no UTF-8"))
}

/// Puts a value where the caller wants it.
///
/// # Safety
/// The pointer is null, or leads to room for a value.
unsafe fn put<T>(at: *mut T, value: T) -> Result<(), Failure> {
    if at.is_null() || !at.is_aligned() {
        return Err(Failure::argument("the pointer to the result is NULL, or not aligned"));
    }
    // SAFETY: it is neither; that there is room is the caller's promise. What was there before is
    // not read, since it need not be a value.
    unsafe { at.write(value) };
    Ok(())
}

/// That a buffer has room for digests, and no more.
fn room(len: usize, count: usize, width: usize) -> Result<(), Failure> {
    if count.checked_mul(width) == Some(len) {
        return Ok(());
    }
    Err(Failure::argument("the output is not as many bytes as all digests"))
}

/// The library's version, as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn jlanes_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// What the last call that has failed on this thread says, in English; an empty text before. It is
/// good until the thread's next call.
#[unsafe(no_mangle)]
pub extern "C" fn jlanes_last_error() -> *const c_char {
    message()
}

/// The bytes of an algorithm's digest.
///
/// # Safety
/// `algorithm` is NULL or ends with a zero; `size` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_output_size(algorithm: *const c_char, size: *mut usize) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let algorithm: Algorithm = unsafe { text(algorithm) }?.parse()?;
        // SAFETY: the caller's promise.
        unsafe { put(size, algorithm.output_size()) }
    })
}

/// The digest of one message, in `out_len` bytes, which is what `jlanes_output_size` says.
///
/// # Safety
/// Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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
        let mut hasher = algorithm.hasher()?;
        room(out_len, 1, hasher.output_size())?;
        // SAFETY: the caller's promise.
        hasher.update(unsafe { values(message, len) }?);
        // SAFETY: the caller's promise.
        finish(&mut *hasher, unsafe { values_mut(out, out_len) }?)
    })
}

/// Writes the digest, and begins a new message.
fn finish(hasher: &mut dyn DynDigest, out: &mut [u8]) -> Result<(), Failure> {
    let size = Failure::argument("the output is not as long as the digest");
    hasher.finalize_into_reset(out).map_err(|_| size)
}

/// Makes a hasher of an algorithm: "sha256", "skein512-256", "shake128-512" (512 bits of output),
/// "jlanes8-sha256", "fsverity-sha256", and all others that jlanes-sum has.
///
/// # Safety
/// `algorithm` is NULL or ends with a zero; `hasher` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_hasher_new(
    algorithm: *const c_char,
    hasher: *mut *mut jlanes_hasher,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let algorithm: Algorithm = unsafe { text(algorithm) }?.parse()?;
        // SAFETY: the caller's promise.
        unsafe { give(hasher, jlanes_hasher { hasher: algorithm.hasher()? }) }
    })
}

/// Hands an object over.
///
/// # Safety
/// As [`put`].
unsafe fn give<T>(at: *mut *mut T, object: T) -> Result<(), Failure> {
    if at.is_null() {
        return Err(Failure::argument("the pointer to the result is NULL"));
    }
    // SAFETY: the caller's promise.
    unsafe { put(at, Box::into_raw(Box::new(object))) }
}

/// Goes on with the message.
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

/// Writes the digest in `out_len` bytes, which is what `jlanes_output_size` says, and begins a new
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
        finish(&mut *hasher.hasher, unsafe { values_mut(out, out_len) }?)
    })
}

/// Forgets the message, and begins a new one.
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

/// # Safety
/// The pointer is null, or one that [`give`] has made, and not used any more.
unsafe fn free<T>(object: *mut T) {
    call(|| {
        if !object.is_null() {
            // SAFETY: it is a box, by the caller's promise.
            drop(unsafe { Box::from_raw(object) });
        }
        Ok(())
    });
}

/// Makes lanes for an algorithm, on a backend ("avx2", for example), or on the best one if `backend`
/// is NULL. `flags` is 0 or JLANES_PARALLEL.
///
/// # Safety
/// Texts are NULL or end with a zero; `lanes` is NULL or has room.
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
        let backend = match backend.is_null() {
            true => Backend::detect(),
            // SAFETY: the caller's promise.
            false => unsafe { text(backend) }?.parse()?,
        };
        let mut made = jlanes_lanes {
            lanes: algorithm.lanes()?.on(backend),
            kernel: Kernel::new(algorithm)?.on(backend),
        };
        match flags {
            0 => {}
            #[cfg(feature = "rayon")]
            JLANES_PARALLEL => {
                made.lanes = made.lanes.parallel();
                made.kernel = made.kernel.parallel();
            }
            _ => return Err(Failure::argument("there is no such flag")),
        }
        // SAFETY: the caller's promise.
        unsafe { give(lanes, made) }
    })
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

/// The digests of `count` messages, side by side in `out`, which has `count` times the digest's
/// bytes. Message `i` is `lens[i]` bytes at `messages[i]`.
///
/// # Safety
/// Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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
        let messages = unsafe { self::messages(messages, lens, count) }?;
        room(out_len, count, lanes.output_size())?;
        // SAFETY: the caller's promise.
        lanes.digest(Messages::slices(&messages), unsafe { values_mut(out, out_len) }?);
        Ok(())
    })
}

/// The digests of `count` messages of `width` bytes, which lie side by side.
///
/// # Safety
/// Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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

/// The HMAC tags of `count` messages under one key, side by side in `out`.
///
/// # Safety
/// Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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
        let messages = unsafe { self::messages(messages, lens, count) }?;
        room(out_len, count, lanes.output_size())?;
        // SAFETY: the caller's promise.
        let out = unsafe { values_mut(out, out_len) }?;
        Ok(lanes.hmac(key, Messages::slices(&messages), out)?)
    })
}

/// The HMAC tags of `count` messages, message `i` under key `i`.
///
/// # Safety
/// Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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
        let keys = unsafe { self::messages(keys, key_lens, count) }?;
        // SAFETY: the caller's promise.
        let messages = unsafe { self::messages(messages, lens, count) }?;
        room(out_len, count, lanes.output_size())?;
        // SAFETY: the caller's promise.
        let out = unsafe { values_mut(out, out_len) }?;
        Ok(lanes.hmac_keyed(Messages::slices(&keys), Messages::slices(&messages), out)?)
    })
}

/// Keys of `width` bytes, side by side in `out`, derived with PBKDF2 and HMAC from `count` passwords
/// and as many salts.
///
/// # Safety
/// Pointers are NULL or lead to what they say; `out` overlaps nothing else.
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
        let passwords = unsafe { messages(passwords, password_lens, count) }?;
        // SAFETY: the caller's promise.
        let salts = unsafe { messages(salts, salt_lens, count) }?;
        if width == 0 || u32::try_from(width).is_err() || rounds == 0 {
            return Err(Failure::argument("there are no such keys, or no rounds"));
        }
        room(out_len, count, width)?;
        // SAFETY: the caller's promise.
        let out = unsafe { values_mut(out, out_len) }?;
        let (passwords, salts) = (Messages::slices(&passwords), Messages::slices(&salts));
        Ok(lanes.pbkdf2(passwords, salts, rounds, width, out)?)
    })
}

fn encoding(number: u32) -> Result<Encoding, Failure> {
    Ok(match number {
        JLANES_ENCODING_BINARY => Encoding::Binary,
        JLANES_ENCODING_LARGE_BINARY => Encoding::LargeBinary,
        JLANES_ENCODING_FIXED_SIZE_BINARY => Encoding::FixedSizeBinary,
        JLANES_ENCODING_HEX => Encoding::Hex,
        JLANES_ENCODING_LARGE_HEX => Encoding::LargeHex,
        _ => return Err(Failure::argument("there is no such encoding")),
    })
}

/// Takes an array over.
///
/// # Safety
/// Pointers are null or lead to whole structures, as [`Imported::new`] wants them.
unsafe fn import(array: *mut ArrowArray, schema: *const ArrowSchema) -> Result<Imported, Failure> {
    // SAFETY: the caller's promise.
    let array = unsafe { value_mut(array) }?.take();
    // SAFETY: the caller's promise.
    let schema = unsafe { value(schema) }?;
    // SAFETY: the caller's promise.
    Ok(unsafe { Imported::new(array, schema) }?)
}

/// Hands an array over.
///
/// # Safety
/// Pointers are null or have room.
unsafe fn export(
    result: Array,
    array: *mut ArrowArray,
    schema: *mut ArrowSchema,
) -> Result<(), Failure> {
    let missing = || Failure::argument("the pointer to the result is NULL");
    if array.is_null() || schema.is_null() {
        return Err(missing());
    }
    // SAFETY: the caller's promise.
    unsafe { put(schema, ArrowSchema::of(result.data_type(), "")) }?;
    // SAFETY: the caller's promise.
    unsafe { put(array, result.into()) }
}

/// The digest of every row of an Arrow array of text or bytes; null stays null.
///
/// `array` is taken over, even if the call fails: its `release` is NULL afterwards. `schema` is only
/// read. The results are the caller's to release; if the call fails, they are not written.
///
/// # Safety
/// `array` and `schema` are NULL or whole structures; `out_array` and `out_schema` are NULL or have
/// room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_digest(
    lanes: *const jlanes_lanes,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    encoding: u32,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let imported = unsafe { import(array, schema) }?;
        // SAFETY: the caller's promise.
        let kernel = &unsafe { value(lanes) }?.kernel;
        let digests = kernel.digest(&imported.column()?, self::encoding(encoding)?)?;
        // SAFETY: the caller's promise.
        unsafe { export(digests, out_array, out_schema) }
    })
}

/// The HMAC tag of every row of an Arrow array of text or bytes, under one key; else as
/// `jlanes_arrow_digest`.
///
/// # Safety
/// As `jlanes_arrow_digest`; `key` is NULL or has `key_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_hmac(
    lanes: *const jlanes_lanes,
    key: *const u8,
    key_len: usize,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    encoding: u32,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let imported = unsafe { import(array, schema) }?;
        // SAFETY: the caller's promise.
        let kernel = &unsafe { value(lanes) }?.kernel;
        // SAFETY: the caller's promise.
        let key = Key::One(unsafe { values(key, key_len) }?);
        let tags = kernel.hmac(key, &imported.column()?, self::encoding(encoding)?)?;
        // SAFETY: the caller's promise.
        unsafe { export(tags, out_array, out_schema) }
    })
}

/// Whether the digest of every row is the one in the array `expected`: booleans. Arrays of bytes are
/// expected to have raw digests, arrays of text hexadecimal ones. Both arrays are taken over.
///
/// # Safety
/// As `jlanes_arrow_digest`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_verify(
    lanes: *const jlanes_lanes,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    expected: *mut ArrowArray,
    expected_schema: *const ArrowSchema,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let imported = unsafe { import(array, schema) };
        // SAFETY: the caller's promise. It is taken over before the first one's failure is reported.
        let expected = unsafe { import(expected, expected_schema) };
        let (imported, expected) = (imported?, expected?);
        // SAFETY: the caller's promise.
        let kernel = &unsafe { value(lanes) }?.kernel;
        let right = kernel.verify(&imported.column()?, &expected.column()?)?;
        // SAFETY: the caller's promise.
        unsafe { export(right, out_array, out_schema) }
    })
}

/// One digest of every row of a record batch, which is an Arrow array of structs; the encoding of
/// rows is defined in the documentation of jlanes-columns.
///
/// # Safety
/// As `jlanes_arrow_digest`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_row_digest(
    lanes: *const jlanes_lanes,
    batch: *mut ArrowArray,
    schema: *const ArrowSchema,
    encoding: u32,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let imported = unsafe { import(batch, schema) }?;
        // SAFETY: the caller's promise.
        let kernel = &unsafe { value(lanes) }?.kernel;
        let digests = kernel.row_digest(&imported.columns()?, self::encoding(encoding)?)?;
        // SAFETY: the caller's promise.
        unsafe { export(digests, out_array, out_schema) }
    })
}

/// The digests of a stream of Arrow arrays, as a stream: an array is hashed when it is asked for.
/// `stream` is taken over, even if the call fails.
///
/// # Safety
/// `stream` is NULL or a whole structure, from which arrays may be asked on any thread, one at a
/// time; `out` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_digest_stream(
    lanes: *const jlanes_lanes,
    stream: *mut ArrowArrayStream,
    encoding: u32,
    out: *mut ArrowArrayStream,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { value_mut(stream) }?.take();
        // SAFETY: the caller's promise.
        let stream = unsafe { Stream::new(stream) }?;
        // SAFETY: the caller's promise.
        let kernel = unsafe { value(lanes) }?.kernel.clone();
        let encoding = self::encoding(encoding)?;
        let data_type = encoding.data_type(kernel.output_size());
        let digests = stream.map(move |array| {
            let digests = kernel.digest(&array?.column()?, encoding)?;
            Ok(digests.into())
        });
        let digests = ArrowArrayStream::of(move || ArrowSchema::of(&data_type, ""), digests);
        // SAFETY: the caller's promise.
        unsafe { put(out, digests) }
    })
}
