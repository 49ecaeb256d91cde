//! Kernels as values: a compression function on some instruction set, behind one signature.
//!
//! A kernel advances some lanes by blocks. Which messages have the lanes, and what follows their digests, is
//! decided above. There are two layouts of their states:
//!
//! - [`VectorKernel`]: one message per lane of a register. States and words are in *lanes' order*: word `i` of
//!   lane `l` at `i * lanes + l`, in the CPU's byte order. A [`Feed`] converts the blocks of messages to that
//!   order. Feeds depend on the instruction set and the word size, not on the hash.
//! - [`StreamKernel`]: one message per state, for instructions for a hash's rounds, and for scalar code. It
//!   reads the messages in place.
//!
//! `jlanes-simd` has a [`Table`] of kernels for each compression function. [`Kernels`] is such a
//! table on the current CPU, and all code above works with it: compiled once for 32-bit words and
//! once for 64-bit words, for any number of hashes and instruction sets.

use crate::{
    compression::{
        AdvanceStreamsFn, Compression, ContiguousDigests, LaneRange, LaneStart, RunByteOrder, Shape,
    },
    simd::{portable::Portable, vector::Word},
};

pub mod feed;
pub mod fused;
pub mod plan;
pub mod portable;
pub mod step;
pub mod stream;
pub mod vectors;
mod work;

pub use feed::Feed;
use plan::{InputKind, KernelKind, Plan};
pub use work::{
    AdvanceFusedFn, BlockInput, FusedEnding, FusedOutput, FusedWork, InterleavedRows, RehashRounds,
};

/// The maximum number of streams per call of a kernel.
pub const MAX_STREAMS: usize = 32;

/// The maximum number of groups of streams that take turns in a [`RehashStreamsFn`].
pub const MAX_GROUPS: usize = 4;

/// Advances the lanes of a [`VectorKernel`] by `blocks` blocks of `words`.
///
/// The lanes start at `from`, and their states are written to `states`, with rows `stride` words
/// apart. Block `b` is the rows `b * shape.block_words..` of `words`, each with as many words as the
/// kernel has lanes.
pub type AdvanceFn<W> = fn(
    shape: &Shape<W>,
    from: LaneStart<'_, W>,
    states: &mut [W],
    stride: usize,
    words: &[W],
    blocks: usize,
);

/// Advances the lanes in `states` by one shared block, prepared by [`Shape::share`].
pub type AdvanceSharedFn<W> = fn(shape: &Shape<W>, states: &mut [W], stride: usize, shared: &[W]);

/// Blocks at the start of messages that are prefetched ahead of their turn. From then on the
/// hardware prefetcher has detected the sequential reads.
pub(crate) const PREFETCHED_BLOCKS: usize = 16;

/// A kernel with one message per lane.
#[derive(Clone, Copy, Debug)]
pub struct VectorKernel<W: 'static> {
    /// Converts blocks to lanes' order, one register at a time.
    pub feed: &'static Feed<W>,
    /// Its code, by where the blocks come from.
    pub code: VectorKernelCode<W>,
    /// Whether to prefetch interleaved words that are likely in the cache. On Zen 5 that costs up
    /// to a third.
    pub prefetch: bool,
}

/// The function of a kernel of vectors, by where its blocks come from.
#[derive(Clone, Copy, Debug)]
pub enum VectorKernelCode<W: 'static> {
    /// From the feed, as words in lanes' order.
    Fed(FedKernel<W>),
    /// From runs of bytes: the kernel is fused with the feed, and knows how messages end. For functions with
    /// [`Ending::Length`](crate::compression::Ending::Length) or
    /// [`Ending::Counter`](crate::compression::Ending::Counter).
    Fused(AdvanceFusedFn<W>),
}

/// A kernel that a feed gives words in lanes' order.
#[derive(Clone, Copy, Debug)]
pub struct FedKernel<W: 'static> {
    /// The function for blocks of messages.
    pub advance: AdvanceFn<W>,
    /// The function for shared blocks. Without it, such a block is fed like any other.
    pub shared: Option<AdvanceSharedFn<W>>,
}

/// Whole messages for [`StreamKernel::digest`].
#[derive(Debug)]
pub struct WholeMessages<'m, 'a, W> {
    /// The messages, of `blocks` blocks or more each.
    pub messages: &'m [&'a [u8]],
    /// The common start.
    pub start: &'m [W],
    /// The number of blocks to compress of each message.
    pub blocks: usize,
    /// The shared last block; may be empty.
    pub shared: &'m [W],
    /// The destination of digests.
    pub digests: ContiguousDigests<'m>,
}

/// [`AdvanceStreamsFn`] over interleaved words: stream `s` is word `s` of each row.
pub type AdvanceRowsFn<W> =
    fn(states: &mut [W], rows: feed::Interleaved<'_>, blocks: usize, shared: &[W]);

/// The maximum number of streams of a kernel without a function for interleaved words: the words of each stream
/// are copied first.
pub const MAX_COPIED_STREAMS: usize = 4;

/// A kernel with one message per state.
#[derive(Clone, Copy, Debug)]
pub struct StreamKernel<W: 'static> {
    /// The function for blocks. It takes a multiple of [`Kernel::lanes`] streams.
    pub advance: AdvanceStreamsFn<W>,
    /// The maximum number of streams per call.
    pub max_streams: usize,
    /// The function for interleaved words.
    pub interleaved: Option<AdvanceRowsFn<W>>,
    /// The function for any number of whole messages, a multiple of [`Kernel::lanes`].
    pub digest: Option<fn(WholeMessages<'_, '_, W>)>,
    /// [`digest`](Self::digest) of messages of one block and the shared one. Each is listed as the two halves of
    /// its block, such as the two digests of a node.
    pub halves: Option<fn(WholeMessages<'_, '_, W>)>,
    /// The function for digests that are hashed again. Without it, they are written into blocks for
    /// `advance`.
    pub rehash: Option<RehashStreamsFn<W>>,
}

/// Hashes the digests at the start of contiguous states again, and keeps them in registers in between. There
/// are one to [`MAX_GROUPS`] groups of [`Kernel::lanes`] states, and at most 8 states. The hashes of a round start
/// at the contiguous states `starts`, and not at those of `work`. Writes the exclusive or of
/// the digests of all rounds to `xor_sum`, if any.
pub type RehashStreamsFn<W> =
    fn(states: &mut [W], starts: &[&[W]], work: &RehashRounds<'_, W>, xor_sum: Option<&mut [W]>);

/// The function of a kernel, by the layout of its states.
#[derive(Clone, Copy, Debug)]
pub enum KernelCode<W: 'static> {
    /// One message per lane.
    Vectors(VectorKernel<W>),
    /// One message per state.
    Streams(StreamKernel<W>),
}

/// Needs of kernels: instruction sets, and other criteria for choosing a kernel. One bit each, defined by the target.
pub type NeedBits = u16;

/// A way to advance lanes, as a value: its function, and what it needs.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<W: 'static> {
    /// Name of the backend that forces this kernel.
    pub name: &'static str,
    /// The requirements on the CPU. The kernel panics without them.
    pub needs: NeedBits,
    /// The kind by which a [`Plan`] chooses this kernel.
    pub kind: KernelKind,
    /// Lanes that the function advances per call.
    pub lanes: usize,
    /// Its code, by the layout of the states.
    pub code: KernelCode<W>,
}

/// All kernels of a compression function, in order of preference. The last one has no requirements
/// and takes one stream.
pub type Table<W> = [Kernel<W>];

/// The kernels of a compression function on some CPU.
#[derive(Clone, Copy, Debug)]
pub struct Kernels<W: 'static> {
    /// The numbers of the compression function.
    pub shape: &'static Shape<W>,
    /// The kernels of the compression function.
    pub table: &'static Table<W>,
    /// The requirements that this CPU and the user's choice meet.
    pub has: NeedBits,
    /// The plans that map a number of lanes to a kernel, by [`InputKind`].
    pub plans: [&'static Plan; InputKind::COUNT],
}

impl<W: Word> Kernels<W> {
    /// The first kernel of the table for `kind`, otherwise the one for one stream.
    ///
    /// # Panics
    /// If no kernel of the table works without instruction sets.
    #[inline]
    #[must_use]
    pub fn by_kind(&self, kind: KernelKind) -> &'static Kernel<W> {
        let first = |kind: KernelKind| {
            let is_there = |kernel: &Kernel<W>| kernel.needs & self.has == kernel.needs;
            self.table.iter().find(|kernel| kernel.kind == kind && is_there(kernel))
        };
        match first(kind) {
            Some(kernel) => kernel,
            None => first(KernelKind::Streams1).expect("a table ends with portable code"),
        }
    }

    /// The kernel for the first of `live` lanes.
    #[inline]
    #[must_use]
    pub fn kernel(&self, input: InputKind, live: usize) -> &'static Kernel<W> {
        self.by_kind(self.plans[input as usize].kind(live))
    }

    /// The kernel for one stream.
    #[inline]
    #[must_use]
    pub fn single(&self) -> &'static Kernel<W> {
        self.by_kind(KernelKind::Streams1)
    }

    /// Advances one stream by the whole blocks of `data`.
    #[inline]
    pub fn advance_one(&self, state: &mut [W], data: &[u8]) {
        if !data.is_empty() {
            self.advance_one_and_shared(state, data, &[]);
        }
    }

    /// Advances one stream by the whole blocks of `data`, then by the `shared` block, if any.
    #[inline]
    pub fn advance_one_and_shared(&self, state: &mut [W], data: &[u8], shared: &[W]) {
        let KernelCode::Streams(streams) = &self.single().code else {
            unreachable!("one stream is no vector")
        };
        let blocks = data.len() / self.shape.block_bytes;
        (streams.advance)(self.shape, state, &[data], RunByteOrder::Message, blocks, shared);
    }

    /// The number of lanes that are worth keeping filled: enough for short messages, too, which may
    /// need more.
    #[inline]
    #[must_use]
    pub fn lanes_to_fill(&self) -> usize {
        let lanes = |input: InputKind| self.plans[input as usize].lanes_to_fill();
        lanes(InputKind::Contiguous).max(lanes(InputKind::Short))
    }

    /// Name of the kernel that `live` lanes run on.
    #[must_use]
    pub fn name(&self, live: usize) -> &'static str {
        self.kernel(InputKind::Contiguous, live).name
    }

    /// The approximate time of one block in each of `live` lanes, in cycles.
    #[must_use]
    pub fn step_cycles(&self, live: usize) -> u32 {
        self.plans[InputKind::Contiguous as usize].cycles(W::BYTES, live)
    }

    /// Calls `run` with each kernel and its lanes, until `lanes` lanes are done. With
    /// `takes_several_groups`, a kernel of vectors takes several groups of its lanes.
    pub(crate) fn for_each_kernel(
        &self,
        input: InputKind,
        lanes: usize,
        takes_several_groups: bool,
        mut run: impl FnMut(&'static Kernel<W>, LaneRange),
    ) {
        let plan = self.plans[input as usize];
        let mut first = 0;
        while first < lanes {
            let kind = plan.kind(lanes - first);
            let kernel = self.by_kind(kind);
            // lanes of a missing kernel stay together: vectors after them start at a multiple of theirs
            let missing = kernel.kind != kind;
            let step = if missing { kind.lanes(W::BYTES) } else { kernel.lanes };
            let mut end = lanes.min(first + step);
            // as many full groups as the plan has in a row
            let several = takes_several_groups || matches!(kernel.code, KernelCode::Streams(_));
            while several && lanes - end >= step && plan.kind(lanes - end) == kind {
                end += step;
            }
            run(kernel, LaneRange { first, end });
            first = end;
        }
    }
}

/// Chooses the kernels of the compression function `C`: for one CPU, or in portable code.
pub trait HasKernels<C: Compression>: Copy + Send + Sync + 'static {
    /// The kernels to choose from.
    fn kernels(&self) -> Kernels<C::Word>;

    /// The number of lanes that are worth keeping filled.
    #[inline]
    fn lanes_to_fill(&self) -> usize {
        self.kernels().lanes_to_fill()
    }

    /// Advances one stream by the whole blocks in `data`.
    #[inline]
    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]) {
        self.kernels().advance_one(state.as_mut(), data);
    }
}

/// `N` lanes at a time, a divisor of [`max_lanes`](crate::compression::max_lanes), or scalar code
/// if `N` is 1.
impl<C: Compression, const N: usize> HasKernels<C> for Portable<N> {
    fn kernels(&self) -> Kernels<C::Word> {
        portable::kernels::<C, N>()
    }
}

/// Panics, because the CPU lacks the requirements of a kernel.
///
/// # Panics
/// Always.
#[cold]
pub fn panic_unsupported() -> ! {
    panic!("this CPU lacks the kernel's instructions")
}
