//! Jobs in lanes: messages, interleaved words, and repeated hashing of digests.
//!
//! A job sees a hash as a descriptor and instruction sets as their [kernels](crate::kernel), so
//! each function here is compiled twice: for 32-bit words and for 64-bit words. [`HasKernels`] is where
//! types get their kernels.

use crate::{
    compression::Compression,
    kernel::{Kernel, Kernels, portable},
    simd::portable::Portable,
};

pub mod interleaved;
pub mod messages;
pub mod outputs;
pub mod rehash;

/// Computes a compression function.
pub trait HasKernels<C: Compression>: Copy + Send + Sync + 'static {
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
}

/// `N` lanes at a time, a divisor of [`max_lanes`](crate::compression::max_lanes); a single
/// stream on one.
impl<C: Compression, const N: usize> HasKernels<C> for Portable<N> {
    fn kernels(&self) -> Kernels<C::Word> {
        portable::kernels::<C, N>()
    }
}
