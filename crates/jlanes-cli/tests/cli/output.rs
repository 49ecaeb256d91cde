//! The destination of output: lists that replace others, and output that is among the files.

use std::{
    fs::{self, File},
    os::unix::fs::{PermissionsExt, symlink},
};

use crate::common::{Scratch, run, sha256};

fn files() -> Scratch {
    let scratch = Scratch::new();
    for name in ["d/a", "d/b", "d/sub/c"] {
        scratch.write(name, name);
    }
    scratch
}

/// The names in a directory.
fn names(scratch: &Scratch, dir: &str) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string();
    let mut names: Vec<_> =
        fs::read_dir(scratch.at(dir)).unwrap().map(|e| name(e).unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_list_in_the_directory_it_is_about_is_not_in_it() {
    let scratch = files();
    let expected = scratch.sum(&["-r", "d"]).out();
    for _ in 0..2 {
        let ran = scratch.sum(&["-r", "d", "--output", "d/SUMS"]);
        assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
        assert_eq!(fs::read_to_string(scratch.at("d/SUMS")).unwrap(), expected);
        assert_eq!(names(&scratch, "d"), ["SUMS", "a", "b", "sub"]);
    }
    // not among operands, either, with --force
    let ran = scratch.sum(&["--force", "-o", "d/SUMS", "d/a", "d/SUMS"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    let list = fs::read_to_string(scratch.at("d/SUMS")).unwrap();
    assert_eq!(list, format!("{}  d/a\n", sha256(b"d/a")));
    let ran = scratch.sum(&["--dirhash=h1", "-o", "d/SUMS", "d"]);
    assert_eq!((ran.code, ran.out()), (Some(0), String::new()));
    let list = fs::read_to_string(scratch.at("d/SUMS")).unwrap();
    fs::remove_file(scratch.at("d/SUMS")).unwrap();
    assert_eq!(scratch.sum(&["--dirhash=h1", "d"]).out(), list);
}

#[test]
fn a_list_keeps_its_place_and_its_mode() {
    let scratch = files();
    scratch.write("kept/SUMS", format!("{}  old\n", sha256(b"old")));
    fs::set_permissions(scratch.at("kept/SUMS"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("kept/SUMS", scratch.at("link")).unwrap();
    assert_eq!(scratch.sum(&["-o", "link", "d/a"]).code, Some(0));
    assert!(fs::symlink_metadata(scratch.at("link")).unwrap().is_symlink());
    let list = fs::read_to_string(scratch.at("kept/SUMS")).unwrap();
    assert_eq!(list, format!("{}  d/a\n", sha256(b"d/a")));
    assert_eq!(fs::metadata(scratch.at("kept/SUMS")).unwrap().permissions().mode() & 0o777, 0o640);
    // pipes and devices are written directly
    assert_eq!(scratch.sum(&["-o", "/dev/stdout", "d/a"]).out(), list);
}

#[test]
fn a_list_that_is_not_whole_replaces_nothing() {
    let scratch = files();
    let old = format!("{}  old\n", sha256(b"old"));
    let ran = scratch.sum(&["-o", "none/SUMS", "d/a"]);
    let printed = "jlanes-sum: --output: 'none/SUMS': No such file or directory\n";
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), String::new(), printed.to_owned()));
    // an unreadable file is reported, and the list has the others
    let ran = scratch.sum(&["-o", "SUMS", "nothing", "d/a"]);
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert!(fs::read_to_string(scratch.at("SUMS")).unwrap().ends_with("  d/a\n"));
    if !scratch.can_trace("lists that cannot be written") {
        return;
    }
    scratch.write("SUMS", &old);
    let mut command = scratch.command("strace", "strace");
    command.args(["-f", "--quiet=all", "-o", "TRACE", "-e", "inject=fsync:error=EDQUOT"]);
    command.args([env!("CARGO_BIN_EXE_jlanes-sum"), "-o", "SUMS", "d/a"]);
    let ran = run(&mut command, b"");
    assert_eq!(ran.err(), "jlanes-sum: write error: Disk quota exceeded\n");
    assert_eq!(ran.code, Some(1));
    assert_eq!(fs::read_to_string(scratch.at("SUMS")).unwrap(), old);
    assert_eq!(names(&scratch, "."), ["SUMS", "TRACE", "d"]);
}

#[test]
fn output_among_the_files_is_reported() {
    let scratch = files();
    let printed = |name: &str| {
        format!("jlanes-sum: {name}: the output goes here, and is hashed as far as it is there\n")
    };
    for (args, name) in [(&["-r", "."][..], "./d/SUMS"), (&["d/a", "d/SUMS", "d/b"], "d/SUMS")] {
        let output = File::create(scratch.at("d/SUMS")).unwrap();
        let ran = scratch.ours("jlanes-sum").args(args).stdout(output).output().unwrap();
        assert_eq!(
            (ran.status.code(), String::from_utf8(ran.stderr).unwrap()),
            (Some(0), printed(name))
        );
        let list = fs::read_to_string(scratch.at("d/SUMS")).unwrap();
        assert!(list.contains(&format!("  {name}\n")), "{list}");
    }
    // outside of the directory, it is not
    let output = File::create(scratch.at("SUMS")).unwrap();
    let ran = scratch.ours("jlanes-sum").args(["-r", "d"]).stdout(output).output().unwrap();
    assert_eq!((ran.status.code(), &ran.stderr[..]), (Some(0), &b""[..]));
}
