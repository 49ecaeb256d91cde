//! Pipes, devices, and files that change while they are read.

use std::{
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use crate::common::{Ran, Scratch, paint, run, sha256};

#[test]
fn pipes_are_read_one_after_another_in_order() {
    let scratch = Scratch::new();
    let contents = [paint(100_000), Vec::new(), paint(300_000)];
    let pipes = ["p0", "p1", "p2"];
    pipes.iter().for_each(|name| scratch.fifo(name));
    for i in 0..40 {
        scratch.write(format!("f{i}"), paint(i * 5000));
    }
    for threads in ["1", "2", "4"] {
        thread::scope(|scope| {
            // a writer that fills one pipe after another, as `tee` and shells do
            scope.spawn(|| {
                for (name, content) in pipes.iter().zip(&contents) {
                    let mut pipe = OpenOptions::new().write(true).open(scratch.at(name)).unwrap();
                    pipe.write_all(content).unwrap();
                }
            });
            let mut names = vec!["p0".to_owned()];
            names.extend((0..20).map(|i| format!("f{i}")));
            names.push("p1".to_owned());
            names.push("p2".to_owned());
            names.extend((20..40).map(|i| format!("f{i}")));
            let ran =
                scratch.sum(&[&["--threads".to_owned(), threads.to_owned()], &names[..]].concat());
            assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
            let expected = names.iter().map(|name| {
                let content = match name.strip_prefix('p') {
                    Some(i) => contents[i.parse::<usize>().unwrap()].clone(),
                    None => paint(name[1..].parse::<usize>().unwrap() * 5000),
                };
                format!("{}  {name}\n", sha256(&content))
            });
            assert_eq!(ran.out(), expected.collect::<String>());
        });
    }
}

#[test]
fn standard_input_has_other_names() {
    let scratch = Scratch::new();
    let content = paint(200_000);
    for args in [&["/dev/stdin"][..], &["-", "/dev/stdin"], &["/dev/stdin", "-"]] {
        scratch.same_with(args, &content);
    }
}

#[test]
fn standard_input_may_be_a_file_and_start_anywhere() {
    let scratch = Scratch::new();
    scratch.write("f", "skipped and read");
    let mut file = File::open(scratch.at("f")).unwrap();
    file.read_exact(&mut [0; 12]).unwrap();
    let output = scratch.ours("jlanes-sum").stdin(file).output().unwrap();
    assert_eq!(output.stdout, format!("{}  -\n", sha256(b"read")).as_bytes());
}

#[test]
fn trees_of_standard_input_start_where_it_starts() {
    let scratch = Scratch::new();
    let content = paint(9 << 20);
    scratch.write("f", &content);
    for name in ["blake3", "fsverity-sha256"] {
        for threads in ["--threads=1", "--threads=2"] {
            let mut file = File::open(scratch.at("f")).unwrap();
            file.read_exact(&mut [0; 100]).unwrap();
            let args = ["-a", name, threads];
            let output = scratch.ours("jlanes-sum").args(args).stdin(file).output().unwrap();
            let piped = run(scratch.ours("jlanes-sum").args(args), &content[100..]);
            assert_eq!(output.stdout, piped.stdout, "{name} {threads}");
        }
    }
}

#[test]
fn trees_of_standard_input_have_the_hole_that_it_starts_with() {
    let scratch = Scratch::new();
    for (len, end) in [(9 << 20, &b"end"[..]), (8 << 20, b"")] {
        let mut file = File::create(scratch.at("f")).unwrap();
        file.set_len(len).unwrap();
        file.seek(SeekFrom::Start(len)).unwrap();
        file.write_all(end).unwrap();
        for name in ["glacier", "btv2", "kt128", "jlanes4-sha256"] {
            let named = scratch.sum(&["-a", name, "--tag", "f"]).out();
            scratch.write("LIST", named.replace("(f)", "(-)"));
            let file = File::open(scratch.at("f")).unwrap();
            let ran = scratch.ours("jlanes-sum").args(["-c", "LIST"]).stdin(file).output().unwrap();
            assert_eq!(str::from_utf8(&ran.stdout), Ok("-: OK\n"), "{name} {len}");
        }
    }
}

#[test]
fn results_before_a_pipe_are_shown_while_it_is_waited_for() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    let mut child = scratch
        .ours("jlanes-sum")
        .args(["f", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert_eq!(first, format!("{}  f", sha256(b"f")));
    child.stdin.take().unwrap().write_all(b"late").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), format!("{}  -", sha256(b"late")));
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    let mut command = scratch.ours("jlanes-sum");
    // more lines than a pipe holds, so that it is closed while lines are waiting
    command.args(["f"; 2000]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(1), &b""[..]));
}

/// The length and the digest of a file in `--json`.
fn size_and_digest(scratch: &Scratch, option: &str, name: &str) -> (usize, String) {
    let ran = scratch.sum(&[option, "--json", name]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let json: serde_json::Value = serde_json::from_str(&ran.out()).unwrap();
    let size = json["size"].as_u64().unwrap();
    (size.try_into().unwrap(), json["digest"].as_str().unwrap().to_owned())
}

#[test]
fn a_growing_file_is_hashed_as_far_as_it_was_read() {
    let scratch = Scratch::new();
    let content = paint(8 << 20);
    fs::write(scratch.at("f"), &content[..1 << 20]).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = OpenOptions::new().append(true).open(scratch.at("f")).unwrap();
            for piece in content[1 << 20..].chunks(4001) {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                file.write_all(piece).unwrap();
            }
        });
        for option in ["--mmap", "--no-mmap"].repeat(3) {
            let (size, digest) = size_and_digest(&scratch, option, "f");
            assert!(size >= 1 << 20);
            assert_eq!(digest, sha256(&content[..size]));
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_shrinking_file_is_hashed_as_far_as_it_was_read() {
    let scratch = Scratch::new();
    // zeros, because a read during a truncation may return zeros
    let content = vec![0; 8 << 20];
    fs::write(scratch.at("f"), &content).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            let file = OpenOptions::new().write(true).open(scratch.at("f")).unwrap();
            for len in (0..content.len() as u64).rev().step_by(4001) {
                file.set_len(len).unwrap();
            }
        });
        for _ in 0..5 {
            let (size, digest) = size_and_digest(&scratch, "--no-mmap", "f");
            assert_eq!(digest, sha256(&content[..size]));
        }
    });
}

#[test]
fn json_tells_everything_about_every_file() {
    let scratch = Scratch::new();
    scratch.write(b"\xff", "xyz");
    scratch.write("a\"b", "");
    let mut command = scratch.ours("jlanes-sum");
    let ran = run(command.args(["--json", "-r", ".", "missing"]), b"");
    assert_eq!(
        (ran.code, ran.err()),
        (Some(1), "jlanes-sum: missing: No such file or directory\n".to_owned())
    );
    let lines: Vec<serde_json::Value> =
        ran.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["name"], "./a\"b");
    assert_eq!(lines[1]["name"]["bytes"], "Li//");
    assert_eq!((&lines[1]["size"], &lines[1]["digest"]), (&3.into(), &sha256(b"xyz").into()));
    assert_eq!(lines[2]["error"], "No such file or directory");
    assert!(lines[2]["digest"].is_null());
}

/// Runs `jlanes-sum` with a shell's redirections of its standard streams.
fn redirected(scratch: &Scratch, args: &str) -> Ran {
    let command = format!("exec \"$0\" {args}");
    run(scratch.command("sh", "sh").args(["-c", &command, env!("CARGO_BIN_EXE_jlanes-sum")]), b"")
}

#[test]
fn a_closed_standard_input_is_no_empty_one() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let line = format!("{}  f\n", sha256(b"abc"));
    scratch.write("LIST", &line);
    let bad = "-: Bad file descriptor\n";
    for (args, out, printed) in [
        ("<&-", "", bad),
        ("- f <&-", &line[..], bad),
        ("f <&-", &line, ""),
        ("-c <&-", "", "'standard input': read error\n"),
        ("-c LIST <&-", "f: OK\n", ""),
        ("--files0-from=- <&-", "", bad),
    ] {
        let ran = redirected(&scratch, args);
        let name = if printed.is_empty() { "" } else { "jlanes-sum: " };
        assert_eq!(ran.err(), format!("{name}{printed}"), "{args}");
        assert_eq!(
            (ran.code, ran.out()),
            (Some(i32::from(!printed.is_empty())), out.to_owned()),
            "{args}"
        );
    }
}

#[test]
fn output_that_nobody_can_get_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("LIST", format!("{}  f\n", sha256(b"abc")));
    for what in ["f", "-c LIST", "--json f", "--help", "--version", "--man", "--completions=zsh"] {
        for (to, reason) in
            [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")]
        {
            let ran = redirected(&scratch, &format!("{what} {to}"));
            assert_eq!(ran.err(), format!("jlanes-sum: write error: {reason}\n"), "{what} {to}");
            assert_eq!(ran.code, Some(1), "{what} {to}");
        }
    }
    // nothing has to be written to the closed streams
    let ran = redirected(&scratch, "--status -c LIST >&- 2>&-");
    assert_eq!(ran.code, Some(0));
}
