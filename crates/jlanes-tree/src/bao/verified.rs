//! [`Verified`]: ranges of a message, verified with an outboard.

use alloc::vec::Vec;
use core::ops::Range;
use std::io::{self, Read, Seek, Write};

use super::{
    Bao, Error, Layout, Levels, Value,
    layout::LENGTH_BYTES,
    slice::Encoder,
    source::{RandomAccess, SeekReader},
    subtree::{Subtree, WantedRange},
    walk::{Sink, Walk},
};

/// A message with an outboard and a digest. Ranges are verified when they are read.
///
/// ```
/// use std::io::Cursor;
/// use jlanes_tree::bao::{Bao, Layout, Verified};
///
/// let mut message = vec![7; 100_000];
/// let outboard = Bao::default().outboard(Layout::OBAO4, &message);
/// message[99_000] ^= 1;
/// let files = (Cursor::new(outboard.to_bytes()), Cursor::new(&message));
/// // the length is part of the proof, so the last chunk is verified first
/// assert!(Verified::open(Bao::default(), &outboard.root(), Layout::OBAO4, 100_000, files).is_err());
///
/// message[99_000] ^= 1;
/// message[0] ^= 1;
/// let files = (Cursor::new(outboard.to_bytes()), Cursor::new(&message));
/// let bao = Bao::default();
/// let mut verified = Verified::open(bao, &outboard.root(), Layout::OBAO4, 100_000, files)?;
/// let mut bytes = Vec::new();
/// verified.read(20_000..30_000, &mut bytes)?;
/// assert_eq!(bytes, [7; 10_000]);
/// assert!(verified.read(0..1, &mut bytes).is_err());
/// # Ok::<(), jlanes_tree::bao::Error>(())
/// ```
#[derive(Debug)]
pub struct Verified<O, D> {
    bao: Bao,
    root: Value,
    length: u64,
    files: RandomAccess<O, D>,
}

impl<O: Read + Seek, D: Read + Seek> Verified<O, D> {
    /// Verifies that the message with the digest `root` has `len` bytes, by its last chunk or group. What
    /// `data` has after them is not looked at.
    ///
    /// # Errors
    /// The outboard is not that of `len` bytes, or the last chunk does not lead to `root`.
    pub fn open(
        bao: Bao,
        root: &Value,
        layout: Layout,
        len: u64,
        (outboard, data): (O, D),
    ) -> Result<Self, Error> {
        let (mut outboard, data) = (SeekReader::new(outboard), SeekReader::new(data));
        let found = outboard.len()?;
        if found != layout.outboard_len(len) {
            return Err(Error::OutboardLength { len, outboard: found });
        }
        if layout.has_length {
            let mut front = [0; LENGTH_BYTES];
            outboard.read(0, &mut front)?;
            let front = u64::from_le_bytes(front);
            if front != len {
                return Err(Error::Length { len, front });
            }
        }
        let files = RandomAccess { layout, outboard, data };
        let mut verified = Self { bao, root: *root, length: len, files };
        // a range past the end leads to the last chunk alone
        verified.walk(&(u64::MAX..u64::MAX), &mut RangeWriter { range: 0..0, out: io::sink() })?;
        Ok(verified)
    }

    /// The verified length of the message.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Writes the part of the message within `range`. Returns its length. After an error, what has been
    /// written is verified, too.
    ///
    /// # Errors
    /// A parent or a part of the message does not lead to the digest.
    pub fn read(&mut self, range: Range<u64>, out: impl Write) -> Result<u64, Error> {
        let range = range.start.min(self.length)..range.end.min(self.length);
        let len = range.end.saturating_sub(range.start);
        if len > 0 {
            self.walk(&range, &mut RangeWriter { range: range.clone(), out })?;
        }
        Ok(len)
    }

    /// Writes Bao's slice of a range: what [`Bao::decode_slice`] verifies with nothing but the digest. The
    /// slice of `0..u64::MAX` is Bao's combined encoding.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn slice(&mut self, range: Range<u64>, mut out: impl Write) -> Result<(), Error> {
        out.write_all(&self.length.to_le_bytes())?;
        self.walk(&range, &mut Encoder::new(out, 0, WantedRange::new(&range, self.length)))
    }

    /// Writes what [`Bao::decode`] verifies in a tree of groups: like a [slice](Self::slice), without the
    /// length, and without the parents in groups that are wanted as a whole.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn encode(&mut self, range: Range<u64>, out: impl Write) -> Result<(), Error> {
        let log = self.files.layout.log;
        self.walk(&range, &mut Encoder::new(out, log, WantedRange::new(&range, self.length)))
    }

    fn walk(&mut self, range: &Range<u64>, sink: &mut impl Sink) -> Result<(), Error> {
        let mut walk = Walk {
            bao: &self.bao,
            log: self.files.layout.log,
            source: &mut self.files,
            wanted: WantedRange::new(range, self.length),
            data: Vec::new(),
            parents: Vec::new(),
        };
        walk.verify(&Subtree::whole(self.length), &self.root, sink)
    }
}

/// Writes the part of a message within `range`, verified by BLAKE3's tree with the digest `root`. Returns
/// its length. For several ranges, or a key, use [`Verified`].
///
/// # Errors
/// Those of [`Verified::open`] and [`Verified::read`].
pub fn verify_range<O: Read + Seek, D: Read + Seek>(
    root: &Value,
    (layout, len): (Layout, u64),
    files: (O, D),
    range: Range<u64>,
    out: impl Write,
) -> Result<u64, Error> {
    Verified::open(Bao::default(), root, layout, len, files)?.read(range, out)
}

/// Writes the data within a range.
pub(super) struct RangeWriter<W> {
    pub(super) range: Range<u64>,
    pub(super) out: W,
}

impl<W: Write> Sink for RangeWriter<W> {
    fn parent(&mut self, _: &[Value; 2]) -> io::Result<()> {
        Ok(())
    }

    fn block(&mut self, subtree: &Subtree, data: &[u8], _: &Levels) -> io::Result<()> {
        let within = |at: u64| at.clamp(subtree.start, subtree.start + subtree.len) - subtree.start;
        let (start, end) = (within(self.range.start), within(self.range.end));
        self.out.write_all(data.get(start as usize..end as usize).unwrap_or_default())
    }
}
