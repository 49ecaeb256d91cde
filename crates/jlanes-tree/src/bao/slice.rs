//! Encodings of a range: the parents and the data on the way to it, in the order in which they are verified.

use alloc::vec::Vec;
use core::ops::Range;
use std::io::{self, Read, Write};

use jlanes_core::hashes::blake3::CHUNK;

use super::{
    Bao, Error, Layout, Levels, Value,
    layout::{LENGTH_BYTES, group},
    source::EncodingReader,
    subtree::{Subtree, WantedRange},
    verified::RangeWriter,
    walk::{Sink, Walk},
};

/// The result of decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded {
    /// The number of bytes that were written.
    pub bytes: u64,
    /// The length of the message, if its last chunk was part of the encoding: otherwise the length is a claim.
    pub length: Option<u64>,
}

impl Bao {
    /// Writes the part of a message within `range`, from Bao's slice of this range. Each block is verified
    /// before it is written. Nothing after the slice is read.
    ///
    /// # Errors
    /// The slice does not lead to `root`, or ends too soon.
    pub fn decode_slice(
        &self,
        root: &Value,
        range: Range<u64>,
        mut slice: impl Read,
        out: impl Write,
    ) -> Result<Decoded, Error> {
        let mut length = [0; LENGTH_BYTES];
        slice.read_exact(&mut length)?;
        self.decode(root, (Layout::BAO, u64::from_le_bytes(length)), range, slice, out)
    }

    /// The same from an [encoding](super::Verified::encode) without the length, which is `len`, in a tree
    /// with the groups of `layout`.
    ///
    /// # Errors
    /// Those of [`decode_slice`](Self::decode_slice).
    pub fn decode(
        &self,
        root: &Value,
        (layout, len): (Layout, u64),
        range: Range<u64>,
        encoded: impl Read,
        out: impl Write,
    ) -> Result<Decoded, Error> {
        let wanted = WantedRange::new(&range, len);
        let mut walk = Walk {
            bao: self,
            log: layout.log,
            source: EncodingReader::new(encoded, layout.log),
            wanted,
            data: Vec::new(),
            parents: Vec::new(),
        };
        let within = range.start.min(len)..range.end.min(len);
        let bytes = within.end.saturating_sub(within.start);
        walk.verify(&Subtree::whole(len), root, &mut RangeWriter { range: within, out })?;
        Ok(Decoded { bytes, length: wanted.touches_last_chunk(len).then_some(len) })
    }
}

/// Writes parents and data of a tree with groups of 2^`log` chunks.
pub(super) struct Encoder<W> {
    out: W,
    log: u8,
    wanted: WantedRange,
}

impl<W: Write> Encoder<W> {
    pub(super) const fn new(out: W, log: u8, wanted: WantedRange) -> Self {
        Self { out, log, wanted }
    }

    /// Writes what is wanted of a subtree with value `index` on level `height`. `data` begins with the subtree.
    fn write_subtree(
        &mut self,
        subtree: &Subtree,
        data: &[u8],
        levels: &Levels,
        (height, index): (usize, usize),
    ) -> io::Result<()> {
        if !self.wanted.touches(subtree) {
            return Ok(());
        }
        let is_whole = self.wanted.covers(subtree, CHUNK as u64);
        match (subtree.children(self.log), height.checked_sub(1)) {
            (Some([left, right]), Some(below)) if !is_whole || subtree.len > group(self.log) => {
                let values = levels.0[below].get(2 * index..).and_then(<[_]>::first_chunk);
                match values {
                    Some(values) => {
                        self.parent(values)?;
                        let (own, rest) = data.split_at(left.len as usize);
                        self.write_subtree(&left, own, levels, (below, 2 * index))?;
                        self.write_subtree(&right, rest, levels, (below, 2 * index + 1))
                    }
                    None => self.write_subtree(subtree, data, levels, (below, 2 * index)),
                }
            }
            _ => self.out.write_all(data),
        }
    }
}

impl<W: Write> Sink for Encoder<W> {
    fn parent(&mut self, children: &[Value; 2]) -> io::Result<()> {
        self.out.write_all(children.as_flattened())
    }

    fn block(&mut self, subtree: &Subtree, data: &[u8], levels: &Levels) -> io::Result<()> {
        self.write_subtree(subtree, data, levels, (levels.0.len(), 0))
    }
}
