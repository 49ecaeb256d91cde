//! Messages in lanes, from any block to any later block, or to the digest.
//!
//! [`LaneWork`] is the blocks by which lanes advance. A [`Route`] is one of four, because lanes start at their own
//! states or at one start, and end in states or in digests.

use crate::{
    kernel::{KernelCode, Kernels, plan::InputKind},
    simd::vector::Word,
};

mod ends;
mod feeding;
mod route;
mod streams;
pub(super) mod vectors;
pub(super) mod work;

pub use route::{FullHash, Numbering, Route};
use vectors::VectorRunner;
pub use work::{LaneWork, MessageEnd};

/// The number of blocks from which many streams pay, unless the messages are whole blocks from a
/// start to digests: padded ends are copied one by one, and states go through memory.
const LONG_BLOCKS: usize = 8;

impl<W: Word> LaneWork<'_, W> {
    /// Advances the lanes by the blocks of their messages.
    #[inline(never)]
    pub(crate) fn run(self, mut route: Route<'_, W>, kernels: &Kernels<W>) {
        let (route, shape) = (&mut route, kernels.shape);
        let short = self.blocks < LONG_BLOCKS && !route.is_one_pass(&self);
        let input = if short { InputKind::Short } else { InputKind::Contiguous };
        let (count, several) = (self.messages.len(), route.ends_in_digests());
        kernels.for_each_kernel(input, count, several, |kernel, lanes| match &kernel.code {
            KernelCode::Vectors(vectors) => {
                VectorRunner { shape, kernel, vectors }.run(&self, route, lanes);
            }
            KernelCode::Streams(streams) => {
                streams::run(shape, streams, &self, route, lanes);
                if let Route::StartToDigests(hash) = route
                    && let Some(outer) = hash.outer
                {
                    kernels.rehash_digests(outer, hash.digests.of_lanes(lanes));
                }
            }
        });
    }
}
