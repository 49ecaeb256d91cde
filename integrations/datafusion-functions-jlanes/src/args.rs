//! Arguments of functions: columns, and literals with options.

use arrow::{array::ArrayRef, datatypes::DataType};
use datafusion_common::{
    Result, ScalarValue, exec_err, plan_datafusion_err, plan_err, utils::take_function_args,
};
use datafusion_expr::ColumnarValue;
use jlanes::Algorithm;
use jlanes_columns::ColumnHasher;

/// Whether a literal can have this type of text.
pub(crate) fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The text of a literal.
pub(crate) fn text<'a>(function: &str, argument: &'a ColumnarValue) -> Result<&'a str> {
    match argument {
        ColumnarValue::Scalar(scalar) => text_of(function, scalar),
        ColumnarValue::Array(_) => exec_err!("{function}: names are literals, not columns"),
    }
}

/// The text of a literal.
pub(crate) fn text_of<'a>(function: &str, scalar: &'a ScalarValue) -> Result<&'a str> {
    match scalar.try_as_str() {
        Some(Some(text)) => Ok(text),
        _ => plan_err!("{function}: {scalar} is no name"),
    }
}

/// The positive number of a literal.
pub(crate) fn count(function: &str, argument: &ColumnarValue) -> Result<u32> {
    let number = match argument {
        ColumnarValue::Scalar(ScalarValue::Int64(Some(number))) => u32::try_from(*number).ok(),
        _ => None,
    };
    match number {
        Some(number @ 1..) => Ok(number),
        _ => exec_err!("{function}: rounds and lengths are positive literals of 32 bits"),
    }
}

/// The algorithm with a name.
pub(crate) fn algorithm(function: &str, name: &str) -> Result<Algorithm> {
    name.trim().parse().map_err(|error| plan_datafusion_err!("{function}: '{name}': {error}"))
}

/// The operation on columns for an algorithm.
pub(crate) fn hasher(function: &str, algorithm: Algorithm) -> Result<ColumnHasher> {
    ColumnHasher::new(algorithm).map_err(|error| plan_datafusion_err!("{function}: {error}"))
}

/// The arguments as arrays of `rows` rows.
pub(crate) fn arrays<const N: usize>(
    function: &str,
    arguments: &[ColumnarValue],
    rows: usize,
) -> Result<[ArrayRef; N]> {
    let mut arrays = Vec::with_capacity(N);
    for argument in arguments {
        arrays.push(argument.to_array(rows)?);
    }
    take_function_args(function, arrays)
}
