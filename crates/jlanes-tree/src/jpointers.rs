//! j-pointers (\[JL\], section 2.1; SPEC 4): one digest of a list of messages.
//!
//! The messages are separate buffers, files, or contiguous slices of one message. They share the
//! lanes, as in S-HASH, and the digest is the hash of their digests, in order:
//!
//! ```text
//! raw:  H(        H(          m_1) || ... || H(          m_k))
//! v1:   H(P_root || H(P_leaf || m_1) || ... || H(P_leaf || m_k))
//! ```
//!
//! `P` stands for the prefixes of the default profile; see [`soundness`](crate::soundness).

use alloc::vec::Vec;
use core::{
    fmt,
    task::{Context, Poll, Waker},
};

use digest::{Output, array::Array as ByteArray};
use jlanes_core::{
    batch::{
        Batch, Ended, MessageSource, MultiDigest, OutputOf, Progress, Source, Start,
        function::Function,
    },
    compression::{Compression, MAX_BLOCK},
    hash::{HashFunction, WordOf},
    simd::lanes::Word,
};

use crate::{
    linear::Linear,
    profile::{JPOINTERS, Profile, Raw, V1},
};

/// Tasks per thread, if there are enough messages: the lists of tasks take unequal time.
#[cfg(feature = "rayon")]
const TASKS_A_THREAD: usize = 4;

/// Hashes a list of messages, domain-separated (profile v1).
///
/// Not a [`Digest`](digest::Digest): its input is a list.
pub type JPointers<H> = PointerTree<H, V1>;
/// Hashes a list of messages as in the paper; see its [soundness](crate::soundness).
pub type JPointersRaw<H> = PointerTree<H, Raw>;

/// The common implementation of [`JPointers`] and [`JPointersRaw`].
#[derive(Clone)]
pub struct PointerTree<H: MultiDigest, P> {
    engine: H::Engine,
    profile: P,
    digests: Vec<OutputOf<H>>,
    /// Bytes of all messages.
    total: u64,
}

impl<H: MultiDigest, P: Profile + Default> PointerTree<H, P> {
    /// The digest of the list `messages`.
    pub fn digest(messages: &[&[u8]]) -> Output<H> {
        let mut tree = Self::new();
        tree.push_all(messages);
        tree.finalize()
    }

    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::with_engine(H::engine())
    }

    /// An empty list on a given engine, for example a forced backend.
    pub fn with_engine(engine: H::Engine) -> Self {
        Self { engine, profile: P::default(), digests: Vec::new(), total: 0 }
    }

    /// Appends one message.
    ///
    /// It is hashed immediately and alone; [`push_all`](Self::push_all) hashes several at once.
    pub fn push(&mut self, message: &[u8]) {
        self.push_all(&[message]);
    }

    /// Appends the messages of a list.
    pub fn push_all(&mut self, messages: &[&[u8]]) {
        let leaves = Leaves::<H>::new(self.engine, self.profile);
        let own = self.append(messages);
        leaves.digest(messages, own);
    }

    /// [`push_all`](Self::push_all) with all threads of rayon's pool.
    #[cfg(feature = "rayon")]
    pub fn par_push_all(&mut self, messages: &[&[u8]])
    where
        OutputOf<H>: Send,
    {
        use jlanes_core::engine::Engine;

        use crate::join::Join;
        let (engine, profile) = (self.engine, self.profile);
        // filling the lanes matters more than an even load
        let block = engine.kernels().shape.block;
        let bytes = messages.iter().map(|message| message.len() + block).sum();
        let threads = Join::Rayon.threads(bytes);
        if threads == 1 {
            return self.push_all(messages);
        }
        let share = messages.len().div_ceil(threads);
        let task = share.min(engine.lanes().max(share.div_ceil(TASKS_A_THREAD)));
        let own = self.append(messages).chunks_mut(task);
        let mut tasks: Vec<_> = messages.chunks(task).zip(own).collect();
        Join::Rayon.each(&mut tasks, |_, (messages, own)| {
            Leaves::<H>::new(engine, profile).digest(messages, own);
        });
    }

    /// Appends messages that arrive in pieces, for example files. Their order in the list is that
    /// of `sources`, independent of which ends first.
    ///
    /// # Errors
    /// A source's error; no message is appended then.
    pub fn push_sources<S: Source>(
        &mut self,
        sources: impl IntoIterator<Item = S>,
    ) -> Result<(), S::Error> {
        let leaves = Leaves::<H>::new(self.engine, self.profile);
        let mut batch = Batch::new(&Function::new(&leaves.start, self.engine), leaves.prefix());
        let mut sources = sources.into_iter().enumerate();
        let mut next = |_: &mut [_]| {
            let (index, source) = sources.next()?;
            Some(Leaf { index, source, bytes: 0 })
        };
        let (mut ended, mut bytes, mut failure) = (Vec::new(), 0, None);
        let mut done = |leaf: Leaf<S>, result: Result<Ended<'_, _>, _>| match result {
            Ok(end) => {
                let mut digest = OutputOf::<H>::default();
                end.write(&mut digest);
                bytes += leaf.bytes;
                ended.push((leaf.index, digest));
            }
            Err(error) => failure = failure.take().or(Some(error)),
        };
        let cx = &mut Context::from_waker(Waker::noop());
        while batch.step(cx, &mut next, &mut done) != Progress::Idle {}
        if let Some(error) = failure {
            return Err(error);
        }
        ended.sort_unstable_by_key(|(index, _)| *index);
        self.digests.extend(ended.into_iter().map(|(_, digest)| digest));
        self.total += bytes;
        Ok(())
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// Whether there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// The digest of the list.
    ///
    /// # Panics
    /// If there are 2^32 messages or more.
    #[must_use]
    pub fn finalize(self) -> Output<H> {
        let mut root = Linear::<H::Function, _>::new(self.engine);
        if self.profile.separates() {
            let count = u32::try_from(self.digests.len()).expect("fewer than 2^32 messages");
            let prefix = JPOINTERS.root(count, WordOf::<H::Function>::BYTES, self.total).block();
            root.update(&prefix[..<H::Function as HashFunction>::Compression::BLOCK]);
        }
        for digest in &self.digests {
            root.update(digest);
        }
        root.finish()
    }

    /// Appends space for the digests of `messages`.
    fn append(&mut self, messages: &[&[u8]]) -> &mut [OutputOf<H>] {
        let first = self.digests.len();
        self.total += messages.iter().map(|message| message.len() as u64).sum::<u64>();
        self.digests.resize(first + messages.len(), OutputOf::<H>::default());
        &mut self.digests[first..]
    }
}

impl<H: MultiDigest, P: Profile + Default> Default for PointerTree<H, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: MultiDigest, P> fmt::Debug for PointerTree<H, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PointerTree<{}>({} messages)", H::Function::NAME, self.digests.len())
    }
}

/// The way leaves are hashed.
struct Leaves<H: MultiDigest> {
    engine: H::Engine,
    start: Start<H::Function>,
    /// The prefix of leaves; `start` may contain a part of it already.
    prefix: [u8; MAX_BLOCK],
    rest: usize,
}

impl<H: MultiDigest> Leaves<H> {
    fn new(engine: H::Engine, profile: impl Profile) -> Self {
        let prefix = JPOINTERS.leaf(0, WordOf::<H::Function>::BYTES).block();
        let len =
            if profile.separates() { <H::Function as HashFunction>::Compression::BLOCK } else { 0 };
        let (start, rest) = Start::after(engine, &prefix[..len]);
        Self { engine, start, prefix, rest: rest.len() }
    }

    /// The bytes to hash before a message: none, or the whole prefix if the hash function must see
    /// what follows before it compresses a block.
    fn prefix(&self) -> &[u8] {
        &self.prefix[..self.rest]
    }

    fn digest(&self, messages: &[&[u8]], out: &mut [OutputOf<H>]) {
        let function = Function::new(&self.start, self.engine);
        let out = ByteArray::slice_as_flattened_mut(out);
        function.digest(self.prefix(), &MessageSource::slices(messages), out);
    }
}

/// A message that arrives in pieces.
struct Leaf<S> {
    /// Position in the list.
    index: usize,
    source: S,
    /// Bytes of the message so far.
    bytes: u64,
}

impl<S: Source> Source for Leaf<S> {
    type Key = usize;
    type Error = S::Error;
    type Buffer = S::Buffer;

    fn fill(&mut self, cx: &mut Context<'_>, buffer: &mut S::Buffer) -> Poll<Result<(), S::Error>> {
        self.source.fill(cx, buffer)
    }

    fn piece<'a>(&'a self, buffer: &'a S::Buffer) -> &'a [u8] {
        self.source.piece(buffer)
    }

    fn consume(&mut self, buffer: &mut S::Buffer, n: usize) {
        self.source.consume(buffer, n);
        self.bytes += n as u64;
    }

    fn into_key(self) -> usize {
        self.index
    }
}
