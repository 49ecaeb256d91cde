//! Access to the values of a column in untrusted buffers.

use core::ops::Range;

use super::{Column, Layout};
use crate::{DataType, Error, bits::Bits};

impl<'a> Column<'a> {
    /// The dictionary index of row `i`, which is not null.
    #[inline(always)]
    pub(crate) fn index(&self, i: usize) -> Result<usize, Error> {
        let Layout::Dictionary { indices, index_type, values } = &self.layout else {
            return Err(Error::Type(self.data_type.format()));
        };
        let at = self.offset + i;
        let number = match index_type {
            DataType::Int8 => {
                read(indices, at).and_then(|x| usize::try_from(i8::from_ne_bytes(x)).ok())
            }
            DataType::UInt8 => read(indices, at).map(|x| u8::from_ne_bytes(x).into()),
            DataType::Int16 => {
                read(indices, at).and_then(|x| i16::from_ne_bytes(x).try_into().ok())
            }
            DataType::UInt16 => read(indices, at).map(|x| u16::from_ne_bytes(x).into()),
            DataType::Int32 => {
                read(indices, at).and_then(|x| i32::from_ne_bytes(x).try_into().ok())
            }
            DataType::UInt32 => {
                read(indices, at).and_then(|x| u32::from_ne_bytes(x).try_into().ok())
            }
            DataType::Int64 => {
                read(indices, at).and_then(|x| i64::from_ne_bytes(x).try_into().ok())
            }
            _ => read(indices, at).and_then(|x| u64::from_ne_bytes(x).try_into().ok()),
        };
        number.filter(|number| *number < values.len).ok_or(Error::Index(i))
    }

    /// The bytes of row `i`, which is not null.
    pub(crate) fn value(&self, i: usize) -> Result<&'a [u8], Error> {
        let at = self.offset + i;
        match &self.layout {
            Layout::Null
            | Layout::Bits(_)
            | Layout::List { .. }
            | Layout::FixedSizeList { .. }
            | Layout::Struct(_) => Err(Error::Type(self.data_type.format())),
            Layout::Fixed { bytes, width } => fixed(bytes, *width, at).ok_or(Error::Length),
            Layout::Offsets { offsets, bytes } => {
                bytes_between(offsets, bytes, at).ok_or(Error::Offsets(i))
            }
            Layout::LargeOffsets { offsets, bytes } => {
                bytes_between_large(offsets, bytes, at).ok_or(Error::Offsets(i))
            }
            Layout::Views { views, buffers } => view(views, buffers, at).ok_or(Error::View(i)),
            Layout::Dictionary { values, .. } => values.value(self.index(i)?),
        }
    }

    /// Appends the bytes of rows, except rows with a 0 bit in `valid`.
    pub(crate) fn gather(
        &self,
        rows: Range<usize>,
        valid: Option<Bits<'_>>,
        out: &mut Vec<&'a [u8]>,
    ) -> Result<(), Error> {
        let at = |i: usize| self.offset + i;
        // match the layout once, not once per row
        match &self.layout {
            Layout::Fixed { bytes, width } => {
                append(rows, valid, out, |i| fixed(bytes, *width, at(i)).ok_or(Error::Length))
            }
            Layout::Offsets { offsets, bytes } => append(rows, valid, out, |i| {
                bytes_between(offsets, bytes, at(i)).ok_or(Error::Offsets(i))
            }),
            Layout::LargeOffsets { offsets, bytes } => append(rows, valid, out, |i| {
                bytes_between_large(offsets, bytes, at(i)).ok_or(Error::Offsets(i))
            }),
            Layout::Views { views, buffers } => {
                append(rows, valid, out, |i| view(views, buffers, at(i)).ok_or(Error::View(i)))
            }
            _ => append(rows, valid, out, |i| self.value(i)),
        }
    }
}

#[inline(always)]
fn append<'a>(
    rows: Range<usize>,
    valid: Option<Bits<'_>>,
    out: &mut Vec<&'a [u8]>,
    value: impl Fn(usize) -> Result<&'a [u8], Error>,
) -> Result<(), Error> {
    for i in rows {
        if valid.is_none_or(|bits| bits.get(i)) {
            out.push(value(i)?);
        }
    }
    Ok(())
}

/// Entry `i` of a list of `N` bytes each.
#[inline(always)]
pub(crate) fn read<const N: usize>(bytes: &[u8], i: usize) -> Option<[u8; N]> {
    bytes.get(i * N..)?.first_chunk().copied()
}

#[inline(always)]
fn fixed(bytes: &[u8], width: usize, i: usize) -> Option<&[u8]> {
    bytes.get(i * width..)?.get(..width)
}

#[inline(always)]
fn bytes_between<'a>(offsets: &[u8], bytes: &'a [u8], i: usize) -> Option<&'a [u8]> {
    let from = i32::from_ne_bytes(read(offsets, i)?);
    let to = i32::from_ne_bytes(read(offsets, i + 1)?);
    bytes.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
}

#[inline(always)]
fn bytes_between_large<'a>(offsets: &[u8], bytes: &'a [u8], i: usize) -> Option<&'a [u8]> {
    let from = i64::from_ne_bytes(read(offsets, i)?);
    let to = i64::from_ne_bytes(read(offsets, i + 1)?);
    bytes.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
}

/// The maximum length of a value inside the view.
const MAX_INLINE_BYTES: usize = 12;

#[inline(always)]
fn view<'a>(views: &'a [u8], buffers: &[&'a [u8]], i: usize) -> Option<&'a [u8]> {
    let view: &[u8; 16] = views.get(i * 16..)?.first_chunk()?;
    let word = |at: usize| {
        let word: [u8; 4] = *view[at..].first_chunk()?;
        usize::try_from(i32::from_ne_bytes(word)).ok()
    };
    let len = word(0)?;
    if len <= MAX_INLINE_BYTES {
        return view.get(4..4 + len);
    }
    // bytes 4 to 8 repeat the value's first four
    buffers.get(word(8)?)?.get(word(12)?..)?.get(..len)
}
