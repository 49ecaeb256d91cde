//! `jlanes-sum` called as `sha256sum`, compared with GNU's own byte for byte.

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
    process::Command,
};

use crate::common::{Scratch, paint, run, sha256};

mod lists;

const HOSTILE: [&[u8]; 24] = [
    b"plain",
    b"with blank",
    b" leading",
    b"trailing ",
    b"*star",
    b"new\nline",
    b"\n",
    b"back\\slash",
    b"\\n",
    b"carriage\rreturn",
    b"tab\tbed",
    b"-dash",
    b"--",
    b"--help",
    b"quote'd",
    b"\"double\"",
    b"it's #1 {x}",
    b"\xff\xfenot utf-8",
    "umläut".as_bytes(),
    b"#comment",
    b"a) = b",
    b"SHA256 (x)",
    b"~tilde",
    b"bell\x07esc\x1b",
];

fn os(bytes: &[u8]) -> &OsStr {
    OsStr::from_bytes(bytes)
}

fn hostile_files() -> Scratch {
    let scratch = Scratch::new();
    for (i, name) in HOSTILE.into_iter().enumerate() {
        scratch.write(name, paint(i * 37));
    }
    scratch
}

#[test]
fn hostile_names_are_printed_as_gnu_prints_them() {
    let scratch = hostile_files();
    for mode in [&[][..], &["-b"], &["-t"], &["--tag"], &["-z"], &["--tag", "-z"], &["--bin"]] {
        let args = mode.iter().map(|arg| os(arg.as_bytes())).chain([os(b"--")]);
        let ran = scratch.same(&args.chain(HOSTILE.map(os)).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0));
    }
}

#[test]
fn missing_files_with_hostile_names_are_complained_about_as_gnu_does() {
    let scratch = Scratch::new();
    let names = HOSTILE.map(os);
    let ran = scratch.same(&[&[os(b"--"), os(b"")], &names[..]].concat());
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stdout, b"");
}

#[test]
fn every_short_length_has_the_right_digest() {
    let scratch = Scratch::new();
    let names: Vec<_> = (0..700).map(|len| format!("{len:04}")).collect();
    for (len, name) in names.iter().enumerate() {
        scratch.write(name, paint(len));
    }
    scratch.same(&names);
}

#[test]
fn lengths_around_the_buffer_have_the_right_digest() {
    let scratch = Scratch::new();
    let edges = [1 << 15, 1 << 16, 1 << 17, 3 << 15].into_iter();
    let lengths = edges.flat_map(|edge| [edge - 65, edge - 1, edge, edge + 1, edge + 63]);
    let names: Vec<_> = lengths.map(|len| (len, format!("{len}"))).collect();
    for (len, name) in &names {
        scratch.write(name, paint(*len));
    }
    let names: Vec<_> = names.into_iter().map(|(_, name)| name).collect();
    scratch.same(&names);
}

#[test]
fn standard_input_is_read_once_and_where_it_stands() {
    let scratch = Scratch::new();
    scratch.write("f", "in a file");
    for args in [&[][..], &["-"], &["f", "-", "f"], &["-", "-"], &["--tag"], &["-z", "-"]] {
        scratch.same_with(args, b"from a pipe");
        scratch.same_with(args, &paint(300_000));
    }
}

#[test]
fn operands_end_the_options_where_posix_is_asked_for() {
    let scratch = Scratch::new();
    scratch.write("f", "in a file");
    scratch.write("-z", "an option elsewhere");
    for args in [
        &["f", "-z"][..],
        &["--tag", "f", "--tag", "-z"],
        &["f", "-c"],
        &["f", "--", "-z"],
        &["--", "-z"],
    ] {
        let tools = [scratch.command("sha256sum", "sha256sum"), scratch.ours("sha256sum")];
        let [gnu, ours] =
            tools.map(|mut tool| run(tool.args(args).env("POSIXLY_CORRECT", "1"), b""));
        assert_eq!(gnu, ours, "GNU's (left) and ours for {args:?}");
    }
    let ran =
        run(scratch.ours("jlanes-sum").args(["-r", "f", "-r"]).env("POSIXLY_CORRECT", ""), b"");
    assert_eq!(ran.err(), "jlanes-sum: -r: No such file or directory\n");
}

#[test]
fn bad_operands_do_not_keep_others_from_being_hashed() {
    let scratch = Scratch::new();
    scratch.write("good", "good");
    scratch.write("dir/inner", "inner");
    scratch.write("file/not/dir", "x");
    symlink("nowhere", scratch.at("dangling")).unwrap();
    symlink("loop", scratch.at("loop")).unwrap();
    symlink("good", scratch.at("link")).unwrap();
    symlink("dir", scratch.at("dirlink")).unwrap();
    let long = "x".repeat(300);
    let operands = [
        "missing", "good", "dir", "dangling", "link", "", "loop", "dirlink", "good/x", &long,
        "good",
    ];
    let ran = scratch.same(&operands);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out().lines().count(), 3);
    assert_eq!(ran.err().lines().count(), 8);
}

#[test]
fn files_without_a_size_are_read_to_their_end() {
    let scratch = Scratch::new();
    scratch.same(&["/proc/version", "/proc/cpuinfo", "/dev/null", "/proc/filesystems"]);
}

#[test]
fn wrong_usage_has_gnus_messages() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    let wrong: [&[&str]; 21] = [
        &["-c", "--tag", "f"],
        &["-c", "-b", "f"],
        &["-c", "-t", "f"],
        &["-c", "-z", "f"],
        &["--quiet", "f"],
        &["--status", "f"],
        &["--warn", "f"],
        &["-w", "f"],
        &["--strict", "f"],
        &["--ignore-missing", "f"],
        &["--tag", "-t", "f"],
        &["--tag", "--text"],
        &["--no-such-option"],
        &["--st", "f"],
        &["-Q"],
        &["-bQ", "f"],
        &["--check=yes"],
        &["--qui=3", "f"],
        &["--quiet", "--strict", "f"],
        &["--quiet", "--status", "f"],
        &["--status", "--warn", "f"],
    ];
    for args in wrong {
        assert_eq!(scratch.same(args).code, Some(1), "{args:?}");
    }
    for args in [&["f", "-b"][..], &["-bt", "f"], &["--ta", "f"], &["-t", "-b", "--tag", "f"]] {
        assert_eq!(scratch.same(args).code, Some(0), "{args:?}");
    }
    // before version 9.11, GNU's tools let --tag cancel an earlier --text
    let (_, ours) = scratch.both(&["-t", "--tag", "f"], b"");
    let printed = "sha256sum: --tag does not support --text mode\n";
    assert!(ours.code == Some(1) && ours.err().starts_with(printed), "{ours:?}");
}

#[test]
fn options_are_abbreviated_as_gnus() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    scratch.write("LIST", format!("{}  f\n{0}  missing\nbroken\n", sha256(b"f")));
    let longs = ["binary", "check", "ignore-missing", "quiet", "status", "strict", "tag", "text"];
    let longs = longs.into_iter().chain(["warn", "zero"]);
    for prefix in longs.flat_map(|long| (1..=long.len()).map(|len| &long[..len])) {
        let option = format!("--{prefix}");
        scratch.same(&[&option, "f"]);
        scratch.same(&["--check", &option, "LIST"]);
    }
    for unknown in ["--bz", "--checks", "--i=1"] {
        assert_eq!(scratch.same(&[unknown, "f"]).code, Some(1));
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    let full = |command: &mut Command| {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        command.arg("f").stdout(full).output().unwrap()
    };
    let gnu = full(&mut scratch.command("sha256sum", "sha256sum"));
    let ours = full(&mut scratch.ours("sha256sum"));
    assert_eq!(gnu.status.code(), ours.status.code());
    // since version 9.10, GNU's message has a reason
    assert!(gnu.stderr.starts_with(b"sha256sum: write error"));
    assert_eq!(ours.stderr, b"sha256sum: write error: No space left on device\n");
}

#[test]
fn results_come_in_the_order_of_operands_with_any_number_of_threads() {
    let scratch = Scratch::new();
    let mut names = Vec::new();
    for i in 0..400_usize {
        let name = format!("{:03}", i * 7 % 400);
        scratch.write(&name, paint(i * i % 70_001));
        names.push(OsString::from(name));
        if i % 17 == 0 {
            names.push(format!("missing{i}").into());
        }
    }
    let gnu = run(scratch.command("sha256sum", "jlanes-sum").args(&names), b"");
    for threads in ["1", "2", "3", "16"] {
        let args = [os(b"--threads"), os(threads.as_bytes())];
        let args = args.into_iter().chain(names.iter().map(OsString::as_os_str));
        let ours = run(scratch.ours("jlanes-sum").args(args), b"");
        assert_eq!(ours, gnu, "{threads} threads");
    }
}
