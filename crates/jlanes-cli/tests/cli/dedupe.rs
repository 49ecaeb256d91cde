//! `--dedupe`: groups of equal files.

use std::{fs, os::unix::fs::symlink, process::Command};

use crate::common::{Scratch, paint, sha256};

/// Some equal files, and others that only share their first buffer.
fn files() -> Scratch {
    let scratch = Scratch::new();
    let long = paint(100_000);
    let mut other = long.clone();
    other[99_999] ^= 1;
    let mut early = long.clone();
    early[0] ^= 1;
    scratch.write("d/a", "abc");
    scratch.write("d/sub/b", "abc");
    scratch.write("d/c", "abd");
    scratch.write("d/long", &long);
    scratch.write("d/other", &other);
    scratch.write("d/early", &early);
    scratch.write("d/sub/long", &long);
    scratch.write("e/again", &long);
    scratch.write("d/empty", "");
    scratch.write("d/empty2", "");
    scratch.write("d/alone", "x");
    fs::hard_link(scratch.at("d/c"), scratch.at("d/linked")).unwrap();
    symlink("a", scratch.at("d/symlink")).unwrap();
    scratch
}

#[test]
fn equal_files_are_printed_with_the_wasted_bytes() {
    let scratch = files();
    let ran = scratch.sum(&["--dedupe", "--summary", "d", "e"]);
    let (abc, long) = (sha256(b"abc"), sha256(&paint(100_000)));
    let expected = format!(
        "# 2 files of 3 bytes, 3 wasted\n{abc}  d/a\n{abc}  d/sub/b\n\n\
         # 3 files of 100000 bytes, 200000 wasted\n\
         {long}  d/long\n{long}  d/sub/long\n{long}  e/again\n\n\
         # summary: 2 groups, 5 files, 200003 bytes wasted\n"
    );
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), expected, String::new()));
    // the output is a list
    scratch.write("LIST", ran.stdout);
    let checked = scratch.sum(&["-c", "--strict", "LIST"]);
    assert_eq!((checked.code, checked.out().lines().count()), (Some(0), 5));
    // the same with any number of threads and any algorithm, and without -r
    for options in [&["--threads=1"][..], &["-a", "skein512-tree:2.2.255", "--threads=3"]] {
        let ran = scratch.sum(&[options, &["--dedupe", "--json", "--summary", "d", "e"]].concat());
        assert_eq!((ran.code, ran.out().lines().count()), (Some(0), 3), "{ran:?}");
        let names =
            "{\"names\":[\"d/long\",\"d/sub/long\",\"e/again\"],\"size\":100000,\"wasted\":200000,";
        assert!(ran.out().contains(names), "{ran:?}");
        let sums = "{\"summary\":{\"groups\":2,\"files\":5,\"bytes wasted\":200003,\"begun\":";
        assert!(ran.out().contains(sums), "{ran:?}");
    }
    assert_eq!(scratch.sum(&["--dedupe", "d/a", "d/c"]).out(), "");
    let ran = scratch.sum(&["--dedupe", "--exclude=sub", "d"]);
    assert_eq!((ran.code, ran.out()), (Some(0), String::new()));
}

#[test]
fn files_that_cannot_be_compared_are_reported() {
    let scratch = files();
    let ran = scratch.sum(&["--dedupe", "missing", "-", "/dev/null", "d/a", "d/sub/b", "d/a"]);
    assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 4), "{ran:?}");
    let printed = "jlanes-sum: missing: No such file or directory\n\
                jlanes-sum: -: not a regular file\n\
                jlanes-sum: /dev/null: not a regular file\n";
    assert_eq!(ran.err(), printed);
    scratch.write(b"n/\xff\n", "12");
    scratch.write("n/b", "12");
    let ran = scratch.sum(&["--dedupe", "n"]);
    let name = [&b"  n/\xff"[..], b"\\n\n"].concat();
    assert!(ran.stdout.windows(name.len()).any(|part| part == name), "{ran:?}");
    if scratch.can_trace("files that cannot be read, among equal ones") {
        let mut traced = scratch.command("strace", "strace");
        traced.args(["-f", "-o", "TRACE", "-P"]).arg(scratch.at("d/sub/b"));
        traced.args(["-e", "inject=read:error=EIO", env!("CARGO_BIN_EXE_jlanes-sum")]);
        let ran = crate::common::run(traced.args(["--dedupe", "d/a", "d/sub/b"]), b"");
        let lost: Vec<_> =
            ran.err().lines().filter(|line| line.contains("d/sub/b:")).map(str::to_owned).collect();
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
        assert_eq!(lost, ["jlanes-sum: d/sub/b: Input/output error"]);
    }
}

#[test]
fn files_are_not_compared_by_what_anybody_can_make_twice() {
    let scratch = files();
    for (algorithm, why) in [
        ("md5", "which is broken"),
        ("sha1dc", "which is broken"),
        ("jlanes2-sha1", "which is broken"),
        ("etag:4", "which is broken"),
        ("crc64nvme", "which is a checksum"),
        ("shake128-64", "files that differ may have equal digests"),
    ] {
        let ran = scratch.sum(&["--dedupe", "-a", algorithm, "d", "e"]);
        assert!(ran.code == Some(1) && ran.err().contains(why), "{algorithm}: {ran:?}");
    }
    scratch.write("key", "key");
    let ran = scratch.sum(&["--dedupe", "-a", "md5", "--hmac-key-file", "key", "d", "e"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn jdupes_finds_the_same() {
    let scratch = files();
    let Ok(ran) = Command::new("jdupes").args(["-rq", "d"]).current_dir(scratch.path()).output()
    else {
        return;
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let sorted = |text: String, names: fn(&str) -> Option<&str>| {
        let mut groups: Vec<Vec<String>> = text
            .split("\n\n")
            .map(|group| {
                let mut names: Vec<_> =
                    group.lines().filter_map(names).map(str::to_owned).collect();
                names.sort();
                names
            })
            .filter(|group| !group.is_empty())
            .collect();
        groups.sort();
        groups
    };
    let ours = scratch.sum(&["--dedupe", "d"]);
    let ours = sorted(ours.out(), |line| line.split_once("  ").map(|(_, name)| name));
    assert_eq!(ours, sorted(text(&ran.stdout), |line| Some(line)));
}
