//! Peak memory, which depends neither on the size of files nor on their number.

use std::{
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader, Lines, Seek, SeekFrom, Write},
    process::{Child, ChildStdout, Stdio},
};

use rustix::fs::{Mode, OFlags, mkdirat, openat};

use crate::common::{Scratch, paint, run, sha256};

/// The maximum of resident memory in KiB.
const LIMIT: u64 = 96 << 10;

/// A `jlanes-sum` that a pipe blocks after all other files, so that its peak memory can be read.
struct HeldUp {
    scratch: Scratch,
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl HeldUp {
    fn new(scratch: Scratch, args: &[&str]) -> Self {
        scratch.fifo("fifo");
        let mut command = scratch.ours("jlanes-sum");
        command.args(["--threads", "2"]).args(args).arg("fifo").stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { scratch, child, lines }
    }

    /// The next line of output.
    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }

    /// The peak of resident memory so far, in KiB.
    fn peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn let_go(mut self) {
        drop(OpenOptions::new().write(true).open(self.scratch.at("fifo")).unwrap());
        assert!(self.line().ends_with("  fifo"));
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_file_beyond_4_gib_takes_no_more_memory_than_a_small_one() {
    let scratch = Scratch::new();
    File::create(scratch.at("sparse")).unwrap().set_len((4 << 30) + 3).unwrap();
    let mut held_up = HeldUp::new(scratch, &["sparse"]);
    assert_eq!(held_up.line(), format!("{ZEROS}  sparse"));
    let peak = held_up.peak();
    assert!(peak < LIMIT / 4, "{peak} KiB");
    held_up.let_go();
}

/// SHA-256 of 2^32 + 3 zeros, by OpenSSL.
const ZEROS: &str = "930fa067940ff8d9f427e3a116b7598503c70ce7380d66ff65f8de33d558f7f3";

#[test]
fn more_large_files_and_threads_than_descriptors_are_no_error() {
    let scratch = Scratch::new();
    let names: Vec<_> = (0..60).map(|i| format!("{i:02}")).collect();
    names.iter().for_each(|name| scratch.write(name, paint(100_000)));
    let mut command = scratch.command("sh", "sh");
    command.args(["-c", "ulimit -n 40; exec \"$0\" \"$@\""]);
    command.args([env!("CARGO_BIN_EXE_jlanes-sum"), "--threads=8"]);
    let ran = run(command.args(&names), b"");
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    assert_eq!(ran.out().lines().count(), names.len());
}

#[test]
fn a_line_without_an_end_takes_bounded_memory() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    let good = format!("\n{}  f\n", sha256(b"f"));
    for list in ["LIST", "NAMES"] {
        let mut file = File::create(scratch.at(list)).unwrap();
        file.set_len(512 << 20).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(if list == "LIST" { good.as_bytes() } else { b"\nf\n" }).unwrap();
    }
    let limited = |args: &[&str]| {
        let mut command = scratch.command("sh", "sh");
        command.args(["-c", "ulimit -v 400000; exec \"$0\" \"$@\""]);
        run(command.arg(env!("CARGO_BIN_EXE_jlanes-sum")).args(args), b"")
    };
    let ran = limited(&["-c", "LIST"]);
    assert_eq!((ran.code, ran.out()), (Some(0), "f: OK\n".to_owned()));
    assert_eq!(ran.err(), "jlanes-sum: WARNING: 1 line is improperly formatted\n");
    let ran = limited(&["--files-from", "NAMES"]);
    assert_eq!((ran.code, ran.out()), (Some(1), good[1..].to_owned()));
    assert_eq!(ran.err(), "jlanes-sum: NAMES:1: file name too long\n");
}

#[test]
fn a_list_of_many_algorithms_takes_bounded_memory() {
    let scratch = Scratch::new();
    scratch.write("f", paint(300_000));
    let digest = "A".repeat(43) + "=";
    let lines = (1..3000).map(|part| format!("S3-SHA256:{part} (f) = {digest}-1\n"));
    scratch.write("LIST", lines.collect::<String>());
    let mut command = scratch.command("sh", "sh");
    command.args(["-c", "ulimit -v 800000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_jlanes-sum")]);
    let ran = run(command.args(["-c", "--threads=2", "LIST"]), b"");
    assert_eq!((ran.code, ran.out()), (Some(1), "f: FAILED\n".repeat(2999)));
    assert_eq!(ran.err(), "jlanes-sum: WARNING: 2999 computed checksums did NOT match\n");
}

#[test]
fn many_files_and_large_ones_take_bounded_memory() {
    const FILES: usize = 30_000;
    let scratch = Scratch::new();
    fs::create_dir(scratch.at("many")).unwrap();
    for i in 0..FILES {
        fs::write(scratch.at(format!("many/file number {i:06}")), i.to_string()).unwrap();
    }
    for i in 0..40 {
        let file = File::create(scratch.at(format!("many/file number {i:06} large"))).unwrap();
        file.set_len(5 << 20).unwrap();
    }
    let mut held_up = HeldUp::new(scratch, &["-r", "many"]);
    for _ in 0..FILES + 40 {
        held_up.line();
    }
    let peak = held_up.peak();
    assert!(peak < LIMIT, "{peak} KiB");
    held_up.let_go();
}

#[test]
fn exhausted_memory_is_reported() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    let line = |number: u32| format!("{}  {number:0200}\n", "0".repeat(64));
    scratch.write("LIST", (0..300_000).map(line).collect::<String>());
    let mut command = scratch.command("sh", "sh");
    command.args(["-c", "ulimit -v 100000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_jlanes-sum")]);
    let ran = run(command.args(["--threads=1", "--audit", "LIST", "f"]), b"");
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert_eq!(ran.err(), "jlanes-sum: memory exhausted\n");
}

/// The system accepts no path of more than 4096 bytes in one call.
#[test]
fn lists_have_names_of_any_length() {
    let scratch = Scratch::new();
    let part = "d".repeat(200);
    let mut dir = rustix::fs::open(scratch.path(), OFlags::DIRECTORY, Mode::empty()).unwrap();
    for _ in 0..30 {
        mkdirat(&dir, &part, Mode::from_raw_mode(0o755)).unwrap();
        dir = openat(&dir, &part, OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
    let flags = OFlags::CREATE | OFlags::WRONLY;
    let file = openat(&dir, "f", flags, Mode::from_raw_mode(0o644)).unwrap();
    rustix::io::write(&file, b"f").unwrap();
    let ran = scratch.sum(&["-r", &part]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    scratch.write("LIST", &ran.stdout);
    let ran = scratch.sum(&["-c", "LIST"]);
    assert!(ran.code == Some(0) && ran.out().ends_with("/f: OK\n"), "{ran:?}");
}
