//! The handle for every job on many messages.

use core::{fmt, marker::PhantomData};

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

#[cfg(feature = "alloc")]
use digest::CtOutput;
use digest::{Output, array::typenum::Unsigned};
use jlanes_core::{
    batch::{Start, chain},
    engine::BatchDigest as _,
    mac::{hmac, pbkdf2},
};

use super::{BatchDigest, Messages, MultiDigest, parts::Parts};
#[cfg(feature = "alloc")]
use super::{Scheduler, Source};

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
    engine: H::Backend,
    prefix: &'p [u8],
    parts: Parts,
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
        Self { engine: H::backend(), prefix: &[], parts: Parts::One, hash: PhantomData }
    }

    /// Runs on a given [`Backend`](crate::Backend).
    #[inline]
    #[must_use]
    pub fn on(self, backend: H::Backend) -> Self {
        Self { engine: backend, ..self }
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
    /// Batches of less than 128 KiB stay on the calling thread, and so do batches that would leave
    /// the threads' lanes half empty without a gain.
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
        Self { parts: Parts::Rayon, ..self }
    }

    /// Writes the digests of `messages`, in order.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    #[inline]
    pub fn digest(&self, messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many digests as messages");
        self.digest_with(|i| messages[i].as_ref(), out);
    }

    /// [`digest`](Self::digest) into a new vector.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn digests(&self, messages: &[impl AsRef<[u8]> + Sync]) -> Vec<Output<H>> {
        let mut out = vec![Output::<H>::default(); messages.len()];
        self.digest(messages, &mut out);
        out
    }

    /// Writes the digests of `out.len()` messages. `message(i)` returns message `i`; it may be
    /// called several times for one message, in any order.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// struct Row { name: String, text: Vec<u8> }
    /// let rows = [Row { name: "a".into(), text: vec![1, 2] }, Row { name: "b".into(), text: vec![] }];
    /// let mut digests = [Default::default(); 2];
    /// Lanes::<Sha256>::new().digest_with(|i| &rows[i].text, &mut digests);
    /// assert_eq!(digests[0], Sha256::digest([1, 2]), "{}", rows[0].name);
    /// ```
    pub fn digest_with<'a>(
        &self,
        message: impl Fn(usize) -> &'a [u8] + Sync,
        out: &mut [Output<H>],
    ) {
        let blocks = |i: usize, _: &Output<H>| H::blocks(message(i).len());
        self.parts.each::<H, _>(self.engine, blocks, out, |first, out| {
            H::digest_pieces(self.engine, self.prefix, |i| [message(first + i)], out);
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
    pub fn digest_all(&self, messages: Messages<'_>, out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many digests as messages");
        if let Some((records, width)) = messages.as_records() {
            self.nodes(records, width, out);
        } else if let Some(slices) = messages.as_slices() {
            let blocks = |i: usize, _: &Output<H>| H::blocks(slices[i].len());
            self.parts.each::<H, _>(self.engine, blocks, out, |first, out| {
                let own = &slices[first..first + out.len()];
                H::digest_slices(self.engine, self.prefix, own, out);
            });
        } else {
            self.digest_with(|i| messages.get(i), out);
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
    pub fn nodes(&self, nodes: &[u8], width: usize, out: &mut [Output<H>]) {
        assert_eq!(Some(nodes.len()), width.checked_mul(out.len()), "as many digests as records");
        let blocks = H::blocks(width);
        self.parts.each::<H, _>(
            self.engine,
            |_, _| blocks,
            out,
            |first, out| {
                let nodes = &nodes[first * width..][..out.len() * width];
                H::digest_records(self.engine, self.prefix, (nodes, width), out);
            },
        );
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
    pub fn pairs(
        &self,
        left: &[impl AsRef<[u8]> + Sync],
        right: &[impl AsRef<[u8]> + Sync],
        out: &mut [Output<H>],
    ) {
        assert_eq!(left.len(), right.len(), "as many right sides as left ones");
        assert_eq!(left.len(), out.len(), "as many digests as pairs");
        let pair = |i: usize| [left[i].as_ref(), right[i].as_ref()];
        let blocks =
            |i: usize, _: &Output<H>| H::blocks(pair(i).iter().map(|side| side.len()).sum());
        self.parts.each::<H, _>(self.engine, blocks, out, |first, out| {
            H::digest_pieces(self.engine, self.prefix, |i| pair(first + i), out);
        });
    }
}

impl<H: MultiDigest> Lanes<'_, H> {
    /// Writes the double digests of `messages`, in order: `out[i]` is `H(H(messages[i]))`. The
    /// prefix precedes the message, not its digest.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let mut digests = [Default::default(); 2];
    /// Lanes::<Sha256>::new().double(&["one", "another"], &mut digests); // as Bitcoin does
    /// assert_eq!(digests[0], Sha256::digest(Sha256::digest("one")));
    /// ```
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    pub fn double(&self, messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many digests as messages");
        self.double_with(|i| messages[i].as_ref(), out);
    }

    /// Writes the double digests of contiguous records, as for [`nodes`](Self::nodes): Bitcoin's
    /// nodes and block headers.
    ///
    /// # Panics
    /// If `nodes` is not `out.len()` times `width` bytes.
    pub fn double_nodes(&self, nodes: &[u8], width: usize, out: &mut [Output<H>]) {
        assert_eq!(Some(nodes.len()), width.checked_mul(out.len()), "as many digests as records");
        self.double_with(|i| &nodes[i * width..][..width], out);
    }

    fn double_with<'a>(&self, message: impl Fn(usize) -> &'a [u8] + Sync, out: &mut [Output<H>]) {
        let blocks = |i: usize, _: &Output<H>| H::blocks(message(i).len()) + 1;
        self.parts.each::<H, _>(self.engine, blocks, out, |first, out| {
            let (start, rest) = Start::<H::Function>::after(self.engine, self.prefix);
            if rest.is_empty() {
                chain::double(self.engine, &start, |i| [message(first + i)], out);
            } else {
                chain::double(self.engine, &start, |i| [rest, message(first + i)], out);
            }
        });
    }

    /// Replaces every digest `d` by `H(prefix || d)`, `steps` times. Each chain is serial; many run
    /// at once.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let mut digests = [Sha256::digest("a"), Sha256::digest("b")];
    /// Lanes::<Sha256>::new().prefix(b"step:").chains(&mut digests, 1);
    /// let next = Sha256::new_with_prefix("step:").chain_update(Sha256::digest("a")).finalize();
    /// assert_eq!(digests[0], next);
    /// ```
    pub fn chains(&self, digests: &mut [Output<H>], steps: u64) {
        self.parts.each::<H, _>(
            self.engine,
            |_, _| steps,
            digests,
            |_, digests| {
                chain::digest::<H::Function, _>(self.engine, self.prefix, digests, steps);
            },
        );
    }

    /// [`chains`](Self::chains) of different lengths: digest `i` takes `steps[i]` steps, as in
    /// hash-based signatures.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let mut digests = [Sha256::digest(b"a"), Sha256::digest(b"b")];
    /// Lanes::<Sha256>::new().chains_of(&mut digests, &[0, 2]);
    /// assert_eq!(digests[0], Sha256::digest(b"a"));
    /// assert_eq!(digests[1], Sha256::digest(Sha256::digest(Sha256::digest(b"b"))));
    /// ```
    ///
    /// # Panics
    /// If `digests` and `steps` differ in length.
    #[cfg(feature = "alloc")]
    pub fn chains_of(&self, digests: &mut [Output<H>], steps: &[u64]) {
        assert_eq!(digests.len(), steps.len(), "as many numbers of steps as digests");
        let mut order: Vec<usize> = (0..steps.len()).collect();
        order.sort_unstable_by_key(|i| steps[*i]);
        let mut sorted: Vec<Output<H>> = order.iter().map(|i| digests[*i].clone()).collect();
        // all unfinished chains advance together to the end of the shortest
        let (mut ended, mut taken) = (0, 0);
        while ended < order.len() {
            let next = steps[order[ended]];
            self.chains(&mut sorted[ended..], next - taken);
            taken = next;
            ended += order[ended..].iter().take_while(|i| steps[**i] == next).count();
        }
        for (i, digest) in order.into_iter().zip(sorted) {
            digests[i] = digest;
        }
    }

    /// Writes the HMAC tags of `messages` under one key of any length, in order (RFC 2104).
    ///
    /// The key's two blocks are hashed once, not once per message. Compare tags in constant time,
    /// as [`hmac_mismatches`](Self::hmac_mismatches) does.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Lanes};
    ///
    /// let mut tags = [Default::default(); 2];
    /// Lanes::<Sha256>::new().hmac(b"Jefe", &["what do ya want for nothing?", ""], &mut tags);
    /// assert_eq!(tags[0][..4], [0x5b, 0xdc, 0xc1, 0x46]); // RFC 4231, test case 2
    /// ```
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    pub fn hmac(&self, key: &[u8], messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many tags as messages");
        self.hmac_with(key, |i| messages[i].as_ref(), out);
    }

    /// [`hmac`](Self::hmac) of `out.len()` messages; `message(i)` returns message `i`.
    pub fn hmac_with<'a>(
        &self,
        key: &[u8],
        message: impl Fn(usize) -> &'a [u8] + Sync,
        out: &mut [Output<H>],
    ) {
        let blocks = |i: usize, _: &Output<H>| H::blocks(message(i).len()) + 1;
        self.parts.each::<H, _>(self.engine, blocks, out, |first, out| {
            let message = |i: usize| message(first + i);
            hmac::digest::<H::Function, _>(self.engine, key, self.prefix, message, out);
        });
    }

    /// The indices of messages with a wrong tag, in order; [`hmac`](Self::hmac) computes the right
    /// ones. The time does not depend on the bytes of the right tags.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Lanes};
    ///
    /// let lanes = Lanes::<Sha256>::new();
    /// let mut tags = [Default::default(); 2];
    /// lanes.hmac(b"key", &["a", "b"], &mut tags);
    /// assert!(lanes.hmac_mismatches(b"key", &["a", "b"], &tags).is_empty());
    /// assert_eq!(lanes.hmac_mismatches(b"key", &["a", "c"], &tags), [1]);
    /// ```
    ///
    /// # Panics
    /// If `messages` and `tags` differ in length.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn hmac_mismatches(
        &self,
        key: &[u8],
        messages: &[impl AsRef<[u8]> + Sync],
        tags: &[Output<H>],
    ) -> Vec<usize> {
        assert_eq!(messages.len(), tags.len(), "as many tags as messages");
        let mut right = vec![Output::<H>::default(); tags.len()];
        self.hmac(key, messages, &mut right);
        let pairs = right.into_iter().zip(tags).enumerate();
        let wrong = pairs.filter(|(_, (right, tag))| {
            CtOutput::<H>::new(right.clone()) != CtOutput::new((*tag).clone())
        });
        wrong.map(|(i, _)| i).collect()
    }

    /// Writes HMAC tags under one key per message: `out[i]` is the tag of `messages[i]` under
    /// `keys[i]`.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Lanes};
    ///
    /// let (lanes, mut tags, mut alone) =
    ///     (Lanes::<Sha256>::new(), [Default::default(); 2], [Default::default()]);
    /// lanes.hmac_keyed(&["Jefe", "another key"], &["a", "b"], &mut tags);
    /// lanes.hmac(b"another key", &["b"], &mut alone);
    /// assert_eq!(tags[1], alone[0]);
    /// ```
    ///
    /// # Panics
    /// If `keys`, `messages` and `out` differ in length.
    pub fn hmac_keyed(
        &self,
        keys: &[impl AsRef<[u8]> + Sync],
        messages: &[impl AsRef<[u8]> + Sync],
        out: &mut [Output<H>],
    ) {
        assert_eq!(keys.len(), messages.len(), "as many keys as messages");
        assert_eq!(messages.len(), out.len(), "as many tags as messages");
        let message = |i: usize| messages[i].as_ref();
        let blocks = |i: usize, _: &Output<H>| H::blocks(message(i).len()) + 3;
        self.parts.each::<H, _>(self.engine, blocks, out, |first, out| {
            let key = |i: usize| keys[first + i].as_ref();
            let message = |i: usize| message(first + i);
            hmac::digest_keyed::<H::Function, _>(self.engine, key, self.prefix, message, out);
        });
    }

    /// Derives keys from passwords with PBKDF2 and HMAC (RFC 8018): fills `outs[i]`, of any length,
    /// from `passwords[i]` and `salts[i]`.
    ///
    /// The rounds of a password are serial, but passwords are independent, and so are the digests
    /// of a long key. As in RustCrypto's crate `pbkdf2`, 0 rounds are 1.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Lanes};
    ///
    /// let (mut one, mut other) = ([0; 32], [0; 32]);
    /// let keys: &mut [&mut [u8]] = &mut [&mut one, &mut other];
    /// Lanes::<Sha256>::new().pbkdf2(&["passwd", "another"], &["salt", "pepper"], 1, keys);
    /// assert_eq!(one[..4], [0x55, 0xac, 0x04, 0x6e]); // RFC 7914, section 11
    /// ```
    ///
    /// # Panics
    /// If `passwords`, `salts` and `outs` differ in length, or if one of `outs` is longer than
    /// PBKDF2's 2^32 - 1 digests.
    pub fn pbkdf2(
        &self,
        passwords: &[impl AsRef<[u8]> + Sync],
        salts: &[impl AsRef<[u8]> + Sync],
        rounds: u32,
        outs: &mut [&mut [u8]],
    ) {
        assert_eq!(passwords.len(), salts.len(), "as many salts as passwords");
        assert_eq!(passwords.len(), outs.len(), "as many keys as passwords");
        let blocks = |_: usize, out: &&mut [u8]| {
            let digests = out.len().div_ceil(H::OutputSize::USIZE) as u64;
            digests * 2 * u64::from(rounds.max(1))
        };
        self.parts.each::<H, _>(self.engine, blocks, outs, |first, outs| {
            let password = |i: usize| passwords[first + i].as_ref();
            let salt = (self.prefix, |i: usize| salts[first + i].as_ref());
            pbkdf2::derive::<H::Function, _>(self.engine, password, salt, rounds, outs);
        });
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
    ///
    /// # Panics
    /// If the prefix is not whole blocks of the hash.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn scheduler<S: Source>(&self) -> Scheduler<H, S> {
        let (start, rest) = Start::<H::Function>::after(self.engine, self.prefix);
        assert!(rest.is_empty(), "the prefix of a scheduler is whole blocks");
        Scheduler::starting_at(self.engine, start)
    }
}
