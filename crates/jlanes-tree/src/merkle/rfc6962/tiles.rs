//! [`TiledLog`], a log as the files of its static form: tiles of 256 digests (C2SP's tlog-tiles, Go's
//! checksum database).
//!
//! A tile at level 0 has the digests of 256 leaves. A tile at level `n + 1` has the digests over 256
//! whole tiles at level `n`, which are the tree's nodes at height `8 * (n + 1)`.

use alloc::{boxed::Box, collections::BTreeMap, format, string::String, vec, vec::Vec};
use core::{fmt, ops::Range};

use jlanes_core::function::{AnyFunction, Batch, DigestOnKernels};
use jlanes_simd::Backend;

use super::{
    LEAF_PREFIX, LogProof, NODE_PREFIX,
    proof::LogHash,
    subtree::{check_subtree, full_nodes},
};
use crate::{
    merkle::{Error, Frame, NodeFunction, hash},
    pairs::level_above,
};

/// Digests in a whole tile.
const WIDTH: usize = 256;
/// Levels of the tree in a level of tiles.
const HEIGHT: u32 = WIDTH.ilog2();

/// The place of a tile in a log. Its [`Display`](fmt::Display) is the path of tlog-tiles:
/// `tile/0/x001/234`, or `tile/0/x001/234.p/5` if it has only 5 digests yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Tile {
    /// The level, from 0 at the leaves.
    pub level: u8,
    /// The position in the level.
    pub index: u64,
    /// The number of digests, from 1 to 256.
    pub width: u16,
}

impl Tile {
    /// The path in Go's checksum database, which has the height of a tile before the level:
    /// `tile/8/0/x001/234`.
    #[must_use]
    pub fn sumdb_path(&self) -> String {
        format!("tile/8/{}", self.relative_path())
    }

    /// The entries below the tile, a subtree. `None` if their places exceed 64 bits.
    #[must_use]
    pub fn entries(&self) -> Option<Range<u64>> {
        let under = 1_u64.checked_shl(HEIGHT * u32::from(self.level))?;
        let first = self.index.checked_mul(WIDTH as u64)?;
        let end = first.checked_add(self.width.into())?;
        Some(first.checked_mul(under)?..end.checked_mul(under)?)
    }

    /// The hash of the subtree of [`entries`](Self::entries), from the tile's bytes.
    ///
    /// # Errors
    /// [`Error::Partial`] for a wrong number of bytes.
    pub fn hash<H: DigestOnKernels>(&self, bytes: &[u8]) -> Result<Box<[u8]>, Error> {
        let function = LogHash::of::<H>().0;
        self.check(bytes, function.output_size())?;
        Ok(root(&function, bytes).into())
    }

    /// Checks the number of bytes.
    fn check(&self, bytes: &[u8], digest: usize) -> Result<(), Error> {
        let block = usize::from(self.width) * digest;
        let partial = Error::Partial { len: bytes.len() as u64, block };
        if bytes.len() == block { Ok(()) } else { Err(partial) }
    }

    /// The tile with the digests below node `index` at `height`, in a log of `leaves` entries.
    fn containing(height: u32, index: u64, leaves: u64) -> Self {
        let level = height / HEIGHT;
        let index = (index << (height % HEIGHT)) / WIDTH as u64;
        let width = ((leaves >> (HEIGHT * level)) - index * WIDTH as u64).min(WIDTH as u64) as u16;
        Self { level: level as u8, index, width }
    }

    /// The path below `tile/`.
    fn relative_path(&self) -> String {
        let mut path = format!("{:03}", self.index % 1000);
        let mut rest = self.index / 1000;
        while rest > 0 {
            path = format!("x{:03}/{path}", rest % 1000);
            rest /= 1000;
        }
        let partial = if usize::from(self.width) < WIDTH {
            format!(".p/{}", self.width)
        } else {
            String::new()
        };
        format!("{}/{path}{partial}", self.level)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile/{}", self.relative_path())
    }
}

/// A log that writes its tiles as it grows.
///
/// It keeps less than a tile for each level: a whole tile is never needed again to append entries.
/// Servers of proofs read the tiles.
#[derive(Clone, Debug)]
pub struct TiledLog {
    function: NodeFunction,
    backend: Backend,
    /// The digests behind the last whole tile of each level.
    levels: Vec<Vec<u8>>,
    leaves: u64,
}

impl TiledLog {
    /// An empty log under `H`.
    #[must_use]
    pub fn new<H: DigestOnKernels<Backend = Backend>>() -> Self {
        let (function, backend) = (NodeFunction::of::<H>(), Backend::detect());
        Self { function, backend, levels: Vec::new(), leaves: 0 }
    }

    /// The same log on another backend.
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// The log of `leaves` entries, from its partial tiles: `read` is called with the place of each.
    ///
    /// # Errors
    /// Those of `read`, and [`Error::Partial`] for a tile with the wrong number of bytes.
    pub fn resume<X: From<Error>>(
        self,
        leaves: u64,
        mut read: impl FnMut(Tile) -> Result<Vec<u8>, X>,
    ) -> Result<Self, X> {
        let mut levels = Vec::new();
        for tile in partial_tiles(leaves) {
            let bytes = read(tile)?;
            tile.check(&bytes, self.function.output_size())?;
            levels.resize(usize::from(tile.level), Vec::new());
            levels.push(bytes);
        }
        Ok(Self { levels, leaves, ..self })
    }

    /// The number of entries.
    #[must_use]
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// Appends entries and returns the tiles that are whole now, those of a level in order.
    pub fn extend(&mut self, entries: &[&[u8]]) -> Vec<(Tile, Vec<u8>)> {
        let tile_bytes = WIDTH * self.function.output_size();
        let mut digests = vec![0; entries.len() * self.function.output_size()];
        let (leaf, function) = (Frame::prefix([LEAF_PREFIX]), self.function.on(self.backend));
        leaf.hash(&function, &Batch::slices(entries), &mut digests);
        let first = self.leaves;
        self.leaves += entries.len() as u64;
        let (mut tiles, mut level) = (Vec::new(), 0);
        let mut index = first / WIDTH as u64;
        while !digests.is_empty() {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let pending = &mut self.levels[level];
            pending.append(&mut digests);
            let rest = pending.split_off(pending.len() / tile_bytes * tile_bytes);
            let whole = core::mem::replace(pending, rest);
            for (index, tile) in (index..).zip(whole.chunks(tile_bytes)) {
                let place = Tile { level: level as u8, index, width: WIDTH as u16 };
                tiles.push((place, tile.to_vec()));
            }
            digests = whole;
            let function = self.function.on(self.backend);
            for _ in 0..HEIGHT {
                digests = nodes(&function, &digests);
            }
            (level, index) = (level + 1, index / WIDTH as u64);
        }
        tiles
    }

    /// The tiles that are not whole, one at most for each level. Publish them with the root of this
    /// number of entries.
    #[must_use]
    pub fn partial(&self) -> Vec<(Tile, Vec<u8>)> {
        let bytes = |tile: &Tile| self.levels[usize::from(tile.level)].clone();
        partial_tiles(self.leaves).map(|tile| (tile, bytes(&tile))).collect()
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> Box<[u8]> {
        let function = self.function.on(self.backend);
        let mut right = Vec::new();
        for pending in &self.levels {
            // the subtree below that is not whole goes up as it is
            right = root(&function, &[pending, &*right].concat());
        }
        if right.is_empty() { hash(&function, [&[]]) } else { right.into() }
    }
}

impl LogProof {
    /// The tiles of a log of `leaves` entries that have all of the proof's hashes, or what they are computed of.
    ///
    /// # Errors
    /// [`Error::NoSuchLeaf`] if the log is too short for the proof.
    pub fn tiles(&self, leaves: u64) -> Result<Vec<Tile>, Error> {
        let mut tiles = Vec::new();
        for subtree in self.subtrees() {
            check_subtree(subtree, leaves)?;
            let nodes = full_nodes(subtree.clone());
            tiles.extend(nodes.map(|(height, index)| Tile::containing(height, index, leaves)));
        }
        tiles.sort_unstable();
        tiles.dedup();
        Ok(tiles)
    }

    /// The hashes of the proof, from the tiles of a log of `leaves` entries: `read` is called once with the
    /// place of each.
    ///
    /// # Errors
    /// Those of `read` and of [`tiles`](Self::tiles), and [`Error::Partial`] for a tile with the wrong number of
    /// bytes.
    pub fn read<H: DigestOnKernels, X: From<Error>>(
        &self,
        leaves: u64,
        mut read: impl FnMut(Tile) -> Result<Vec<u8>, X>,
    ) -> Result<Vec<Box<[u8]>>, X> {
        let nodes = LogHash::of::<H>();
        let size = nodes.0.output_size();
        let mut tiles = BTreeMap::new();
        for tile in self.tiles(leaves)? {
            let bytes = read(tile)?;
            tile.check(&bytes, size)?;
            tiles.insert(tile, bytes);
        }
        let node = |(height, index)| {
            let (tile, under) = (Tile::containing(height, index, leaves), 1 << (height % HEIGHT));
            let first = index as usize % (WIDTH / under) * under;
            root(&nodes.0, &tiles[&tile][first * size..][..under * size])
        };
        let hash = |subtree: &Range<u64>| Ok(nodes.combine(full_nodes(subtree.clone()).map(node))?);
        self.subtrees().iter().map(hash).collect()
    }
}

/// The root over digests.
fn root(function: &AnyFunction, digests: &[u8]) -> Vec<u8> {
    let mut digests = digests.to_vec();
    while digests.len() > function.output_size() {
        digests = nodes(function, &digests);
    }
    digests
}

/// The nodes over digests, one level higher.
fn nodes(function: &AnyFunction, digests: &[u8]) -> Vec<u8> {
    let size = 2 * function.output_size();
    level_above(digests, size, |pairs, nodes| {
        let pairs = Batch::records(pairs.len() / size, pairs, size);
        Frame::prefix([NODE_PREFIX]).hash(function, &pairs, nodes);
    })
}

/// The places of the tiles of a log that are not whole.
fn partial_tiles(leaves: u64) -> impl Iterator<Item = Tile> {
    (0..8).filter_map(move |level| {
        let digests = leaves >> (HEIGHT * u32::from(level));
        let width = (digests % WIDTH as u64) as u16;
        (width > 0).then_some(Tile { level, index: digests / WIDTH as u64, width })
    })
}
