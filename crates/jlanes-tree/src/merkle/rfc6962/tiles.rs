//! A log as the files of its static form: tiles of 256 digests (C2SP's tlog-tiles, Go's checksum
//! database).
//!
//! A tile at level 0 has the digests of 256 leaves. A tile at level `n + 1` has the digests over 256
//! whole tiles at level `n`, which are the tree's nodes at height `8 * (n + 1)`.

use alloc::{format, string::String, vec, vec::Vec};
use core::fmt;

use digest::array::Array;
use jlanes_core::{
    batch::{MessageSource, MultiDigest, Start, function::AnyFunction},
    engine::Engine,
    hash::{HashFunction, Output},
};

use super::{LEAF, NODE};
use crate::{
    linear::Linear,
    merkle::{Error, Frame, NodeHash, digest_bytes},
};

/// Digests in a whole tile.
const WIDTH: usize = 256;

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
        format!("tile/8/{}", self.below())
    }

    /// The path below `tile/`.
    fn below(&self) -> String {
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
        write!(f, "tile/{}", self.below())
    }
}

/// A log that writes its tiles as it grows.
///
/// It keeps less than a tile for each level: a whole tile is never needed again to append entries.
/// Servers of proofs read the tiles.
#[derive(Clone, Debug)]
pub struct TiledLog<H: MultiDigest<Function: NodeHash>, E = <H as MultiDigest>::Engine> {
    engine: E,
    /// The digests behind the last whole tile of each level.
    levels: Vec<Vec<Output<H::Function>>>,
    leaves: u64,
}

impl<H: MultiDigest<Function: NodeHash>> TiledLog<H> {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::with_engine(H::engine())
    }

    /// A log of `leaves` entries, from its partial tiles: `read` is called with the place of each.
    ///
    /// # Errors
    /// Those of `read`, and [`Error::Partial`] for a tile with the wrong number of bytes.
    pub fn resume<X: From<Error>>(
        leaves: u64,
        mut read: impl FnMut(Tile) -> Result<Vec<u8>, X>,
    ) -> Result<Self, X> {
        let mut log = Self::new();
        for tile in partial_tiles(leaves) {
            let bytes = read(tile)?;
            let (digests, rest) = Array::slice_as_chunks(&bytes);
            if digests.len() != usize::from(tile.width) || !rest.is_empty() {
                let block = usize::from(tile.width) * digest_bytes::<H::Function>();
                return Err(Error::Partial { len: bytes.len() as u64, block }.into());
            }
            log.levels.resize(usize::from(tile.level), Vec::new());
            log.levels.push(digests.to_vec());
        }
        log.leaves = leaves;
        Ok(log)
    }
}

impl<H: MultiDigest<Function: NodeHash>> Default for TiledLog<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H, E> TiledLog<H, E>
where
    H: MultiDigest<Function: NodeHash>,
    E: Engine<<H::Function as HashFunction>::Compression>,
{
    /// An empty log on a given engine.
    #[must_use]
    pub fn with_engine(engine: E) -> Self {
        Self { engine, levels: Vec::new(), leaves: 0 }
    }

    /// The number of entries.
    #[must_use]
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// Appends entries and returns the tiles that are whole now, those of a level in order.
    pub fn extend(&mut self, entries: &[&[u8]]) -> Vec<(Tile, Vec<u8>)> {
        let mut digests = vec![Array::default(); entries.len()];
        let leaf = Frame::prefix([LEAF]);
        let out = Array::slice_as_flattened_mut(&mut digests);
        leaf.hash(&self.function(), &MessageSource::slices(entries), out);
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
            let rest = pending.split_off(pending.len() / WIDTH * WIDTH);
            let whole = core::mem::replace(pending, rest);
            for (index, tile) in (index..).zip(whole.chunks(WIDTH)) {
                let place = Tile { level: level as u8, index, width: WIDTH as u16 };
                tiles.push((place, Array::slice_as_flattened(tile).to_vec()));
            }
            digests = whole;
            for _ in 0..WIDTH.ilog2() {
                digests = self.nodes(&digests);
            }
            (level, index) = (level + 1, index / WIDTH as u64);
        }
        tiles
    }

    /// The tiles that are not whole, one at most for each level. Publish them with the root of this
    /// number of entries.
    #[must_use]
    pub fn partial(&self) -> Vec<(Tile, Vec<u8>)> {
        let bytes = |tile: &Tile| Array::slice_as_flattened(&self.levels[usize::from(tile.level)]);
        partial_tiles(self.leaves).map(|tile| (tile, bytes(&tile).to_vec())).collect()
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> Output<H::Function> {
        let mut right = None;
        for pending in &self.levels {
            // the subtree below that is not whole goes up as it is
            let mut digests = pending.clone();
            digests.extend(right.take());
            while digests.len() > 1 {
                digests = self.nodes(&digests);
            }
            right = digests.pop();
        }
        right.unwrap_or_else(|| Linear::<H::Function, E>::new(self.engine).finish())
    }

    fn function(&self) -> AnyFunction {
        Start::<H::Function>::new().function(self.engine)
    }

    /// The nodes over digests. A last one without a neighbour goes up as it is.
    fn nodes(&self, digests: &[Output<H::Function>]) -> Vec<Output<H::Function>> {
        let (pairs, odd) = digests.split_at(digests.len() / 2 * 2);
        let mut nodes = vec![Array::default(); pairs.len() / 2];
        let size = 2 * digest_bytes::<H::Function>();
        let pairs = Array::slice_as_flattened(pairs);
        let pairs = MessageSource::records(nodes.len(), pairs, size);
        let out = Array::slice_as_flattened_mut(&mut nodes);
        Frame::prefix([NODE]).hash(&self.function(), &pairs, out);
        nodes.extend_from_slice(odd);
        nodes
    }
}

/// The places of the tiles of a log that are not whole.
fn partial_tiles(leaves: u64) -> impl Iterator<Item = Tile> {
    (0..8).filter_map(move |level| {
        let digests = leaves >> (8 * u32::from(level));
        let width = (digests % WIDTH as u64) as u16;
        (width > 0).then_some(Tile { level, index: digests / WIDTH as u64, width })
    })
}
