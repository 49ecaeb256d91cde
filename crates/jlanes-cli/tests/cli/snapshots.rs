//! The help, and messages about the command line, word for word. With `JLANES_BLESS` set, the file
//! with the help is written anew.

use std::{env, fs};

use crate::common::{Scratch, run};

#[test]
fn the_help_is_what_it_was() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/help.txt");
    let help = Scratch::new().sum(&["--help"]).out();
    if env::var_os("JLANES_BLESS").is_some() {
        fs::write(path, &help).unwrap();
    }
    assert_eq!(help, fs::read_to_string(path).unwrap());
}

#[test]
fn wrong_command_lines_are_told_in_these_words() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    for (args, message) in [
        (&["--nonsense"][..], "unrecognized option '--nonsense'"),
        (&["-Q"], "invalid option -- 'Q'"),
        (&["--s"], "option '--s' is ambiguous; possibilities: '--status' '--strict'"),
        (&["--algorithm"], "option '--algorithm' requires an argument"),
        (&["--none=1"], "unrecognized option '--none=1'"),
        (&["--s=1"], "option '--s=1' is ambiguous; possibilities: '--status' '--strict'"),
        (&["--json=1"], "option '--json' doesn't allow an argument"),
        (&["--sort=size", "-r", "f"], "invalid argument 'size' for '--sort'"),
        (&["--progress=x", "f"], "invalid argument 'x' for '--progress'"),
        (&["--sort=name", "f"], "the --sort option is meaningful only with --recursive"),
        (&["-bL", "f"], "the --dereference option is meaningful only with --recursive"),
        (&["--json", "--tag", "f"], "--json and --tag are mutually exclusive"),
        (&["--audit=f", "--json", "f"], "--audit and --json are mutually exclusive"),
        (
            &["--max-depth", "-1", "f"],
            "--max-depth: invalid value '-1': invalid digit found in string",
        ),
        (&["-c", "--files-from=f"], "lists of file names are meaningless when verifying checksums"),
        (
            &["--threads=0", "f"],
            "--threads: invalid value '0': number would be zero for non-zero type",
        ),
        (&["--max-size=1X", "-r", "f"], "--max-size: invalid value '1X': unknown unit 'X'"),
        (&["--max-size=KB", "-r", "f"], "--max-size: invalid value 'KB': no number"),
        (&["--max-size=16E", "-r", "f"], "--max-size: invalid value '16E': too large"),
        (
            &["--max-size=1\u{e9}", "-r", "f"],
            "--max-size: invalid value '1\u{e9}': unknown unit '\u{e9}'",
        ),
        (&["--only=f", "f"], "the --only option is meaningful only when verifying checksums"),
        (&["-l", "x", "f"], "invalid length: 'x'"),
        (
            &["-a", "sha2", "-l", "0", "f"],
            "--algorithm=sha2 requires specifying --length 224, 256, 384, or 512",
        ),
        (&["-l", "256", "f"], "--length is only supported with --algorithm sha2"),
        (
            &["-a", "sha2", "f"],
            "--algorithm=sha2 requires specifying --length 224, 256, 384, or 512",
        ),
        (&["-a", "sha2", "-l", "1", "f"], "invalid length: '1'; sha2 has 224, 256, 384 and 512"),
    ] {
        let ran = scratch.sum(args);
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{args:?}");
        let first = ran.err().lines().next().unwrap_or_default().to_owned();
        assert_eq!(first, format!("jlanes-sum: {message}"), "{args:?}");
    }
}

#[test]
fn names_of_the_program_choose_the_algorithm() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for tool in ["sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"] {
        for args in [&["f"][..], &["--tag", "f"], &["-b", "f"], &["-z", "f"], &["missing"]] {
            let gnu = run(scratch.command(tool, tool).args(args), b"");
            assert_eq!(run(scratch.ours(tool).args(args), b""), gnu, "{tool} {args:?}");
        }
        scratch.write("LIST", run(scratch.command(tool, tool).arg("f"), b"").stdout);
        let gnu = run(scratch.command(tool, tool).args(["-c", "LIST"]), b"");
        assert_eq!(run(scratch.ours(tool).args(["-c", "LIST"]), b""), gnu, "{tool} -c");
    }
    for bits in ["224", "256", "384", "512"] {
        let tool = format!("sha{bits}sum");
        let gnu = run(scratch.command(&tool, &tool).args(["--tag", "f"]), b"");
        let ours = run(scratch.ours("cksum").args(["-a", "sha2", "-l", bits, "f"]), b"");
        assert_eq!(ours, gnu, "{bits}");
        let raw = run(scratch.ours("cksum").args(["-a", "sha2", "-l", bits, "--raw", "f"]), b"");
        assert_eq!(raw.stdout.len(), bits.parse::<usize>().unwrap() / 8);
    }
}
