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
    let printed = "jlanes-sum: d/c: Is a directory\njlanes-sum: d/d: No such file or directory\n";
    assert_eq!(ran.err(), printed);
}

#[test]
fn directories_without_a_digest_are_reported() {
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

/// A directory, and its three digests.
fn bound() -> (Scratch, [(&'static str, &'static str); 3]) {
    let scratch = Scratch::new();
    scratch.write("d/a/x", "hi\n");
    scratch.write("d/b", "");
    let names =
        [("h1", "H1"), ("git-sha256", "GIT-SHA256"), ("jpointers-sha256", "JPOINTERS-SHA256")];
    for (name, tag) in names {
        let option = format!("--dirhash={name}");
        let plain = scratch.sum(&[&option, "d"]);
        assert_eq!((plain.code, plain.err()), (Some(0), String::new()));
        let digest = plain.out().strip_suffix("  d\n").unwrap().to_owned();
        let tagged = scratch.sum(&[&option, "--tag", "d"]).out();
        assert_eq!(tagged, format!("{tag} (d) = {digest}\n"));
        scratch.write(format!("PLAIN-{name}"), plain.stdout);
        scratch.write(format!("TAGGED-{name}"), tagged);
    }
    (scratch, names)
}

#[test]
fn digests_of_directories_can_be_checked() {
    let (scratch, names) = bound();
    let check = |name: &str| {
        let (plain, tagged) = (format!("PLAIN-{name}"), format!("TAGGED-{name}"));
        let option = format!("--dirhash={name}");
        let mut lines =
            vec![vec!["-c", &tagged], vec!["-c", &option, &plain], vec!["-c", &option, &tagged]];
        match name {
            // Go's digests have a prefix that names them
            "h1" => lines.push(vec!["-c", &plain]),
            "jpointers-sha256" => lines.push(vec!["-c", "-a", name, &plain]),
            _ => {}
        }
        let ran: Vec<_> = lines.iter().map(|args| scratch.sum(args)).collect();
        assert!(ran.windows(2).all(|pair| pair[0] == pair[1]), "{name}: {ran:?}");
        ran[0].clone()
    };
    for (name, _) in names {
        let ran = check(name);
        assert_eq!(
            (ran.code, ran.out(), ran.err()),
            (Some(0), "d: OK\n".to_owned(), String::new())
        );
    }
    scratch.write("d/new", "new");
    for (name, _) in names {
        let ran = check(name);
        let printed = "jlanes-sum: WARNING: 1 computed checksum did NOT match\n";
        assert_eq!(
            (ran.code, ran.out(), ran.err()),
            (Some(1), "d: FAILED\n".to_owned(), printed.to_owned())
        );
        // the option that makes a digest also checks it
        let option = format!("--dirhash={name}");
        let list = format!("PLAIN-{name}");
        assert_eq!(scratch.sum(&["-c", &option, "--exclude=new", &list]).out(), "d: OK\n");
    }
    // next to digests of files
    let list = scratch.sum(&["d/new"]).out() + &scratch.sum(&["--dirhash", "h1", "d"]).out();
    scratch.write("BOTH", list);
    assert_eq!(scratch.sum(&["-c", "--strict", "BOTH"]).out(), "d/new: OK\nd: OK\n");
    // the directory is there, although a file in it is not
    symlink("nothing", scratch.at("d/link")).unwrap();
    let ran = scratch.sum(&["-c", "--ignore-missing", "TAGGED-h1"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d: FAILED open or read\n".to_owned()));
    assert!(ran.err().starts_with("jlanes-sum: d/link: No such file or directory\n"), "{ran:?}");
    fs::remove_dir_all(scratch.at("d")).unwrap();
    let (h1, pointers) = (check("h1"), check("jpointers-sha256"));
    for ran in [h1, pointers] {
        assert_eq!((ran.code, ran.out()), (Some(1), "d: FAILED open or read\n".to_owned()));
        assert!(ran.err().starts_with("jlanes-sum: d: No such file or directory\n"), "{ran:?}");
    }
    let ran = scratch.sum(&["-c", "--ignore-missing", "TAGGED-h1"]);
    assert_eq!(
        (ran.code, ran.err()),
        (Some(1), "jlanes-sum: TAGGED-h1: no file was verified\n".to_owned())
    );
}

#[test]
fn lists_may_have_files_and_directories() {
    let (scratch, _) = bound();
    scratch.write("f", "abc");
    let tagged = |name: &str| fs::read_to_string(scratch.at(format!("TAGGED-{name}"))).unwrap();
    let sum = |name: &str| scratch.sum(&["--tag", name]).out();
    scratch.write("LIST", [sum("f"), tagged("git-sha256"), sum("d/b"), tagged("h1")].concat());
    let ran = scratch.sum(&["-c", "LIST"]);
    assert_eq!(
        (ran.code, ran.out(), ran.err()),
        (Some(0), "f: OK\nd: OK\nd/b: OK\nd: OK\n".into(), String::new())
    );
    let ran = scratch.sum(&["-c", "--only=d", "LIST"]);
    assert_eq!((ran.code, ran.out()), (Some(0), "d: OK\nd: OK\n".to_owned()));
    // a file has no digest of a directory, even if a list has one
    scratch.write(
        "LIST",
        tagged("h1").replace("(d)", "(f)") + &tagged("git-sha256").replace("(d)", "(f)"),
    );
    let ran = scratch.sum(&["-c", "LIST"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "f: FAILED open or read\n".repeat(2)));
    // a list must not make us read the whole disk
    let here = scratch.at("d").to_str().unwrap().to_owned();
    scratch.write("LIST", tagged("h1").replace("(d)", &format!("({here})")));
    scratch.write("PARENT", tagged("h1").replace("(d)", "(d/../d)"));
    // not even through a link that comes with it
    scratch.write("e/LINK", tagged("h1").replace("(d)", "(link)"));
    symlink("../d", scratch.at("e/link")).unwrap();
    let linked = |args: &[&str]| {
        run(scratch.ours("jlanes-sum").current_dir(scratch.at("e")).args(args), b"")
    };
    assert!(linked(&["-c", "LINK"]).err().contains("a directory outside of the working directory"));
    assert_eq!(linked(&["-cr", "LINK"]).code, Some(0));
    assert_eq!(linked(&["-c", "--base-dir=..", "../TAGGED-h1"]).code, Some(0));
    for list in ["LIST", "PARENT"] {
        let ran = scratch.sum(&["-c", list]);
        let why = "a directory outside of the working directory, which -r checks";
        assert!(ran.code == Some(1) && ran.err().contains(why), "{ran:?}");
        assert_eq!(scratch.sum(&["-cr", list]).code, Some(0));
    }
    // an audit refuses directories
    scratch.write("LIST", tagged("h1").replace("(d)", "(f)") + &sum("f"));
    let ran = scratch.sum(&["--audit=LIST", "f"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "f: OK\n".to_owned()));
    let printed = "jlanes-sum: LIST: 1: refused: a digest of a directory, which -c checks\n";
    assert_eq!(ran.err(), printed);
    // and GNU's tools have no such lines
    assert_eq!(run(scratch.ours("cksum").args(["-c", "TAGGED-h1"]), b"").code, Some(1));
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
