//! [`SequentialParts`], a file's parts hashed one after the other: for checksums, which have no lanes, and for parts
//! of different sizes.

use std::{io, iter};

use super::{FileHasher, PartDigests};

/// Bytes of a part, and its digest where known.
type ExpectedPart = (u64, Option<Vec<u8>>);

/// The digest of the parts' digests. If the parts are listed, it is empty for a file that does not have them.
pub(crate) struct SequentialParts {
    hasher: Box<dyn Fn() -> Box<dyn FileHasher> + Send>,
    parts: Box<dyn Iterator<Item = ExpectedPart> + Send>,
    is_listed: bool,
    /// The part that the next bytes belong to; `None` after the last listed one.
    current: Option<OpenPart>,
    digests: PartDigests,
    /// Whether the bytes so far are those of the listed parts, by sizes and digests.
    is_right: bool,
}

/// A part of which `left` bytes are still to come.
struct OpenPart {
    hasher: Box<dyn FileHasher>,
    left: u64,
    expected: Option<Vec<u8>>,
}

impl SequentialParts {
    /// Parts of `size` bytes; the last one may be shorter, and an empty file is one empty part. `hasher`
    /// makes the hashers of the parts, and of their digests.
    pub(crate) fn equal(
        size: usize,
        hasher: impl Fn() -> Box<dyn FileHasher> + Send + 'static,
    ) -> Self {
        Self::new(iter::repeat_with(move || (size as u64, None)), false, hasher)
    }

    /// Parts of these sizes, and with these digests where they are known.
    #[cfg(feature = "lists")]
    pub(crate) fn listed(
        parts: Vec<ExpectedPart>,
        hasher: impl Fn() -> Box<dyn FileHasher> + Send + 'static,
    ) -> Self {
        Self::new(parts.into_iter(), true, hasher)
    }

    fn new(
        parts: impl Iterator<Item = ExpectedPart> + Send + 'static,
        is_listed: bool,
        hasher: impl Fn() -> Box<dyn FileHasher> + Send + 'static,
    ) -> Self {
        let digests = PartDigests::new(hasher());
        let (hasher, parts) = (Box::new(hasher), Box::new(parts));
        let mut new = Self { hasher, parts, is_listed, current: None, digests, is_right: true };
        new.begin_part();
        new
    }

    fn begin_part(&mut self) {
        let part = |(left, expected)| OpenPart { hasher: (self.hasher)(), left, expected };
        self.current = self.parts.next().map(part);
    }

    fn end_part(&mut self) -> io::Result<()> {
        if let Some(part) = self.current.take() {
            let digest = part.hasher.finish()?;
            self.is_right &= part.expected.is_none_or(|expected| *expected == *digest);
            self.digests.add(&digest);
        }
        self.begin_part();
        Ok(())
    }

    /// Ends the current part if it is complete, and listed parts without bytes.
    fn end_whole_parts(&mut self) -> io::Result<()> {
        while self.current.as_ref().is_some_and(|part| part.left == 0) {
            self.end_part()?;
        }
        Ok(())
    }
}

impl FileHasher for SequentialParts {
    fn update(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            self.end_whole_parts().expect("a checksum is of any data");
            let Some(part) = &mut self.current else {
                self.is_right = false;
                return;
            };
            let len = usize::try_from(part.left).map_or(data.len(), |left| left.min(data.len()));
            let (piece, rest) = data.split_at(len);
            part.hasher.update(piece);
            part.left -= len as u64;
            data = rest;
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<Box<[u8]>> {
        if self.is_listed {
            self.end_whole_parts()?;
            self.is_right &= self.current.is_none();
        } else {
            // it has bytes, or it is the empty part of an empty file
            self.end_part()?;
        }
        if self.is_right { self.digests.finish() } else { Ok(Box::default()) }
    }
}
