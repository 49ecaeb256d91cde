//! A new file that takes the place of another when it is complete.
//!
//! Until then it has no name, if the system has files without names, so a program that is killed leaves
//! nothing behind.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io::{self, Seek},
    path::{Path, PathBuf},
    time::SystemTime,
};

use jlanes_files::{OutputFile, OutputPolicy};
use tempfile::{Builder, NamedTempFile, TempPath};

use crate::system;

/// A new file that takes the place of the one at a path when it is complete.
#[derive(Debug)]
pub(crate) struct Replacement {
    to: Location,
    /// The time before the first file of the list was read.
    begun: SystemTime,
}

/// The place that is written to: a new file, or the path itself.
#[derive(Debug)]
enum Location {
    /// It takes the place of whatever is at the path.
    NewFile(NewFile, PathBuf),
    /// The path is a pipe or a device, which is written directly.
    InPlace(File),
}

/// The new file, next to the path.
#[derive(Debug)]
struct NewFile {
    file: File,
    /// Whether it can be given a name. If not, its bytes are copied.
    can_be_linked: bool,
    /// The deleted name of the file, which walks may still find: Wine, and Windows on some file
    /// systems, keep it until the file is closed.
    deleted: Option<OutputFile>,
}

impl Replacement {
    /// Creates a file for `path`. A symbolic link stays and leads to the new file, even if it led nowhere.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn new(path: &OsStr) -> io::Result<Self> {
        let path = fs::canonicalize(path).or_else(|error| resolved(path).ok_or(error))?;
        let known = fs::metadata(&path).ok();
        if known.as_ref().is_some_and(|known| !known.is_file()) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(Self { to: Location::InPlace(file), begun: SystemTime::now() });
        }
        path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let dir = directory(&path);
        // reports the system's error if no file can be created
        system::check_writable(dir)?;
        let new_file = match system::create_unnamed(dir)? {
            Some(file) => NewFile { file, can_be_linked: true, deleted: None },
            None => {
                let (file, named) = create_temp(dir)?.into_parts();
                let deleted = output_at(&named, OutputPolicy::Skip); // its name goes with this block
                NewFile { file, can_be_linked: false, deleted }
            }
        };
        if let Some(known) = known {
            // exactly these permissions, whatever the process's mask is
            system::copy_permissions(&new_file.file, &known)?;
        }
        // the clock of the file system also gives the times of the files next to it
        let begun = new_file.file.metadata()?.modified()?;
        Ok(Self { to: Location::NewFile(new_file, path), begun })
    }

    /// The file to write to.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn file(&self) -> io::Result<File> {
        match &self.to {
            Location::NewFile(new_file, _) => new_file.file.try_clone(),
            Location::InPlace(file) => file.try_clone(),
        }
    }

    /// The file at the path, with this `policy` in walks, and the new file, which walks skip.
    pub(crate) fn outputs(&self, policy: OutputPolicy) -> impl Iterator<Item = OutputFile> {
        let both = match &self.to {
            Location::NewFile(new, path) => [output_at(path, policy), new.deleted.clone()],
            Location::InPlace(_) => [None, None],
        };
        both.into_iter().flatten()
    }

    /// Whether putting the file in its place destroys the contents of another.
    pub(crate) fn replaces_something(&self) -> bool {
        match &self.to {
            Location::NewFile(_, path) => fs::metadata(path).is_ok_and(|known| known.len() > 0),
            Location::InPlace(_) => false,
        }
    }

    /// The time when the file was created.
    pub(crate) fn begun(&self) -> SystemTime {
        self.begun
    }

    /// Puts the file in its place, with the time of its creation: a file that changed later may have
    /// another digest by now.
    ///
    /// # Errors
    /// The system's; then nothing is replaced.
    pub(crate) fn commit(self) -> io::Result<()> {
        let Location::NewFile(new_file, path) = self.to else { return Ok(()) };
        new_file.named(&path, self.begun)?.persist(path).map_err(|error| error.error)
    }
}

impl NewFile {
    /// Writes the file, as of the time `modified`, to disk, and gives it a temporary name next to `path`.
    fn named(self, path: &Path, modified: SystemTime) -> io::Result<TempPath> {
        let Self { mut file, can_be_linked, .. } = self;
        // after a crash, bytes that are not on the disk would be missing in the new file, and the old
        // one gone
        let finish = |file: &File| file.set_modified(modified).and_then(|()| file.sync_all());
        if can_be_linked {
            // before it has a name, which stays if the program is killed
            finish(&file)?;
            let link = |to: &Path| system::link(&file, to);
            if let Ok(named) = temp_names().make_in(directory(path), link) {
                return Ok(named.into_temp_path());
            }
        }
        let mut named = create_temp(directory(path))?;
        file.rewind()?;
        io::copy(&mut file, named.as_file_mut())?;
        if let Ok(known) = fs::metadata(path) {
            system::copy_permissions(named.as_file(), &known)?;
        }
        finish(named.as_file())?;
        Ok(named.into_temp_path())
    }
}

/// The path that `path` leads to through symbolic links; `None` for a circle of links. No file needs to
/// be there.
fn resolved(path: &OsStr) -> Option<PathBuf> {
    /// The maximum number of links that Linux follows.
    const MAX_LINKS: usize = 40;

    let mut path = PathBuf::from(path);
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            // links in /proc to open files are no paths
            Ok(to) if fs::metadata(&path).is_err() => path = directory(&path).join(to),
            _ => return Some(path),
        }
    }
    None
}

/// The file at `path`, with this `policy` in walks.
fn output_at(path: &Path, policy: OutputPolicy) -> Option<OutputFile> {
    let identity = system::stat(&system::bytes(path.as_os_str())).ok()?.identity;
    let name = system::bytes(path.file_name()?).into();
    Some(OutputFile { identity, name: Some(name), policy })
}

/// A new file in `dir` with a unique name.
fn create_temp(dir: &Path) -> io::Result<NamedTempFile> {
    let create =
        |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
    temp_names().make_in(dir, create)
}

/// The pattern of the names of files before they are in their places.
fn temp_names() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".jlanes-sum.").suffix(".tmp");
    builder
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new("."))
}
