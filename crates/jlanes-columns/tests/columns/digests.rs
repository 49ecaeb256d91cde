//! Digests, tags, keys and verifications of rows in any layout.

use hmac::{Hmac, KeyInit, Mac};
use jlanes::Algorithm;
use jlanes_columns::{Array, Column, ColumnHasher, Encoding, Key, digest_several};
use jlanes_testing::backends;
use proptest::{collection, prelude::*, test_runner::Config};
use sha2::Digest;

use crate::layouts::{Buffers, LAYOUTS, Row, fit, rows};

const ENCODINGS: [Encoding; 5] = [
    Encoding::Binary,
    Encoding::LargeBinary,
    Encoding::FixedSizeBinary,
    Encoding::Hex,
    Encoding::LargeHex,
];

fn hasher(name: &str) -> ColumnHasher {
    ColumnHasher::new(name.parse::<Algorithm>().unwrap()).unwrap()
}

/// Holds an array to the values that its rows should have before they are encoded.
pub(crate) fn check(array: &Array, encoding: Encoding, width: usize, values: &[Row]) {
    assert_eq!(array.data_type(), &encoding.data_type(width));
    assert_eq!(array.len(), values.len());
    assert_eq!(array.null_count(), values.iter().filter(|value| value.is_none()).count());
    let column = array.as_column();
    for (i, value) in values.iter().enumerate() {
        let expected = value.as_ref().map(|value| match encoding {
            Encoding::Hex | Encoding::LargeHex => hex::encode(value).into_bytes(),
            _ => value.clone(),
        });
        assert_eq!(array.get(i), expected.as_deref(), "row {i}");
        assert_eq!(column.get(i), Ok(expected.as_deref()), "row {i}");
    }
}

fn each(rows: &[Row], value: impl Fn(&[u8]) -> Vec<u8>) -> Vec<Row> {
    rows.iter().map(|row| row.as_deref().map(&value)).collect()
}

fn hmac<D: hmac::EagerHash>(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<D>::new_from_slice(key).unwrap();
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

proptest! {
    #![proptest_config(Config { cases: 48, ..Config::default() })]

    #[test]
    fn digests_of_random_layouts(
        rows in rows(60), layout in 0..LAYOUTS.len(), encoding in 0..5usize,
        width in 1..70usize, around in 0..10usize, bit in 0..20usize,
    ) {
        let rows = fit(&LAYOUTS[layout], rows, width);
        let buffers = Buffers::new(&LAYOUTS[layout], &rows, around, bit);
        let (column, encoding) = (buffers.column(), ENCODINGS[encoding]);
        for (i, row) in rows.iter().enumerate() {
            prop_assert_eq!(column.get(i), Ok(row.as_deref()));
        }
        let digests = hasher("sha256").digest(&column, encoding).unwrap();
        check(&digests, encoding, 32, &each(&rows, |row| sha2::Sha256::digest(row).to_vec()));
        let tags = hasher("sha512").hmac(Key::One(b"key"), &column, encoding).unwrap();
        check(&tags, encoding, 64, &each(&rows, |row| hmac::<sha2::Sha512>(b"key", row)));
        let keys = hasher("sha1").pbkdf2(&column, Key::One(b"salt"), 2, width, encoding).unwrap();
        check(&keys, encoding, width, &each(&rows, |row| {
            let mut out = vec![0; width];
            pbkdf2::pbkdf2_hmac::<sha1::Sha1>(row, b"salt", 2, &mut out);
            out
        }));
    }

    #[test]
    fn two_columns_of_random_layouts(
        pairs in (rows(40), rows(40)), layouts in (0..LAYOUTS.len(), 0..LAYOUTS.len()),
        encoding in 0..5usize, width in 1..200usize, bits in (0..9usize, 0..9usize),
    ) {
        let count = pairs.0.len().min(pairs.1.len());
        let (left, right) = (&LAYOUTS[layouts.0], &LAYOUTS[layouts.1]);
        let messages = fit(left, pairs.0[..count].to_vec(), width);
        let keys = fit(right, pairs.1[..count].to_vec(), width);
        let (columns, encoding) = ((
            Buffers::new(left, &messages, 1, bits.0), Buffers::new(right, &keys, 0, bits.1),
        ), ENCODINGS[encoding]);
        let (column, key) = (columns.0.column(), columns.1.column());
        let both = |value: fn(&[u8], &[u8]) -> Vec<u8>| -> Vec<Row> {
            let pairs = messages.iter().zip(&keys);
            pairs.map(|(x, y)| Some(value(x.as_deref()?, y.as_deref()?))).collect()
        };
        let tags = hasher("sha256").hmac(Key::Each(&key), &column, encoding).unwrap();
        check(&tags, encoding, 32, &both(|x, y| hmac::<sha2::Sha256>(y, x)));
        let derived = hasher("sha512").pbkdf2(&column, Key::Each(&key), 1, 70, encoding).unwrap();
        check(&derived, encoding, 70, &both(|x, y| {
            let mut out = vec![0; 70];
            pbkdf2::pbkdf2_hmac::<sha2::Sha512>(x, y, 1, &mut out);
            out
        }));
    }

    #[test]
    fn verifications(
        rows in rows(40), wrong in collection::vec(any::<u8>(), 40), layout in 0..LAYOUTS.len(),
        digests in 0..LAYOUTS.len(), upper in any::<bool>(),
    ) {
        let (layout, digests) = (&LAYOUTS[layout], &LAYOUTS[digests]);
        let rows = fit(layout, rows, 9);
        let expected: Vec<Row> = rows.iter().zip(&wrong).map(|(row, wrong)| {
            let mut digest = sha2::Sha384::digest(row.as_deref().unwrap_or_default()).to_vec();
            match wrong % 5 {
                0 => return None,
                1 => digest[usize::from(*wrong) % 48] ^= 1 << (wrong % 8),
                2 if !digests.is_fixed() => digest.truncate(47),
                _ => {}
            }
            if digests.is_text() {
                digest = hex::encode(digest).into_bytes();
                if upper {
                    digest.make_ascii_uppercase();
                }
            }
            Some(digest)
        }).collect();
        let (left, right) = (Buffers::new(layout, &rows, 3, 1), Buffers::new(digests, &expected, 2, 5));
        let verified = hasher("sha384").verify(&left.column(), &right.column()).unwrap();
        prop_assert_eq!(verified.len(), rows.len());
        for (i, (row, expected)) in rows.iter().zip(&expected).enumerate() {
            let is_right = row.as_ref().zip(expected.as_ref()).map(|_| match wrong[i] % 5 {
                1 => false,
                2 => digests.is_fixed(),
                _ => true,
            });
            prop_assert_eq!(verified.is_true(i), is_right, "row {}", i);
            prop_assert_eq!(verified.get(i), None, "booleans have no bytes");
        }
    }
}

/// Rows of more than a block, with lengths that are not alike.
fn many() -> Vec<Row> {
    let row = |i: usize| (i % 11 != 3).then(|| vec![i as u8; i * i % 150]);
    (0..20_000).map(row).collect()
}

#[test]
fn several_blocks() {
    let rows = many();
    for layout in &LAYOUTS[..2] {
        let buffers = Buffers::new(layout, &rows, 1, 3);
        for encoding in ENCODINGS {
            let digests = hasher("sha512").digest(&buffers.column(), encoding).unwrap();
            let expected = each(&rows, |row| sha2::Sha512::digest(row).to_vec());
            check(&digests, encoding, 64, &expected);
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_change_nothing() {
    let rows = many();
    let layouts = [&LAYOUTS[2], &LAYOUTS[11]];
    for (layout, len) in layouts.into_iter().flat_map(|x| [(x, 0), (x, 9), (x, 9000), (x, 20_000)])
    {
        let rows = fit(layout, rows[..len].to_vec(), 5);
        let buffers = Buffers::new(layout, &rows, 1, 3);
        let column = buffers.column();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for encoding in ENCODINGS {
                let one = hasher("sha256");
                let all = one.clone().parallel();
                pool.install(|| {
                    assert!(one.digest(&column, encoding) == all.digest(&column, encoding));
                    let (key, columns) = (Key::One(b"key"), [column.clone(), column.clone()]);
                    assert!(one.hmac(key, &column, encoding) == all.hmac(key, &column, encoding));
                    assert!(
                        one.row_digest(&columns, encoding) == all.row_digest(&columns, encoding)
                    );
                });
            }
        }
    }
}

#[test]
fn several_algorithms_and_all_backends() {
    let rows = &many()[..100];
    let names =
        ["sha1", "sha224", "sha384", "sha512-256", "skein512", "skein256-160", "jlanes8-sha256"];
    for layout in &LAYOUTS {
        let rows = fit(layout, rows.to_vec(), 33);
        let buffers = Buffers::new(layout, &rows, 0, 0);
        for backend in backends() {
            let hashers: Vec<ColumnHasher> =
                names.iter().map(|name| hasher(name).on(backend)).collect();
            let arrays = digest_several(&hashers, &buffers.column(), Encoding::Binary).unwrap();
            for (name, (array, hasher)) in names.iter().zip(arrays.iter().zip(&hashers)) {
                let algorithm: Algorithm = name.parse().unwrap();
                let expected = each(&rows, |row| {
                    let mut hasher = algorithm.hasher().unwrap();
                    hasher.update(row);
                    hasher.finalize().to_vec()
                });
                check(array, Encoding::Binary, hasher.output_size(), &expected);
            }
        }
    }
}

#[test]
fn values_are_contiguous_and_validity_is_bits() {
    let rows: Vec<Row> = [Some("a"), None, Some("b")].map(|row| row.map(Into::into)).to_vec();
    let layout = LAYOUTS.iter().find(|layout| fit(layout, rows.clone(), 1) == rows).unwrap();
    let buffers = Buffers::new(layout, &rows, 0, 0);
    let array = hasher("sha256").digest(&buffers.column(), Encoding::Binary).unwrap();
    let digests = ["a", "b"].map(sha2::Sha256::digest);
    assert_eq!(array.values(), digests.concat());
    assert_eq!(array.validity(), Some(&[0b101][..]));
}

#[test]
fn no_rows_and_only_nulls() {
    for encoding in ENCODINGS {
        for layout in &LAYOUTS {
            for rows in [vec![], vec![None; 13]] {
                let buffers = Buffers::new(layout, &rows, 0, 4);
                check(
                    &hasher("sha256").digest(&buffers.column(), encoding).unwrap(),
                    encoding,
                    32,
                    &rows,
                );
            }
        }
        let nulls = Column::null(9);
        check(&hasher("sha256").digest(&nulls, encoding).unwrap(), encoding, 32, &vec![None; 9]);
        assert!(digest_several(&[], &nulls, encoding).unwrap().is_empty());
    }
}

/// The memory of results of 4 MiB and more is asked for in large pages.
#[test]
fn large_results() {
    let bytes: Vec<u8> = (0..150_000u64).flat_map(u64::to_le_bytes).collect();
    let column = Column::fixed_size_binary(&bytes, 8).unwrap();
    let values: Vec<Row> =
        bytes.chunks(8).map(|row| Some(sha2::Sha256::digest(row).to_vec())).collect();
    for encoding in [Encoding::FixedSizeBinary, Encoding::Hex] {
        let digests = hasher("sha256").digest(&column, encoding).unwrap();
        check(&digests, encoding, 32, &values);
    }
}
