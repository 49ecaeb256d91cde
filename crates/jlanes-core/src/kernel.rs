//! Kernels as values: how a compression function runs on some instruction set, behind one signature.
//!
//! A kernel advances some lanes by whole blocks and knows nothing else: not which hash the lanes
//! compute, how messages end, or where they come from. There are two kinds:
//!
//! - [`Vectors`]: one message a lane of a register. States and words stand in *lanes' order*: word
//!   `i` of lane `l` at `i * lanes + l`, in the CPU's byte order. A [`Feed`] puts the blocks of
//!   messages into that order. Feeds depend on the instruction set and the width of a word, and
//!   never on the hash.
//! - [`Streams`]: one message a state. Instructions for a hash's rounds work like this, and so does
//!   scalar code. They read the messages where they are.
//!
//! `jlanes-simd` has a [`Table`] of kernels for each compression function. [`Kernels`] is such a table
//! on the CPU at hand, and everything above works with that: compiled once for 32-bit words and once
//! for 64-bit words, whatever the number of hashes and instruction sets.

use crate::{
    hash::{compression::Compression, padding::Ending},
    simd::lanes::{Array, ByteOrder, Word},
};

pub mod feed;
pub mod plan;
pub mod portable;
pub mod stream;
pub mod vectors;

pub use feed::Feed;
use plan::{Input, Plan, Route};

/// The most lanes of any kernel.
pub const MAX_LANES: usize = 32;

/// The most streams that one call of a kernel takes.
pub const MAX_STREAMS: usize = 32;

/// Makes a block ready that all lanes share: of its words, others.
pub type Share<W> = fn(&[W], &mut [W]);

/// A compression function as numbers.
#[derive(Clone, Copy, Debug)]
pub struct Shape<W: 'static> {
    /// Bytes of a block.
    pub block: usize,
    /// Words of a block.
    pub words: usize,
    /// Words of a state.
    pub state: usize,
    /// [`Compression::ROUNDS`].
    pub rounds: usize,
    /// Most lanes that any kernel fills.
    pub lanes: usize,
    /// How words are written as bytes.
    pub order: ByteOrder,
    /// What the last block of a message needs, apart from the bytes after the message.
    pub ending: Ending,
    /// [`Compression::share`], and how many words that makes.
    pub share: (Share<W>, usize),
}

impl<W: Word> Shape<W> {
    /// The numbers of `C`.
    #[must_use]
    pub const fn of<C: Compression<Word = W>>() -> Self {
        Self {
            block: C::BLOCK,
            words: C::BLOCK / W::BYTES,
            state: C::State::<W>::LEN,
            rounds: C::ROUNDS,
            lanes: C::PerLane::<u8>::LEN,
            order: C::ORDER,
            ending: C::ENDING,
            share: (C::share, C::SHARED),
        }
    }
}

/// Rows of words in lanes' order: row `i` begins at `i * stride`.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, W> {
    /// The words, from the first lane in use on.
    pub words: &'a [W],
    /// Words from one row to the next.
    pub stride: usize,
}

/// Advances the lanes of a [`Vectors`] kernel by `blocks` blocks of `words`.
///
/// The lanes start at `from`, or at `states` if there is nothing else, and their states end up in
/// `states`, whose rows begin `stride` words apart. Block `b` is the rows `b * shape.words..` of
/// `words`, each of as many words as the kernel has lanes.
pub type Advance<W> = fn(
    shape: &Shape<W>,
    from: Option<Rows<'_, W>>,
    states: &mut [W],
    stride: usize,
    words: &[W],
    blocks: usize,
);

/// Advances the lanes in `states` by one block that all share, made ready by [`Shape::share`].
pub type AdvanceShared<W> = fn(shape: &Shape<W>, states: &mut [W], stride: usize, shared: &[W]);

/// A last block around each lane's digest: the second hash of digests of digests and HMAC.
#[derive(Clone, Copy, Debug)]
pub struct Again<'a, W> {
    /// The words of the block, with zeros where the digest goes.
    pub block: &'a [W],
    /// How many words hold bytes of the digest.
    pub digest: usize,
    /// The bits of the last of them that belong to the digest, if not all do.
    pub kept: Option<W>,
    /// Where this hash starts.
    pub start: Rows<'a, W>,
}

/// The blocks of messages for [`AdvanceRuns`].
#[derive(Debug)]
pub struct RunBlocks<'a, W> {
    /// The lanes' runs.
    pub runs: &'a feed::Runs<'a>,
    /// The byte after each run, if it ends within the blocks.
    pub pads: &'a [u8],
    /// Blocks.
    pub blocks: usize,
    /// Blocks that all runs have whole.
    pub direct: usize,
    /// Whether all runs are of one length and have one byte behind them.
    pub alike: bool,
    /// Lengths of the messages that end with the last block, the higher words first
    /// ([`Ending::Length`]); zeros in other lanes.
    pub lengths: Option<&'a [[W; MAX_LANES]; 2]>,
    /// The shared last block; empty if there is none.
    pub last: &'a [W],
    /// What follows, if there is a second hash.
    pub again: Option<Again<'a, W>>,
    /// Where digests go, and the bytes of each. Without that, states are kept.
    pub digests: Option<(&'a mut [u8], usize)>,
}

/// [`Advance`] from the blocks of runs to digests in one function, which loads while it computes. Such
/// a kernel is there only where it pays.
pub type AdvanceRuns<W> =
    fn(from: Option<Rows<'_, W>>, states: &mut [W], stride: usize, blocks: &mut RunBlocks<'_, W>);

/// A kernel with one message a lane.
#[derive(Clone, Copy, Debug)]
pub struct Vectors<W: 'static> {
    /// What puts blocks into lanes' order, a register at a time.
    pub feed: &'static Feed<W>,
    /// The kernel.
    pub advance: Advance<W>,
    /// The same for runs of bytes, fused with their feed; for functions with [`Ending::Length`].
    pub fused: Option<AdvanceRuns<W>>,
    /// A kernel for blocks that all lanes share and its lanes, one or two times as many. Without one
    /// such a block is fed like any other.
    pub shared: Option<(AdvanceShared<W>, usize)>,
    /// Whether interleaved words are worth a prefetch even if they are likely in the cache. On
    /// Zen 5 that costs up to a third.
    pub prefetch: bool,
}

/// How the bytes of a run are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// As the hash defines it: a message.
    Message,
    /// As the CPU stores words.
    Native,
}

/// Whole messages for [`Streams::digest`].
#[derive(Debug)]
pub struct WholeMessages<'m, 'a, W> {
    /// The messages, of `blocks` blocks or more each.
    pub messages: &'m [&'a [u8]],
    /// Where all of them start.
    pub start: &'m [W],
    /// Blocks to compress.
    pub blocks: usize,
    /// The shared last block; empty if there is none.
    pub last: &'m [W],
    /// Where the digests go, one after the other.
    pub digests: &'m mut [u8],
}

/// Advances streams by `blocks` blocks of their runs, and then by the block that they share if
/// `last` is not empty. The states stand one after the other.
pub type AdvanceStreams<W> =
    fn(shape: &Shape<W>, states: &mut [W], runs: &[&[u8]], bytes: Bytes, blocks: usize, last: &[W]);

/// [`AdvanceStreams`] over interleaved words: stream `s` has word `s` of each row.
pub type AdvanceRows<W> =
    fn(states: &mut [W], rows: feed::Interleaved<'_>, blocks: usize, last: &[W]);

/// A kernel with one message a state.
#[derive(Clone, Copy, Debug)]
pub struct Streams<W: 'static> {
    /// The kernel. It takes a multiple of [`Kernel::lanes`].
    pub advance: AdvanceStreams<W>,
    /// Streams that one call takes at most.
    pub most: usize,
    /// The same for interleaved words.
    pub interleaved: Option<AdvanceRows<W>>,
    /// A kernel for any number of whole messages, a multiple of [`Kernel::lanes`].
    pub digest: Option<fn(WholeMessages<'_, '_, W>)>,
}

/// What a kernel does.
#[derive(Clone, Copy, Debug)]
pub enum Run<W: 'static> {
    /// One message a lane.
    Vectors(Vectors<W>),
    /// One message a state.
    Streams(Streams<W>),
}

/// Instruction sets, and what else a choice among kernels depends on: a bit each, which the target
/// names.
pub type Sets = u16;

/// One way to advance lanes.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<W: 'static> {
    /// Name of the backend that forces it.
    pub name: &'static str,
    /// What the CPU must have. A kernel that is called without it panics.
    pub needs: Sets,
    /// Which place in a [`Plan`] it takes.
    pub route: Route,
    /// Lanes that it advances at a time.
    pub lanes: usize,
    /// The function.
    pub run: Run<W>,
}

/// All kernels of a compression function, those that are preferred first. The last one needs
/// nothing and takes one stream.
pub type Table<W> = [Kernel<W>];

/// The kernels of a compression function on some CPU.
#[derive(Clone, Copy, Debug)]
pub struct Kernels<W: 'static> {
    /// The function.
    pub shape: &'static Shape<W>,
    /// Its kernels.
    pub table: &'static Table<W>,
    /// The instruction sets that may be used.
    pub sets: Sets,
    /// Which kernel takes how many lanes, by [`Input`].
    pub plans: [&'static Plan; 3],
}

impl<W: Word> Kernels<W> {
    /// The first kernel of the table for `route`, or else the one for one stream.
    ///
    /// # Panics
    /// If no kernel of the table works without instruction sets.
    #[inline]
    #[must_use]
    pub fn by_route(&self, route: Route) -> &'static Kernel<W> {
        let there = |kernel: &&Kernel<W>| kernel.needs & self.sets == kernel.needs;
        let mut own = self.table.iter().filter(there);
        match own.clone().find(|kernel| kernel.route == route) {
            Some(kernel) => kernel,
            None => own
                .find(|kernel| kernel.route == Route::One)
                .expect("a table ends with portable code"),
        }
    }

    /// The kernel for the first of `live` lanes.
    #[inline]
    #[must_use]
    pub fn kernel(&self, input: Input, live: usize) -> &'static Kernel<W> {
        self.by_route(self.plans[input as usize].route(live))
    }

    /// The kernel for one stream.
    #[inline]
    #[must_use]
    pub fn single(&self) -> &'static Kernel<W> {
        self.by_route(Route::One)
    }

    /// Advances one stream by the whole blocks of `data`.
    #[inline]
    pub fn advance_one(&self, state: &mut [W], data: &[u8]) {
        if !data.is_empty() {
            let Run::Streams(streams) = &self.single().run else {
                unreachable!("one stream is no vector")
            };
            let blocks = data.len() / self.shape.block;
            (streams.advance)(self.shape, state, &[data], Bytes::Message, blocks, &[]);
        }
    }

    /// How many lanes it pays to keep filled: enough for short messages too, which may want more.
    #[inline]
    #[must_use]
    pub fn lanes(&self) -> usize {
        let [apart, _, short] = self.plans;
        apart.lanes().max(short.lanes())
    }

    /// Name of the kernel that `live` lanes run on.
    #[must_use]
    pub fn name(&self, live: usize) -> &'static str {
        self.kernel(Input::Apart, live).name
    }

    /// About how long one block in each of `live` lanes takes, in cycles.
    #[must_use]
    pub fn step_cycles(&self, live: usize) -> u32 {
        self.plans[Input::Apart as usize].cycles(W::BYTES, live)
    }

    /// Calls `run` with each kernel and the lanes `first..end` that it takes, until `lanes` lanes are
    /// done. If there are `groups`, a kernel of vectors takes more lanes than it has.
    pub(crate) fn each(
        &self,
        input: Input,
        lanes: usize,
        groups: bool,
        mut run: impl FnMut(&'static Kernel<W>, usize, usize),
    ) {
        let plan = self.plans[input as usize];
        let mut first = 0;
        while first < lanes {
            let route = plan.route(lanes - first);
            let kernel = self.by_route(route);
            let mut end = lanes.min(first + kernel.lanes);
            // as many full groups as the plan has one after the other
            let groups = groups || matches!(kernel.run, Run::Streams(_));
            while groups && lanes - end >= kernel.lanes && plan.route(lanes - end) == route {
                end += kernel.lanes;
            }
            run(kernel, first, end);
            first = end;
        }
    }
}

/// Where the CPU lacks what a kernel needs.
///
/// # Panics
/// Always.
#[cold]
pub fn absent() -> ! {
    panic!("this CPU lacks the kernel's instructions")
}
