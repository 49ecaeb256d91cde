//! Every line of a list is accounted for: it is verified, named by the list's format, or reported.

mod corpus;
mod dialects;

use crate::common::{Ran, Scratch, run, sha256};

/// The files `f`, which lists describe rightly with `F`, and `g`, which they describe wrongly with `Z`.
pub(crate) fn files() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("g", "abcd");
    scratch
}

pub(crate) fn filled(list: &str) -> String {
    let short = &sha256(b"abc")[1..];
    let spelled = [("SHORT", short), ("F", &sha256(b"abc")), ("Z", &"0".repeat(64))];
    spelled
        .iter()
        .fold(list.to_owned(), |list, (word, digest)| list.replace(&format!("<{word}>"), digest))
}

pub(crate) fn check(scratch: &Scratch, list: &str, options: &[&str]) -> Ran {
    scratch.write("LIST", filled(list));
    scratch.sum(&[&["-c"], options, &["LIST"]].concat())
}

#[test]
fn a_first_line_loses_no_other_line() {
    let scratch = files();
    for first in
        ["Version: 1.2", "Origin: x", "MD5Sum: none", "Date: today", "/set type=dir", "d type=dir"]
    {
        let ran = check(&scratch, &format!("{first}\n<F>  f\n <Z>  g\n"), &[]);
        assert_eq!((ran.out(), ran.code), ("f: OK\ng: FAILED\n".to_owned(), Some(1)), "{first}");
        assert!(ran.err().contains("1 line is improperly formatted"), "{ran:?}");
        for options in [&["--strict"][..], &["--untrusted"]] {
            let ran = check(&scratch, &format!("{first}\n<F>  f\n<SHORT>  g\n"), options);
            assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(1)), "{first}");
            assert!(ran.err().contains("2 lines are improperly formatted"), "{ran:?}");
        }
    }
}

#[test]
fn lines_that_the_end_cuts_off_are_malformed() {
    let scratch = files();
    for (list, out) in [
        ("#mtree\n./f size=3 sha256=<F>\n./g type=file \\\n", "./f: OK\n"),
        ("#mtree\n./f size=3 sha256=<F>\n./g type=file \\", "./f: OK\n"),
        ("#mtree\n./f size=3 sha256=<F>\nd type=dir \\\n", "./f: OK\n"),
        ("SHA256 hash of f:\n<F>\nSHA256 hash of g:\n", "f: OK\n"),
        ("Algorithm : SHA256\nHash : <F>\nPath : f\n\nAlgorithm : SHA256\nHash : <Z>\n", "f: OK\n"),
    ] {
        let ran = check(&scratch, list, &["--strict"]);
        assert_eq!((ran.out(), ran.code), (out.to_owned(), Some(1)), "{list}");
        assert!(ran.err().contains("1 line is improperly formatted"), "{list}: {ran:?}");
    }
}

#[test]
fn prose_before_a_list_is_one_malformed_line() {
    let scratch = files();
    for prose in [
        "The sha256 checksums are:",
        "the size of files",
        "a type of list",
        "SHA256:",
        "Path: here",
        "SHA256 hash of all:",
        "; of today",
        "{ not JSON",
    ] {
        for [one, two] in [["<F>  f", "<Z>  g"], ["  <F>  f", "\t<Z>  g"], ["<F> f", "<Z> g"]] {
            let ran = check(&scratch, &format!("{prose}\n\n{one}\n{two}\n"), &[]);
            assert_eq!(ran.out(), "f: OK\ng: FAILED\n", "{prose} {one}");
            assert!(ran.err().contains("1 line is improperly formatted"), "{prose}: {ran:?}");
        }
    }
    // prose before lists of other formats
    for list in [
        "The list of today.\nSHA256 hash of f:\n<F>\n",
        "PS C:\\> Get-FileHash f\n\nAlgorithm : SHA256\nHash      : <F>\nPath      : f\n",
        "PS C:\\> Get-FileHash f | ft Hash, Path\n\nHash Path\n---- ----\n<F> f\n",
        "From the archive\nSHA256:\n <F> 3 f\n",
    ] {
        let ran = check(&scratch, list, &[]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{list}");
        assert!(ran.err().contains("1 line is improperly formatted"), "{list}: {ran:?}");
    }
}

#[test]
fn tags_of_other_tools_are_read() {
    let scratch = files();
    let sum = |name: &str| {
        let ran = scratch.sum(&["-a", name, "--no-names", "f"]);
        ran.out().trim().to_owned()
    };
    for (tag, name) in [
        ("SHA512t224", "sha512-224"),
        ("SHA512t256", "sha512-256"),
        ("Skein256", "skein256"),
        ("Skein512", "skein512"),
        ("Skein1024", "skein1024"),
        ("RMD160", "ripemd160"),
        ("SHA1 ", "sha1"),
        ("SHA256   ", "sha256"),
        ("XXH3", "xxh3-64"),
        ("XXH128", "xxh128"),
    ] {
        let ran =
            check(&scratch, &format!("{tag} (f) = {}\n", sum(name)), &["--strict", "--min-bits=0"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{tag}: {ran:?}");
    }
    let xxh3 = sum("xxh3-64");
    let reversed: Vec<u8> = hex::decode(&xxh3).unwrap().into_iter().rev().collect();
    for line in [format!("XXH3_{xxh3}  f\n"), format!("XXH3_LE (f) = {}\n", hex::encode(reversed))]
    {
        let ran = check(&scratch, &line, &["--strict", "--min-bits=0"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{line}: {ran:?}");
        let ran = check(&scratch, &line, &["--strict", "--min-bits=65"]);
        assert_eq!((ran.out(), ran.code), (String::new(), Some(1)), "{line}");
    }
    // under GNU's names, only lines of GNU's tools are read
    scratch.write("LIST", filled("SHA256  (f) = <F>\n"));
    assert_eq!(run(scratch.ours("cksum").args(["-c", "LIST"]), b"").code, Some(1));
}

#[test]
fn a_missing_file_that_is_optional_is_no_error() {
    let scratch = files();
    let list = "#mtree\n./f size=3 sha256=<F>\n./gone optional sha256=<Z>\n";
    let ran = check(&scratch, list, &["--strict"]);
    assert_eq!((ran.out(), ran.err(), ran.code), ("./f: OK\n".to_owned(), String::new(), Some(0)));
    let ran = scratch.sum(&["--audit", "LIST", "f"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = check(&scratch, &list.replace("gone", "g"), &[]);
    assert_eq!((ran.out(), ran.code), ("./f: OK\n./g: FAILED\n".to_owned(), Some(1)));
    let ran = check(&scratch, &list.replace("optional ", ""), &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[test]
fn escaped_names_of_rhash_are_names_here() {
    let scratch = files();
    scratch.write("d\\a\nb", "abc");
    let ran = check(
        &scratch,
        "; RHash\nf 352441C2\n\\d\\\\a\\nb 352441C2\n",
        &["--strict", "--min-bits=0"],
    );
    assert_eq!(
        (ran.out(), ran.code),
        ("f: OK\n'd\\a'$'\\n''b': OK\n".to_owned(), Some(0)),
        "{ran:?}"
    );
}

#[test]
fn short_digests_of_blake2b_in_base64_are_checked() {
    let scratch = files();
    let cksum = |args: &[&str]| run(scratch.ours("cksum").args(args), b"");
    for length in ["8", "16", "64", "256", "512"] {
        for form in [&["--base64"][..], &[]] {
            let make =
                [&["-a", "blake2b", "--length", length, "--untagged"], form, &["f"]].concat();
            scratch.write("l", cksum(&make).stdout);
            let ran = cksum(&["-a", "blake2b", "--length", length, "--check", "l"]);
            assert_eq!(
                (ran.out(), ran.code),
                ("f: OK\n".to_owned(), Some(0)),
                "{length} {form:?}: {ran:?}"
            );
        }
    }
}

#[test]
fn json_without_digests_is_not_replaced() {
    let scratch = files();
    let users = "{\"name\":\"ann\",\"age\":3}\n{\"name\":\"bob\",\"age\":4}\n";
    scratch.write("users.jsonl", users);
    let ran = scratch.sum(&["--json", "-o", "users.jsonl", "f"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(std::fs::read_to_string(scratch.at("users.jsonl")).unwrap(), users);
    for _ in 0..2 {
        assert_eq!(scratch.sum(&["--json", "-o", "ours.jsonl", "f", "gone"]).code, Some(1));
        assert_eq!(scratch.sum(&["--json", "--force", "-o", "ours.jsonl", "f"]).code, Some(0));
    }
}

#[test]
fn a_damaged_digit_makes_no_digest_in_base64() {
    let scratch = files();
    scratch.write("d/f", "abc");
    scratch.write("d/g", "abcd");
    let base64 = scratch.sum(&["-a", "sha384", "--base64", "d/f"]).out();
    let right = format!("{}  d/f\n{}  d/g\n", sha256(b"abc"), sha256(b"abcd"));
    for digit in ["g", "z", "+"] {
        for line in right.lines() {
            let list = right.replace(line, &format!("{digit}{}", &line[1..]));
            let ran = check(&scratch, &list, &[]);
            assert_eq!(
                (ran.out().matches("OK").count(), ran.code),
                (1, Some(0)),
                "{list}: {ran:?}"
            );
            assert!(ran.err().contains("1 line is improperly formatted"), "{list}: {ran:?}");
            assert_eq!(scratch.sum(&["-c", "--detailed-exit", "LIST"]).code, Some(1), "{list}");
            let ran = scratch.sum(&["--audit", "LIST", "d"]);
            assert!(ran.code == Some(1) && ran.out().contains(": NEW\n"), "{list}: {ran:?}");
            let ran = scratch.sum(&["--update", "LIST", "d"]);
            assert_eq!(ran.code, Some(2), "{list}: {ran:?}");
            assert_eq!(std::fs::read_to_string(scratch.at("LIST")).unwrap(), list);
        }
    }
    // a list may be in base64, and have both spellings of a hash
    let ran = check(&scratch, &base64, &[]);
    assert_eq!(ran.out(), "d/f: OK\n", "{ran:?}");
    let list = format!("{right}{}", scratch.sum(&["-a", "sha256", "--base64", "f"]).out());
    assert_eq!(check(&scratch, &list, &[]).out(), "d/f: OK\nd/g: OK\nf: OK\n");
}
