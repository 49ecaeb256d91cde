//! One digest for a directory, as Go and git make it.

use std::{ffi::OsString, io, os::unix::ffi::OsStrExt, sync::Arc};

use clap::ValueEnum;
use jlanes::{
    Sha256,
    digest::Output,
    merkle::{self, GitEntry, GitMode},
};
use rustix::{
    fs::{FileType, lstat, stat},
    io::Errno,
};

use crate::{
    files::{Files, Found, Operands, Rules, found, read::Target},
    hash::{Job, Outcome, Payload, Scheme, Sink, What, Work},
    lists::line,
    report::{Destination, Notice, Voice, output},
};

/// Whose digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DirHash {
    /// Go's, as in go.sum.
    H1,
    /// The id of git's tree, in a repository of SHA-256.
    GitSha256,
}

/// What comes up in a directory.
pub(crate) enum Met {
    File(Member),
    Failed {
        path: Vec<u8>,
        error: io::Error,
    },
    /// The end of the directory that is called so.
    End(Vec<u8>),
}

/// A file in a directory.
pub(crate) struct Member {
    path: Vec<u8>,
    /// Bytes of the directory's own path, with a slash.
    root: usize,
    mode: GitMode,
}

impl Member {
    fn name(&self) -> &[u8] {
        &self.path[self.root..]
    }
}

/// The files in the directories that `operands` name, each directory followed by its end.
pub(crate) fn jobs(
    operands: Operands,
    rules: Rules,
    hash: DirHash,
) -> impl Iterator<Item = Job<Met>> + Send {
    let rules = Arc::new(rules);
    let schemes: Arc<[Scheme]> = Arc::new([Scheme::plain(What::SHA256)]);
    operands.into_iter().flat_map(move |operand| {
        let name = match &operand {
            Ok(name) => name.as_bytes().to_vec(),
            Err((place, _)) => place.clone(),
        };
        let schemes = Arc::clone(&schemes);
        let root = name.len() + usize::from(!name.ends_with(b"/"));
        let files = Files::of(operand.map(through_link), &rules);
        let files = files.map(move |(path, found)| match found {
            Found::File(_) if path.len() < root => {
                let error = stat(&path[..]).map_or_else(|error| error, |_| Errno::NOTDIR);
                failed(path, error.into())
            }
            Found::Failed(error) => failed(path, error),
            Found::File(target) => match followed(hash, target, &path) {
                Ok((mode, target)) => Job {
                    payload: Met::File(Member { path, root, mode }),
                    work: Some(Work { schemes: Arc::clone(&schemes), target }),
                },
                Err(error) => failed(path, error),
            },
        });
        files.chain([Job { payload: Met::End(name), work: None }])
    })
}

/// `operand`, as a path that leads through it where it is a symbolic link itself.
fn through_link(mut operand: OsString) -> OsString {
    let is_link = lstat(&operand)
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink);
    if is_link {
        operand.push("/");
    }
    operand
}

fn failed(path: Vec<u8>, error: io::Error) -> Job<Met> {
    Job { payload: Met::Failed { path, error }, work: None }
}

/// What is hashed for the file at `path`: where Go meets a symbolic link in a directory, it takes
/// the file behind it, and fails if that is none.
fn followed(hash: DirHash, target: Target, path: &[u8]) -> io::Result<(GitMode, Target)> {
    let mode = mode(path)?;
    let is_go_link = hash == DirHash::H1 && mode == GitMode::Link;
    Ok((mode, if is_go_link { found::target(path)? } else { target }))
}

fn mode(path: &[u8]) -> io::Result<GitMode> {
    let stat = lstat(path)?;
    Ok(match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => GitMode::Link,
        _ if stat.st_mode & 0o100 != 0 => GitMode::Executable,
        _ => GitMode::File,
    })
}

/// Prints the digests of directories.
pub(crate) struct Binder<'v> {
    voice: &'v Voice,
    hash: DirHash,
    /// The directory's files so far.
    members: Vec<(Member, Output<Sha256>)>,
    /// Whether all of them could be read.
    whole: bool,
    output: output::Output,
    /// Whether every directory has its digest.
    pub(crate) all_good: bool,
}

impl<'v> Binder<'v> {
    pub(crate) fn new(voice: &'v Voice, hash: DirHash, to: Destination) -> Self {
        let output = output::Output::new(to);
        Self { voice, hash, members: Vec::new(), whole: true, output, all_good: true }
    }

    fn complain(&mut self, path: &[u8], error: &io::Error) -> io::Result<()> {
        if !Notice::is(error) {
            (self.whole, self.all_good) = (false, false);
        }
        self.output.flush()?;
        self.voice.complain(path, error);
        Ok(())
    }

    fn end(&mut self, name: &[u8]) -> io::Result<()> {
        let members = std::mem::take(&mut self.members);
        if !std::mem::replace(&mut self.whole, true) {
            return Ok(());
        }
        let digest = match self.hash {
            DirHash::H1 => h1(&members),
            DirHash::GitSha256 => tree(&members, 0).map(hex::encode).map_err(io::Error::other),
        };
        match digest {
            Ok(digest) => self.output.line(|out| {
                let escaped = line::needs_escape(name);
                out.extend_from_slice(if escaped { b"\\" } else { b"" });
                out.extend_from_slice(digest.as_bytes());
                out.extend_from_slice(b"  ");
                out.extend_from_slice(&line::escape(name));
                out.push(b'\n');
            }),
            Err(error) => {
                self.complain(name, &error)?;
                self.whole = true;
                Ok(())
            }
        }
    }
}

impl Payload for Met {
    fn weight(&self) -> usize {
        match self {
            Self::File(Member { path, .. }) | Self::Failed { path, .. } | Self::End(path) => {
                path.len()
            }
        }
    }
}

impl Sink<Met> for Binder<'_> {
    fn accept(&mut self, met: Met, outcome: Option<Outcome>) -> io::Result<()> {
        match (met, outcome) {
            (Met::File(member), Some(outcome)) => {
                self.output.notice(self.voice, &member.path, outcome.changed)?;
                self.all_good &= !outcome.changed;
                match outcome.only_digest() {
                    Ok(digest) => {
                        let digest = Output::<Sha256>::try_from(&digest[..]);
                        self.members.push((member, digest.expect("SHA-256 has 32 bytes")));
                        Ok(())
                    }
                    Err(error) => self.complain(&member.path, &error),
                }
            }
            (Met::File(_), None) => Ok(()),
            (Met::Failed { path, error }, _) => self.complain(&path, &error),
            (Met::End(name), _) => self.end(&name),
        }
    }

    fn pause(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

fn h1(members: &[(Member, Output<Sha256>)]) -> io::Result<String> {
    let named = |(member, digest): &'_ (Member, Output<Sha256>)| {
        let name = str::from_utf8(member.name()).ok()?.to_owned();
        Some((name, *digest))
    };
    let named: Option<Vec<_>> = members.iter().map(named).collect();
    let named = named.ok_or_else(|| io::Error::other("a name in it is no UTF-8"))?;
    let named = named.iter().map(|(name, digest)| (&name[..], *digest));
    merkle::go_h1_of_digests(named).map_err(io::Error::other)
}

/// The id of git's tree of `members`, all below a directory whose path, with a slash, has `prefix`
/// bytes of their names. Members of one directory follow each other.
fn tree(
    members: &[(Member, Output<Sha256>)],
    prefix: usize,
) -> Result<Output<Sha256>, merkle::Error> {
    let mut entries = Vec::new();
    let mut rest = members;
    while let Some((member, id)) = rest.first() {
        let name = &member.name()[prefix..];
        let Some(slash) = name.iter().position(|byte| *byte == b'/') else {
            entries.push(GitEntry { mode: member.mode, name, id: *id });
            rest = &rest[1..];
            continue;
        };
        let dir = &member.name()[..=prefix + slash];
        let below = rest.iter().take_while(|(member, _)| member.name().starts_with(dir)).count();
        let id = tree(&rest[..below], dir.len())?;
        entries.push(GitEntry { mode: GitMode::Tree, name: &name[..slash], id });
        rest = &rest[below..];
    }
    merkle::git_tree_id::<Sha256>(&entries)
}
