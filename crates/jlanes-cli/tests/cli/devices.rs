//! The order of reading: large files in turn, and hints about the next files.

use std::{
    fs::{self, OpenOptions},
    thread,
};

use crate::common::{Ran, Scratch, paint, run, sha256};

/// Runs `jlanes-sum` with `args` under strace with the options `traced`. Also returns the trace,
/// which shows the paths of files.
fn trace(scratch: &Scratch, traced: &[&str], args: &[&str]) -> (Ran, String) {
    let mut command = scratch.command("strace", "strace");
    command.args(["-f", "--quiet=all", "-y", "-o", "TRACE"]).args(traced);
    let ran = run(command.arg(env!("CARGO_BIN_EXE_jlanes-sum")).args(args), b"");
    (ran, fs::read_to_string(scratch.at("TRACE")).unwrap())
}

/// Large files `d/L0`, `d/L1` .. with a small one after each. Returns the expected output.
fn large_and_small(scratch: &Scratch, large: usize, len: usize) -> String {
    let mut lines = Vec::new();
    for i in 0..large {
        for (name, content) in [(format!("d/L{i:03}"), len + i), (format!("d/L{i:03}s"), i)] {
            let content = paint(content);
            lines.push(format!("{}  {name}\n", sha256(&content)));
            scratch.write(name, content);
        }
    }
    lines.concat()
}

/// The large files in `trace`, once for each time that reading moves to them.
fn turns(trace: &str) -> Vec<&str> {
    let read = |line: &'_ str| line.contains(" read(") && !line.contains("= -1");
    let file = |line| {
        let (_, path) = str::split_once(line, "/d/L")?;
        let (name, _) = path.split_once('>')?;
        (!name.ends_with('s')).then_some(name)
    };
    let mut files: Vec<_> = trace.lines().filter(|line| read(line)).filter_map(file).collect();
    files.dedup();
    files
}

#[test]
fn large_files_are_read_in_turn_where_the_user_says_so() {
    let scratch = Scratch::new();
    if !scratch.can_trace("the order of reading") {
        return;
    }
    let expected = large_and_small(&scratch, 9, 400_000);
    for threads in ["1", "2"] {
        let args = ["--no-mmap", "--io-jobs", "1", "--threads", threads, "-r", "d"];
        let (ran, trace) = trace(&scratch, &["-e", "trace=read"], &args);
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
        assert_eq!(ran.out(), expected);
        let turns = turns(&trace);
        let mut files = turns.clone();
        files.sort_unstable();
        files.dedup();
        assert_eq!(files.len(), 9, "{turns:?}");
        assert_eq!(turns.len(), 9, "{turns:?}");
    }
}

#[test]
fn any_number_of_large_files_gets_its_turn() {
    let scratch = Scratch::new();
    let expected = large_and_small(&scratch, 150, 40_000);
    for jobs in ["1", "2", "3"] {
        for threads in ["1", "2", "5"] {
            let ran = scratch.sum(&["--io-jobs", jobs, "--threads", threads, "-r", "d"]);
            assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
            assert_eq!(ran.out(), expected, "{jobs} at a time, {threads} threads");
        }
    }
}

#[test]
fn trees_and_several_digests_take_turns_too() {
    let scratch = Scratch::new();
    let names: Vec<_> = (0..6).map(|i| format!("f{i}")).collect();
    names.iter().for_each(|name| scratch.write(name, paint(5 << 20)));
    for algorithms in ["fsverity-sha256", "sha256,sha512", "glacier,sha1"] {
        let run = |options: &[&str]| {
            let args = [&["-a", algorithms], options].concat();
            let names = names.iter().map(String::as_str);
            scratch.sum(&args.into_iter().chain(names).collect::<Vec<_>>())
        };
        let expected = run(&[]);
        assert_eq!(expected.code, Some(0));
        for threads in ["1", "2"] {
            assert_eq!(run(&["--io-jobs=1", "--threads", threads]), expected, "{algorithms}");
        }
    }
}

#[test]
fn pipes_and_large_files_do_not_wait_for_each_other_for_ever() {
    let scratch = Scratch::new();
    let expected = large_and_small(&scratch, 8, 600_000);
    scratch.fifo("pipe");
    let names: Vec<_> = expected.lines().filter_map(|line| line.get(66..)).collect();
    let (before, behind) = names.split_at(7);
    let names = [before, &["pipe"], behind].concat();
    for threads in ["1", "2", "3"] {
        let ran = thread::scope(|scope| {
            let pipe = || OpenOptions::new().write(true).open(scratch.at("pipe")).map(drop);
            scope.spawn(pipe);
            scratch.sum(&[&["--io-jobs", "1", "--threads", threads], &names[..]].concat())
        });
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
        let lines: Vec<_> = expected.split_inclusive('\n').collect();
        let pipe = format!("{}  pipe\n", sha256(b""));
        let expected = [&lines[..7], &[&pipe], &lines[7..]].concat().concat();
        assert_eq!(ran.out(), expected, "{threads} threads");
    }
}

#[test]
fn files_that_are_not_in_the_cache_are_hinted_at() {
    const FILES: usize = 300;
    let scratch = Scratch::new();
    if !scratch.can_trace("hints") {
        return;
    }
    let names: Vec<_> = (0..FILES).map(|i| format!("d/{i:03}")).collect();
    names.iter().for_each(|name| scratch.write(name, name));
    let expected: String =
        names.iter().map(|name| format!("{}  {name}\n", sha256(name.as_bytes()))).collect();
    for (error, least, most) in [("EAGAIN", FILES / 2, FILES), ("EOPNOTSUPP", 0, 0)] {
        let fault = format!("inject=preadv2:error={error}");
        let traced = ["-e", "trace=preadv2,fadvise64", "-e", &fault];
        let (ran, trace) = trace(&scratch, &traced, &["-r", "d"]);
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
        assert_eq!(ran.out(), expected);
        let hints = trace.lines().filter(|line| line.contains("POSIX_FADV_WILLNEED")).count();
        assert!((least..=most).contains(&hints), "{error}: {hints}");
    }
}

#[test]
fn a_size_alone_is_that_of_a_regular_file() {
    let scratch = Scratch::new();
    scratch.fifo("pipe");
    scratch.write("list", "#mtree\npipe size=0\n");
    for (args, code) in [(&["-c", "list"][..], 1), (&["--audit", "list", "pipe"], 2)] {
        let ran = scratch.sum(args);
        let printed = "pipe: FAILED open or read\n".to_owned();
        assert_eq!((ran.out(), ran.code), (printed, Some(code)), "{args:?}: {ran:?}");
        assert!(ran.err().contains("pipe: not a regular file\n"), "{ran:?}");
    }
}
