//! From operands to files.

use std::{ffi::CString, io, sync::Arc};

use super::{Fate, Found, Operand, Rules, Walk, read::Target, walk::is_output};
use crate::system::{self, Kind};

/// The files that one operand stands for, each with its name.
pub(crate) enum Files {
    /// The operand itself, and what is to be told of it before.
    One(Option<(Vec<u8>, Found)>, Option<(Vec<u8>, Found)>),
    /// A directory's files.
    Tree(Walk),
}

impl Files {
    /// What `operand` stands for: itself, or the files in it if it is a directory and `rules` go
    /// through directories. Rules that do so choose among the operands, too.
    pub(crate) fn of(operand: Operand, rules: &Arc<Rules>) -> Self {
        let name = match operand {
            Ok(name) => name,
            Err((name, error)) => return Self::One(None, Some((name, Found::Failed(error)))),
        };
        if rules.recurse && name != b"-" {
            let is_dir = is_dir(&name, rules.links);
            if !rules.admit_operand(&name, is_dir) {
                return Self::One(None, None);
            }
            if is_dir {
                return Self::Tree(Walk::new(&name, Arc::clone(rules)));
            }
        }
        let found = target(&name).map_or_else(Found::Failed, Found::File);
        let fate = match &found {
            Found::File(target) if !rules.outputs.is_empty() => {
                target.identity().and_then(|identity| rules.fate(identity))
            }
            _ => None,
        };
        match fate {
            None => Self::One(None, Some((name, found))),
            Some(Fate::LeftOut) => Self::One(None, None),
            Some(Fate::ToldOf) => {
                Self::One(Some((name.clone(), Found::Failed(is_output()))), Some((name, found)))
            }
        }
    }
}

impl Iterator for Files {
    type Item = (Vec<u8>, Found);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::One(told, file) => told.take().or_else(|| file.take()),
            Self::Tree(walk) => walk.next(),
        }
    }
}

/// Where to find the file that the user calls `name`.
pub(crate) fn target(name: &[u8]) -> io::Result<Target> {
    if name == b"-" {
        return Ok(Target::Stdin);
    }
    Ok(Target::Named(CString::new(name)?))
}

fn is_dir(operand: &[u8], links: bool) -> bool {
    let stat = if links { system::stat_link(operand) } else { system::stat(operand) };
    stat.is_ok_and(|stat| stat.kind == Kind::Directory)
}
