//! Files are not mapped there: what happens to a page that a file has lost would be an exception,
//! which nothing in safe code catches. They are read.

use std::{fs::File, io};

/// There is none.
#[derive(Debug)]
pub(crate) enum Mapping {}

impl Mapping {
    /// # Errors
    /// Always.
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

/// Bytes of a page.
pub(crate) fn page_size() -> usize {
    4096
}
