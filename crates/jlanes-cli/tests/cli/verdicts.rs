//! The forms of verdicts: JSON, colors, and counts.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Ran, Scratch, sha256};

/// Files, and a list with a line for each verdict.
fn listed() -> Scratch {
    let scratch = Scratch::new();
    for name in ["good", "bad", "gone", "moves"] {
        scratch.write(format!("d/{name}"), name);
    }
    let list = scratch.sum(&["--tag", "-r", "d"]).out();
    scratch.write("LIST", format!("broken\n{list}"));
    scratch.write("d/bad", "changed");
    fs::remove_file(scratch.at("d/gone")).unwrap();
    fs::rename(scratch.at("d/moves"), scratch.at("d/moved")).unwrap();
    scratch.write("d/new", "new");
    scratch
}

/// The JSON objects, without the times in a summary.
fn objects(ran: &Ran) -> Vec<Value> {
    let objects = ran.out();
    let objects = objects.lines().map(|line| {
        let mut object: Value = serde_json::from_str(line).unwrap();
        if let Some(summary) = object.get_mut("summary").and_then(Value::as_object_mut) {
            for time in ["begun", "ended"].map(|key| summary.remove(key).unwrap()) {
                let time = time.as_str().unwrap().to_owned();
                let form = time.replace(|c: char| c.is_ascii_digit(), "0");
                assert_eq!(form, "0000-00-00T00:00:00Z");
            }
        }
        object
    });
    objects.collect()
}

fn verdict(name: &str, expected: Option<&str>, found: Option<&str>, verdict: &str) -> Value {
    let digest = |content: Option<&str>| content.map(|content| sha256(content.as_bytes()));
    json!({
        "name": name, "algorithm": expected.or(found).map(|_| "sha256"), "expected": digest(expected),
        "found": digest(found), "verdict": verdict, "from": null, "error": null,
    })
}

#[test]
fn checks_tell_json_an_object_a_file() {
    let scratch = listed();
    let ran = scratch.sum(&["-c", "--json", "--summary", "LIST"]);
    let mut gone = verdict("d/gone", Some("gone"), None, "FAILED open or read");
    let mut moves = verdict("d/moves", Some("moves"), None, "FAILED open or read");
    for object in [&mut gone, &mut moves] {
        object["error"] = "No such file or directory".into();
    }
    let summary = json!({"summary": {"OK": 1, "FAILED": 1, "FAILED open or read": 2, "improperly formatted": 1}});
    assert_eq!(
        objects(&ran),
        [
            verdict("d/bad", Some("bad"), Some("changed"), "FAILED"),
            gone,
            verdict("d/good", Some("good"), Some("good"), "OK"),
            moves,
            summary,
        ]
    );
    assert_eq!(ran.code, Some(1));
    // the messages are the same without --json
    assert_eq!(ran.err(), scratch.sum(&["-c", "LIST"]).err());
    let quiet = objects(&scratch.sum(&["-c", "--json", "--quiet", "LIST"]));
    assert!(quiet.len() == 3 && quiet.iter().all(|object| object["verdict"] != "OK"));
}

#[test]
fn audits_tell_json_an_object_a_file() {
    let scratch = listed();
    let ran = scratch.sum(&["--audit=LIST", "--json", "--summary", "d"]);
    let mut moved = verdict("d/moved", Some("moves"), Some("moves"), "MOVED");
    moved["from"] = "d/moves".into();
    let summary = json!({"summary": {
        "OK": 1, "CHANGED": 1, "MOVED": 1, "NEW": 1, "MISSING": 1, "FAILED open or read": 0,
        "improperly formatted": 1,
    }});
    assert_eq!(
        objects(&ran),
        [
            verdict("d/bad", Some("bad"), Some("changed"), "CHANGED"),
            verdict("d/good", Some("good"), Some("good"), "OK"),
            moved,
            verdict("d/new", None, Some("new"), "NEW"),
            verdict("d/gone", Some("gone"), None, "MISSING"),
            summary,
        ]
    );
    assert_eq!(ran.code, Some(1));
}

#[test]
fn of_several_digests_the_differing_one_is_named() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let digest = |spec: &str| scratch.sum(&["-a", spec, "--no-names", "f"]).out().trim().to_owned();
    let zeros = "0".repeat(64);
    let sha1 = digest("sha1");
    scratch.write(
        "LIST",
        format!("%%%% HASHDEEP-1.0\n%%%% size,sha1,sha256,filename\n3,{sha1},{zeros},f\n"),
    );
    for args in [&["-c", "LIST"][..], &["--audit", "LIST", "f"]] {
        let ran = scratch.sum(&[&["--json"], args].concat());
        let object = &objects(&ran)[0];
        assert_eq!(
            (&object["algorithm"], &object["expected"]),
            (&"sha256".into(), &zeros.clone().into())
        );
        assert_eq!(object["found"], digest("sha256"));
    }
}

#[test]
fn a_summary_counts_verdicts() {
    let scratch = listed();
    let last = |args: &[&str]| scratch.sum(args).out().lines().last().map(str::to_owned);
    let checked = "summary: 1 OK, 1 FAILED, 2 FAILED open or read, 1 improperly formatted";
    assert_eq!(last(&["-c", "--summary", "LIST"]).as_deref(), Some(checked));
    let ran = scratch.sum(&["-c", "--summary", "--status", "LIST"]);
    assert_eq!((ran.code, ran.out()), (Some(1), format!("{checked}\n")));
    let audited = "summary: 1 OK, 1 CHANGED, 1 MOVED, 1 NEW, 1 MISSING, 0 FAILED open or read, \
                   1 improperly formatted";
    assert_eq!(last(&["--audit=LIST", "--summary", "d"]).as_deref(), Some(audited));
}

#[test]
fn failures_have_a_color() {
    let scratch = listed();
    let (red, yellow, end) = ("\u{1b}[1;31m", "\u{1b}[33m", "\u{1b}[0m");
    let ran = scratch.sum(&["-c", "--color", "--ignore-missing", "LIST"]);
    assert_eq!(ran.out(), format!("d/bad: {red}FAILED{end}\nd/good: OK\n"));
    let audited = format!(
        "d/bad: {red}CHANGED{end}\nd/good: OK\nd/moved: {yellow}MOVED{end} from d/moves\n\
         d/new: {yellow}NEW{end}\nd/gone: {red}MISSING{end}\n"
    );
    let ran = scratch.sum(&["--audit=LIST", "--color=always", "d"]);
    assert_eq!(ran.out(), audited);
    for plain in ["--color=auto", "--color=never"] {
        assert!(!scratch.sum(&["--audit=LIST", plain, "d"]).out().contains('\u{1b}'), "{plain}");
    }
    // JSON is never colored
    assert!(!scratch.sum(&["-c", "--json", "--color", "LIST"]).out().contains("\u{1b}["));
}

#[test]
#[cfg(unix)]
fn terminals_have_colors_unless_nobody_wants_them() {
    let scratch = listed();
    let program = env!("CARGO_BIN_EXE_jlanes-sum");
    let on_terminal = |argv0: &str, options: &str, name: &str, value: &str| {
        let line = format!("exec -a {argv0} {program} -c {options} LIST");
        let mut command = scratch.command("script", "script");
        command.args(["-qec", &line, "/dev/null"]).env("SHELL", "/bin/bash").env("TERM", "xterm");
        crate::common::run(command.env(name, value), b"").out()
    };
    let red = "\u{1b}[1;31mFAILED";
    assert!(on_terminal("jlanes-sum", "", "X", "").contains(red));
    assert!(on_terminal("jlanes-sum", "", "NO_COLOR", "").contains(red));
    assert!(!on_terminal("jlanes-sum", "", "NO_COLOR", "1").contains(red));
    assert!(!on_terminal("jlanes-sum", "", "TERM", "dumb").contains(red));
    assert!(!on_terminal("jlanes-sum", "--color=never", "X", "").contains(red));
    assert!(on_terminal("jlanes-sum", "--color", "NO_COLOR", "1").contains(red));
    assert!(!on_terminal("sha256sum", "", "X", "").contains(red), "GNU's has none");
}
