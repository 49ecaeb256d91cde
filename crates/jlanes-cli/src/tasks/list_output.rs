//! [`ListOutput`], the destination of a list, and the conditions for replacing the file that is there.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, Metadata},
    io::{self, Write},
};

use jlanes_files::{Computation, OutputPolicy, Rules};

use crate::{
    files::Replacement,
    lists::is_list,
    report::{Console, Destination, quote, reason},
    system::{self, FileKind},
};

/// The destination of a list.
#[derive(Clone, Debug)]
pub(crate) struct ListOutput {
    pub(crate) name: OsString,
    /// Whether to replace any file, even if the new list is incomplete.
    pub(crate) force: bool,
    /// Whether the new list has digests alone, and may replace such a one.
    pub(crate) no_names: bool,
}

/// A list in the making, and its destination.
pub(super) struct Draft {
    replacement: Replacement,
    output: ListOutput,
}

impl ListOutput {
    /// Opens a new file that replaces the one at the destination when it is complete.
    pub(super) fn open(&self) -> io::Result<(Replacement, Destination)> {
        // for root, too, who may write any file
        let is_protected = |file: Metadata| file.is_file() && file.permissions().readonly();
        if !self.force && fs::metadata(&self.name).is_ok_and(is_protected) {
            return Err(io::Error::other("write-protected, and not replaced without --force"));
        }
        let replacement = Replacement::new(&self.name)?;
        let file = replacement.file()?;
        Ok((replacement, Destination::File(file, self.name.clone())))
    }

    /// Refuses to replace a file that is not a list. `computations` help to recognize one.
    fn check(&self, computations: &[Computation]) -> io::Result<()> {
        let Ok(stat) = system::stat(&system::bytes(&self.name)) else { return Ok(()) };
        let is_list = match stat.kind {
            _ if self.force => true,
            FileKind::File if stat.size > 0 => is_list(&self.name, computations, self.no_names)?,
            FileKind::BlockDevice => false,
            _ => true,
        };
        match is_list {
            true => Ok(()),
            false => Err(io::Error::other("not a list, and not replaced without --force")),
        }
    }

    pub(super) fn report_error(&self, option: &str, error: &io::Error, console: &Console) {
        console.say(format!("{option}: {}: {}", quote::value(&self.name), reason(error)));
    }
}

/// Writes the hash tree of dm-verity to its destination.
pub(crate) fn write_tree(path: &OsStr, tree: &[u8]) -> io::Result<()> {
    // a part of a tree would pass for a whole one
    let write = || {
        let file = Replacement::new(path)?;
        file.file()?.write_all(tree)?;
        file.commit()
    };
    write().map_err(|error: io::Error| {
        let path = quote::value(path);
        io::Error::new(error.kind(), format!("hash tree {path}: {}", reason(&error)))
    })
}

/// Opens the destination of a list with digests by `computations`, which is standard output if `to` is
/// `None`, and excludes it from walks by `rules`. After an error, which it reports, it returns `None`.
pub(super) fn open(
    to: Option<ListOutput>,
    computations: &[Computation],
    rules: &mut Rules,
    console: &Console,
) -> Option<(Option<Draft>, Destination)> {
    let Some(output) = to else { return Some((None, Destination::Stdout)) };
    match output.check(computations).and_then(|()| output.open()) {
        Ok((replacement, destination)) => {
            let policy = if output.force { OutputPolicy::Skip } else { OutputPolicy::Refuse };
            rules.outputs.extend(replacement.outputs(policy));
            Some((Some(Draft { replacement, output }), destination))
        }
        Err(error) => {
            output.report_error("--output", &error, console);
            None
        }
    }
}

/// Puts a list in its place. A list without some of its files (`is_complete` is false) replaces no other, nor
/// does an empty one, which a missing mount or a mistyped pattern makes. Returns whether the list is in
/// place and complete.
pub(super) fn commit(
    draft: Option<Draft>,
    (is_complete, has_lines): (bool, bool),
    console: &Console,
) -> io::Result<bool> {
    let Some(Draft { replacement, output }) = draft else { return Ok(is_complete) };
    let why = match (is_complete, has_lines) {
        _ if output.force || !replacement.replaces_something() => None,
        (false, _) => Some("not replaced, as not all files could be read"),
        (true, false) => Some("not replaced without --force, as the new list is empty"),
        (true, true) => None,
    };
    match why {
        None => replacement.commit()?,
        Some(why) => output.report_error("--output", &io::Error::other(why), console),
    }
    Ok(is_complete && why.is_none())
}
