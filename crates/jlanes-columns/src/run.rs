//! The loop over the rows of columns.
//!
//! Rows are processed in blocks: gather the messages of a block without null rows, hash them, and move
//! the digests to their places in the result. Several tasks share the gathered messages.

use core::ops::Range;

use crate::{
    Array, Column, DataType, Encoding, Error,
    allocation::{try_with_capacity, try_zeros},
    array::{Nulls, Offsets},
    bits::{self, count_ones, ones},
    dictionary, hex,
    meaning::Kind,
    task::Task,
};

/// The number of rows in a block: enough to fill lanes with messages of similar lengths, and few enough
/// for the list of messages to stay in the cache. A multiple of 8.
pub(crate) const BLOCK_ROWS: usize = 8192;

/// The maximum number of dictionary values for each row. Each value takes four bytes. With more values,
/// few rows share one, and memory must not grow with a length that costs the producer nothing.
const MAX_VALUES_PER_ROW: usize = 64;

/// The number of rows, if all columns have the same.
pub(crate) fn common_len(columns: &[&Column<'_>]) -> Result<usize, Error> {
    let rows = columns.first().map_or(0, |column| column.len());
    let same = columns.iter().all(|column| column.len() == rows);
    if same { Ok(rows) } else { Err(Error::Rows) }
}

/// The rows in which any of the columns is null.
pub(crate) fn nulls(columns: &[&Column<'_>], rows: usize) -> Result<Nulls, Error> {
    if !columns.iter().any(|column| column.is_nullable()) {
        return Ok(Nulls { validity: None, count: 0 });
    }
    let mut validity = ones(rows)?;
    for column in columns {
        if let Some(bits) = column.validity() {
            bits.and_into(&mut validity);
        }
        match column.dictionary_values() {
            Some(values) if values.is_nullable() => {
                for i in 0..rows {
                    if column.is_null(i)? {
                        bits::set_bit(&mut validity, i, false);
                    }
                }
            }
            None if *column.data_type() == DataType::Null => validity.fill(0),
            _ => {}
        }
    }
    let count = rows - count_ones(&validity, 0..rows);
    Ok(Nulls { validity: (count > 0).then_some(validity), count })
}

/// Computes the value of every task for every row.
pub(crate) fn run(
    columns: &[&Column<'_>],
    tasks: &[Task<'_>],
    encoding: Encoding,
) -> Result<Vec<Array>, Error> {
    for column in columns {
        column.check_is_message()?;
    }
    let rows = common_len(columns)?;
    let nulls = nulls(columns, rows)?;
    let arrays =
        tasks.iter().map(|task| Array::zeroed(rows, nulls.try_clone()?, task.width, encoding));
    let mut arrays: Vec<Array> = arrays.collect::<Result<_, _>>()?;
    if let [column] = columns
        && let Some(values) = column.dictionary_values()
        && values.len() / MAX_VALUES_PER_ROW <= rows
    {
        dictionary::run(column, values, &nulls, tasks, &mut arrays)?;
        return Ok(arrays);
    }

    let mut blocks = try_with_capacity(rows.div_ceil(BLOCK_ROWS))?;
    let mut rests: Vec<&mut [u8]> = arrays.iter_mut().map(|array| &mut array.values[..]).collect();
    for first in (0..rows).step_by(BLOCK_ROWS) {
        let rows = first..rows.min(first + BLOCK_ROWS);
        let valid_rows = match &nulls.validity {
            Some(validity) => count_ones(validity, rows.clone()),
            None => rows.len(),
        };
        let mut block = Block { rows, valid_rows, outs: Vec::with_capacity(tasks.len()) };
        for (rest, task) in rests.iter_mut().zip(tasks) {
            let out = rest.split_off_mut(..block.bytes(task, encoding));
            block.outs.push(out.unwrap_or_default());
        }
        blocks.push(block);
    }
    for_each_block(tasks, blocks, |block, parallel| {
        block.run(columns, &nulls, tasks, encoding, parallel)
    })?;
    Ok(arrays)
}

/// Runs `job` on every block. If the tasks may use threads and there are enough blocks, blocks run in
/// parallel. With few blocks, `job` gets a flag to use threads within each block.
fn for_each_block<'b>(
    tasks: &[Task<'_>],
    blocks: Vec<Block<'b>>,
    job: impl Fn(Block<'b>, bool) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    #[cfg(feature = "rayon")]
    if tasks.iter().any(|task| task.lanes.is_parallel()) {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};

        let rows: usize = blocks.iter().map(|block| block.valid_rows).sum();
        let threads = crate::task::threads(rows.saturating_mul(crate::task::MIN_ROW_BYTES));
        if threads > 1 && blocks.len() >= 2 * threads {
            return blocks.into_par_iter().try_for_each(|block| job(block, false));
        }
    }
    let parallel = tasks.iter().any(|task| task.lanes.is_parallel());
    blocks.into_iter().try_for_each(|block| job(block, parallel))
}

/// A block of rows, and the destination of each task's values.
struct Block<'b> {
    rows: Range<usize>,
    /// The number of rows that are not null.
    valid_rows: usize,
    outs: Vec<&'b mut [u8]>,
}

impl Block<'_> {
    /// The number of bytes of a task's values. It cannot overflow, because the array's size includes
    /// these rows.
    fn bytes(&self, task: &Task<'_>, encoding: Encoding) -> usize {
        match encoding {
            Encoding::FixedSizeBinary => self.rows.len() * task.width,
            Encoding::Hex | Encoding::LargeHex => self.valid_rows * task.width * 2,
            Encoding::Binary | Encoding::LargeBinary => self.valid_rows * task.width,
        }
    }

    fn run(
        self,
        columns: &[&Column<'_>],
        nulls: &Nulls,
        tasks: &[Task<'_>],
        encoding: Encoding,
        parallel: bool,
    ) -> Result<(), Error> {
        let mut messages = Vec::with_capacity(columns.len());
        for column in columns {
            let mut own = try_with_capacity(self.valid_rows)?;
            column.gather(self.rows.clone(), nulls.bits(), &mut own)?;
            messages.push(own);
        }
        for (task, out) in tasks.iter().zip(self.outs) {
            if encoding.is_hex() {
                let mut raw = try_zeros(self.valid_rows * task.width)?;
                task.run(parallel, &messages, &mut raw)?;
                hex::encode(&raw, out);
                continue;
            }
            task.run(parallel, &messages, &mut out[..self.valid_rows * task.width])?;
            if encoding == Encoding::FixedSizeBinary && self.valid_rows < self.rows.len() {
                spread(out, task.width, self.rows.clone(), nulls);
            }
        }
        Ok(())
    }
}

/// Moves contiguous values to the places of their rows, and fills null rows with zeros.
fn spread(out: &mut [u8], width: usize, rows: Range<usize>, nulls: &Nulls) {
    let Some(bits) = nulls.bits() else { return };
    let mut from: usize = rows.clone().filter(|i| bits.get(*i)).count();
    // values move to the right, so the last ones move first
    for i in rows.clone().rev() {
        let to = (i - rows.start) * width;
        if bits.get(i) {
            from -= 1;
            out.copy_within(from * width..(from + 1) * width, to);
        } else {
            out[to..to + width].fill(0);
        }
    }
}

/// Compares values with a column of expected ones, in a time that does not depend on their bytes. Text
/// is decoded as hexadecimal.
pub(crate) fn compare(values: &Array, expected: &Column<'_>) -> Result<Array, Error> {
    expected.check_is_message()?;
    let (found, hex) = (values.as_column(), expected.data_type().meaning().kind == Kind::Text);
    let rows = common_len(&[&found, expected])?;
    let nulls = nulls(&[&found, expected], rows)?;
    let mut bits = try_zeros(rows.div_ceil(8))?;
    let mut raw = Vec::new();
    for i in 0..rows {
        if nulls.bits().is_some_and(|bits| !bits.get(i)) {
            continue;
        }
        let found = found.value(i)?;
        let mut expected = expected.value(i)?;
        if hex {
            if raw.len() != found.len() {
                raw = try_zeros(found.len())?;
            }
            if !hex::decode(expected, &mut raw) {
                continue;
            }
            expected = &raw;
        }
        // unlike `==`, this compares all bytes; lengths are not secret
        bits::set_bit(&mut bits, i, ctutils::CtEq::ct_eq(found, expected).to_bool());
    }
    let (data_type, offsets) = (DataType::Boolean, Offsets::None);
    Ok(Array { data_type, len: rows, nulls, offsets, values: bits })
}
