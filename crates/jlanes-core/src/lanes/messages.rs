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
        kernels.each(input, count, groups, |kernel, first, end| match &kernel.run {
            KernelFn::Vectors(vectors) => {
                OnVectors { shape, kernel, vectors }.run(work, (first, end));
            }
            KernelFn::Streams(streams) => {
                streams::run(shape, streams, work, first, end);
                if let (Some((block, start)), Some((out, size))) = (work.again, &mut work.digests) {
                    let digests = &mut out[first * *size..end * *size];
                    kernels.rehash_digests(block, start, digests, *size);
                }
            }
        });
    }
}
