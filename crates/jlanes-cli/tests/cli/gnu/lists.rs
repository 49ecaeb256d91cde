//! Lists checked by GNU's tool and by ours.

use std::{fs, os::unix::fs::symlink};

use super::{HOSTILE, hostile_files, os};
use crate::common::{Scratch, sha256};

/// Checks a list with both, with all options. Quotes around names are ignored, because GNU's tool has
/// put them in verdicts only since version 9.11.
#[track_caller]
fn check_like_gnu(scratch: &Scratch, list: &[u8]) {
    scratch.write("LIST", list);
    let manners = [
        &[][..],
        &["--quiet"],
        &["--status"],
        &["--warn"],
        &["--strict"],
        &["--strict", "-w"],
        &["--ignore-missing"],
        &["--ignore-missing", "--status"],
        &["--ignore-missing", "--quiet", "--strict"],
        &["--status", "--quiet"],
        &["--quiet", "--status"],
    ];
    for manner in manners {
        let args = ["-c"].iter().chain(manner);
        for (args, stdin) in
            [(args.clone().chain(&["LIST"]).collect(), &[][..]), (args.collect::<Vec<_>>(), list)]
        {
            let (mut gnu, mut ours) = scratch.both(&args, stdin);
            gnu.stdout.retain(|byte| *byte != b'\'');
            ours.stdout.retain(|byte| *byte != b'\'');
            assert_eq!(gnu, ours, "GNU's (left) and ours for {args:?} {}", list.escape_ascii());
        }
    }
}

fn checked_files() -> (Scratch, [String; 3]) {
    let scratch = Scratch::new();
    let contents = ["", "b", "cc"];
    for (name, content) in ["a", "b", "c"].into_iter().zip(contents) {
        scratch.write(name, content);
    }
    (scratch, contents.map(|content| sha256(content.as_bytes())))
}

#[test]
fn lists_of_every_accepted_form_check_as_with_gnu() {
    let (scratch, [a, b, c]) = checked_files();
    let upper = a.to_uppercase();
    for list in [
        format!("{a}  a\n{b} *b\n{c}  c\n"),
        format!("{a} a\n{b} b\n{c} c\n"),
        format!("SHA256 (a) = {a}\nSHA256(b)= {b}\nSHA256 (c)={c}\n"),
        format!("SHA256 (a)\t=\t{a}\n  SHA256 (b) = {b}\n\t{c}  c\n"),
        format!("{upper}  a\n{b}  b"),
        format!("{a}  a\r\n\r\n{b}  b\r\n"),
        format!("# comment\n\n{a}  a\n#{b}  b\n\n"),
        format!("\\{a}  a\n\\SHA256 (b) = {b}\n"),
        format!("{a}\ta\n{b}  b\n"),
    ] {
        check_like_gnu(&scratch, list.as_bytes());
    }
}

#[test]
fn lists_with_failures_check_as_with_gnu() {
    let (scratch, [a, b, c]) = checked_files();
    fs::create_dir(scratch.at("dir")).unwrap();
    symlink("nowhere", scratch.at("dangling")).unwrap();
    for list in [
        format!("{b}  a\n{b}  b\n"),
        format!("{a}  a\n{b}  missing\n"),
        format!("{a}  missing\n"),
        format!("{b}  missing\n{b}  a\n"),
        format!("{a}  dir\n{a}  a\n"),
        format!("{a}  dangling\n{a}  a\n"),
        format!("{a}  a\n{b}  missing\n{a}  b\nbroken\n{c}  c\n{a}  c\n"),
        format!("{a}  -\n{b}  b\n"),
        String::new(),
        "\n\n".to_owned(),
        "# nothing\n".to_owned(),
        "broken\n".to_owned(),
        "broken\nbroken too\n".to_owned(),
    ] {
        check_like_gnu(&scratch, list.as_bytes());
    }
}

#[test]
fn broken_lines_are_broken_as_with_gnu() {
    let (scratch, [a, b, _]) = checked_files();
    let short = &a[..63];
    let not_hex = format!("{short}g");
    for broken in [
        format!("{short}  a"),
        format!("{a}0  a"),
        format!("{not_hex}  a"),
        a.clone(),
        format!("{a} "),
        format!("{a}a"),
        format!("SHA256 (a = {a}"),
        format!("SHA256 a) = {a}"),
        format!("SHA256 (a) {a}"),
        format!("SHA256  (a) = {a}"),
        format!("SHA256 (a) = {short}"),
        format!("SHA512 (a) = {a}"),
        format!("sha256 (a) = {a}"),
        "SHA256 (".to_owned(),
        "SHA256".to_owned(),
        ")".to_owned(),
        "\\".to_owned(),
        format!("\\{a}  a\\x"),
        format!("\\{a}  a\\"),
        format!("\\\\{a}  a"),
        format!(" # {a}  a"),
    ] {
        check_like_gnu(&scratch, format!("{b}  b\n{broken}\n{a}  a\n").as_bytes());
    }
}

#[test]
fn any_number_of_lines_may_be_without_a_file() {
    let (scratch, [a, ..]) = checked_files();
    for lines in [63, 64, 65, 129, 8000] {
        let (broken, comments) = ("no digest\n".repeat(lines), "# nothing\n".repeat(lines));
        check_like_gnu(&scratch, format!("{broken}{a}  a\n{comments}").as_bytes());
        check_like_gnu(&scratch, broken.as_bytes());
        check_like_gnu(&scratch, comments.as_bytes());
    }
}

#[test]
fn the_two_untagged_layouts_do_not_mix() {
    let (scratch, [a, b, _]) = checked_files();
    scratch.write(" a", "");
    check_like_gnu(&scratch, format!("{a}  a\n{b} b\n").as_bytes());
    check_like_gnu(&scratch, format!("{b} b\n{a} a\n{b}  b\n").as_bytes());
    scratch.write("L1", format!("{a} a\n"));
    scratch.write("L2", format!("{b}  b\n"));
    scratch.same(&["-c", "-w", "L2", "L1"]);
}

#[test]
fn unreadable_lists_have_gnus_messages() {
    let (scratch, [a, ..]) = checked_files();
    scratch.write("good", format!("{a}  a\n"));
    let ran = scratch.same(&["-c", "missing", "good", "good"]);
    assert_eq!(ran.code, Some(1));
    let ran = scratch.same(&["-c", ".", "good"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "a: OK\n".to_owned()));
}

#[test]
fn printed_lists_can_be_checked_with_any_names() {
    let scratch = hostile_files();
    for mode in ["--text", "--binary", "--tag"] {
        let args = [os(mode.as_bytes()), os(b"--")].into_iter().chain(HOSTILE.map(os));
        let list = scratch.sum(&args.collect::<Vec<_>>()).stdout;
        scratch.write("LIST", &list);
        let (gnu, ours) = scratch.both(&["-c", "--quiet", "LIST"], b"");
        assert_eq!(gnu, ours);
        assert_eq!(ours.code, Some(0), "{ours:?}");
        let verdicts = scratch.sum(&["-c", "LIST"]).stdout;
        assert_eq!(verdicts.split(|b| *b == b'\n').count(), HOSTILE.len() + 1);
    }
}

#[test]
fn names_are_quoted_in_verdicts_as_by_gnu_since_9_11() {
    let scratch = Scratch::new();
    for name in ["a b", "a\nb", "it's"] {
        scratch.write(name, "");
    }
    let empty = sha256(b"");
    scratch.write("LIST", format!("{empty}  a b\n\\{empty}  a\\nb\n{empty}  it's\n"));
    let ran = scratch.sum(&["-c", "LIST"]);
    assert_eq!(ran.out(), "'a b': OK\n'a'$'\\n''b': OK\n\"it's\": OK\n");
}
