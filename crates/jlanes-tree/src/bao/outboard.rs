//! [`Outboard`]: the parents of a message's tree, made in one pass over the message.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::io::{self, Read, Write};

use jlanes_core::hashes::blake3::CHUNK;

use super::{
    BLOCK_BYTES, Bao, Layout, Levels, Value,
    layout::{LENGTH_BYTES, PARENT},
    levels,
};

/// The digest of a message, and the parents of its tree in pre-order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outboard {
    layout: Layout,
    root: Value,
    length: u64,
    parents: Vec<u8>,
}

impl Outboard {
    /// The digest of the message.
    #[must_use]
    pub const fn root(&self) -> Value {
        self.root
    }

    /// Bytes of the message.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// The outboard without the length, which some layouts have in front.
    #[must_use]
    pub fn parents(&self) -> &[u8] {
        &self.parents
    }

    /// The bytes of a file in the layout.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.header()[..self.layout.header_bytes() as usize], &self.parents].concat()
    }

    /// Writes the bytes of a file in the layout.
    ///
    /// # Errors
    /// Those of `out`.
    #[cfg(feature = "std")]
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        out.write_all(&self.header()[..self.layout.header_bytes() as usize])?;
        out.write_all(&self.parents)
    }

    fn header(&self) -> [u8; LENGTH_BYTES] {
        self.length.to_le_bytes()
    }
}

impl Bao {
    /// The outboard of a message.
    #[must_use]
    pub fn outboard(&self, layout: Layout, message: &[u8]) -> Outboard {
        let mut builder = Builder::new(self, layout);
        // an empty message has one chunk, too
        builder.push(&message[..message.len().min(BLOCK_BYTES)]);
        message.chunks(BLOCK_BYTES).skip(1).for_each(|block| builder.push(block));
        builder.finish()
    }

    /// The outboard of all that a reader has, in one pass.
    ///
    /// # Errors
    /// Those of `message`.
    #[cfg(feature = "std")]
    pub fn read_outboard(&self, layout: Layout, mut message: impl Read) -> io::Result<Outboard> {
        let mut builder = Builder::new(self, layout);
        let mut buffer = alloc::vec![0; BLOCK_BYTES];
        loop {
            let len = fill(&mut message, &mut buffer)?;
            if len > 0 || builder.outboard.length == 0 {
                builder.push(&buffer[..len]);
            }
            if len < BLOCK_BYTES {
                return Ok(builder.finish());
            }
        }
    }
}

/// Reads until the buffer is full, or to the end. Returns the number of bytes.
#[cfg(feature = "std")]
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match reader.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

/// An outboard in the making.
struct Builder<'b> {
    bao: &'b Bao,
    outboard: Outboard,
    /// The values of groups, but for a message that is shorter than a block.
    groups: Vec<Value>,
}

impl<'b> Builder<'b> {
    fn new(bao: &'b Bao, layout: Layout) -> Self {
        let outboard = Outboard { layout, root: Value::default(), length: 0, parents: Vec::new() };
        Self { bao, outboard, groups: Vec::new() }
    }

    /// Continues by a block. Only the last one may be shorter than others.
    fn push(&mut self, block: &[u8]) {
        let Self { bao, outboard, groups } = self;
        let (tree, log) = (bao.tree(), outboard.layout.log);
        let first = outboard.length / CHUNK as u64;
        if first == 0 && block.len() < BLOCK_BYTES {
            let levels = Levels::of_chunks(&tree, block, first);
            outboard.root = bao.root(&levels, block);
            levels.append_parents(log, &mut outboard.parents);
        } else {
            groups.append(&mut levels::group_values(&tree, block, first, log));
        }
        outboard.length += block.len() as u64;
    }

    fn finish(self) -> Outboard {
        let Self { bao, mut outboard, groups } = self;
        // a whole block has several groups, so that these have a parent
        if !groups.is_empty() {
            outboard.parents.reserve_exact((groups.len() - 1) * PARENT);
            let levels = Levels::new(&bao.tree(), groups);
            outboard.root = bao.root(&levels, &[]);
            levels.append_parents(0, &mut outboard.parents);
        }
        outboard
    }
}
