//! Spark's `sha2(x, bits)`, in which each row may choose its hash, by the number of bits.
//!
//! Lanes run one hash at a time, so rows are hashed in groups, one for each hash. In a group the other
//! rows are null: no row is copied, and each digest is in its row.

use arrow::{
    array::{Array as _, ArrayRef, AsArray, BooleanArray, new_null_array},
    buffer::BooleanBuffer,
    compute::{CastOptions, interleave, nullif},
    datatypes::{DataType, Int64Type},
};
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::ColumnarValue;
use jlanes_columns::Encoding;

use crate::{
    args::{algorithm, hasher},
    columns::{array, column, external},
};

/// The hashes that bits choose from.
const HASHES: [&str; 4] = ["sha224", "sha256", "sha384", "sha512"];

/// The place in [`HASHES`] of the one with this number of bits. Spark has null for other numbers.
fn place(bits: i64) -> Option<usize> {
    match bits {
        224 => Some(0),
        0 | 256 => Some(1),
        384 => Some(2),
        512 => Some(3),
        _ => None,
    }
}

/// Whether a column of this type can have numbers of bits.
pub(crate) fn is_bits(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => values.is_integer(),
        plain => plain.is_integer() || plain.is_null(),
    }
}

/// The digests of `x` in hexadecimal, each of the row's number of bits.
pub(crate) fn sha2(function: &str, x: &ArrayRef, bits: &ColumnarValue) -> Result<ArrayRef> {
    // numbers that are too large become null, which is their digest
    match bits.cast_to(&DataType::Int64, Some(&CastOptions::default()))? {
        ColumnarValue::Scalar(ScalarValue::Int64(bits)) => match bits.and_then(place) {
            Some(place) => digests(function, place, x),
            None => Ok(new_null_array(&DataType::Utf8, x.len())),
        },
        bits => {
            let bits = bits.to_array(x.len())?;
            let bits = bits.as_primitive::<Int64Type>();
            grouped(function, x, &bits.iter().map(|bits| bits.and_then(place)).collect::<Vec<_>>())
        }
    }
}

/// The digests of rows that are each in the group of a place, or null.
fn grouped(function: &str, x: &ArrayRef, places: &[Option<usize>]) -> Result<ArrayRef> {
    let group = |place| {
        let others = BooleanBuffer::collect_bool(x.len(), |row| places[row] != Some(place));
        digests(function, place, &nullif(x, &BooleanArray::from(others))?)
    };
    let groups = (0..HASHES.len()).map(group).collect::<Result<Vec<_>>>()?;
    let groups: Vec<_> = groups.iter().map(|digests| digests.as_ref()).collect();
    // a row without a place is null in every group
    let rows: Vec<_> =
        places.iter().enumerate().map(|(row, place)| (place.unwrap_or_default(), row)).collect();
    Ok(interleave(&groups, &rows)?)
}

/// The digests of all rows with one hash.
fn digests(function: &str, place: usize, x: &ArrayRef) -> Result<ArrayRef> {
    let hasher = hasher(function, algorithm(function, HASHES[place])?)?;
    array(hasher.digest(&column(x)?, Encoding::Hex).map_err(external)?)
}
