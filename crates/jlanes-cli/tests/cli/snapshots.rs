//! The help, word for word, and the names of the program. With `JLANES_BLESS` set, the file with the
//! help is written anew.

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

// the messages themselves are tested where the rules are, in src/args
#[test]
fn wrong_command_lines_are_told_with_the_programs_name() {
    let scratch = Scratch::new();
    let hint = "Try 'jlanes-sum --help' for more information.\n";
    for (args, told) in [
        (&["--nonsense"][..], format!("jlanes-sum: unrecognized option '--nonsense'\n{hint}")),
        (&["-l", "x"], "jlanes-sum: invalid length: 'x'\n".to_owned()),
    ] {
        let ran = scratch.sum(args);
        assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), String::new(), told), "{args:?}");
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
