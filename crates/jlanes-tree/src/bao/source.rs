//! [`ProofSource`] for a walk: an outboard and a message, both with random access, or an encoding as a stream.

use alloc::vec::Vec;
use std::io::{self, Read, Seek, SeekFrom};

use super::{
    Layout, Value,
    layout::{PARENT, group, group_count},
    subtree::Subtree,
    walk::ProofSource,
};

/// A reader that seeks only where it must.
#[derive(Debug)]
pub(super) struct SeekReader<R> {
    reader: R,
    /// The position, if it is known.
    at: Option<u64>,
}

impl<R: Read + Seek> SeekReader<R> {
    pub(super) const fn new(reader: R) -> Self {
        Self { reader, at: None }
    }

    /// The number of bytes.
    pub(super) fn len(&mut self) -> io::Result<u64> {
        self.at = None;
        self.reader.seek(SeekFrom::End(0))
    }

    pub(super) fn read(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if self.at.take() != Some(offset) {
            self.reader.seek(SeekFrom::Start(offset))?;
        }
        self.reader.read_exact(buffer)?;
        self.at = offset.checked_add(buffer.len() as u64);
        Ok(())
    }
}

/// An outboard and the message, read where a walk needs them.
#[derive(Debug)]
pub(super) struct RandomAccess<O, D> {
    pub(super) layout: Layout,
    pub(super) outboard: SeekReader<O>,
    pub(super) data: SeekReader<D>,
}

impl<O: Read + Seek, D: Read + Seek> RandomAccess<O, D> {
    fn parents(&mut self, first: u64, out: &mut [u8]) -> io::Result<()> {
        self.outboard.read(self.layout.header_bytes() + PARENT as u64 * first, out)
    }
}

impl<O: Read + Seek, D: Read + Seek> ProofSource for &mut RandomAccess<O, D> {
    const WHOLE_GROUPS: bool = true;

    fn parent(&mut self, subtree: &Subtree) -> io::Result<[Value; 2]> {
        let mut values = [Value::default(); 2];
        self.parents(subtree.parent_index, values.as_flattened_mut())?;
        Ok(values)
    }

    fn block(
        &mut self,
        subtree: &Subtree,
        data: &mut Vec<u8>,
        parents: &mut Vec<u8>,
    ) -> io::Result<()> {
        data.resize(subtree.len as usize, 0);
        parents.resize((group_count(subtree.len, self.layout.log) as usize - 1) * PARENT, 0);
        self.data.read(subtree.start, data)?;
        if parents.is_empty() { Ok(()) } else { self.parents(subtree.parent_index, parents) }
    }

    fn accept(&mut self) {}
}

/// An encoding, of which nothing is read before it is needed.
pub(super) struct EncodingReader<R> {
    reader: R,
    log: u8,
    /// Bytes that have been read but not accepted, from `at`.
    ahead: Vec<u8>,
    at: usize,
    /// Bytes of the last block.
    block: usize,
}

impl<R: Read> EncodingReader<R> {
    pub(super) const fn new(reader: R, log: u8) -> Self {
        Self { reader, log, ahead: Vec::new(), at: 0, block: 0 }
    }

    /// The next bytes, which stay ahead.
    fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        if self.at == self.ahead.len() {
            self.at = 0;
            self.ahead.clear();
        }
        let (read, end) = (self.ahead.len(), self.at + len);
        if read < end {
            self.ahead.resize(end, 0);
            self.reader.read_exact(&mut self.ahead[read..])?;
        }
        Ok(&self.ahead[self.at..end])
    }
}

impl<R: Read> ProofSource for EncodingReader<R> {
    const WHOLE_GROUPS: bool = false;

    fn parent(&mut self, _: &Subtree) -> io::Result<[Value; 2]> {
        let mut values = [Value::default(); 2];
        values.as_flattened_mut().copy_from_slice(self.peek(PARENT)?);
        self.at += PARENT;
        Ok(values)
    }

    fn block(
        &mut self,
        subtree: &Subtree,
        data: &mut Vec<u8>,
        parents: &mut Vec<u8>,
    ) -> io::Result<()> {
        let log = self.log;
        self.block = subtree.len as usize + (group_count(subtree.len, log) as usize - 1) * PARENT;
        data.clear();
        parents.clear();
        split(subtree, log, &mut self.peek(self.block)?, data, parents);
        Ok(())
    }

    fn accept(&mut self) {
        self.at += self.block;
    }
}

/// Separates the data and the parents of a subtree.
fn split(
    subtree: &Subtree,
    log: u8,
    encoded: &mut &[u8],
    data: &mut Vec<u8>,
    parents: &mut Vec<u8>,
) {
    let mut take = |len, out: &mut Vec<u8>| {
        let (own, rest) = encoded.split_at(len);
        out.extend(own);
        *encoded = rest;
    };
    match subtree.children(log) {
        Some(children) if subtree.len > group(log) => {
            take(PARENT, parents);
            children.iter().for_each(|child| split(child, log, encoded, data, parents));
        }
        _ => take(subtree.len as usize, data),
    }
}
