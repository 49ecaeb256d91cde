//! System calls that fail, by fault injection with strace.

use std::{
    fs::{self, File},
    process::{Command, Stdio},
};

use crate::common::{Ran, Scratch, paint, run, sha256};

/// Runs `jlanes-sum` on `args`, with the fault `inject` in calls for `path`.
fn with_fault(scratch: &Scratch, path: &str, inject: &str, args: &[&str]) -> Ran {
    let mut command = scratch.command("strace", "strace");
    command
        .args(["-f", "--quiet=all", "-o", "TRACE", "-P", path, "-e"])
        .arg(format!("inject={inject}"));
    run(command.arg(env!("CARGO_BIN_EXE_jlanes-sum")).args(args), b"")
}

/// Four files; `None` if strace does not work.
fn files() -> Option<Scratch> {
    let scratch = Scratch::new();
    for name in ["a", "d/b", "d/c", "e"] {
        scratch.write(name, paint(100_000));
    }
    scratch.can_trace("failing calls").then_some(scratch)
}

fn lines(names: &[&str]) -> String {
    let digest = sha256(&paint(100_000));
    names.iter().map(|name| format!("{digest}  {name}\n")).collect()
}

#[test]
fn an_error_is_one_files_and_no_other_is_lost() {
    let Some(scratch) = files() else { return };
    for (inject, reason) in [
        ("read:error=EIO:when=1", "Input/output error"),
        ("read:error=EIO:when=3", "Input/output error"),
        ("read:error=EAGAIN:when=2", "Resource temporarily unavailable"),
        ("openat:error=EACCES", "Permission denied"),
        ("openat:error=ENOENT", "No such file or directory"),
        ("openat:error=EMFILE", "Too many open files"),
    ] {
        let ran = with_fault(&scratch, "d/b", inject, &["a", "d/b", "d/c", "e"]);
        assert_eq!(ran.err(), format!("jlanes-sum: d/b: {reason}\n"), "{inject}");
        assert_eq!((ran.code, ran.out()), (Some(1), lines(&["a", "d/c", "e"])), "{inject}");
    }
}

#[test]
fn bytes_read_before_an_error_are_in_no_other_digest() {
    let Some(scratch) = files() else { return };
    let names: Vec<_> = (0..50).map(|i| format!("s{i:02}")).collect();
    names.iter().for_each(|name| scratch.write(name, name));
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let args = [&["--threads", "1"], &names[..]].concat();
    // the read at the file's end
    let ran = with_fault(&scratch, "s03", "read:error=EIO:when=2", &args);
    assert_eq!(ran.err(), "jlanes-sum: s03: Input/output error\n");
    let line = |name: &&str| format!("{}  {name}\n", sha256(name.as_bytes()));
    let others = names.iter().filter(|name| **name != "s03");
    assert_eq!((ran.code, ran.out()), (Some(1), others.map(line).collect()));
}

#[test]
fn output_lost_to_a_closed_pipe_is_an_error() {
    let Some(scratch) = files() else { return };
    scratch.write("LIST", lines(&["a"]));
    for args in [&["a"][..], &["-c", "LIST"], &["--help"], &["--json", "a"]] {
        let output = File::create(scratch.at("OUT")).unwrap();
        let mut command = scratch.command("strace", "strace");
        command.args(["-f", "--quiet=all", "-o", "TRACE", "-P", "OUT"]);
        command.args(["-e", "inject=close:error=EDQUOT"]);
        command.arg(env!("CARGO_BIN_EXE_jlanes-sum")).args(args);
        let ran = command.stdin(Stdio::null()).stdout(output).output().unwrap();
        let printed = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(printed, "jlanes-sum: write error: Disk quota exceeded\n", "{args:?}");
        assert_eq!(ran.status.code(), Some(1), "{args:?}");
    }
}

#[test]
fn a_new_list_has_a_temporary_name_for_a_moment_only() {
    let Some(scratch) = files() else { return };
    let mut command = scratch.command("strace", "strace");
    command.args([
        "-f",
        "--quiet=all",
        "-o",
        "TRACE",
        "-e",
        "linkat,rename,renameat,renameat2,fsync",
    ]);
    command.arg(env!("CARGO_BIN_EXE_jlanes-sum")).args(["-o", "LIST", "a"]);
    assert_eq!(run(&mut command, b"").code, Some(0));
    let trace = fs::read_to_string(scratch.at("TRACE")).unwrap();
    let known = ["fsync(", "linkat(", "rename"];
    let call = |line: &str| known.into_iter().find(|call| line.contains(call));
    let calls: Vec<_> = trace.lines().filter_map(call).collect();
    // without files that have no name at first, the name is there while the list is written
    if calls.contains(&"linkat(") {
        assert_eq!(calls, known);
    }
}

#[test]
fn interrupted_calls_are_made_again() {
    let Some(scratch) = files() else { return };
    for inject in ["read:error=EINTR:when=1+2", "openat:error=EINTR:when=1"] {
        let ran = with_fault(&scratch, "d/b", inject, &["a", "d/b"]);
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{inject}");
        assert_eq!(ran.out(), lines(&["a", "d/b"]), "{inject}");
    }
}

#[test]
fn advice_that_is_not_taken_does_no_harm() {
    let Some(scratch) = files() else { return };
    let ran = with_fault(&scratch, "a", "fadvise64:error=EINVAL", &["a"]);
    assert_eq!((ran.code, ran.out()), (Some(0), lines(&["a"])));
}

#[test]
fn an_unreadable_directory_is_reported_and_skipped() {
    let Some(scratch) = files() else { return };
    for (inject, reason) in [
        ("getdents64:error=EIO", "Input/output error"),
        ("openat:error=EACCES:when=1", "Permission denied"),
        ("openat:error=ENOENT:when=1", "No such file or directory"),
    ] {
        let ran = with_fault(&scratch, "d", inject, &["-r", "d", "a"]);
        assert_eq!(ran.err(), format!("jlanes-sum: d: {reason}\n"), "{inject}");
        assert_eq!((ran.code, ran.out()), (Some(1), lines(&["a"])), "{inject}");
    }
}

/// Runs `jlanes-sum` on a large file, `a` and `d/b`, stops it when it has mapped a window of the large
/// file, and continues it after `meanwhile`.
fn stopped_in_a_window(scratch: &Scratch, inject: &[&str], meanwhile: impl FnOnce(&File)) -> Ran {
    scratch.write("large", vec![0; 5 << 20]);
    stopped(scratch, inject, &["--threads=1"], meanwhile)
}

fn stopped(
    scratch: &Scratch,
    inject: &[&str],
    options: &[&str],
    meanwhile: impl FnOnce(&File),
) -> Ran {
    let large = File::options().write(true).open(scratch.at("large")).unwrap();
    scratch.write("STOPS", "");
    let mut command = scratch.command("strace", "strace");
    command.args(["-f", "--quiet=all", "-o", "STOPS", "-P", "large"]);
    command.args(["-e", "inject=mmap:signal=SIGSTOP:when=1"]).args(inject);
    command.arg(env!("CARGO_BIN_EXE_jlanes-sum")).args(options).args(["a", "large", "d/b"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let stopped = loop {
        let trace = fs::read_to_string(scratch.at("STOPS")).unwrap();
        let stop = trace.lines().find(|line| line.ends_with("--- stopped by SIGSTOP ---"));
        if let Some(line) = stop {
            break line.split_whitespace().next().unwrap().to_owned();
        }
    };
    meanwhile(&large);
    assert!(Command::new("kill").args(["-CONT", &stopped]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    Ran { stdout: output.stdout, stderr: output.stderr, code: output.status.code() }
}

#[test]
fn a_file_that_is_truncated_while_it_is_mapped_fails_alone() {
    let Some(scratch) = files() else { return };
    // truncated to a page's start, to the middle of a page, and to nothing
    for len in [1 << 20, (1 << 20) + 5, 0] {
        let ran = stopped_in_a_window(&scratch, &[], |large| large.set_len(len).unwrap());
        assert_eq!(ran.err(), "jlanes-sum: large: truncated while it was read\n", "{len}");
        assert_eq!((ran.code, ran.out()), (Some(1), lines(&["a", "d/b"])), "{len}");
    }
}

#[test]
fn a_file_that_is_truncated_while_threads_map_it_fails_alone() {
    let Some(scratch) = files() else { return };
    for len in [17 << 20, (17 << 20) + 5, (32 << 20) - 1] {
        scratch.write("large", paint(32 << 20));
        let cut = |large: &File| large.set_len(len).unwrap();
        let ran = stopped(&scratch, &[], &["--threads=2", "-a", "blake3"], cut);
        assert_eq!(ran.err(), "jlanes-sum: large: truncated while it was read\n", "{len}");
        assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 2), "{len}");
    }
}

#[test]
fn a_file_that_threads_cannot_map_is_read() {
    let Some(scratch) = files() else { return };
    scratch.write("large", paint(36 << 20));
    let args = ["--threads=2", "-a", "blake3", "large"];
    let ran = with_fault(&scratch, "large", "mmap:error=ENODEV", &args);
    let plain = scratch.sum(&["--threads=1", "-a", "blake3", "--no-mmap", "large"]);
    assert_eq!((ran.code, ran.err(), ran.out()), (Some(0), String::new(), plain.out()));
}

#[test]
fn an_unreadable_mapped_page_has_the_systems_reason() {
    let Some(scratch) = files() else { return };
    let fails = ["-e", "inject=pread64:error=EIO"];
    let ran = stopped_in_a_window(&scratch, &fails, |large| large.set_len(0).unwrap());
    assert_eq!(ran.err(), "jlanes-sum: large: Input/output error\n");
    assert_eq!((ran.code, ran.out()), (Some(1), lines(&["a", "d/b"])));
}

#[test]
fn a_file_that_grows_while_it_is_mapped_is_read_to_its_end() {
    let Some(scratch) = files() else { return };
    let ran = stopped_in_a_window(&scratch, &[], |large| large.set_len((6 << 20) + 1).unwrap());
    let digest = sha256(&vec![0; (6 << 20) + 1]);
    let [a, b] = ["a", "d/b"].map(|name| lines(&[name]));
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    assert_eq!(ran.out(), format!("{a}{digest}  large\n{b}"));
}

#[test]
fn files_that_change_are_reported_on_demand() {
    let Some(scratch) = files() else { return };
    let grow = |large: &File| large.set_len((5 << 20) + 1).unwrap();
    scratch.write("large", vec![0; 5 << 20]);
    let ran = stopped(&scratch, &[], &["--threads=1", "--warn-changed"], grow);
    assert_eq!(ran.err(), "jlanes-sum: large: changed while it was read\n");
    let digest = sha256(&vec![0; (5 << 20) + 1]);
    let [a, b] = ["a", "d/b"].map(|name| lines(&[name]));
    assert_eq!((ran.code, ran.out()), (Some(1), format!("{a}{digest}  large\n{b}")));
    let ran = scratch.sum(&["--warn-changed", "a", "large", "d/b"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
}

#[test]
fn a_file_that_cannot_be_mapped_is_read() {
    let Some(scratch) = files() else { return };
    scratch.write("large", paint(5 << 20));
    for inject in ["mmap:error=ENODEV", "fstatfs:error=ENOSYS", "mmap:error=ENOMEM:when=2"] {
        let ran = with_fault(&scratch, "large", inject, &["large"]);
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{inject}");
        assert_eq!(ran.out(), format!("{}  large\n", sha256(&paint(5 << 20))), "{inject}");
    }
}

#[test]
fn data_that_is_appended_where_a_hole_was_is_hashed() {
    let Some(scratch) = files() else { return };
    scratch.write("large", paint(10 << 20));
    let plain = scratch.sum(&["-a", "blake3", "--no-mmap", "large"]);
    // the first search for data found the end of the file
    let args = ["--threads=1", "-a", "blake3", "large"];
    let ran = with_fault(&scratch, "large", "lseek:error=ENXIO:when=2", &args);
    assert_eq!((ran.code, ran.err(), ran.out()), (Some(0), String::new(), plain.out()));
}

#[test]
fn a_part_that_a_thread_cannot_read_is_the_files_error() {
    let Some(scratch) = files() else { return };
    scratch.write("large", paint(10 << 20));
    for (inject, reason) in [
        ("pread64:error=EIO:when=2", "Input/output error"),
        ("pread64:retval=0:when=1+", "truncated while it was read"),
    ] {
        let args = ["--threads=2", "-a", "blake3", "a", "large", "e"];
        let ran = with_fault(&scratch, "large", inject, &args);
        assert_eq!(ran.err(), format!("jlanes-sum: large: {reason}\n"), "{inject}");
        assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 2), "{inject}");
    }
}

#[test]
fn a_blob_that_grows_has_no_id() {
    let Some(scratch) = files() else { return };
    let ran = with_fault(&scratch, "d/b", "read:retval=0:when=1", &["--dirhash=git-sha256", "d"]);
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert_eq!(ran.err(), "jlanes-sum: d/b: changed its length while it was read\n");
}

/// Runs `jlanes-sum` where no thread can start.
fn without_threads(scratch: &Scratch, args: &[&str]) -> Ran {
    let mut command = scratch.command("strace", "strace");
    command.args(["-f", "--quiet=all", "-o", "TRACE", "-e", "inject=clone3,clone:error=EAGAIN"]);
    run(command.arg(env!("CARGO_BIN_EXE_jlanes-sum")).args(args), b"")
}

#[test]
fn progress_is_shown_without_threads_too() {
    let Some(scratch) = files() else { return };
    let ran = without_threads(&scratch, &["--progress=always", "a"]);
    assert_eq!((ran.code, ran.out()), (Some(0), lines(&["a"])));
    assert!(ran.err().ends_with("B/s\n"), "{ran:?}");
}

#[test]
fn the_work_is_done_without_further_threads() {
    let Some(scratch) = files() else { return };
    let names: Vec<_> = (0..200).map(|i| format!("f{i:03}")).collect();
    names.iter().for_each(|name| scratch.write(name, paint(100_000)));
    scratch.write("large", paint(9 << 20));
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let ran = without_threads(&scratch, &[&["--threads", "4"], &names[..]].concat());
    assert_eq!((ran.code, ran.err(), ran.out()), (Some(0), String::new(), lines(&names)));
    let tree = ["--threads", "4", "-a", "fsverity-sha256", "large"];
    assert_eq!(without_threads(&scratch, &tree), scratch.sum(&tree));
}
