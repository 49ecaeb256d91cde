//! Columns with dictionaries: each value is hashed once, for any number of rows.

use crate::{
    Array, Column, Error,
    allocation::{try_with_capacity, try_zeros},
    array::{Nulls, Offsets},
    hex,
    meaning::Kind,
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
    let mut message_of_value: Vec<u32> = try_zeros(values.len())?;
    // the number of the message of each row that is not null
    let mut message_of_row: Vec<u32> = try_with_capacity(column.len() - nulls.count)?;
    for i in 0..column.len() {
        if nulls.bits().is_some_and(|bits| !bits.get(i)) {
            continue;
        }
        let value = column.index(i)?;
        if message_of_value[value] == 0 {
            messages.try_reserve(1).map_err(|_| Error::TooLarge)?;
            messages.push(values.value(value)?);
            message_of_value[value] = u32::try_from(messages.len()).map_err(|_| Error::TooLarge)?;
        }
        message_of_row.push(message_of_value[value] - 1);
    }
    drop(message_of_value);

    let messages = [messages];
    for (task, array) in tasks.iter().zip(arrays) {
        let bytes = messages[0].len().checked_mul(task.width).ok_or(Error::TooLarge)?;
        let mut table = try_zeros(bytes)?;
        task.run(task.lanes.is_parallel(), &messages, &mut table)?;
        let mut width = task.width;
        if array.data_type.meaning().kind == Kind::Text {
            let mut text = try_zeros(bytes.checked_mul(2).ok_or(Error::TooLarge)?)?;
            hex::encode(&table, &mut text);
            (table, width) = (text, 2 * width);
        }
        if width > 0 {
            place(&table, width, &message_of_row, nulls, array);
        }
    }
    Ok(())
}

/// Copies the value of each row from the table to its place.
fn place(table: &[u8], width: usize, message_of_row: &[u32], nulls: &Nulls, array: &mut Array) {
    let fixed = matches!(array.offsets, Offsets::None);
    let places = array.values.chunks_exact_mut(width).enumerate();
    let bits = nulls.bits().filter(|_| fixed);
    let places = places.filter(|(i, _)| bits.is_none_or(|bits| bits.get(*i)));
    for ((_, out), number) in places.zip(message_of_row) {
        out.copy_from_slice(&table[*number as usize * width..][..width]);
    }
}
