//! Jobs in lanes: messages, interleaved words, and digests that are hashed again.
//!
//! A job knows a hash by its numbers and instruction sets by their [kernels](crate::kernel), so each
//! of the functions here is compiled twice: for 32-bit words and for 64-bit words. [`Engine`] and
//! [`MultiDigest`] are the typed way in.

use crate::{
    hash::{
        HashFunction, Output,
        compression::{Compression, LaneStates},
    },
    kernel::{Kernel, Kernels, feed::Interleaved, portable},
    simd::portable::Portable,
};

pub mod interleaved;
pub mod messages;
pub mod rehash;

use interleaved::InterleavedLanes;
use messages::Messages;

pub use crate::kernel::MAX_LANES;

/// What the lanes are fed.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A run of bytes per lane, which begins with whole blocks.
    Runs(&'a [&'a [u8]]),
    /// The words of one message, in turn.
    Interleaved(Interleaved<'a>),
}

/// What computes a compression function.
pub trait Engine<C: Compression>: Copy + Send + Sync + 'static {
    /// The kernels that it chooses among.
    fn kernels(&self) -> Kernels<C::Word>;

    /// The kernel for one stream.
    #[inline]
    fn single(&self) -> &'static Kernel<C::Word> {
        self.kernels().single()
    }

    /// How many lanes it pays to keep filled.
    #[inline]
    fn lanes(&self) -> usize {
        self.kernels().lanes()
    }

    /// Advances one stream by the whole blocks in `data`.
    #[inline]
    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]) {
        self.kernels().advance_one(state.as_mut(), data);
    }

    /// The name of the kernel that `live` lanes run on, for `--debug`.
    fn kernel_name(&self, live: usize) -> &'static str {
        self.kernels().name(live)
    }

    /// About how long one block in each of `live` lanes takes, in cycles: for whoever deals messages
    /// out to threads.
    fn step_cycles(&self, live: usize) -> u32 {
        self.kernels().step_cycles(live)
    }

    /// Advances the lanes `0..live` by `blocks` blocks of `input`, then by a block that they share
    /// unless `last` is empty.
    ///
    /// Interleaved rows may be of any width from `live` up; the data holds `blocks` blocks of the
    /// live lanes. The states of lanes that are not live may be overwritten.
    fn advance(
        &self,
        states: LaneStates<'_, C::Word>,
        input: Input<'_>,
        live: usize,
        blocks: usize,
        last: &[C::Word],
    ) {
        let kernels = self.kernels();
        match input {
            Input::Runs(runs) => kernels.messages(Messages {
                blocks,
                last,
                ..Messages::advance(states, &runs[..live])
            }),
            Input::Interleaved(rows) => {
                kernels.interleaved(InterleavedLanes { states, rows, live, blocks, last });
            }
        }
    }
}

/// A hasher that can also hash many messages at once.
///
/// This is the one type parameter of the batch functions: it names the hash function and the
/// engine that computes it.
pub trait MultiDigest:
    digest::Digest + digest::OutputSizeUser<OutputSize = <Self::Function as HashFunction>::OutputSize>
{
    /// The hash function.
    type Function: HashFunction;
    /// What computes it.
    type Engine: Engine<<Self::Function as HashFunction>::Compression>;

    /// The engine for this CPU.
    fn engine() -> Self::Engine;
}

/// The digest of `H`, as the engine's hash function returns it.
pub type OutputOf<H> = Output<<H as MultiDigest>::Function>;

/// `N` lanes at a time, of which [`max_lanes`](crate::hash::compression::max_lanes) is a multiple;
/// a single stream on one.
impl<C: Compression, const N: usize> Engine<C> for Portable<N> {
    fn kernels(&self) -> Kernels<C::Word> {
        portable::kernels::<C, N>()
    }
}
