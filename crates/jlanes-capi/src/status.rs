//! What functions return, and what they say about it.

use core::ffi::{c_char, c_int};
use std::{
    cell::RefCell,
    ffi::CString,
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
};

use jlanes::{
    AlgorithmError, BackendError,
    algorithm::{NoKey, NotADigest},
};

/// The call has done what it is for.
pub const JLANES_OK: c_int = 0;
/// A pointer is NULL, a number is out of range, or a text is no UTF-8.
pub const JLANES_ERROR_ARGUMENT: c_int = 1;
/// There is no algorithm of this name.
pub const JLANES_ERROR_ALGORITHM: c_int = 2;
/// The algorithm has no digest of a message, or no HMAC.
pub const JLANES_ERROR_UNSUPPORTED: c_int = 3;
/// There is no backend of this name, or the CPU lacks it.
pub const JLANES_ERROR_BACKEND: c_int = 4;
/// An Arrow array is malformed, or has a type that is not hashed.
pub const JLANES_ERROR_COLUMN: c_int = 5;
/// There is not enough memory.
pub const JLANES_ERROR_MEMORY: c_int = 6;
/// The library has a bug. Objects that took part in the call are only good for being freed.
pub const JLANES_ERROR_BUG: c_int = 7;

/// Why a call has failed.
pub(crate) struct Failure(pub(crate) c_int, pub(crate) String);

/// A failure from an error and its code.
macro_rules! failures {
    ($($error:ty: $code:ident;)*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::new($code, &error)
            }
        }
    )*};
}
failures! {
    AlgorithmError: JLANES_ERROR_ALGORITHM;
    BackendError: JLANES_ERROR_BACKEND;
    NotADigest: JLANES_ERROR_UNSUPPORTED;
    NoKey: JLANES_ERROR_UNSUPPORTED;
}

impl From<jlanes_columns::Error> for Failure {
    fn from(error: jlanes_columns::Error) -> Self {
        use jlanes_columns::Error;

        let code = match &error {
            Error::TooLarge => JLANES_ERROR_MEMORY,
            Error::NotADigest(_) | Error::NoKey(_) => JLANES_ERROR_UNSUPPORTED,
            _ => JLANES_ERROR_COLUMN,
        };
        Self::new(code, &error)
    }
}

impl Failure {
    fn new(code: c_int, error: &dyn Display) -> Self {
        Self(code, error.to_string())
    }

    /// An argument that is wrong.
    pub(crate) fn argument(what: &str) -> Self {
        Self(JLANES_ERROR_ARGUMENT, what.into())
    }
}

thread_local! {
    /// What this thread's last call that failed has said.
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// The message of this thread's last failure.
pub(crate) fn message() -> *const c_char {
    // a thread that is ending has no message any more
    MESSAGE.try_with(|message| message.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Runs what a function does; nothing that it does leaves the library but by this return.
pub(crate) fn call(job: impl FnOnce() -> Result<(), Failure>) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|panic| {
        // what a panic carries may panic when it is dropped
        std::mem::forget(panic);
        Err(Failure(JLANES_ERROR_BUG, "a bug in jlanes; please report it".into()))
    });
    let Err(Failure(code, message)) = result else { return JLANES_OK };
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    // without a place for the message, there is still the code
    let _ = MESSAGE.try_with(|place| *place.borrow_mut() = message);
    code
}
