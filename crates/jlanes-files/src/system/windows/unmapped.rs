//! A mapping that never exists: files are read instead, because a lost page would raise an exception
//! that safe code cannot catch.

use std::{fs::File, io};

/// Never constructed.
#[derive(Debug)]
pub(crate) enum Mapping {}

impl Mapping {
    /// Fails always, so that the caller reads the file.
    pub(crate) fn new(_: &File, _: u64, _: usize) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match *self {}
    }

    pub(crate) fn lost(&self) -> Option<usize> {
        match *self {}
    }
}

/// The usual page size. Nothing is mapped, so any other would do, too.
pub(crate) fn page_size() -> usize {
    4096
}
