//! Digests of columns, through Arrow's C data interface.
//!
//! Arrays move in both directions, so that no buffer is copied at the border. A call takes ownership of every array
//! and stream that it gets, also if it fails, and marks the caller's structure as released. It releases arrays before
//! it returns; a stream lives until the stream of its digests is released. Schemas are only read. The caller owns
//! the result and releases it; a call that fails writes none.

use core::ffi::c_int;

use jlanes_columns::{
    Array, ColumnHasher, Encoding, Key,
    ffi::{ArrowArray, ArrowArrayStream, ArrowSchema, Imported, Stream},
};

use super::{
    arguments::{check, check_derived, present, put, values},
    lanes::jlanes_lanes,
};
use crate::status::{Failure, call};

/// Raw digests, as Arrow's Binary.
pub const JLANES_ENCODING_BINARY: u32 = 0;
/// Raw digests, as Arrow's LargeBinary.
pub const JLANES_ENCODING_LARGE_BINARY: u32 = 1;
/// Raw digests, as Arrow's FixedSizeBinary.
pub const JLANES_ENCODING_FIXED_SIZE_BINARY: u32 = 2;
/// Lower-case hexadecimal, as Arrow's Utf8.
pub const JLANES_ENCODING_HEX: u32 = 3;
/// Lower-case hexadecimal, as Arrow's LargeUtf8.
pub const JLANES_ENCODING_LARGE_HEX: u32 = 4;

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

/// An array and its schema: a function takes ownership of them, or writes them.
type Pair<S> = (*mut ArrowArray, S);

/// Takes ownership of an array.
///
/// # Safety
/// Pointers are null or lead to valid structures, as [`Imported::new`] requires.
unsafe fn import((array, schema): Pair<*const ArrowSchema>) -> Result<Imported, Failure> {
    // SAFETY: `array` is null or leads to a structure, as required above; nobody else uses it now.
    let array = present(unsafe { array.as_mut() })?.take();
    // SAFETY: `schema` is null or leads to a structure, as required above.
    let schema = present(unsafe { schema.as_ref() })?;
    // SAFETY: both are valid, as required above.
    Ok(unsafe { Imported::new(array, schema) }?)
}

/// Passes ownership of an array to the caller.
///
/// # Safety
/// Pointers are null or lead to space.
unsafe fn export(result: Array, (array, schema): Pair<*mut ArrowSchema>) -> Result<(), Failure> {
    let (own_schema, own_array) = (ArrowSchema::of(result.data_type(), ""), result.into());
    // write neither, if either cannot be written
    check(array, 1)?;
    check(schema, 1)?;
    // SAFETY: `schema` leads to space, as required above.
    unsafe { put(schema, own_schema) }?;
    // SAFETY: `array` leads to space, as required above.
    unsafe { put(array, own_array) }
}

/// Takes ownership of arrays, and returns the result of `job`.
///
/// # Safety
/// As [`import`] and [`export`].
unsafe fn map(
    lanes: Option<&jlanes_lanes>,
    arrays: &[Pair<*const ArrowSchema>],
    out: Pair<*mut ArrowSchema>,
    job: impl FnOnce(&ColumnHasher, &[Imported]) -> Result<Array, Failure>,
) -> c_int {
    call(|| {
        // SAFETY: pairs are null or lead to valid structures, as required above.
        let imported = arrays.iter().map(|pair| unsafe { import(*pair) });
        // take ownership of all arrays before reporting the error of one
        let imported: Vec<_> = imported.collect();
        let imported: Vec<Imported> = imported.into_iter().collect::<Result<_, _>>()?;
        let result = job(&present(lanes)?.hasher, &imported)?;
        // SAFETY: `out` is null or leads to space, as required above.
        unsafe { export(result, out) }
    })
}

/// The digest of every row of an Arrow array of text or bytes; null stays null.
///
/// The function takes ownership of `array`, even if the call fails: its `release` is NULL
/// afterwards. `schema` is only read. The caller has to release the results; if the call fails,
/// they are not written.
///
/// # Safety
/// `array` and `schema` are NULL or valid structures; `out_array` and `out_schema` are NULL or lead
/// to space for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_digest(
    lanes: Option<&jlanes_lanes>,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    encoding: u32,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    let job = |hasher: &ColumnHasher, arrays: &[Imported]| {
        Ok(hasher.digest(&arrays[0].column()?, self::encoding(encoding)?)?)
    };
    // SAFETY: structures are NULL or valid, and results have space.
    unsafe { map(lanes, &[(array, schema)], (out_array, out_schema), job) }
}

/// The HMAC tag of every row of an Arrow array of text or bytes, under one key; otherwise as
/// `jlanes_arrow_digest`.
///
/// # Safety
/// As `jlanes_arrow_digest`; `key` is NULL or has `key_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_hmac(
    lanes: Option<&jlanes_lanes>,
    key: *const u8,
    key_len: usize,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    encoding: u32,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    let job = |hasher: &ColumnHasher, arrays: &[Imported]| {
        // SAFETY: `key` is NULL or has `key_len` bytes.
        let key = Key::One(unsafe { values(key, key_len) }?);
        Ok(hasher.hmac(key, &arrays[0].column()?, self::encoding(encoding)?)?)
    };
    // SAFETY: structures are NULL or valid, and results have space.
    unsafe { map(lanes, &[(array, schema)], (out_array, out_schema), job) }
}

/// The HMAC tag of every row under the key in the same row of the array `keys`. The function takes
/// ownership of both arrays; otherwise as `jlanes_arrow_digest`.
///
/// # Safety
/// As `jlanes_arrow_digest`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_hmac_keyed(
    lanes: Option<&jlanes_lanes>,
    keys: *mut ArrowArray,
    keys_schema: *const ArrowSchema,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    encoding: u32,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    let job = |hasher: &ColumnHasher, arrays: &[Imported]| {
        let keys = arrays[0].column()?;
        Ok(hasher.hmac(Key::Each(&keys), &arrays[1].column()?, self::encoding(encoding)?)?)
    };
    let arrays = [(keys, keys_schema), (array, schema)];
    // SAFETY: structures are NULL or valid, and results have space.
    unsafe { map(lanes, &arrays, (out_array, out_schema), job) }
}

/// A key of `width` bytes for every row of an Arrow array of passwords, derived with PBKDF2 and
/// HMAC under one salt; otherwise as `jlanes_arrow_digest`.
///
/// # Safety
/// As `jlanes_arrow_digest`; `salt` is NULL or has `salt_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_pbkdf2(
    lanes: Option<&jlanes_lanes>,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    salt: *const u8,
    salt_len: usize,
    rounds: u32,
    width: usize,
    encoding: u32,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    let job = |hasher: &ColumnHasher, arrays: &[Imported]| {
        check_derived(rounds, width)?;
        // SAFETY: `salt` is NULL or has `salt_len` bytes.
        let salt = Key::One(unsafe { values(salt, salt_len) }?);
        let encoding = self::encoding(encoding)?;
        Ok(hasher.pbkdf2(&arrays[0].column()?, salt, rounds, width, encoding)?)
    };
    // SAFETY: structures are NULL or valid, and results have space.
    unsafe { map(lanes, &[(array, schema)], (out_array, out_schema), job) }
}

/// Whether the digest of every row equals the one in the array `expected`: booleans. Arrays of
/// bytes contain raw digests, arrays of text hexadecimal ones. The function takes ownership of both
/// arrays. The time does not depend on the digests.
///
/// # Safety
/// As `jlanes_arrow_digest`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_verify(
    lanes: Option<&jlanes_lanes>,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    expected: *mut ArrowArray,
    expected_schema: *const ArrowSchema,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    let job = |hasher: &ColumnHasher, arrays: &[Imported]| {
        Ok(hasher.verify(&arrays[0].column()?, &arrays[1].column()?)?)
    };
    let arrays = [(array, schema), (expected, expected_schema)];
    // SAFETY: structures are NULL or valid, and results have space.
    unsafe { map(lanes, &arrays, (out_array, out_schema), job) }
}

/// Whether the HMAC tag of every row under one key equals the one in the array `expected`, as
/// `jlanes_arrow_verify`.
///
/// # Safety
/// As `jlanes_arrow_digest`; `key` is NULL or has `key_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_verify_hmac(
    lanes: Option<&jlanes_lanes>,
    key: *const u8,
    key_len: usize,
    array: *mut ArrowArray,
    schema: *const ArrowSchema,
    expected: *mut ArrowArray,
    expected_schema: *const ArrowSchema,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    let job = |hasher: &ColumnHasher, arrays: &[Imported]| {
        // SAFETY: `key` is NULL or has `key_len` bytes.
        let key = Key::One(unsafe { values(key, key_len) }?);
        Ok(hasher.verify_hmac(key, &arrays[0].column()?, &arrays[1].column()?)?)
    };
    let arrays = [(array, schema), (expected, expected_schema)];
    // SAFETY: structures are NULL or valid, and results have space.
    unsafe { map(lanes, &arrays, (out_array, out_schema), job) }
}

/// One digest per row of a record batch, which is an Arrow array of structs; the documentation of
/// jlanes-columns defines the encoding of rows.
///
/// # Safety
/// As `jlanes_arrow_digest`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_row_digest(
    lanes: Option<&jlanes_lanes>,
    batch: *mut ArrowArray,
    schema: *const ArrowSchema,
    encoding: u32,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
) -> c_int {
    let job = |hasher: &ColumnHasher, arrays: &[Imported]| {
        Ok(hasher.row_digest(&arrays[0].columns()?, self::encoding(encoding)?)?)
    };
    // SAFETY: structures are NULL or valid, and results have space.
    unsafe { map(lanes, &[(batch, schema)], (out_array, out_schema), job) }
}

/// The digests of a stream of Arrow arrays, as a stream: an array is hashed on demand. The function
/// takes ownership of `stream`, even if the call fails.
///
/// # Safety
/// `stream` is NULL or a valid structure that provides arrays on any thread, one at a time; `out`
/// is NULL or leads to space for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jlanes_arrow_digest_stream(
    lanes: Option<&jlanes_lanes>,
    stream: *mut ArrowArrayStream,
    encoding: u32,
    out: *mut ArrowArrayStream,
) -> c_int {
    call(|| {
        // SAFETY: `stream` is NULL or leads to a structure that nobody else uses now.
        let stream = present(unsafe { stream.as_mut() })?.take();
        // SAFETY: the structure is valid, and provides arrays on any thread.
        let stream = unsafe { Stream::new(stream) }?;
        let hasher = present(lanes)?.hasher.clone();
        let encoding = self::encoding(encoding)?;
        let data_type = encoding.data_type(hasher.output_size());
        let digests = stream.map(move |array| {
            let digests = hasher.digest(&array?.column()?, encoding)?;
            Ok(digests.into())
        });
        let digests = ArrowArrayStream::of(move || ArrowSchema::of(&data_type, ""), digests);
        // SAFETY: `out` is NULL or leads to space.
        unsafe { put(out, digests) }
    })
}
