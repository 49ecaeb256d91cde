//! The native half of the Python package `jlanes`. The other half, in `python/jlanes`, has the type
//! stubs and the docstrings.

mod aligned;
mod arrivals;
mod batch;
mod blake2;
mod buffer;
mod capsule;
mod collisions;
mod column;
mod extendable;
mod files;
mod hasher;
mod inputs;
mod keys;
mod merkle;
mod message;
mod methods;
mod names;
mod output;
mod pbkdf2;
mod pickle;
mod plugin;
mod threads;
mod verify;
mod xof;

use pyo3::{exceptions::PyImportError, prelude::*, sync::PyOnceLock};

/// Refuses a second interpreter of the process. Classes, and what is kept of other packages, belong to the
/// first one, and are invalid after its end.
fn claim(py: Python<'_>) -> PyResult<()> {
    static SYS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let sys = py.import("sys")?;
    if SYS.get_or_init(py, || sys.clone().unbind()).is(&sys) {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "another interpreter of this process has imported jlanes, which serves one",
    ))
}

/// Standard digests: of one message, as in hashlib, and of many messages at once on SIMD lanes.
#[pymodule]
fn _jlanes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    claim(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("guaranteed", names::guaranteed().collect::<Vec<_>>())?;
    module.add("available", names::available())?;
    module.add_class::<hasher::PyHash>()?;
    module.add("CollisionError", module.py().get_type::<collisions::CollisionError>())?;
    hasher::add_constructors(module)?;
    module.add_class::<blake2::PyBlake2b>()?;
    module.add_class::<blake2::PyBlake2s>()?;
    methods::add_methods::<hasher::PyHash>(module.py())?;
    methods::add_methods::<blake2::PyBlake2b>(module.py())?;
    methods::add_methods::<blake2::PyBlake2s>(module.py())?;
    module.add_function(wrap_pyfunction!(hasher::new, module)?)?;
    module.add_function(wrap_pyfunction!(batch::digest_many, module)?)?;
    module.add_function(wrap_pyfunction!(batch::hexdigest_many, module)?)?;
    module.add_function(wrap_pyfunction!(batch::hmac_many, module)?)?;
    module.add_function(wrap_pyfunction!(pbkdf2::pbkdf2_many, module)?)?;
    module.add_function(wrap_pyfunction!(pbkdf2::pbkdf2_hmac, module)?)?;
    module.add_class::<files::FileDigests>()?;
    module.add_class::<files::Files>()?;
    module.add_function(wrap_pyfunction!(files::files, module)?)?;
    module.add_function(wrap_pyfunction!(files::file_digests, module)?)?;
    module.add_class::<verify::Verified>()?;
    module.add_class::<verify::Verification>()?;
    module.add_function(wrap_pyfunction!(verify::verify, module)?)?;
    module.add_class::<extendable::PyXof>()?;
    module.add_function(wrap_pyfunction!(extendable::shake_128, module)?)?;
    module.add_function(wrap_pyfunction!(extendable::shake_256, module)?)?;
    module.add_function(wrap_pyfunction!(extendable::xof_many, module)?)?;
    module.add_function(wrap_pyfunction!(inputs::to_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(keys::named_key, module)?)?;
    module.add_function(wrap_pyfunction!(names::algorithm_name, module)?)?;
    merkle::add(module)?;
    column::add(module)?;
    Ok(())
}
