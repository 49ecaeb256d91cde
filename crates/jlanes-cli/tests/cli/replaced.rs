//! Files that an output may replace, and files that an interrupted run leaves.

use std::{
    fs,
    io::Read,
    os::unix::fs::symlink,
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Ran, Scratch, paint, run, sha256};

fn names(scratch: &Scratch) -> Vec<String> {
    let entries = fs::read_dir(scratch.path()).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[track_caller]
fn refused(scratch: &Scratch, args: &[&str], name: &str, content: &[u8]) -> Ran {
    let before = names(scratch);
    let ran = scratch.sum(args);
    let code = if args.contains(&"--update") { 2 } else { 1 };
    assert_eq!((ran.code, ran.out()), (Some(code), String::new()), "{args:?}: {ran:?}");
    assert!(ran.err().contains("--force") || ran.err().contains("not replaced"), "{ran:?}");
    assert!(fs::read(scratch.at(name)).unwrap() == content, "{args:?}: {ran:?}");
    assert_eq!(names(scratch), before);
    ran
}

#[test]
fn files_that_are_no_lists_are_not_replaced() {
    let scratch = Scratch::new();
    for name in ["a.iso", "b.iso", "c.iso"] {
        scratch.write(name, paint(1000));
    }
    scratch.write("script", "#!/bin/sh\nexit 0\n");
    scratch.write("d/e", "e");
    symlink("a.iso", scratch.at("link")).unwrap();
    fs::hard_link(scratch.at("a.iso"), scratch.at("hard")).unwrap();
    for args in [
        &["-o", "a.iso", "b.iso", "c.iso"][..],
        &["-o", "link", "b.iso"],
        &["-o", "hard", "b.iso"],
        &["-o", "d/../a.iso", "-r", "d"],
        &["-o", "a.iso", "--dirhash=h1", "d"],
        &["-o", "a.iso", "--dedupe", "d"],
        &["-o", "a.iso", "--json", "d/e"],
        &["-ro", "a.iso", "."],
    ] {
        refused(&scratch, args, "a.iso", &paint(1000));
    }
    refused(&scratch, &["-o", "script", "d/e"], "script", b"#!/bin/sh\nexit 0\n");
    let ran = scratch.sum(&["--force", "-o", "script", "d/e"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    assert_eq!(
        fs::read_to_string(scratch.at("script")).unwrap(),
        format!("{}  d/e\n", sha256(b"e"))
    );
    for text in [
        "{\"name\":\"Ann\",\"id\":1}\n{\"name\":\"Bob\",\"id\":2}\n",
        "{\"summary\":\"of an article\"}\n",
        "name,digest\nf,00\n",
        "# Notes\n\n- one\n",
        "#mtree\n. type=dir\n./f type=file size=1 mode=0644\n",
        "# summary: of the year\n",
        "\n\n",
    ] {
        scratch.write("user", text);
        for form in [&[][..], &["--json"], &["--format=mtree"], &["--dedupe"], &["-a", "crc32"]] {
            refused(&scratch, &[form, &["-o", "user", "d/e"]].concat(), "user", text.as_bytes());
        }
    }
    // an empty file may be replaced
    scratch.write("empty", "");
    assert_eq!(scratch.sum(&["-o", "empty", "d/e"]).code, Some(0));
    let ran = scratch.sum(&["--force", "d/e"]);
    assert!(ran.err().contains("meaningful only with --output or --update"), "{ran:?}");
}

#[test]
fn a_link_to_nothing_leads_to_the_list() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    fs::create_dir(scratch.at("d")).unwrap();
    symlink("d/second", scratch.at("first")).unwrap();
    symlink("../LIST", scratch.at("d/second")).unwrap();
    symlink("loop", scratch.at("loop")).unwrap();
    symlink("none/LIST", scratch.at("astray")).unwrap();
    for option in ["-o", "--update"] {
        assert_eq!(scratch.sum(&[option, "first", "f"]).code, Some(0));
        assert_eq!(scratch.sum(&["-c", "--quiet", "LIST"]).code, Some(0));
        for (link, why) in [("loop", "Too many levels"), ("astray", "No such file")] {
            let ran = scratch.sum(&[option, link, "f"]);
            assert!(ran.code != Some(0) && ran.err().contains(why), "{link}: {ran:?}");
        }
        fs::remove_file(scratch.at("LIST")).unwrap();
        for link in ["first", "d/second", "loop", "astray"] {
            assert!(fs::symlink_metadata(scratch.at(link)).unwrap().is_symlink(), "{link}");
        }
    }
}

#[test]
fn an_operand_is_not_replaced() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    let list = scratch.sum(&["f"]).stdout;
    scratch.write("p", &list);
    symlink("p", scratch.at("link")).unwrap();
    fs::hard_link(scratch.at("p"), scratch.at("hard")).unwrap();
    scratch.write("names", "f\nlink\n");
    for args in [
        &["-o", "p", "p"][..],
        &["-o", "p", "f", "./p"],
        &["-o", "p", "link"],
        &["-o", "link", "p"],
        &["-o", "hard", "p", "f"],
        &["-o", "p", "--files-from=names"],
        &["-ro", "p", "f", "p"],
    ] {
        refused(&scratch, args, "p", &list);
    }
    assert_eq!(scratch.sum(&["--force", "-o", "p", "f", "p"]).code, Some(0));
    assert_eq!(fs::read(scratch.at("p")).unwrap(), list);
}

#[test]
fn a_list_is_replaced_by_a_whole_one_alone() {
    let scratch = Scratch::new();
    for name in ["a", "b"] {
        scratch.write(name, name);
    }
    for form in [&[][..], &["--json"], &["--format=mtree"], &["-z"], &["--dedupe"], &["-a", "crc"]]
    {
        scratch.write("b", "b");
        let args = [form, &["-o", "L", "a", "b"]].concat();
        for _ in 0..2 {
            let ran = scratch.sum(&args);
            assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{args:?}");
        }
        let before = fs::read(scratch.at("L")).unwrap();
        fs::remove_file(scratch.at("b")).unwrap();
        let ran = scratch.sum(&args);
        if !before.is_empty() {
            assert!(
                ran.err().contains("'L': not replaced, as not all files could be read"),
                "{ran:?}"
            );
            assert_eq!(fs::read(scratch.at("L")).unwrap(), before);
        }
        assert_eq!(ran.code, Some(1));
        assert_eq!(scratch.sum(&[&["--force"], &args[..]].concat()).code, Some(1));
        fs::remove_file(scratch.at("L")).unwrap();
    }
    // without an old list, an incomplete one is written
    assert_eq!(scratch.sum(&["-o", "L", "a", "b"]).code, Some(1));
    assert_eq!(fs::read(scratch.at("L")).unwrap(), scratch.sum(&["a"]).stdout);
}

#[test]
fn a_list_is_not_replaced_by_nothing() {
    let scratch = Scratch::new();
    scratch.write("d/f", "f");
    fs::create_dir(scratch.at("empty")).unwrap();
    scratch.write("names", "");
    for form in [&[][..], &["--json"], &["--format=mtree"], &["--format=hashdeep"], &["-z"]] {
        let list = scratch.sum(&[form, &["-r", "d"]].concat()).stdout;
        scratch.write("L", &list);
        for args in [
            // like a file system that is not mounted
            &["-r", "-o", "L", "empty"][..],
            &["-r", "-o", "L", "--include=*.iso", "d"],
            &["-o", "L", "--files-from=names"],
        ] {
            let ran = refused(&scratch, &[form, args].concat(), "L", &list);
            let why = "'L': not replaced without --force, as the new list is empty";
            assert!(ran.err().contains(why), "{ran:?}");
        }
    }
    scratch.write("L", scratch.sum(&["--dirhash=h1", "d"]).stdout);
    let h1 = fs::read(scratch.at("L")).unwrap();
    refused(&scratch, &["--dirhash=h1", "-o", "L", "--files-from=names"], "L", &h1);
    assert_eq!(scratch.sum(&["-r", "-o", "L", "--force", "empty"]).code, Some(0));
    // no list was replaced
    for list in ["L", "new"] {
        assert_eq!(scratch.sum(&["-r", "-o", list, "empty"]).code, Some(0));
    }
    // the report of duplicates that are gone
    scratch.write("d/g", "f");
    assert_eq!(scratch.sum(&["--dedupe", "-o", "D", "d"]).code, Some(0));
    fs::remove_file(scratch.at("d/g")).unwrap();
    assert_eq!(scratch.sum(&["--dedupe", "-o", "D", "d"]).code, Some(0));
    assert_eq!(fs::read(scratch.at("D")).unwrap(), b"");
}

#[test]
fn a_protected_list_is_not_replaced() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    scratch.write("L", scratch.sum(&["f"]).stdout);
    let list = fs::read(scratch.at("L")).unwrap();
    scratch.write("f", "another");
    let mut permissions = fs::metadata(scratch.at("L")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(scratch.at("L"), permissions).unwrap();
    for option in ["-o", "--update"] {
        let ran = refused(&scratch, &[option, "L", "f"], "L", &list);
        assert!(ran.err().contains("'L': write-protected, and not replaced"), "{ran:?}");
    }
    assert_eq!(scratch.sum(&["--force", "-o", "L", "f"]).code, Some(0));
    assert_ne!(fs::read(scratch.at("L")).unwrap(), list);
}

#[test]
fn a_dash_is_standard_output() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    for args in [&["-o", "-", "f"][..], &["--output=-", "f"]] {
        assert_eq!(scratch.sum(args).out(), scratch.sum(&["f"]).out());
        assert_eq!(names(&scratch), ["f"]);
    }
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    scratch.fifo("fifo");
    for list in ["new", "old"] {
        scratch.write("old", scratch.sum(&["f"]).stdout);
        for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT, Signal::KILL] {
            for option in ["-o", "--update"] {
                let mut command = scratch.ours("jlanes-sum");
                command
                    .args([option, list, "f", "fifo"])
                    .stdout(Stdio::null())
                    .stderr(Stdio::null());
                let mut child = command.spawn().unwrap();
                // the program waits for a writer of the FIFO
                let opened = |pid: u32| {
                    fs::read_dir(format!("/proc/{pid}/fd")).is_ok_and(|fds| {
                        fds.flatten()
                            .any(|fd| fs::read_link(fd.path()).is_ok_and(|to| to.ends_with("fifo")))
                    })
                };
                let start = Instant::now();
                while !opened(child.id()) && start.elapsed() < Duration::from_secs(20) {
                    sleep(Duration::from_millis(5));
                }
                let pid = Pid::from_raw(child.id().cast_signed()).unwrap();
                kill_process(pid, signal).unwrap();
                assert_eq!(child.wait().unwrap().code(), None);
                assert_eq!(names(&scratch), ["f", "fifo", "old"], "{signal:?} {option}");
                assert_eq!(fs::read(scratch.at("old")).unwrap(), scratch.sum(&["f"]).stdout);
            }
        }
    }
    // the reader of the verdicts exits
    let mut command = scratch.ours("jlanes-sum");
    command.args(["--update", "new", "f"]).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    child.wait().unwrap();
    let left = names(&scratch);
    assert!(left.iter().all(|name| !name.contains("tmp")), "{left:?}");
}

#[test]
fn too_many_open_files_have_the_systems_message() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    let program = env!("CARGO_BIN_EXE_jlanes-sum");
    for files in 3..=8 {
        let mut command = scratch.command("sh", "sh");
        command.args(["-c", &format!("ulimit -n {files}; exec {program} -o L f")]);
        let mut printed = String::new();
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        child.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
        child.wait().unwrap();
        assert!(
            !printed.contains("os error") && !printed.contains(" at path"),
            "{files}: {printed}"
        );
    }
}

#[test]
fn a_hash_tree_is_whole_or_not_there() {
    let scratch = Scratch::new();
    scratch.write("f", paint(1 << 20));
    let args = ["-a", "dmverity-sha256", "--dmverity-tree", "TREE", "f"];
    assert_eq!(scratch.sum(&args).code, Some(0));
    let whole = fs::read(scratch.at("TREE")).unwrap();
    assert!(whole.len() >= 8192);
    if !scratch.can_trace("hash trees that do not fit the disk") {
        return;
    }
    for old in [&whole[..], b""] {
        scratch.write("TREE", old);
        let mut command = scratch.command("strace", "strace");
        command.args(["-f", "--quiet=all", "-o", "/dev/null", "-e", "inject=fsync:error=ENOSPC"]);
        let ran = run(command.arg(env!("CARGO_BIN_EXE_jlanes-sum")).args(args), b"");
        assert!(ran.code == Some(1) && ran.err().contains("No space left on device"), "{ran:?}");
        assert!(fs::read(scratch.at("TREE")).unwrap() == old);
        assert_eq!(names(&scratch), ["TRACE", "TREE", "f"]);
    }
}

#[test]
fn a_key_is_no_list() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    // 32 bytes, as of OpenSSL and WireGuard
    for key in
        [format!("{}\n", "5a".repeat(32)), format!("{}=\n", "WlpaWlpa".repeat(6).split_off(5))]
    {
        scratch.write("key", &key);
        for options in [&[][..], &["--tag"], &["-a", "sha512"], &["--json"], &["-z"]] {
            refused(&scratch, &[options, &["-o", "key", "f"]].concat(), "key", key.as_bytes());
        }
        // a digest may replace another
        assert_eq!(scratch.sum(&["--no-names", "-o", "key", "f"]).code, Some(0), "{key}");
        assert_eq!(fs::read_to_string(scratch.at("key")).unwrap(), sha256(b"abc") + "\n");
    }
}
