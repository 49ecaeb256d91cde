//! Jobs in lanes: messages, interleaved words, and repeated hashing of digests.
//!
//! A job sees a hash as a descriptor and instruction sets as their [kernels](crate::kernel), so
//! each function here is compiled twice: for 32-bit words and for 64-bit words. [`Engine`] and
//! [`MultiDigest`] are the typed interface.

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

/// The input of the lanes.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A run of bytes per lane, starting with whole blocks.
    Runs(&'a [&'a [u8]]),
    /// The words of one message, round-robin.
    Interleaved(Interleaved<'a>),
}

/// Computes a compression function.
pub trait Engine<C: Compression>: Copy + Send + Sync + 'static {
    /// The kernels to choose from.
    fn kernels(&self) -> Kernels<C::Word>;

    /// The kernel for one stream.
    #[inline]
    fn single(&self) -> &'static Kernel<C::Word> {
        self.kernels().single()
    }

    /// The number of lanes that are worth keeping filled.
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

    /// The approximate time of one block in each of `live` lanes, in cycles; used to distribute
    /// messages over threads.
    fn step_cycles(&self, live: usize) -> u32 {
        self.kernels().step_cycles(live)
    }

    /// Advances the lanes `0..live` by `blocks` blocks of `input`, then by a shared block unless
    /// `last` is empty.
    ///
    /// Interleaved rows may be wider than `live`; the data holds `blocks` blocks of the live lanes.
    /// The states of other lanes may be overwritten.
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
/// It is the only type parameter of the batch functions: it determines the hash function and the
/// engine.
pub trait MultiDigest:
    digest::Digest + digest::OutputSizeUser<OutputSize = <Self::Function as HashFunction>::OutputSize>
{
    /// The hash function.
    type Function: HashFunction;
    /// The engine that computes it.
    type Engine: Engine<<Self::Function as HashFunction>::Compression>;

    /// The engine for this CPU.
    fn engine() -> Self::Engine;
}

/// The digest of `H`, as the engine's hash function returns it.
pub type OutputOf<H> = Output<<H as MultiDigest>::Function>;

/// `N` lanes at a time, a divisor of [`max_lanes`](crate::hash::compression::max_lanes); a single
/// stream on one.
impl<C: Compression, const N: usize> Engine<C> for Portable<N> {
    fn kernels(&self) -> Kernels<C::Word> {
        portable::kernels::<C, N>()
    }
}
