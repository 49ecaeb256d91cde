//! `--update`: lists that are brought up to date.

use std::{
    fs,
    os::unix::fs::{MetadataExt, symlink},
    thread::sleep,
    time::Duration,
};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};

use crate::common::{Ran, Scratch, run, sha256};

/// The metadata and contents of a file, which show whether it was written or replaced.
fn written(scratch: &Scratch, name: &str) -> (u64, i64, i64, Vec<u8>) {
    let stat = fs::metadata(scratch.at(name)).unwrap();
    (stat.ino(), stat.mtime_nsec(), stat.ctime_nsec(), fs::read(scratch.at(name)).unwrap())
}

/// Waits until new files get a later time than existing ones.
pub(crate) fn tick() {
    sleep(Duration::from_millis(30));
}

/// The lines of a list without comments.
pub(crate) fn raw_lines(scratch: &Scratch, list: &str) -> Vec<u8> {
    let text = fs::read(scratch.at(list)).unwrap();
    let lines = text.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#"));
    lines.flatten().copied().collect()
}

/// The lines of a list of names that are text.
fn lines(scratch: &Scratch, list: &str) -> String {
    String::from_utf8(raw_lines(scratch, list)).unwrap()
}

/// Sets a file's time to long ago.
pub(crate) fn make_old(scratch: &Scratch, name: impl AsRef<[u8]>) {
    let then = Timespec { tv_sec: 1_000_000_000, tv_nsec: 1 };
    let times = Timestamps { last_access: then, last_modification: then };
    utimensat(CWD, scratch.at(name), &times, AtFlags::empty()).unwrap();
}

/// Updates LIST, which must then equal a new list.
#[track_caller]
fn update(scratch: &Scratch, args: &[&str]) -> Ran {
    tick();
    let ran = scratch.sum(&[&["--update", "LIST"], args].concat());
    let plain: Vec<_> = args.iter().filter(|arg| !arg.starts_with("--summary")).copied().collect();
    let fresh = scratch.sum(&[&["-r"], &plain[..]].concat());
    assert_eq!(lines(scratch, "LIST"), fresh.out(), "{ran:?}");
    ran
}

#[test]
fn a_long_list_is_compared_to_its_end() {
    let scratch = Scratch::new();
    let name = |number: usize| format!("d/{number:04}");
    for number in 0..5000 {
        scratch.write(name(number), number.to_string());
    }
    assert_eq!(update(&scratch, &["d"]).code, Some(0));
    let before = written(&scratch, "LIST");
    let ran = update(&scratch, &["--summary", "d"]);
    assert!(ran.out().starts_with("summary: 5000 OK, 0 CHANGED, 0 NEW, 0 MISSING, 0 "), "{ran:?}");
    assert_eq!(written(&scratch, "LIST"), before);
    // the first file that differs is in any position of a batch
    for number in [300, 1023, 1024, 4999, 0] {
        scratch.write(name(number), "changed");
        assert_eq!(update(&scratch, &["d"]).out(), format!("{}: CHANGED\n", name(number)));
    }
    let text = fs::read_to_string(scratch.at("LIST")).unwrap();
    scratch.write("LIST", text.replace(&sha256(b"3000"), &sha256(b"edited")));
    assert_eq!(update(&scratch, &["d"]).out(), format!("{}: CHANGED\n", name(3000)));
    fs::remove_file(scratch.at(name(4500))).unwrap();
    scratch.write("d/2000a", "new");
    assert_eq!(update(&scratch, &["d"]).out(), "d/2000a: NEW\nd/4500: MISSING\n");
    fs::remove_file(scratch.at(name(4999))).unwrap();
    assert_eq!(update(&scratch, &["d"]).out(), "d/4999: MISSING\n");
    assert_eq!(update(&scratch, &["d"]).out(), "");
}

#[test]
fn only_what_is_new_or_has_changed_is_read() {
    let scratch = Scratch::new();
    for name in ["d/a", "d/b", "d/c/d", "d/e"] {
        scratch.write(name, name);
    }
    let ran = update(&scratch, &["--summary", "d"]);
    let printed = "d/a: NEW\nd/b: NEW\nd/c/d: NEW\nd/e: NEW\n\
                summary: 0 OK, 0 CHANGED, 4 NEW, 0 MISSING, 0 FAILED open or read, \
                0 improperly formatted\n";
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), printed.to_owned(), String::new()));
    assert_eq!(update(&scratch, &["d"]).out(), "");
    scratch.write("d/b", "changed");
    scratch.write("d/new", "new");
    fs::remove_file(scratch.at("d/a")).unwrap();
    let ran = update(&scratch, &["d"]);
    assert_eq!(
        (ran.code, ran.out().as_str()),
        (Some(0), "d/b: CHANGED\nd/new: NEW\nd/a: MISSING\n")
    );
    // a copy of the list knows the time of its update
    scratch.write("d/b", "changed again");
    tick();
    fs::copy(scratch.at("LIST"), scratch.at("COPY")).unwrap();
    fs::rename(scratch.at("COPY"), scratch.at("LIST")).unwrap();
    assert_eq!(update(&scratch, &["d"]).out(), "d/b: CHANGED\n");
    // a file that replaces another may be older
    scratch.write("old", "old");
    make_old(&scratch, "old");
    tick();
    update(&scratch, &["d"]);
    fs::rename(scratch.at("old"), scratch.at("d/b")).unwrap();
    assert_eq!(update(&scratch, &["d"]).out(), "d/b: CHANGED\n");
    // no other file is opened
    if scratch.can_trace("which files an update reads") {
        scratch.write("d/e", "other");
        tick();
        let mut traced = scratch.command("strace", "strace");
        traced.args(["-f", "-e", "trace=openat", "-o", "TRACE"]);
        traced.args([env!("CARGO_BIN_EXE_jlanes-sum"), "--update", "LIST", "d"]);
        assert_eq!(run(&mut traced, b"").code, Some(0));
        let trace = fs::read_to_string(scratch.at("TRACE")).unwrap();
        let opened = |name: &str| trace.contains(&format!("\"{name}\""));
        assert!(opened("e") && !opened("b") && !opened("new"), "{trace}");
    }
}

#[test]
fn nothing_is_written_where_nothing_changed() {
    let scratch = Scratch::new();
    for name in ["d/a", "d/b", "d/c/d", "elsewhere", "z"] {
        scratch.write(name, name);
    }
    for form in [&[][..], &["--tag"], &["-a", "sha1,sha512"], &["-b", "--base64"]] {
        let made = scratch.sum(&[form, &["-r", "d", "elsewhere"]].concat());
        scratch.write("LIST", [b"# mine\n", &made.stdout[..], b"# the end\n"].concat());
        tick();
        assert_eq!(scratch.sum(&["--update=LIST", "d"]).code, Some(0));
        let before = written(&scratch, "LIST");
        for args in [&["d"][..], &["./d", "--summary"], &["elsewhere", "d"], &["d", "--json"]] {
            tick();
            let ran = scratch.sum(&[&["--update=LIST"], args].concat());
            assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{args:?}");
            let same = args[0] != "elsewhere";
            assert_eq!(written(&scratch, "LIST") == before, same, "{form:?} {args:?}");
            if !same {
                assert_eq!(scratch.sum(&["--update=LIST", "d"]).code, Some(0));
                break;
            }
        }
        // a difference after lines and comments that stay
        scratch.write("d/c/d", "changed");
        scratch.write("d/new", "new");
        tick();
        let ran = scratch.sum(&["--update=LIST", "d"]);
        assert_eq!((ran.code, ran.out().as_str()), (Some(0), "d/c/d: CHANGED\nd/new: NEW\n"));
        let text = fs::read_to_string(scratch.at("LIST")).unwrap();
        let comments = text.lines().filter(|line| line.starts_with('#') && !line.contains("file"));
        assert_eq!(comments.collect::<Vec<_>>(), ["# mine", "# the end"], "{text}");
        let ours = form.iter().filter(|option| **option != "-b").copied();
        let fresh =
            scratch.sum(&[&ours.collect::<Vec<_>>()[..], &["-r", "d", "elsewhere"]].concat());
        if !form.contains(&"-b") {
            assert_eq!(lines(&scratch, "LIST"), fresh.out(), "{form:?}");
        }
        assert_eq!(scratch.sum(&["-c", "--strict", "--quiet", "LIST"]).code, Some(0));
        // another form is requested
        let before = written(&scratch, "LIST");
        tick();
        assert_eq!(scratch.sum(&["--update=LIST", "--tag", "d"]).code, Some(0));
        let is_tagged = form.contains(&"--tag") || form.contains(&"-a");
        assert_eq!(written(&scratch, "LIST") == before, is_tagged, "{form:?}");
        scratch.write("d/c/d", "d/c/d");
        fs::remove_file(scratch.at("d/new")).unwrap();
    }
}

#[test]
fn lines_are_taken_apart_as_they_were_written() {
    let scratch = Scratch::new();
    // names that are escaped, and names that make a line look like one of another form
    let long = format!("d/{}  {}", "0a".repeat(10), "0a".repeat(32));
    let names = ["d/# x", "d/(x) = 00", "d/a\nb", "d/x *y", "d/x) = 0a", "d/\\", &long];
    for name in names {
        scratch.write(name, name);
    }
    for form in [&[][..], &["--tag"], &["-b"], &["--base64"], &["-a", "sha1,sha256,s3-sha256:4"]] {
        let made = scratch.sum(&[form, &["-r", "d"]].concat()).stdout;
        scratch.write("LIST", &made);
        tick();
        assert_eq!(scratch.sum(&["--update=LIST", "d"]).code, Some(0));
        assert_eq!(raw_lines(&scratch, "LIST"), made, "{form:?}");
        // comments between the lines of one file, and between those of two
        let text = fs::read_to_string(scratch.at("LIST")).unwrap();
        let comment = format!("# {}  x\n", "0a".repeat(31));
        let mut lines: Vec<_> = text.split_inclusive('\n').collect();
        for at in [3, lines.len() / 2, lines.len() - 1] {
            lines.insert(at, &comment);
        }
        scratch.write("LIST", lines.concat());
        let before = written(&scratch, "LIST");
        let printed = scratch.sum(&["--update=LIST", "--summary", "d"]).out();
        assert!(
            printed.starts_with("summary: 7 OK, 0 CHANGED, 0 NEW, 0 MISSING"),
            "{form:?}: {printed}"
        );
        assert_eq!(written(&scratch, "LIST"), before, "{form:?}");
        scratch.write("d/a\nb", "changed");
        tick();
        let printed = scratch.sum(&["--update=LIST", "d"]).out();
        assert_eq!(printed, "'d/a'$'\\n''b': CHANGED\n", "{form:?}");
        let fresh = scratch.sum(&[form, &["-r", "d"]].concat()).stdout;
        assert_eq!(raw_lines(&scratch, "LIST"), fresh, "{form:?}");
        let text = fs::read_to_string(scratch.at("LIST")).unwrap();
        assert_eq!(text.matches(&comment).count(), 3, "{form:?}: {text}");
        scratch.write("d/a\nb", "d/a\nb");
        tick();
    }
}

#[test]
fn lists_in_any_order_are_brought_into_ours() {
    let scratch = Scratch::new();
    for name in ["d/a", "d/b", "d/c"] {
        scratch.write(name, name);
    }
    let line = |name: &str, of: &str| format!("{}  {name}\n", sha256(of.as_bytes()));
    let list = [
        "# head\n".to_owned(),
        line("d/c", "d/c"),
        "# of a\n".to_owned(),
        line("./d/a", "d/a"),
        line("d/b", "other"),
        "# of c\n".to_owned(),
        line("d//c", "d/c"),
        line("d/b", "d/b"),
        "# tail\n".to_owned(),
    ];
    scratch.write("LIST", list.concat());
    tick();
    let ran = scratch.sum(&["--update=LIST", "d"]);
    // one of two digests is wrong
    assert_eq!((ran.code, ran.out().as_str()), (Some(0), "d/b: CHANGED\n"), "{ran:?}");
    let text = fs::read_to_string(scratch.at("LIST")).unwrap();
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("# jlanes")).collect();
    let digest = |name: &str, of: &str| line(name, of).trim_end().to_owned();
    let expected = [
        "# head".to_owned(),
        "# of a".to_owned(),
        digest("./d/a", "d/a"),
        digest("d/b", "d/b"),
        "# of c".to_owned(),
        digest("d/c", "d/c"),
        "# tail".to_owned(),
    ];
    assert_eq!(lines, expected, "{text}");
    tick();
    let before = written(&scratch, "LIST");
    assert_eq!(scratch.sum(&["--update=LIST", "d"]).out(), "");
    assert_eq!(written(&scratch, "LIST"), before);
}

#[test]
fn lists_keep_what_they_are() {
    let scratch = Scratch::new();
    scratch.write("d/a", "a");
    scratch.write("elsewhere", "b");
    // a list without stamps is made anew, with its algorithms, tags and names
    let made = scratch.sum(&["-a", "sha1,sha512", "d/a", "elsewhere", "./gone"]);
    scratch.write("LIST", [b"# mine\n\n", &made.stdout[..]].concat());
    scratch.write("d/b", "b");
    tick();
    let ran = scratch.sum(&["--update=LIST", "./d"]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(0), "./d/b: NEW\n"));
    let expected = scratch.sum(&["-a", "sha1,sha512", "d/a", "./d/b", "elsewhere"]);
    assert_eq!(lines(&scratch, "LIST"), expected.out());
    assert_eq!(scratch.sum(&["-c", "--strict", "--quiet", "LIST"]).code, Some(0));
    // other algorithms replace them
    let ran = scratch.sum(&["--update=LIST", "-a", "sha256", "d", "--json"]);
    assert_eq!((ran.code, ran.out().matches("\"CHANGED\"").count()), (Some(0), 3), "{ran:?}");
    assert!(lines(&scratch, "LIST").starts_with(&format!("SHA256 (d/a) = {}\n", sha256(b"a"))));
    // the list has no line about itself any more
    scratch.write("e/a", "a");
    let made = scratch.sum(&["-r", "e"]);
    scratch.write(
        "e/LIST",
        [&made.stdout[..], format!("{}  e/LIST\n", sha256(b"")).as_bytes()].concat(),
    );
    let ran = scratch.sum(&["--update=e/LIST", "e"]);
    assert_eq!(ran.out(), "e/LIST: MISSING\n");
    assert_eq!(lines(&scratch, "e/LIST"), made.out());
}

#[test]
fn a_list_that_cannot_be_kept_is_left_alone() {
    let scratch = Scratch::new();
    scratch.write("a", "a");
    for list in ["nonsense\n", "h1:zfnjV891yKYYbtB2zZFnx/hwZKEMosZP5aJhWjZirb4=  d\n"] {
        scratch.write("LIST", list);
        let ran = scratch.sum(&["--update=LIST", "a"]);
        assert_eq!((ran.code, ran.out()), (Some(2), String::new()));
        assert!(ran.err().ends_with("LIST: not brought up to date\n"), "{ran:?}");
        assert_eq!(fs::read_to_string(scratch.at("LIST")).unwrap(), list);
    }
    let ran = scratch.sum(&["--update=missing/LIST", "a"]);
    let printed = "jlanes-sum: --update: 'missing/LIST': No such file or directory\n";
    assert_eq!((ran.code, ran.err()), (Some(2), printed.to_owned()));
    // an unreadable file keeps its line
    scratch.write("LIST", format!("{}  a\n{}  dir/b\n", sha256(b"old"), sha256(b"b")));
    symlink("loop", scratch.at("loop")).unwrap();
    symlink("loop", scratch.at("dir")).unwrap();
    let ran = scratch.sum(&["--update=LIST", "a"]);
    let printed = "a: CHANGED\ndir/b: FAILED open or read\n";
    assert_eq!((ran.code, ran.out().as_str()), (Some(2), printed), "{ran:?}");
    let expected = format!("{}  a\n{}  dir/b\n", sha256(b"a"), sha256(b"b"));
    assert_eq!(lines(&scratch, "LIST"), expected);
    // no temporary file is left
    let entries = fs::read_dir(scratch.path()).unwrap();
    let left = entries.filter(|entry| entry.as_ref().unwrap().path().extension().is_some());
    assert_eq!(left.count(), 0);
}
