//! Columns with buffers that do not fit their claims.

use jlanes::Algorithm;
use jlanes_columns::{Column, ColumnHasher, DataType, Encoding, Error, Key};

use crate::layouts::view;

fn digest(column: &Column<'_>) -> Result<usize, Error> {
    let sha256 = ColumnHasher::new(Algorithm::SHA256).unwrap();
    let result = sha256.digest(column, Encoding::Binary).map(|array| array.len());
    let rows = sha256.row_digest(core::slice::from_ref(column), Encoding::Binary);
    assert_eq!(rows.map(|array| array.len()), result);
    let keyed = sha256.hmac(Key::Each(column), column, Encoding::Hex);
    assert_eq!(keyed.map(|array| array.len()), result);
    result
}

#[test]
fn offsets() {
    assert_eq!(Column::utf8(&[], b"").err(), Some(Error::Length));
    assert_eq!(Column::large_binary(&[], b"").err(), Some(Error::Length));
    let cases: [(&[i32], usize); 6] = [
        (&[0, 1, 5], 1),
        (&[-1, 1, 2], 0),
        (&[0, 2, 1], 1),
        (&[0, -1, 1], 0),
        (&[i32::MIN, 0, 0], 0),
        (&[0, 0, i32::MAX], 1),
    ];
    for (offsets, row) in cases {
        assert_eq!(digest(&Column::binary(offsets, b"abcd").unwrap()), Err(Error::Offsets(row)));
        let mut large: Vec<i64> = offsets.iter().map(|x| i64::from(*x)).collect();
        assert_eq!(digest(&Column::large_utf8(&large, b"abcd").unwrap()), Err(Error::Offsets(row)));
        large[2] = i64::MAX;
        assert!(digest(&Column::large_utf8(&large, b"abcd").unwrap()).is_err());
        // nobody looks at the value of a null row
        let valid = !(1 << row);
        let column = Column::binary(offsets, b"abcd").unwrap();
        let column = column.with_validity(core::slice::from_ref(&valid), 0).unwrap();
        let other = column.slice(1 - row, 1).unwrap();
        assert_eq!(digest(&column).is_ok(), digest(&other).is_ok());
    }
}

#[test]
fn dictionaries_take_memory_for_their_rows_and_not_for_their_values() {
    let indices = Column::numbers(DataType::UInt8, &[0, 7]).unwrap();
    for len in [8, 1000, usize::MAX / 2] {
        let column = Column::dictionary(&indices, Column::null(len)).unwrap();
        assert_eq!(digest(&column), Ok(2), "{len} values");
    }
}

#[test]
fn views() {
    let long = b"more than twelve bytes";
    let good = view(long, 0, 0);
    let of_length = |length: i32| {
        let mut view = good.to_ne_bytes();
        view[..4].copy_from_slice(&length.to_ne_bytes());
        u128::from_ne_bytes(view)
    };
    let bad = [
        view(long, 0, 1),
        view(long, 1, 0),
        view(long, u32::MAX, 0),
        view(long, 0, u32::MAX),
        of_length(-1),
        of_length(i32::MAX),
    ];
    assert_eq!(digest(&Column::utf8_view(&[good], vec![long]).unwrap()), Ok(1));
    for bad in bad {
        let views = [good, bad];
        assert_eq!(digest(&Column::utf8_view(&views, vec![long]).unwrap()), Err(Error::View(1)));
        assert_eq!(digest(&Column::binary_view(&views, vec![]).unwrap()), Err(Error::View(0)));
    }
}

#[test]
fn dictionaries() {
    let values = Column::utf8(&[0, 1, 2], b"ab").unwrap();
    let with = |data_type: DataType, bytes: &[u8]| {
        let indices = Column::numbers(data_type, bytes).unwrap();
        digest(&Column::dictionary(&indices, values.clone()).unwrap())
    };
    assert_eq!(with(DataType::Int8, &[0, 1, 0]), Ok(3));
    assert_eq!(with(DataType::Int8, &[0, 2]), Err(Error::Index(1)));
    assert_eq!(with(DataType::Int8, &[0, 0xff]), Err(Error::Index(1)));
    assert_eq!(with(DataType::UInt8, &[0xff]), Err(Error::Index(0)));
    assert_eq!(with(DataType::Int16, &(-1i16).to_ne_bytes()), Err(Error::Index(0)));
    assert_eq!(with(DataType::UInt32, &[0xff; 4]), Err(Error::Index(0)));
    assert_eq!(with(DataType::Int64, &i64::MIN.to_ne_bytes()), Err(Error::Index(0)));
    assert_eq!(with(DataType::UInt64, &[0xff; 8]), Err(Error::Index(0)));

    let floats = Column::numbers(DataType::Float32, &[0; 4]).unwrap();
    assert_eq!(Column::dictionary(&floats, values.clone()).err(), Some(Error::Type("f".into())));
    assert!(Column::dictionary(&values, values.clone()).is_err());
    let indices = Column::numbers(DataType::Int8, &[0]).unwrap();
    let nested = Column::dictionary(&indices, values).unwrap();
    assert!(Column::dictionary(&indices, nested).is_err());
    let bad = Column::dictionary(&indices, Column::utf8(&[0, 3], b"ab").unwrap()).unwrap();
    assert_eq!(digest(&bad), Err(Error::Offsets(0)));
}

#[test]
fn lengths() {
    let column = Column::fixed_size_binary(b"abcdef", 2).unwrap();
    assert_eq!(Column::fixed_size_binary(b"abc", 2).err(), Some(Error::Length));
    assert_eq!(Column::fixed_size_binary(b"", 0).err(), Some(Error::Length));
    assert_eq!(column.clone().with_validity(&[], 0).err(), Some(Error::Length));
    assert_eq!(column.clone().with_validity(&[7], 6).err(), Some(Error::Length));
    assert_eq!(column.clone().with_validity(&[7], usize::MAX).err(), Some(Error::Length));
    assert_eq!(column.slice(2, 2).err(), Some(Error::Length));
    assert_eq!(column.slice(usize::MAX, 2).err(), Some(Error::Length));
    assert_eq!(Column::numbers(DataType::Int64, &[0; 9]).err(), Some(Error::Length));
    assert_eq!(Column::boolean(&[0], 0, 9).err(), Some(Error::Length));

    let sha256 = ColumnHasher::new(Algorithm::SHA256).unwrap();
    let huge = Column::null(usize::MAX);
    for encoding in [Encoding::Binary, Encoding::FixedSizeBinary, Encoding::LargeHex] {
        assert_eq!(sha256.digest(&huge, encoding).err(), Some(Error::TooLarge));
    }
    let most = Column::numbers(DataType::Int8, &[0; 2]).unwrap();
    assert_eq!(sha256.digest(&most, Encoding::Hex).err(), Some(Error::Type("c".into())));
    let shorter = column.slice(0, 2).unwrap();
    let two = sha256.hmac(Key::Each(&shorter), &column, Encoding::Hex);
    assert_eq!(two.err(), Some(Error::Rows));
    assert_eq!(sha256.verify(&column, &shorter).err(), Some(Error::Rows));
    assert_eq!(sha256.row_digest(&[column, shorter], Encoding::Hex).err(), Some(Error::Rows));
}

#[test]
fn results_that_are_too_large() {
    // 2^31 bytes of digests and more do not go into offsets of 32 bits
    let name: Algorithm = "skein512-8388608".parse().unwrap();
    let long = ColumnHasher::new(name).unwrap();
    let offsets = vec![0; 2049];
    let column = Column::binary(&offsets, b"").unwrap();
    assert_eq!(long.digest(&column, Encoding::Binary).err(), Some(Error::TooLarge));
    assert_eq!(
        long.digest(&column.slice(0, 1024).unwrap(), Encoding::Hex).err(),
        Some(Error::TooLarge)
    );

    let sha256 = ColumnHasher::new(Algorithm::SHA256).unwrap();
    let derive = |width| sha256.pbkdf2(&column, Key::One(b"salt"), 1, width, Encoding::LargeBinary);
    assert_eq!(derive(0).err(), Some(Error::Width));
    let beyond_u32 = usize::try_from(1_u64 << 32).unwrap_or(usize::MAX);
    assert_eq!(derive(beyond_u32).err(), Some(Error::TooLarge));
    assert_eq!(derive(usize::MAX).err(), Some(Error::TooLarge));
}

#[test]
fn algorithms_without_digests_or_keys() {
    assert!(matches!(
        ColumnHasher::new("btv2".parse().unwrap()).map_err(Error::from),
        Err(Error::NotADigest(_))
    ));
    let tree = ColumnHasher::new("jlanes8-sha256".parse().unwrap()).unwrap();
    let column = Column::utf8(&[0, 1], b"a").unwrap();
    assert!(tree.digest(&column, Encoding::Hex).is_ok());
    assert!(matches!(tree.hmac(Key::One(b""), &column, Encoding::Hex), Err(Error::Unsupported(_))));
}
