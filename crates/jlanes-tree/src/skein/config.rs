//! [`SkeinConfig`]: all arguments before the message.

use alloc::{boxed::Box, vec, vec::Vec};
use core::{fmt, marker::PhantomData};

use digest::array::ArraySize;
use jlanes_core::{
    function::{Batch, DigestOnKernels, Function, Start},
    hashes::skein::{
        Size, Skein, UbiCall,
        params::{self, Arguments, Error, TreeParams},
        ubi,
    },
    kernel::HasKernels,
    simd::{vector::ByteOrder, words::read_words},
    wipe,
};

use super::{SkeinHasher, nodes::NodeHasher, schedule::Schedule, top_first};
use crate::join::Join;

/// The type of a Skein hasher, which determines the size, the usual output length and the backend.
pub trait SkeinDigest {
    /// The compression function.
    type Threefish: Size;
    /// The backend that computes it.
    type Backend: HasKernels<Self::Threefish>;
    /// Bits of the hasher's digest.
    const BITS: u64;

    /// The backend for this CPU.
    fn backend() -> Self::Backend;
}

impl<H, T: Size, N: ArraySize> SkeinDigest for H
where
    H: DigestOnKernels<Hash = Skein<T, N>, OutputSize = N>,
{
    type Threefish = T;
    type Backend = H::Backend;
    const BITS: u64 = 8 * N::U64;

    fn backend() -> H::Backend {
        <H as DigestOnKernels>::backend()
    }
}

/// Skein with its arguments: a key, a personalization, a tree and so on.
pub struct SkeinConfig<H> {
    pub(super) config: Config,
    hasher: PhantomData<fn() -> H>,
}

/// [`SkeinConfig`] without the type of its hasher.
#[derive(Clone)]
pub(super) struct Config {
    /// The state after all arguments, from which the message's nodes start (`G0` in the Skein paper), with
    /// the shape of the tree, if any.
    pub(super) nodes: NodeHasher,
    pub(super) output_bits: u64,
}

impl Config {
    fn hash_many(&self, messages: &[&[u8]]) -> Vec<Box<[u8]>> {
        if self.nodes.params.is_tree() {
            let roots = top_first::hash_roots(&self.nodes, messages);
            return roots.iter().map(|root| self.output(root)).collect();
        }
        let block = self.nodes.block();
        let mut ends = vec![0; messages.len() * block];
        self.nodes.node.digest(&[], &Batch::slices(messages), &mut ends);
        ends.chunks_exact(block).map(|end| self.output(end)).collect()
    }

    /// Converts the last chaining value to the digest; counter blocks run on lanes.
    pub(super) fn output(&self, root: &[u8]) -> Box<[u8]> {
        let mut out = vec![0; self.output_size()].into_boxed_slice();
        let kernels = self.nodes.kernels();
        let mut state = [0; ubi::MAX_STATE];
        let state = &mut state[..kernels.shape.state_words];
        read_words(ByteOrder::Little, root, state);
        ubi::output(kernels, state, 0, &mut out);
        if let (Some(last), bits @ 1..) = (out.last_mut(), self.output_bits % 8) {
            *last &= !(0xff >> bits);
        }
        out
    }

    /// Bytes of the digest.
    pub(super) fn output_size(&self) -> usize {
        usize::try_from(self.output_bits.div_ceil(8)).unwrap_or(usize::MAX)
    }
}

impl<H: SkeinDigest> SkeinConfig<H> {
    /// A builder with the hasher's own output length and no arguments.
    pub fn builder<'a>() -> Builder<'a, H> {
        Builder {
            arguments: Arguments::default(),
            output_bits: Some(H::BITS),
            tree: TreeParams::default(),
            hasher: PhantomData,
        }
    }
}

impl<H> SkeinConfig<H> {
    /// The digest of `data`.
    #[must_use]
    pub fn hash(&self, data: &[u8]) -> Box<[u8]> {
        self.hash_with(Schedule::default(), data)
    }

    /// [`hash`](Self::hash) with a given scheduler. Without a tree there is nothing to schedule.
    #[must_use]
    pub fn hash_with(&self, schedule: Schedule, data: &[u8]) -> Box<[u8]> {
        self.hasher_with(schedule).finish(data, 0).0
    }

    /// The digest of the first `bits` bits of `data`, each byte's most significant bit first.
    ///
    /// # Panics
    /// If `data` has fewer bits.
    #[must_use]
    pub fn hash_bits(&self, data: &[u8], bits: u128) -> Box<[u8]> {
        let bytes = bits.div_ceil(8);
        assert!(bytes <= data.len() as u128, "{bits} bits of {} bytes", data.len());
        let data = &data[..bytes as usize];
        self.hasher().finish(data, (bits % 8) as u32).0
    }

    /// The digests of many messages at once: their leaves, nodes or blocks share the lanes.
    #[must_use]
    pub fn hash_many(&self, messages: &[&[u8]]) -> Vec<Box<[u8]>> {
        self.config.hash_many(messages)
    }

    /// A hasher for a message that arrives in pieces.
    #[must_use]
    pub fn hasher(&self) -> SkeinHasher {
        self.hasher_with(Schedule::default())
    }

    /// [`hasher`](Self::hasher) with a given scheduler.
    #[must_use]
    pub fn hasher_with(&self, schedule: Schedule) -> SkeinHasher {
        SkeinHasher::new(self.config.clone(), schedule)
    }

    /// Runs with or without threads. The default is rayon's pool, if the feature `rayon` is on.
    #[must_use]
    pub fn with_join(mut self, join: Join) -> Self {
        self.config.nodes.join = join;
        self
    }

    /// Length of the digest in bits.
    #[must_use]
    pub fn output_bits(&self) -> u64 {
        self.config.output_bits
    }

    /// Bytes of a block, and of the state.
    #[must_use]
    pub fn block_size(&self) -> usize {
        self.config.nodes.block()
    }

    /// The function of messages without a tree: each message is one node, and
    /// [`digest_of`](Self::digest_of) converts its chaining value. After a key, the function is equivalent to
    /// the key, and does not wipe itself ([`Function::wipe`]).
    #[must_use]
    pub fn node(&self) -> Function<u64> {
        self.config.nodes.node
    }

    /// Converts the last chaining value of a message to its digest.
    ///
    /// # Panics
    /// If `end` does not have the size of a block.
    #[must_use]
    pub fn digest_of(&self, end: &[u8]) -> Box<[u8]> {
        assert_eq!(end.len(), self.block_size(), "a chaining value has the size of a block");
        self.config.output(end)
    }

    /// The shape of the tree, if there is one.
    #[must_use]
    pub fn tree(&self) -> TreeParams {
        self.config.nodes.params
    }
}

impl<H> Clone for SkeinConfig<H> {
    fn clone(&self) -> Self {
        Self { config: self.config.clone(), hasher: PhantomData }
    }
}

impl<H> fmt::Debug for SkeinConfig<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, bits) = (8 * self.block_size(), self.output_bits());
        write!(f, "SkeinConfig(Skein-{size}-{bits}) {{ ... }}")
    }
}

/// Collects the arguments of a [`SkeinConfig`].
///
/// An empty argument differs from an absent one, except for the key.
#[derive(Clone)]
#[must_use]
pub struct Builder<'a, H> {
    arguments: Arguments<'a>,
    /// The length of the digest in bits; `None` if it is not a 64-bit number.
    output_bits: Option<u64>,
    tree: TreeParams,
    hasher: PhantomData<fn() -> H>,
}

impl<'a, H: SkeinDigest> Builder<'a, H> {
    /// Length of the digest in bits, of any integer type; unused bits of the last byte are cleared.
    pub fn output_bits(mut self, bits: impl TryInto<u64>) -> Self {
        self.output_bits = bits.try_into().ok();
        self
    }

    /// All arguments at once, in place of earlier ones: for algorithms by name.
    #[doc(hidden)]
    pub fn arguments(mut self, arguments: Arguments<'a>) -> Self {
        self.arguments = arguments;
        self
    }

    /// The key, which makes the hash a MAC.
    pub fn key(mut self, key: &'a [u8]) -> Self {
        self.arguments.key = key;
        self
    }

    /// The personalization string.
    pub fn personalization(mut self, personalization: &'a [u8]) -> Self {
        self.arguments.personalization = Some(personalization);
        self
    }

    /// The public key.
    pub fn public_key(mut self, public_key: &'a [u8]) -> Self {
        self.arguments.public_key = Some(public_key);
        self
    }

    /// The key identifier.
    pub fn key_id(mut self, key_id: &'a [u8]) -> Self {
        self.arguments.key_id = Some(key_id);
        self
    }

    /// The nonce.
    pub fn nonce(mut self, nonce: &'a [u8]) -> Self {
        self.arguments.nonce = Some(nonce);
        self
    }

    /// The tree.
    pub fn tree(mut self, tree: TreeParams) -> Self {
        self.tree = tree;
        self
    }

    /// The configuration, on the hasher's own backend.
    ///
    /// # Errors
    /// If the output length is 0 or more than 2^64 - 1 bits.
    pub fn build(self) -> Result<SkeinConfig<H>, Error> {
        self.build_on(H::backend())
    }

    /// The configuration on a given backend, for example a forced one.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_on<B: HasKernels<H::Threefish>>(
        self,
        backend: B,
    ) -> Result<SkeinConfig<H>, Error> {
        let node = Function::new(&Start::<UbiCall<H::Threefish>>::new(), backend);
        let config = self.config(node)?;
        Ok(SkeinConfig { config, hasher: PhantomData })
    }

    fn config(self, node: Function<u64>) -> Result<Config, Error> {
        let output_bits = self.output_bits.filter(|bits| *bits > 0).ok_or(Error::OutputBits)?;
        let mut state = [0; ubi::MAX_STATE];
        let state = &mut state[..node.start().len()];
        params::initial(node.kernels(), &self.arguments, output_bits, self.tree, state);
        let node = node.starting_at(state);
        wipe::words(state);
        let nodes = NodeHasher { node, join: Join::available(), params: self.tree };
        Ok(Config { nodes, output_bits })
    }
}
