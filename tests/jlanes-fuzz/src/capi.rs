//! The functions of `jlanes.h`, called as C calls them: with right and wrong lengths, null pointers,
//! and unknown names.

use std::{
    ffi::{CString, c_int},
    ptr,
};

use arbitrary::{Result, Unstructured};
use hmac::{Hmac, KeyInit, Mac};
use jlanes_capi::{
    JLANES_ERROR_ALGORITHM, JLANES_ERROR_ARGUMENT, JLANES_ERROR_UNSUPPORTED, JLANES_OK,
    JLANES_PARALLEL, jlanes_digest, jlanes_digest_many, jlanes_digest_records, jlanes_hasher,
    jlanes_hasher_copy, jlanes_hasher_finish, jlanes_hasher_free, jlanes_hasher_new,
    jlanes_hasher_reset, jlanes_hasher_update, jlanes_hmac_many, jlanes_lanes, jlanes_lanes_free,
    jlanes_lanes_new, jlanes_output_size,
};
use sha2::Digest;

use crate::input::{backend, text, texts};

/// A name of an algorithm, and the digest by another implementation.
struct Known {
    name: &'static str,
    size: usize,
    digest: fn(&[u8]) -> Vec<u8>,
}

const KNOWN: [Known; 4] = [
    Known { name: "sha256", size: 32, digest: |text| sha2::Sha256::digest(text).to_vec() },
    Known { name: "sha1", size: 20, digest: |text| sha1::Sha1::digest(text).to_vec() },
    Known { name: "sha3-512", size: 64, digest: |text| sha3::Sha3_512::digest(text).to_vec() },
    Known { name: "ripemd160", size: 20, digest: |text| ripemd::Ripemd160::digest(text).to_vec() },
];

/// The contents of outputs that no call may write to.
const UNTOUCHED: u8 = 0xa5;

/// Runs the calls in `u`.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a result is wrong, or a call succeeds that cannot.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let known = u.choose(&KNOWN)?;
    match u.int_in_range(0..=4)? {
        0 => any_name(u),
        1 | 2 => hashers(u, known),
        _ => lanes(u, known),
    }
}

/// The length of an output, usually the right one.
fn out_len(u: &mut Unstructured, right: usize) -> Result<usize> {
    if u.ratio(1, 6)? { u.int_in_range(0..=right + 70) } else { Ok(right) }
}

/// Checks that the call succeeded if it `fits`, and that the output of a successful call is `right`.
fn check(code: c_int, fits: bool, out: &[u8], right: &[u8]) {
    if fits {
        assert_eq!((code, out), (JLANES_OK, right));
    } else {
        assert_eq!(code, JLANES_ERROR_ARGUMENT);
        assert!(out.iter().all(|byte| *byte == UNTOUCHED), "a call that fails writes nothing");
    }
}

fn any_name(u: &mut Unstructured) -> Result<()> {
    let mut name = u.bytes(u.len())?.to_vec();
    name.retain(|byte| *byte != 0);
    let name = CString::new(name).expect("there is no zero");
    let (mut hasher, mut size) = (ptr::null_mut(), 0);
    // SAFETY: the name ends with a zero, and there is room for the result.
    let code = unsafe { jlanes_hasher_new(name.as_ptr(), &raw mut hasher) };
    if code != JLANES_OK {
        let codes = [JLANES_ERROR_ARGUMENT, JLANES_ERROR_ALGORITHM, JLANES_ERROR_UNSUPPORTED];
        assert!(codes.contains(&code) && hasher.is_null(), "{code}");
        return Ok(());
    }
    // SAFETY: the name ends with a zero, and there is room for the result.
    assert_eq!(unsafe { jlanes_output_size(name.as_ptr(), &raw mut size) }, JLANES_OK);
    assert!(size > 0);
    // SAFETY: `hasher` was made above and is used only here.
    unsafe { jlanes_hasher_free(hasher) };
    Ok(())
}

/// A hasher and its message so far.
struct Fed {
    hasher: *mut jlanes_hasher,
    text: Vec<u8>,
}

impl Drop for Fed {
    fn drop(&mut self) {
        // SAFETY: `self.hasher` is a hasher, and this is its last use.
        unsafe { jlanes_hasher_free(self.hasher) };
    }
}

fn hashers(u: &mut Unstructured, known: &Known) -> Result<()> {
    let name = CString::new(known.name).expect("there is no zero");
    let mut hasher = ptr::null_mut();
    // SAFETY: the name ends with a zero, and there is room for the result.
    assert_eq!(unsafe { jlanes_hasher_new(name.as_ptr(), &raw mut hasher) }, JLANES_OK);
    let mut all = vec![Fed { hasher, text: Vec::new() }];
    while !u.is_empty() {
        let (count, at) = (all.len(), u.choose_index(all.len())?);
        let Fed { hasher, text: fed } = &mut all[at];
        // SAFETY: `hasher` is a hasher that only this loop uses.
        let hasher = unsafe { hasher.as_mut() };
        match u.int_in_range(0..=7)? {
            0..=2 => {
                let more = text(u, 600)?;
                let missing = u.ratio(1, 10)?;
                let data = if missing { ptr::null() } else { more.as_ptr() };
                // SAFETY: `data` is null, or points to `more.len()` bytes.
                let code = unsafe { jlanes_hasher_update(hasher, data, more.len()) };
                if missing && !more.is_empty() {
                    assert_eq!(code, JLANES_ERROR_ARGUMENT);
                } else {
                    assert_eq!(code, JLANES_OK);
                    fed.extend(more);
                }
            }
            3..=4 => {
                let mut out = vec![UNTOUCHED; out_len(u, known.size)?];
                // SAFETY: `out` has `out.len()` bytes.
                let code = unsafe { jlanes_hasher_finish(hasher, out.as_mut_ptr(), out.len()) };
                let fits = out.len() == known.size;
                check(code, fits, &out, &(known.digest)(fed));
                if fits {
                    fed.clear();
                }
            }
            5 if count < 5 => {
                let (mut copy, text) = (ptr::null_mut(), fed.clone());
                // SAFETY: there is room for the result.
                let code = unsafe { jlanes_hasher_copy(hasher.as_deref(), &raw mut copy) };
                assert_eq!(code, JLANES_OK);
                all.push(Fed { hasher: copy, text });
            }
            6 => {
                // SAFETY: `hasher` is a hasher.
                assert_eq!(unsafe { jlanes_hasher_reset(hasher) }, JLANES_OK);
                fed.clear();
            }
            _ => {
                let mut out = vec![UNTOUCHED; out_len(u, known.size)?];
                let (len, to) = (out.len(), out.as_mut_ptr());
                // SAFETY: the lengths are those of the slices.
                let code =
                    unsafe { jlanes_digest(name.as_ptr(), fed.as_ptr(), fed.len(), to, len) };
                check(code, len == known.size, &out, &(known.digest)(fed));
            }
        }
    }
    Ok(())
}

/// Lanes that free themselves.
struct Made(*mut jlanes_lanes);

impl Made {
    fn get(&self) -> Option<&jlanes_lanes> {
        // SAFETY: `self.0` is null, or lanes that live until they are dropped.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: `self.0` is null or lanes, and this is their last use.
        unsafe { jlanes_lanes_free(self.0) };
    }
}

fn lanes(u: &mut Unstructured, known: &Known) -> Result<()> {
    let name = CString::new(known.name).expect("there is no zero");
    let backend = CString::new(backend(u)?.to_string()).expect("there is no zero");
    let flags = if u.ratio(1, 4)? { JLANES_PARALLEL } else { 0 };
    let mut made = Made(ptr::null_mut());
    // SAFETY: texts end with a zero, and there is room for the result.
    let code = unsafe { jlanes_lanes_new(name.as_ptr(), backend.as_ptr(), flags, &raw mut made.0) };
    assert_eq!(code, JLANES_OK);
    let texts = texts(u, 40, 1000)?;
    let messages: Vec<_> = texts.iter().map(|text| text.as_ptr()).collect();
    let lens: Vec<_> = texts.iter().map(Vec::len).collect();
    let count = texts.len();
    let mut out = vec![UNTOUCHED; out_len(u, count * known.size)?];
    let (to, len) = (out.as_mut_ptr(), out.len());
    let mut fits = len == count * known.size;
    let (code, expected) = match u.int_in_range(0..=3)? {
        0 | 1 => {
            // SAFETY: the lists have as many pointers and lengths as messages, each with its bytes.
            let code = unsafe {
                jlanes_digest_many(made.get(), messages.as_ptr(), lens.as_ptr(), count, to, len)
            };
            (code, texts.iter().flat_map(|text| (known.digest)(text)).collect::<Vec<_>>())
        }
        2 => {
            let width = lens.iter().copied().min().unwrap_or(0);
            let records: Vec<_> = texts.iter().flat_map(|text| text[..width].to_vec()).collect();
            fits &= width > 0 || count == 0;
            // such a width exceeds any memory, and is refused before memory is read
            let wrong = count > 1 && u.ratio(1, 10)?;
            let said = if wrong { usize::MAX - u.int_in_range(0..=width)? } else { width };
            fits &= !wrong;
            // SAFETY: there are as many bytes, or the size overflows and nothing is read.
            let code = unsafe {
                jlanes_digest_records(made.get(), records.as_ptr(), said, count, to, len)
            };
            let digests = records.chunks(width.max(1)).flat_map(known.digest);
            (code, digests.collect())
        }
        _ => {
            let known = &KNOWN[0];
            let key = text(u, 200)?;
            let mut other = Made(ptr::null_mut());
            let name = CString::new(known.name).expect("there is no zero");
            let room = &raw mut other.0;
            // SAFETY: the name ends with a zero, and there is room for the result.
            let code = unsafe { jlanes_lanes_new(name.as_ptr(), ptr::null(), flags, room) };
            assert_eq!(code, JLANES_OK);
            fits = len == count * known.size;
            let (lens, messages) = (lens.as_ptr(), messages.as_ptr());
            let (key_at, key_len) = (key.as_ptr(), key.len());
            // SAFETY: the lists have as many pointers and lengths as messages, each with its bytes.
            let code = unsafe {
                jlanes_hmac_many(other.get(), key_at, key_len, messages, lens, count, to, len)
            };
            let tag = |text: &Vec<u8>| {
                let mac = Hmac::<sha2::Sha256>::new_from_slice(&key).expect("any key will do");
                mac.chain_update(text).finalize().into_bytes()
            };
            (code, texts.iter().flat_map(tag).collect())
        }
    };
    check(code, fits, &out, &expected);
    Ok(())
}
