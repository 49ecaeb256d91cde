//! Columns with dictionaries: each value is hashed once, for any number of rows.

use crate::{
    Array, Column, Error,
    array::{Nulls, Offsets},
    hex,
    meaning::Value,
    room::{list, zeros},
    task::Task,
};

/// Fills the arrays of all tasks, for a column of indices into `values`.
pub(crate) fn run(
    column: &Column<'_>,
    values: &Column<'_>,
    nulls: &Nulls,
    tasks: &[Task<'_>],
    arrays: &mut [Array],
) -> Result<(), Error> {
    // the messages that rows refer to; for each value the number of its message from 1 on, or 0
    let mut messages = Vec::new();
    let mut numbers: Vec<u32> = zeros(values.len())?;
    // the number of the message of each row that is not null
    let mut chosen: Vec<u32> = list(column.len() - nulls.count)?;
    for i in 0..column.len() {
        if nulls.bits().is_some_and(|bits| !bits.get(i)) {
            continue;
        }
        let value = column.index(i)?;
        if numbers[value] == 0 {
            messages.try_reserve(1).map_err(|_| Error::TooLarge)?;
            messages.push(values.value(value)?);
            numbers[value] = u32::try_from(messages.len()).map_err(|_| Error::TooLarge)?;
        }
        chosen.push(numbers[value] - 1);
    }
    drop(numbers);

    let messages = [messages];
    for (task, array) in tasks.iter().zip(arrays) {
        let bytes = messages[0].len().checked_mul(task.width).ok_or(Error::TooLarge)?;
        let mut table = zeros(bytes)?;
        task.run(task.workers.is_parallel(), &messages, &mut table)?;
        let mut width = task.width;
        if array.data_type.meaning().value == Value::Text {
            let mut text = zeros(bytes.checked_mul(2).ok_or(Error::TooLarge)?)?;
            hex::encode(&table, &mut text);
            (table, width) = (text, 2 * width);
        }
        if width > 0 {
            place(&table, width, &chosen, nulls, array);
        }
    }
    Ok(())
}

/// Copies the value of each row from the table to its place.
fn place(table: &[u8], width: usize, chosen: &[u32], nulls: &Nulls, array: &mut Array) {
    let fixed = matches!(array.offsets, Offsets::None);
    let places = array.values.chunks_exact_mut(width).enumerate();
    let bits = nulls.bits().filter(|_| fixed);
    let places = places.filter(|(i, _)| bits.is_none_or(|bits| bits.get(*i)));
    for ((_, out), number) in places.zip(chosen) {
        out.copy_from_slice(&table[*number as usize * width..][..width]);
    }
}
