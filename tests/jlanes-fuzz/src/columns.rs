//! Columns over the border: arrays that a producer has put together with more or less sense.
//!
//! The import may read only the buffers that are here, so what the structures say may be anything.
//! Whatever comes of it is no panic, and where there are digests, they are those of the rows.

use std::{
    ffi::{c_char, c_void},
    ops::Range,
    ptr,
};

use arbitrary::{Result, Unstructured};
use jlanes_columns::{
    Column, ColumnHasher, Encoding, Key,
    ffi::{ArrowArray, ArrowSchema, Imported},
};
use sha2::{Digest, Sha256};

/// The specification's structures.
#[repr(C)]
struct RawSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut RawSchema,
    dictionary: *mut RawSchema,
    release: Option<unsafe extern "C" fn(*mut RawSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct RawArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *mut *mut RawArray,
    dictionary: *mut RawArray,
    release: Option<unsafe extern "C" fn(*mut RawArray)>,
    private_data: *mut c_void,
}

unsafe extern "C" fn release_schema(schema: *mut RawSchema) {
    // SAFETY: the caller has exclusive access to the schema.
    unsafe { (*schema).release = None };
}

unsafe extern "C" fn release_array(array: *mut RawArray) {
    // SAFETY: the caller has exclusive access to the array.
    unsafe { (*array).release = None };
}

/// An array, and all that it leads to.
struct Producer {
    schema: Box<RawSchema>,
    array: Box<RawArray>,
    format: Vec<u8>,
    buffers: Vec<Vec<u8>>,
    pointers: Vec<*const c_void>,
    children: Vec<Producer>,
    child_schemas: Vec<*mut RawSchema>,
    child_arrays: Vec<*mut RawArray>,
    dictionary: Option<Box<Producer>>,
}

const FORMATS: [&str; 27] = [
    "u",
    "U",
    "vu",
    "z",
    "Z",
    "vz",
    "w:0",
    "w:1",
    "w:7",
    "w:32",
    "c",
    "C",
    "s",
    "S",
    "i",
    "I",
    "l",
    "L",
    "e",
    "f",
    "g",
    "b",
    "n",
    "d:9,2",
    "tsu:UTC",
    "ttm",
    "w:2147483647",
];

/// How many items the lists of a column have together.
const ITEMS: usize = 30;

/// How many bytes an entry of the format's buffer has, for lengths that make sense.
fn entry(format: &str) -> usize {
    match format {
        "u" | "z" | "i" | "I" | "f" | "ttm" | "+l" => 4,
        "U" | "Z" | "l" | "L" | "g" | "tsu:UTC" | "+L" => 8,
        "vu" | "vz" | "d:9,2" => 16,
        "s" | "S" | "e" => 2,
        "w:7" => 7,
        "w:32" => 32,
        _ => 1,
    }
}

/// A number of rows or the like: usually what it should be.
fn number(u: &mut Unstructured, usual: usize) -> Result<i64> {
    Ok(match u.int_in_range(0..=15)? {
        0 => u.arbitrary()?,
        1 => *u.choose(&[-1, i64::MAX, i64::MIN, 1 << 32, 1 << 60])?,
        2 => u.int_in_range(0..=20)?,
        _ => usual as i64,
    })
}

impl Producer {
    fn new(u: &mut Unstructured, rows: usize, depth: usize) -> Result<Self> {
        let nested = depth < 3 && u.ratio(1, 4)?;
        let format = match u.int_in_range(0..=20)? {
            _ if nested => (*u.choose(&["+s", "+s", "+l", "+L", "+w:2"])?).into(),
            0 => String::from_utf8_lossy(&u.arbitrary::<[u8; 3]>()?).into_owned(),
            _ => (*u.choose(&FORMATS)?).into(),
        };
        let offset = if u.ratio(1, 3)? { u.int_in_range(0..=9)? } else { 0 };
        let mut it = Self {
            buffers: buffers(u, &format, offset + rows)?,
            format: [format.as_bytes(), &[0]].concat(),
            pointers: Vec::new(),
            children: Vec::new(),
            child_schemas: Vec::new(),
            child_arrays: Vec::new(),
            dictionary: None,
            schema: Box::new(RawSchema {
                format: ptr::null(),
                name: ptr::null(),
                metadata: ptr::null(),
                flags: 0,
                n_children: 0,
                children: ptr::null_mut(),
                dictionary: ptr::null_mut(),
                release: Some(release_schema),
                private_data: ptr::null_mut(),
            }),
            array: Box::new(RawArray {
                length: number(u, rows)?,
                null_count: *u.choose(&[-1, -1, 0, 1, 5])?,
                offset: number(u, offset)?,
                n_buffers: 0,
                n_children: 0,
                buffers: ptr::null(),
                children: ptr::null_mut(),
                dictionary: ptr::null_mut(),
                release: Some(release_array),
                private_data: ptr::null_mut(),
            }),
        };
        if nested {
            let (fewest, rows) = match &*format {
                "+s" => (0, offset + rows),
                "+w:2" => (1, 2 * (offset + rows)),
                _ => (1, ITEMS),
            };
            for _ in 0..u.int_in_range(fewest..=3 - 2 * fewest)? {
                it.children.push(Self::new(u, rows, depth + 1)?);
            }
        } else if depth < 2 && u.ratio(1, 3)? {
            let values = u.int_in_range(0..=20)?;
            it.dictionary = Some(Box::new(Self::new(u, values, depth + 1)?));
        }
        it.link(u)?;
        Ok(it)
    }

    /// Makes the structures lead to what there is.
    fn link(&mut self, u: &mut Unstructured) -> Result<()> {
        for buffer in &self.buffers {
            let missing = buffer.is_empty() || u.ratio(1, 40)?;
            self.pointers.push(if missing { ptr::null() } else { buffer.as_ptr().cast() });
        }
        for child in &mut self.children {
            self.child_schemas.push(&raw mut *child.schema);
            self.child_arrays.push(&raw mut *child.array);
        }
        self.schema.format = self.format.as_ptr().cast();
        self.schema.n_children = number(u, self.children.len())?;
        self.schema.children = self.child_schemas.as_mut_ptr();
        self.array.n_buffers = number(u, self.pointers.len())?;
        self.array.buffers = self.pointers.as_ptr();
        self.array.n_children = number(u, self.children.len())?;
        self.array.children = self.child_arrays.as_mut_ptr();
        if let Some(dictionary) = &mut self.dictionary {
            self.schema.dictionary = &raw mut *dictionary.schema;
            if !u.ratio(1, 20)? {
                self.array.dictionary = &raw mut *dictionary.array;
            }
        }
        Ok(())
    }

    /// The memory that may be read.
    fn ranges(&self, ranges: &mut Vec<Range<usize>>) {
        let mut add = |start: *const c_void, len: usize| {
            ranges.push(start.addr()..start.addr() + len);
        };
        add(ptr::from_ref(&*self.schema).cast(), size_of::<RawSchema>());
        add(ptr::from_ref(&*self.array).cast(), size_of::<RawArray>());
        add(self.format.as_ptr().cast(), self.format.len());
        for buffer in &self.buffers {
            add(buffer.as_ptr().cast(), buffer.len());
        }
        add(self.pointers.as_ptr().cast(), size_of_val(&self.pointers[..]));
        add(self.child_schemas.as_ptr().cast(), size_of_val(&self.child_schemas[..]));
        add(self.child_arrays.as_ptr().cast(), size_of_val(&self.child_arrays[..]));
        for child in self.children.iter().chain(self.dictionary.as_deref()) {
            child.ranges(ranges);
        }
    }
}

/// The buffers of a format, with offsets and the like that usually make sense.
fn buffers(u: &mut Unstructured, format: &str, end: usize) -> Result<Vec<Vec<u8>>> {
    let bits = if u.ratio(1, 2)? { end.div_ceil(8) } else { 0 };
    let validity: Result<Vec<u8>> = (0..bits).map(|_| u.arbitrary()).collect();
    let mut buffers = vec![validity?];
    let mut text = vec![0x61; u.int_in_range(0..=200)?];
    let spoiled = u.ratio(1, 4)?;
    match format {
        "n" => buffers.clear(),
        "+s" | "+w:2" => {}
        "+l" | "+L" => {
            let (mut offsets, mut at) = (Vec::new(), 0);
            for _ in 0..=end {
                offsets.extend_from_slice(&(at as u64).to_ne_bytes()[..entry(format)]);
                at = u.int_in_range(at..=ITEMS.min(at + 3))?;
            }
            buffers.push(offsets);
        }
        "u" | "z" | "U" | "Z" => {
            let mut offsets = Vec::new();
            let mut at = 0;
            for _ in 0..=end {
                offsets.extend_from_slice(&(at as u64).to_ne_bytes()[..entry(format)]);
                at = u.int_in_range(at..=text.len().min(at + 70))?;
            }
            buffers.extend([offsets, text]);
        }
        "vu" | "vz" => {
            let mut views = Vec::new();
            for _ in 0..end {
                let from = u.int_in_range(0..=text.len())?;
                let len = u.int_in_range(0..=text.len() - from)?;
                let number = u32::from(u.ratio(1, 8)?);
                let words = [len as u32, 0x6161_6161, number, from as u32];
                views.extend(words.map(u32::to_ne_bytes).concat());
            }
            let sizes = (text.len() as u64).to_ne_bytes().to_vec();
            buffers.extend([views, text, sizes]);
        }
        _ => {
            // small numbers are indices that a dictionary may have
            text.clear();
            for _ in 0..end {
                let low = u.int_in_range(0..=22)?;
                text.extend((0..entry(format)).map(|i| if i == 0 { low } else { 0 }));
            }
            buffers.push(text);
        }
    }
    if spoiled && !buffers.is_empty() {
        let which = u.choose_index(buffers.len())?;
        let buffer = &mut buffers[which];
        if !buffer.is_empty() {
            let at = u.choose_index(buffer.len())?;
            buffer[at] = u.arbitrary()?;
            if u.ratio(1, 4)? {
                buffer.truncate(at);
            }
        }
        if u.ratio(1, 8)? {
            buffers.push(vec![0; 8]);
        }
    }
    Ok(buffers)
}

/// Imports the column that `u` describes, which may be spoiled, and digests its rows.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If rows are lost.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let rows = u.int_in_range(0..=40)?;
    let producer = Producer::new(u, rows, 0)?;
    let mut ranges = Vec::new();
    producer.ranges(&mut ranges);
    // SAFETY: the structures have the same layout; the producer's own are not used any more, and its
    // release does nothing.
    let array: ArrowArray = unsafe { ptr::read(ptr::from_ref(&*producer.array).cast()) };
    // SAFETY: as above.
    let schema: ArrowSchema = unsafe { ptr::read(ptr::from_ref(&*producer.schema).cast()) };
    // SAFETY: the ranges are memory of the producer, which stays until the end of this function.
    let Ok(imported) = (unsafe { Imported::within(array, &schema, ranges) }) else {
        return Ok(());
    };
    let hasher = ColumnHasher::new(jlanes::Algorithm::SHA256).expect("SHA-256 has digests");
    if let Ok(columns) = imported.columns() {
        let few = columns.iter().all(|column| column.len() < 1000);
        if few && let Ok(digests) = hasher.row_digest(&columns, Encoding::Binary) {
            assert_eq!(digests.len(), columns.first().map_or(0, Column::len));
        }
    }
    let Ok(column) = imported.column() else { return Ok(()) };
    let encodings = [Encoding::Binary, Encoding::FixedSizeBinary, Encoding::LargeHex];
    check(&hasher, &column, *u.choose(&encodings)?);
    let _ = column.slice(u.arbitrary()?, u.arbitrary()?);
    Ok(())
}

/// Holds the digests of a column to those of its rows.
fn check(hasher: &ColumnHasher, column: &Column<'_>, encoding: Encoding) {
    if column.len() > 1000 {
        return; // only columns without bytes are so long, and there is no room for their digests
    }
    let Ok(digests) = hasher.digest(column, encoding) else {
        assert!(hasher.hmac(Key::Each(column), column, encoding).is_err());
        return;
    };
    assert_eq!(digests.len(), column.len());
    for i in 0..column.len() {
        let row = column.get(i).expect("what was hashed is there");
        let expected = row.map(|row| {
            let digest = Sha256::digest(row).to_vec();
            if encoding == Encoding::LargeHex { hex::encode(digest).into_bytes() } else { digest }
        });
        assert_eq!(digests.get(i), expected.as_deref());
    }
    assert!(hasher.hmac(Key::Each(column), column, encoding).is_ok());
    let verified = hasher.verify(column, &digests.as_column()).expect("digests were computed");
    assert!((0..column.len()).all(|i| verified.is_true(i) == digests.get(i).map(|_| true)));
}
