//! One stream by the block functions of RustCrypto's crates `sha1` and `sha2`, where this crate has none that
//! is faster: on targets without kernels, and for SHA-1 and SHA-256 on WebAssembly.
//!
//! Those crates support SHA instructions of targets that jlanes does not, such as 32-bit x86, so
//! switching to jlanes costs nothing there. x86-64, AArch64 with NEON and portable builds do not depend on
//! them; only the tests compile this module there.

use jlanes_core::{
    compression::{Compression, RunByteOrder, Shape},
    hashes::{sha1::Sha1Compression, sha2::Sha2},
    kernel::{Kernel, stream::advance_shared},
};

use crate::common::{
    kernels::{single::in_message_order, streams},
    needs::Needs,
    token::Token,
};

/// The token of RustCrypto's block functions, which detect instructions themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RustCrypto;

impl Token for RustCrypto {
    const NAME: &'static str = "foreign";
    const SETS: Needs = Needs::set(7);

    fn detected() -> Option<Self> {
        Some(Self)
    }
}

/// A compression function that another crate computes.
pub(crate) trait RustCryptoBlocks: Compression {
    /// Advances one stream by the whole blocks in `data`.
    fn advance(state: &mut [Self::Word], data: &[u8]);
}

#[cfg(any(feature = "sha1", test))]
impl RustCryptoBlocks for Sha1Compression {
    fn advance(state: &mut [u32], data: &[u8]) {
        sha1::block_api::compress(whole(state), data.as_chunks().0);
    }
}

#[cfg(any(feature = "sha2", test))]
impl RustCryptoBlocks for Sha2<u32> {
    fn advance(state: &mut [u32], data: &[u8]) {
        sha2::block_api::compress256(whole(state), data.as_chunks().0);
    }
}

#[cfg(any(feature = "sha2", test))]
impl RustCryptoBlocks for Sha2<u64> {
    fn advance(state: &mut [u64], data: &[u8]) {
        sha2::block_api::compress512(whole(state), data.as_chunks().0);
    }
}

/// The whole state as an array.
fn whole<W, const N: usize>(state: &mut [W]) -> &mut [W; N] {
    state.try_into().expect("a state has so many words")
}

/// The kernel of one stream by a block function of RustCrypto's.
pub(crate) const fn kernel<C: RustCryptoBlocks>() -> Kernel<C::Word> {
    streams::<RustCrypto, 1, _>(advance::<C>)
}

fn advance<C: RustCryptoBlocks>(
    shape: &Shape<C::Word>,
    state: &mut [C::Word],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[C::Word],
) {
    in_message_order(shape, runs[0], order, blocks, |data| C::advance(state, data));
    advance_shared::<C>(shape, state, shared);
}

#[cfg(test)]
mod tests {
    use jlanes_core::{
        compression::AdvanceStreamsFn,
        kernel::{KernelCode, portable},
        simd::{
            vector::{Array, Word},
            words::read_words,
        },
    };
    use jlanes_testing::message;

    use super::*;

    const BLOCKS: usize = 5;

    /// The function of a kernel of one stream.
    fn advance_of<W>(kernel: Kernel<W>) -> AdvanceStreamsFn<W> {
        let KernelCode::Streams(streams) = kernel.code else { panic!("one stream") };
        streams.advance
    }

    fn agree<C: RustCryptoBlocks>() {
        let shape = Shape::of::<C>();
        let [ours, portable] = [kernel::<C>(), portable::kernel::<C>()].map(advance_of);
        let text = message(2, (BLOCKS + 1) * C::BLOCK_BYTES);
        let mut start = C::State::splat(C::Word::default());
        read_words(shape.order, &message(1, start.as_ref().len() * C::Word::BYTES), start.as_mut());
        let mut block = std::vec![C::Word::default(); shape.block_words];
        read_words(shape.order, &text, &mut block);
        let (share, words) = shape.share;
        let mut shared = std::vec![C::Word::default(); words];
        share(&block, &mut shared);
        for order in [RunByteOrder::Message, RunByteOrder::Native] {
            for blocks in 0..=BLOCKS {
                for shared in [&[][..], &shared] {
                    // a run may have more blocks
                    let states = [ours, portable].map(|advance| {
                        let mut state = start;
                        advance(&shape, state.as_mut(), &[&text], order, blocks, shared);
                        state.as_ref().to_vec()
                    });
                    assert_eq!(states[0], states[1], "{blocks} blocks, {order:?}");
                }
            }
        }
    }

    #[test]
    fn sha1_agrees() {
        agree::<Sha1Compression>();
    }

    #[test]
    fn sha256_agrees() {
        agree::<Sha2<u32>>();
    }

    #[test]
    fn sha512_agrees() {
        agree::<Sha2<u64>>();
    }
}
