//! BLAKE3 of many messages at once. Messages of one chunk share the lanes as with any other hash. Chunks of
//! longer messages share the lanes across messages, and so do the parents of each level.

use alloc::{vec, vec::Vec};
use core::cmp::Reverse;

use super::{
    BLOCK, CHUNK, COUNTER, Chunk, KEY_BYTES, ROOT, State,
    node::Node,
    outputs,
    tree::{MAX_LANES, RUNS_PER_CALL, Tree, Value, value},
};
use crate::{
    compression::{ContiguousDigests, LaneBuffer, LaneStates, padding::Padding},
    hash::HashFunction,
    lanes::{
        messages::{LaneWork, MessageEnd, Route},
        outputs::Slices,
    },
    wipe,
};

/// The number of chunks above which one message fills the lanes, so that it is hashed alone.
const LONG_CHUNKS: usize = 64;

/// Words of a state.
const STATE_WORDS: usize = size_of::<State>() / size_of::<u32>();

/// The number of chunks that are sorted at once, large enough that few groups of lanes are partial.
const WINDOW_CHUNKS: usize = 2048;

/// A leaf to compute: a chunk, or the whole blocks of one.
#[derive(Clone, Copy)]
struct Leaf<'a> {
    data: &'a [u8],
    blocks: usize,
    number: u64,
    /// Flags of the last block, in addition to those of every chunk.
    last: u32,
    /// The destination of the leaf's value.
    place: usize,
}

/// A message of several chunks: the start of its values, and the number of remaining ones.
struct LongMessage {
    message: usize,
    place: usize,
    values: usize,
}

/// Roots, each with the index of its message.
pub(super) type Roots = Vec<(usize, Node)>;

impl Tree {
    /// Hashes messages of any lengths; `out` has exactly their digests.
    pub(super) fn digest_mixed<'a>(
        &self,
        message: &dyn Fn(usize) -> &'a [u8],
        alone: &dyn Fn(&[u8]) -> Value,
        out: &mut [Value],
    ) {
        let mut window = Window::default();
        for i in 0..out.len() {
            let data = message(i);
            if data.len() > LONG_CHUNKS * CHUNK {
                out[i] = alone(data);
                continue;
            }
            window.push(i, data);
            if window.count() >= WINDOW_CHUNKS {
                window.digest(self, out);
            }
        }
        window.digest(self, out);
    }

    /// Fills outputs of any lengths, each from the start of its message's output.
    pub(super) fn fill_mixed<'a>(
        &self,
        message: &dyn Fn(usize) -> &'a [u8],
        alone: &dyn Fn(&[u8]) -> Node,
        outs: &mut [&mut [u8]],
    ) {
        self.roots_mixed(message, outs.len(), alone, &mut |nodes| {
            let part = |n: usize| (nodes[n].0, &nodes[n].1, 0);
            outputs::fill(&self.kernels, nodes.len(), &part, &mut Slices(&mut *outs));
            nodes.clear();
        });
    }

    /// Computes the roots of `count` messages of any lengths, and calls `then` with some of them at a
    /// time, each with the index of its message. `then` takes them out.
    pub(super) fn roots_mixed<'a>(
        &self,
        message: &dyn Fn(usize) -> &'a [u8],
        count: usize,
        alone: &dyn Fn(&[u8]) -> Node,
        then: &mut dyn FnMut(&mut Roots),
    ) {
        let mut nodes = Roots::new();
        let mut window = Window::default();
        for i in 0..count {
            let data = message(i);
            if data.len() > LONG_CHUNKS * CHUNK {
                nodes.push((i, alone(data)));
            } else {
                window.push(i, data);
            }
            if window.count() + nodes.len() >= WINDOW_CHUNKS {
                window.roots(self, &mut nodes);
                then(&mut nodes);
            }
        }
        window.roots(self, &mut nodes);
        then(&mut nodes);
    }

    /// Computes the values of leaves, sorted by decreasing length; with `end`, they end with their blocks.
    fn leaves(&self, mut leaves: &[Leaf<'_>], end: bool, values: &mut [Value]) {
        while let Some(first) = leaves.first() {
            let candidates = leaves.iter().take(RUNS_PER_CALL);
            let equal = candidates.take_while(|leaf| leaf.blocks == first.blocks).count();
            let group;
            if end && equal > MAX_LANES {
                (group, leaves) = leaves.split_at(equal / MAX_LANES * MAX_LANES);
                self.equal_leaves(group, values);
            } else {
                (group, leaves) = leaves.split_at(leaves.len().min(MAX_LANES));
                self.mixed_leaves(group, end, values);
            }
        }
    }

    /// Computes the values of leaves with equal numbers of blocks, at most [`RUNS_PER_CALL`], in one call: while
    /// the kernel computes one group of lanes, it prefetches the next.
    fn equal_leaves(&self, leaves: &[Leaf<'_>], values: &mut [Value]) {
        let count = leaves.len();
        let mut runs = [&[] as &[u8]; RUNS_PER_CALL];
        let mut states = [0; STATE_WORDS * RUNS_PER_CALL];
        for (row, word) in states.chunks_exact_mut(RUNS_PER_CALL).zip(self.mode.chunk(0, 0)) {
            row[..count].fill(word);
        }
        for (lane, leaf) in leaves.iter().enumerate() {
            runs[lane] = leaf.data;
            let state = self.mode.chunk(leaf.number, leaf.last);
            for word in COUNTER..STATE_WORDS {
                states[word * RUNS_PER_CALL + lane] = state[word];
            }
        }
        let mut digests = [Value::default(); RUNS_PER_CALL];
        let end = Some(MessageEnd { padding: Padding::Zeros, before: 0, all_end: true });
        let work = LaneWork { end, ..LaneWork::new(&runs[..count], leaves[0].blocks) };
        let route = Route::StatesToDigests {
            states: LaneStates::new(&mut states, RUNS_PER_CALL),
            digests: ContiguousDigests::of_arrays(&mut digests[..count]),
        };
        self.kernels.advance_messages(work, route);
        for (leaf, digest) in leaves.iter().zip(&digests) {
            values[leaf.place] = *digest;
        }
        wipe::bytes(digests.as_flattened_mut());
        wipe::words(&mut states);
    }

    /// Computes the values of leaves with any numbers of blocks, at most as many as there are lanes.
    fn mixed_leaves(&self, leaves: &[Leaf<'_>], end: bool, values: &mut [Value]) {
        let mut states = LaneBuffer::new(self.kernels.shape);
        let mut digests = [Value::default(); MAX_LANES];
        let mut runs = [&[] as &[u8]; MAX_LANES];
        for (lane, leaf) in leaves.iter().enumerate() {
            runs[lane] = leaf.data;
            states.states().set(lane, &self.mode.chunk(leaf.number, leaf.last));
        }
        let (mut done, mut live) = (0, leaves.len());
        while live > 0 {
            let until = leaves[live - 1].blocks;
            let ending = leaves[..live].iter().rev().take_while(|leaf| leaf.blocks == until);
            let longer = live - ending.count();
            let skip = [done; MAX_LANES];
            let all = longer == 0;
            let work = LaneWork {
                blocks_done: if done > 0 { &skip[..live] } else { &[] },
                end: end.then_some(MessageEnd { padding: Padding::Zeros, before: 0, all_end: all }),
                ..LaneWork::new(&runs[..live], until - done)
            };
            let route = if all {
                let digests = ContiguousDigests::of_arrays(&mut digests[..live]);
                Route::StatesToDigests { states: states.states(), digests }
            } else {
                Route::StatesToStates(states.states())
            };
            self.kernels.advance_messages(work, route);
            for lane in longer..live {
                if longer > 0 {
                    let mut state = State::default();
                    states.get_into(lane, &mut state[..8]);
                    digests[lane] = value(&state);
                }
                values[leaves[lane].place] = digests[lane];
            }
            (done, live) = (until, longer);
        }
        wipe::bytes(digests.as_flattened_mut());
        states.wipe();
    }

    /// Computes the values of parents until `out` is full; the children of each start at one of `places`.
    fn parents_at(&self, root: u32, values: &[Value], places: &[usize], out: &mut [Value]) {
        let mut start = self.mode.parent(root);
        let children = |i: usize| values[places[i]..][..2].as_flattened();
        let out = out[..places.len()].as_flattened_mut();
        self.kernels.compress_blocks(&start, children, out, KEY_BYTES);
        wipe::words(&mut start);
    }
}

/// Parents that are computed at once.
const MAX_PARENTS: usize = 4 * MAX_LANES;

/// Messages with chunks that share the lanes.
#[derive(Default)]
struct Window<'a> {
    /// The chunks of long messages.
    leaves: Vec<Leaf<'a>>,
    /// Messages of one chunk, and their indices.
    singles: Vec<(usize, Leaf<'a>)>,
    longs: Vec<LongMessage>,
    /// The number of used places for values.
    places: usize,
}

impl<'a> Window<'a> {
    /// Adds the message with an index.
    fn push(&mut self, message: usize, data: &'a [u8]) {
        let hash = Chunk::DESCRIPTOR;
        let place = self.places;
        if data.len() <= CHUNK {
            let blocks = hash.blocks(data.len());
            let leaf = Leaf { data, blocks, number: 0, last: ROOT, place };
            self.singles.push((message, leaf));
            self.places += 1;
            return;
        }
        for (number, data) in (0..).zip(data.chunks(CHUNK)) {
            let (blocks, place) = (hash.blocks(data.len()), self.places);
            self.leaves.push(Leaf { data, blocks, number, last: 0, place });
            self.places += 1;
        }
        self.longs.push(LongMessage { message, place, values: self.places - place });
    }

    fn count(&self) -> usize {
        self.places
    }

    /// Writes the digests, and removes the messages.
    fn digest(&mut self, tree: &Tree, out: &mut [Value]) {
        self.leaves.extend(self.singles.iter().map(|(_, leaf)| *leaf));
        let mut values = self.values(tree);
        for (message, leaf) in self.singles.drain(..) {
            out[message] = values[leaf.place];
        }
        let mut digests = [Value::default(); MAX_PARENTS];
        for longs in self.longs.chunks(MAX_PARENTS) {
            let mut places = [0; MAX_PARENTS];
            places.iter_mut().zip(longs).for_each(|(place, long)| *place = long.place);
            tree.parents_at(ROOT, &values, &places[..longs.len()], &mut digests);
            for (long, digest) in longs.iter().zip(&digests) {
                out[long.message] = *digest;
            }
        }
        wipe::bytes(digests.as_flattened_mut());
        wipe::bytes(values.as_flattened_mut());
        (self.places, self.leaves, self.longs) = (0, Vec::new(), Vec::new());
    }

    /// Appends the roots, and removes the messages.
    fn roots(&mut self, tree: &Tree, nodes: &mut Roots) {
        let mut values = self.values(tree);
        for long in self.longs.drain(..) {
            let [left, right] = [values[long.place], values[long.place + 1]];
            nodes.push((long.message, Node::parent(&tree.mode, &left, &right).into_root()));
        }
        // for messages of one chunk, the last block is not compressed
        for (_, leaf) in &mut self.singles {
            leaf.blocks = Chunk::DESCRIPTOR.whole_blocks(leaf.data.len());
        }
        let longer = self.singles.iter().filter(|(_, leaf)| leaf.blocks > 0);
        self.leaves = longer.map(|(_, leaf)| *leaf).collect();
        values.resize(self.places, Value::default());
        self.sort_leaves();
        tree.leaves(&self.leaves, false, &mut values);
        for (message, leaf) in self.singles.drain(..) {
            let before = (leaf.blocks > 0).then_some(&values[leaf.place]);
            let tail = &leaf.data[leaf.blocks * BLOCK..];
            nodes.push((message, Node::last_of_first_chunk(tree, before, tail).into_root()));
        }
        wipe::bytes(values.as_flattened_mut());
        (self.places, self.leaves) = (0, Vec::new());
    }

    fn sort_leaves(&mut self) {
        self.leaves.sort_unstable_by_key(|leaf| Reverse(leaf.blocks));
    }

    /// Computes the values of the leaves, and of long messages' parents, level by level, until two remain of
    /// each message.
    fn values(&mut self, tree: &Tree) -> Vec<Value> {
        let mut values = vec![Value::default(); self.places];
        self.sort_leaves();
        tree.leaves(&self.leaves, true, &mut values);
        let mut above = [Value::default(); MAX_PARENTS];
        let mut parents = Vec::new();
        loop {
            parents.clear();
            for long in self.longs.iter().filter(|long| long.values > 2) {
                let children = (long.place..).step_by(2);
                parents.extend((long.place..).zip(children).take(long.values / 2));
            }
            if parents.is_empty() {
                break;
            }
            // a parent overwrites children that have been read
            for parents in parents.chunks(MAX_PARENTS) {
                let mut places = [0; MAX_PARENTS];
                places.iter_mut().zip(parents).for_each(|(to, (_, children))| *to = *children);
                tree.parents_at(0, &values, &places[..parents.len()], &mut above);
                for ((place, _), value) in parents.iter().zip(&above) {
                    values[*place] = *value;
                }
            }
            for long in self.longs.iter_mut().filter(|long| long.values > 2) {
                let last = long.values - 1;
                if last % 2 == 0 {
                    values[long.place + last / 2] = values[long.place + last];
                }
                long.values = long.values.div_ceil(2);
            }
        }
        wipe::bytes(above.as_flattened_mut());
        values
    }
}
