//! The digest of a directory: Go's, git's, and j-pointers over its files.
//!
//! A walk yields the members of a directory, which are hashed as all files are, and then the directory's end.
//! [`DirectoryDigest`] collects the members' digests and makes the directory's of them at the end.

use std::{ffi::CString, io, sync::Arc};

use base64ct::{Base64, Encoding as _};
use jlanes::{
    Algorithm, Backend, Sha256,
    algorithm::Kind,
    digest::Output,
    merkle::{self, GitEntry, GitMode},
};
use jlanes_files::{Computation, DirHash, Job, Outcome, Payload, Rules, Target, Work};

use super::JPointersHasher;
use crate::{
    files::{Operand, OperandFile, files_of},
    system::{self, FileKind, lstat, stat},
};

/// An item of a walk through a directory.
pub(crate) enum DirectoryItem {
    File(Member),
    Failed {
        path: Vec<u8>,
        error: io::Error,
    },
    /// The end of the directory with this name.
    End(Vec<u8>),
}

impl DirectoryItem {
    pub(crate) fn path(&self) -> &[u8] {
        match self {
            Self::File(Member { path, .. }) | Self::Failed { path, .. } | Self::End(path) => path,
        }
    }
}

impl Payload for DirectoryItem {
    fn weight(&self) -> usize {
        self.path().len()
    }
}

/// A file in a directory.
pub(crate) struct Member {
    path: Vec<u8>,
    /// The length of the directory's own path, with a slash.
    root_len: usize,
    mode: GitMode,
}

impl Member {
    fn name(&self) -> &[u8] {
        &self.path[self.root_len..]
    }
}

/// Whether `computation` can be the digest of a directory.
pub(crate) fn is_for_directories(computation: &Computation) -> bool {
    let is_list = matches!(computation.kind(), Some(Kind::JPointers { .. }));
    is_list || matches!(computation, Computation::Directory(_))
}

/// The files in the directory `operand`, chosen by `rules`, followed by the directory's end.
pub(crate) fn jobs(
    operand: Operand,
    rules: &Rules,
    computation: &Computation,
) -> impl Iterator<Item = Job<DirectoryItem>> + Send + use<> {
    let hash = if let Computation::Directory(hash) = computation { Some(*hash) } else { None };
    let computations: Arc<[Computation]> = match hash {
        Some(_) => Arc::new([Algorithm::SHA256.into()]),
        None => Arc::new([computation.clone()]),
    };
    let rules = Rules {
        recurse: true,
        // Go and git have an entry for a link, even if its target is missing
        hash_links: rules.hash_links || (hash.is_some() && !rules.follow),
        git: hash == Some(DirHash::GitSha256),
        ..rules.clone()
    };
    let name = match &operand {
        Ok(name) => name.clone(),
        Err((place, _)) => place.clone(),
    };
    let root_len = name.len() + usize::from(!name.ends_with(b"/"));
    let files = files_of(operand.map(through_link), &Arc::new(rules));
    let files = files.map(move |(path, found)| match found {
        OperandFile::File(_) if path.len() < root_len => {
            let error = stat(&path).map_or_else(|error| error, |_| system::not_a_directory());
            failed(path, error)
        }
        OperandFile::Failed(error) => failed(path, error),
        OperandFile::File(target) => match followed(hash, target, &path) {
            Ok((mode, target)) => Job {
                payload: DirectoryItem::File(Member { path, root_len, mode }),
                work: Some(Work { computations: Arc::clone(&computations), target }),
            },
            Err(error) => failed(path, error),
        },
    });
    files.chain([Job { payload: DirectoryItem::End(name), work: None }])
}

/// `operand` as a path that leads through it, if it is a symbolic link.
fn through_link(mut operand: Vec<u8>) -> Vec<u8> {
    if lstat(&operand).is_ok_and(|stat| stat.kind == FileKind::Link) {
        operand.push(b'/');
    }
    operand
}

fn failed(path: Vec<u8>, error: io::Error) -> Job<DirectoryItem> {
    Job { payload: DirectoryItem::Failed { path, error }, work: None }
}

/// The target to hash for the file at `path`. Go hashes the file behind a symbolic link in a directory,
/// and fails if there is no file.
fn followed(hash: Option<DirHash>, target: Target, path: &[u8]) -> io::Result<(GitMode, Target)> {
    if hash.is_none() {
        return Ok((GitMode::File, target));
    }
    let mode = mode(path)?;
    let is_go_link = hash == Some(DirHash::H1) && mode == GitMode::Link;
    // opening a FIFO would wait for its writer
    if is_go_link {
        stat(path)?.regular_size()?;
    }
    let followed = || {
        let path = CString::new(path)?;
        io::Result::Ok(Target::Walked { dir: None, path, follow: true, git: false })
    };
    Ok((mode, if is_go_link { followed()? } else { target }))
}

/// The mode that git's tree has for the file or the link at `path`.
fn mode(path: &[u8]) -> io::Result<GitMode> {
    let stat = lstat(path)?;
    Ok(match stat.kind {
        FileKind::Link => GitMode::Link,
        _ if stat.is_executable => GitMode::Executable,
        _ => GitMode::File,
    })
}

/// The digest of a directory in the making.
#[derive(Default)]
pub(crate) struct DirectoryDigest {
    members: Vec<(Member, Vec<u8>)>,
    lens: Vec<u64>,
}

impl DirectoryDigest {
    /// Adds an item of the walk. Returns the path of a file without a digest, and the error.
    pub(crate) fn add(
        &mut self,
        item: DirectoryItem,
        outcome: Option<Outcome>,
    ) -> Option<(Vec<u8>, io::Error)> {
        let (member, outcome) = match (item, outcome) {
            (DirectoryItem::File(member), Some(outcome)) => (member, outcome),
            (DirectoryItem::Failed { path, error }, _) => return Some((path, error)),
            (DirectoryItem::File(_) | DirectoryItem::End(_), _) => return None,
        };
        let len = outcome.len;
        match outcome.only_digest() {
            Ok(digest) => {
                self.members.push((member, digest.into_vec()));
                self.lens.push(len);
                None
            }
            Err(error) => Some((member.path, error)),
        }
    }

    /// The directory's digest.
    ///
    /// # Errors
    /// If a name cannot be part of the digest.
    pub(crate) fn finish(self, computation: &Computation, backend: Backend) -> io::Result<Vec<u8>> {
        let Computation::Directory(hash) = computation else {
            let mut list =
                JPointersHasher::new(computation).expect("the computation is one of directories");
            for ((_, digest), len) in self.members.iter().zip(self.lens) {
                list.push(digest, len);
            }
            return Ok(list.finish(backend).into());
        };
        let sha256 = |(member, digest): (Member, Vec<u8>)| {
            let digest = Output::<Sha256>::try_from(&digest[..]);
            (member, digest.expect("SHA-256 has 32 bytes"))
        };
        let members: Vec<_> = self.members.into_iter().map(sha256).collect();
        match hash {
            DirHash::H1 => h1(&members),
            DirHash::GitSha256 => tree(&members, 0).map(|id| id.to_vec()).map_err(io::Error::other),
        }
    }
}

type MemberDigest = (Member, Output<Sha256>);

/// The digest after `h1:`.
fn h1(members: &[MemberDigest]) -> io::Result<Vec<u8>> {
    let named = |(member, digest): &'_ MemberDigest| {
        let name = str::from_utf8(member.name()).ok()?.to_owned();
        Some((name, *digest))
    };
    let named: Option<Vec<_>> = members.iter().map(named).collect();
    let named = named.ok_or_else(|| io::Error::other("a name in it is no UTF-8"))?;
    let named = named.iter().map(|(name, digest)| (&name[..], *digest));
    let text = merkle::go_h1_of_digests(named).map_err(io::Error::other)?;
    let digest = text.strip_prefix("h1:").and_then(|text| Base64::decode_vec(text).ok());
    Ok(digest.expect("h1 is base64"))
}

/// The id of git's tree of `members`. All are below one directory, the first `prefix` bytes of their
/// names, slash included. Members of the same directory are adjacent.
fn tree(members: &[MemberDigest], prefix: usize) -> Result<Output<Sha256>, merkle::Error> {
    let mut entries = Vec::new();
    let mut unplaced = members;
    while let Some((member, id)) = unplaced.first() {
        let name = &member.name()[prefix..];
        let Some(slash) = name.iter().position(|byte| *byte == b'/') else {
            entries.push(GitEntry { mode: member.mode, name, id: *id });
            unplaced = &unplaced[1..];
            continue;
        };
        let dir = &member.name()[..=prefix + slash];
        let below =
            unplaced.iter().take_while(|(member, _)| member.name().starts_with(dir)).count();
        let id = tree(&unplaced[..below], dir.len())?;
        entries.push(GitEntry { mode: GitMode::Tree, name: &name[..slash], id });
        unplaced = &unplaced[below..];
    }
    merkle::git_tree_id::<Sha256>(&entries)
}
