//! From operands to files.

use std::{
    ffi::{CString, OsStr},
    io,
    os::unix::ffi::{OsStrExt, OsStringExt},
    sync::Arc,
};

use rustix::fs::{FileType, lstat, stat};

use crate::files::{Found, Operand, Rules, Walk, read::Target};

/// The files that one operand stands for, each with its name.
pub(crate) enum Files {
    /// The operand itself.
    One(Option<(Vec<u8>, Found)>),
    /// A directory's files.
    Tree(Walk),
}

impl Files {
    /// What `operand` stands for: itself, or the files in it if it is a directory and there are
    /// rules for directories.
    pub(crate) fn of(operand: Operand, rules: Option<&Arc<Rules>>) -> Self {
        let operand = match operand {
            Ok(operand) => operand,
            Err((name, error)) => return Self::One(Some((name, Found::Failed(error)))),
        };
        if let Some(rules) = rules
            && is_dir(&operand, rules.links)
        {
            return Self::Tree(Walk::new(operand.as_bytes(), Arc::clone(rules)));
        }
        let name = operand.into_vec();
        let found = target(&name).map_or_else(Found::Failed, Found::File);
        Self::One(Some((name, found)))
    }
}

impl Iterator for Files {
    type Item = (Vec<u8>, Found);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::One(file) => file.take(),
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

fn is_dir(operand: &OsStr, links: bool) -> bool {
    let stat = if links { lstat(operand) } else { stat(operand) };
    operand != "-"
        && stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}
