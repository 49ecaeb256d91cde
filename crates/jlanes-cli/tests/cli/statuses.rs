//! Exit statuses: 1 for differences, 2 for files that could not be read, written or understood.

use std::{fs, os::unix::fs::symlink};

use crate::common::{Scratch, run, sha256};

/// Two files, and an updated list of them.
fn listed() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("d/a", "a");
    scratch.write("d/b", "b");
    assert_eq!(scratch.sum(&["--update=LIST", "d"]).code, Some(0));
    scratch
}

/// A setup of the directory and the list, and the statuses that runs end with.
type Fate = (&'static str, fn(&Scratch), [i32; 5]);

const RUNS: [&[&str]; 5] = [
    &["--audit=LIST", "d"],
    &["--update=LIST", "--detailed-exit", "d"],
    &["--update=LIST", "d"],
    &["-c", "--detailed-exit", "LIST"],
    &["-c", "LIST"],
];

fn unreadable(scratch: &Scratch) {
    fs::remove_file(scratch.at("d/a")).unwrap();
    symlink("a", scratch.at("d/a")).unwrap();
    scratch.write("LIST", format!("{}  d/a\n{}  d/b\n", sha256(b"a"), sha256(b"b")));
}

const FATES: [Fate; 9] = [
    ("nothing", |_| {}, [0, 0, 0, 0, 0]),
    ("a changed file", |scratch| scratch.write("d/a", "changed"), [1, 1, 0, 1, 1]),
    ("a new file", |scratch| scratch.write("d/new", "new"), [1, 1, 0, 0, 0]),
    ("a missing file", |scratch| fs::remove_file(scratch.at("d/a")).unwrap(), [1, 1, 0, 2, 1]),
    (
        "all are missing",
        |scratch| ["d/a", "d/b"].iter().for_each(|name| fs::remove_file(scratch.at(name)).unwrap()),
        [1, 1, 1, 2, 1],
    ),
    ("no list", |scratch| fs::remove_file(scratch.at("LIST")).unwrap(), [2, 1, 0, 2, 1]),
    (
        "a malformed line",
        |scratch| {
            let list = fs::read_to_string(scratch.at("LIST")).unwrap();
            scratch.write("LIST", list + "prose\n");
        },
        [1, 2, 2, 1, 0],
    ),
    ("no line is one", |scratch| scratch.write("LIST", "prose\n"), [2, 2, 2, 2, 1]),
    (
        "changed and unreadable",
        |scratch| {
            unreadable(scratch);
            scratch.write("d/b", "changed");
        },
        [1, 2, 2, 2, 1],
    ),
];

#[test]
fn statuses_distinguish_differing_from_unreadable_files() {
    for (what, befall, codes) in FATES {
        for (args, code) in RUNS.into_iter().zip(codes) {
            let scratch = listed();
            crate::update::tick();
            befall(&scratch);
            let ran = scratch.sum(args);
            assert_eq!(ran.code, Some(code), "{what}: {args:?}: {ran:?}");
        }
    }
}

#[test]
fn a_run_that_cannot_begin_or_end_does_not_say_that_files_differ() {
    let scratch = listed();
    for args in [
        &["--audit=LIST", "--nonsense"][..],
        &["--update", "LIST", "-a", "nonsense"],
        &["-c", "--detailed-exit", "--zero", "LIST"],
        &["--audit=LIST", "--files-from=none"],
        &["--audit=LIST", "d", "nowhere"],
    ] {
        assert_eq!(scratch.sum(args).code, Some(2), "{args:?}");
    }
    for args in [["-c", "none"], ["--nonsense", "-c"]] {
        assert_eq!(scratch.sum(&args).code, Some(1), "{args:?}");
    }
    // under GNU's names, every failure has status 1
    assert_eq!(run(scratch.ours("sha256sum").arg("--audit=LIST"), b"").code, Some(1));
    if fs::metadata("/dev/full").is_ok() {
        let program = env!("CARGO_BIN_EXE_jlanes-sum");
        for (args, code) in [("--audit=LIST d", 2), ("-c LIST", 1)] {
            let line = format!("exec {program} {args} > /dev/full");
            let ran = run(scratch.command("sh", "sh").args(["-c", &line]), b"");
            assert_eq!(ran.code, Some(code), "{args}: {ran:?}");
        }
    }
}
