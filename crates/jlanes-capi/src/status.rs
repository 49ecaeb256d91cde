//! The return values of functions, and the messages of errors.

use core::ffi::{c_char, c_int};
use std::{
    borrow::Cow,
    cell::RefCell,
    ffi::{CStr, CString},
    fmt::Display,
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::Once,
};

use jlanes::{
    AlgorithmError, BackendError,
    algorithm::{NotADigest, ParameterError, Unsupported},
};

use jlanes_core::memory::is_out_of_memory;

use crate::ffi::memory;

/// Success.
pub const JLANES_OK: c_int = 0;
/// A pointer is NULL, a number is out of range, or a text is not UTF-8.
pub const JLANES_ERROR_ARGUMENT: c_int = 1;
/// The algorithm's name is unknown.
pub const JLANES_ERROR_ALGORITHM: c_int = 2;
/// The algorithm has no digest for a message, or no HMAC.
pub const JLANES_ERROR_UNSUPPORTED: c_int = 3;
/// The backend's name is unknown, or the CPU does not support it.
pub const JLANES_ERROR_BACKEND: c_int = 4;
/// An Arrow array is malformed, or has an unsupported type.
pub const JLANES_ERROR_COLUMN: c_int = 5;
/// There is not enough memory. A hasher of this call may have hashed the data or not: reset it or free
/// it.
pub const JLANES_ERROR_MEMORY: c_int = 6;
/// The library has a bug. The only valid use of the objects of this call is to free them.
pub const JLANES_ERROR_BUG: c_int = 7;

/// The code and the message of a failed call.
pub(crate) struct Failure(pub(crate) c_int, pub(crate) String);

/// Conversions of errors to failures, each with its code.
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
    Unsupported: JLANES_ERROR_UNSUPPORTED;
    ParameterError: JLANES_ERROR_UNSUPPORTED;
}

impl From<jlanes_columns::Error> for Failure {
    fn from(error: jlanes_columns::Error) -> Self {
        use jlanes_columns::Error;

        let code = match &error {
            Error::TooLarge => JLANES_ERROR_MEMORY,
            Error::NotADigest(_) | Error::Unsupported(_) => JLANES_ERROR_UNSUPPORTED,
            _ => JLANES_ERROR_COLUMN,
        };
        Self::new(code, &error)
    }
}

impl Failure {
    fn new(code: c_int, error: &dyn Display) -> Self {
        Self(code, error.to_string())
    }

    /// The failure of an allocation.
    pub(crate) fn memory() -> Self {
        Self(JLANES_ERROR_MEMORY, "there is not enough memory".into())
    }

    /// The failure for a wrong argument.
    pub(crate) fn argument(what: &str) -> Self {
        Self(JLANES_ERROR_ARGUMENT, what.into())
    }
}

const NO_MEMORY: &CStr = c"there is not enough memory";

thread_local! {
    /// The message of this thread's last failed call.
    static MESSAGE: RefCell<Cow<'static, CStr>> = const { RefCell::new(Cow::Borrowed(c"")) };
}

/// The message of this thread's last failure.
pub(crate) fn message() -> *const c_char {
    // a thread that is ending has no message any more
    MESSAGE.try_with(|message| message.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Prints nothing for panics because there is no memory: the return value reports them.
fn silence() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !is_out_of_memory(panic.payload()) {
            before(panic);
        }
    }));
}

/// Runs the body of a function. Panics end here, and become return values.
pub(crate) fn call(job: impl FnOnce() -> Result<(), Failure>) -> c_int {
    static SILENCE: Once = Once::new();
    SILENCE.call_once(silence);
    memory::start();
    let result = catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|panic| {
        if is_out_of_memory(&*panic) {
            return Err(Failure::memory());
        }
        // the payload of a panic may panic when dropped
        std::mem::forget(panic);
        Err(Failure(JLANES_ERROR_BUG, "a bug in jlanes; please report it".into()))
    });
    let failed = result.err().map(|Failure(code, message)| {
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        (code, Cow::Owned(message))
    });
    let (code, message) = match failed {
        // the message itself may be in the reserve
        _ if memory::is_short() => (JLANES_ERROR_MEMORY, Cow::Borrowed(NO_MEMORY)),
        Some(failed) => failed,
        None => return JLANES_OK,
    };
    // without storage for the message, the code remains
    let _ = MESSAGE.try_with(|place| *place.borrow_mut() = message);
    code
}
