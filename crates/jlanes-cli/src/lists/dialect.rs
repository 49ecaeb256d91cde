//! Whose list it is: the first line that is no comment tells.

use super::{Accepted, Forms};
use crate::{
    hash::Scheme,
    lists::line::{
        Entry, Parser,
        hashdeep::{Hashdeep, MAGIC},
        mtree::Mtree,
    },
};

/// The form of a list's lines.
#[derive(Debug, Default)]
pub(super) enum Dialect {
    #[default]
    Unknown,
    Gnu,
    Hashdeep(Hashdeep<Scheme>),
    Mtree(Mtree),
}

impl Dialect {
    fn of(first: &[u8], gnu: &mut Parser<Accepted>) -> Self {
        if gnu.tags().forms != Forms::All {
            Self::Gnu
        } else if first == MAGIC {
            Self::Hashdeep(Hashdeep::default())
        } else if Mtree::begins(first) && gnu.parse(first).is_none() {
            Self::Mtree(Mtree::default())
        } else {
            Self::Gnu
        }
    }

    /// What `line` says: nothing if it is about no file, `None` inside if it is malformed.
    pub(super) fn parse(
        &mut self,
        line: &[u8],
        gnu: &mut Parser<Accepted>,
    ) -> Option<Option<Entry<Scheme>>> {
        if let Self::Unknown = self {
            *self = Self::of(line, gnu);
        }
        match self {
            Self::Unknown | Self::Gnu => Some(gnu.parse(line)),
            Self::Hashdeep(list) => list.parse(line, gnu.tags()),
            Self::Mtree(list) => list.parse(line, gnu.tags()),
        }
    }
}
