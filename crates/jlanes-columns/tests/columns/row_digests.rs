//! Digests of rows, against the encoding that the crate's documentation defines.

use jlanes::Algorithm;
use jlanes_columns::{Column, ColumnHasher, DataType, Encoding, Error, TimeUnit};
use proptest::{prelude::*, test_runner::Config};
use sha2::{Digest, Sha256};

use crate::{
    digests::check,
    layouts::{Buffers, LAYOUTS, bits, fit, rows},
};

fn sha256() -> ColumnHasher {
    ColumnHasher::new(Algorithm::SHA256).unwrap()
}

/// The digest of a row of fields.
fn digest(fields: &[Vec<u8>]) -> Vec<u8> {
    let head = [&b"JLR1"[..], &(fields.len() as u32).to_le_bytes()].concat();
    Sha256::digest([head, fields.concat()].concat()).to_vec()
}

/// A field of text or bytes.
fn bytes(tag: u8, value: Option<&[u8]>) -> Vec<u8> {
    match value {
        None => vec![tag | 0x80],
        Some(value) => [&[tag][..], &(value.len() as u64).to_le_bytes(), value].concat(),
    }
}

proptest! {
    #![proptest_config(Config { cases: 48, ..Config::default() })]

    #[test]
    fn layouts_do_not_matter(
        pairs in (rows(40), rows(40)), layouts in (0..LAYOUTS.len(), 0..LAYOUTS.len()),
        encoding in any::<bool>(), bit in 0..9usize,
    ) {
        let count = pairs.0.len().min(pairs.1.len());
        let (left, right) = (&LAYOUTS[layouts.0], &LAYOUTS[layouts.1]);
        let first = fit(left, pairs.0[..count].to_vec(), 17);
        let second = fit(right, pairs.1[..count].to_vec(), 30);
        let encoding = if encoding { Encoding::Hex } else { Encoding::FixedSizeBinary };
        let tag = |text: bool| if text { 0x20 } else { 0x21 };
        let expected: Vec<_> = first.iter().zip(&second).map(|(x, y)| Some(digest(&[
            bytes(tag(left.is_text()), x.as_deref()), bytes(tag(right.is_text()), y.as_deref()),
        ]))).collect();
        let buffers = (Buffers::new(left, &first, 2, bit), Buffers::new(right, &second, 1, 3));
        let columns = [buffers.0.column(), buffers.1.column()];
        check(&sha256().row_digest(&columns, encoding).unwrap(), encoding, 32, &expected);
    }
}

#[test]
fn every_type() {
    use DataType::*;
    let unit = TimeUnit::Microsecond;
    let numbers: [(DataType, &[u8], usize); 19] = [
        (Int8, &[2], 1),
        (Int16, &[3], 2),
        (Int32, &[4], 4),
        (Int64, &[5], 8),
        (UInt8, &[6], 1),
        (UInt16, &[7], 2),
        (UInt32, &[8], 4),
        (UInt64, &[9], 8),
        (Float16, &[0x0a], 2),
        (Float32, &[0x0b], 4),
        (Float64, &[0x0c], 8),
        (Date32, &[0x0d], 4),
        (Date64, &[0x0e], 8),
        (Time32(TimeUnit::Second), &[0x0f, 0], 4),
        (Time64(TimeUnit::Nanosecond), &[0x10, 3], 8),
        (Timestamp(unit, false), &[0x11, 2, 0], 8),
        (Timestamp(TimeUnit::Millisecond, true), &[0x11, 1, 1], 8),
        (Duration(unit), &[0x12, 2], 8),
        (Decimal128(10, -2), &[0x13, 0xfe], 16),
    ];
    let memory: Vec<u8> = (1..=48).collect();
    for (data_type, head, width) in numbers {
        let column = Column::numbers(data_type.clone(), &memory[..3 * width]).unwrap();
        let column = column.with_validity(&[0b101], 0).unwrap();
        let rows = sha256().row_digest(&[column], Encoding::Binary).unwrap();
        let field = |row: usize| [head, &memory[row * width..][..width]].concat();
        let null = [&[head[0] | 0x80], &head[1..]].concat();
        let expected = [field(0), null, field(2)].map(|field| Some(digest(&[field])));
        if cfg!(target_endian = "little") {
            check(&rows, Encoding::Binary, 32, &expected);
        }
    }
    let truths = bits([true, false].into_iter(), 5);
    let columns = [Column::boolean(&truths, 5, 2).unwrap(), Column::null(2)];
    let rows = sha256().row_digest(&columns, Encoding::Binary).unwrap();
    let expected = [1, 0].map(|bit| Some(digest(&[vec![1, bit], vec![0x80]])));
    check(&rows, Encoding::Binary, 32, &expected);
    let indices = Column::numbers(UInt8, &[1, 0]).unwrap();
    let chosen = Column::dictionary(&indices, columns[0].clone()).unwrap();
    let rows = sha256().row_digest(&[chosen], Encoding::Binary).unwrap();
    let expected = [0, 1].map(|bit| Some(digest(&[vec![1, bit]])));
    check(&rows, Encoding::Binary, 32, &expected);
}

#[test]
fn floats_that_are_equal() {
    let digests = |data_type, memory: &[u8]| {
        let column = Column::numbers(data_type, memory).unwrap();
        let rows = sha256().row_digest(&[column], Encoding::Binary).unwrap();
        (0..rows.len()).map(|i| rows.get(i).unwrap().to_vec()).collect::<Vec<_>>()
    };
    let doubles = [0.0, -0.0, f64::NAN, f64::from_bits(u64::MAX), f64::INFINITY, -1.5];
    let doubles = digests(DataType::Float64, &doubles.map(f64::to_ne_bytes).concat());
    let field = |number: f64| digest(&[[&[0x0c][..], &number.to_bits().to_le_bytes()].concat()]);
    assert_eq!(doubles[..2], [field(0.0), field(0.0)]);
    assert_eq!(doubles[2..4], [0x7ff8_0000_0000_0000; 2].map(|nan| field(f64::from_bits(nan))));
    assert_eq!(doubles[4..], [field(f64::INFINITY), field(-1.5)]);

    let floats = [0.0, -0.0, f32::from_bits(0x7f80_0001), -f32::INFINITY];
    let floats = digests(DataType::Float32, &floats.map(f32::to_ne_bytes).concat());
    let field = |bits: u32| digest(&[[&[0x0b][..], &bits.to_le_bytes()].concat()]);
    assert_eq!(floats, [0, 0, 0x7fc0_0000, 0xff80_0000].map(field));

    let halves = [0u16, 0x8000, 0x7c00, 0xfc00, 0x7c01, 0xffff, 0xbc00];
    let halves = digests(DataType::Float16, &halves.map(u16::to_ne_bytes).concat());
    let field = |bits: u16| digest(&[[&[0x0a][..], &bits.to_le_bytes()].concat()]);
    assert_eq!(halves, [0, 0, 0x7c00, 0xfc00, 0x7e00, 0x7e00, 0xbc00].map(field));
}

#[test]
fn many_and_long_rows() {
    let rows: Vec<_> = (0..3000).map(|i| Some(vec![i as u8; i * 7 % 90])).collect();
    let long: Vec<_> = (0..5).map(|i| Some(vec![i; 700_000])).collect();
    for rows in [rows, long] {
        let buffers = Buffers::new(&LAYOUTS[0], &rows, 0, 0);
        let digests = sha256().row_digest(&[buffers.column()], Encoding::Binary).unwrap();
        let expected: Vec<_> =
            rows.iter().map(|row| Some(digest(&[bytes(0x20, row.as_deref())]))).collect();
        check(&digests, Encoding::Binary, 32, &expected);
    }
    let none = sha256().row_digest(&[], Encoding::Hex).unwrap();
    assert!(none.is_empty());
}

/// A field of a list of encoded items.
fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [&[0x30][..], &(items.len() as u64).to_le_bytes(), &items.concat()].concat()
}

/// A field of a struct of encoded fields.
fn structure(fields: &[Vec<u8>]) -> Vec<u8> {
    [&[0x31][..], &(fields.len() as u32).to_le_bytes(), &fields.concat()].concat()
}

#[test]
fn lists_and_structs() {
    let text = |text: &str| bytes(0x20, Some(text.as_bytes()));
    let number = |number: u8| vec![0x06, number];
    let words = || Column::utf8(&[0, 3, 3, 6, 11], b"onetwothree").unwrap();
    let words = || words().with_validity(&[0b1101], 0).unwrap();
    let lists =
        || Column::list(&[0, 2, 2, 4], words()).unwrap().with_validity(&[0b101], 0).unwrap();
    let digests = |column: Column<'_>| sha256().row_digest(&[column], Encoding::Binary).unwrap();

    let expected =
        [list(&[text("one"), vec![0xa0]]), vec![0xb0], list(&[text("two"), text("three")])];
    let whole = expected.clone().map(|field| Some(digest(&[field])));
    check(&digests(lists()), Encoding::Binary, 32, &whole);
    check(&digests(lists().slice(1, 2).unwrap()), Encoding::Binary, 32, &whole[1..]);

    let numbers = || Column::numbers(DataType::UInt8, &[7, 8, 9]).unwrap();
    let fields = || [("words".into(), lists()), ("number".into(), numbers())];
    let structs = || Column::structs(fields(), 3).unwrap().with_validity(&[0b110], 0).unwrap();
    let [_, second, third] = expected;
    let expected = [vec![0xb1], structure(&[second, number(8)]), structure(&[third, number(9)])];
    let whole = expected.clone().map(|field| Some(digest(&[field])));
    check(&digests(structs()), Encoding::Binary, 32, &whole);
    check(&digests(structs().slice(1, 1).unwrap()), Encoding::Binary, 32, &whole[1..2]);

    let deep = Column::list(&[0, 1, 3], structs()).unwrap();
    let [first, second, third] = expected;
    let expected = [list(&[first]), list(&[second, third])];
    let expected = expected.map(|field| Some(digest(&[field])));
    check(&digests(deep), Encoding::Binary, 32, &expected);
}

/// A byte stands for any number of them.
#[test]
fn rows_that_repeat_a_value() {
    let value = vec![7; 1 << 20];
    let indices = [0; 257];
    let rows = |count: usize| {
        let values = Column::binary(&[0, 1 << 20], &value).unwrap();
        let items = Column::numbers(DataType::UInt8, &indices[..count]).unwrap();
        let offsets = [0, count as i32];
        let lists = Column::list(&offsets, Column::dictionary(&items, values).unwrap()).unwrap();
        sha256().row_digest(&[lists], Encoding::Binary).map(|rows| rows.len())
    };
    assert_eq!(rows(256), Ok(1));
    assert_eq!(rows(257), Err(Error::TooLarge));

    // columns of the same buffers repeat them, too, and any number of nulls allows no more
    let values = Column::binary(&[0, 1 << 20], &value).unwrap();
    assert_eq!(values.size(), 1 << 20);
    let nulls = Column::structs([("n".into(), Column::null(usize::MAX))], 1).unwrap();
    let columns = [vec![values; 257], vec![nulls]].concat();
    let rows = sha256().row_digest(&columns, Encoding::Binary);
    assert_eq!(rows.err(), Some(Error::TooLarge));
}

#[test]
fn lists_that_are_wrong() {
    let rows =
        |column: Column<'_>| sha256().row_digest(&[column], Encoding::Binary).map(|x| x.len());
    let words = || Column::utf8(&[0, 1, 2], b"ab").unwrap();
    let list = |offsets: &'static [i32]| Column::list(offsets, words());
    assert_eq!(rows(list(&[0, 2]).unwrap()), Ok(1));
    assert_eq!(rows(list(&[0, 3]).unwrap()), Err(Error::Offsets(0)));
    assert_eq!(rows(list(&[0, 2, 1]).unwrap()), Err(Error::Offsets(1)));
    assert_eq!(rows(list(&[-1, 1]).unwrap()), Err(Error::Offsets(0)));
    assert_eq!(list(&[]).err(), Some(Error::Length));
    assert_eq!(Column::structs([("a".into(), words())], 3).err(), Some(Error::Length));
    // any number of values that take no memory is possible
    let voids = |offsets| Column::list(offsets, Column::null(isize::MAX as usize)).unwrap();
    assert_eq!(rows(voids(&[0, 0])), Ok(1));
    assert_eq!(rows(voids(&[0, i32::MAX])), Err(Error::Void));
    let digest = sha256().digest(&list(&[0, 2]).unwrap(), Encoding::Binary);
    assert_eq!(digest, Err(Error::Type("+l".into())));
}

#[test]
fn lists_that_share_their_items() {
    // the null rows lead back, so that all others have the same items: 10^20 of them
    let offsets: Vec<i32> = (0..20).map(|i| if i % 2 == 0 { 0 } else { 19 }).collect();
    let valid = [0x55, 0x55, 0x55];
    let mut column = Column::numbers(DataType::UInt8, &[7; 19]).unwrap();
    for _ in 0..20 {
        column = Column::list(&offsets, column).unwrap().with_validity(&valid, 0).unwrap();
    }
    let rows = sha256().row_digest(&[column], Encoding::Binary);
    assert_eq!(rows.err(), Some(Error::Offsets(1)));
}

#[test]
fn slices_of_lists() {
    // its second row is falling
    let inner =
        || Column::list(&[0, 2, 1, 2], Column::numbers(DataType::UInt8, &[7; 2]).unwrap()).unwrap();
    let rows = |offsets: &[i32]| {
        let lists = Column::list(offsets, inner()).unwrap();
        sha256().row_digest(&[lists], Encoding::Binary).map(|rows| rows.len())
    };
    for (offsets, expected) in [
        (&[0, 1][..], Ok(1)),
        (&[2, 2, 3], Ok(2)),
        (&[1, 1], Ok(1)),
        (&[0, 2], Err(Error::Offsets(1))),
        (&[0, 0, 3], Err(Error::Offsets(1))),
    ] {
        assert_eq!(rows(offsets), expected, "{offsets:?}");
    }
}
