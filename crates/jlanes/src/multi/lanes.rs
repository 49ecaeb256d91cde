//! [`Lanes`], the handle for every job on many messages: a hash function with a backend, a prefix and
//! threads.

use core::{fmt, marker::PhantomData};

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use digest::Output;
use jlanes_core::{
    function::{Batch, Function, filling},
    hash::WordOf,
    kernel::HasKernels,
};

use super::{BatchDigest, Messages, MultiDigest, jobs::ThreadedJobs, threads::Threads};
use crate::Backend;
#[cfg(feature = "alloc")]
use {
    super::{Scheduler, Source},
    jlanes_core::function::InFlight,
};

mod chains;
#[cfg(all(feature = "alloc", feature = "sha1dc"))]
mod checked;
mod macs;

/// Hashes many messages at once: the hash function `H`, and the settings of all jobs.
///
/// A handle is a few words long and `Copy`; creating one is free.
///
/// ```
/// use jlanes::{Backend, Digest, Sha256, multi::Lanes};
///
/// let messages = ["one", "another"];
/// let mut digests = [Default::default(); 2];
/// Lanes::<Sha256>::new().digest(&messages, &mut digests);
/// assert_eq!(digests[1], Sha256::digest("another"));
///
/// // on a backend that is asked for, and behind a prefix that all messages share
/// let leaves = Lanes::<Sha256>::new().on(Backend::portable()).prefix(b"leaf:");
/// leaves.digest(&messages, &mut digests);
/// assert_eq!(digests[0], Sha256::digest("leaf:one"));
/// ```
///
/// Functions that are generic over the hash need one bound, [`MultiDigest`]:
///
/// ```
/// use jlanes::{digest::Output, multi::{Lanes, MultiDigest}};
///
/// fn tags<H: MultiDigest>(lanes: Lanes<'_, H>, key: &[u8], lines: &[String]) -> Vec<Output<H>> {
///     let mut tags = vec![Output::<H>::default(); lines.len()];
///     lanes.hmac(key, lines, &mut tags);
///     tags
/// }
/// # let lines = ["a".into(), "b".into()];
/// # assert_ne!(tags(Lanes::<jlanes::Sha512>::new(), b"key", &lines)[0].len(), 0);
/// ```
pub struct Lanes<'p, H: BatchDigest> {
    backend: H::Backend,
    prefix: &'p [u8],
    threads: Threads,
    hash: PhantomData<fn() -> H>,
}

impl<H: BatchDigest> Clone for Lanes<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: BatchDigest> Copy for Lanes<'_, H> {}

impl<H: BatchDigest> Default for Lanes<'_, H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: BatchDigest> fmt::Debug for Lanes<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // the prefix may be a secret
        write!(f, "Lanes<{}> {{ .. }}", H::NAME)
    }
}

impl<'p, H: BatchDigest> Lanes<'p, H> {
    /// Lanes on the detected backend and the calling thread.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self { backend: H::backend(), prefix: &[], threads: Threads::One, hash: PhantomData }
    }

    /// Runs on a given [`Backend`].
    #[inline]
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { backend: backend.into(), ..self }
    }

    /// Prepends `prefix` to every message. Its whole blocks are hashed once.
    ///
    /// [`chains`](Self::chains) prepends it to every digest, [`pbkdf2`](Self::pbkdf2) to every
    /// salt.
    #[inline]
    #[must_use]
    pub fn prefix(self, prefix: &'p [u8]) -> Self {
        Self { prefix, ..self }
    }

    /// Runs on rayon's thread pool, with the same results.
    ///
    /// Batches of less than 2 MiB stay on the calling thread, because the pool's threads may be
    /// asleep; on a thread of the pool, batches of less than 128 KiB do. So do batches that would
    /// leave the threads' lanes half empty without a gain.
    ///
    /// A process that is forked after the pool has started has none of its threads, and waits for
    /// them for ever: hash on one thread there, or fork before.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let lines = vec!["abc"; 1000];
    /// let digests = Lanes::<Sha256>::new().parallel().digests(&lines);
    /// assert!(digests.iter().all(|digest| *digest == Sha256::digest("abc")));
    /// ```
    #[cfg(feature = "rayon")]
    #[inline]
    #[must_use]
    pub fn parallel(self) -> Self {
        Self { threads: Threads::Rayon, ..self }
    }

    /// Writes the digests of `messages`, in order.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    #[inline]
    #[track_caller]
    pub fn digest(&self, messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many digests as messages");
        if let ([message], [out], []) = (messages, &mut *out, self.prefix) {
            *out = H::digest_one(self.backend, message.as_ref()); // one message needs no lanes
        } else {
            let fill = filling(|i| [messages[i].as_ref()]);
            self.digest_batch(&Batch::filled(out.len(), &fill), out);
        }
    }

    /// [`digest`](Self::digest) into a new vector.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn digests(&self, messages: &[impl AsRef<[u8]> + Sync]) -> Vec<Output<H>> {
        let mut out = vec![Output::<H>::default(); messages.len()];
        self.digest(messages, &mut out);
        out
    }

    /// The digests of a batch.
    fn digest_batch(&self, messages: &Batch<'_, '_>, out: &mut [Output<H>]) {
        let kernels = || HasKernels::<H::Compression>::kernels(&self.backend);
        let blocks = |i: usize, _: &[Output<H>]| H::blocks(messages.len_at_position(i));
        self.threads.for_each_part(kernels, &blocks, (out, 1), |first, out| {
            let own = if out.len() == messages.len() {
                *messages
            } else {
                messages.part_renumbered(first..first + out.len())
            };
            H::digest_batch(self.backend, self.prefix, &own, out);
        });
    }

    /// Writes the digests of messages in any layout of [`Messages`].
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::{Lanes, Messages}};
    ///
    /// let words = Messages::offsets(b"onetwothree", &[0, 3, 6, 11])?;
    /// let mut digests = [Default::default(); 3];
    /// Lanes::<Sha256>::new().digest_all(words, &mut digests);
    /// assert_eq!(digests[2], Sha256::digest("three"));
    /// # Ok::<(), jlanes::multi::LayoutError>(())
    /// ```
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    #[track_caller]
    pub fn digest_all(&self, messages: Messages<'_>, out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many digests as messages");
        if let ([out], []) = (&mut *out, self.prefix) {
            *out = H::digest_one(self.backend, messages.get(0));
        } else {
            self.digest_batch(&messages.as_batch(), out);
        }
    }

    /// Writes the digests of contiguous records of `width` bytes: `out[i]` is the digest of bytes
    /// `i * width` to `(i + 1) * width`. This is one level of a Merkle tree, or a column of fixed
    /// width.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let level = [[1; 32], [2; 32], [3; 32], [4; 32]].concat();
    /// let mut above = [Default::default(); 2];
    /// Lanes::<Sha256>::new().prefix(&[1]).nodes(&level, 64, &mut above); // as in RFC 6962
    /// assert_eq!(above[0], Sha256::new().chain_update([1]).chain_update(&level[..64]).finalize());
    /// ```
    ///
    /// # Panics
    /// If `nodes` is not `out.len()` times `width` bytes.
    #[track_caller]
    pub fn nodes(&self, nodes: &[u8], width: usize, out: &mut [Output<H>]) {
        if let ([out], []) = (&mut *out, self.prefix)
            && nodes.len() == width
        {
            *out = H::digest_one(self.backend, nodes);
        } else {
            self.digest_batch(&Batch::records(out.len(), nodes, width), out);
        }
    }

    /// Writes the digests of pairs, in order: `out[i]` is the digest of `left[i] || right[i]`,
    /// without a copy.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let mut nodes = [Default::default(); 2];
    /// Lanes::<Sha256>::new().pairs(&["a", "c"], &["b", "d"], &mut nodes);
    /// assert_eq!(nodes[1], Sha256::digest("cd"));
    /// ```
    ///
    /// # Panics
    /// If `left`, `right` and `out` differ in length.
    #[track_caller]
    pub fn pairs(
        &self,
        left: &[impl AsRef<[u8]> + Sync],
        right: &[impl AsRef<[u8]> + Sync],
        out: &mut [Output<H>],
    ) {
        assert_eq!(left.len(), right.len(), "as many right sides as left ones");
        assert_eq!(left.len(), out.len(), "as many digests as pairs");
        let fill = filling(|i| [left[i].as_ref(), right[i].as_ref()]);
        self.digest_batch(&Batch::filled(out.len(), &fill), out);
    }
}

impl<H: MultiDigest> Lanes<'_, H> {
    /// Calls `run` with the job of these settings, under the function as a value.
    fn jobs<T>(&self, run: impl FnOnce(&ThreadedJobs<'_, WordOf<H::Hash>>) -> T) -> T {
        let function = &Function::of::<H::Hash, _>(self.backend);
        run(&ThreadedJobs { function, prefix: self.prefix, threads: self.threads })
    }

    /// A scheduler for messages that arrive in pieces, with this backend and prefix, on the calling
    /// thread.
    ///
    /// ```
    /// use jlanes::{Backend, Digest, Sha256, multi::Lanes};
    ///
    /// let mut scheduler = Lanes::<Sha256>::new().on(Backend::portable()).scheduler();
    /// scheduler.submit(("key", &b"message"[..]));
    /// assert!(scheduler.drain().eq([("key", Ok(Sha256::digest("message")))]));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn scheduler<S: Source>(&self) -> Scheduler<H, S> {
        let function = Function::of::<H::Hash, _>(self.backend);
        Scheduler::of(InFlight::new(&function, self.prefix))
    }
}
