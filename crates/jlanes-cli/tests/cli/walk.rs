//! Directories and lists of names.

use std::{
    ffi::OsString,
    fs,
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        fs::symlink,
    },
};

use crate::common::{Ran, Scratch, paint, run, sha256};

fn tree() -> Scratch {
    let scratch = Scratch::new();
    let paths: [&[u8]; 19] = [
        b"top/a/x",
        b"top/a-b/x",
        b"top/a-b/.hidden",
        b"top/a.txt",
        b"top/a0",
        b"top/ab",
        b"top/A",
        b"top/.git/config",
        b"top/.hidden",
        b"top/new\nline/f\r",
        b"top/back\\slash",
        b"top/\xff\xfe/\xfd",
        b"top/deep/er/and/deeper/f",
        b"top/deep/er/f.rs",
        b"top/deep/g.rs",
        b"top/ blank/ f ",
        b"top/a!/z",
        b"top/~/z",
        b"top/-/-",
    ];
    for (i, path) in paths.into_iter().enumerate() {
        scratch.write(path, paint(i * 97));
    }
    fs::create_dir(scratch.at("top/empty")).unwrap();
    symlink("a.txt", scratch.at("top/link")).unwrap();
    symlink("deep", scratch.at("top/dirlink")).unwrap();
    symlink("nowhere", scratch.at("top/dangling")).unwrap();
    scratch
}

/// The output of `find`, sorted as by `LC_ALL=C sort`.
fn found(scratch: &Scratch, args: &[&str]) -> Vec<OsString> {
    let ran = run(scratch.command("find", "find").args(args).arg("-print0"), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let names = ran.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let mut names: Vec<_> = names.map(<[u8]>::to_vec).collect();
    names.sort();
    names.into_iter().map(OsString::from_vec).collect()
}

#[track_caller]
fn gnu_on(scratch: &Scratch, names: &[OsString]) -> Ran {
    run(scratch.command("sha256sum", "jlanes-sum").arg("--").args(names), b"")
}

/// Checks that `jlanes-sum` with `ours` prints the same as GNU's tool for the files of `find`.
#[track_caller]
fn same_as_find(scratch: &Scratch, ours: &[&str], find: &[&str]) {
    let names = found(scratch, find);
    assert!(!names.is_empty());
    for threads in ["1", "2", "5"] {
        let ran = scratch.sum(&[&["--threads", threads, "-r"], ours].concat());
        assert_eq!(ran, gnu_on(scratch, &names), "{ours:?} with {threads} threads");
    }
}

#[test]
fn directories_come_in_byte_order_of_whole_paths() {
    let scratch = tree();
    for top in ["top", "top/", "./top", ".", "top//", "top/deep/../a"] {
        same_as_find(&scratch, &[top], &[top, "-type", "f"]);
    }
}

#[test]
fn a_directory_named_by_a_link_is_gone_through() {
    let scratch = tree();
    same_as_find(&scratch, &["top/dirlink"], &["-H", "top/dirlink", "-type", "f"]);
}

#[test]
fn links_are_followed_on_demand_and_loops_are_reported() {
    let scratch = tree();
    fs::remove_file(scratch.at("top/dangling")).unwrap();
    same_as_find(&scratch, &["-L", "top"], &["-L", "top", "-type", "f"]);
    symlink("..", scratch.at("top/deep/up")).unwrap();
    let ran = scratch.sum(&["-rL", "top/deep"]);
    assert_eq!(ran.code, Some(1));
    // through the link into top, and from there down to deep again, which is open already
    assert!(ran.err().contains("top/deep/up/deep: Too many levels of symbolic links\n"), "{ran:?}");
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(out.contains("  top/deep/up/a.txt\n"), "{ran:?}");
}

#[test]
fn depth_and_size_limit_a_walk() {
    let scratch = tree();
    for depth in ["1", "2", "3"] {
        let find = ["top", "-maxdepth", depth, "-type", "f"];
        same_as_find(&scratch, &["--max-depth", depth, "top"], &find);
    }
    assert_eq!(scratch.sum(&["-r", "--max-depth=0", "top"]).out(), "");
    same_as_find(&scratch, &["--max-size=1K", "top"], &["top", "-type", "f", "-size", "-1025c"]);
    same_as_find(&scratch, &["--max-size", "970", "top"], &["top", "-type", "f", "-size", "-971c"]);
    same_as_find(&scratch, &["-x", "top"], &["top", "-xdev", "-type", "f"]);
}

#[test]
fn patterns_choose_files() {
    let scratch = tree();
    same_as_find(&scratch, &["--include=*.rs", "top"], &["top", "-type", "f", "-name", "*.rs"]);
    scratch.write("top/-dash", "");
    let find = ["top", "-type", "f", "-not", "-name", "-*"];
    same_as_find(&scratch, &["--exclude", "-*", "top"], &find);
    let find = ["top", "-type", "f", "-not", "-path", "top/deep/*", "-not", "-name", ".*"];
    let find = [&find[..], &["-not", "-path", "*/.git/*"]].concat();
    same_as_find(&scratch, &["--exclude=/deep", "--exclude=.*", "top"], &find);
    let ran = scratch.sum(&["-r", "--include", "[", "top"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err().starts_with("jlanes-sum: --include: invalid pattern '[': "), "{ran:?}");
}

#[test]
fn patterns_choose_among_operands_too() {
    let scratch = tree();
    let names = |args: &[&str]| {
        let ran = scratch.sum(&[&["-r"], args].concat());
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{args:?}");
        let name = |line: &str| line.split_at(66).1.to_owned();
        ran.out().lines().map(name).collect::<Vec<_>>()
    };
    let operands = ["top/a.txt", "top/a0", "top/deep", "top/ab"];
    assert_eq!(
        names(&[&["--exclude=*.txt", "--exclude=deep"], &operands[..]].concat()),
        ["top/a0", "top/ab"]
    );
    assert_eq!(names(&["--include=*.rs", "top/deep/g.rs", "top/a0", "./top/a"]), ["top/deep/g.rs"]);
    // `.` is not a hidden name
    assert_eq!(names(&["--exclude=.*", "--include=a*", "--max-depth=2", "."]).len(), 3);
}

#[test]
fn skipped_entries_are_reported_on_demand() {
    let scratch = Scratch::new();
    scratch.write("d/f", "f");
    scratch.write("d/sub/g", "g");
    symlink("f", scratch.at("d/link")).unwrap();
    for pipe in ["d/fifo", "d/sub/pipe"] {
        scratch.fifo(pipe);
    }
    let _socket = std::os::unix::net::UnixListener::bind(scratch.at("d/socket")).unwrap();
    let printed = "jlanes-sum: d/fifo: a FIFO, left out\n\
                jlanes-sum: d/socket: a socket, left out\n\
                jlanes-sum: d/sub/pipe: a FIFO, left out\n";
    let quiet = scratch.sum(&["-r", "d"]);
    assert_eq!((quiet.code, quiet.err(), quiet.out().lines().count()), (Some(0), String::new(), 2));
    let loud = scratch.sum(&["-r", "--warn", "d"]);
    assert_eq!((loud.code, loud.out(), loud.err()), (Some(0), quiet.out(), printed.to_owned()));
    assert_eq!(
        scratch.sum(&["-r", "-w", "d", "--exclude=fifo", "--exclude=sub"]).err().lines().count(),
        1
    );
    scratch.write("LIST", &quiet.stdout);
    let ran = scratch.sum(&["--audit=LIST", "--quiet", "--warn", "d"]);
    // an audit also reports links, which it does not compare
    let links =
        printed.replace("d/socket", "d/link: a symbolic link, left out\njlanes-sum: d/socket");
    assert_eq!((ran.code, ran.err()), (Some(0), links));
    assert_eq!(scratch.sum(&["--warn", "d/f"]).code, Some(1), "there is nothing to warn about");
}

#[test]
fn dangling_links_are_reported_where_links_are_followed() {
    let scratch = Scratch::new();
    scratch.write("d/f", "f");
    symlink("nowhere", scratch.at("d/dangling")).unwrap();
    symlink("round", scratch.at("d/round")).unwrap();
    let quiet = scratch.sum(&["-r", "d"]);
    assert_eq!((quiet.code, quiet.err()), (Some(0), String::new()));
    let ran = scratch.sum(&["-rL", "d"]);
    let printed = "jlanes-sum: d/dangling: No such file or directory\n\
                jlanes-sum: d/round: Too many levels of symbolic links\n";
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), quiet.out(), printed.to_owned()));
}

#[test]
fn unsorted_walks_find_the_same_files() {
    let scratch = tree();
    let lines = |args: &[&str]| {
        let ran = scratch.sum(args);
        let mut lines: Vec<_> = ran.stdout.split(|b| *b == 0).map(<[u8]>::to_vec).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&["-rz", "--sort=none", "top"]), lines(&["-rz", "--sort=name", "top"]));
}

#[test]
fn directories_need_the_option() {
    let scratch = tree();
    let ran = scratch.sum(&["top", "top/A"]);
    assert_eq!(ran.err(), "jlanes-sum: top: Is a directory\n");
    assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 1));
    let ran = scratch.sum(&["--max-depth=1", "top/A"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err().starts_with("jlanes-sum: the --max-depth option is meaningful only with"));
}

#[test]
fn a_tree_deeper_than_the_allowed_descriptors_is_walked() {
    let scratch = Scratch::new();
    let mut path = String::from("top");
    for depth in 0..60 {
        scratch.write(format!("{path}/f{depth}"), path.as_bytes());
        scratch.write(format!("{path}/z{depth}"), b"z");
        path += "/d";
    }
    let names = found(&scratch, &["top", "-type", "f"]);
    let mut command = scratch.command("sh", "sh");
    command.args(["-c", "ulimit -n 30; exec \"$0\" --threads 2 -r top"]);
    let ran = run(command.arg(env!("CARGO_BIN_EXE_jlanes-sum")), b"");
    assert_eq!(ran, gnu_on(&scratch, &names));
}

#[test]
fn paths_may_be_longer_than_the_system_takes() {
    const LEVELS: usize = 180;
    let scratch = Scratch::new();
    let bottom = |top: &str| format!("{top}{}", "/directory of a tree".repeat(LEVELS));
    let parts = ["a", "b", "c"];
    for top in parts {
        for (end, _) in format!("{}/", bottom(top)).match_indices('/') {
            scratch.write(format!("{}/file", &bottom(top)[..end]), "content");
        }
    }
    // the lowest part first, because its new path would be too long
    fs::rename(scratch.at("c"), scratch.at(bottom("b") + "/c")).unwrap();
    fs::rename(scratch.at("b"), scratch.at(bottom("a") + "/b")).unwrap();
    for threads in ["1", "3"] {
        let ran = scratch.sum(&["--threads", threads, "-r", "a"]);
        assert!(ran.code == Some(0) && ran.stderr.is_empty());
        let out = ran.out();
        let names: Vec<_> = out.lines().map(|line| line.split_at(66)).collect();
        assert_eq!(names.len(), parts.len() * (LEVELS + 1));
        let digest = sha256(b"content") + "  ";
        assert!(names.iter().all(|(sum, name)| *sum == digest && name.ends_with("/file")));
    }
}

#[test]
fn names_can_come_from_lists() {
    let scratch = tree();
    let names = found(&scratch, &["top", "-type", "f"]);
    let joined = |end: &[u8]| {
        let names = names.iter().filter(|name| !name.as_bytes().contains(&end[0]));
        names.flat_map(|name| [name.as_bytes(), end].concat()).collect::<Vec<u8>>()
    };
    scratch.write("LIST0", joined(b"\0"));
    let expected = gnu_on(&scratch, &names);
    assert_eq!(scratch.sum(&["--files0-from", "LIST0"]), expected);
    assert_eq!(scratch.sum(&["--files0-from=LIST0", "--threads=1"]), expected);
    let from_stdin = run(scratch.ours("jlanes-sum").arg("--files0-from=-"), &joined(b"\0"));
    assert_eq!(from_stdin, expected);
    let from_lines = run(scratch.ours("jlanes-sum").arg("--files-from=-"), &joined(b"\n"));
    let one_line = |name: &OsString| !name.as_bytes().contains(&b'\n');
    let lines: Vec<_> = names.iter().filter(|name| one_line(name)).cloned().collect();
    assert_eq!(from_lines, gnu_on(&scratch, &lines));
}

#[test]
fn bad_names_in_lists_are_reported_with_their_place() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    scratch.write("LIST", "f\n\nf\nmissing\nf");
    let ran = scratch.sum(&["--files-from=LIST"]);
    assert_eq!(ran.out(), format!("{}  f\n", sha256(b"f")).repeat(3));
    assert_eq!(
        ran.err(),
        "jlanes-sum: LIST:2: invalid zero-length file name\n\
         jlanes-sum: missing: No such file or directory\n"
    );
    scratch.write("LIST", [&b"f\0\n"[..], &b"/".repeat(70_000), b"\nf"].concat());
    let ran = scratch.sum(&["--files-from=LIST"]);
    assert_eq!(ran.out(), format!("{}  f\n", sha256(b"f")));
    let printed =
        "jlanes-sum: LIST:1: file name with a NUL\njlanes-sum: LIST:2: file name too long\n";
    assert_eq!((ran.code, ran.err()), (Some(1), printed.to_owned()));
    scratch.write("LIST", "f\r\n\r\nf");
    let ran = scratch.sum(&["--files-from=LIST"]);
    assert_eq!(ran.out(), format!("{}  f\n", sha256(b"f")).repeat(2));
    assert_eq!(ran.err(), "jlanes-sum: LIST:2: invalid zero-length file name\n");
    let ran = scratch.sum(&["--files-from=nowhere"]);
    assert_eq!(ran.err(), "jlanes-sum: nowhere: No such file or directory\n");
    assert_eq!(ran.code, Some(1));
    let ran = run(scratch.ours("jlanes-sum").arg("--files-from=-"), b"-\nf\n");
    assert!(ran.err().contains("no file name of '-' allowed"), "{ran:?}");
    let ran = scratch.sum(&["--files-from=LIST", "f"]);
    assert!(ran.err().contains("file operands cannot be combined with --files-from"));
}

#[test]
fn walked_names_can_be_checked() {
    let scratch = tree();
    let list = scratch.sum(&["-r", "top"]).stdout;
    scratch.write("LIST", list);
    for threads in ["1", "3"] {
        let ran = scratch.sum(&["-c", "--quiet", "LIST", "--threads", threads]);
        assert_eq!((ran.code, &ran.stdout[..], ran.err()), (Some(0), &b""[..], String::new()));
    }
}
