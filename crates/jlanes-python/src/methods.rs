//! `update` of hash objects as a C method of one argument. PyO3's methods take every list of arguments, and count the
//! calls in which the thread is attached: for a short piece that takes half as long as hashing it.
//!
//! All unsafe code for methods is in this module.

use std::{
    ffi::CStr,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use pyo3::{PyClass, ffi, prelude::*, pyclass::boolean_struct::True, sync::PyOnceLock};

use crate::buffer;

/// A class of hash objects.
pub(crate) trait Updated: PyClass<Frozen = True> + Sync {
    /// The place for PyO3's method `update`.
    fn general() -> &'static PyOnceLock<Py<PyAny>>;

    /// Adds to the message, unless that takes long, has to wait or needs Python. Returns whether it did.
    fn add(&self, data: &[u8]) -> bool;
}

const DOC: &CStr =
    c"update($self, data, /)\n--\n\nAdds the bytes of a bytes-like object to the message.";

/// Puts [`update`] before PyO3's method, which does what it does not.
pub(crate) fn add_update<T: Updated>(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<T>();
    T::general().set(py, class.getattr("update")?.unbind()).ok();
    // the class has it for ever
    let method = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"update".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunction: update::<T> },
        ml_flags: ffi::METH_O,
        ml_doc: DOC.as_ptr(),
    }));
    // SAFETY: the class is a type, and the definition lives for ever.
    let made = unsafe { ffi::PyDescr_NewMethod(class.as_type_ptr(), method) };
    // SAFETY: the result is a new reference, or null with an exception set.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, made) }?;
    class.setattr("update", made)
}

/// The method: a short bytes object is added at once, everything else by PyO3's method.
///
/// # Safety
/// As Python calls it: attached, with an object of the descriptor's class and any object.
unsafe extern "C" fn update<T: Updated>(
    this: *mut ffi::PyObject,
    data: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls methods on threads that are attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller holds a reference to the object for the call.
    let object = unsafe { Borrowed::from_ptr(py, this) };
    // SAFETY: the descriptor checks that the object is of its class.
    let hasher = unsafe { object.cast_unchecked::<T>() };
    // SAFETY: as for the object.
    let piece = unsafe { Borrowed::from_ptr(py, data) };
    let add = || buffer::of_bytes(piece).is_some_and(|bytes| hasher.get().add(bytes));
    // after a panic the object's lock is poisoned, which PyO3's method reports
    if catch_unwind(AssertUnwindSafe(add)).unwrap_or(false) {
        return py.None().into_ptr();
    }
    let general = T::general().get(py).map_or(ptr::null_mut(), Py::as_ptr);
    let end = ptr::null_mut::<ffi::PyObject>();
    // SAFETY: `add_update` put PyO3's method there before Python could call this; the arguments end with null.
    unsafe { ffi::PyObject_CallFunctionObjArgs(general, this, data, end) }
}
