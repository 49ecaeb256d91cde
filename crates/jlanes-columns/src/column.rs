//! Columns in Arrow's layouts, over borrowed memory.

use core::{fmt, ops::Range, ptr};

use crate::{DataType, Error, bits::Bits};

mod values;

pub(crate) use values::read;

/// A column: rows of one type, possibly null, in one of Arrow's layouts.
///
/// A column borrows its buffers and does not trust their contents: an offset, view or index out of
/// bounds is an [`Error`] of the constructor or of the operation that reads it. Text is not checked
/// for valid UTF-8, and nothing here depends on it.
///
/// ```
/// use jlanes_columns::Column;
///
/// let names = Column::utf8(&[0, 3, 6, 11], b"onetwothree")?;
/// assert_eq!(names.get(2)?, Some(&b"three"[..]));
/// let some = names.with_validity(&[0b011], 0)?.slice(1, 2)?;
/// assert_eq!((some.len(), some.get(0)?, some.get(1)?), (2, Some(&b"two"[..]), None));
/// # Ok::<(), jlanes_columns::Error>(())
/// ```
#[derive(Clone)]
pub struct Column<'a> {
    data_type: DataType,
    layout: Layout<'a>,
    validity: Option<Bits<'a>>,
    offset: usize,
    len: usize,
}

/// The buffers with the values. Numbers are read bytewise, so they need no alignment.
#[derive(Clone)]
pub(crate) enum Layout<'a> {
    /// No values: all rows are null.
    Null,
    /// A bit per row.
    Bits(Bits<'a>),
    /// `width` bytes per row.
    Fixed { bytes: &'a [u8], width: usize },
    /// Bytes between offsets of 32 bits.
    Offsets { offsets: &'a [u8], bytes: &'a [u8] },
    /// Bytes between offsets of 64 bits.
    LargeOffsets { offsets: &'a [u8], bytes: &'a [u8] },
    /// 16 bytes per row: a length, and the value or its place in a buffer.
    Views { views: &'a [u8], buffers: Vec<&'a [u8]> },
    /// An index per row, and the column with the values.
    Dictionary { indices: &'a [u8], index_type: DataType, values: Box<Column<'a>> },
    /// Items between offsets of 32 or 64 bits.
    List { offsets: &'a [u8], large: bool, items: Box<Column<'a>> },
    /// `count` items per row.
    FixedSizeList { count: usize, items: Box<Column<'a>> },
    /// A value of each field per row.
    Struct(Vec<Column<'a>>),
}

impl fmt::Debug for Column<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // values may be secret
        write!(f, "Column({:?}, {} rows)", self.data_type, self.len)
    }
}

impl<'a> Column<'a> {
    /// A column of `len` rows, starting at row `offset` of the buffers.
    pub(crate) fn new(
        data_type: DataType,
        layout: Layout<'a>,
        offset: usize,
        len: usize,
    ) -> Result<Self, Error> {
        let end = offset.checked_add(len).ok_or(Error::Length)?;
        let (buffer, width, entries) = match &layout {
            Layout::Null | Layout::Bits(_) => (&[][..], 0, 0),
            Layout::Fixed { bytes, width } => (*bytes, *width, end),
            Layout::Offsets { offsets, .. } if len > 0 => (*offsets, 4, end + 1),
            Layout::LargeOffsets { offsets, .. } if len > 0 => (*offsets, 8, end + 1),
            // an empty column may lack offsets
            Layout::Offsets { .. } | Layout::LargeOffsets { .. } => (&[][..], 0, 0),
            Layout::Views { views, .. } => (*views, 16, end),
            Layout::Dictionary { indices, index_type, values } => {
                let width = index_type.number_width().filter(|_| index_type.is_index());
                match width {
                    Some(width) if values.is_flat() => (*indices, width, end),
                    _ => return Err(Error::Type(data_type.format())),
                }
            }
            Layout::List { offsets, large, .. } if len > 0 => {
                (*offsets, if *large { 8 } else { 4 }, end + 1)
            }
            Layout::List { .. } => (&[][..], 0, 0),
            Layout::FixedSizeList { count, items } => {
                let rows = end.checked_mul(*count).ok_or(Error::Length)?;
                check_child(items, rows)?;
                (&[][..], 0, 0)
            }
            Layout::Struct(fields) => {
                fields.iter().try_for_each(|field| check_child(field, end))?;
                (&[][..], 0, 0)
            }
        };
        let bytes = entries.checked_mul(width).ok_or(Error::Length)?;
        if buffer.len() < bytes {
            return Err(Error::Length);
        }
        Ok(Self { data_type, layout, validity: None, offset, len })
    }

    /// Text between offsets: row `i` is bytes `offsets[i]` to `offsets[i + 1]`.
    ///
    /// # Errors
    /// If there are no offsets.
    pub fn utf8(offsets: &'a [i32], bytes: &'a [u8]) -> Result<Self, Error> {
        Self::by_offsets(DataType::Utf8, offsets, bytes)
    }

    /// Bytes between offsets.
    ///
    /// # Errors
    /// If there are no offsets.
    pub fn binary(offsets: &'a [i32], bytes: &'a [u8]) -> Result<Self, Error> {
        Self::by_offsets(DataType::Binary, offsets, bytes)
    }

    /// Text between offsets of 64 bits.
    ///
    /// # Errors
    /// If there are no offsets.
    pub fn large_utf8(offsets: &'a [i64], bytes: &'a [u8]) -> Result<Self, Error> {
        Self::by_large_offsets(DataType::LargeUtf8, offsets, bytes)
    }

    /// Bytes between offsets of 64 bits.
    ///
    /// # Errors
    /// If there are no offsets.
    pub fn large_binary(offsets: &'a [i64], bytes: &'a [u8]) -> Result<Self, Error> {
        Self::by_large_offsets(DataType::LargeBinary, offsets, bytes)
    }

    fn by_offsets(data_type: DataType, offsets: &'a [i32], bytes: &'a [u8]) -> Result<Self, Error> {
        let len = offsets.len().checked_sub(1).ok_or(Error::Length)?;
        let offsets = bytemuck::cast_slice(offsets);
        Self::new(data_type, Layout::Offsets { offsets, bytes }, 0, len)
    }

    fn by_large_offsets(
        data_type: DataType,
        offsets: &'a [i64],
        bytes: &'a [u8],
    ) -> Result<Self, Error> {
        let len = offsets.len().checked_sub(1).ok_or(Error::Length)?;
        let offsets = bytemuck::cast_slice(offsets);
        Self::new(data_type, Layout::LargeOffsets { offsets, bytes }, 0, len)
    }

    /// Text by views of 16 bytes: a length of 32 bits, and then either up to 12 bytes of text, or
    /// its first four bytes, the index of a buffer and an offset in it. Their numbers are in the
    /// machine's byte order, as in Arrow's C data interface.
    ///
    /// # Errors
    /// None, so far.
    pub fn utf8_view(views: &'a [u128], buffers: Vec<&'a [u8]>) -> Result<Self, Error> {
        let layout = Layout::Views { views: bytemuck::cast_slice(views), buffers };
        Self::new(DataType::Utf8View, layout, 0, views.len())
    }

    /// Bytes by views.
    ///
    /// # Errors
    /// None, so far.
    pub fn binary_view(views: &'a [u128], buffers: Vec<&'a [u8]>) -> Result<Self, Error> {
        let layout = Layout::Views { views: bytemuck::cast_slice(views), buffers };
        Self::new(DataType::BinaryView, layout, 0, views.len())
    }

    /// Contiguous values of `width` bytes.
    ///
    /// # Errors
    /// If `width` is 0, or does not divide the number of bytes.
    pub fn fixed_size_binary(bytes: &'a [u8], width: usize) -> Result<Self, Error> {
        if width == 0 || !bytes.len().is_multiple_of(width) {
            return Err(Error::Length);
        }
        let rows = bytes.len() / width;
        Self::new(DataType::FixedSizeBinary(width), Layout::Fixed { bytes, width }, 0, rows)
    }

    /// `len` values of the type's width.
    pub(crate) fn fixed(data_type: &DataType, bytes: &'a [u8], len: usize) -> Result<Self, Error> {
        let width = match data_type {
            DataType::FixedSizeBinary(width) => Some(*width),
            number => number.number_width(),
        };
        let width = width.ok_or_else(|| Error::Type(data_type.format()))?;
        Self::new(data_type.clone(), Layout::Fixed { bytes, width }, 0, len)
    }

    /// Numbers in their memory representation: integers, floats, dates and times.
    ///
    /// # Errors
    /// If `data_type` is another type, or its width does not divide the number of bytes.
    pub fn numbers(data_type: DataType, bytes: &'a [u8]) -> Result<Self, Error> {
        let width = data_type.number_width().ok_or_else(|| Error::Type(data_type.format()))?;
        if !bytes.len().is_multiple_of(width) {
            return Err(Error::Length);
        }
        Self::new(data_type, Layout::Fixed { bytes, width }, 0, bytes.len() / width)
    }

    /// `len` booleans from bit `offset` of `bits` on, least significant first.
    ///
    /// # Errors
    /// If there are fewer bits.
    pub fn boolean(bits: &'a [u8], offset: usize, len: usize) -> Result<Self, Error> {
        let bits = Bits::new(bits, offset, len)?;
        Self::new(DataType::Boolean, Layout::Bits(bits), 0, len)
    }

    /// `len` null rows.
    #[must_use]
    pub fn null(len: usize) -> Self {
        Self { data_type: DataType::Null, layout: Layout::Null, validity: None, offset: 0, len }
    }

    /// Rows that are indices into `values`. Digests are computed once per value.
    ///
    /// ```
    /// use jlanes_columns::{Column, DataType};
    ///
    /// let indices = Column::numbers(DataType::UInt8, &[1, 0, 1])?;
    /// let colours = Column::dictionary(&indices, Column::utf8(&[0, 3, 7], b"redblue")?)?;
    /// assert_eq!((colours.len(), colours.get(2)?), (3, Some(&b"blue"[..])));
    /// # Ok::<(), jlanes_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `indices` are not integers, or `values` is a dictionary or nested.
    pub fn dictionary(indices: &Column<'a>, values: Column<'a>) -> Result<Self, Error> {
        let Layout::Fixed { bytes, .. } = indices.layout else {
            return Err(Error::Type(indices.data_type.format()));
        };
        let index_type = indices.data_type.clone();
        let data_type =
            DataType::Dictionary(Box::new(index_type.clone()), Box::new(values.data_type.clone()));
        let layout = Layout::Dictionary { indices: bytes, index_type, values: Box::new(values) };
        let column = Self::new(data_type, layout, indices.offset, indices.len)?;
        Ok(Self { validity: indices.validity, ..column })
    }

    /// Marks row `i` as null if bit `offset + i` of `bits` is 0, the least significant bit first.
    ///
    /// # Errors
    /// If there are fewer bits.
    pub fn with_validity(self, bits: &'a [u8], offset: usize) -> Result<Self, Error> {
        Ok(Self { validity: Some(Bits::new(bits, offset, self.len)?), ..self })
    }

    /// `len` rows from row `offset` on, without copying.
    ///
    /// # Errors
    /// If there are fewer rows.
    pub fn slice(&self, offset: usize, len: usize) -> Result<Self, Error> {
        if offset.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(Error::Length);
        }
        let validity = self.validity.map(|bits| bits.skip(offset));
        Ok(Self { validity, offset: self.offset + offset, len, ..self.clone() })
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

    /// An upper bound of the bytes of the values: the sizes of the buffers that they are in.
    ///
    /// ```
    /// use jlanes_columns::Column;
    ///
    /// assert_eq!(Column::utf8(&[0, 3, 5], b"AdaBo")?.size(), 5);
    /// # Ok::<(), jlanes_columns::Error>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> usize {
        Self::common_size(core::slice::from_ref(self))
    }

    /// The size of several columns, in which shared memory counts once.
    pub(crate) fn common_size(columns: &[Self]) -> usize {
        let mut ranges = Vec::new();
        columns.iter().for_each(|column| column.add_ranges(&mut ranges));
        ranges.sort_unstable_by_key(|range| range.start);
        let mut end = ptr::null();
        let new = ranges.iter().map(|range| {
            let first = range.start.max(end);
            end = range.end.max(end);
            end.addr() - first.addr()
        });
        new.sum()
    }

    /// Appends the buffers with the values.
    fn add_ranges(&self, out: &mut Vec<Range<*const u8>>) {
        match &self.layout {
            Layout::Null => {}
            Layout::Bits(bits) => out.push(bits.bytes().as_ptr_range()),
            Layout::Fixed { bytes, .. }
            | Layout::Offsets { bytes, .. }
            | Layout::LargeOffsets { bytes, .. } => out.push(bytes.as_ptr_range()),
            Layout::Views { views, buffers } => {
                out.push(views.as_ptr_range());
                out.extend(buffers.iter().map(|buffer| buffer.as_ptr_range()));
            }
            Layout::Dictionary { values, .. } => values.add_ranges(out),
            _ => self.children().iter().for_each(|child| child.add_ranges(out)),
        }
    }

    /// The type.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// Row `i` of text, bytes or numbers (in native byte order); `None` if it is null.
    ///
    /// # Errors
    /// If the value is out of the buffers' bounds, or the type has no values.
    ///
    /// # Panics
    /// If `i` is out of range.
    pub fn get(&self, i: usize) -> Result<Option<&'a [u8]>, Error> {
        assert!(i < self.len, "row {i} of {}", self.len);
        if self.is_null(i)? { Ok(None) } else { self.value(i).map(Some) }
    }

    /// Whether row `i` is null, directly or through its dictionary.
    pub(crate) fn is_null(&self, i: usize) -> Result<bool, Error> {
        if self.validity.is_some_and(|bits| !bits.get(i)) {
            return Ok(true);
        }
        match &self.layout {
            Layout::Null => Ok(true),
            Layout::Dictionary { values, .. } if values.is_nullable() => {
                values.is_null(self.index(i)?)
            }
            _ => Ok(false),
        }
    }

    /// Whether rows can be null, directly or through the dictionary.
    pub(crate) fn is_nullable(&self) -> bool {
        match &self.layout {
            Layout::Null => true,
            Layout::Dictionary { values, .. } => self.validity.is_some() || values.is_nullable(),
            _ => self.validity.is_some(),
        }
    }

    /// The row's own validity bits.
    pub(crate) fn validity(&self) -> Option<Bits<'a>> {
        self.validity
    }

    /// The values of the dictionary, if the column is one.
    pub(crate) fn dictionary_values(&self) -> Option<&Column<'a>> {
        match &self.layout {
            Layout::Dictionary { values, .. } => Some(values),
            _ => None,
        }
    }

    /// The layout, and the index of the first row in its buffers.
    pub(crate) fn layout_and_offset(&self) -> (&Layout<'a>, usize) {
        (&self.layout, self.offset)
    }

    /// The bit of row `i` of a column of booleans.
    pub(crate) fn bit(&self, i: usize) -> Option<bool> {
        match &self.layout {
            Layout::Bits(bits) => Some(bits.get(self.offset + i)),
            _ => None,
        }
    }

    /// Checks that operations on bytes accept the column.
    pub(crate) fn check_is_message(&self) -> Result<(), Error> {
        let values = self.dictionary_values().unwrap_or(self);
        match values.data_type.meaning().is_message() {
            true => Ok(()),
            false => Err(Error::Type(values.data_type.format())),
        }
    }
}

/// Checks that a column of items or of a field has enough rows for the column that contains it.
fn check_child(child: &Column<'_>, rows: usize) -> Result<(), Error> {
    if child.len() < rows { Err(Error::Length) } else { Ok(()) }
}
