//! What only we have: `--audit` and `--only`.

use std::fs;

use crate::common::{Scratch, sha256};

/// Files and a list of them.
fn recorded() -> Scratch {
    let scratch = Scratch::new();
    for name in ["same", "changes", "goes", "moves", "sub/same"] {
        scratch.write(format!("d/{name}"), name);
    }
    let list = scratch.sum(&["-r", "d"]).stdout;
    scratch.write("d/LIST", list);
    scratch
}

#[test]
fn an_audit_of_what_is_recorded_is_good() {
    let scratch = recorded();
    let ran = scratch.sum(&["--audit", "d/LIST", "d"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    assert_eq!(ran.out(), "d/changes: OK\nd/goes: OK\nd/moves: OK\nd/same: OK\nd/sub/same: OK\n");
    let ran = scratch.sum(&["--audit", "d/LIST", "--quiet", "d"]);
    assert_eq!((ran.code, ran.out()), (Some(0), String::new()));
}

#[test]
fn an_audit_knows_a_file_by_any_spelling_of_its_path() {
    let scratch = recorded();
    fs::rename(scratch.at("d/LIST"), scratch.at("LIST")).unwrap();
    for operands in [&[][..], &["."], &["./d"], &["d//"], &["d/./sub/..", "d"]] {
        let quiet = ["--audit", "LIST", "--quiet"];
        let ran = scratch.sum(&[&quiet[..], operands].concat());
        // `..` may lead anywhere
        let (code, start) =
            if operands.len() < 2 { (0, "") } else { (1, "d/./sub/../changes: NEW") };
        assert_eq!((ran.code, ran.err()), (Some(code), String::new()), "{operands:?}");
        assert!(
            ran.out().starts_with(start) && ran.out().is_empty() == start.is_empty(),
            "{ran:?}"
        );
    }
    let list = fs::read_to_string(scratch.at("LIST")).unwrap();
    scratch.write("LIST", list.replace("  d/", "  ./d//"));
    fs::remove_file(scratch.at("d/goes")).unwrap();
    let ran = scratch.sum(&["--audit", "LIST", "--quiet", "d"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "./d//goes: MISSING\n".to_owned()));
}

#[test]
fn an_audit_tells_every_difference() {
    let scratch = recorded();
    scratch.write("d/changes", "has changed");
    fs::remove_file(scratch.at("d/goes")).unwrap();
    fs::rename(scratch.at("d/moves"), scratch.at("d/moved here")).unwrap();
    scratch.write("d/sub/new", "new");
    scratch.write("d/copy", "same");
    let ran = scratch.sum(&["--audit=d/LIST", "--quiet", "d"]);
    assert_eq!((ran.code, ran.err()), (Some(1), String::new()));
    assert_eq!(
        ran.out(),
        "d/changes: CHANGED\n\
         d/copy: NEW\n\
         'd/moved here': MOVED from d/moves\n\
         d/sub/new: NEW\n\
         d/goes: MISSING\n"
    );
}

#[test]
fn an_audit_with_a_bad_list_is_not_good() {
    let scratch = recorded();
    let list = fs::read_to_string(scratch.at("d/LIST")).unwrap();
    scratch.write("d/LIST", format!("broken\n{list}"));
    let ran = scratch.sum(&["--audit", "d/LIST", "-a", "sha256", "--quiet", "d"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err(), "jlanes-sum: d/LIST: 1: improperly formatted checksum line\n");
    assert_eq!(ran.out(), "");
    let ran = scratch.sum(&["--audit", "nowhere", "--quiet", "d/same"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d/same: NEW\n".to_owned()));
}

#[test]
fn only_the_named_files_are_checked_and_must_be_listed() {
    let scratch = recorded();
    scratch.write("d/changes", "has changed");
    let ran = scratch.sum(&["-c", "d/LIST", "--only", "d/same", "--only=d/goes"]);
    assert_eq!((ran.code, ran.out()), (Some(0), "d/goes: OK\nd/same: OK\n".to_owned()));
    let ran = scratch.sum(&["-c", "d/LIST", "--only", "d/changes"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d/changes: FAILED\n".to_owned()));
    let ran = scratch.sum(&["-c", "d/LIST", "--only", "d/same", "--only", "same"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d/same: OK\n".to_owned()));
    assert_eq!(ran.err(), "jlanes-sum: same: is in no list\n");
    scratch.write("other", format!("{}  d/same\n", sha256(b"same")));
    let ran = scratch.sum(&["-c", "d/LIST", "other", "--only", "d/goes"]);
    assert_eq!((ran.code, ran.out()), (Some(0), "d/goes: OK\n".to_owned()));
}
