//! Outboards of BLAKE3's tree, and ranges that they prove.

use std::fs;

use jlanes::{
    Blake3,
    bao::{Bao, Layout},
};

use crate::common::{Scratch, paint, run};

/// A file with its outboards in both layouts, and its digest.
fn files(len: usize) -> (Scratch, String) {
    let scratch = Scratch::new();
    scratch.write("f", paint(len));
    let made = |args: &[&str]| {
        let ran = scratch.sum(&[&["-a", "blake3", "--outboard"], args].concat());
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
        ran.out()
    };
    let line = made(&["f.obao", "f"]);
    assert_eq!(made(&["f.obao4", "--outboard-format", "obao4", "f"]), line);
    (scratch, line[..64].to_owned())
}

#[test]
fn outboards_are_those_of_the_library() {
    for len in [0, 1, 1024, 20_000, 600_000] {
        let (scratch, digest) = files(len);
        assert_eq!(scratch.sum(&["-a", "blake3", "f"]).out(), format!("{digest}  f\n"));
        for (name, layout) in [("f.obao", Layout::BAO), ("f.obao4", Layout::OBAO4)] {
            let outboard = Bao::default().outboard(layout, &paint(len));
            assert_eq!(fs::read(scratch.at(name)).unwrap(), outboard.to_bytes(), "{name}, {len}");
            assert_eq!(hex(&outboard.root()), digest);
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn forms_of_output_and_standard_input() {
    let (scratch, digest) = files(5000);
    let all = ["-a", "blake3", "--outboard", "o"];
    let ran = scratch.sum(&[&all[..], &["--tag", "f"]].concat());
    assert_eq!(ran.out(), format!("BLAKE3 (f) = {digest}\n"));
    let ran = scratch.sum(&[&all[..], &["--output", "LIST", "f"]].concat());
    assert_eq!((ran.code, ran.out()), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(scratch.at("LIST")).unwrap(), format!("{digest}  f\n"));
    fs::remove_file(scratch.at("o")).unwrap();
    let ran = run(scratch.ours("jlanes-sum").args(all), &paint(5000));
    assert_eq!(ran.out(), format!("{digest}  -\n"));
    assert_eq!(fs::read(scratch.at("o")).unwrap(), fs::read(scratch.at("f.obao")).unwrap());
}

#[test]
fn nothing_is_left_of_what_fails() {
    let (scratch, _) = files(5000);
    let before = fs::read(scratch.at("f.obao")).unwrap();
    let all = ["-a", "blake3", "--outboard", "f.obao"];
    let ran = scratch.sum(&[&all[..], &["none"]].concat());
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert!(ran.err().contains("none: No such file or directory"), "{ran:?}");
    assert_eq!(fs::read(scratch.at("f.obao")).unwrap(), before);
    let ran = scratch.sum(&["-a", "blake3", "--outboard", "no/o", "f"]);
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert!(ran.err().contains("f: outboard 'no/o': No such file or directory"), "{ran:?}");
    let ran = scratch.sum(&["-a", "blake3", "--outboard", "f", "f"]);
    assert!(ran.err().contains("--outboard would overwrite the file that is hashed"), "{ran:?}");
    assert_eq!(fs::read(scratch.at("f")).unwrap(), paint(5000));
}

#[test]
fn ranges_are_verified() {
    let (scratch, digest) = files(600_000);
    for outboard in ["f.obao", "f.obao4"] {
        let ranged = |range: &str, more: &[&str]| {
            let args = ["--verify-range", range, "--outboard", outboard, "--expect", &digest, "f"];
            scratch.sum(&[&args, more].concat())
        };
        for range in ["0..1", "0..", "100k..200k", "599999..600000", "0..600000", "600000.."] {
            let ran = ranged(range, &[]);
            let expected = ("f: OK\n".to_owned(), String::new(), Some(0));
            assert_eq!((ran.out(), ran.err(), ran.code), expected, "{range}");
        }
        assert_eq!(ranged("0..1", &["--quiet"]).out(), "");
        let ran = ranged("0..1", &["--json"]);
        assert!(ran.out().contains(&format!(r#""expected":"{digest}""#)), "{ran:?}");
        for range in ["0..600001", "600001.."] {
            let ran = ranged(range, &[]);
            assert_eq!((ran.out(), ran.code), ("f: FAILED open or read\n".to_owned(), Some(1)));
            assert!(ran.err().contains("past the end, which is at byte 600000"), "{ran:?}");
        }
        // a change is found where it is, and nowhere else
        let mut changed = paint(600_000);
        changed[150_000] ^= 1;
        scratch.write("f", &changed);
        for (range, word, code) in [
            ("0..", "FAILED", 1),
            ("146k..", "FAILED", 1),
            ("0..100k", "OK", 0),
            ("200k..", "OK", 0),
        ] {
            let ran = ranged(range, &[]);
            assert_eq!((ran.out(), ran.code), (format!("f: {word}\n"), Some(code)), "{range}");
            assert_eq!(ran.err().contains("do not match the digest"), code == 1, "{ran:?}");
        }
        scratch.write("f", paint(600_000));
    }
}

#[test]
fn wrong_lengths_digests_and_outboards() {
    let (scratch, digest) = files(20_000);
    let verify = |digest: &str| {
        let args = ["--verify-range", "0..1", "--outboard", "o", "--expect", digest, "f"];
        scratch.sum(&args)
    };
    let copy = |name: &str| fs::copy(scratch.at(name), scratch.at("o")).unwrap();
    for outboard in ["f.obao", "f.obao4"] {
        copy(outboard);
        assert_eq!(verify(&digest).code, Some(0));
        let ran = verify(&"0a".repeat(32));
        assert_eq!((ran.out(), ran.code), ("f: FAILED\n".to_owned(), Some(1)));
        // the same number of chunks, so that the length alone is wrong
        for len in [19_999, 20_001, 0, 19_000, 21_000, 600_000] {
            let mut data = paint(20_000);
            data.resize(len, 0);
            scratch.write("f", data);
            let ran = verify(&digest);
            assert_eq!((ran.out(), ran.code), ("f: FAILED\n".to_owned(), Some(1)), "{len}");
        }
        scratch.write("f", paint(20_000));
        let bytes = fs::read(scratch.at(outboard)).unwrap();
        for wrong in [&bytes[..bytes.len() - 1], &[&bytes[..], b"x"].concat()] {
            scratch.write("o", wrong);
            let ran = verify(&digest);
            assert_eq!((ran.out(), ran.code), ("f: FAILED\n".to_owned(), Some(1)));
            assert!(ran.err().contains("is not that of a message of 20000 bytes"), "{ran:?}");
        }
    }
    fs::remove_file(scratch.at("o")).unwrap();
    let ran = verify(&digest);
    assert_eq!((ran.out(), ran.code), ("f: FAILED open or read\n".to_owned(), Some(1)));
    assert!(ran.err().contains("outboard 'o': No such file or directory"), "{ran:?}");
}

#[test]
fn keys_and_contexts() {
    let scratch = Scratch::new();
    scratch.write("f", paint(40_000));
    scratch.write("key", [7; 32]);
    for option in ["--key-file=key", "--derive-key=jlanes tests 2026-11-29 outboards"] {
        let ran = scratch.sum(&["-a", "blake3", option, "--outboard", "o", "f"]);
        let digest = ran.out()[..64].to_owned();
        assert_eq!(scratch.sum(&["-a", "blake3", option, "f"]).out(), ran.out());
        let args = ["--verify-range", "0..", "--outboard", "o", "--expect", &digest, "f"];
        assert_eq!(scratch.sum(&[&args[..], &["-a", "blake3", option]].concat()).code, Some(0));
        assert_eq!(scratch.sum(&args).out(), "f: FAILED\n");
    }
    let key = Bao::new(Blake3::new_keyed(&[7; 32])).outboard(Layout::BAO, &paint(40_000));
    let ran = scratch.sum(&["-a", "blake3", "--key-file=key", "--outboard", "o", "f"]);
    assert_eq!(ran.out()[..64], hex(&key.root()));
}
