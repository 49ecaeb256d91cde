//! The canonical encoding of rows; the crate's documentation defines it byte by byte.

use jlanes::multi::Messages;

use crate::{
    Array, Column, DataType, Encoding, Error,
    array::Nulls,
    hex,
    room::{list, zeros},
    run::{self, Task},
    types::TimeUnit,
};

/// The first bytes of every row, before the number of its fields.
const MAGIC: [u8; 4] = *b"JLR1";

/// The bit of a field's first byte that marks null.
const NULL: u8 = 0x80;

/// The number of rows that are encoded at once, unless they are long.
const BLOCK: usize = 1024;

/// The number of bytes from which no more rows are encoded at once.
const LONG: usize = 1 << 20;

/// Digests the rows of a table.
pub(crate) fn digest(
    task: &Task<'_>,
    columns: &[Column<'_>],
    encoding: Encoding,
) -> Result<Array, Error> {
    let rows = run::rows(&columns.iter().collect::<Vec<_>>())?;
    let nulls = Nulls { validity: None, count: 0 };
    let mut array = Array::with_room(rows, nulls, task.width, encoding)?;
    let fields: Vec<Field<'_>> = columns.iter().map(Field::new).collect::<Result<_, _>>()?;
    let mut head = MAGIC.to_vec();
    let count = u32::try_from(fields.len()).map_err(|_| Error::TooLarge)?;
    head.extend(count.to_le_bytes());

    let block = if task.kernel.is_parallel() { 64 * BLOCK } else { BLOCK };
    let mut bytes = Vec::new();
    let mut ends = list(block.min(rows))?;
    let mut first = 0;
    while first < rows {
        task.kernel.check()?;
        bytes.clear();
        ends.clear();
        let long = if task.kernel.is_parallel() { 64 * LONG } else { LONG };
        while first + ends.len() < rows && ends.len() < block && bytes.len() < long {
            let i = first + ends.len();
            append(&mut bytes, &head)?;
            for field in &fields {
                field.encode(i, &mut bytes)?;
            }
            ends.push(bytes.len());
        }
        let starts = core::iter::once(0).chain(ends.iter().copied());
        let messages: Vec<&[u8]> = starts.zip(&ends).map(|(from, to)| &bytes[from..*to]).collect();
        let out = first * task.width..(first + messages.len()) * task.width;
        first += messages.len();
        let lanes = task.kernel.lanes(true);
        if encoding.is_hex() {
            let mut raw = zeros(out.len())?;
            lanes.digest(Messages::slices(&messages), &mut raw);
            hex::encode(&raw, &mut array.values[2 * out.start..2 * out.end]);
        } else {
            lanes.digest(Messages::slices(&messages), &mut array.values[out]);
        }
    }
    Ok(array)
}

/// A column, and the constant part of its fields.
struct Field<'c> {
    column: &'c Column<'c>,
    /// The type's byte and its parameters.
    head: Vec<u8>,
    encoding: ValueEncoding,
}

/// The encoding of values.
#[derive(Clone, Copy)]
enum ValueEncoding {
    Null,
    Bit,
    /// A number of bytes, in native order.
    Number(usize),
    Float16,
    Float32,
    Float64,
    Bytes,
}

impl<'c> Field<'c> {
    fn new(column: &'c Column<'c>) -> Result<Self, Error> {
        let data_type = match column.data_type() {
            DataType::Dictionary(_, values) => values,
            plain => plain,
        };
        let unit = |unit: TimeUnit| match unit {
            TimeUnit::Second => 0,
            TimeUnit::Millisecond => 1,
            TimeUnit::Microsecond => 2,
            TimeUnit::Nanosecond => 3,
        };
        let head = match *data_type {
            DataType::Null => vec![0],
            DataType::Boolean => vec![0x01],
            DataType::Int8 => vec![0x02],
            DataType::Int16 => vec![0x03],
            DataType::Int32 => vec![0x04],
            DataType::Int64 => vec![0x05],
            DataType::UInt8 => vec![0x06],
            DataType::UInt16 => vec![0x07],
            DataType::UInt32 => vec![0x08],
            DataType::UInt64 => vec![0x09],
            DataType::Float16 => vec![0x0a],
            DataType::Float32 => vec![0x0b],
            DataType::Float64 => vec![0x0c],
            DataType::Date32 => vec![0x0d],
            DataType::Date64 => vec![0x0e],
            DataType::Time32(of) => vec![0x0f, unit(of)],
            DataType::Time64(of) => vec![0x10, unit(of)],
            DataType::Timestamp(of, instant) => vec![0x11, unit(of), instant.into()],
            DataType::Duration(of) => vec![0x12, unit(of)],
            DataType::Decimal128(_, scale) => vec![0x13, scale.to_le_bytes()[0]],
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => vec![0x20],
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => vec![0x21],
            DataType::FixedSizeBinary(_) => vec![0x21],
            DataType::Dictionary(..) => return Err(Error::Type(data_type.format())),
        };
        let encoding = match data_type {
            DataType::Null => ValueEncoding::Null,
            DataType::Boolean => ValueEncoding::Bit,
            DataType::Float16 => ValueEncoding::Float16,
            DataType::Float32 => ValueEncoding::Float32,
            DataType::Float64 => ValueEncoding::Float64,
            other => other.number().map_or(ValueEncoding::Bytes, ValueEncoding::Number),
        };
        Ok(Self { column, head, encoding })
    }

    /// Appends the field of row `i`.
    fn encode(&self, i: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.column.is_null(i)? {
            append(out, &[self.head[0] | NULL])?;
            return append(out, &self.head[1..]);
        }
        append(out, &self.head)?;
        match self.encoding {
            ValueEncoding::Null => Ok(()),
            ValueEncoding::Bit => append(out, &[self.bit(i)?.into()]),
            ValueEncoding::Number(width) => {
                let mut number = [0; 16];
                let number = &mut number[..width];
                number.copy_from_slice(self.column.value(i)?);
                if cfg!(target_endian = "big") {
                    number.reverse();
                }
                append(out, number)
            }
            // one encoding for numbers that compare as equal, and one for all NaNs
            ValueEncoding::Float16 => {
                let bits = u16::from_ne_bytes(self.array(i)?);
                let bits = match bits & 0x7fff {
                    0 => 0,
                    0x7c01.. => 0x7e00,
                    _ => bits,
                };
                append(out, &bits.to_le_bytes())
            }
            ValueEncoding::Float32 => {
                let number = f32::from_ne_bytes(self.array(i)?);
                let bits = if number.is_nan() { 0x7fc0_0000 } else { (number + 0.0).to_bits() };
                append(out, &bits.to_le_bytes())
            }
            ValueEncoding::Float64 => {
                let number = f64::from_ne_bytes(self.array(i)?);
                let nan = 0x7ff8_0000_0000_0000;
                let bits = if number.is_nan() { nan } else { (number + 0.0).to_bits() };
                append(out, &bits.to_le_bytes())
            }
            ValueEncoding::Bytes => {
                let value = self.column.value(i)?;
                append(out, &(value.len() as u64).to_le_bytes())?;
                append(out, value)
            }
        }
    }

    fn bit(&self, i: usize) -> Result<bool, Error> {
        let bit = match self.column.values() {
            Some(values) => values.bit(self.column.index(i)?),
            None => self.column.bit(i),
        };
        bit.ok_or(Error::Length)
    }

    fn array<const N: usize>(&self, i: usize) -> Result<[u8; N], Error> {
        self.column.value(i)?.first_chunk().copied().ok_or(Error::Length)
    }
}

fn append(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), Error> {
    out.try_reserve(bytes.len()).map_err(|_| Error::TooLarge)?;
    out.extend_from_slice(bytes);
    Ok(())
}
