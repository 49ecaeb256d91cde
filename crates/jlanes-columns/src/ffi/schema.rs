//! Import of types from schemas.

use super::{ArrowSchema, extension, memory::Memory};
use crate::{DataType, Error, room::list as reserved};

/// The type of a schema.
///
/// # Safety
/// The schema is valid: its pointers lead to what the specification says, or out of the memory.
pub(super) unsafe fn type_of(schema: &ArrowSchema, memory: &Memory) -> Result<DataType, Error> {
    if schema.is_released() {
        return Err(Error::Released);
    }
    let mut left = MAX_TYPES;
    // SAFETY: `nested_type` has the contract of this function.
    unsafe { nested_type(schema, memory, 0, &mut left) }
}

/// The maximum depth of nested types.
const MAX_DEPTH: usize = 32;

/// The maximum number of types in a schema. Pointers to one child would make any number.
const MAX_TYPES: usize = 1 << 18;

/// # Safety
/// As [`type_of`].
unsafe fn nested_type(
    schema: &ArrowSchema,
    memory: &Memory,
    depth: usize,
    left: &mut usize,
) -> Result<DataType, Error> {
    *left = left.checked_sub(1).ok_or(Error::TooLarge)?;
    // SAFETY: `schema` is valid: this function's contract.
    unsafe { extension::check(schema, memory) }?;
    // SAFETY: the schema has a format.
    let format = unsafe { memory.text(schema.format) }?;
    let list = match format.strip_prefix("+w:") {
        _ if format == "+s" => None,
        _ if format == "+l" || format == "+L" => Some(0),
        Some(count) => Some(count.parse::<i32>().map_err(|_| Error::Format(format.clone()))?),
        // SAFETY: `schema` is valid: this function's contract.
        None => return unsafe { flat_type(schema, memory, &format) },
    };
    if depth == MAX_DEPTH {
        return Err(Error::Format(format));
    }
    let count = usize::try_from(schema.n_children).map_err(|_| Error::Buffers)?;
    // SAFETY: the schema has `count` pointers to children.
    let children = unsafe { memory.values(schema.children, count) }?;
    let mut fields = reserved(count)?;
    for child in children {
        // SAFETY: the pointer leads to a schema.
        let child = unsafe { memory.value(child.cast_const()) }?;
        let name = match child.name.is_null() {
            true => String::new(),
            // SAFETY: the schema has a name.
            false => unsafe { memory.text(child.name) }?,
        };
        // SAFETY: a child of a whole schema is whole.
        fields.push((name, unsafe { nested_type(child, memory, depth + 1, left) }?));
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
    memory: &Memory,
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
    // SAFETY: a schema's dictionary is whole.
    unsafe { extension::check(values, memory) }?;
    // SAFETY: the schema has a format.
    let values = DataType::parse(&unsafe { memory.text(values.format) }?)?;
    Ok(DataType::Dictionary(Box::new(plain), Box::new(values)))
}
