//! The log of a manifest: its versions, and the files of each.
//!
//! An entry is a small file that is written once, under a name that must be new. It lists the files
//! that it adds to its version, with their digests, so a change is there as a whole or not at all, and
//! damage is noticed. Files wait in [`NEW`] for their entry. Afterwards they move to the directory
//! where engines look for a table, and files of earlier versions move to [`OLD`]. Readers of the log
//! look in all of these places.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use jlanes::{Digest, Sha256};

use crate::{meta::now, stores::Listing};

/// The directories of entries, of files without an entry, and of files of earlier versions.
const LOG: &str = "log";
const NEW: &str = ".new";
const OLD: &str = "old";

/// The directory of a complete generation of version 0.3 that has not replaced the previous one yet.
const COMPLETE: &str = ".complete";

const FIRST: &str = "# jlanes-inventory 1";
const LAST: &str = "# sha256 of all above: ";

/// The parameters of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) locations: Vec<String>,
    pub(crate) algorithms: Vec<String>,
}

/// A file of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// SHA-256 in hexadecimal; files of version 0.3 have none before they are in a log.
    pub(crate) digest: Option<String>,
}

impl Part {
    /// A part with this content, under a unique name.
    pub(crate) fn new(version: u32, content: &[u8]) -> Self {
        let digest = hex(content);
        Self { name: format!("{version:04}-{}.parquet", &digest[..32]), digest: Some(digest) }
    }

    /// Whether the part's file exists where a new version would need it.
    fn is_there(&self, directory: &Path) -> bool {
        ["", NEW, COMPLETE].iter().any(|place| directory.join(place).join(&self.name).exists())
    }

    /// The content, checked against the digest.
    pub(crate) fn read(&self, directory: &Path) -> Result<Vec<u8>, String> {
        // it may move meanwhile
        let places = ["", NEW, OLD, COMPLETE, ""].map(|place| directory.join(place));
        let read = |place: &PathBuf| match read(&place.join(&self.name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            read => Some(read),
        };
        let path = directory.join(&self.name);
        let fail = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
        let content = places.iter().find_map(read).ok_or_else(|| fail(&"this file is missing"))?;
        let content = content.map_err(|error| fail(&error))?;
        match &self.digest {
            Some(digest) if *digest != hex(&content) => Err(fail(&"it is damaged")),
            Some(_) | None => Ok(content),
        }
    }
}

/// The SHA-256 of these bytes in hexadecimal.
fn hex(content: &[u8]) -> String {
    let digest: [u8; 32] = Sha256::digest(content).into();
    digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A version of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) number: u32,
    /// The number of entries.
    entries: u32,
    pub(crate) about: About,
    pub(crate) parts: Vec<Part>,
    /// The outcome of the listing; `None` while it is not finished.
    pub(crate) listing: Option<Listing>,
    /// Milliseconds since 1970.
    pub(crate) time: i64,
}

impl Version {
    /// A version without entries.
    pub(crate) fn new(
        number: u32,
        about: About,
        parts: Vec<Part>,
        listing: Option<Listing>,
    ) -> Self {
        Self { number, entries: 0, about, parts, listing, time: 0 }
    }
}

/// An entry of the log, as text.
fn encode(about: &About, parts: &[Part], listing: Option<&Listing>) -> String {
    let mut text = format!("{FIRST}\n# at {}\n", now());
    let mut line = |name: &str, value: &dyn std::fmt::Display| {
        let value = value.to_string().replace(char::is_control, " ");
        text += &format!("# {name} {value}\n");
    };
    about.locations.iter().for_each(|location| line("location", location));
    about.algorithms.iter().for_each(|algorithm| line("algorithm", algorithm));
    match listing {
        Some(Listing::Complete(objects)) => line("complete", objects),
        Some(Listing::Incomplete(reason)) => line("incomplete", reason),
        None => {}
    }
    for Part { name, digest } in parts {
        text += &format!("{}  {name}\n", digest.as_deref().unwrap_or_default());
    }
    let digest = hex(text.as_bytes());
    text + LAST + &digest + "\n"
}

/// Adds an entry to its version; `None` if it is damaged.
fn decode(text: &str, version: &mut Version) -> Option<()> {
    let (lines, digest) = text.strip_suffix('\n')?.rsplit_once(LAST)?;
    if hex(lines.as_bytes()) != digest {
        return None;
    }
    let mut about = About::default();
    let mut lines = lines.lines();
    lines.next().filter(|first| *first == FIRST)?;
    version.listing = None;
    for line in lines {
        let Some(line) = line.strip_prefix("# ") else {
            let (digest, name) = line.split_once("  ")?;
            if name.contains('/') || version_of(name).is_none() {
                return None;
            }
            version.parts.push(Part { name: name.into(), digest: Some(digest.into()) });
            continue;
        };
        let (name, value) = line.split_once(' ')?;
        match name {
            "at" => version.time = value.parse().ok()?,
            "location" => about.locations.push(value.into()),
            "algorithm" => about.algorithms.push(value.into()),
            "complete" => version.listing = Some(Listing::Complete(value.parse().ok()?)),
            "incomplete" => version.listing = Some(Listing::Incomplete(value.into())),
            _ => return None,
        }
    }
    version.about = about;
    Some(())
}

/// The name of an entry.
fn name(version: u32, entry: u32) -> String {
    format!("{version:04}-{entry:06}")
}

/// The numbers in the name of an entry, or of a file of version 0.3.
fn numbers(name: &str) -> Option<(u32, u32)> {
    let (version, entry) = name.split_once('-')?;
    Some((version.parse().ok()?, entry.parse().ok()?))
}

/// The names in a directory that may not exist, in order.
fn names(directory: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// The versions and numbers of all entries, in order.
fn entries(directory: &Path) -> io::Result<Vec<(u32, u32)>> {
    let names = names(&directory.join(LOG))?;
    let mut all: Vec<_> = names.iter().filter_map(|name| numbers(name)).collect();
    all.sort_unstable();
    Ok(all)
}

/// The numbers of all versions in a manifest, the oldest first.
pub(crate) fn versions(directory: &Path) -> io::Result<Vec<u32>> {
    let mut versions: Vec<u32> = entries(directory)?.iter().map(|(version, _)| *version).collect();
    versions.dedup();
    Ok(versions)
}

/// A version by its number, or the last one; `None` without a log.
pub(crate) fn open(directory: &Path, number: Option<u32>) -> Result<Option<Version>, String> {
    let log = directory.join(LOG);
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", log.display());
    // a file moves into place after its entry was written, so the directory is listed first
    let tables = names(directory).map_err(|error| fail(&error))?;
    let all = entries(directory).map_err(|error| fail(&error))?;
    let missing = || Err(fail(&"its last entries are missing"));
    let Some((last, _)) = all.last() else {
        let is_new = |name: &String| version_of(name).is_some() && !is_of_old(name);
        return if tables.iter().any(is_new) { missing() } else { Ok(None) };
    };
    let number = number.unwrap_or(*last);
    let mut version = Version::new(number, About::default(), Vec::new(), None);
    for (_, entry) in all.iter().filter(|(of, _)| *of == number) {
        if *entry != version.entries {
            return Err(fail(&format!("{} is missing", name(number, version.entries))));
        }
        let path = log.join(name(number, *entry));
        let text = read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8(text).ok();
        text.and_then(|text| decode(&text, &mut version))
            .ok_or_else(|| format!("{}: it is damaged", path.display()))?;
        version.entries += 1;
    }
    if version.entries == 0 {
        return Err(fail(&format!("there is no version {number}")));
    }
    let known: HashSet<&str> = version.parts.iter().map(|part| &*part.name).collect();
    if known.len() < version.parts.len() {
        return Err(fail(&format!("version {number} has a file twice")));
    }
    let is_lost = |name: &String| version_of(name) >= Some(*last) && !known.contains(&**name);
    if number == *last && tables.iter().any(is_lost) {
        return missing();
    }
    Ok(Some(version))
}

/// The version that a file was written for; `None` for a name that no part has.
fn version_of(name: &str) -> Option<u32> {
    name.strip_suffix(".parquet")?.split_once('-')?.0.parse().ok()
}

/// Whether version 0.3 wrote a file.
fn is_of_old(name: &str) -> bool {
    name.strip_suffix(".parquet").is_some_and(|name| numbers(name).is_some())
}

/// The parts of a manifest of version 0.3, in a directory without a log.
pub(crate) fn parts_without_log(directory: &Path) -> io::Result<(u32, Vec<Part>)> {
    let all = [names(directory)?, names(&directory.join(COMPLETE))?].concat();
    let number = |name: &str| numbers(name.strip_suffix(".parquet")?);
    let last = all.iter().filter_map(|name| Some(number(name)?.0)).max().unwrap_or_default();
    let is_last = |name: &String| number(name).is_some_and(|(generation, _)| generation == last);
    let names = all.into_iter().filter(is_last);
    Ok((last, names.map(|name| Part { name, digest: None }).collect()))
}

/// The exclusive right to change a manifest, until it is dropped.
pub(crate) struct Log {
    directory: PathBuf,
    _lock: File,
}

impl Log {
    /// Takes the right to change a manifest, or fails at once if another process has it.
    pub(crate) fn lock(directory: &Path) -> Result<Self, String> {
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", directory.display());
        let lock = || {
            fs::create_dir_all(directory)?;
            for place in [LOG, NEW, OLD, COMPLETE] {
                // files in these directories are removed and replaced
                if directory.join(place).is_symlink() {
                    return Err(io::Error::other(format!("'{place}' is a link")));
                }
            }
            let lock = directory.join(".lock");
            if lock.exists() && !lock.is_file() {
                return Err(io::Error::other("'.lock' is no file"));
            }
            // truncating could destroy the target of a link
            File::options().write(true).create(true).truncate(false).open(lock)
        };
        let lock = lock().map_err(|error| fail(&error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { directory: directory.into(), _lock: lock }),
            Err(fs::TryLockError::WouldBlock) => Err(fail(&"another process is changing it")),
            Err(fs::TryLockError::Error(error)) => {
                Err(fail(&format!("it cannot be locked: {error}")))
            }
        }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Makes a log for a manifest of version 0.3.
    pub(crate) fn adopt(&self, mut version: Version) -> Result<Version, String> {
        for part in &mut version.parts {
            part.digest = Some(hex(&part.read(&self.directory)?));
        }
        let (parts, listing) = (std::mem::take(&mut version.parts), version.listing.take());
        self.commit(version, parts, listing)
    }

    /// Removes files that a killed process left, and finishes what it had committed.
    pub(crate) fn clean(&self, version: Option<&Version>) -> Result<(), String> {
        let clean = || {
            version.map_or(Ok(()), |version| self.move_files(version))?;
            // only files with names of a manifest
            let is_own = |name: &String| version_of(name).is_some() || numbers(name).is_some();
            for name in names(&self.directory.join(NEW))?.into_iter().filter(is_own) {
                fs::remove_file(self.directory.join(NEW).join(name))?;
            }
            Ok(())
        };
        clean().map_err(|error: io::Error| format!("{}: {error}", self.directory.display()))
    }

    /// Writes a file that is not in the manifest yet.
    pub(crate) fn write(&self, version: u32, content: &[u8]) -> io::Result<Part> {
        let part = Part::new(version, content);
        write(&self.directory.join(NEW), &part.name, content)?;
        Ok(part)
    }

    /// Adds an entry with these files to a version, and returns the new version.
    pub(crate) fn commit(
        &self,
        mut version: Version,
        parts: Vec<Part>,
        listing: Option<Listing>,
    ) -> Result<Version, String> {
        let commit = || {
            let (log, new) = (self.directory.join(LOG), self.directory.join(NEW));
            if let Some(part) = parts.iter().find(|part| !part.is_there(&self.directory)) {
                let reason = format!("{} has gone: locks do not work here", part.name);
                return Err(io::Error::other(reason));
            }
            let name = name(version.number, version.entries);
            let text = encode(&version.about, &parts, listing.as_ref());
            write(&new, &name, text.as_bytes())?;
            sync(&new)?;
            fs::create_dir_all(&log)?;
            // unlike a rename, a link replaces no file
            fs::hard_link(new.join(&name), log.join(&name)).map_err(|error| {
                io::Error::other(format!("an entry of the log cannot be linked: {error}"))
            })?;
            sync(&log)?;
            sync(&self.directory)?;
            fs::remove_file(new.join(name))
        };
        let fail = |error: io::Error| format!("{}: {error}", self.directory.display());
        commit().map_err(fail)?;
        version.entries += 1;
        version.parts.extend(parts);
        version.listing = listing;
        self.move_files(&version).map_err(fail)?;
        Ok(version)
    }

    /// Moves the files of this version to the directory, and those of earlier versions out of it.
    fn move_files(&self, version: &Version) -> io::Result<()> {
        let current: HashSet<&str> = version.parts.iter().map(|part| &*part.name).collect();
        let is_current = |name: &String| current.contains(&**name);
        for place in [NEW, COMPLETE] {
            let place = self.directory.join(place);
            for name in names(&place)?.into_iter().filter(is_current) {
                fs::rename(place.join(&name), self.directory.join(name))?;
            }
        }
        let old = self.directory.join(OLD);
        for name in names(&self.directory)?.into_iter().filter(|name| !is_current(name)) {
            if version_of(&name).is_some_and(|of| of <= version.number) {
                fs::create_dir_all(&old)?;
                fs::rename(self.directory.join(&name), old.join(name))?;
            }
        }
        sync(&self.directory)
    }
}

/// Reads a file. A pipe or a device might never end.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::metadata(path)?.is_file() {
        true => fs::read(path),
        false => Err(io::Error::other("it is no file")),
    }
}

/// Writes a new file, and waits until it is on the disk.
fn write(directory: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut file = File::create_new(directory.join(name))?;
    file.write_all(content)?;
    file.sync_all()
}

/// Makes the names in a directory survive a power failure.
fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}
