//! Digests of directories: Go's, by a known answer, and git's, by git.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use crate::common::{Scratch, paint, run};

#[test]
fn go_has_the_same_digest() {
    let scratch = Scratch::new();
    scratch.write("d/a/x", "hi\n");
    scratch.write("d/b", "");
    let expected = "h1:zfnjV891yKYYbtB2zZFnx/hwZKEMosZP5aJhWjZirb4=";
    let ran = scratch.sum(&["--dirhash=h1", "d", "d/"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    assert_eq!(ran.out(), format!("{expected}  d\n{expected}  d/\n"));
}

#[test]
fn go_takes_the_files_behind_links_and_no_directories() {
    let scratch = Scratch::new();
    scratch.write("d/a/x", "hi\n");
    scratch.write("outside", "");
    symlink("../outside", scratch.at("d/b")).unwrap();
    symlink("d", scratch.at("link")).unwrap();
    let expected = "h1:zfnjV891yKYYbtB2zZFnx/hwZKEMosZP5aJhWjZirb4=";
    let ran = scratch.sum(&["--dirhash=h1", "d", "link", "link/"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    assert_eq!(ran.out(), format!("{expected}  d\n{expected}  link\n{expected}  link/\n"));
    symlink("a", scratch.at("d/c")).unwrap();
    symlink("nowhere", scratch.at("d/d")).unwrap();
    let ran = scratch.sum(&["--dirhash=h1", "d", "d/a"]);
    assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 1));
    let told = "jlanes-sum: d/c: Is a directory\njlanes-sum: d/d: No such file or directory\n";
    assert_eq!(ran.err(), told);
}

#[test]
fn directories_that_have_no_digest_are_told() {
    let scratch = Scratch::new();
    scratch.write("d/x", "x");
    scratch.write(b"bad/\xff", "x");
    let ran = scratch.sum(&["--dirhash=h1", "d/x", "missing", "bad", "d"]);
    assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 1));
    assert_eq!(
        ran.err(),
        "jlanes-sum: d/x: Not a directory\n\
         jlanes-sum: missing: Not a directory\n\
         jlanes-sum: bad: a name in it is no UTF-8\n"
            .replace("missing: Not a directory", "missing: No such file or directory")
    );
    assert_eq!(scratch.sum(&["--dirhash=h1", "-a", "sha512", "d"]).code, Some(1));
}

#[test]
fn git_has_the_same_tree() {
    let scratch = Scratch::new();
    for (i, name) in ["a.b", "a/x", "a/b/c", "a0", "new\nline", "empty"].iter().enumerate() {
        scratch.write(format!("d/{name}"), paint(i * 20_000));
    }
    scratch.write("d/large", paint(3 << 20));
    scratch.write("d/run", "#!/bin/sh\n");
    fs::set_permissions(scratch.at("d/run"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("a/x", scratch.at("d/link")).unwrap();
    fs::create_dir(scratch.at("d/nothing")).unwrap();
    let git = |args: &[&str]| {
        let ran = run(scratch.command("git", "git").current_dir(scratch.at("d")).args(args), b"");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out()
    };
    git(&["init", "-q", "--object-format=sha256"]);
    git(&["-c", "core.autocrlf=false", "add", "."]);
    let id = git(&["write-tree"]);
    let ran = scratch.sum(&["--dirhash=git-sha256", "d"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    assert_eq!(ran.out(), format!("{}  d\n", id.trim_end()));
}
