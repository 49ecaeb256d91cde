//! The functions that the module exports to JavaScript.
//!
//! JavaScript passes addresses in the module's memory. It is a part of this package, and keeps these
//! rules, which the proofs rely on:
//!
//! - *Buffers* come from [`allocate`] or are parts of one, which is freed once. Those of one call
//!   do not overlap, and no two calls run at a time. JavaScript has written what a call reads.
//! - *Hashers* come from [`hasher_new`] and are freed once, by [`hasher_finish`] or
//!   [`hasher_free`].
//! - *The stack* is empty at a call: JavaScript resets `__stack_pointer`, which a call that traps, or that
//!   ends because the engine's own stack is full, leaves where it was.
//!
//! WebAssembly checks every access against the module's memory, so breaking a rule can corrupt only
//! this memory.

use std::{
    alloc::{Layout, alloc, dealloc},
    slice,
};

use jlanes::{digest::DynDigest, multi::Messages};

use crate::hashes::{HASHES, backend};

/// A hasher behind a thin pointer.
pub type Hasher = Box<dyn DynDigest>;

/// The alignment of buffers: offsets are words, and vectors want their own size.
const ALIGN: usize = 16;

fn layout(len: usize) -> Option<Layout> {
    Layout::from_size_align(len.max(1), ALIGN).ok()
}

/// A buffer of `len` bytes, or null if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(len: usize) -> *mut u8 {
    match layout(len) {
        // SAFETY: the layout has at least one byte.
        Some(layout) => unsafe { alloc(layout) },
        None => std::ptr::null_mut(),
    }
}

/// Frees a buffer of `len` bytes.
///
/// # Safety
/// The buffer is one of [`allocate`], of that length, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn deallocate(buffer: *mut u8, len: usize) {
    if let Some(layout) = layout(len) {
        // SAFETY: `allocate` returned `buffer` for the same length, and so for the same layout.
        unsafe { dealloc(buffer, layout) }
    }
}

/// Whether the module is compiled with simd128.
#[unsafe(no_mangle)]
pub extern "C" fn has_simd128() -> bool {
    backend() == "simd128"
}

/// The number of hash functions.
#[unsafe(no_mangle)]
pub extern "C" fn hash_count() -> usize {
    HASHES.len()
}

/// The address of the name of a hash function.
#[unsafe(no_mangle)]
pub extern "C" fn hash_name(hash: usize) -> *const u8 {
    HASHES[hash].name.as_ptr()
}

/// The length of the name of a hash function.
#[unsafe(no_mangle)]
pub extern "C" fn hash_name_len(hash: usize) -> usize {
    HASHES[hash].name.len()
}

/// Bytes of a digest.
#[unsafe(no_mangle)]
pub extern "C" fn hash_size(hash: usize) -> usize {
    HASHES[hash].size
}

/// Writes the digest of a message to `out`.
///
/// # Panics
/// If there is no such hash function.
///
/// # Safety
/// `data` is a buffer of `len` bytes, `out` one of a digest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn digest(hash: usize, data: *const u8, len: usize, out: *mut u8) {
    let hash = &HASHES[hash];
    // SAFETY: `data` is a buffer of `len` bytes, by the rules above.
    let data = unsafe { slice::from_raw_parts(data, len) };
    // SAFETY: `out` is a buffer of `hash.size` bytes, which overlaps no other.
    let out = unsafe { slice::from_raw_parts_mut(out, hash.size) };
    (hash.digest)(data, out);
}

/// Writes the digests of `count` messages to `out`. Message `i` is the bytes of `data` from
/// `offsets[i]` to `offsets[i + 1]`.
///
/// # Panics
/// If there is no such hash function, or the offsets decrease or exceed `len`.
///
/// # Safety
/// `data` is a buffer of `len` bytes, `offsets` one of `count + 1` aligned words, `out` one of
/// `count` digests.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn digest_many(
    hash: usize,
    data: *const u8,
    len: usize,
    offsets: *const i32,
    count: usize,
    out: *mut u8,
) {
    let hash = &HASHES[hash];
    // SAFETY: `data` is a buffer of `len` bytes, by the rules above.
    let data = unsafe { slice::from_raw_parts(data, len) };
    // SAFETY: `offsets` is a buffer of `count + 1` words, aligned to [`ALIGN`].
    let offsets = unsafe { slice::from_raw_parts(offsets, count + 1) };
    // SAFETY: `out` is a buffer of `count` digests, which overlaps no other.
    let out = unsafe { slice::from_raw_parts_mut(out, count * hash.size) };
    let Ok(messages) = Messages::offsets(data, offsets) else { panic!("offsets rise") };
    (hash.digest_many)(messages, out);
}

/// Starts a hasher.
///
/// # Panics
/// If there is no such hash function.
#[unsafe(no_mangle)]
pub extern "C" fn hasher_new(hash: usize) -> *mut Hasher {
    Box::into_raw(Box::new((HASHES[hash].hasher)()))
}

/// Hashes more bytes.
///
/// # Safety
/// `hasher` is one of [`hasher_new`] that is not freed, `data` a buffer of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasher_update(hasher: *mut Hasher, data: *const u8, len: usize) {
    // SAFETY: `hasher` comes from `hasher_new` and is not freed; no other call runs, and none keeps a
    // reference.
    let hasher = unsafe { &mut *hasher };
    // SAFETY: `data` is a buffer of `len` bytes, by the rules above.
    let data = unsafe { slice::from_raw_parts(data, len) };
    hasher.update(data);
}

/// Writes the digest to `out`, and frees the hasher.
///
/// # Panics
/// If `len` is not the size of a digest.
///
/// # Safety
/// `hasher` is one of [`hasher_new`], which is not used again; `out` is a buffer of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasher_finish(hasher: *mut Hasher, out: *mut u8, len: usize) {
    // SAFETY: `hasher_new` boxed `hasher`, which is freed only once, here.
    let mut hasher = unsafe { Box::from_raw(hasher) };
    // SAFETY: `out` is a buffer of `len` bytes, by the rules above.
    let out = unsafe { slice::from_raw_parts_mut(out, len) };
    let Ok(()) = hasher.finalize_into_reset(out) else { panic!("a whole digest") };
}

/// Frees a hasher.
///
/// # Safety
/// `hasher` is one of [`hasher_new`], which is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hasher_free(hasher: *mut Hasher) {
    // SAFETY: `hasher_new` boxed `hasher`, which is freed only once, here.
    drop(unsafe { Box::from_raw(hasher) });
}
