//! Imports types from schemas, of a bounded depth and size, because schemas may be untrusted.

use super::{ArrowSchema, extension, memory::Memory};
use crate::{DataType, Error, allocation::try_with_capacity};

/// The type of a schema.
///
/// # Safety
/// The schema is valid: its pointers lead to what the specification says, or out of the memory.
pub(super) unsafe fn type_of(schema: &ArrowSchema, memory: &Memory) -> Result<DataType, Error> {
    if schema.is_released() {
        return Err(Error::Released);
    }
    // SAFETY: `nested_type` has the contract of this function.
    unsafe { nested_type(schema, memory, (0, &mut memory.size().min(MAX_SCHEMA_BYTES))) }
}

/// The maximum depth of nested types.
const MAX_DEPTH: usize = 32;

/// The maximum size of a schema: the structures of 2^18 types. Pointers of an untrusted one may lead to the same
/// child, name or metadata again, and two children at each depth are 2^32, so each counts as if it were another
/// one, and all together have at most the size of the memory.
const MAX_SCHEMA_BYTES: usize = size_of::<ArrowSchema>() << 18;

/// The type of a schema at a depth, of at most `left` bytes.
///
/// # Safety
/// As [`type_of`].
unsafe fn nested_type(
    schema: &ArrowSchema,
    memory: &Memory,
    (depth, left): (usize, &mut usize),
) -> Result<DataType, Error> {
    // SAFETY: `schema` is valid: this function's contract.
    unsafe { extension::check(schema, memory, left) }?;
    // SAFETY: the schema has a format.
    let format = unsafe { memory.text(schema.format) }?;
    let list = match format.strip_prefix("+w:") {
        _ if format == "+s" => None,
        _ if format == "+l" || format == "+L" => Some(0),
        Some(count) => Some(count.parse::<i32>().map_err(|_| Error::Format(format.clone()))?),
        // SAFETY: `schema` is valid: this function's contract.
        None => return unsafe { flat_type(schema, (memory, left), &format) },
    };
    let count = usize::try_from(schema.n_children).map_err(|_| Error::Buffers)?;
    let size = count.checked_mul(size_of::<ArrowSchema>()).filter(|_| depth < MAX_DEPTH);
    let rest = size.and_then(|size| left.checked_sub(size));
    *left = rest.ok_or_else(|| Error::Format(format.clone()))?;
    // SAFETY: the schema has `count` pointers to children.
    let children = unsafe { memory.values(schema.children, count) }?;
    let mut fields = try_with_capacity(count)?;
    for child in children {
        // SAFETY: the pointer leads to a schema.
        let child = unsafe { memory.value(child.cast_const()) }?;
        let name = match child.name.is_null() {
            true => String::new(),
            // SAFETY: the schema has a name.
            false => unsafe { memory.text(child.name) }?,
        };
        *left = left.checked_sub(name.len()).ok_or(Error::Length)?;
        // SAFETY: a child of a valid schema is valid.
        fields.push((name, unsafe { nested_type(child, memory, (depth + 1, left)) }?));
    }
    let Some(width) = list else { return Ok(DataType::Struct(fields)) };
    let [(_, items)] = <[_; 1]>::try_from(fields).map_err(|_| Error::Buffers)?;
    Ok(match &*format {
        "+l" => DataType::List(Box::new(items)),
        "+L" => DataType::LargeList(Box::new(items)),
        _ => {
            let width = usize::try_from(width).map_err(|_| Error::Format(format))?;
            DataType::FixedSizeList(Box::new(items), width)
        }
    })
}

/// The type of a schema without children.
///
/// # Safety
/// As [`type_of`].
unsafe fn flat_type(
    schema: &ArrowSchema,
    (memory, left): (&Memory, &mut usize),
    format: &str,
) -> Result<DataType, Error> {
    let plain = DataType::parse(format)?;
    if schema.dictionary.is_null() {
        return Ok(plain);
    }
    // SAFETY: the pointer leads to a schema.
    let values = unsafe { memory.value(schema.dictionary.cast_const()) }?;
    if !plain.is_index() || !values.dictionary.is_null() {
        return Err(Error::Type(plain.format()));
    }
    // SAFETY: the dictionary of a valid schema is valid.
    unsafe { extension::check(values, memory, left) }?;
    // SAFETY: the schema has a format.
    let values = DataType::parse(&unsafe { memory.text(values.format) }?)?;
    Ok(DataType::Dictionary(Box::new(plain), Box::new(values)))
}
