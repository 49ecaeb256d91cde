//! From the type of a hasher to its hash function as a value, and `with!`, which hides the size of its words.

use jlanes_core::batch::{Start, function::AnyFunction};

use crate::multi::MultiDigest;

/// The function of `H` on a backend.
pub(super) fn function<H: MultiDigest>(backend: H::Backend) -> AnyFunction {
    Start::<H::Function>::new().function(backend)
}

/// Calls `$body` with the [`Function`](jlanes_core::batch::function::Function) in an [`AnyFunction`] of
/// either word size.
macro_rules! with {
    ($any:expr, |$function:pat_param| $body:expr) => {
        match $any {
            jlanes_core::batch::function::AnyFunction::U32($function) => $body,
            jlanes_core::batch::function::AnyFunction::U64($function) => $body,
        }
    };
}
pub(super) use with;
