//! `sha1dc` with an error for messages of a collision attack.

use alloc::boxed::Box;

use jlanes_core::{
    function::{Source, Start},
    hashes::sha1::checked::Sha1WithFlags,
    wipe::Buffer,
    with_function,
};

use super::{AnyHasher, AnyScheduler, hasher::LinearHasher, prefixed_function::PrefixedFunction};
use crate::{Backend, Collision, sha1_checked};

/// SHA-1 with detection, where an attack is an error.
///
/// As any algorithm, `sha1dc` has a digest for each message, the safe hash for messages of an
/// attack. The hashers and schedulers here return another output, from which
/// [`result`](Self::result) makes the digest or the error.
///
/// ```
/// use jlanes::{Backend, Digest, Sha1, algorithm::Sha1Results};
///
/// let mut hasher = Sha1Results::hasher_on(Backend::detect());
/// hasher.update(b"a message");
/// let digest = Sha1Results::result(&hasher.finalize())?;
/// assert_eq!(*digest, *Sha1::digest(b"a message"));
/// # Ok::<(), jlanes::Collision>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Sha1Results {}

impl Sha1Results {
    /// A hasher for one message.
    #[must_use]
    pub fn hasher_on(backend: Backend) -> Box<dyn AnyHasher> {
        with_function!(Start::<Sha1WithFlags>::new().function(backend), |f| LinearHasher::boxed(f))
    }

    /// A scheduler for many messages.
    #[must_use]
    pub fn scheduler_on<S: Source>(backend: Backend) -> AnyScheduler<S> {
        let function = Start::<Sha1WithFlags>::new().function(backend);
        PrefixedFunction { function, own_prefix: Buffer::new(), outer: None }.scheduler(&[])
    }

    /// SHA-1's digest of a message, from the output of its hasher or of the scheduler.
    ///
    /// # Errors
    /// If the message has a block of a collision attack.
    ///
    /// # Panics
    /// If the output is of another length.
    pub fn result(output: &[u8]) -> Result<Box<[u8]>, Collision> {
        sha1_checked::result(output).map(|digest| Box::from(&digest[..]))
    }
}
