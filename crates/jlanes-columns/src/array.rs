//! Arrays: the columns that operations return. They own their buffers.

use core::fmt;

use crate::{
    Column, DataType, Error,
    allocation::{try_copy, try_with_capacity, try_zeros},
    bits::Bits,
};

/// The encoding of digests. It is part of a column's type, so that raw and hexadecimal digests cannot
/// be compared by mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// Raw bytes, as Arrow's Binary.
    #[default]
    Binary,
    /// Raw bytes, as Arrow's LargeBinary.
    LargeBinary,
    /// Raw bytes, as Arrow's FixedSizeBinary; null rows take space, too.
    FixedSizeBinary,
    /// Lower-case hexadecimal, as Arrow's Utf8.
    Hex,
    /// Lower-case hexadecimal, as Arrow's LargeUtf8.
    LargeHex,
}

impl Encoding {
    /// The type of a column of values of `width` bytes.
    #[must_use]
    pub fn data_type(self, width: usize) -> DataType {
        match self {
            Self::Binary => DataType::Binary,
            Self::LargeBinary => DataType::LargeBinary,
            Self::FixedSizeBinary => DataType::FixedSizeBinary(width),
            Self::Hex => DataType::Utf8,
            Self::LargeHex => DataType::LargeUtf8,
        }
    }

    pub(crate) fn is_hex(self) -> bool {
        matches!(self, Self::Hex | Self::LargeHex)
    }

    /// Bytes of an encoded value of `width` bytes.
    pub(crate) fn width(self, width: usize) -> Option<usize> {
        if self.is_hex() { width.checked_mul(2) } else { Some(width) }
    }
}

/// A column that owns its buffers: the result of an operation.
///
/// ```
/// use jlanes::Algorithm;
/// use jlanes_columns::{Column, Encoding, ColumnHasher};
///
/// let names = Column::utf8(&[0, 1, 2], b"ab")?.with_validity(&[0b01], 0)?;
/// let digests = ColumnHasher::new(Algorithm::SHA256)?.digest(&names, Encoding::Hex)?;
/// assert_eq!(digests.get(0).map(|hex| &hex[..8]), Some(&b"ca978112"[..]));
/// assert_eq!((digests.len(), digests.null_count(), digests.get(1)), (2, 1, None));
/// # Ok::<(), jlanes_columns::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Array {
    pub(crate) data_type: DataType,
    pub(crate) len: usize,
    pub(crate) nulls: Nulls,
    pub(crate) offsets: Offsets,
    pub(crate) values: Vec<u8>,
}

/// The null rows of a column.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Nulls {
    /// A bit for each row, 0 for null; `None` if no row is null.
    pub(crate) validity: Option<Vec<u8>>,
    pub(crate) count: usize,
}

/// The start of each value, and the end of the last one.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Offsets {
    None,
    Small(Vec<i32>),
    Large(Vec<i64>),
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // values may be derived keys, which are secret
        write!(f, "Array({:?}, {} rows, {} null)", self.data_type, self.len, self.nulls.count)
    }
}

impl Nulls {
    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let validity = self.validity.as_deref().map(try_copy).transpose()?;
        Ok(Self { validity, count: self.count })
    }

    pub(crate) fn bits(&self) -> Option<Bits<'_>> {
        self.validity.as_deref().map(Bits::of)
    }
}

impl Array {
    /// An array of zeros for values of `width` bytes before encoding.
    pub(crate) fn zeroed(
        len: usize,
        nulls: Nulls,
        width: usize,
        encoding: Encoding,
    ) -> Result<Self, Error> {
        let data_type = encoding.data_type(width);
        let width = encoding.width(width).ok_or(Error::TooLarge)?;
        let stored_rows = match encoding {
            Encoding::FixedSizeBinary => len,
            _ => len - nulls.count,
        };
        let bytes = stored_rows.checked_mul(width).ok_or(Error::TooLarge)?;
        let offsets = match encoding {
            Encoding::FixedSizeBinary => {
                i32::try_from(width).map_err(|_| Error::TooLarge)?; // Arrow's widths have 32 bits
                Offsets::None
            }
            Encoding::Binary | Encoding::Hex => {
                i32::try_from(bytes).map_err(|_| Error::TooLarge)?;
                Offsets::Small(offsets(len, &nulls, width as i32)?)
            }
            Encoding::LargeBinary | Encoding::LargeHex => {
                i64::try_from(bytes).map_err(|_| Error::TooLarge)?;
                Offsets::Large(offsets(len, &nulls, width as i64)?)
            }
        };
        Ok(Self { data_type, len, nulls, offsets, values: try_zeros(bytes)? })
    }

    /// The type: that of the [`Encoding`], or `Boolean` for verifications.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of null rows.
    #[must_use]
    pub fn null_count(&self) -> usize {
        self.nulls.count
    }

    /// Row `i` of an array of digests; `None` if it is null.
    ///
    /// # Panics
    /// If `i` is out of range.
    #[must_use]
    pub fn get(&self, i: usize) -> Option<&[u8]> {
        assert!(i < self.len, "row {i} of {}", self.len);
        if self.nulls.bits().is_some_and(|bits| !bits.get(i)) {
            return None;
        }
        match (&self.offsets, &self.data_type) {
            (Offsets::Small(offsets), _) => {
                Some(&self.values[offsets[i] as usize..offsets[i + 1] as usize])
            }
            (Offsets::Large(offsets), _) => {
                Some(&self.values[offsets[i] as usize..offsets[i + 1] as usize])
            }
            (Offsets::None, DataType::FixedSizeBinary(width)) => {
                Some(&self.values[i * width..][..*width])
            }
            (Offsets::None, _) => None,
        }
    }

    /// Row `i` of an array of booleans; `None` if it is null.
    ///
    /// # Panics
    /// If `i` is out of range.
    #[must_use]
    pub fn is_true(&self, i: usize) -> Option<bool> {
        assert!(i < self.len, "row {i} of {}", self.len);
        let null = self.nulls.bits().is_some_and(|bits| !bits.get(i));
        (self.data_type == DataType::Boolean && !null).then(|| Bits::of(&self.values).get(i))
    }

    /// The values' bytes: contiguous digests, or bits of booleans.
    #[must_use]
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// A bit per row, least significant first, 0 if it is null; `None` without null rows.
    #[must_use]
    pub fn validity(&self) -> Option<&[u8]> {
        self.nulls.validity.as_deref()
    }

    /// The array as a column.
    ///
    /// # Panics
    /// Never: a result is a well-formed column.
    #[must_use]
    pub fn as_column(&self) -> Column<'_> {
        let bytes = &self.values;
        let column = match (&self.offsets, &self.data_type) {
            (Offsets::Small(offsets), DataType::Utf8) => Column::utf8(offsets, bytes),
            (Offsets::Small(offsets), _) => Column::binary(offsets, bytes),
            (Offsets::Large(offsets), DataType::LargeUtf8) => Column::large_utf8(offsets, bytes),
            (Offsets::Large(offsets), _) => Column::large_binary(offsets, bytes),
            (Offsets::None, DataType::Boolean) => Column::boolean(bytes, 0, self.len),
            (Offsets::None, _) => Column::fixed(&self.data_type, bytes, self.len),
        };
        let column = column.and_then(|column| match &self.nulls.validity {
            Some(bits) => column.with_validity(bits, 0),
            None => Ok(column),
        });
        column.expect("an operation's result is a well-formed column")
    }
}

/// The offsets of values of `width`; null rows take no space.
fn offsets<T>(len: usize, nulls: &Nulls, width: T) -> Result<Vec<T>, Error>
where
    T: Copy + Default + core::ops::AddAssign,
{
    let mut at = T::default();
    let mut offsets = try_with_capacity(len.checked_add(1).ok_or(Error::TooLarge)?)?;
    offsets.push(at);
    match nulls.bits() {
        None => offsets.extend((0..len).map(|_| {
            at += width;
            at
        })),
        Some(bits) => offsets.extend((0..len).map(|i| {
            if bits.get(i) {
                at += width;
            }
            at
        })),
    }
    Ok(offsets)
}
