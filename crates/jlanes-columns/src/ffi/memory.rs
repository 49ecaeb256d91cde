//! [`Memory`]: the addresses that an import may read.
//!
//! All reads of foreign structures and buffers go through it, so that untrusted ones can be confined to
//! ranges.

use core::{
    ffi::{c_char, c_void},
    ops::Range,
    slice,
};

use crate::Error;

/// The maximum length of a format, which includes the name of a time zone.
const MAX_FORMAT_BYTES: usize = 1024;

/// The addresses that an import may read.
#[derive(Clone, Debug)]
pub(super) enum Memory {
    /// Everywhere that structures and offsets lead.
    All,
    /// Only these address ranges.
    Within(Vec<Range<usize>>),
}

impl Memory {
    /// The number of addresses.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::All => usize::MAX,
            Self::Within(all) => all.iter().fold(0, |sum, x| sum.saturating_add(x.len())),
        }
    }

    /// Whether `len` bytes at an address can be read.
    fn check(&self, address: usize, len: usize) -> Result<(), Error> {
        if address == 0 {
            return Err(Error::Buffers);
        }
        let end = address.checked_add(len).filter(|_| isize::try_from(len).is_ok());
        let end = end.ok_or(Error::Length)?;
        match self {
            Self::Within(all) if !all.iter().any(|x| x.start <= address && end <= x.end) => {
                Err(Error::Length)
            }
            _ => Ok(()),
        }
    }

    /// `count` values at an address.
    ///
    /// # Safety
    /// If they are within the memory, they are initialised, and nobody writes to them for `'a`.
    pub(super) unsafe fn values<'a, T>(
        &self,
        at: *const T,
        count: usize,
    ) -> Result<&'a [T], Error> {
        if count == 0 {
            return Ok(&[]);
        }
        let bytes = count.checked_mul(size_of::<T>()).ok_or(Error::Length)?;
        self.check(at.addr(), bytes)?;
        if !at.is_aligned() {
            return Err(Error::Buffers);
        }
        // SAFETY: `at` is not null and aligned, and the values are at most `isize::MAX` bytes that do
        // not wrap around the end of memory: checked above. They are initialized and unchanged during
        // `'a`: this function's contract.
        Ok(unsafe { slice::from_raw_parts(at, count) })
    }

    /// A structure.
    ///
    /// # Safety
    /// As [`values`](Self::values).
    pub(super) unsafe fn value<'a, T>(&self, at: *const T) -> Result<&'a T, Error> {
        // SAFETY: `values` has the contract of this function.
        let values = unsafe { self.values(at, 1) };
        values?.first().ok_or(Error::Buffers)
    }

    /// A buffer of bytes.
    ///
    /// # Safety
    /// As [`values`](Self::values).
    pub(super) unsafe fn bytes<'a>(
        &self,
        at: *const c_void,
        len: usize,
    ) -> Result<&'a [u8], Error> {
        // SAFETY: `values` has the contract of this function.
        unsafe { self.values(at.cast(), len) }
    }

    /// A NUL-terminated text.
    ///
    /// # Safety
    /// As [`values`](Self::values), up to the NUL.
    pub(super) unsafe fn text(&self, at: *const c_char) -> Result<String, Error> {
        let mut text = Vec::new();
        while text.len() < MAX_FORMAT_BYTES {
            // SAFETY: no earlier byte was NUL, so this one belongs to the text.
            let byte = unsafe { self.bytes(at.wrapping_add(text.len()).cast(), 1) };
            match byte? {
                [0] => return Ok(String::from_utf8_lossy(&text).into_owned()),
                byte => text.extend(byte),
            }
        }
        Err(Error::Format(String::from_utf8_lossy(&text).into_owned()))
    }
}
