//! The files that an operand means: itself, or those of a directory.

use std::{ffi::CString, io, sync::Arc, vec};

use crate::{
    OutputPolicy, Rules, Target, WalkEntry, WalkNotice,
    system::{self, FileKind},
    walk::Walk,
};

/// The files of one operand, each with its name.
pub struct Files(Operand);

/// The meaning of an operand.
enum Operand {
    /// The operand itself, after a notice if there is one.
    One(vec::IntoIter<(Vec<u8>, WalkEntry)>),
    /// The files of a directory.
    Tree(Walk),
}

impl Files {
    /// The files of the operand `name`: itself, or the files in it if it is a directory and `rules`
    /// recurse. Recursive rules also filter the operands. `-` is standard input.
    #[must_use]
    pub fn of(name: Vec<u8>, rules: &Arc<Rules>) -> Self {
        if name == b"-" {
            Self(Operand::one(name, Ok(Target::Stdin), rules))
        } else {
            Self::below(name, rules)
        }
    }

    /// The files of the operand `name`, as [`of`](Self::of) finds them, except that `-` is an ordinary
    /// file name.
    #[must_use]
    pub fn below(name: Vec<u8>, rules: &Arc<Rules>) -> Self {
        Self(Operand::of(name, rules))
    }
}

impl Operand {
    fn of(name: Vec<u8>, rules: &Arc<Rules>) -> Self {
        if rules.recurse {
            let is_dir = is_dir(&name, rules.hash_links);
            if !rules.admit_operand(&name, is_dir) {
                return Self::One(Vec::new().into_iter());
            }
            if is_dir {
                return Self::Tree(Walk::new(&name, Arc::clone(rules)));
            }
        }
        let target = Target::at(&name);
        Self::one(name, target, rules)
    }

    /// The operand itself, unless it is an output file.
    fn one(name: Vec<u8>, target: io::Result<Target>, rules: &Rules) -> Self {
        let identity = |target: &Target| rules.output_policy(target.identity()?);
        let policy = match &target {
            Ok(target) if !rules.outputs.is_empty() => identity(target),
            _ => None,
        };
        let skipped = |why| (name.clone(), WalkEntry::Notice(why));
        let file = || (name.clone(), target.map_or_else(WalkEntry::Failed, WalkEntry::File));
        let all = match policy {
            None => vec![file()],
            Some(OutputPolicy::Skip) => Vec::new(),
            Some(OutputPolicy::Refuse) => vec![skipped(WalkNotice::OutputRefused)],
            Some(OutputPolicy::Report) => vec![skipped(WalkNotice::OutputFile), file()],
        };
        Self::One(all.into_iter())
    }
}

impl Iterator for Files {
    type Item = (Vec<u8>, WalkEntry);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Operand::One(all) => all.next(),
            Operand::Tree(walk) => walk.next(),
        }
    }
}

impl Target {
    /// The file called `name`, with `-` for standard input.
    ///
    /// # Errors
    ///
    /// If the name contains a NUL.
    pub fn named(name: &[u8]) -> io::Result<Self> {
        if name == b"-" { Ok(Self::Stdin) } else { Self::at(name) }
    }

    /// The file at `path`: anything but a directory. Symbolic links are followed.
    ///
    /// # Errors
    ///
    /// If the path contains a NUL.
    pub fn at(path: &[u8]) -> io::Result<Self> {
        Ok(Self::Named(CString::new(path)?))
    }

    /// The regular file at `path`: anything else is an error. Symbolic links are followed.
    ///
    /// # Errors
    ///
    /// If the path contains a NUL.
    pub fn regular(path: &[u8]) -> io::Result<Self> {
        Ok(Self::Walked { dir: None, path: CString::new(path)?, follow: true, git: false })
    }
}

fn is_dir(operand: &[u8], hash_links: bool) -> bool {
    let stat = if hash_links { system::lstat(operand) } else { system::stat(operand) };
    stat.is_ok_and(|stat| stat.kind == FileKind::Directory)
}
