//! `--audit` and `--only`, which GNU's tools lack.

use std::fs;

use crate::common::{Scratch, run, sha256};

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
}

#[test]
fn a_list_that_cannot_be_read_ends_an_audit() {
    let scratch = recorded();
    scratch.write("none", "nothing\nof the kind\n");
    let none = "jlanes-sum: none: 1: improperly formatted checksum line\n\
                jlanes-sum: none: 2: improperly formatted checksum line\n\
                jlanes-sum: none: no properly formatted checksum lines found\n";
    for (list, printed) in
        [("nowhere", "jlanes-sum: nowhere: No such file or directory\n"), ("none", none)]
    {
        let ran = scratch.sum(&["--audit=d/LIST", "--audit", list, "d"]);
        assert_eq!((ran.code, ran.out(), ran.err()), (Some(2), String::new(), printed.to_owned()));
    }
    // an empty list is a list of no files
    scratch.write("empty", "");
    let ran = scratch.sum(&["--audit=empty", "d/same"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d/same: NEW\n".to_owned()));
}

#[test]
fn every_line_about_a_file_counts() {
    let scratch = Scratch::new();
    scratch.write("v", "good");
    let good = scratch.sum(&["--tag", "v"]).out();
    scratch.write("v", "bad");
    let bad = scratch.sum(&["-a", "sha1", "--tag", "v"]).out();
    for list in [format!("{good}{bad}"), format!("{bad}{good}"), format!("{good}{good}{bad}")] {
        scratch.write("L", list.replace("(v)", "(./v)"));
        let ran = scratch.sum(&["--audit", "L", "v"]);
        assert_eq!((ran.code, ran.out()), (Some(1), "v: CHANGED\n".to_owned()));
    }
    // two different digests by one algorithm contradict each other
    scratch.write("L", bad.clone() + &scratch.sum(&["--tag", "-a", "sha1", "v"]).out());
    assert_eq!(scratch.sum(&["--audit", "L", "v"]).code, Some(0), "the same line twice");
    scratch.write("L", bad + "SHA1 (v) = 0000000000000000000000000000000000000000\n");
    assert_eq!(scratch.sum(&["--audit", "L", "v"]).out(), "v: CHANGED\n");
    scratch.write(
        "L",
        "%%%% HASHDEEP-1.0\n%%%% size,sha1,filename\n4,".to_owned()
            + &scratch.sum(&["--no-names", "-a", "sha1", "v"]).out().replace('\n', ",v\n"),
    );
    assert_eq!(scratch.sum(&["--audit", "L", "v"]).out(), "v: CHANGED\n", "another size");
}

#[test]
fn any_number_of_digests_of_a_file_is_compared() {
    let scratch = Scratch::new();
    scratch.write("v", "v");
    let specs: Vec<_> = (1..=40).map(|i| format!("skein256-{}", 8 * i)).collect();
    let list = scratch.sum(&["-a", &specs.join(","), "v"]).out();
    scratch.write("L", &list);
    assert_eq!(scratch.sum(&["--audit", "L", "v"]).out(), "v: OK\n");
    for i in [0, 15, 16, 17, 39] {
        let wrong: String = list
            .lines()
            .enumerate()
            .map(|(at, line)| {
                let (start, digest) = line.split_once("= ").unwrap();
                let flipped = if digest.starts_with('0') { "1" } else { "0" };
                let digest =
                    if at == i { flipped.to_owned() + &digest[1..] } else { digest.into() };
                format!("{start}= {digest}\n")
            })
            .collect();
        scratch.write("L", wrong);
        assert_eq!(scratch.sum(&["--audit", "L", "v"]).out(), "v: CHANGED\n", "line {i}");
    }
}

#[test]
fn files_that_moved_are_found_by_any_algorithm() {
    let scratch = Scratch::new();
    for name in ["a", "b", "c"] {
        scratch.write(format!("d/{name}"), name);
    }
    let line = |spec: &str, name: &str| scratch.sum(&["--tag", "-a", spec, name]).out();
    let list = line("sha1", "d/a") + &line("sha512", "d/b") + &line("sha256", "d/c");
    scratch.write("L", list + &line("sha1", "d/b"));
    for name in ["a", "b", "c"] {
        fs::rename(scratch.at(format!("d/{name}")), scratch.at(format!("d/{name}{name}"))).unwrap();
    }
    let ran = scratch.sum(&["--audit", "L", "d"]);
    let moved = "d/aa: MOVED from d/a\nd/bb: MOVED from d/b\nd/cc: MOVED from d/c\n";
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), moved.to_owned(), String::new()));
}

#[test]
fn verdicts_come_in_the_order_of_files_and_missing_ones_in_that_of_lists() {
    let scratch = recorded();
    scratch.write("d/changes", "has changed");
    scratch.write("d/aaa", "new");
    scratch.write("d/zzz", "new");
    fs::remove_file(scratch.at("d/goes")).unwrap();
    fs::remove_file(scratch.at("d/moves")).unwrap();
    let list = fs::read_to_string(scratch.at("d/LIST")).unwrap();
    let mut lines: Vec<_> = list.lines().collect();
    lines.reverse();
    scratch.write("d/LIST", lines.join("\n"));
    let ran = scratch.sum(&["--audit=d/LIST", "d"]);
    let expected = "d/aaa: NEW\nd/changes: CHANGED\nd/same: OK\nd/sub/same: OK\nd/zzz: NEW\n\
                    d/moves: MISSING\nd/goes: MISSING\n";
    assert_eq!((ran.code, ran.out()), (Some(1), expected.to_owned()));
    for (option, kept) in [
        (
            "--quiet",
            "d/aaa: NEW\nd/changes: CHANGED\nd/zzz: NEW\nd/moves: MISSING\nd/goes: MISSING\n",
        ),
        (
            "--ignore-missing",
            "d/aaa: NEW\nd/changes: CHANGED\nd/same: OK\nd/sub/same: OK\nd/zzz: NEW\n",
        ),
        ("--status", ""),
        ("--strict", expected),
        ("--warn", expected),
    ] {
        let ran = scratch.sum(&["--audit=d/LIST", option, "d"]);
        assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), kept.to_owned(), String::new()));
    }
}

#[test]
fn absolute_names_are_those_of_the_same_files() {
    let scratch = recorded();
    let relative = fs::read_to_string(scratch.at("d/LIST")).unwrap();
    let real = fs::canonicalize(scratch.path()).unwrap();
    let real = real.to_str().unwrap().trim_start_matches(r"\\?\");
    fs::remove_file(scratch.at("d/LIST")).unwrap();
    scratch.write("LIST", relative.replace("  d/", &format!("  {real}/d/")));
    for operand in ["d", "./d", &format!("{real}/d")] {
        let ran = scratch.sum(&["--audit", "LIST", "--quiet", operand]);
        assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
    }
    // and with relative names in the list
    scratch.write("LIST", &relative);
    let ran = scratch.sum(&["--audit", "LIST", "--quiet", &format!("{real}/d")]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
    // the shell's path of the working directory, through a link
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(real, scratch.at("link")).unwrap();
        scratch.write("LIST", relative.replace("  d/", &format!("  {real}/link/d/")));
        let mut command = scratch.ours("jlanes-sum");
        command.current_dir(scratch.at("link")).env("PWD", scratch.at("link"));
        let ran = run(command.args(["--audit", "LIST", "--quiet", "d"]), b"");
        assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
    }
}

#[test]
fn an_audit_is_of_the_working_directory_by_itself_or_of_listed_names() {
    let scratch = recorded();
    let ran = scratch.sum(&["--audit=d/LIST", "--quiet"]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
    let mut command = scratch.ours("jlanes-sum");
    command.args(["--audit=d/LIST", "--ignore-missing", "--files-from=-"]);
    let ran = run(&mut command, b"d/same\nd/goes\n");
    assert_eq!((ran.code, ran.out()), (Some(0), "d/same: OK\nd/goes: OK\n".to_owned()));
}

#[test]
fn only_the_named_files_are_checked_and_must_be_listed() {
    let scratch = recorded();
    scratch.write("d/changes", "has changed");
    let ran = scratch.sum(&["-c", "d/LIST", "--only", "d/same", "--only=d/goes"]);
    assert_eq!((ran.code, ran.out()), (Some(0), "d/goes: OK\nd/same: OK\n".to_owned()));
    let ran = scratch.sum(&["-c", "d/LIST", "--only=d/same", "--only=d/same"]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), "d/same: OK\n".into(), String::new()));
    let ran = scratch.sum(&["-c", "d/LIST", "--only", "d/changes"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d/changes: FAILED\n".to_owned()));
    let ran = scratch.sum(&["-c", "d/LIST", "--only", "d/same", "--only", "same"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d/same: OK\n".to_owned()));
    assert_eq!(ran.err(), "jlanes-sum: same: is in no list\n");
    scratch.write("other", format!("{}  d/same\n", sha256(b"same")));
    let ran = scratch.sum(&["-c", "d/LIST", "other", "--only", "d/goes"]);
    assert_eq!((ran.code, ran.out()), (Some(0), "d/goes: OK\n".to_owned()));
}
