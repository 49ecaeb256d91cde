//! The canonical encoding of rows; the crate's documentation defines it byte by byte.

use core::ops::Range;

use jlanes::multi::Messages;

use crate::{
    Array, Column, DataType, Encoding, Error,
    allocation::{try_with_capacity, try_zeros},
    array::Nulls,
    hex,
    meaning::{Kind, Meaning},
    run,
    task::Task,
};

/// The first bytes of every row, before the number of its fields.
const MAGIC: [u8; 4] = *b"JLR1";

/// The bit of a field's first byte that marks null.
const NULL_BIT: u8 = 0x80;

/// The number of rows encoded at once, unless they are long.
const BLOCK_ROWS: usize = 1024;

/// The number of encoded bytes at which a block of rows ends.
const LONG_BLOCK_BYTES: usize = 1 << 20;

/// Bytes by which a row may exceed the buffers of its columns: the types and the lengths of items. Values may be
/// repeated, by views and by indices of a byte each, so that a row of little memory has no bound.
const SPARE_BYTES: usize = 1 << 28;

/// Rows, and the number of bytes at which the last one is too long.
struct Encoded {
    bytes: Vec<u8>,
    most: usize,
}

/// Digests the rows of a table.
pub(crate) fn digest(
    task: &Task<'_>,
    columns: &[Column<'_>],
    encoding: Encoding,
) -> Result<Array, Error> {
    let rows = run::common_len(&columns.iter().collect::<Vec<_>>())?;
    let nulls = Nulls { validity: None, count: 0 };
    let mut array = Array::zeroed(rows, nulls, task.width, encoding)?;
    let fields: Vec<Field<'_>> =
        columns.iter().map(|column| Field::new(column, 0..rows)).collect::<Result<_, _>>()?;
    let mut head = MAGIC.to_vec();
    let count = u32::try_from(fields.len()).map_err(|_| Error::TooLarge)?;
    head.extend(count.to_le_bytes());

    let block = if task.lanes.is_parallel() { 64 * BLOCK_ROWS } else { BLOCK_ROWS };
    let size = SPARE_BYTES.saturating_add(Column::common_size(columns));
    let mut encoded = Encoded { bytes: Vec::new(), most: 0 };
    let mut ends = try_with_capacity(block.min(rows))?;
    let mut first = 0;
    while first < rows {
        task.lanes.check()?;
        encoded.bytes.clear();
        ends.clear();
        let long = if task.lanes.is_parallel() { 64 * LONG_BLOCK_BYTES } else { LONG_BLOCK_BYTES };
        while first + ends.len() < rows && ends.len() < block && encoded.bytes.len() < long {
            let i = first + ends.len();
            encoded.most = encoded.bytes.len().saturating_add(size);
            append(&mut encoded, &head)?;
            fields.iter().try_for_each(|field| field.encode(i, &mut encoded))?;
            ends.push(encoded.bytes.len());
        }
        let starts = core::iter::once(0).chain(ends.iter().copied());
        let mut messages = try_with_capacity(ends.len())?;
        messages.extend(starts.zip(&ends).map(|(from, to)| &encoded.bytes[from..*to]));
        let out = first * task.width..(first + messages.len()) * task.width;
        first += messages.len();
        let lanes = task.lanes.select(true);
        if encoding.is_hex() {
            let mut raw = try_zeros(out.len())?;
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
    meaning: Meaning,
    /// The fields of items or of struct members.
    children: Vec<Field<'c>>,
}

impl<'c> Field<'c> {
    /// The field in `rows`. Of items, a slice has those of other slices, too, which are not looked at.
    fn new(column: &'c Column<'c>, rows: Range<usize>) -> Result<Self, Error> {
        let meaning = column.data_type().meaning();
        let below = match meaning.kind {
            // lists of lists that share items, which takes a null row, would have any number of them; those of
            // one length share none, and any number of empty ones takes no memory: the first and the last will do
            Kind::List => {
                let is_fixed = matches!(column.data_type(), DataType::FixedSizeList(..));
                let step = if is_fixed { rows.len().saturating_sub(1).max(1) } else { 1 };
                let mut items = rows.step_by(step).map(|i| column.items_of(i));
                items.try_fold(0..0, |all, items| {
                    let items = items?;
                    Ok::<_, Error>(if all.is_empty() { items } else { all.start..items.end })
                })?
            }
            _ => {
                let offset = column.layout_and_offset().1;
                offset + rows.start..offset + rows.end
            }
        };
        let children = column.children().iter().map(|child| Field::new(child, below.clone()));
        Ok(Self { column, meaning, children: children.collect::<Result<_, _>>()? })
    }

    /// Appends the field of row `i`.
    fn encode(&self, i: usize, out: &mut Encoded) -> Result<(), Error> {
        let null = self.column.is_null(i)?;
        append(out, &[if null { self.meaning.tag | NULL_BIT } else { self.meaning.tag }])?;
        append(out, self.meaning.parameters())?;
        if null {
            return Ok(());
        }
        match self.meaning.kind {
            Kind::Null => Ok(()),
            Kind::Bit => append(out, &[self.bit(i)?.into()]),
            Kind::Number(width) => {
                let mut number = [0; 16];
                let number = &mut number[..width];
                number.copy_from_slice(self.column.value(i)?);
                if cfg!(target_endian = "big") {
                    number.reverse();
                }
                append(out, number)
            }
            Kind::Float16 => {
                let bits = float16(u16::from_ne_bytes(self.array(i)?));
                append(out, &bits.to_le_bytes())
            }
            Kind::Float32 => {
                let bits = float32(f32::from_ne_bytes(self.array(i)?));
                append(out, &bits.to_le_bytes())
            }
            Kind::Float64 => {
                let bits = float64(f64::from_ne_bytes(self.array(i)?));
                append(out, &bits.to_le_bytes())
            }
            Kind::Text | Kind::Bytes => {
                let value = self.column.value(i)?;
                append(out, &(value.len() as u64).to_le_bytes())?;
                append(out, value)
            }
            Kind::List => {
                let items = self.column.items_of(i)?;
                append(out, &(items.len() as u64).to_le_bytes())?;
                let mut children = self.children.iter();
                children.try_for_each(|child| items.clone().try_for_each(|i| child.encode(i, out)))
            }
            Kind::Struct => {
                let row = self.column.layout_and_offset().1 + i;
                append(out, &(self.children.len() as u32).to_le_bytes())?;
                self.children.iter().try_for_each(|child| child.encode(row, out))
            }
        }
    }

    fn bit(&self, i: usize) -> Result<bool, Error> {
        let bit = match self.column.dictionary_values() {
            Some(values) => values.bit(self.column.index(i)?),
            None => self.column.bit(i),
        };
        bit.ok_or(Error::Length)
    }

    fn array<const N: usize>(&self, i: usize) -> Result<[u8; N], Error> {
        self.column.value(i)?.first_chunk().copied().ok_or(Error::Length)
    }
}

/// The canonical bits of a float. Here and below, floats that compare as equal have one encoding, and so have all NaNs.
fn float16(bits: u16) -> u16 {
    match bits & 0x7fff {
        0 => 0,
        0x7c01.. => 0x7e00,
        _ => bits,
    }
}

fn float32(number: f32) -> u32 {
    if number.is_nan() { 0x7fc0_0000 } else { (number + 0.0).to_bits() }
}

fn float64(number: f64) -> u64 {
    if number.is_nan() { 0x7ff8_0000_0000_0000 } else { (number + 0.0).to_bits() }
}

fn append(Encoded { bytes: out, most }: &mut Encoded, bytes: &[u8]) -> Result<(), Error> {
    if bytes.len() > *most - out.len() || out.try_reserve(bytes.len()).is_err() {
        return Err(Error::TooLarge);
    }
    out.extend_from_slice(bytes);
    Ok(())
}
