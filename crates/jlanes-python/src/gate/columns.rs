//! Checks of columns that need their Python objects.

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyList, PyMemoryView, PyTuple, PyType},
};

use super::{imported_class, is_plain, refuse};

/// Whether the object implements Arrow's PyCapsule protocol.
pub(crate) fn is_column(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    // looking for an attribute that is missing takes longer than hashing a small message
    if object.is_exact_instance_of::<PyList>()
        || object.is_exact_instance_of::<PyBytes>()
        || object.is_exact_instance_of::<PyTuple>()
        || object.is_exact_instance_of::<PyMemoryView>()
        || is_plain(object)?
    {
        return Ok(false);
    }
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// Whether the object is a result of DuckDB, which exports itself as a table.
pub(crate) fn is_relation(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static RELATION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let relation = imported_class(object.py(), &RELATION, ("duckdb", "DuckDBPyRelation"))?;
    relation.map_or(Ok(false), |relation| object.is_instance(&relation))
}

/// Refuses columns of Python objects: polars exports their addresses.
pub(crate) fn check_column(object: &Bound<'_, PyAny>) -> PyResult<()> {
    static OBJECT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let Some(python_object) = imported_class(object.py(), &OBJECT, ("polars", "Object"))? else {
        return Ok(());
    };
    let types = match object.getattr_opt("dtypes")? {
        Some(types) => types,
        None => match object.getattr_opt("dtype")? {
            Some(one) => PyList::new(object.py(), [one])?.into_any(),
            None => return Ok(()),
        },
    };
    // attributes of these names have other types in other packages
    let Ok(types) = types.cast::<PyList>() else { return Ok(()) };
    for data_type in types {
        if data_type.eq(&python_object)? {
            return refuse(OBJECT_COLUMN);
        }
    }
    Ok(())
}

/// The error for columns of Python objects.
pub(crate) const OBJECT_COLUMN: &str =
    "a polars column of type Object holds addresses: hash a list of its values, or a Binary column";
