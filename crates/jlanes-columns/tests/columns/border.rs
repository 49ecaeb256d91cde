//! The C data interface: import of another producer's arrays, and export of results.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
    sync::atomic::{AtomicUsize, Ordering},
};

use jlanes::{Algorithm, Digest, Sha256};
use jlanes_columns::{
    Array, Column, ColumnHasher, DataType, Encoding, Error,
    ffi::{ArrowArray, ArrowArrayStream, ArrowSchema, Imported, Stream},
};
use proptest::{prelude::*, test_runner::Config};

use crate::layouts::{Buffers, LAYOUTS, Parts, fit, rows};

/// The specification's structures, filled by a producer of another library.
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
    // SAFETY: `schema` is the only pointer to the released schema: the interface's contract.
    unsafe { (*schema).release = None };
}

/// Counts a release in the counter behind `private_data`.
unsafe extern "C" fn release_array(array: *mut RawArray) {
    // SAFETY: `array` is the only pointer to the released array: the interface's contract.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: `private_data` points to a counter in these tests.
    let counter = unsafe { &*array.private_data.cast::<AtomicUsize>() };
    counter.fetch_add(1, Ordering::Relaxed);
}

/// An array in the buffers of a test.
struct Producer {
    schema: RawSchema,
    array: RawArray,
    _format: CString,
    _pointers: Vec<*const c_void>,
    _dictionary: Option<Box<Producer>>,
}

impl Producer {
    fn new(parts: &Parts<'_>, dictionary: Option<Parts<'_>>, released: &AtomicUsize) -> Self {
        let format = CString::new(parts.format.clone()).unwrap();
        let pointer = |buffer: &Option<&[u8]>| buffer.map_or(ptr::null(), |x| x.as_ptr().cast());
        let pointers: Vec<*const c_void> = parts.buffers.iter().map(pointer).collect();
        let mut dictionary = dictionary.map(|parts| Box::new(Self::new(&parts, None, released)));
        let schema = RawSchema {
            format: format.as_ptr(),
            name: ptr::null(),
            metadata: ptr::null(),
            flags: 2,
            n_children: 0,
            children: ptr::null_mut(),
            dictionary: dictionary.as_mut().map_or(ptr::null_mut(), |x| &raw mut x.schema),
            release: Some(release_schema),
            private_data: ptr::null_mut(),
        };
        let array = RawArray {
            length: parts.len as i64,
            null_count: -1,
            offset: parts.offset as i64,
            n_buffers: pointers.len() as i64,
            n_children: 0,
            buffers: pointers.as_ptr(),
            children: ptr::null_mut(),
            dictionary: dictionary.as_mut().map_or(ptr::null_mut(), |x| &raw mut x.array),
            release: Some(release_array),
            private_data: ptr::from_ref(released).cast_mut().cast(),
        };
        Self { schema, array, _format: format, _pointers: pointers, _dictionary: dictionary }
    }

    fn import(&self) -> Result<Imported, Error> {
        // SAFETY: the structures have the same layout, and this is the only one that is released.
        let array: ArrowArray = unsafe { ptr::read((&raw const self.array).cast()) };
        // SAFETY: as above; a schema's release does nothing.
        let schema: ArrowSchema = unsafe { ptr::read((&raw const self.schema).cast()) };
        // SAFETY: the test keeps the buffers until it has dropped what was imported.
        unsafe { Imported::new(array, &schema) }
    }
}

fn sha256(column: &Column<'_>, encoding: Encoding) -> Result<Array, Error> {
    ColumnHasher::new(Algorithm::SHA256).unwrap().digest(column, encoding)
}

proptest! {
    #![proptest_config(Config { cases: 64, ..Config::default() })]

    #[test]
    fn arrays_of_any_layout(
        rows in rows(40), layout in 0..LAYOUTS.len(), width in 1..70usize, around in 0..10usize,
    ) {
        let rows = fit(&LAYOUTS[layout], rows, width);
        // the interface has one offset for values and for validity
        let buffers = Buffers::new(&LAYOUTS[layout], &rows, around, around);
        let released = AtomicUsize::new(0);
        let (parts, dictionary) = buffers.parts();
        let imported = Producer::new(&parts, dictionary, &released);
        let imported = imported.import().unwrap();
        let column = imported.column().unwrap();
        prop_assert_eq!(column.len(), rows.len());
        for (i, row) in rows.iter().enumerate() {
            prop_assert_eq!(column.get(i), Ok(row.as_deref()));
        }
        let ours = sha256(&buffers.column(), Encoding::Binary);
        prop_assert!(sha256(&column, Encoding::Binary) == ours);
        prop_assert_eq!(imported.columns().unwrap().len(), 1);
        drop(imported);
        prop_assert_eq!(released.load(Ordering::Relaxed), 1);
    }
}

#[test]
fn results_come_back() {
    let rows: Vec<_> = (0..50).map(|i| (i % 3 != 0).then(|| vec![i; 5])).collect();
    let buffers = Buffers::new(&LAYOUTS[0], &rows, 0, 0);
    for encoding in [
        Encoding::Binary,
        Encoding::LargeBinary,
        Encoding::FixedSizeBinary,
        Encoding::Hex,
        Encoding::LargeHex,
    ] {
        let digests = sha256(&buffers.column(), encoding).unwrap();
        let schema = ArrowSchema::of(digests.data_type(), "digests");
        // SAFETY: both were exported here.
        let imported = unsafe { Imported::new(digests.clone().into(), &schema) }.unwrap();
        let column = imported.column().unwrap();
        assert_eq!(column.data_type(), digests.data_type());
        for i in 0..digests.len() {
            assert_eq!(column.get(i), Ok(digests.get(i)));
        }
    }
    let hasher = ColumnHasher::new(Algorithm::SHA256).unwrap();
    let right = hasher.verify(&buffers.column(), &buffers.column()).unwrap();
    let schema = ArrowSchema::of(right.data_type(), "");
    // SAFETY: both were exported here.
    let imported = unsafe { Imported::new(right.clone().into(), &schema) }.unwrap();
    let rows = |column| hasher.row_digest(&[column], Encoding::Binary);
    assert!(rows(imported.column().unwrap()) == rows(right.as_column()));
}

#[test]
fn batches() {
    let column = Column::utf8(&[0, 1, 3], b"abc").unwrap();
    let arrays =
        [Encoding::Hex, Encoding::Binary].map(|encoding| sha256(&column, encoding).unwrap());
    let [hex, raw] = &arrays;
    let schema = ArrowSchema::of_batch([("hex", hex.data_type()), ("raw", raw.data_type())]);
    let batch = ArrowArray::batch(arrays.to_vec()).unwrap();
    // SAFETY: both were exported here.
    let imported = unsafe { Imported::new(batch, &schema) }.unwrap();
    assert!(imported.is_batch());
    assert_eq!(imported.names().collect::<Vec<_>>(), ["hex", "raw"]);
    let columns = imported.columns().unwrap();
    assert_eq!((columns[0].get(1), columns[1].get(1)), (Ok(hex.get(1)), Ok(raw.get(1))));
    let whole = imported.column().unwrap();
    assert_eq!(sha256(&whole, Encoding::Binary), Err(Error::Type("+s".into())));

    let shorter = sha256(&column.slice(0, 1).unwrap(), Encoding::Hex).unwrap();
    assert_eq!(ArrowArray::batch(vec![hex.clone(), shorter]).err(), Some(Error::Rows));
    // SAFETY: a batch with fewer children than its schema is what is to be found out.
    let fewer = ArrowArray::batch(vec![hex.clone()]).unwrap();
    // SAFETY: both were exported here.
    let fewer = unsafe { Imported::new(fewer, &schema) }.unwrap();
    assert_eq!(fewer.columns().err(), Some(Error::Buffers));
}

#[test]
fn streams() {
    let column = Column::utf8(&[0, 1, 3], b"abc").unwrap();
    let digests = sha256(&column, Encoding::Hex).unwrap();
    let data_type = digests.data_type().clone();
    let schema = move || ArrowSchema::of(&data_type, "digest");
    let array = digests.clone();
    let arrays = (0..3).map(move |_| Ok(array.clone().into()));
    let stream = ArrowArrayStream::of(schema.clone(), arrays);
    // SAFETY: the stream was exported here.
    let mut stream = unsafe { Stream::new(stream) }.unwrap();
    for _ in 0..3 {
        let imported = stream.next().unwrap().unwrap();
        assert_eq!(imported.column().unwrap().get(1), Ok(digests.get(1)));
    }
    assert!(stream.next().is_none());

    // SAFETY: the stream was exported here.
    let failing = ArrowArrayStream::of(schema.clone(), std::iter::once(Err(Error::TooLarge)));
    // SAFETY: the stream was exported here.
    let mut failing = unsafe { Stream::new(failing) }.unwrap();
    let message = Error::TooLarge.to_string();
    assert_eq!(failing.next().map(Result::err), Some(Some(Error::Stream(5, message))));
    assert!(failing.next().is_none());

    let panics = std::iter::from_fn(|| panic!("a producer's bug"));
    let panics = ArrowArrayStream::of(schema, panics);
    // SAFETY: the stream was exported here.
    let mut panics = unsafe { Stream::new(panics) }.unwrap();
    assert!(matches!(panics.next(), Some(Err(Error::Stream(5, _)))));

    // SAFETY: a released stream is what is to be found out.
    let released = unsafe { Stream::new(ArrowArrayStream::empty()) };
    assert_eq!(released.err(), Some(Error::Released));
}

/// Metadata as Arrow's C data interface has them, in the CPU's byte order.
fn metadata(entries: &[(&str, &str)]) -> Vec<u8> {
    let number = |len: usize| i32::try_from(len).expect("a short text").to_ne_bytes();
    let text = |text: &str| [&number(text.len())[..], text.as_bytes()].concat();
    let entries_of = |(key, value): &(&str, &str)| [text(key), text(value)].concat();
    [number(entries.len()).to_vec(), entries.iter().map(entries_of).collect::<Vec<_>>().concat()]
        .concat()
}

#[test]
fn structures_that_are_wrong() {
    let rows: Vec<_> = (0..20).map(|i| (i != 3).then(|| vec![i; 30])).collect();
    let released = AtomicUsize::new(0);
    for layout in &LAYOUTS {
        let buffers = Buffers::new(layout, &rows, 1, 1);
        let outcome = |change: &dyn Fn(&mut Producer)| {
            let (parts, dictionary) = buffers.parts();
            let mut producer = Producer::new(&parts, dictionary, &released);
            change(&mut producer);
            let imported = producer.import()?;
            let column = imported.column()?;
            sha256(&column, Encoding::Binary).map(|array| array.len())
        };
        assert_eq!(outcome(&|_| ()), Ok(20));
        assert_eq!(outcome(&|x| x.array.length = -1), Err(Error::Length));
        assert_eq!(outcome(&|x| x.array.offset = -1), Err(Error::Length));
        assert_eq!(outcome(&|x| x.array.offset = i64::MAX), Err(Error::Length));
        assert_eq!(outcome(&|x| x.array.n_buffers = 0), Err(Error::Buffers));
        assert_eq!(outcome(&|x| x.array.n_buffers = 1), Err(Error::Buffers));
        assert_eq!(outcome(&|x| x.array.n_buffers = -1), Err(Error::Buffers));
        assert_eq!(outcome(&|x| x.array.buffers = ptr::null()), Err(Error::Buffers));
        assert_eq!(outcome(&|x| x.array.release = None), Err(Error::Released));
        assert_eq!(outcome(&|x| x.schema.release = None), Err(Error::Released));
        assert_eq!(outcome(&|x| x.schema.format = ptr::null()), Err(Error::Buffers));
        let format = |x: &mut Producer| x.schema.format = c"+l".as_ptr();
        assert_eq!(outcome(&format), Err(Error::Buffers));
        let union = |x: &mut Producer| x.schema.format = c"+us:0".as_ptr();
        assert_eq!(outcome(&union), Err(Error::Format("+us:0".into())));
        let extension = |name: &str| {
            let metadata = metadata(&[("k", ""), ("ARROW:extension:name", name)]);
            outcome(&|x| x.schema.metadata = metadata.as_ptr().cast())
        };
        assert_eq!(extension("arrow.opaque"), Err(Error::Extension("arrow.opaque".into())));
        assert_eq!(extension("arrow.json"), Ok(20));
        let missing = |x: &mut Producer| {
            x._pointers[1] = ptr::null();
        };
        assert_eq!(outcome(&missing), Err(Error::Buffers));
        if matches!(layout, crate::layouts::Layout::Dictionary(..)) {
            assert_eq!(outcome(&|x| x.array.dictionary = ptr::null_mut()), Err(Error::Buffers));
            let nested = |x: &mut Producer| {
                let outer = &raw mut x.schema;
                x._dictionary.as_mut().unwrap().schema.dictionary = outer;
            };
            assert!(matches!(outcome(&nested), Err(Error::Type(_))));
        }
    }
}

/// A schema with these children.
fn schema_of(format: &'static CStr, children: &mut [*mut RawSchema]) -> RawSchema {
    RawSchema {
        format: format.as_ptr(),
        name: ptr::null(),
        metadata: ptr::null(),
        flags: 2,
        n_children: children.len() as i64,
        children: children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: ptr::null_mut(),
    }
}

#[test]
fn types_that_share_their_children() {
    let outcome = |depth: usize, width: usize| {
        let (mut inner, mut kept) = (Box::new(schema_of(c"i", &mut [])), Vec::new());
        for _ in 0..depth {
            let mut children = vec![&raw mut *inner; width];
            let outer = Box::new(schema_of(c"+s", &mut children));
            kept.push((std::mem::replace(&mut inner, outer), children));
        }
        // SAFETY: the structures have the same layout, and a schema's release does nothing.
        let schema: ArrowSchema = unsafe { ptr::read((&raw const *inner).cast()) };
        // SAFETY: the schema is whole, and the array is not looked at.
        unsafe { Imported::new(ArrowArray::empty(), &schema) }.err()
    };
    assert_eq!(outcome(1, 1 << 18), Some(Error::Released));
    assert_eq!(outcome(4, 16), Some(Error::Released));
    for (depth, width) in [(32, 2), (5, 16), (1, (1 << 18) + 1), (33, 1)] {
        assert_eq!(outcome(depth, width), Some(Error::Format("+s".into())), "{depth} of {width}");
    }
}

/// Schemas within ranges are not larger than these, however often they have the same name or metadata.
#[test]
fn parts_of_schemas_that_are_shared() {
    let (name, many) = (CString::new("x".repeat(1000)).unwrap(), metadata(&[("", ""); 100]));
    let (name, metadata) = (name.as_ptr(), many.as_ptr().cast::<c_char>());
    let outcome = |count: usize, has_name: bool, has_metadata: bool| {
        let mut inner = schema_of(c"i", &mut []);
        inner.name = if has_name { name } else { ptr::null() };
        inner.metadata = if has_metadata { metadata } else { ptr::null() };
        let mut children = vec![&raw mut inner; count];
        let outer = schema_of(c"+s", &mut children);
        let ranges = [
            (ptr::from_ref(&inner).addr(), size_of::<RawSchema>()),
            (children.as_ptr().addr(), size_of_val(&children[..])),
            (inner.format.addr(), 2),
            (outer.format.addr(), 3),
            (name.addr(), 1001),
            (metadata.addr(), 804),
        ];
        let ranges = ranges.iter().map(|(start, len)| *start..start + len).collect();
        // SAFETY: the structures have the same layout, and a schema's release does nothing.
        let schema: ArrowSchema = unsafe { ptr::read((&raw const outer).cast()) };
        // SAFETY: the test owns the ranges, and the array is not looked at.
        unsafe { Imported::within(ArrowArray::empty(), &schema, ranges) }.err()
    };
    assert_eq!(outcome(1, true, true), Some(Error::Released));
    assert_eq!(outcome(20, false, false), Some(Error::Released));
    assert_eq!(outcome(100, false, false), Some(Error::Format("+s".into())));
    assert_eq!(outcome(4, true, false), Some(Error::Length));
    assert_eq!(outcome(4, false, true), Some(Error::Length));
}

#[test]
fn lists_of_values_without_bytes() {
    let released = AtomicUsize::new(0);
    let offsets: Vec<u8> = [0, i32::MAX].iter().flat_map(|at: &i32| at.to_ne_bytes()).collect();
    let parts =
        |format: &str, len, buffers| Parts { format: format.into(), len, offset: 0, buffers };
    let mut items = Producer::new(&parts("w:0", i32::MAX as usize, vec![None; 2]), None, &released);
    let mut lists = Producer::new(&parts("+l", 1, vec![None, Some(&offsets)]), None, &released);
    let (mut schemas, mut arrays) = ([&raw mut items.schema], [&raw mut items.array]);
    (lists.schema.n_children, lists.schema.children) = (1, schemas.as_mut_ptr());
    (lists.array.n_children, lists.array.children) = (1, arrays.as_mut_ptr());
    let imported = lists.import().unwrap();
    let column = imported.column().unwrap();
    let rows = ColumnHasher::new(Algorithm::SHA256).unwrap();
    assert_eq!(rows.row_digest(&[column], Encoding::Binary).err(), Some(Error::Void));
}

#[test]
fn rows_without_columns() {
    let released = AtomicUsize::new(0);
    let batch = |len| Parts { format: "+s".into(), len, offset: 0, buffers: vec![None] };
    let columns = |len| {
        let imported = Producer::new(&batch(len), None, &released).import().unwrap();
        imported.columns().map(|columns| columns.len())
    };
    assert_eq!((columns(0), columns(5)), (Ok(0), Err(Error::Buffers)));
}

/// Their number takes no memory.
#[test]
fn empty_lists_of_one_length() {
    let released = AtomicUsize::new(0);
    let producer = |format: &str, len, buffers| {
        let parts = Parts { format: format.into(), len, offset: 0, buffers: vec![None; buffers] };
        Producer::new(&parts, None, &released)
    };
    let (mut items, mut lists) = (producer("c", 0, 2), producer("+w:0", 1 << 60, 1));
    let mut structs = producer("+s", 1, 1);
    let mut schemas = [&raw mut items.schema, &raw mut lists.schema];
    let mut arrays = [&raw mut items.array, &raw mut lists.array];
    for (i, outer) in [&mut lists, &mut structs].into_iter().enumerate() {
        (outer.schema.n_children, outer.schema.children) = (1, &raw mut schemas[i]);
        (outer.array.n_children, outer.array.children) = (1, &raw mut arrays[i]);
    }
    let imported = structs.import().unwrap();
    let rows = ColumnHasher::new(Algorithm::SHA256).unwrap();
    let digests = rows.row_digest(&imported.columns().unwrap(), Encoding::Binary).unwrap();
    let one = b"JLR1\x01\0\0\0\x30\0\0\0\0\0\0\0\0";
    assert_eq!(digests.get(0), Some(&Sha256::digest(one)[..]));
}

#[test]
fn structures_within_ranges() {
    let rows: Vec<_> = (0..20).map(|i| Some(vec![i; 30])).collect();
    let released = AtomicUsize::new(0);
    let buffers = Buffers::new(&LAYOUTS[0], &rows, 0, 0);
    let (parts, _) = buffers.parts();
    let producer = Producer::new(&parts, None, &released);
    let outcome = |skip: usize, shorter: usize| {
        let mut ranges: Vec<_> = parts.buffers.iter().flatten().map(|x| x.as_ptr_range()).collect();
        let pointers = producer._pointers.as_ptr_range();
        let format = producer._format.as_bytes_with_nul().as_ptr_range();
        ranges.extend([pointers.start.cast()..pointers.end.cast(), format]);
        let mut ranges: Vec<_> = ranges.iter().map(|x| x.start.addr()..x.end.addr()).collect();
        if skip < ranges.len() {
            ranges[skip].end -= shorter;
        }
        // SAFETY: the structures have the same layout, and the test owns what they lead to.
        let array: ArrowArray = unsafe { ptr::read((&raw const producer.array).cast()) };
        // SAFETY: as above.
        let schema: ArrowSchema = unsafe { ptr::read((&raw const producer.schema).cast()) };
        // SAFETY: the ranges are buffers of the test.
        let imported = unsafe { Imported::within(array, &schema, ranges) }?;
        imported.column().and_then(|column| sha256(&column, Encoding::Binary)).map(|x| x.len())
    };
    assert_eq!(outcome(9, 0), Ok(20));
    for range in 0..4 {
        assert_eq!(outcome(range, 1), Err(Error::Length), "range {range}");
    }
}

#[test]
fn exported_streams_as_c_sees_them() {
    type GetNext = unsafe extern "C" fn(*mut RawStream, *mut RawArray) -> c_int;
    #[repr(C)]
    struct RawStream {
        get_schema: *const c_void,
        get_next: GetNext,
        get_last_error: *const c_void,
        release: Option<unsafe extern "C" fn(*mut RawStream)>,
        private_data: *mut c_void,
    }
    let schema = || ArrowSchema::of(&DataType::Null, "");
    let stream = std::mem::ManuallyDrop::new(ArrowArrayStream::of(schema, std::iter::empty()));
    // SAFETY: the structures have the same layout, and the first one is not used any more.
    let mut raw: RawStream = unsafe { ptr::read((&raw const stream).cast()) };
    let mut array = std::mem::ManuallyDrop::new(ArrowArray::empty());
    // SAFETY: the stream is whole, and there is room for an array.
    let code = unsafe { (raw.get_next)(&mut raw, (&raw mut array).cast()) };
    assert_eq!((code, array.is_released()), (0, true));
    // SAFETY: the stream is whole.
    let code = unsafe { (raw.get_next)(ptr::null_mut(), ptr::null_mut()) };
    assert_ne!(code, 0);
    let release = raw.release.unwrap();
    // SAFETY: the stream is whole.
    unsafe { release(&mut raw) };
    assert!(raw.release.is_none());
    // SAFETY: releasing again does nothing.
    unsafe { release(&mut raw) };
}
