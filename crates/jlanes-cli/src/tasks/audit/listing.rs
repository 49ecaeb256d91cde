//! [`Listing`]: the contents of lists, by the paths of their files.
//!
//! An audit or an update asks for each file on the disk whether a list has it, under any spelling of its path.

use std::{
    collections::HashMap,
    env,
    ffi::OsString,
    hash::{BuildHasher, RandomState},
    ops::Range,
};

use jlanes_files::{
    Computation, Job,
    lists::{Entry, normalized_path},
};

use crate::{
    lists::{AcceptedDigests, Directories, ListItem, NameRules, reader},
    report::{Console, Details, details},
    system,
};

/// The contents of lists. An audit keeps them in memory; a check does not.
#[derive(Default)]
pub(crate) struct Listing {
    /// The row of each file by the hash of its path, or by the next free key if another file has taken that.
    index: HashMap<u64, usize>,
    hashes: RandomState,
    files: Vec<ListedFile>,
    /// All digests. Those of a file are adjacent, each once.
    claims: Vec<Claim>,
    computations: Vec<Computation>,
    /// The number of each computation, by its tag.
    numbers: HashMap<String, usize>,
    /// The identities of the lists' own files, which no list needs to contain.
    lists: Vec<(u64, u64)>,
    spellings: PathSpellings,
    malformed: u64,
}

/// The other spellings that lists may have for our files.
#[derive(Default)]
pub(crate) struct PathSpellings {
    /// The spellings of the working directory, if a list has absolute names.
    here: Vec<Vec<u8>>,
    has_relative: bool,
}

impl PathSpellings {
    /// Adds the spellings that a path of a list shows.
    pub(crate) fn add(&mut self, path: &[u8]) {
        if !system::is_absolute(path) {
            self.has_relative = true;
        } else if self.here.is_empty() {
            self.here = here();
        }
    }

    /// The row of the file called `name`, under any spelling. `find` returns the rows of plain paths.
    pub(crate) fn row(&self, name: &[u8], find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
        if let Some(row) = find(name) {
            return Some(row);
        }
        let name = normalized_path(name);
        let absolute = || {
            let relative = !system::is_absolute(&name);
            let spellings = self.here.iter().filter(|_| relative);
            spellings.map(|here| [here, &name[..]].concat()).find_map(|name| find(&name))
        };
        let relative = || {
            let here =
                if self.has_relative && system::is_absolute(&name) { here() } else { Vec::new() };
            here.iter().find_map(|here| find(name.strip_prefix(&here[..])?))
        };
        find(&name).or_else(absolute).or_else(relative)
    }
}

/// A file in lists.
pub(crate) struct ListedFile {
    /// Its name in the first line about it.
    pub(crate) name: Box<[u8]>,
    /// Its [normalized](normalized_path) path, if that differs from the name.
    path: Option<Box<[u8]>>,
    size: ListedSize,
    claims: Range<usize>,
}

/// The size of a file according to lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListedSize {
    Unknown,
    Known(u64),
    /// Lines have different sizes.
    Contradictory,
}

/// A digest that a line claims for a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Claim {
    file: usize,
    pub(crate) computation: usize,
    pub(crate) digest: Box<[u8]>,
    /// Whether the line leaves open which of its digests is meant.
    pub(crate) any_suffices: bool,
}

impl ListedFile {
    fn path(&self) -> &[u8] {
        self.path.as_deref().unwrap_or(&self.name)
    }
}

/// An error that makes an audit useless.
pub(crate) struct UnusableLists;

impl Listing {
    /// Reads lists, and reports malformed lines. The flag means that all lines are well-formed.
    ///
    /// # Errors
    /// If a list cannot be read, or all of its lines are malformed, so that every file would be new.
    pub(crate) fn read(
        paths: Vec<OsString>,
        accepted: AcceptedDigests,
        console: &Console,
    ) -> Result<(Self, bool), UnusableLists> {
        let lists = paths.iter().filter_map(|path| identity(&system::bytes(path))).collect();
        let names = accepted.names.clone();
        let mut listing = Self { lists, ..Self::default() };
        let (mut good, mut usable) = (true, true);
        let (mut any, mut malformed) = (false, false);
        for Job { payload, .. } in reader::jobs(paths, accepted, Vec::new(), Directories::None) {
            match payload {
                ListItem::File(entry) | ListItem::Sized(entry, _) => {
                    any = true;
                    listing.add(entry, &names);
                }
                ListItem::Malformed { list, line, refused, .. } => {
                    malformed = true;
                    listing.malformed += 1;
                    let why = match refused {
                        Some(why) => format!("refused: {why}"),
                        None => "improperly formatted checksum line".to_owned(),
                    };
                    console.say_about(&list, format!("{line}: {why}"));
                }
                ListItem::End { list, hint, .. } => {
                    if let Some(hint) = hint {
                        console.say_about(&list, hint);
                    }
                    good &= !malformed;
                    if malformed && !any {
                        usable = false;
                        console.say_about(&list, "no properly formatted checksum lines found");
                    }
                    (any, malformed) = (false, false);
                }
                ListItem::Unreadable { list, error } => {
                    usable = false;
                    console.report_error(&list, &error);
                }
                // lists with directories are refused
                ListItem::Absent { .. } | ListItem::Member(_) | ListItem::Directory(_) => {}
            }
        }
        listing.sort();
        if usable { Ok((listing, good)) } else { Err(UnusableLists) }
    }

    /// Adds the claims of a line.
    fn add(&mut self, entry: Entry, names: &NameRules) {
        let Entry { name, digests, any_suffices, size, .. } = entry;
        let path = names.path(&name);
        let is_plain = |part: &[u8]| !matches!(part, b"" | b".");
        let path = match path.split(|byte| *byte == b'/').all(is_plain) {
            true => path,
            false => normalized_path(&path).into(),
        };
        self.spellings.add(&path);
        let next = self.files.len();
        let (found, path) = (self.find(&path), (*path != name[..]).then(|| (*path).into()));
        let row = found.unwrap_or_else(|key| {
            self.index.insert(key, next);
            self.files.push(ListedFile {
                name: name.into(),
                path,
                size: ListedSize::Unknown,
                claims: 0..0,
            });
            next
        });
        let known = &mut self.files[row].size;
        *known = match (*known, size) {
            (known, None) => known,
            (ListedSize::Unknown, Some(size)) => ListedSize::Known(size),
            (ListedSize::Known(known), Some(size)) if known == size => ListedSize::Known(size),
            _ => ListedSize::Contradictory,
        };
        for (computation, digest) in digests {
            let computation = self.number(computation);
            self.claims.push(Claim { file: row, computation, digest: digest.into(), any_suffices });
        }
    }

    fn number(&mut self, computation: Computation) -> usize {
        let next = self.computations.len();
        // most lists have a single computation
        if self.computations.last() == Some(&computation) {
            return next - 1;
        }
        let number = *self.numbers.entry(computation.tag()).or_insert(next);
        if number == next {
            self.computations.push(computation);
        }
        number
    }

    /// The row of the file at a plain path, or else the key for a new row.
    fn find(&self, path: &[u8]) -> Result<usize, u64> {
        let mut key = self.hashes.hash_one(path);
        loop {
            match self.index.get(&key) {
                None => return Err(key),
                Some(row) if self.files[*row].path() == path => return Ok(*row),
                Some(_) => key = key.wrapping_add(1),
            }
        }
    }

    /// Makes the claims about a file adjacent.
    fn sort(&mut self) {
        self.claims.sort_unstable();
        self.claims.dedup();
        let mut start = 0;
        for part in self.claims.chunk_by(|a, b| a.file == b.file) {
            self.files[part[0].file].claims = start..start + part.len();
            start += part.len();
        }
    }

    /// The row of the file called `name`, under any spelling.
    pub(crate) fn row(&self, name: &[u8]) -> Option<usize> {
        self.spellings.row(name, |path| self.find(path).ok())
    }

    pub(crate) fn files(&self) -> &[ListedFile] {
        &self.files
    }

    /// The paths of all files, each with its row.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&[u8], usize)> {
        self.files.iter().enumerate().map(|(row, file)| (file.path(), row))
    }

    /// The claims about a file, sorted by computation.
    pub(crate) fn claims(&self, file: usize) -> &[Claim] {
        &self.claims[self.files[file].claims.clone()]
    }

    /// The claim by which a missing file is searched for.
    pub(crate) fn search_claim(&self, file: usize) -> Option<&Claim> {
        let claims = self.claims(file);
        // if a line leaves open which digest is meant, the likelier comes first
        claims.iter().rfind(|claim| !claim.any_suffices).or(claims.first())
    }

    /// The details of a claim for a verdict.
    pub(crate) fn details(&self, claim: &Claim) -> Details<'static> {
        details(self.computation(claim.computation), &claim.digest)
    }

    /// The number of malformed lines.
    pub(crate) fn malformed(&self) -> u64 {
        self.malformed
    }

    pub(crate) fn computation(&self, number: usize) -> &Computation {
        &self.computations[number]
    }

    /// Whether the lists allow `len` bytes.
    pub(crate) fn allows_size(&self, file: usize, len: u64) -> bool {
        match self.files[file].size {
            ListedSize::Unknown => true,
            ListedSize::Known(size) => size == len,
            ListedSize::Contradictory => false,
        }
    }

    /// Whether `name` is the file of one of the lists.
    pub(crate) fn is_list(&self, name: &[u8]) -> bool {
        identity(name).is_some_and(|id| self.lists.contains(&id))
    }
}

/// The device of a file and its number there.
fn identity(name: &[u8]) -> Option<(u64, u64)> {
    system::stat(name).ok().map(|stat| stat.identity)
}

/// The working directory with a slash: the system's path, and the one that the shell used.
pub(super) fn here() -> Vec<Vec<u8>> {
    let real = env::current_dir().ok().map(|path| system::into_bytes(path.into()));
    let mut here: Vec<_> = real.into_iter().collect();
    if let Some(shells) = env::var_os("PWD").map(system::into_bytes)
        && here.first().is_some_and(|real| *real != shells && identity(real) == identity(&shells))
    {
        here.push(shells);
    }
    let with_slash = |path: Vec<u8>| [&normalized_path(&path)[..], b"/"].concat();
    here.into_iter().map(with_slash).collect()
}
