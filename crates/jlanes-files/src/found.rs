//! From operands to files.

use std::{ffi::CString, io, sync::Arc};

use crate::{
    Fate, Found, Rules, Skipped, Target,
    system::{self, Kind},
    walk::Walk,
};

/// The files that one operand stands for, each with its name.
pub struct Files(Stands);

/// What an operand stands for.
enum Stands {
    /// The operand itself, and what is to be told of it before.
    One(Option<(Vec<u8>, Found)>, Option<(Vec<u8>, Found)>),
    /// A directory's files.
    Tree(Walk),
}

impl Files {
    /// What `operand` stands for: itself, or the files in it if it is a directory and `rules` go
    /// through directories. Rules that do so choose among the operands, too.
    #[must_use]
    pub fn of(name: Vec<u8>, rules: &Arc<Rules>) -> Self {
        Self(Stands::of(name, rules))
    }
}

impl Stands {
    fn of(name: Vec<u8>, rules: &Arc<Rules>) -> Self {
        if rules.recurse && name != b"-" {
            let is_dir = is_dir(&name, rules.links);
            if !rules.admit_operand(&name, is_dir) {
                return Self::One(None, None);
            }
            if is_dir {
                return Self::Tree(Walk::new(&name, Arc::clone(rules)));
            }
        }
        let found = Target::named(&name).map_or_else(Found::Failed, Found::File);
        let fate = match &found {
            Found::File(target) if !rules.outputs.is_empty() => {
                target.identity().and_then(|identity| rules.fate(identity))
            }
            _ => None,
        };
        match fate {
            None => Self::One(None, Some((name, found))),
            Some(Fate::LeftOut) => Self::One(None, None),
            Some(Fate::Refused) => Self::One(None, Some((name, Found::Skipped(Skipped::Refused)))),
            Some(Fate::ToldOf) => Self::One(
                Some((name.clone(), Found::Skipped(Skipped::Output))),
                Some((name, found)),
            ),
        }
    }
}

impl Iterator for Files {
    type Item = (Vec<u8>, Found);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Stands::One(told, file) => told.take().or_else(|| file.take()),
            Stands::Tree(walk) => walk.next(),
        }
    }
}

impl Target {
    /// The file that is called `name`, where `-` is standard input.
    ///
    /// # Errors
    /// If there is a NUL in the name.
    pub fn named(name: &[u8]) -> io::Result<Self> {
        if name == b"-" {
            return Ok(Self::Stdin);
        }
        Ok(Self::Named(CString::new(name)?))
    }
}

fn is_dir(operand: &[u8], links: bool) -> bool {
    let stat = if links { system::stat_link(operand) } else { system::stat(operand) };
    stat.is_ok_and(|stat| stat.kind == Kind::Directory)
}
