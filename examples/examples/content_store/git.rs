//! Ids of files in a git repository with SHA-256 object ids.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use jlanes::{Sha256, digest::Output, merkle};
use walkdir::WalkDir;

/// The regular files below a directory.
pub(crate) fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    let walk = WalkDir::new(directory).sort_by_file_name().into_iter();
    let walk = walk.filter_entry(|entry| entry.file_name() != ".git");
    let files = walk.filter(|entry| !entry.as_ref().is_ok_and(|e| !e.file_type().is_file()));
    Ok(files.map(|entry| entry.map(walkdir::DirEntry::into_path)).collect::<Result<_, _>>()?)
}

/// The ids of files, on lanes.
pub(crate) fn ids(files: &[PathBuf]) -> Result<Vec<[u8; 32]>> {
    let contents = files.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
    let mut ids = vec![Output::<Sha256>::default(); files.len()];
    merkle::git_blob_ids::<Sha256>(&contents, &mut ids);
    Ok(ids.into_iter().map(Into::into).collect())
}

/// The tool's name and version, if it is installed and supports SHA-256; creates a repository for
/// it.
pub(crate) fn tool(repository: &Path) -> Option<String> {
    let init = ["init", "--quiet", "--bare", "--object-format=sha256"];
    let init = Command::new("git").args(init).arg(repository).output().ok()?;
    let version = Command::new("git").arg("--version").output().ok()?;
    let version = String::from_utf8(version.stdout).ok()?;
    init.status.success().then(|| version.trim().replace("version ", ""))
}

/// The ids of files, by the tool.
pub(crate) fn by_tool(repository: &Path, files: &[PathBuf]) -> Result<Vec<[u8; 32]>> {
    let mut child = Command::new("git")
        .env("GIT_DIR", repository)
        .args(["hash-object", "--no-filters", "--stdin-paths"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().context("a pipe")?;
    let mut paths = String::new();
    for file in files {
        let path = file.to_str().filter(|path| !path.contains('\n'));
        paths += path.context("a path in UTF-8, on one line")?;
        paths.push('\n');
    }
    // git answers while it reads, so a thread has to read its answers meanwhile
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(paths.as_bytes()));
        child.wait_with_output()
    })?;
    ensure!(output.status.success(), "git hash-object failed");
    crate::hex_lines(&output.stdout)
}
