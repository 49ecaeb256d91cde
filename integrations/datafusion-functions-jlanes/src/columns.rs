//! Conversion between Arrow's arrays and the columns of jlanes-columns, without copying.

use std::sync::Arc;

use arrow::{
    array::{
        Array as _, ArrayRef, ArrowPrimitiveType, AsArray, BinaryArray, BooleanArray,
        FixedSizeBinaryArray, OffsetBufferBuilder, StringArray, downcast_integer_array,
    },
    buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer},
    datatypes as types,
    datatypes::{DataType, FieldRef, TimeUnit},
};
use bytes::Bytes;
use datafusion_common::{DataFusionError, Result, exec_err, internal_err, plan_datafusion_err};
use jlanes_columns as columns;
use jlanes_columns::Column;

/// A column's error as DataFusion's.
pub(crate) fn external(error: columns::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// Refuses fields of extension types, unless their values are those of the storage. Only fields have
/// the names of these types; arrays do not.
pub(crate) fn check_extensions(function: &str, fields: &[FieldRef]) -> Result<()> {
    for name in fields.iter().filter_map(|field| field.extension_type_name()) {
        let checked = columns::check_extension(name);
        checked.map_err(|error| plan_datafusion_err!("{function}: {error}"))?;
    }
    Ok(())
}

/// Whether functions of bytes accept columns of this type.
pub(crate) fn is_bytes(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(index, values) => {
            index.is_dictionary_key_type() && is_plain_bytes(values)
        }
        plain => is_plain_bytes(plain),
    }
}

fn is_plain_bytes(data_type: &DataType) -> bool {
    use DataType::{
        Binary, BinaryView, FixedSizeBinary, LargeBinary, LargeUtf8, Null, Utf8, Utf8View,
    };
    matches!(
        data_type,
        Null | Utf8
            | LargeUtf8
            | Utf8View
            | Binary
            | LargeBinary
            | BinaryView
            | FixedSizeBinary(1..)
    )
}

/// Whether a row may have a field of this type.
pub(crate) fn is_field(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(index, values) => {
            index.is_dictionary_key_type() && number(values).is_some() || is_bytes(data_type)
        }
        plain => *plain == DataType::Boolean || number(plain).is_some() || is_bytes(plain),
    }
}

/// jlanes' name of a type of numbers.
fn number(data_type: &DataType) -> Option<columns::DataType> {
    use columns::DataType as Ours;
    Some(match data_type {
        DataType::Int8 => Ours::Int8,
        DataType::Int16 => Ours::Int16,
        DataType::Int32 => Ours::Int32,
        DataType::Int64 => Ours::Int64,
        DataType::UInt8 => Ours::UInt8,
        DataType::UInt16 => Ours::UInt16,
        DataType::UInt32 => Ours::UInt32,
        DataType::UInt64 => Ours::UInt64,
        DataType::Float16 => Ours::Float16,
        DataType::Float32 => Ours::Float32,
        DataType::Float64 => Ours::Float64,
        DataType::Decimal128(digits, scale) => Ours::Decimal128(*digits, *scale),
        DataType::Date32 => Ours::Date32,
        DataType::Date64 => Ours::Date64,
        DataType::Time32(of) => Ours::Time32(unit(*of)),
        DataType::Time64(of) => Ours::Time64(unit(*of)),
        DataType::Timestamp(of, zone) => Ours::Timestamp(unit(*of), zone.is_some()),
        DataType::Duration(of) => Ours::Duration(unit(*of)),
        _ => return None,
    })
}

fn unit(unit: TimeUnit) -> columns::TimeUnit {
    match unit {
        TimeUnit::Second => columns::TimeUnit::Second,
        TimeUnit::Millisecond => columns::TimeUnit::Millisecond,
        TimeUnit::Microsecond => columns::TimeUnit::Microsecond,
        TimeUnit::Nanosecond => columns::TimeUnit::Nanosecond,
    }
}

/// The column of an array.
pub(crate) fn column(array: &ArrayRef) -> Result<Column<'_>> {
    let column = match array.data_type() {
        DataType::Null => Ok(Column::null(array.len())),
        DataType::Boolean => {
            let bits = array.as_boolean().values();
            Column::boolean(bits.values(), bits.offset(), bits.len())
        }
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            Column::utf8(array.value_offsets(), array.value_data())
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            Column::large_utf8(array.value_offsets(), array.value_data())
        }
        DataType::Binary => {
            let array = array.as_binary::<i32>();
            Column::binary(array.value_offsets(), array.value_data())
        }
        DataType::LargeBinary => {
            let array = array.as_binary::<i64>();
            Column::large_binary(array.value_offsets(), array.value_data())
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            Column::utf8_view(array.views(), buffers(array.data_buffers()))
        }
        DataType::BinaryView => {
            let array = array.as_binary_view();
            Column::binary_view(array.views(), buffers(array.data_buffers()))
        }
        DataType::FixedSizeBinary(width) => {
            let width = usize::try_from(*width).unwrap_or_default();
            let bytes = array.as_fixed_size_binary().value_data();
            Column::fixed_size_binary(bytes, width)
        }
        DataType::Dictionary(_, _) => {
            let array = array.as_any_dictionary();
            let keys = array.keys();
            let index = number(keys.data_type());
            let Some(index) = index else {
                return exec_err!("a dictionary has indices of type {}", keys.data_type());
            };
            let bytes = downcast_integer_array!(
                keys => keys.values().inner().as_slice(),
                other => return exec_err!("a dictionary has indices of type {other}")
            );
            let indices = Column::numbers(index, bytes).and_then(|indices| match keys.nulls() {
                Some(nulls) => indices.with_validity(nulls.validity(), nulls.offset()),
                None => Ok(indices),
            });
            let values = column_of_values(array.values())?;
            return Column::dictionary(&indices.map_err(external)?, values).map_err(external);
        }
        other => match (number(other), numbers(array)) {
            (Some(number), Some(bytes)) => Column::numbers(number, bytes),
            _ => return exec_err!("columns of type {other} are not hashed"),
        },
    };
    let column = column.and_then(|column| match array.nulls() {
        Some(nulls) => column.with_validity(nulls.validity(), nulls.offset()),
        None => Ok(column),
    });
    column.map_err(external)
}

/// A dictionary's values, which are not a dictionary.
fn column_of_values(values: &ArrayRef) -> Result<Column<'_>> {
    match values.data_type() {
        DataType::Dictionary(..) => exec_err!("dictionaries of dictionaries are not hashed"),
        _ => column(values),
    }
}

fn buffers(buffers: &[Buffer]) -> Vec<&[u8]> {
    buffers.iter().map(Buffer::as_slice).collect()
}

/// The bytes of an array of numbers.
fn numbers(array: &ArrayRef) -> Option<&[u8]> {
    fn of<T: ArrowPrimitiveType>(array: &ArrayRef) -> Option<&[u8]> {
        Some(array.as_primitive_opt::<T>()?.values().inner().as_slice())
    }
    match array.data_type() {
        DataType::Int8 => of::<types::Int8Type>(array),
        DataType::Int16 => of::<types::Int16Type>(array),
        DataType::Int32 => of::<types::Int32Type>(array),
        DataType::Int64 => of::<types::Int64Type>(array),
        DataType::UInt8 => of::<types::UInt8Type>(array),
        DataType::UInt16 => of::<types::UInt16Type>(array),
        DataType::UInt32 => of::<types::UInt32Type>(array),
        DataType::UInt64 => of::<types::UInt64Type>(array),
        DataType::Float16 => of::<types::Float16Type>(array),
        DataType::Float32 => of::<types::Float32Type>(array),
        DataType::Float64 => of::<types::Float64Type>(array),
        DataType::Decimal128(..) => of::<types::Decimal128Type>(array),
        DataType::Date32 => of::<types::Date32Type>(array),
        DataType::Date64 => of::<types::Date64Type>(array),
        DataType::Time32(TimeUnit::Second) => of::<types::Time32SecondType>(array),
        DataType::Time32(_) => of::<types::Time32MillisecondType>(array),
        DataType::Time64(TimeUnit::Microsecond) => of::<types::Time64MicrosecondType>(array),
        DataType::Time64(_) => of::<types::Time64NanosecondType>(array),
        DataType::Timestamp(TimeUnit::Second, _) => of::<types::TimestampSecondType>(array),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            of::<types::TimestampMillisecondType>(array)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            of::<types::TimestampMicrosecondType>(array)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => of::<types::TimestampNanosecondType>(array),
        DataType::Duration(TimeUnit::Second) => of::<types::DurationSecondType>(array),
        DataType::Duration(TimeUnit::Millisecond) => of::<types::DurationMillisecondType>(array),
        DataType::Duration(TimeUnit::Microsecond) => of::<types::DurationMicrosecondType>(array),
        DataType::Duration(TimeUnit::Nanosecond) => of::<types::DurationNanosecondType>(array),
        _ => None,
    }
}

/// The array of a result, as the owner of an Arrow buffer.
struct Values(columns::Array);

impl AsRef<[u8]> for Values {
    fn as_ref(&self) -> &[u8] {
        self.0.values()
    }
}

/// The Arrow array of a result.
pub(crate) fn array(array: columns::Array) -> Result<ArrayRef> {
    let rows = array.len();
    let nulls = array
        .validity()
        .map(|bits| NullBuffer::new(BooleanBuffer::new(Buffer::from_slice_ref(bits), 0, rows)));
    let present = rows - array.null_count();
    let data_type = array.data_type().clone();
    let width = array.values().len().checked_div(present).unwrap_or_default();
    let values = Buffer::from(Bytes::from_owner(Values(array)));
    Ok(match data_type {
        columns::DataType::Binary => {
            Arc::new(BinaryArray::try_new(offsets(width, rows, nulls.as_ref()), values, nulls)?)
        }
        columns::DataType::Utf8 => {
            Arc::new(StringArray::try_new(offsets(width, rows, nulls.as_ref()), values, nulls)?)
        }
        columns::DataType::FixedSizeBinary(width) => Arc::new(FixedSizeBinaryArray::try_new(
            i32::try_from(width).unwrap_or(0),
            values,
            nulls,
        )?),
        columns::DataType::Boolean => {
            Arc::new(BooleanArray::new(BooleanBuffer::new(values, 0, rows), nulls))
        }
        other => return internal_err!("a hasher made a column of type {other:?}"),
    })
}

/// The offsets of values of `width` bytes; nulls take no space.
fn offsets(width: usize, rows: usize, nulls: Option<&NullBuffer>) -> OffsetBuffer<i32> {
    match nulls {
        None => OffsetBuffer::from_repeated_length(width, rows),
        Some(nulls) => {
            let mut offsets = OffsetBufferBuilder::new(rows);
            nulls.iter().for_each(|there| offsets.push_length(if there { width } else { 0 }));
            offsets.finish()
        }
    }
}
