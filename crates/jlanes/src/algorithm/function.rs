//! From the type of a hasher to its hash function as a value.

use jlanes_core::batch::{Start, function::AnyFunction};

use crate::multi::MultiDigest;

/// The function of `H` on a backend.
pub(super) fn function<H: MultiDigest>(backend: H::Backend) -> AnyFunction {
    Start::<H::Function>::new().function(backend)
}
