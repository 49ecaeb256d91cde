//! SHA-1 that detects collision attacks, of many messages.

use alloc::{vec, vec::Vec};

use digest::Output;
use jlanes_core::{
    batch::list,
    hash::{HashFunction, Output as OutputOf},
    hashes::sha1::checked::{self, Sha1WithFlags},
};

use crate::multi::Lanes;
use crate::{Backend, Collision, Sha1Checked};

/// SHA-1's digests of `msgs`, in order, with detection of collision attacks: an error for each message
/// that has a block of one.
///
/// ```
/// use jlanes::{Digest, Sha1, multi};
///
/// let results = multi::try_digest_many(&[b"one", b"another"]);
/// assert_eq!(results[1], Ok(Sha1::digest(b"another")));
/// ```
#[must_use]
pub fn try_digest_many(msgs: &[&[u8]]) -> Vec<Result<Output<Sha1Checked>, Collision>> {
    Lanes::new().try_digests(msgs)
}

/// [`try_digest_many`] on a given backend.
///
/// ```
/// use jlanes::{Backend, multi};
///
/// for backend in Backend::available() {
///     let results = multi::try_digest_many_with(backend, &[b"one", b"another"]);
///     assert!(results.iter().all(|result| result.is_ok()), "{backend}");
/// }
/// ```
#[must_use]
pub fn try_digest_many_with(
    backend: Backend,
    msgs: &[&[u8]],
) -> Vec<Result<Output<Sha1Checked>, Collision>> {
    Lanes::new().on(backend).try_digests(msgs)
}

impl Lanes<'_, Sha1Checked> {
    /// The digests of `messages`, in order, with an error for each that has a block of a collision
    /// attack.
    ///
    /// ```
    /// use jlanes::{Digest, Sha1, Sha1Checked, multi::Lanes};
    ///
    /// let results = Lanes::<Sha1Checked>::new().try_digests(&["one", "another"]);
    /// assert_eq!(results[1], Ok(Sha1::digest(b"another")));
    /// ```
    #[must_use]
    pub fn try_digests(
        &self,
        messages: &[impl AsRef<[u8]> + Sync],
    ) -> Vec<Result<Output<Sha1Checked>, Collision>> {
        let mut ends = vec![OutputOf::<Sha1WithFlags>::default(); messages.len()];
        let message = |i: usize| messages[i].as_ref();
        let blocks =
            |i: usize, _: &_| checked::Sha1Checked::DESCRIPTOR.blocks(message(i).len()) as u64;
        self.parts.each::<Sha1Checked, _>(self.engine, blocks, &mut ends, |first, ends| {
            let own = |i: usize| [message(first + i)];
            list::digest_prefixed::<Sha1WithFlags, _, 1>(self.engine, self.prefix, own, ends);
        });
        ends.iter().map(|end| crate::sha1_checked::result(end)).collect()
    }
}
