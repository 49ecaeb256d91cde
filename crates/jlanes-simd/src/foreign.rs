//! One stream by the block functions of RustCrypto's crates `sha1` and `sha2`: what the linear path
//! runs on where this crate has no kernels.
//!
//! Those crates know SHA instructions of targets that jlanes does not, such as AArch64's, so nobody
//! loses by switching. On x86-64 they are no dependency; only the tests compile this module there.

use jlanes_core::{
    engine::{Input, advance_on, one_on},
    hash::compression::{Columns, Compression},
    hashes::{sha1::Sha1Compression, sha2::Sha2, skein::threefish::Threefish},
    simd::portable::Portable,
};

/// A compression function that another crate may compute.
pub(crate) trait Foreign: Compression {
    /// Advances one stream by the whole blocks in `data`.
    fn advance(state: &mut Self::State<Self::Word>, data: &[u8]);
}

impl Foreign for Sha1Compression {
    fn advance(state: &mut [u32; 5], data: &[u8]) {
        sha1::block_api::compress(state, data.as_chunks().0);
    }
}

impl Foreign for Sha2<u32> {
    fn advance(state: &mut [u32; 8], data: &[u8]) {
        sha2::block_api::compress256(state, data.as_chunks().0);
    }
}

impl Foreign for Sha2<u64> {
    fn advance(state: &mut [u64; 8], data: &[u8]) {
        sha2::block_api::compress512(state, data.as_chunks().0);
    }
}

/// RustCrypto's crate `skein` is plain Rust and has no block function to call.
impl<const W: usize> Foreign for Threefish<W>
where
    Self: Compression,
{
    fn advance(state: &mut Self::State<Self::Word>, data: &[u8]) {
        one_on::<_, Self>(Portable::<1>, state, data);
    }
}

/// [`Engine::advance`](jlanes_core::engine::Engine::advance), one lane after the other. Interleaved
/// lanes and shared last blocks, which are no bytes in a row, are left to portable code.
pub(crate) fn advance_each<C: Foreign>(
    mut states: Columns<'_, C::Word>,
    input: Input<'_>,
    live: usize,
    blocks: usize,
    last: &[C::Word],
) {
    for lane in 0..live {
        let Input::Pointers(runs) = input else {
            advance_on::<_, C>(Portable::<1>, states.reborrow(), input, lane, blocks, last);
            continue;
        };
        let mut state: C::State<C::Word> = states.get(lane);
        C::advance(&mut state, &runs[lane][..blocks * C::BLOCK]);
        states.set(lane, &state);
        if !last.is_empty() {
            advance_on::<_, C>(Portable::<1>, states.reborrow(), Input::NONE, lane, 0, last);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{vec, vec::Vec};

    use jlanes_core::{
        engine::{Engine, MAX_LANES},
        hash::compression::block_words,
        simd::{
            lanes::{Array, Word},
            layout::Interleaved,
        },
    };
    use jlanes_testing::message;

    use super::*;

    const BLOCKS: usize = 5;

    /// Both sides' states, the same random ones.
    fn states<C: Compression>() -> [Vec<C::Word>; 2] {
        let bytes = message(1, C::State::<C::Word>::LEN * MAX_LANES * C::Word::BYTES);
        let words: Vec<_> = bytes.chunks(C::Word::BYTES).map(C::Word::from_le).collect();
        [words.clone(), words]
    }

    fn agree<C: Foreign>() {
        let text = message(2, BLOCKS * C::BLOCK * MAX_LANES);
        let runs: Vec<&[u8]> = text.chunks(BLOCKS * C::BLOCK).collect();
        let mut schedule = vec![C::Word::default(); C::SCHEDULE];
        C::expand(&block_words::<C>(&text), &mut schedule);
        let rows = Interleaved { data: &text, lanes: MAX_LANES };
        for input in [Input::Pointers(&runs), Input::Interleaved(rows)] {
            for live in [0, 1, 3, MAX_LANES] {
                for (blocks, last) in [(BLOCKS, &[][..]), (1, &schedule), (0, &schedule)] {
                    let [mut foreign, mut own] = states::<C>();
                    let columns = Columns::new(&mut foreign, MAX_LANES);
                    advance_each::<C>(columns, input, live, blocks, last);
                    let columns = Columns::new(&mut own, MAX_LANES);
                    Engine::<C>::advance(&Portable::<1>, columns, input, live, blocks, last);
                    assert_eq!(foreign, own, "{live} lanes, {blocks} blocks");
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

    #[test]
    fn threefish_agrees() {
        agree::<Threefish<4>>();
        agree::<Threefish<8>>();
        agree::<Threefish<16>>();
    }
}
