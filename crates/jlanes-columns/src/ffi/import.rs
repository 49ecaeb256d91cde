//! [`Imported`]: an array that another library passed in. Its columns borrow the buffers until it is released.

use core::{ffi::c_void, fmt, ops::Range};

use super::{ArrowArray, ArrowSchema, memory::Memory, schema::type_of};
use crate::{Column, DataType, Error, allocation::try_with_capacity, bits::Bits, column::Layout};

/// An array of another library; its columns borrow the buffers. Dropping it releases the array.
pub struct Imported {
    array: ArrowArray,
    data_type: DataType,
    memory: Memory,
}

impl fmt::Debug for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Imported({:?}, {} rows)", self.data_type, self.array.length)
    }
}

impl Imported {
    /// Takes ownership of an array. The schema is only read.
    ///
    /// # Errors
    /// If one of the two was released, or the type is not supported.
    ///
    /// # Safety
    /// Both are valid: a producer filled them according to the specification. Every pointer leads
    /// to what the specification says, and its target is not written to until the array is
    /// released. Buffers are as long as the array's offset and length, the last offset of strings,
    /// and the lengths of view buffers say.
    ///
    /// The contents of the buffers may be arbitrary.
    pub unsafe fn new(array: ArrowArray, schema: &ArrowSchema) -> Result<Self, Error> {
        // SAFETY: `with` has the contract of this function.
        unsafe { Self::with(array, schema, Memory::All) }
    }

    /// [`new`](Self::new) for untrusted structures: reading outside the given address ranges is an
    /// error.
    ///
    /// # Errors
    /// As `new`.
    ///
    /// # Safety
    /// The ranges are readable, initialised memory, and nobody writes to them until the array is
    /// released. The array's own `release`, if any, is sound. `array` and `schema` may lie outside
    /// the ranges.
    pub unsafe fn within(
        array: ArrowArray,
        schema: &ArrowSchema,
        ranges: Vec<Range<usize>>,
    ) -> Result<Self, Error> {
        // SAFETY: memory outside the ranges is not read, and everything else is readable.
        unsafe { Self::with(array, schema, Memory::Within(ranges)) }
    }

    /// # Safety
    /// As [`new`](Self::new), for pointers into the memory.
    unsafe fn with(array: ArrowArray, schema: &ArrowSchema, memory: Memory) -> Result<Self, Error> {
        // SAFETY: `schema` is valid for `memory`: this function's contract.
        let data_type = unsafe { type_of(schema, &memory) }?;
        // SAFETY: `array` is valid for `memory`: this function's contract.
        unsafe { Self::of_type(array, data_type, memory) }
    }

    /// # Safety
    /// As [`with`](Self::with).
    pub(super) unsafe fn of_type(
        array: ArrowArray,
        data_type: DataType,
        memory: Memory,
    ) -> Result<Self, Error> {
        if array.is_released() {
            return Err(Error::Released);
        }
        Ok(Self { array, data_type, memory })
    }

    /// The array as a column; a record batch is a column of structs.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn column(&self) -> Result<Column<'_>, Error> {
        // SAFETY: `with` got a valid array, and `self` keeps it until it is dropped.
        unsafe { column(&self.array, &self.data_type, &self.memory) }
    }

    /// The columns of a record batch, which is an array of structs; or the array's only column.
    ///
    /// # Errors
    /// If an array is malformed, or a struct is null, or there are rows without columns.
    pub fn columns(&self) -> Result<Vec<Column<'_>>, Error> {
        let whole = self.column()?;
        let DataType::Struct(_) = whole.data_type() else { return Ok(vec![whole]) };
        let (offset, len) = (whole.layout_and_offset().1, whole.len());
        if len > 0 && whole.children().is_empty() {
            return Err(Error::Buffers); // the columns would not say how many rows there are
        }
        if whole.validity().is_some_and(|bits| (0..len).any(|i| !bits.get(i))) {
            return Err(Error::NullRows);
        }
        whole.children().iter().map(|field| field.slice(offset, len)).collect()
    }

    /// The type; that of a record batch is a struct.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The number of rows.
    ///
    /// # Errors
    /// If it is negative.
    pub fn rows(&self) -> Result<usize, Error> {
        usize::try_from(self.array.length).map_err(|_| Error::Length)
    }

    /// The names of a record batch's columns; empty for other arrays.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let fields = match &self.data_type {
            DataType::Struct(fields) => &fields[..],
            _ => &[],
        };
        fields.iter().map(|(name, _)| &name[..])
    }

    /// Whether it is a record batch.
    #[must_use]
    pub fn is_batch(&self) -> bool {
        matches!(self.data_type, DataType::Struct(_))
    }
}

/// The index of the first row in the buffers, the number of rows, and the index after the last one.
fn extent(array: &ArrowArray) -> Result<(usize, usize, usize), Error> {
    let offset = usize::try_from(array.offset).map_err(|_| Error::Length)?;
    let len = usize::try_from(array.length).map_err(|_| Error::Length)?;
    Ok((offset, len, offset.checked_add(len).ok_or(Error::Length)?))
}

/// The array's pointers to buffers.
///
/// # Safety
/// As [`column`].
unsafe fn buffers<'a>(
    array: &'a ArrowArray,
    memory: &Memory,
) -> Result<&'a [*const c_void], Error> {
    let count = usize::try_from(array.n_buffers).map_err(|_| Error::Buffers)?;
    // SAFETY: the array has `count` pointers.
    unsafe { memory.values(array.buffers.cast_const(), count) }
}

/// The bytes of the array's validity bits, if it may have nulls.
///
/// # Safety
/// As [`column`]; the pointer leads to `end` bits.
unsafe fn validity_bytes<'a>(
    array: &'a ArrowArray,
    validity: *const c_void,
    end: usize,
    memory: &Memory,
) -> Result<Option<&'a [u8]>, Error> {
    if array.null_count == 0 || (array.null_count < 0 && validity.is_null()) {
        return Ok(None);
    }
    // SAFETY: the pointer leads to `end` bits.
    unsafe { memory.bytes(validity, end.div_ceil(8)) }.map(Some)
}

/// The array as a column of a type.
///
/// # Safety
/// The array is valid: its pointers lead to what the specification says, or out of the memory.
unsafe fn column<'a>(
    array: &'a ArrowArray,
    data_type: &DataType,
    memory: &Memory,
) -> Result<Column<'a>, Error> {
    let (offset, len, end) = extent(array)?;
    // SAFETY: `array` is valid: this function's contract.
    let buffers = unsafe { buffers(array, memory) }?;
    // by the specification it has no buffers; Polars exports one
    if *data_type == DataType::Null {
        return Ok(Column::null(len));
    }
    // SAFETY: these are the buffers of `array`, which is valid: this function's contract.
    let layout = unsafe { layout(array, data_type, (buffers, len, end), memory) }?;
    let column = Column::new(data_type.clone(), layout, offset, len)?;
    let [validity, ..] = buffers else { return Err(Error::Buffers) };
    // SAFETY: the first buffer of all these types has one bit per row.
    match unsafe { validity_bytes(array, *validity, end, memory) }? {
        Some(bits) => column.with_validity(bits, offset),
        None => Ok(column),
    }
}

/// The buffers and children of an array of any type but null.
///
/// # Safety
/// As [`column`]; `buffers` are the array's, which has `len` rows up to index `end`.
unsafe fn layout<'a>(
    array: &'a ArrowArray,
    data_type: &DataType,
    (buffers, len, end): (&[*const c_void], usize, usize),
    memory: &Memory,
) -> Result<Layout<'a>, Error> {
    let rows = |width: usize| end.checked_mul(width).ok_or(Error::Length);
    Ok(match (data_type, buffers) {
        (DataType::Boolean, [_, bits]) => {
            // SAFETY: the buffer has one bit per row.
            let bytes = unsafe { memory.bytes(*bits, end.div_ceil(8)) }?;
            Layout::Bits(Bits::new(bytes, 0, end)?)
        }
        (DataType::Utf8 | DataType::Binary, [_, offsets, bytes]) => {
            // SAFETY: the buffers are offsets of 32 bits, and the bytes up to the last offset.
            let (offsets, bytes) = unsafe { strings::<4>(*offsets, *bytes, len, end, memory) }?;
            Layout::Offsets { offsets, bytes }
        }
        (DataType::LargeUtf8 | DataType::LargeBinary, [_, offsets, bytes]) => {
            // SAFETY: the buffers are offsets of 64 bits, and the bytes up to the last offset.
            let (offsets, bytes) = unsafe { strings::<8>(*offsets, *bytes, len, end, memory) }?;
            Layout::LargeOffsets { offsets, bytes }
        }
        (DataType::Utf8View | DataType::BinaryView, [_, views, buffers @ .., sizes]) => {
            // SAFETY: the buffer has one view per row.
            let views = unsafe { memory.bytes(*views, rows(16)?) }?;
            // SAFETY: the last buffer has the sizes of the earlier ones.
            Layout::Views { views, buffers: unsafe { view_buffers(buffers, *sizes, memory) }? }
        }
        (DataType::List(of) | DataType::LargeList(of), [_, offsets]) => {
            let large = matches!(data_type, DataType::LargeList(_));
            let width = if large { 8 } else { 4 };
            let size = match len {
                0 => 0, // they may be missing
                _ => rows(width)?.checked_add(width).ok_or(Error::Length)?,
            };
            // SAFETY: the buffer has an offset per row, and the last one's end.
            let offsets = unsafe { memory.bytes(*offsets, size) }?;
            // SAFETY: `array` is valid: this function's contract.
            Layout::List { offsets, large, items: unsafe { items(array, of, memory) }? }
        }
        (DataType::FixedSizeList(of, count), [_]) => {
            // SAFETY: `array` is valid: this function's contract.
            let items = unsafe { items(array, of, memory) }?;
            Layout::FixedSizeList { count: *count, items }
        }
        (DataType::Struct(fields), [_]) => {
            let fields: Vec<_> = fields.iter().map(|(_, of)| of).collect();
            // SAFETY: `array` is valid: this function's contract.
            Layout::Struct(unsafe { children(array, &fields, memory) }?)
        }
        (DataType::Dictionary(index, of), [_, indices]) => {
            let width = index.number_width().ok_or(Error::Buffers)?;
            // SAFETY: the buffer has one index per row.
            let indices = unsafe { memory.bytes(*indices, rows(width)?) }?;
            // SAFETY: an array of this type has a pointer to its values.
            let values = unsafe { memory.value(array.dictionary.cast_const()) }?;
            // SAFETY: the dictionary of a valid array is valid, and its values are not a
            // dictionary.
            let values = Box::new(unsafe { column(values, of, memory) }?);
            Layout::Dictionary { indices, index_type: (**index).clone(), values }
        }
        (fixed, [_, bytes]) => {
            let width = match fixed {
                DataType::FixedSizeBinary(width) => Some(*width),
                number => number.number_width(),
            };
            let width = width.ok_or(Error::Buffers)?;
            // SAFETY: the buffer has `width` bytes per row.
            Layout::Fixed { bytes: unsafe { memory.bytes(*bytes, rows(width)?) }?, width }
        }
        _ => return Err(Error::Buffers),
    })
}

/// The buffers that views point into, by the buffer of their sizes.
///
/// # Safety
/// As [`column`]; `sizes` leads to the sizes of `buffers`.
unsafe fn view_buffers<'a>(
    buffers: &[*const c_void],
    sizes: *const c_void,
    memory: &Memory,
) -> Result<Vec<&'a [u8]>, Error> {
    // SAFETY: there is a size of eight bytes for each buffer: this function's contract.
    let sizes = unsafe { memory.bytes(sizes, buffers.len() * 8) }?;
    let mut list = try_with_capacity(buffers.len())?;
    for (buffer, size) in buffers.iter().zip(sizes.as_chunks().0) {
        let size = usize::try_from(i64::from_ne_bytes(*size)).map_err(|_| Error::Length)?;
        // SAFETY: the buffer has `size` bytes.
        list.push(unsafe { memory.bytes(*buffer, size) }?);
    }
    Ok(list)
}

/// The children of an array of nested values.
///
/// # Safety
/// As [`column`].
unsafe fn children<'a>(
    array: &'a ArrowArray,
    types: &[&DataType],
    memory: &Memory,
) -> Result<Vec<Column<'a>>, Error> {
    if usize::try_from(array.n_children) != Ok(types.len()) {
        return Err(Error::Buffers);
    }
    // SAFETY: the array has one pointer per child.
    let pointers = unsafe { memory.values(array.children.cast_const(), types.len()) }?;
    let mut children = try_with_capacity(types.len())?;
    for (pointer, of) in pointers.iter().zip(types) {
        // SAFETY: the pointer leads to an array.
        let child = unsafe { memory.value(pointer.cast_const()) }?;
        // SAFETY: a child of a valid array is valid.
        children.push(unsafe { column(child, of, memory) }?);
    }
    Ok(children)
}

/// The child of an array of lists.
///
/// # Safety
/// As [`column`].
unsafe fn items<'a>(
    array: &'a ArrowArray,
    of: &DataType,
    memory: &Memory,
) -> Result<Box<Column<'a>>, Error> {
    // SAFETY: `array` is valid: this function's contract.
    let items = unsafe { children(array, &[of], memory) }?.pop();
    items.map(Box::new).ok_or(Error::Buffers)
}

/// Offsets of `N` bytes, and the bytes up to the last one.
///
/// # Safety
/// As [`column`]; if there are rows, there are offsets up to index `end`.
unsafe fn strings<'a, const N: usize>(
    offsets: *const c_void,
    bytes: *const c_void,
    len: usize,
    end: usize,
    memory: &Memory,
) -> Result<(&'a [u8], &'a [u8]), Error> {
    if len == 0 {
        return Ok((&[], &[]));
    }
    let size = end.checked_add(1).and_then(|count| count.checked_mul(N)).ok_or(Error::Length)?;
    // SAFETY: there are rows, and so offsets up to index `end`: this function's contract.
    let offsets = unsafe { memory.bytes(offsets, size) }?;
    let last = match offsets[size - N..].first_chunk() {
        Some(word) => i64::from_ne_bytes(*word),
        None => offsets.last_chunk().map_or(-1, |word| i32::from_ne_bytes(*word).into()),
    };
    let last = usize::try_from(last).map_err(|_| Error::Offsets(len - 1))?;
    // SAFETY: the last offset is the number of bytes.
    Ok((offsets, unsafe { memory.bytes(bytes, last) }?))
}
