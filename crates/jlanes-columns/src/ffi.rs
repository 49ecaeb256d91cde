//! Arrow's C data interface: arrays, schemas and streams that other libraries hand over, and results
//! that are handed to them, without copying.
//!
//! The structures are those of the [specification](https://arrow.apache.org/docs/format/CDataInterface.html),
//! byte for byte. They say how long an array is, but not how long its buffers are: that these are as
//! long as the array needs is a promise of whoever made it, which is why importing is `unsafe`. All
//! else is checked.
//!
//! Structures have the layout that C gives them: code that has a pointer to one casts it to a pointer
//! to the type here. A consumer moves what it gets out of the producer's memory with `take`.
//!
//! ```
//! use jlanes::Algorithm;
//! use jlanes_columns::{Column, Encoding, Kernel, ffi};
//!
//! let names = Column::utf8(&[0, 3, 6], b"onetwo")?;
//! let digests = Kernel::new(Algorithm::SHA256)?.digest(&names, Encoding::Hex)?;
//!
//! // what goes over the border, and comes back
//! let schema = ffi::ArrowSchema::of(digests.data_type(), "digest");
//! let array = ffi::ArrowArray::from(digests.clone());
//! // SAFETY: the array was exported here, with this schema.
//! let imported = unsafe { ffi::Imported::new(array, &schema) }?;
//! assert_eq!(imported.column()?.get(1)?, digests.get(1));
//! # Ok::<(), jlanes_columns::Error>(())
//! ```
#![allow(unsafe_code)]

use core::{
    ffi::{CStr, c_char, c_int, c_void},
    fmt, mem,
    ops::Range,
    ptr, slice,
};
use std::{
    ffi::CString,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{
    Array, Column, DataType, Error, array::Offsets, bits::Bits, column::Layout, room::list,
};

/// Arrow's `struct ArrowSchema`: the type of an array.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// Arrow's `struct ArrowArray`: the buffers of an array.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// Arrow's `struct ArrowArrayStream`: arrays of one type that come one after the other.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// The flag of fields that may be null.
const NULLABLE: i64 = 2;

/// The code of a stream whose producer failed, `EIO`.
const EIO: c_int = 5;

/// The longest format that is read: there is room for the name of a time zone.
const MAX_FORMAT: usize = 1024;

/// What the three structures have in common.
macro_rules! structure {
    ($name:ident { $($field:ident: $empty:expr),* $(,)? }) => {
        impl $name {
            /// A structure that was released: what a producer fills.
            #[must_use]
            pub const fn empty() -> Self {
                Self { $($field: $empty,)* release: None, private_data: ptr::null_mut() }
            }

            /// Moves the structure out, and leaves one that was released.
            #[must_use]
            pub fn take(&mut self) -> Self {
                mem::replace(self, Self::empty())
            }

            /// Whether it was released, or moved out.
            #[must_use]
            pub fn is_released(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the structure was made here, or filled by a producer in memory that
                    // unsafe code has called one; it was not released, and this is how a consumer
                    // ends it.
                    unsafe { release(self) };
                }
            }
        }

        // SAFETY: the specification lets consumers use and release a structure on any thread, one
        // at a time, which exclusive access or ownership gives them.
        unsafe impl Send for $name {}
    };
}
structure!(ArrowSchema {
    format: ptr::null(),
    name: ptr::null(),
    metadata: ptr::null(),
    flags: 0,
    n_children: 0,
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
});
structure!(ArrowArray {
    length: 0,
    null_count: 0,
    offset: 0,
    n_buffers: 0,
    n_children: 0,
    buffers: ptr::null_mut(),
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
});
structure!(ArrowArrayStream { get_schema: None, get_next: None, get_last_error: None });

// SAFETY: an array's buffers are not written while it is not released, so threads may read it at
// the same time; nothing here writes to it through a shared reference.
unsafe impl Sync for ArrowArray {}
// SAFETY: as an array's.
unsafe impl Sync for ArrowSchema {}

/// The memory that an import may read.
#[derive(Clone, Debug)]
enum Memory {
    /// All that structures and offsets lead to.
    All,
    /// Only what lies in these addresses.
    Within(Vec<Range<usize>>),
}

impl Memory {
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
    unsafe fn values<'a, T>(&self, at: *const T, count: usize) -> Result<&'a [T], Error> {
        if count == 0 {
            return Ok(&[]);
        }
        let bytes = count.checked_mul(size_of::<T>()).ok_or(Error::Length)?;
        self.check(at.addr(), bytes)?;
        if !at.is_aligned() {
            return Err(Error::Buffers);
        }
        // SAFETY: the pointer is not null and aligned, and the values are no more than
        // `isize::MAX` bytes that do not go around the end of memory. That they are there for
        // `'a` is the caller's promise.
        Ok(unsafe { slice::from_raw_parts(at, count) })
    }

    /// A structure.
    ///
    /// # Safety
    /// As [`values`](Self::values).
    unsafe fn value<'a, T>(&self, at: *const T) -> Result<&'a T, Error> {
        // SAFETY: the caller's promise is the same.
        let values = unsafe { self.values(at, 1) };
        values?.first().ok_or(Error::Buffers)
    }

    /// A buffer of bytes.
    ///
    /// # Safety
    /// As [`values`](Self::values).
    unsafe fn bytes<'a>(&self, at: *const c_void, len: usize) -> Result<&'a [u8], Error> {
        // SAFETY: the caller's promise is the same.
        unsafe { self.values(at.cast(), len) }
    }

    /// A text that ends with a zero.
    ///
    /// # Safety
    /// As [`values`](Self::values), up to the zero.
    unsafe fn text(&self, at: *const c_char) -> Result<String, Error> {
        let mut text = Vec::new();
        while text.len() < MAX_FORMAT {
            // SAFETY: no byte before was zero, so this one is a part of the text.
            let byte = unsafe { self.bytes(at.wrapping_add(text.len()).cast(), 1) };
            match byte? {
                [0] => return Ok(String::from_utf8_lossy(&text).into_owned()),
                byte => text.extend(byte),
            }
        }
        Err(Error::Format(String::from_utf8_lossy(&text).into_owned()))
    }
}

/// The type of an array, or of a record batch.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Column(DataType),
    Struct(Vec<(String, DataType)>),
}

impl Type {
    /// # Safety
    /// The schema is whole: its pointers lead to what the specification says, or out of the memory.
    unsafe fn of(schema: &ArrowSchema, memory: &Memory) -> Result<Self, Error> {
        if schema.is_released() {
            return Err(Error::Released);
        }
        // SAFETY: the schema has a format.
        let format = unsafe { memory.text(schema.format) }?;
        if format != "+s" {
            // SAFETY: the caller's promise is the same.
            return Ok(Self::Column(unsafe { column_type(schema, memory) }?));
        }
        let count = usize::try_from(schema.n_children).map_err(|_| Error::Buffers)?;
        // SAFETY: the schema has so many pointers to children.
        let children = unsafe { memory.values(schema.children, count) }?;
        let mut fields = list(count)?;
        for child in children {
            // SAFETY: the pointer leads to a schema.
            let child = unsafe { memory.value(child.cast_const()) }?;
            let name = match child.name.is_null() {
                true => String::new(),
                // SAFETY: the schema has a name.
                false => unsafe { memory.text(child.name) }?,
            };
            // SAFETY: a child of a whole schema is whole.
            fields.push((name, unsafe { column_type(child, memory) }?));
        }
        Ok(Self::Struct(fields))
    }
}

/// The type of a schema that is no struct's.
///
/// # Safety
/// As [`Type::of`].
unsafe fn column_type(schema: &ArrowSchema, memory: &Memory) -> Result<DataType, Error> {
    // SAFETY: the schema has a format.
    let plain = DataType::parse(&unsafe { memory.text(schema.format) }?)?;
    if schema.dictionary.is_null() {
        return Ok(plain);
    }
    // SAFETY: the pointer leads to a schema.
    let values = unsafe { memory.value(schema.dictionary.cast_const()) }?;
    if !plain.is_index() || !values.dictionary.is_null() {
        return Err(Error::Type(plain.format()));
    }
    // SAFETY: the schema has a format.
    let values = DataType::parse(&unsafe { memory.text(values.format) }?)?;
    Ok(DataType::Dictionary(Box::new(plain), Box::new(values)))
}

/// An array that another library made, whose buffers its columns borrow. It is released when this
/// is dropped.
pub struct Imported {
    array: ArrowArray,
    data_type: Type,
    memory: Memory,
}

impl fmt::Debug for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Imported({:?}, {} rows)", self.data_type, self.array.length)
    }
}

impl Imported {
    /// Takes an array over. The schema is only read.
    ///
    /// # Errors
    /// If one of the two was released, or the type is none that is known here.
    ///
    /// # Safety
    /// Both are whole: they were filled by a producer as the specification says. Every pointer leads
    /// to what it says, and stays so, without being written to, until the array is released. Buffers
    /// are as long as the array's offset and length, the last offset of strings, and the lengths of
    /// view buffers say.
    ///
    /// What the buffers have in them need not be right.
    pub unsafe fn new(array: ArrowArray, schema: &ArrowSchema) -> Result<Self, Error> {
        // SAFETY: the caller's promise is the same.
        unsafe { Self::with(array, schema, Memory::All) }
    }

    /// [`new`](Self::new) for structures that need not be right either: what does not lie in one of
    /// the given ranges of addresses is not read, and an error.
    ///
    /// # Errors
    /// As `new`.
    ///
    /// # Safety
    /// The ranges are readable memory, initialised, and nobody writes to them until the array is
    /// released, which its own `release` does in an orderly way, if it has one. `array` and `schema`
    /// themselves need not lie in them.
    pub unsafe fn within(
        array: ArrowArray,
        schema: &ArrowSchema,
        ranges: Vec<Range<usize>>,
    ) -> Result<Self, Error> {
        // SAFETY: what is not within the memory is not read, and all else is readable.
        unsafe { Self::with(array, schema, Memory::Within(ranges)) }
    }

    /// # Safety
    /// As [`new`](Self::new), as far as pointers lead into the memory.
    unsafe fn with(array: ArrowArray, schema: &ArrowSchema, memory: Memory) -> Result<Self, Error> {
        // SAFETY: the caller's promise is the same.
        let data_type = unsafe { Type::of(schema, &memory) }?;
        // SAFETY: the caller's promise is the same.
        unsafe { Self::of_type(array, data_type, memory) }
    }

    /// # Safety
    /// As [`with`](Self::with).
    unsafe fn of_type(array: ArrowArray, data_type: Type, memory: Memory) -> Result<Self, Error> {
        if array.is_released() {
            return Err(Error::Released);
        }
        Ok(Self { array, data_type, memory })
    }

    /// The array as a column.
    ///
    /// # Errors
    /// If it is a record batch, or malformed.
    pub fn column(&self) -> Result<Column<'_>, Error> {
        match &self.data_type {
            // SAFETY: the array is whole, which was promised when it was imported.
            Type::Column(data_type) => unsafe { column(&self.array, data_type, &self.memory) },
            Type::Struct(_) => Err(Error::Type("+s".into())),
        }
    }

    /// The columns of a record batch, which is an array of structs; or the array's only column.
    ///
    /// # Errors
    /// If an array is malformed, or a struct is null.
    pub fn columns(&self) -> Result<Vec<Column<'_>>, Error> {
        let Type::Struct(fields) = &self.data_type else {
            return Ok(vec![self.column()?]);
        };
        let (batch, memory) = (&self.array, &self.memory);
        let (offset, len, end) = extent(batch)?;
        // SAFETY: the array has so many buffers.
        let buffers = unsafe { buffers(batch, memory) }?;
        let [validity] = buffers else { return Err(Error::Buffers) };
        // SAFETY: the buffer has a bit a row.
        if let Some(bits) = unsafe { bits(batch, *validity, end, memory) }? {
            let bits = Bits::new(bits, offset, len)?;
            if (0..len).any(|i| !bits.get(i)) {
                return Err(Error::NullRows);
            }
        }
        if usize::try_from(batch.n_children) != Ok(fields.len()) {
            return Err(Error::Buffers);
        }
        // SAFETY: the array has so many pointers to children.
        let children = unsafe { memory.values(batch.children, fields.len()) }?;
        let mut columns = list(fields.len())?;
        for (child, (_, data_type)) in children.iter().zip(fields) {
            // SAFETY: the pointer leads to an array.
            let child = unsafe { memory.value(child.cast_const()) }?;
            // SAFETY: a child of a whole array is whole.
            let column = unsafe { column(child, data_type, memory) }?;
            columns.push(column.slice(offset, len)?);
        }
        Ok(columns)
    }

    /// The names of a record batch's columns; those of others have none.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let fields = match &self.data_type {
            Type::Column(_) => &[][..],
            Type::Struct(fields) => fields,
        };
        fields.iter().map(|(name, _)| &name[..])
    }

    /// Whether it is a record batch.
    #[must_use]
    pub fn is_batch(&self) -> bool {
        matches!(self.data_type, Type::Struct(_))
    }
}

/// The first row's number in the buffers, the number of rows, and the number behind the last row.
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
    // SAFETY: the array has so many pointers.
    unsafe { memory.values(array.buffers.cast_const(), count) }
}

/// The bytes of the array's validity bits, if it may have nulls.
///
/// # Safety
/// As [`column`]; the pointer leads to `end` bits.
unsafe fn bits<'a>(
    array: &'a ArrowArray,
    validity: *const c_void,
    end: usize,
    memory: &Memory,
) -> Result<Option<&'a [u8]>, Error> {
    if array.null_count == 0 || (array.null_count < 0 && validity.is_null()) {
        return Ok(None);
    }
    // SAFETY: the pointer leads to so many bits.
    unsafe { memory.bytes(validity, end.div_ceil(8)) }.map(Some)
}

/// The array as a column of a type.
///
/// # Safety
/// The array is whole: its pointers lead to what the specification says, or out of the memory.
unsafe fn column<'a>(
    array: &'a ArrowArray,
    data_type: &DataType,
    memory: &Memory,
) -> Result<Column<'a>, Error> {
    let (offset, len, end) = extent(array)?;
    // SAFETY: the caller's promise is the same.
    let buffers = unsafe { buffers(array, memory) }?;
    let rows = |width: usize| end.checked_mul(width).ok_or(Error::Length);
    let layout = match (data_type, buffers) {
        (DataType::Null, []) => return Ok(Column::null(len)),
        (DataType::Boolean, [_, bits]) => {
            // SAFETY: the buffer has a bit a row.
            let bytes = unsafe { memory.bytes(*bits, end.div_ceil(8)) }?;
            Layout::Bits(Bits::new(bytes, 0, end)?)
        }
        (DataType::Utf8 | DataType::Binary, [_, offsets, bytes]) => {
            // SAFETY: the buffers have offsets of 32 bits, and the bytes up to the last one.
            let (offsets, bytes) = unsafe { strings::<4>(*offsets, *bytes, len, end, memory) }?;
            Layout::Offsets { offsets, bytes }
        }
        (DataType::LargeUtf8 | DataType::LargeBinary, [_, offsets, bytes]) => {
            // SAFETY: the buffers have offsets of 64 bits, and the bytes up to the last one.
            let (offsets, bytes) = unsafe { strings::<8>(*offsets, *bytes, len, end, memory) }?;
            Layout::LargeOffsets { offsets, bytes }
        }
        (DataType::Utf8View | DataType::BinaryView, [_, views, buffers @ .., sizes]) => {
            // SAFETY: the buffer has a view a row.
            let views = unsafe { memory.bytes(*views, rows(16)?) }?;
            // SAFETY: the last buffer has the lengths of those before it.
            let sizes = unsafe { memory.bytes(*sizes, buffers.len() * 8) }?;
            let mut list = list(buffers.len())?;
            for (buffer, size) in buffers.iter().zip(sizes.as_chunks().0) {
                let size = usize::try_from(i64::from_ne_bytes(*size)).map_err(|_| Error::Length)?;
                // SAFETY: the buffer has so many bytes.
                list.push(unsafe { memory.bytes(*buffer, size) }?);
            }
            Layout::Views { views, buffers: list }
        }
        (DataType::Dictionary(index, of), [_, indices]) => {
            let width = index.number().ok_or(Error::Buffers)?;
            // SAFETY: the buffer has an index a row.
            let indices = unsafe { memory.bytes(*indices, rows(width)?) }?;
            // SAFETY: an array of this type leads to one of values.
            let values = unsafe { memory.value(array.dictionary.cast_const()) }?;
            // SAFETY: the dictionary of a whole array is whole; its values are no dictionary.
            let values = Box::new(unsafe { column(values, of, memory) }?);
            Layout::Dictionary { indices, index: (**index).clone(), values }
        }
        (fixed, [_, bytes]) => {
            let width = match fixed {
                DataType::FixedSizeBinary(width) => Some(*width),
                number => number.number(),
            };
            let width = width.ok_or(Error::Buffers)?;
            // SAFETY: the buffer has so many bytes a row.
            Layout::Fixed { bytes: unsafe { memory.bytes(*bytes, rows(width)?) }?, width }
        }
        _ => return Err(Error::Buffers),
    };
    let column = Column::new(data_type.clone(), layout, offset, len)?;
    // SAFETY: the first buffer of all of these has a bit a row.
    match unsafe { bits(array, buffers[0], end, memory) }? {
        Some(bits) => column.with_validity(bits, offset),
        None => Ok(column),
    }
}

/// Offsets of `N` bytes, and the bytes up to the last one.
///
/// # Safety
/// As [`column`]; if there are rows, there are offsets up to number `end`.
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
    // SAFETY: the caller's promise is the same.
    let offsets = unsafe { memory.bytes(offsets, size) }?;
    let last = match offsets[size - N..].first_chunk() {
        Some(word) => i64::from_ne_bytes(*word),
        None => offsets.last_chunk().map_or(-1, |word| i32::from_ne_bytes(*word).into()),
    };
    let last = usize::try_from(last).map_err(|_| Error::Offsets(len - 1))?;
    // SAFETY: the bytes are as many as the last offset says.
    Ok((offsets, unsafe { memory.bytes(bytes, last) }?))
}

/// The arrays of a stream that another library makes.
#[derive(Debug)]
pub struct Stream {
    stream: ArrowArrayStream,
    data_type: Type,
}

impl Stream {
    /// Takes a stream over, and asks for its type.
    ///
    /// # Errors
    /// If it was released, its producer fails, or the type is none that is known here.
    ///
    /// # Safety
    /// The stream is whole, and what it gives is as [`Imported::new`] wants it.
    pub unsafe fn new(mut stream: ArrowArrayStream) -> Result<Self, Error> {
        let Some(get_schema) = stream.get_schema.filter(|_| !stream.is_released()) else {
            return Err(Error::Released);
        };
        let mut schema = ArrowSchema::empty();
        // SAFETY: the stream is not released, and the schema is there to be filled.
        match unsafe { get_schema(&mut stream, &mut schema) } {
            0 => {
                // SAFETY: the producer has filled the schema.
                let data_type = unsafe { Type::of(&schema, &Memory::All) }?;
                Ok(Self { stream, data_type })
            }
            code => Err(last_error(&mut stream, code)),
        }
    }
}

impl Iterator for Stream {
    type Item = Result<Imported, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let get_next = self.stream.get_next?;
        let mut array = ArrowArray::empty();
        // SAFETY: the stream is not released, and the array is there to be filled.
        match unsafe { get_next(&mut self.stream, &mut array) } {
            0 if array.is_released() => None,
            0 => {
                // SAFETY: the producer has filled the array, of the stream's type.
                Some(unsafe { Imported::of_type(array, self.data_type.clone(), Memory::All) })
            }
            code => {
                let error = last_error(&mut self.stream, code);
                self.stream.get_next = None; // it has failed, and is not asked again
                Some(Err(error))
            }
        }
    }
}

/// What the producer of a stream says about its failure.
fn last_error(stream: &mut ArrowArrayStream, code: c_int) -> Error {
    let mut message = String::new();
    if let Some(get_last_error) = stream.get_last_error {
        // SAFETY: the stream is not released, and its last call has failed.
        let text = unsafe { get_last_error(stream) };
        if !text.is_null() {
            // SAFETY: the text ends with a zero, and stays until the stream's next call.
            message = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        }
    }
    Error::Stream(code, message)
}

/// What an exported schema owns.
struct OwnedSchema {
    format: CString,
    name: CString,
    children: Vec<*mut ArrowSchema>,
}

impl ArrowSchema {
    /// The name of the field; empty if it has none.
    ///
    /// # Errors
    /// If the schema was released, or the name is longer than any is likely to be.
    ///
    /// # Safety
    /// The schema is whole: it was filled by a producer as the specification says.
    pub unsafe fn name(&self) -> Result<String, Error> {
        if self.is_released() {
            return Err(Error::Released);
        }
        if self.name.is_null() {
            return Ok(String::new());
        }
        // SAFETY: the schema has a name.
        unsafe { Memory::All.text(self.name) }
    }

    /// The schema of a kernel's result, which may have nulls. Zeros in the name are left out.
    #[must_use]
    pub fn of(data_type: &DataType, name: &str) -> Self {
        Self::owned(&data_type.format(), name, Vec::new())
    }

    /// The schema of a record batch.
    #[must_use]
    pub fn of_batch<'n>(fields: impl IntoIterator<Item = (&'n str, &'n DataType)>) -> Self {
        let children = fields.into_iter().map(|(name, data_type)| Self::of(data_type, name));
        Self::owned("+s", "", children.collect())
    }

    fn owned(format: &str, name: &str, children: Vec<Self>) -> Self {
        let text = |text: &str| CString::new(text.replace('\0', "")).unwrap_or_default();
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child)));
        let mut owned = Box::new(OwnedSchema {
            format: text(format),
            name: text(name),
            children: children.collect(),
        });
        Self {
            format: owned.format.as_ptr(),
            name: owned.name.as_ptr(),
            metadata: ptr::null(),
            flags: if owned.children.is_empty() { NULLABLE } else { 0 },
            n_children: owned.children.len() as i64,
            children: owned.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(owned).cast(),
        }
    }
}

/// Releases a schema that [`ArrowSchema::owned`] made.
///
/// # Safety
/// The schema was made there, and is not used by anybody else.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller has the schema for itself.
    let Some(schema) = (unsafe { schema.as_mut() }) else { return };
    if schema.release.take().is_none() {
        return;
    }
    // SAFETY: this is the box of which `owned` has made a pointer, and `release` was not yet taken.
    let owned: Box<OwnedSchema> = unsafe { Box::from_raw(schema.private_data.cast()) };
    for child in owned.children {
        // SAFETY: children were boxes, too. A consumer that moved one out has marked it as released.
        drop(unsafe { Box::from_raw(child) });
    }
}

/// What an exported array owns.
struct OwnedArray {
    /// What the pointers lead to.
    _array: Option<Array>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
}

impl From<Array> for ArrowArray {
    /// Hands a kernel's result over; [`ArrowSchema::of`] has its schema.
    fn from(array: Array) -> Self {
        let validity = array.nulls.validity.as_ref().map_or(ptr::null(), |bits| bits.as_ptr());
        let mut buffers = vec![validity.cast()];
        match &array.offsets {
            Offsets::None => {}
            Offsets::Small(offsets) => buffers.push(offsets.as_ptr().cast()),
            Offsets::Large(offsets) => buffers.push(offsets.as_ptr().cast()),
        }
        buffers.push(array.values.as_ptr().cast());
        let (len, nulls) = (array.len, array.nulls.count);
        Self::owned(len, nulls, OwnedArray { _array: Some(array), buffers, children: Vec::new() })
    }
}

impl ArrowArray {
    /// Arrays of equal lengths as a record batch; [`ArrowSchema::of_batch`] has its schema.
    ///
    /// # Errors
    /// If the lengths differ.
    pub fn batch(arrays: Vec<Array>) -> Result<Self, Error> {
        let len = arrays.first().map_or(0, Array::len);
        if arrays.iter().any(|array| array.len() != len) {
            return Err(Error::Rows);
        }
        let children = arrays.into_iter().map(|array| Box::into_raw(Box::new(array.into())));
        let buffers = vec![ptr::null()];
        Ok(Self::owned(len, 0, OwnedArray { _array: None, buffers, children: children.collect() }))
    }

    fn owned(len: usize, nulls: usize, owned: OwnedArray) -> Self {
        let mut owned = Box::new(owned);
        Self {
            length: len as i64,
            null_count: nulls as i64,
            offset: 0,
            n_buffers: owned.buffers.len() as i64,
            n_children: owned.children.len() as i64,
            buffers: owned.buffers.as_mut_ptr(),
            children: owned.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(owned).cast(),
        }
    }
}

/// Releases an array that [`ArrowArray::owned`] made.
///
/// # Safety
/// The array was made there, and is not used by anybody else.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the caller has the array for itself.
    let Some(array) = (unsafe { array.as_mut() }) else { return };
    if array.release.take().is_none() {
        return;
    }
    // SAFETY: this is the box of which `owned` has made a pointer, and `release` was not yet taken.
    let owned: Box<OwnedArray> = unsafe { Box::from_raw(array.private_data.cast()) };
    for child in owned.children {
        // SAFETY: children were boxes, too. A consumer that moved one out has marked it as released.
        drop(unsafe { Box::from_raw(child) });
    }
}

/// Arrays that are computed when the consumer asks for them.
type Arrays = Box<dyn Iterator<Item = Result<ArrowArray, Error>> + Send>;

/// What an exported stream owns.
struct OwnedStream {
    schema: Box<dyn Fn() -> ArrowSchema + Send>,
    arrays: Arrays,
    /// Why the last call failed.
    message: CString,
}

impl ArrowArrayStream {
    /// A stream of arrays, each of which is computed when the consumer asks for it.
    #[must_use]
    pub fn of(
        schema: impl Fn() -> ArrowSchema + Send + 'static,
        arrays: impl Iterator<Item = Result<ArrowArray, Error>> + Send + 'static,
    ) -> Self {
        let owned = OwnedStream {
            schema: Box::new(schema),
            arrays: Box::new(arrays),
            message: CString::default(),
        };
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(owned)).cast(),
        }
    }
}

/// Runs `job` with what a stream owns. A panic of `job` ends here.
///
/// # Safety
/// The stream was made by [`ArrowArrayStream::of`], is not released, and is not used by anybody
/// else; or the pointer is null.
unsafe fn with_stream(
    stream: *mut ArrowArrayStream,
    job: impl FnOnce(&mut OwnedStream) -> Result<(), String>,
) -> c_int {
    // SAFETY: the caller has the stream for itself.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return EIO };
    let owned = stream.private_data.cast::<OwnedStream>();
    // SAFETY: it is the box of which `of` has made a pointer.
    let Some(owned) = (unsafe { owned.as_mut() }) else { return EIO };
    let result = catch_unwind(AssertUnwindSafe(|| job(owned)));
    match result.unwrap_or_else(|_| Err("a panic in jlanes".into())) {
        Ok(()) => 0,
        Err(message) => {
            owned.message = CString::new(message.replace('\0', "")).unwrap_or_default();
            EIO
        }
    }
}

/// # Safety
/// As [`with_stream`]; `out` has room for a schema.
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    let job = |owned: &mut OwnedStream| {
        let schema = (owned.schema)();
        // SAFETY: the caller wants the schema there.
        unsafe { out.write(schema) };
        Ok(())
    };
    // SAFETY: the caller's promise is the same.
    unsafe { with_stream(stream, job) }
}

/// # Safety
/// As [`with_stream`]; `out` has room for an array.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    let job = |owned: &mut OwnedStream| {
        let next = owned.arrays.next().transpose().map_err(|error| error.to_string())?;
        // SAFETY: the caller wants the array there; one that was released ends the stream.
        unsafe { out.write(next.unwrap_or(ArrowArray::empty())) };
        Ok(())
    };
    // SAFETY: the caller's promise is the same.
    unsafe { with_stream(stream, job) }
}

/// # Safety
/// As [`with_stream`].
unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    let mut text = ptr::null();
    let job = |owned: &mut OwnedStream| {
        if !owned.message.is_empty() {
            text = owned.message.as_ptr();
        }
        Ok(())
    };
    // SAFETY: the caller's promise is the same.
    unsafe { with_stream(stream, job) };
    text
}

/// # Safety
/// As [`with_stream`].
unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: the caller has the stream for itself.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return };
    if stream.release.take().is_none() {
        return;
    }
    // SAFETY: this is the box of which `of` has made a pointer, and `release` was not yet taken.
    let owned: Box<OwnedStream> = unsafe { Box::from_raw(stream.private_data.cast()) };
    // what the arrays come from may be anybody's code
    let _ = catch_unwind(AssertUnwindSafe(|| drop(owned)));
}
