//! BLAKE3's hasher: the open chunk, and a stack with the values of the subtrees before it.

mod traits;

use digest::{FixedOutput, Update};

use super::{
    BLOCK, Blake3Compression, CHUNK, Chunk, FLAGS, KEY_BYTES, Mode, ROOT, State,
    node::Node,
    reader::Reader,
    stack::Stack,
    tree::{MAX_CHUNKS, MAX_LANES, RUNS_PER_CALL, Tree, Value, value},
};
use crate::{compression::padding::prepare_last, hash::HashFunction, kernel::HasKernels, wipe};

/// BLAKE3 on backend `B`: a hash, a keyed hash, or a key derivation, with an output of any length. A
/// digest is its first 32 bytes.
///
/// The constructors have the names of the crate `blake3`.
///
/// A hasher is moved from its last update to its digest, and a copy of words that have just been written waits for
/// them, which takes a fifth of the time of a short message. The compiler leaves the copy out if no function that it
/// cannot see gets the hasher's address on the way. So for a message in one piece kernels get a copy of the state, and
/// the functions for more than a chunk take or return the hasher.
#[derive(Clone)]
pub struct Hasher<B> {
    backend: B,
    mode: Mode,
    /// The state after the whole blocks of a chunk, and the block after them.
    state: State,
    block: [u8; BLOCK],
    /// Bytes of the chunk.
    chunk_len: usize,
    /// Chunks before it.
    chunk_counter: u64,
    stack: Stack,
}

/// Computes the values of the two halves of a subtree, from its length in bytes and the index of its
/// first chunk.
pub type Halves<'h> = dyn Fn(&Tree, usize, u64) -> [Value; 2] + 'h;

impl<B: HasKernels<Blake3Compression> + Default> Hasher<B> {
    /// A hasher under a key.
    #[must_use]
    pub fn new_keyed(key: &[u8; KEY_BYTES]) -> Self {
        Self::with_mode(B::default(), Mode::keyed(key))
    }

    /// A hasher of key material that derives a key for the purpose `context`, which should be
    /// hard-coded, globally unique, and specific to the application.
    #[must_use]
    pub fn new_derive_key(context: &str) -> Self {
        let backend = B::default();
        Self::with_mode(backend, Mode::derive_key(backend, context.as_bytes()))
    }
}

impl Mode {
    /// The key derivation for the purpose `context`.
    pub fn derive_key<B: HasKernels<Blake3Compression>>(backend: B, context: &[u8]) -> Self {
        let mut hasher = Hasher::with_mode(backend, Self::CONTEXT);
        Update::update(&mut hasher, context);
        Self::derived(&hasher.finalize_fixed().into())
    }
}

impl<B: HasKernels<Blake3Compression>> Hasher<B> {
    /// A hasher on a given backend.
    #[must_use]
    pub fn with_mode(backend: B, mode: Mode) -> Self {
        Self {
            backend,
            mode,
            state: mode.chunk(0, 0),
            block: [0; BLOCK],
            chunk_len: 0,
            chunk_counter: 0,
            stack: Stack::new(),
        }
    }

    /// A hasher in the same mode on another backend, without the data.
    #[must_use]
    pub fn on<C: HasKernels<Blake3Compression>>(&self, backend: C) -> Hasher<C> {
        Hasher::with_mode(backend, self.mode)
    }

    /// The chunks and parents under the key of this hasher.
    #[must_use]
    pub fn tree(&self) -> Tree {
        Tree { kernels: self.backend.kernels(), mode: self.mode }
    }

    /// The output of the root with these children, under the key of this hasher.
    #[must_use]
    pub fn root_of(&self, [left, right]: &[Value; 2]) -> Reader<B> {
        Reader::new(self.backend, Node::parent(&self.mode, left, right).into_root())
    }

    /// The bytes up to the next possible start of a subtree of `chunks` chunks, a power of two.
    #[must_use]
    pub fn bytes_until_subtree(&self, chunks: usize) -> usize {
        let past = self.chunk_counter * CHUNK as u64 + self.chunk_len as u64;
        (past.next_multiple_of((chunks * CHUNK) as u64) - past) as usize
    }

    /// Absorbs the largest subtree that the next `len` bytes begin with, from the values of its
    /// halves. Returns its length. It may start only between chunks.
    ///
    /// # Panics
    /// If the largest subtree is one chunk or less.
    pub fn subtree(&mut self, len: usize, halves: &Halves<'_>) -> usize {
        let tree = self.tree();
        assert_eq!(self.chunk_len % CHUNK, 0, "between chunks");
        self.end_chunk(&tree);
        let chunks = self.largest_subtree(len / CHUNK);
        assert!(chunks > 1, "there are halves");
        let halves = halves(&tree, chunks * CHUNK, self.chunk_counter);
        halves.iter().for_each(|value| self.push(&tree, *value, chunks as u64 / 2));
        chunks * CHUNK
    }

    pub(super) fn backend(&self) -> B {
        self.backend
    }

    /// The absorbed data, if it is a part of one chunk: the state after its whole blocks, their bytes,
    /// and the block after them.
    pub(super) fn absorbed(&self) -> Option<(&State, usize, &[u8])> {
        let tail = self.tail();
        (self.chunk_counter == 0).then_some((&self.state, self.chunk_len - tail.len(), tail))
    }

    /// The bytes of the chunk that are not compressed: its last block.
    fn tail(&self) -> &[u8] {
        let bytes = if self.chunk_len == 0 { 0 } else { (self.chunk_len - 1) % BLOCK + 1 };
        &self.block[..bytes]
    }

    /// Absorbs bytes that stay within the chunk.
    #[inline]
    fn absorb(&mut self, mut data: &[u8]) {
        let tail = self.tail().len();
        self.chunk_len += data.len();
        if tail > 0 {
            let (head, after) = data.split_at(data.len().min(BLOCK - tail));
            self.block[tail..][..head.len()].copy_from_slice(head);
            if after.is_empty() {
                return;
            }
            self.backend.kernels().advance_one(&mut self.state, &self.block);
            data = after;
        }
        let (whole, tail) = Chunk::DESCRIPTOR.split_blocks(data);
        self.backend.kernels().advance_one(&mut self.state, whole);
        self.block[..tail.len()].copy_from_slice(tail);
    }

    /// Absorbs the first bytes, at most a chunk.
    #[inline]
    fn absorb_first(&mut self, data: &[u8]) {
        self.chunk_len = data.len();
        let (whole, tail) = Chunk::DESCRIPTOR.split_blocks(data);
        if !whole.is_empty() {
            let mut state = self.state;
            self.backend.kernels().advance_one(&mut state, whole);
            self.state = state;
            wipe::words(&mut state);
        }
        self.block[..tail.len()].copy_from_slice(tail);
    }

    /// Absorbs bytes after others.
    #[inline(never)]
    fn absorb_more(&mut self, data: &[u8]) {
        if self.chunk_len > 0 && data.len() <= CHUNK - self.chunk_len {
            self.absorb(data);
        } else {
            self.absorb_chunks(data);
        }
    }

    /// A hasher that has absorbed more than a chunk.
    #[inline(never)]
    fn of_chunks(backend: B, mode: Mode, data: &[u8]) -> Self {
        let mut hasher = Self::with_mode(backend, mode);
        hasher.absorb_chunks(data);
        hasher
    }

    /// Compresses the held chunk. More follows, so it is not the root.
    fn end_chunk(&mut self, tree: &Tree) {
        if self.chunk_len > 0 {
            let mut chunk = Node::last_of_chunk(tree, self.state, self.tail());
            self.chunk_len = 0;
            self.push(tree, chunk.value(&tree.kernels), 1);
        }
    }

    /// The maximum number of chunks of a whole subtree that starts here, with `chunks` chunks
    /// available.
    fn largest_subtree(&self, chunks: usize) -> usize {
        let there = 1 << chunks.ilog2();
        match self.chunk_counter.trailing_zeros() {
            zeros if zeros < usize::BITS - 1 => there.min(1 << zeros),
            _ => there,
        }
    }

    /// Absorbs whole chunks, but not the whole message.
    #[inline(never)] // its arrays do not belong on the stack of short messages
    fn absorb_whole_chunks<const N: usize>(&mut self, tree: &Tree, data: &[u8]) {
        let (mut values, mut room) = ([Value::default(); N], [Value::default(); N]);
        for data in data.chunks(N * CHUNK) {
            let mut values = &mut values[..data.len() / CHUNK];
            tree.chunks::<N>(data, self.chunk_counter, values);
            while !values.is_empty() {
                let size = self.largest_subtree(values.len());
                let (own, rest) = values.split_at_mut(size);
                // the highest parent may be the root, so it waits
                let top = tree.reduce(own, &mut room, 2);
                let each = (size / top.len()) as u64;
                top.iter().for_each(|value| self.push(tree, *value, each));
                values = rest;
            }
        }
        wipe::bytes(values.as_flattened_mut());
        wipe::bytes(room.as_flattened_mut());
    }

    /// Appends the value of a subtree of `chunks` chunks.
    fn push(&mut self, tree: &Tree, value: Value, chunks: u64) {
        // a parent is computed only when more follows, because it may be the root until then
        self.merge(tree);
        self.stack.push(value);
        self.chunk_counter += chunks;
    }

    /// Computes the parents on the stack that are followed by more.
    fn merge(&mut self, tree: &Tree) {
        while self.stack.values().len() > self.chunk_counter.count_ones() as usize {
            self.stack.merge(|children| tree.parent(children));
        }
    }

    /// Absorbs bytes that do not stay within the chunk.
    #[inline(never)] // its arrays and those of the kernels do not belong on the stack of short messages
    fn absorb_chunks(&mut self, mut data: &[u8]) {
        let tree = self.tree();
        if self.chunk_len > 0 {
            let (head, after) = data.split_at(data.len().min(CHUNK - self.chunk_len));
            self.absorb(head);
            data = after;
        }
        if data.is_empty() {
            return;
        }
        self.end_chunk(&tree);
        if data.len() > CHUNK {
            let (chunks, tail) = data.split_at(data.len() / CHUNK * CHUNK);
            // no more room than needed, because it is cleared each time
            let count = chunks.len() / CHUNK;
            if count <= MAX_LANES {
                self.absorb_whole_chunks::<MAX_LANES>(&tree, chunks);
            } else if count <= RUNS_PER_CALL {
                self.absorb_whole_chunks::<RUNS_PER_CALL>(&tree, chunks);
            } else {
                self.absorb_whole_chunks::<MAX_CHUNKS>(&tree, chunks);
            }
            data = tail;
        }
        if !data.is_empty() {
            if self.chunk_counter > 0 {
                self.merge(&tree);
                self.state = self.mode.chunk(self.chunk_counter, 0);
            }
            self.absorb(data);
        }
    }

    /// The root of the data so far.
    #[inline(never)] // short messages do not need its room
    pub(super) fn root(&self) -> Node {
        let tree = self.tree();
        let mut stack = self.stack.values();
        let mut node = match stack {
            [before @ .., left, right] if self.chunk_len == 0 => {
                stack = before;
                Node::parent(&self.mode, left, right)
            }
            _ => Node::last_of_chunk(&tree, self.state, self.tail()),
        };
        for left in stack.iter().rev() {
            node = Node::parent(&self.mode, left, &node.value(&tree.kernels));
        }
        node.state[FLAGS] |= ROOT;
        node
    }

    /// The digest of one message in a given mode. A single chunk needs no hasher.
    pub fn digest_in_mode(backend: B, mode: Mode, message: &[u8]) -> Value {
        if message.len() <= CHUNK {
            let tree = Tree { kernels: backend.kernels(), mode };
            return tree.chunk_from(mode.chunk(0, ROOT), message);
        }
        Self::of_chunks(backend, mode, message).digest_of_chunks()
    }

    /// The digest of more than a chunk.
    #[inline(never)]
    fn digest_of_chunks(self) -> Value {
        self.root().value(&self.backend.kernels())
    }

    /// The digest.
    #[inline]
    fn digest(self) -> Value {
        if self.chunk_counter > 0 {
            return self.digest_of_chunks();
        }
        let (mut state, mut block) = (self.state, self.block);
        let digest = end_root(self.backend, &mut state, &mut block, self.tail().len());
        wipe::words(&mut state);
        wipe::bytes(&mut block);
        digest
    }
}

/// The digest of at most a chunk: `state` is that before its last block, of which `tail` bytes are in `block`.
#[inline]
fn end_root<B: HasKernels<Blake3Compression>>(
    backend: B,
    state: &mut State,
    block: &mut [u8; BLOCK],
    tail: usize,
) -> Value {
    let kernels = backend.kernels();
    prepare_last(kernels.shape, state, tail);
    state[FLAGS] |= ROOT;
    block[tail..].fill(0);
    kernels.advance_one(state, block);
    value(state)
}
