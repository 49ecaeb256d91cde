//! `update` and `digest` of hash objects as C methods, for short pieces. PyO3's methods handle any list
//! of arguments and count attached calls, which takes half as long as hashing a short piece.
//!
//! This module has all unsafe code for methods.

use std::{
    ffi::{CStr, c_int},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use pyo3::{PyClass, ffi, prelude::*, pyclass::boolean_struct::True, sync::PyOnceLock};

use crate::buffer;

/// The maximum length of a digest that these methods return.
pub(crate) const MAX_DIGEST_BYTES: usize = 64;

/// A class of hash objects.
pub(crate) trait ShortCalls: PyClass<Frozen = True> + Sync {
    /// Storage for PyO3's methods `update` and `digest`.
    fn pyo3_methods() -> &'static [PyOnceLock<Py<PyAny>>; 2];

    /// Adds `data`, unless that takes long, has to wait or needs Python. Returns whether it did.
    fn add(&self, data: &[u8]) -> bool;

    /// Writes the digest of the message so far and returns its length; `None` if it is too long, has to
    /// wait or fails.
    fn digest(&self, py: Python<'_>, out: &mut [u8; MAX_DIGEST_BYTES]) -> Option<usize>;
}

/// Installs [`update`] and [`digest`] in front of PyO3's methods, which do the rest.
pub(crate) fn add_methods<T: ShortCalls>(py: Python<'_>) -> PyResult<()> {
    let [pyo3_update, pyo3_digest] = T::pyo3_methods();
    let doc =
        c"update($self, data, /)\n--\n\nAdds the bytes of a bytes-like object to the message.";
    add::<T>(py, pyo3_update, (c"update", doc), update::<T>, ffi::METH_O)?;
    let doc = c"digest($self, /)\n--\n\nThe digest of the message so far.";
    add::<T>(py, pyo3_digest, (c"digest", doc), digest::<T>, ffi::METH_NOARGS)
}

fn add<T: ShortCalls>(
    py: Python<'_>,
    pyo3_method: &PyOnceLock<Py<PyAny>>,
    (name, doc): (&'static CStr, &'static CStr),
    method: ffi::PyCFunction,
    flags: c_int,
) -> PyResult<()> {
    let class = py.get_type::<T>();
    let key = name.to_string_lossy();
    pyo3_method.set(py, class.getattr(&*key)?.unbind()).ok();
    // the class keeps it forever
    let method = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: method },
        ml_flags: flags,
        ml_doc: doc.as_ptr(),
    }));
    // SAFETY: `class` is a type, and the leaked definition lives forever.
    let made = unsafe { ffi::PyDescr_NewMethod(class.as_type_ptr(), method) };
    // SAFETY: the result is a new reference, or null with an exception set.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, made) }?;
    class.setattr(&*key, made)
}

/// The method `update`. It adds a short bytes object at once; PyO3's method adds everything else.
///
/// # Safety
/// As Python calls it: attached, with an object of the descriptor's class and any object.
unsafe extern "C" fn update<T: ShortCalls>(
    this: *mut ffi::PyObject,
    data: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls methods on threads that are attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller holds a reference to the object for the call.
    let object = unsafe { Borrowed::from_ptr(py, this) };
    // SAFETY: the descriptor checks that the object is of its class.
    let hasher = unsafe { object.cast_unchecked::<T>() };
    // SAFETY: the caller holds a reference to the argument for the call.
    let piece = unsafe { Borrowed::from_ptr(py, data) };
    let add = || buffer::of_bytes(piece).is_some_and(|bytes| hasher.get().add(bytes));
    // after a panic the object's lock is poisoned, which PyO3's method reports
    if catch_unwind(AssertUnwindSafe(add)).unwrap_or(false) {
        return py.None().into_ptr();
    }
    let pyo3_method = T::pyo3_methods()[0].get(py).map_or(ptr::null_mut(), Py::as_ptr);
    let end = ptr::null_mut::<ffi::PyObject>();
    // SAFETY: `add_methods` put PyO3's method there before Python could call this; the arguments end with null.
    unsafe { ffi::PyObject_CallFunctionObjArgs(pyo3_method, this, data, end) }
}

/// The method `digest`. PyO3's method reports failures.
///
/// # Safety
/// As Python calls it: attached, with an object of the descriptor's class.
unsafe extern "C" fn digest<T: ShortCalls>(
    this: *mut ffi::PyObject,
    _: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls methods on threads that are attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller holds a reference to the object for the call.
    let object = unsafe { Borrowed::from_ptr(py, this) };
    // SAFETY: the descriptor checks that the object is of its class.
    let hasher = unsafe { object.cast_unchecked::<T>() };
    let mut out = [0; MAX_DIGEST_BYTES];
    let digest = || hasher.get().digest(py, &mut out);
    if let Ok(Some(len)) = catch_unwind(AssertUnwindSafe(digest))
        && let Ok(bytes) = buffer::bytes(py, &out[..len])
    {
        return bytes.into_ptr();
    }
    let pyo3_method = T::pyo3_methods()[1].get(py).map_or(ptr::null_mut(), Py::as_ptr);
    let end = ptr::null_mut::<ffi::PyObject>();
    // SAFETY: `add_methods` put PyO3's method there before Python could call this; the arguments end
    // with null.
    unsafe { ffi::PyObject_CallFunctionObjArgs(pyo3_method, this, end) }
}
