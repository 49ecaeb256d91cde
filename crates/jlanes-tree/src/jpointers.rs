//! j-pointers (\[JL\], section 2.1): one digest of a list of messages.
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

use alloc::{vec, vec::Vec};
use core::{
    fmt,
    marker::PhantomData,
    task::{Context, Poll, Waker},
};

use digest::{Output, OutputSizeUser};
use jlanes_core::{
    compression::MAX_BLOCK_BYTES,
    function::{Batch, DigestOnKernels, Ended, Function, InFlight, Progress, Source},
    hash::{HashFunction, WordOf},
    jobs::CompiledWord,
};

use crate::{linear::LinearHash, profile::JPOINTERS};

/// Tasks per thread, if there are enough messages: the lists of tasks take unequal time.
#[cfg(feature = "rayon")]
const TASKS_PER_THREAD: usize = 4;

/// Hashes a list of messages, domain-separated (profile v1).
///
/// Not a [`Digest`](digest::Digest): its input is a list.
pub type JPointers<H> = PointerTree<H, false>;
/// Hashes a list of messages as in the paper; see its [soundness](crate::soundness).
pub type JPointersRaw<H> = PointerTree<H, true>;

/// The common implementation of [`JPointers`] and [`JPointersRaw`], which is raw.
#[derive(Clone)]
pub struct PointerTree<H: DigestOnKernels, const RAW: bool> {
    list: List<WordOf<H::Hash>>,
    hash: PhantomData<fn() -> H>,
}

impl<H: DigestOnKernels, const RAW: bool> PointerTree<H, RAW> {
    /// The digest of the list `messages`.
    pub fn digest(messages: &[&[u8]]) -> Output<H> {
        let mut tree = Self::new();
        tree.push_all(messages);
        tree.finalize()
    }

    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::with_backend(H::backend())
    }

    /// An empty list on a given backend, for example a forced one.
    pub fn with_backend(backend: H::Backend) -> Self {
        let function = Function::of::<H::Hash, _>(backend);
        let list = List { function, raw: RAW, digests: Vec::new(), total: 0 };
        Self { list, hash: PhantomData }
    }

    /// Appends one message.
    ///
    /// It is hashed immediately and alone; [`push_all`](Self::push_all) hashes several at once.
    pub fn push(&mut self, message: &[u8]) {
        self.list.push_all(&[message]);
    }

    /// Appends the messages of a list.
    pub fn push_all(&mut self, messages: &[&[u8]]) {
        self.list.push_all(messages);
    }

    /// [`push_all`](Self::push_all) with all threads of rayon's pool.
    #[cfg(feature = "rayon")]
    pub fn par_push_all(&mut self, messages: &[&[u8]]) {
        self.list.par_push_all(messages);
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
        self.list.push_sources(sources)
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.digests.len() / <H as OutputSizeUser>::output_size()
    }

    /// Whether there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.digests.is_empty()
    }

    /// The digest of the list.
    ///
    /// # Panics
    /// If there are 2^32 messages or more.
    #[must_use]
    pub fn finalize(self) -> Output<H> {
        let mut digest = Output::<H>::default();
        self.list.finish(&mut digest);
        digest
    }
}

impl<H: DigestOnKernels, const RAW: bool> Default for PointerTree<H, RAW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: DigestOnKernels, const RAW: bool> fmt::Debug for PointerTree<H, RAW> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PointerTree<{}>({} messages)", H::Hash::NAME, self.len())
    }
}

/// A list under any function.
#[derive(Clone)]
struct List<W: CompiledWord> {
    function: Function<W>,
    /// Without prefixes, as in the paper.
    raw: bool,
    /// The digests of the messages, one after the other.
    digests: Vec<u8>,
    /// Bytes of all messages.
    total: u64,
}

impl<W: CompiledWord> List<W> {
    fn push_all(&mut self, messages: &[&[u8]]) {
        let prefix = self.prefix();
        let (leaves, rest) = self.after(&prefix);
        leaves.digest(rest, &Batch::slices(messages), self.append(messages));
    }

    #[cfg(feature = "rayon")]
    fn par_push_all(&mut self, messages: &[&[u8]]) {
        use crate::join::Join;
        let kernels = self.function.kernels();
        // filling the lanes matters more than an even load
        let bytes = messages.iter().map(|message| message.len() + kernels.shape.block_bytes).sum();
        let threads = Join::Rayon.threads(bytes);
        if threads == 1 {
            return self.push_all(messages);
        }
        let share = messages.len().div_ceil(threads);
        let task = share.min(kernels.lanes_to_fill().max(share.div_ceil(TASKS_PER_THREAD)));
        let prefix = self.prefix();
        let (leaves, rest) = self.after(&prefix);
        let bytes = task * self.digest_bytes();
        let outs = self.append(messages).chunks_mut(bytes);
        let mut tasks: Vec<_> = messages.chunks(task).zip(outs).collect();
        Join::Rayon.for_each_part(&mut tasks, |_, (messages, out)| {
            leaves.digest(rest, &Batch::slices(messages), out);
        });
    }

    fn push_sources<S: Source>(
        &mut self,
        sources: impl IntoIterator<Item = S>,
    ) -> Result<(), S::Error> {
        let prefix = self.prefix();
        let mut batch = InFlight::new(&self.function, &prefix[..self.prefix_bytes()]);
        let mut sources = sources.into_iter().enumerate();
        let mut next = |_: &mut [_]| {
            let (index, source) = sources.next()?;
            Some(ListSource { index, source, bytes: 0 })
        };
        let (mut ended, mut bytes, mut failure) = (Vec::new(), 0, None);
        let size = self.digest_bytes();
        let mut done = |leaf: ListSource<S>, result: Result<Ended<'_, _>, _>| match result {
            Ok(end) => {
                let mut digest = vec![0; size];
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
        self.digests.extend(ended.into_iter().flat_map(|(_, digest)| digest));
        self.total += bytes;
        Ok(())
    }

    /// Writes the digest of the list.
    fn finish(&self, out: &mut [u8]) {
        let hash = self.function.descriptor();
        let mut root = LinearHash::new(&self.function);
        if !self.raw {
            let count = self.digests.len() / self.digest_bytes();
            let count = u32::try_from(count).expect("fewer than 2^32 messages");
            let prefix = JPOINTERS.root(count, W::BYTES, self.total).block();
            root.update(&prefix[..hash.shape.block_bytes]);
        }
        root.update(&self.digests);
        root.finish(out);
    }

    /// Bytes of a digest.
    fn digest_bytes(&self) -> usize {
        self.function.output_size()
    }

    /// Appends space for the digests of `messages`.
    fn append(&mut self, messages: &[&[u8]]) -> &mut [u8] {
        let first = self.digests.len();
        self.total += messages.iter().map(|message| message.len() as u64).sum::<u64>();
        self.digests.resize(first + messages.len() * self.digest_bytes(), 0);
        &mut self.digests[first..]
    }

    /// The block before a message, if the list is not raw.
    fn prefix(&self) -> [u8; MAX_BLOCK_BYTES] {
        JPOINTERS.leaf(0, W::BYTES).block()
    }

    /// The function after the prefix, and the bytes to hash before a message: none, or the whole
    /// prefix if the function must see what follows before it compresses a block.
    fn after<'p>(&self, prefix: &'p [u8; MAX_BLOCK_BYTES]) -> (Function<W>, &'p [u8]) {
        self.function.after(&prefix[..self.prefix_bytes()])
    }

    /// Bytes of the prefix.
    fn prefix_bytes(&self) -> usize {
        if self.raw { 0 } else { self.function.descriptor().shape.block_bytes }
    }
}

/// A message that arrives in pieces.
struct ListSource<S> {
    /// Position in the list.
    index: usize,
    source: S,
    /// Bytes of the message so far.
    bytes: u64,
}

impl<S: Source> Source for ListSource<S> {
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
