//! [`SkeinConfig`]: all arguments before the message.

use alloc::{boxed::Box, vec, vec::Vec};
use core::{fmt, marker::PhantomData};

use digest::array::ArraySize;
use jlanes_core::{
    batch::{MultiDigest, Start, list},
    compression::Compression,
    engine::Engine,
    hash::Output,
    hashes::skein::{
        Node, Size, Skein,
        params::{self, Arguments, Error, TreeParams},
        ubi::{self, BlockType, Chain},
    },
};

use super::{SkeinHasher, levels::chain, nodes::Nodes, ready, schedule::Schedule};
use crate::join::Join;

/// The type of a Skein hasher, which determines the size, the usual output length and the engine.
pub trait SkeinDigest {
    /// The compression function.
    type Threefish: Size;
    /// The engine that computes it.
    type Engine: Engine<Self::Threefish>;
    /// Bits of the hasher's digest.
    const BITS: u64;

    /// The engine for this CPU.
    fn engine() -> Self::Engine;
}

impl<H, T: Size, N: ArraySize> SkeinDigest for H
where
    H: MultiDigest<Function = Skein<T, N>, OutputSize = N>,
{
    type Threefish = T;
    type Engine = H::Engine;
    const BITS: u64 = 8 * N::U64;

    fn engine() -> H::Engine {
        <H as MultiDigest>::engine()
    }
}

/// Skein with its arguments: a key, a personalization, a tree and so on.
pub struct SkeinConfig<H: SkeinDigest, E = <H as SkeinDigest>::Engine> {
    /// G0, after all arguments; the tree is optional.
    pub(super) nodes: Nodes<H::Threefish, E>,
    pub(super) output_bits: u64,
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

impl<H: SkeinDigest, E: Engine<H::Threefish>> SkeinConfig<H, E> {
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
        if self.nodes.params.is_tree() {
            let roots = ready::pipe(&self.nodes, messages);
            return roots.iter().map(|root| self.output(root)).collect();
        }
        let mut ends = vec![Output::<Node<H::Threefish>>::default(); messages.len()];
        list::digest(self.nodes.engine, &self.start(), |i| [messages[i]], &mut ends);
        ends.iter().map(|end| self.digest_of(end)).collect()
    }

    /// A hasher for a message that arrives in pieces.
    #[must_use]
    pub fn hasher(&self) -> SkeinHasher<H, E> {
        self.hasher_with(Schedule::default())
    }

    /// [`hasher`](Self::hasher) with a given scheduler.
    #[must_use]
    pub fn hasher_with(&self, schedule: Schedule) -> SkeinHasher<H, E> {
        SkeinHasher::new(self.clone(), schedule)
    }

    /// Runs with or without threads. The default is rayon's pool, if the feature `rayon` is on.
    #[must_use]
    pub fn with_join(mut self, join: Join) -> Self {
        self.nodes.join = join;
        self
    }

    /// Length of the digest in bits.
    #[must_use]
    pub fn output_bits(&self) -> u64 {
        self.output_bits
    }

    /// Bytes of a block, and of the state.
    #[must_use]
    pub fn block_size(&self) -> usize {
        H::Threefish::BLOCK
    }

    /// The start of a batch of messages without a tree: each message is one node, and
    /// [`digest_of`](Self::digest_of) converts its chaining value.
    #[must_use]
    pub fn start(&self) -> Start<Node<H::Threefish>> {
        Start::at(ubi::start::<H::Threefish>(&self.nodes.chain, BlockType::Message, 0, 0), 0)
    }

    /// Converts the last chaining value of a message to its digest.
    #[must_use]
    pub fn digest_of(&self, end: &Output<Node<H::Threefish>>) -> Box<[u8]> {
        self.output(&chain::<H::Threefish>(end))
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> E {
        self.nodes.engine
    }

    /// The shape of the tree, if there is one.
    #[must_use]
    pub fn tree(&self) -> TreeParams {
        self.nodes.params
    }

    /// Converts the last chaining value to the digest; counter blocks run on lanes.
    pub(super) fn output(&self, root: &Chain<H::Threefish>) -> Box<[u8]> {
        let bytes = usize::try_from(self.output_bits.div_ceil(8)).unwrap_or(usize::MAX);
        let mut out = vec![0; bytes].into_boxed_slice();
        ubi::output::<H::Threefish, _>(self.nodes.engine, root, 0, &mut out);
        if let (Some(last), bits @ 1..) = (out.last_mut(), self.output_bits % 8) {
            *last &= !(0xff >> bits);
        }
        out
    }
}

impl<H: SkeinDigest, E: Clone> Clone for SkeinConfig<H, E> {
    fn clone(&self) -> Self {
        Self { nodes: self.nodes.clone(), output_bits: self.output_bits }
    }
}

impl<H: SkeinDigest, E> fmt::Debug for SkeinConfig<H, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SkeinConfig({}-{}) {{ ... }}", H::Threefish::NAME, self.output_bits)
    }
}

/// Collects the arguments of a [`SkeinConfig`].
///
/// An empty argument differs from an absent one, except for the key.
#[derive(Clone)]
#[must_use]
pub struct Builder<'a, H> {
    arguments: Arguments<'a>,
    /// `None` if it is not a 64-bit number.
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

    /// The configuration, on the hasher's own engine.
    ///
    /// # Errors
    /// If the output length is 0 or more than 2^64 - 1 bits.
    pub fn build(self) -> Result<SkeinConfig<H>, Error> {
        self.build_on(H::engine())
    }

    /// The configuration on a given engine, for example a forced backend.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_on<E: Engine<H::Threefish>>(self, engine: E) -> Result<SkeinConfig<H, E>, Error> {
        let output_bits = self.output_bits.filter(|bits| *bits > 0).ok_or(Error::OutputBits)?;
        let params = self.tree;
        let chain =
            params::initial::<H::Threefish, E>(engine, &self.arguments, output_bits, params);
        let nodes = Nodes { engine, join: Join::available(), chain, params };
        Ok(SkeinConfig { nodes, output_bits })
    }
}
