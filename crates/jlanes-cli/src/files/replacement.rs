//! A file that is written aside, and takes its place when it is whole.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use tempfile::{Builder, NamedTempFile};

use super::{Fate, OutputFile};
use crate::system;

/// A file on its way into its place.
#[derive(Debug)]
pub(crate) struct Replacement {
    to: To,
    /// Before anything was read that it tells of.
    begun: SystemTime,
}

#[derive(Debug)]
enum To {
    /// It replaces what is at the path.
    Aside(NamedTempFile, PathBuf),
    /// What is there is no file, and is written to.
    There(File),
}

impl Replacement {
    /// Begins a file for `path`. A symbolic link stays, and leads to it.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn new(path: &OsStr) -> io::Result<Self> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        let known = fs::metadata(&path).ok();
        if known.as_ref().is_some_and(|known| !known.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(Self { to: To::There(file), begun: SystemTime::now() });
        }
        let dir = path.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new("."));
        // in the system's words, where there is nothing to be had
        system::check_writable(dir)?;
        let mut prefix = OsStr::new(".").to_owned();
        prefix.push(path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        if let Some(all) = system::new_permissions() {
            builder.permissions(all);
        }
        let aside = builder.tempfile_in(dir)?;
        if let Some(known) = known {
            // without what the process's mask takes away
            system::copy_permissions(aside.as_file(), &known)?;
        }
        // by the clock of the file system, which has the times of the files beside it
        let begun = aside.as_file().metadata()?.modified()?;
        Ok(Self { to: To::Aside(aside, path), begun })
    }

    /// Where to write.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn file(&self) -> io::Result<File> {
        match &self.to {
            To::Aside(aside, _) => aside.reopen(),
            To::There(file) => file.try_clone(),
        }
    }

    /// The files that are to be left out of walks: this one, and the one that it replaces.
    pub(crate) fn outputs(&self) -> Vec<OutputFile> {
        let To::Aside(aside, path) = &self.to else { return Vec::new() };
        let output = |path: &Path| {
            let identity = system::stat(&system::bytes(path.as_os_str())).ok()?.identity;
            let name = system::bytes(path.file_name()?).into();
            Some(OutputFile { identity, name: Some(name), fate: Fate::LeftOut })
        };
        [aside.path(), path].into_iter().filter_map(output).collect()
    }

    /// When it was begun.
    pub(crate) fn begun(&self) -> SystemTime {
        self.begun
    }

    /// Puts the file into its place, with the time when it was begun: whatever changed later may
    /// not be in it.
    ///
    /// # Errors
    /// The system's; then nothing is replaced.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self.to {
            To::There(_) => Ok(()),
            To::Aside(aside, path) => {
                aside.as_file().set_modified(self.begun)?;
                aside.as_file().sync_all()?;
                aside.persist(path)?;
                Ok(())
            }
        }
    }
}
