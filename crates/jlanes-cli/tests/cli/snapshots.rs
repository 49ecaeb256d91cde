//! The whole help, word for word, and the names of the program. With `JLANES_BLESS` set, the test
//! rewrites the file with the help.

use std::{env, fs};

use crate::common::{Scratch, run};

#[test]
fn the_help_is_what_it_was() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/help.txt");
    let help = Scratch::new().sum(&["--help=all"]).out();
    if env::var_os("JLANES_BLESS").is_some() {
        fs::write(path, &help).unwrap();
    }
    let known = fs::read_to_string(path).unwrap();
    let differing = known.lines().zip(help.lines()).find(|(known, help)| known != help);
    let how = "JLANES_BLESS=1 cargo test -p jlanes-cli writes it anew";
    assert!(known == help, "{path} is out of date, {differing:?}: {how}");
}

#[test]
fn the_short_help_is_a_screen() {
    let scratch = Scratch::new();
    let ran = scratch.sum(&["--help"]);
    assert!(ran.code == Some(0) && ran.out().lines().count() <= 60, "{ran:?}");
    for args in [&["-h"][..], &["--hel"], &["-c", "--help", "LIST"]] {
        assert_eq!(scratch.sum(args), ran, "{args:?}");
    }
    // under another tool's name, the help is that tool's
    let ran = run(scratch.ours("sha256sum").arg("-h"), b"");
    assert!(ran.err().starts_with("sha256sum: invalid option -- 'h'\n"), "{ran:?}");
    let ran = run(scratch.ours("sha256sum").arg("--help=all"), b"");
    assert!(ran.err().contains("option '--help' doesn't allow an argument"), "{ran:?}");
    assert!(run(scratch.ours("sha256sum").arg("--help"), b"").out().contains("--strict"));
}

// src/args tests the messages themselves
#[test]
fn errors_of_command_lines_have_the_programs_name() {
    let scratch = Scratch::new();
    let hint = "Try 'jlanes-sum --help' for more information.\n";
    for (args, printed) in [
        (&["--nonsense"][..], format!("jlanes-sum: unrecognized option '--nonsense'\n{hint}")),
        (&["-l", "x"], "jlanes-sum: invalid length: 'x'\n".to_owned()),
        (
            &["-a", "sha2", "-l", "1"],
            "jlanes-sum: invalid length: '1'\n\
             jlanes-sum: digest length for 'SHA2' must be 224, 256, 384, or 512\n"
                .to_owned(),
        ),
    ] {
        let ran = scratch.sum(args);
        assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), String::new(), printed), "{args:?}");
    }
}

#[test]
fn a_name_that_asks_for_another_hash_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for tool in ["md4sum", "tigersum", "whirlpoolsum"] {
        let ran = run(scratch.ours(tool).arg("f"), b"");
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{tool}");
        let hash = tool.strip_suffix("sum").unwrap();
        let printed = format!(
            "{tool}: there is no '{hash}' in this program, and no other hash in its place\n"
        );
        assert_eq!(ran.err(), printed);
    }
    // a name of a hash never gets another hash, whether this build has the hash or not
    for (tool, digest) in [
        ("md5sum", "900150983cd24fb0d6963f7d28e17f72"),
        (
            "b2sum",
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
        ),
        ("b3sum", "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"),
    ] {
        let ran = run(scratch.ours(tool).arg("f"), b"");
        let expected = if ran.code == Some(0) { format!("{digest}  f\n") } else { String::new() };
        assert_eq!(ran.out(), expected, "{tool}");
    }
}

#[test]
fn names_of_the_program_choose_the_algorithm() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for tool in ["sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum"] {
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
