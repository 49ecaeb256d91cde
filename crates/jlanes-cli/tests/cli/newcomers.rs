//! First attempts of users who have not read the manual.

use crate::common::Scratch;

const SHA256_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const SHA512_ABC: &str = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
    2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";

fn abc() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("g", "abcd");
    scratch
}

#[test]
fn a_file_is_compared_with_a_digest() {
    let scratch = abc();
    let sha512 = format!("sha512:{SHA512_ABC}");
    for digest in [
        SHA256_ABC,
        &SHA256_ABC.to_uppercase(),
        &format!(" {SHA256_ABC}\n"),
        &format!("{SHA256_ABC}  f\n"),
        &format!("SHA-256:{SHA256_ABC}"),
        &sha512,
        "900150983cd24fb0d6963f7d28e17f72",
        "a9993e364706816aba3e25717850c26c9cd0d89d",
        "sha256:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
    ] {
        let ran = scratch.sum(&["--expect", digest, "f"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{digest}");
    }
    let ran = scratch.sum(&["--expect", SHA256_ABC, "f", "g", "missing"]);
    let printed = "f: OK\ng: FAILED\nmissing: FAILED open or read\n";
    assert_eq!((ran.out(), ran.code), (printed.to_owned(), Some(1)));
    assert!(
        ran.err().starts_with(
            "jlanes-sum: missing: No such file or directory\n\
             jlanes-sum: WARNING: 1 listed file could not be read\n\
             jlanes-sum: WARNING: 1 computed checksum did NOT match\n"
        ),
        "{ran:?}"
    );
    let ran = scratch.sum(&["--expect", SHA256_ABC, "g"]);
    let printed = "jlanes-sum: --expect: the length says sha256, but it may also be sha512-256,";
    assert!(ran.err().contains(printed), "{ran:?}");
    let named = format!("sha256:{SHA256_ABC}");
    assert!(!scratch.sum(&["--expect", &named, "g"]).err().contains(printed));
    let ran = crate::common::run(scratch.ours("jlanes-sum").args(["--expect", SHA256_ABC]), b"abc");
    assert_eq!((ran.out(), ran.code), ("-: OK\n".to_owned(), Some(0)), "standard input");
}

#[test]
fn an_unnamed_broken_hash_is_reported() {
    let scratch = abc();
    let md5 = "900150983cd24fb0d6963f7d28e17f72";
    let printed =
        "jlanes-sum: WARNING: 1 file was verified by MD5 or SHA-1 alone, which are broken\n";
    let ran = scratch.sum(&["--expect", md5, "f"]);
    assert_eq!((ran.out(), ran.err(), ran.code), ("f: OK\n".into(), printed.into(), Some(0)));
    for args in
        [&["--expect", &format!("md5:{md5}"), "f"][..], &["-a", "md5", "--expect", md5, "f"]]
    {
        assert_eq!(scratch.sum(args).err(), "", "{args:?}");
    }
}

#[test]
fn a_hint_at_parts_is_about_digests_with_parts() {
    let scratch = abc();
    let printed = "digests with a number of parts";
    scratch.write("list", "SHA512-256 (f) = 00\n");
    let ran = scratch.sum(&["-c", "list"]);
    assert!(ran.code == Some(1) && !ran.err().contains(printed), "{ran:?}");
    for digest in
        ["900150983cd24fb0d6963f7d28e17f72", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="]
    {
        scratch.write("list", format!("{digest}-2  f\n"));
        let ran = scratch.sum(&["-c", "list"]);
        assert!(ran.code == Some(1) && ran.err().contains(printed), "{ran:?}");
    }
}

#[test]
fn the_name_of_a_list_tells_its_algorithm() {
    let scratch = abc();
    for (algorithm, list) in [
        ("sha512", "SHA512SUMS"),
        ("sha512", "f.sha512"),
        ("blake2b", "B2SUMS"),
        ("sha3-512", "sha3-512.txt"),
        ("sha1", "SHA1SUMS"),
        ("md5", "any"),
        ("sha224", "any"),
        ("sha384", "any"),
    ] {
        scratch.write(list, scratch.sum(&["-a", algorithm, "f", "g"]).stdout);
        for args in [&["-c", list][..], &["--audit", list, "f", "g"]] {
            let ran = scratch.sum(args);
            let is_broken = ["md5", "sha1"].contains(&algorithm);
            let broken = "jlanes-sum: WARNING: 2 files were verified by MD5 or SHA-1 alone, which are \
                          broken\n";
            let printed = if is_broken { broken } else { "" };
            let expected = ("f: OK\ng: OK\n".to_owned(), printed.to_owned(), Some(0));
            assert_eq!((ran.out(), ran.err(), ran.code), expected, "{args:?}");
        }
    }
}

#[test]
fn an_ambiguous_length_is_reported_with_its_algorithms() {
    let scratch = abc();
    scratch.write("list", scratch.sum(&["-a", "sha512", "f"]).stdout);
    for (args, code) in [(["-c", "list"], 1), (["--audit", "list"], 2)] {
        let ran = scratch.sum(&args);
        assert_eq!(ran.code, Some(code), "{args:?}");
        let printed = "list: digests of 512 bits may be blake2b, sha512";
        assert!(ran.err().contains(printed), "{ran:?}");
    }
    let ran = scratch.sum(&["-a", "sha512", "-c", "list"]);
    assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)));
}

#[test]
fn sizes_take_units() {
    let scratch = abc();
    let digits = scratch.sum(&["-a", "s3-sha256:8388608,rfc6962-sha256:65536", "f"]);
    assert_eq!(digits.code, Some(0));
    assert_eq!(scratch.sum(&["-a", "s3-sha256:8M,rfc6962-sha256:64k", "f"]), digits);
    let digits = scratch.sum(&["-a", "fsverity-sha256", "--block-size", "1024", "f"]);
    assert_eq!(digits.code, Some(0));
    assert_eq!(scratch.sum(&["-a", "fsverity-sha256", "--block-size", "1k", "f"]), digits);
}

#[test]
fn a_wrong_algorithm_takes_two_lines() {
    let scratch = abc();
    let ran = scratch.sum(&["-a", "sha257", "f"]);
    assert_eq!(
        ran.err(),
        "jlanes-sum: invalid argument 'sha257' for '--algorithm': unknown algorithm; \
         did you mean 'sha256'?\nTry 'jlanes-sum --help' for more information.\n"
    );
}

#[test]
fn a_digest_behind_its_algorithm_is_the_files_or_fsveritys() {
    let scratch = abc();
    let fsverity = scratch.sum(&["-a", "fsverity-sha256", "--no-names", "f"]).out();
    let fsverity = fsverity.trim();
    for (line, printed, code) in [
        (format!("sha256:{SHA256_ABC}  f"), "f: OK (sha256)\n", 0),
        (format!("sha256:{SHA256_ABC} f"), "f: OK (sha256)\n", 0),
        (format!("sha256:{SHA256_ABC} *f"), "f: OK (sha256)\n", 0),
        (format!("sha512:{SHA512_ABC}  f"), "f: OK (sha512)\n", 0),
        (format!("sha256:{fsverity} f"), "f: OK (fsverity-sha256)\n", 0),
        (format!("sha256:{fsverity}  f"), "f: OK (fsverity-sha256)\n", 0),
        (format!("sha256:{SHA256_ABC}  g"), "g: FAILED\n", 1),
        ("sha1:a9993e364706816aba3e25717850c26c9cd0d89d  f".to_owned(), "f: OK\n", 0),
    ] {
        scratch.write("LIST", format!("{line}\n"));
        let ran = scratch.sum(&["-c", "LIST"]);
        assert_eq!((ran.out(), ran.code), (printed.to_owned(), Some(code)), "{line}");
        let name = line.split([' ', '*']).next_back().unwrap();
        let ran = scratch.sum(&["--audit", "LIST", name]);
        let printed = printed.replace("FAILED", "CHANGED");
        assert_eq!((ran.out(), ran.code), (printed, Some(code)), "{line}");
    }
    // with -a there is only one meaning
    scratch.write("LIST", format!("sha256:{fsverity} f\n"));
    assert_eq!(scratch.sum(&["-a", "sha256", "-c", "LIST"]).out(), "f: FAILED\n");
    assert_eq!(scratch.sum(&["-a", "fsverity-sha256", "-c", "LIST"]).out(), "f: OK\n");
    scratch.write("LIST", format!("sha256:{SHA256_ABC} f\n"));
    assert_eq!(scratch.sum(&["--salt=00", "-c", "LIST"]).out(), "f: FAILED\n");
    for algorithm in ["sha384", "sha512"] {
        let sum = scratch.sum(&["-a", algorithm, "f"]).out().replace("  f\n", "");
        scratch.write("LIST", format!("{algorithm}:{sum} f\n"));
        let ran = scratch.sum(&["-c", "LIST"]);
        assert!(ran.code == Some(0) && ran.out().starts_with("f: OK"), "{ran:?}");
    }
    assert_eq!(scratch.sum(&["--salt=00", "-c", "LIST"]).out(), "f: FAILED\n");
    // a single wrong digest of a file is a failure
    let (right, wrong) = (SHA256_ABC, SHA256_ABC.replace('b', "c"));
    scratch.write("LIST", format!("sha256:{right}  f\nsha256:{wrong}  f\n"));
    assert_eq!(scratch.sum(&["--audit", "LIST", "f"]).out(), "f: CHANGED\n");
}

#[test]
fn a_list_elsewhere_gets_a_hint_to_its_files() {
    let scratch = abc();
    scratch.write("d/h", "abc");
    scratch.write("d/LIST", format!("{SHA256_ABC}  h\n"));
    let ran = scratch.sum(&["-c", "d/LIST"]);
    let printed = "names are taken from the working directory: --base-dir 'd' finds them there\n";
    assert!(ran.code == Some(1) && ran.err().ends_with(printed), "{ran:?}");
    assert_eq!(scratch.sum(&["-c", "--base-dir", "d", "d/LIST"]).out(), "h: OK\n");
    let ran = scratch.sum(&["-c", "--status", "d/LIST"]);
    assert_eq!(ran.err(), "jlanes-sum: h: No such file or directory\n");
    scratch.write("LIST", format!("{SHA256_ABC}  d\\\\h\n").replace("\\\\", "\\"));
    let ran = scratch.sum(&["-c", "LIST"]);
    assert!(ran.err().contains("backslashes stand between directories on Windows"), "{ran:?}");
    // no hint if another directory, an absolute name or a wrong name would not help
    scratch.write("e/f", "abc");
    scratch.write("d/jlanes-none", "abc");
    for (args, name) in
        [(&["--base-dir", "e"][..], "h"), (&[], "/jlanes-none"), (&[], "jlanes-nowhere")]
    {
        scratch.write("d/LIST", format!("{SHA256_ABC}  {name}\n"));
        let ran = scratch.sum(&[args, &["-c", "d/LIST"]].concat());
        assert!(ran.code == Some(1) && !ran.err().contains("--base-dir"), "{name}: {ran:?}");
    }
    scratch.write("d/LIST", format!("{SHA256_ABC}  h\n"));
    // under GNU's names, messages are GNU's
    let ran = crate::common::run(scratch.ours("sha256sum").args(["-c", "d/LIST"]), b"");
    assert!(!ran.err().contains("--base-dir"), "{ran:?}");
}

#[test]
fn swapped_operands_of_an_audit_get_a_hint() {
    let scratch = abc();
    scratch.write("d/h", "abc");
    let ran = scratch.sum(&["--audit", "d", "LIST"]);
    let printed =
        "jlanes-sum: --audit: 'd' is a directory; the list comes first, as in --audit 'LIST' 'd'\n";
    assert!(ran.code == Some(2) && ran.err().starts_with(printed), "{ran:?}");
}

#[test]
fn a_pattern_that_cannot_match_is_reported() {
    let scratch = Scratch::new();
    for name in ["t/a", "t/b/c", "t/t/b/d"] {
        scratch.write(name, name);
    }
    let printed = |args: &[&str]| scratch.sum(&[&["-r"], args].concat()).err();
    assert_eq!(
        printed(&["--exclude", "x/b", "t"]),
        "jlanes-sum: --exclude: 'x/b' matches nothing: paths are those below the DIR\n"
    );
    assert_eq!(
        printed(&["--exclude", "t/b", "t/b"]),
        "jlanes-sum: --exclude: 't/b' matches nothing: paths are those below the DIR\n"
    );
    assert_eq!(
        printed(&["--include", "t/b/c", "t/b", "t/t"]),
        "jlanes-sum: --include: 't/b/c' matches nothing: paths are those below the DIR, as in '/c'\n"
    );
    for args in [["--exclude", "t/b", "t"], ["--exclude", "b", "t"], ["--exclude", "*/b", "t"]] {
        assert_eq!(printed(&args), "", "{args:?}");
    }
}

#[test]
fn files_that_are_left_out_are_not_missing() {
    let scratch = Scratch::new();
    for name in ["t/small", "t/large one", "t/d/deep", "u/other"] {
        scratch.write(name, name);
    }
    scratch.write("LIST", scratch.sum(&["-r", "t", "u"]).stdout);
    for (option, met) in [
        ("--max-size=8", "t/d/deep: OK\nt/small: OK\nu/other: OK\n"),
        ("--exclude=large*", "t/d/deep: OK\nt/small: OK\nu/other: OK\n"),
        ("--max-depth=1", "'t/large one': OK\nt/small: OK\nu/other: OK\n"),
        ("--include=small", "t/small: OK\n"),
    ] {
        let ran = scratch.sum(&["--audit=LIST", option, "t", "u"]);
        assert_eq!((ran.out(), ran.code), (met.to_owned(), Some(0)), "{option}");
    }
    // a missing file is MISSING, and --ignore-missing skips it
    std::fs::remove_file(scratch.at("t/large one")).unwrap();
    let ran = scratch.sum(&["--audit=LIST", "--max-size=8", "--quiet", "t"]);
    assert_eq!(ran.out(), "'t/large one': MISSING\nu/other: MISSING\n");
}

#[test]
fn lists_of_names_are_text_as_other_systems_write_it() {
    let scratch = Scratch::new();
    for name in ["a", "\u{e9}"] {
        scratch.write(name, name);
    }
    let expected = scratch.sum(&["a", "\u{e9}"]);
    let text = "a\r\n\u{e9}\r\n";
    let units = || text.encode_utf16();
    let little = units().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let big = units().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    for list in [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [b"\xff\xfe", &little[..]].concat(),
        [b"\xfe\xff", &big[..]].concat(),
    ] {
        scratch.write("names", &list);
        assert_eq!(scratch.sum(&["--files-from=names"]), expected, "{}", list.escape_ascii());
    }
    // nothing else is guessed
    scratch.write("names", "a\0b\0");
    let ran = scratch.sum(&["--files-from=names"]);
    assert!(ran.code == Some(1) && ran.err().contains("a NUL"), "{ran:?}");
}
