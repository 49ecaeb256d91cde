//! Checks of columns by their Python objects, for types that Arrow does not show.

use jlanes_columns::DataType;
use pyo3::{
    intern,
    prelude::*,
    types::{PyBytes, PyInt, PyList, PyMemoryView, PyTuple},
};

use super::{Class, is_plain, refuse};

static RELATION: Class = Class::new("duckdb", "DuckDBPyRelation");
static POLARS: [Class; 2] = [Class::new("polars", "Series"), Class::new("polars", "DataFrame")];

/// Whether the object implements Arrow's PyCapsule protocol.
pub(crate) fn is_column(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    // a lookup of a missing attribute takes longer than hashing a small message
    if object.is_exact_instance_of::<PyList>()
        || object.is_exact_instance_of::<PyBytes>()
        || object.is_exact_instance_of::<PyTuple>()
        || object.is_exact_instance_of::<PyMemoryView>()
        || is_plain(object)?
    {
        return Ok(false);
    }
    let py = object.py();
    Ok(object.hasattr(intern!(py, "__arrow_c_array__"))?
        || object.hasattr(intern!(py, "__arrow_c_stream__"))?)
}

/// Refuses columns of Python objects. `data_type` is the exported type.
pub(crate) fn check_type(object: &Bound<'_, PyAny>, data_type: &DataType) -> PyResult<()> {
    if has_addresses(data_type) {
        for class in &POLARS {
            if class.is_of(object)? {
                return refuse(OBJECT_COLUMN);
            }
        }
    }
    Ok(())
}

/// Whether a column of polars has addresses of Python objects: it exports only these in this type.
pub(crate) fn has_addresses(data_type: &DataType) -> bool {
    data_type.any(&|part| matches!(part, DataType::FixedSizeBinary(_)))
}

/// The error message for columns of Python objects.
pub(crate) const OBJECT_COLUMN: &str =
    "a polars column of type Object holds addresses: hash a list of its values, or a Binary column";

/// DuckDB's types that its export to Arrow preserves, by their identifiers. HUGEINT loses digits,
/// TIMETZ its offset, BIT becomes bytes of DuckDB's own, and UUID depends on a setting.
const OF_DUCKDB: [&str; 26] = [
    "array",
    "bigint",
    "blob",
    "boolean",
    "date",
    "decimal",
    "double",
    "enum",
    "float",
    "integer",
    "list",
    "null",
    "smallint",
    "struct",
    "time",
    "timestamp",
    "timestamp with time zone",
    "timestamp_ms",
    "timestamp_ns",
    "timestamp_s",
    "tinyint",
    "ubigint",
    "uinteger",
    "usmallint",
    "utinyint",
    "varchar",
];

/// Whether the object is a result of DuckDB, which exports itself as a table. Refuses it if the export
/// to Arrow changes a type.
pub(crate) fn is_relation(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_relation = RELATION.is_of(object)?;
    if is_relation {
        for data_type in object.getattr("types")?.try_iter()? {
            check_duckdb(&data_type?)?;
        }
    }
    Ok(is_relation)
}

fn check_duckdb(data_type: &Bound<'_, PyAny>) -> PyResult<()> {
    let id: String = data_type.getattr("id")?.extract()?;
    if !OF_DUCKDB.contains(&&*id) {
        return refuse(format!(
            "a column of DuckDB's type {data_type} has no digest: cast it to VARCHAR, BLOB or a number"
        ));
    }
    if matches!(&*id, "array" | "list" | "struct") {
        for child in data_type.getattr("children")?.try_iter()? {
            let (_, child): (Bound<'_, PyAny>, Bound<'_, PyAny>) = child?.extract()?;
            // the size of an array is a child, too, and a number
            if !child.is_instance_of::<PyInt>() {
                check_duckdb(&child)?;
            }
        }
    }
    Ok(())
}
