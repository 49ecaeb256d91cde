//! j-lanes over any hash (\[JL\], Definition 2): one hasher per lane, without kernels.

use alloc::{vec, vec::Vec};
use core::fmt;

use digest::{
    CollisionResistance, Digest, FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser,
    Reset, Update,
    block_api::{AlgorithmName, BlockSizeUser},
    typenum::Unsigned,
};

use super::MAX_J;
use crate::{
    TreeError,
    profile::{JLANES, PREFIX_BYTES, Prefix},
};

/// j-lanes hasher over any `D`, domain-separated (profile v1).
///
/// Its [`Default`], which [`Digest`] requires, has 16 lanes and words of 8 bytes.
///
/// ```
/// use jlanes_tree::jlanes::GenericJLanes;
/// use sha2::{Digest, Sha512};
///
/// let mut hasher = GenericJLanes::<Sha512>::new(4, 8)?;
/// hasher.update(b"any message");
/// let digest = hasher.finalize();
/// # Ok::<(), jlanes_tree::TreeError>(())
/// ```
pub type GenericJLanes<D> = GenericLaneTree<D, false>;
/// j-lanes hasher over any `D`, as in the paper; see its [soundness](crate::soundness).
pub type GenericJLanesRaw<D> = GenericLaneTree<D, true>;

/// The common implementation of [`GenericJLanes`] and [`GenericJLanesRaw`].
#[derive(Clone)]
pub struct GenericLaneTree<D, const RAW: bool> {
    lanes: Vec<D>,
    word: usize,
    /// Bytes of the message so far.
    total: u64,
}

/// Bytes of a slice that are buffered before they are hashed.
const BUFFERED_BYTES: usize = 1024;

impl<D: Digest + BlockSizeUser, const RAW: bool> GenericLaneTree<D, RAW> {
    /// A hasher with `j` lanes that take turns at words of `word_bytes` bytes.
    ///
    /// # Errors
    /// Unless `j` is in 1..=256, a word is between one byte and a block, and a block is at least 32
    /// bytes, which a prefix needs.
    pub fn new(j: usize, word_bytes: usize) -> Result<Self, TreeError> {
        let block = D::BlockSize::USIZE;
        if !(1..=MAX_J).contains(&j) {
            return Err(TreeError::Lanes(j));
        }
        if block < PREFIX_BYTES {
            return Err(TreeError::Block(block));
        }
        if !(1..=block).contains(&word_bytes) {
            return Err(TreeError::Word(word_bytes));
        }
        let mut tree = Self { lanes: Vec::new(), word: word_bytes, total: 0 };
        tree.start(j);
        Ok(tree)
    }

    /// Resets to `j` lanes.
    fn start(&mut self, j: usize) {
        self.total = 0;
        self.lanes.clear();
        for _ in 0..j {
            let mut lane = D::new();
            self.absorb_prefix(&mut lane, JLANES.leaf(j as u32, self.word));
            self.lanes.push(lane);
        }
    }

    /// Prepends the block that identifies `node`, if the profile has prefixes.
    fn absorb_prefix(&self, node: &mut D, prefix: Prefix) {
        if !RAW {
            Digest::update(node, prefix.bytes());
            Digest::update(node, vec![0; D::BlockSize::USIZE - PREFIX_BYTES]);
        }
    }

    /// Hashes the lanes' digests and resets.
    fn finish(&mut self) -> Output<D> {
        let j = self.lanes.len();
        let mut root = D::new();
        self.absorb_prefix(&mut root, JLANES.root(j as u32, self.word, self.total));
        for lane in self.lanes.drain(..) {
            Digest::update(&mut root, lane.finalize());
        }
        self.start(j);
        root.finalize()
    }

    /// Absorbs `data` word by word; `rows` absorbs the whole rows of words in it.
    fn update_with(&mut self, mut data: &[u8], rows: impl FnOnce(&mut [D], usize, &[u8])) {
        let row = self.lanes.len() * self.word;
        let to_row = (row - (self.total % row as u64) as usize) % row;
        data = self.absorb_words(data, to_row);
        let (whole, rest) = data.split_at(data.len() / row * row);
        if !whole.is_empty() {
            rows(&mut self.lanes, self.word, whole);
            self.total += whole.len() as u64;
        }
        self.absorb_words(rest, row);
    }

    /// Passes up to `limit` bytes to their lanes, and returns the rest.
    fn absorb_words<'a>(&mut self, data: &'a [u8], limit: usize) -> &'a [u8] {
        let (mut within, rest) = data.split_at(limit.min(data.len()));
        while !within.is_empty() {
            let at = (self.total % (self.lanes.len() * self.word) as u64) as usize;
            let (word, next) = within.split_at(within.len().min(self.word - at % self.word));
            Digest::update(&mut self.lanes[at / self.word], word);
            self.total += word.len() as u64;
            within = next;
        }
        rest
    }
}

/// Passes the words of lane `l` of `lanes` from `rows`, a whole number of rows.
fn absorb_lane_words<D: Digest>(lane: &mut D, l: usize, lanes: usize, word: usize, rows: &[u8]) {
    let mut buffer = [0; BUFFERED_BYTES];
    let mut len = 0;
    for row in rows.chunks_exact(lanes * word) {
        if len + word > BUFFERED_BYTES {
            lane.update(&buffer[..len]);
            len = 0;
        }
        buffer[len..][..word].copy_from_slice(&row[l * word..][..word]);
        len += word;
    }
    lane.update(&buffer[..len]);
}

impl<D: Digest + BlockSizeUser, const RAW: bool> Update for GenericLaneTree<D, RAW> {
    fn update(&mut self, data: &[u8]) {
        self.update_with(data, |lanes, word, rows| {
            let j = lanes.len();
            for (l, lane) in lanes.iter_mut().enumerate() {
                absorb_lane_words(lane, l, j, word, rows);
            }
        });
    }
}

/// Lanes as tasks, one for each.
#[cfg(feature = "rayon")]
impl<D, const RAW: bool> crate::ParUpdate for GenericLaneTree<D, RAW>
where
    D: Digest + BlockSizeUser + Send,
{
    fn par_update(&mut self, data: &[u8]) {
        use crate::join::{Join, MIN_SPLIT_BYTES};
        if data.len() < MIN_SPLIT_BYTES {
            return Update::update(self, data);
        }
        self.update_with(data, |lanes, word, rows| {
            let j = lanes.len();
            Join::Rayon.for_each_part(lanes, |l, lane| absorb_lane_words(lane, l, j, word, rows));
        });
    }
}

impl<D: Digest + BlockSizeUser, const RAW: bool> Default for GenericLaneTree<D, RAW> {
    /// # Panics
    /// If `D`'s block is shorter than 32 bytes.
    fn default() -> Self {
        Self::new(16, 8).expect("a block of 32 bytes or more")
    }
}

impl<D: Digest + BlockSizeUser, const RAW: bool> Reset for GenericLaneTree<D, RAW> {
    fn reset(&mut self) {
        self.start(self.lanes.len());
    }
}

impl<D: OutputSizeUser, const RAW: bool> OutputSizeUser for GenericLaneTree<D, RAW> {
    type OutputSize = D::OutputSize;
}

impl<D: Digest + BlockSizeUser, const RAW: bool> FixedOutput for GenericLaneTree<D, RAW> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        *out = self.finish();
    }
}

impl<D: Digest + BlockSizeUser, const RAW: bool> FixedOutputReset for GenericLaneTree<D, RAW> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        *out = self.finish();
    }
}

impl<D, const RAW: bool> HashMarker for GenericLaneTree<D, RAW> {}

/// The hash's own block.
impl<D: BlockSizeUser, const RAW: bool> BlockSizeUser for GenericLaneTree<D, RAW> {
    type BlockSize = D::BlockSize;
}

impl<D: CollisionResistance, const RAW: bool> CollisionResistance for GenericLaneTree<D, RAW> {
    type CollisionResistance = D::CollisionResistance;
}

impl<D: AlgorithmName, const RAW: bool> AlgorithmName for GenericLaneTree<D, RAW> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if RAW { "GenericJLanesRaw<" } else { "GenericJLanes<" })?;
        D::write_alg_name(f)?;
        f.write_str(">")
    }
}

impl<D, const RAW: bool> fmt::Debug for GenericLaneTree<D, RAW> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GenericLaneTree({} lanes) {{ ... }}", self.lanes.len())
    }
}

/// Every lane wipes itself.
#[cfg(feature = "zeroize")]
impl<D: digest::zeroize::ZeroizeOnDrop, const RAW: bool> digest::zeroize::ZeroizeOnDrop
    for GenericLaneTree<D, RAW>
{
}
