//! Messages in lanes, from any block to any later block, or to the digest.

use crate::{
    kernel::{KernelFn, Kernels, plan::Input},
    simd::vector::Word,
};

mod ends;
mod feeding;
mod streams;
pub(super) mod vectors;
pub(super) mod work;

use vectors::OnVectors;
pub use work::Messages;

/// The number of blocks from which many streams pay, unless the messages are whole blocks from a
/// start to digests: padded ends are copied one by one, and states go through memory.
const LONG: usize = 8;

impl<W: Word> Messages<'_, W> {
    /// Performs the work for all messages.
    #[inline(never)]
    pub(crate) fn run(mut self, kernels: &Kernels<W>) {
        let (work, shape) = (&mut self, kernels.shape);
        let input =
            if work.blocks < LONG && !work.is_whole() { Input::Short } else { Input::Apart };
        let groups = work.digests.is_some();
        let count = work.messages.len();
        kernels.each(input, count, groups, |kernel, lanes| match &kernel.run {
            KernelFn::Vectors(vectors) => {
                OnVectors { shape, kernel, vectors }.run(work, lanes);
            }
            KernelFn::Streams(streams) => {
                streams::run(shape, streams, work, lanes);
                if let (Some((block, start)), Some(digests)) = (work.again, &mut work.digests) {
                    kernels.rehash_digests(block, start, digests.of(lanes));
                }
            }
        });
    }
}
