//! The papers' cost model: compressions ("Updates") of a message, independent of the machine.

use jlanes_core::{compression::Compression, hash::HashFunction};

#[cfg(feature = "skein")]
pub mod skein;

/// Updates of one hash of `len` bytes, with blocks of `block` bytes (\[SMS\] and \[SH\], equation 1):
/// the padding is a byte and a length field of an eighth of a block.
///
/// ```
/// use jlanes_tree::cost_model::updates;
///
/// assert_eq!(updates(8192, 64), 129);
/// assert_eq!(updates(55, 64), 1);
/// assert_eq!(updates(56, 64), 2);
/// assert_eq!(updates(112, 128), 2);
/// ```
///
/// # Panics
/// If `block` is 0.
#[must_use]
pub const fn updates(len: u64, block: usize) -> u64 {
    let block = block as u64;
    len / block + 1 + (len % block + block / 8 >= block) as u64
}

/// [`HashSizes::slice`] with words of `word` bytes.
pub(crate) const fn slice_bytes(word: usize, len: u64, j: u64, lane: u64) -> u64 {
    let word = word as u64;
    let row = j * word;
    let rest = (len % row).saturating_sub(lane * word);
    len / row * word + if rest < word { rest } else { word }
}

/// The parameters of a hash function in the model of j-lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashSizes {
    /// Bytes of a word.
    pub word: usize,
    /// Bytes of a block.
    pub block: usize,
    /// Bytes of a digest.
    pub digest: usize,
}

impl HashSizes {
    /// The sizes of `F`.
    #[must_use]
    pub fn of<F: HashFunction>() -> Self {
        use digest::typenum::Unsigned;
        use jlanes_core::{hash::WordOf, simd::vector::Word};
        Self {
            word: WordOf::<F>::BYTES,
            block: F::Compression::BLOCK_BYTES,
            digest: F::OutputSize::USIZE,
        }
    }

    /// Bytes of slice `lane` of `len` bytes distributed over `j` lanes.
    #[must_use]
    pub const fn slice(&self, len: u64, j: u64, lane: u64) -> u64 {
        slice_bytes(self.word, len, j, lane)
    }

    /// Updates of raw j-lanes: of every slice, and of the wrapping step (\[JL\], Figures 1 and 2).
    ///
    /// ```
    /// use jlanes_tree::cost_model::HashSizes;
    ///
    /// let sha256 = HashSizes { word: 4, block: 64, digest: 32 };
    /// assert_eq!([4, 8, 16].map(|j| sha256.jlanes_raw(8192, j)), [135, 141, 153]);
    /// ```
    #[must_use]
    pub const fn jlanes_raw(&self, len: u64, j: u64) -> u64 {
        let mut sum = updates(j * self.digest as u64, self.block);
        let mut lane = 0;
        while lane < j {
            sum += updates(self.slice(len, j, lane), self.block);
            lane += 1;
        }
        sum
    }

    /// Updates of j-lanes, profile v1: one more for the leaves' prefix, with a chaining value that
    /// they share, and one for the root's.
    #[must_use]
    pub const fn jlanes(&self, len: u64, j: u64) -> u64 {
        self.jlanes_raw(len, j) + 2
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use digest::Digest;
    use jlanes_core::function::Function;

    use super::{HashSizes, updates};
    use crate::{
        counted::{Counting, Sha256, updates_of},
        jlanes::JLanesDyn,
    };

    /// Compressions of one hash of `len` bytes.
    fn linear(len: usize) -> u64 {
        let message = vec![0; len];
        let mut out = [0; 32];
        let function = Function::of::<jlanes_core::hashes::sha2::Sha256, _>(Counting);
        updates_of(|| function.digest_with(&[], |_| [&message[..]], &mut out))
    }

    /// Compressions of j-lanes, raw or v1.
    fn lanes(len: usize, j: usize, v1: bool) -> u64 {
        updates_of(|| {
            let hasher = JLanesDyn::<Sha256>::with_lanes(Counting, j, !v1);
            let hasher = hasher.expect("1..=256 lanes");
            let _ = hasher.chain_update(vec![0; len]).finalize();
        })
    }

    fn sha256() -> HashSizes {
        HashSizes::of::<jlanes_core::hashes::sha2::Sha256>()
    }

    #[test]
    fn eight_kibibytes_take_the_paper_s_numbers() {
        assert_eq!((linear(8192), updates(8192, 64)), (129, 129));
        for (j, expected) in [(4, 135), (8, 141), (16, 153)] {
            assert_eq!(lanes(8192, j, false), expected);
            assert_eq!(sha256().jlanes_raw(8192, j as u64), expected);
        }
    }

    #[test]
    fn four_lanes_take_the_paper_s_formula() {
        for x in 1..65 {
            let len = 256 * x;
            let formula = 4 * (x as u64 + 1) + 3;
            assert_eq!(lanes(len, 4, false), formula);
            assert_eq!(sha256().jlanes_raw(len as u64, 4), formula);
        }
    }

    #[test]
    fn linear_counts_agree() {
        for len in 0..300 {
            assert_eq!(linear(len), updates(len as u64, 64), "{len} bytes");
        }
    }

    #[test]
    fn lane_counts_agree() {
        for j in [1, 2, 5, 16, 17] {
            // with slices of equal length, no lane runs idle
            for len in (0..200 * j).step_by(4 * j) {
                let (raw, v1) = (lanes(len, j, false), lanes(len, j, true));
                assert_eq!(raw, sha256().jlanes_raw(len as u64, j as u64), "j = {j}, {len} bytes");
                assert_eq!(v1, sha256().jlanes(len as u64, j as u64), "j = {j}, {len} bytes");
            }
        }
    }

    #[test]
    fn slices_add_up() {
        for j in [1, 3, 16] {
            for len in 0..500 {
                let sum: u64 = (0..j).map(|lane| sha256().slice(len, j, lane)).sum();
                assert_eq!(sum, len);
            }
        }
    }
}
