//! `git_pack` on packs that git has made.

use std::{fs, path::Path, process::Command};

use jlanes_testing::message;

use crate::programs::{directory, printed, run};

/// Runs git in `repository`; returns what it prints.
fn git(repository: &Path, args: &[&str]) -> String {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    let output = Command::new("git").args(identity).args(args).current_dir(repository).output();
    let output = output.expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

/// A repository in which all objects are in one pack, and the pack.
fn packed(files: &[(&str, &[u8])]) -> (tempfile::TempDir, std::path::PathBuf) {
    let repository = directory(files);
    let at = repository.path();
    git(at, &["init", "--quiet", "--object-format=sha1"]);
    for version in 0..5_u64 {
        // versions that are deltas of each other
        let mut text = message(1, 20_000);
        text[(version * 3000) as usize..][..100].copy_from_slice(&message(version, 100));
        fs::write(at.join("changed"), text).expect("a file");
        git(at, &["add", "--all"]);
        git(at, &["commit", "--quiet", "--message", &format!("version {version}")]);
    }
    git(at, &["tag", "--annotate", "--message", "a tag", "v1"]);
    git(at, &["repack", "-a", "-d", "--quiet"]);
    let packs = fs::read_dir(at.join(".git/objects/pack")).expect("packs");
    let mut packs = packs.map(|entry| entry.expect("a pack").path());
    let pack = packs.find(|path| path.extension().is_some_and(|end| end == "pack"));
    (repository, pack.expect("a pack"))
}

#[test]
fn every_object_of_a_pack_has_its_name() {
    let files: Vec<(String, Vec<u8>)> =
        (0..200).map(|i| (format!("d/{i}"), message(i, 7 * i as usize))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (&**name, &text[..])).collect();
    let (repository, pack) = packed(&files);
    let count = git(repository.path(), &["rev-list", "--all", "--objects"]).lines().count();
    let pack = pack.to_str().expect("UTF-8");
    let printed = printed("git_pack", &[pack], repository.path(), "");
    assert_eq!(printed, format!("{count} objects, 0 wrong\n"));
    let listed = git(repository.path(), &["verify-pack", "-v", pack]);
    assert!(listed.contains("chain length = 1"), "no deltas:\n{listed}");
}

#[test]
fn a_changed_object_has_another_digest() {
    let (repository, pack) = packed(&[("file", b"text")]);
    let index = pack.with_extension("idx");
    let mut bytes = fs::read(&index).expect("an index");
    // a name in the index
    bytes[8 + 4 * 256 + 7] ^= 1;
    fs::remove_file(&index).expect("git makes it read-only");
    fs::write(&index, bytes).expect("an index");
    let output = run("git_pack", &[pack.to_str().expect("UTF-8")], repository.path(), "");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with(", 1 wrong\n"));
}
