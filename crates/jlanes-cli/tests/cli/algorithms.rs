//! Algorithms: their lists, other tools' digests, several from one read, and their names.

use crate::common::{Scratch, paint, run, sha256};

/// All algorithms, and the options that checking their lists needs.
const ALL: &[(&str, &[&str])] = &[
    ("sha1", &[]),
    ("sha512-224", &[]),
    ("md5", &[]),
    ("ripemd160", &[]),
    ("sm3", &[]),
    ("sha3-224", &[]),
    ("sha3-256", &[]),
    ("keccak256", &[]),
    ("shake128-1000", &[]),
    ("kt128", &[]),
    ("kt256-72", &[]),
    ("parallelhash128:8192", &[]),
    ("parallelhash256-72:100", &[]),
    ("parallelhashxof128-264:1000", &[]),
    ("blake2b", &[]),
    ("blake2b-264", &[]),
    ("blake2s-128", &[]),
    ("skein256", &[]),
    ("skein512-264", &[]),
    ("skein1024-tree:1.2.3", &[]),
    ("jlanes3-sha1", &[]),
    ("jlanes8-sha256-raw", &[]),
    ("jlanes4-skein512-256", &[]),
    ("jlanes4-skein512-264-raw", &[]),
    ("jpointers-sha384", &[]),
    ("jpointers-skein256-raw", &[]),
    ("mh-sha1", &[]),
    ("mh-sha256", &["--isal-memory-order"]),
    ("btv2", &[]),
    ("fsverity-sha256", &[]),
    ("fsverity-sha512-1024", &["--salt=abcd"]),
    ("dmverity-sha1", &["--block-size=512", "--salt=00"]),
    ("dmverity-sha256", &["--block-size=1024", "--hash-block-size=512"]),
    ("dmverity-sha512", &["--block-size=512", "--dmverity-format=0"]),
    ("sha256tree", &[]),
    ("glacier", &[]),
    ("s3-sha256", &[]),
    ("s3-sha256:1000", &[]),
    ("s3-sha1", &[]),
    ("s3-sha1:1000", &[]),
    ("s3-sha512", &[]),
    ("s3-sha512:1000", &[]),
    ("s3-md5", &[]),
    ("s3-md5:1000", &[]),
    ("s3-crc32", &[]),
    ("s3-crc32c:1000", &[]),
    ("s3-crc64nvme", &[]),
    ("s3-xxhash64", &[]),
    ("s3-xxhash3:1000", &[]),
    ("s3-xxhash128", &[]),
    ("dropbox", &[]),
    ("rfc6962-sha256:100", &[]),
];

#[test]
fn lists_of_every_algorithm_are_printed_and_checked() {
    let scratch = Scratch::new();
    scratch.write("f", paint(8 << 10));
    for (spec, options) in ALL {
        // a digest over a list of files equals that over one file only for a single file
        let stdin = spec.starts_with("jpointers");
        let file = if stdin { "-" } else { "f" };
        let sum = |args: &[&str]| {
            run(scratch.ours("jlanes-sum").args(*options).args(args), &paint(8 << 10))
        };
        let tagged = sum(&["--tag", "-a", spec, file]);
        assert_eq!((tagged.code, tagged.err()), (Some(0), String::new()), "{spec}");
        scratch.write("TAGGED", &tagged.stdout);
        scratch.write("PLAIN", sum(&["-a", spec, file]).stdout);
        let good = format!("{file}: OK\n");
        let any = |args: &[&str]| sum(&[&["--min-bits=0"], args].concat());
        assert_eq!(any(&["-c", "TAGGED"]).out(), good, "{spec}: {tagged:?}");
        assert_eq!(sum(&["-a", spec, "-c", "TAGGED"]).out(), good, "{spec}");
        // the tag is enough
        let mut alone = scratch.ours("jlanes-sum");
        let alone = run(alone.args(["--min-bits=0", "-c", "TAGGED"]), &paint(8 << 10));
        assert_eq!(alone.out(), good, "{spec}: {tagged:?}");
        assert_eq!(sum(&["-a", spec, "-c", "PLAIN"]).out(), good, "{spec}");
        let other = if *spec == "sha1" { "sha224" } else { "sha1" };
        let ran = run(scratch.ours("jlanes-sum").args(["-a", other, "-c", "TAGGED"]), b"");
        assert_eq!(ran.code, Some(1), "{spec} is not {other}");
        // a digest listed for one file does not match another
        scratch.write("g", paint(4 << 10));
        let wrong = tagged.out().replace(&format!("({file})"), "(g)");
        scratch.write("WRONG", wrong);
        assert_eq!(any(&["-c", "WRONG"]).out(), "g: FAILED\n", "{spec}");
    }
}

#[test]
fn every_algorithm_is_the_same_on_every_backend_and_thread() {
    let scratch = Scratch::new();
    scratch.write("f", paint(9 << 20));
    for (spec, options) in ALL {
        let sum = |args: &[&str]| scratch.sum(&[options, args, &["-a", spec, "f"]].concat());
        let expected = sum(&["--backend=portable", "--threads=1"]);
        assert_eq!(expected.code, Some(0), "{spec}: {expected:?}");
        assert_eq!(sum(&[]), expected, "{spec}");
        assert_eq!(sum(&["--threads=2"]), expected, "{spec}");
        assert_eq!(sum(&["--threads=3"]), expected, "{spec}");
    }
}

/// Lengths around the edges of blocks, for several algorithms alone and together, and with a key.
#[test]
#[cfg(unix)]
fn md5_ripemd160_and_sm3_are_other_tools() {
    let scratch = Scratch::new();
    let lens = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_000, 3_000_000];
    let names: Vec<_> = lens.iter().map(|len| format!("f{len}")).collect();
    for (name, len) in names.iter().zip(lens) {
        scratch.write(name, paint(len));
    }
    scratch.write("key", "a key");
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let md5sum = run(scratch.command("md5sum", "md5sum").args(&names), b"");
    assert_eq!(scratch.sum(&[&["-a", "md5"], &names[..]].concat()), md5sum);
    assert_eq!(run(scratch.ours("md5sum").args(&names), b""), md5sum);
    for (spec, theirs) in
        [("md5", "-md5"), ("rmd160", "-rmd160"), ("ripemd160", "-rmd160"), ("sm3", "-sm3")]
    {
        for (ours, options) in [(&[][..], &[][..]), (&["--hmac-key-file=key"], &["-hmac", "a key"])]
        {
            let mut openssl = scratch.command("openssl", "openssl");
            let list = run(openssl.args(["dgst", theirs]).args(options).args(&names), b"");
            assert_eq!(list.code, Some(0), "{list:?}");
            let digests = |text: &str| -> Vec<String> {
                let last = |line: &str| line.rsplit(' ').next().map(str::to_owned);
                text.lines().filter_map(last).collect()
            };
            let tagged = scratch.sum(&[&["--tag", "-a", spec], ours, &names].concat());
            assert_eq!(digests(&tagged.out()), digests(&list.out()), "{spec}");
            // and OpenSSL's lists are read
            scratch.write("LIST", &list.stdout);
            let checked = scratch.sum(&[&["--strict", "-c", "LIST"], ours].concat());
            let is_weak = spec == "md5" && ours.is_empty();
            let printed =
                if is_weak { "jlanes-sum: WARNING: 13 files were verified by MD5" } else { "" };
            let err = checked.err();
            assert!(err.starts_with(printed) && err.is_empty() != is_weak, "{spec}: {err}");
            assert_eq!(checked.code, Some(0), "{spec}");
        }
    }
    let list = scratch.sum(&["-a", "md5,rmd160,sm3", "f1"]).out();
    let tags: Vec<_> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(tags, ["MD5", "RIPEMD160", "SM3"]);
}

/// The output of `openssl dgst`, with its `-xoflen` for SHAKE. KT128's is from RFC 9861, section 5.
#[test]
fn sha3_is_that_of_others() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("empty", "");
    let sha3_256 = "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532";
    let shake128 = "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97";
    assert_eq!(scratch.sum(&["-a", "sha3-256", "f"]).out(), format!("{sha3_256}  f\n"));
    let tagged = format!("SHA3-256 (f) = {sha3_256}\n");
    assert_eq!(scratch.sum(&["--tag", "-a", "sha3", "-l", "256", "f"]).out(), tagged);
    assert_eq!(scratch.sum(&["-a", "SHAKE128_200", "f"]).out(), format!("{shake128}  f\n"));
    let kt128 = "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5";
    assert_eq!(scratch.sum(&["-a", "kt128", "empty"]).out(), format!("{kt128}  empty\n"));
    scratch.write("LIST", format!("SHA3-256(f)= {sha3_256}\n"));
    assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n");
    assert_eq!(scratch.sum(&["-a", "shake128", "f"]).code, Some(1));
}

#[test]
fn several_digests_come_from_one_read() {
    let scratch = Scratch::new();
    let content = paint(5 << 20);
    scratch.write("f", &content);
    let alone = |spec: &str| scratch.sum(&["--tag", "-a", spec, "f"]).out();
    let specs = ["sha256", "btv2", "fsverity-sha256", "sha1", "s3-sha256:100000"];
    let expected: String = specs.iter().map(|spec| alone(spec)).collect();
    assert_eq!(scratch.sum(&["-a", &specs.join(","), "f"]).out(), expected);
    // a pipe can be read only once
    let piped = run(scratch.ours("jlanes-sum").args(["-a", &specs.join(","), "-"]), &content);
    assert_eq!(piped.out(), expected.replace("(f)", "(-)"));
}

#[test]
fn lists_of_files_come_last_and_only_if_all_could_be_read() {
    let scratch = Scratch::new();
    for name in ["a", "b"] {
        scratch.write(name, name);
    }
    let ran = scratch.sum(&["-a", "jpointers-sha256,sha256", "a", "b"]);
    let lines: Vec<_> = ran.out().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], format!("SHA256 (a) = {}", sha256(b"a")));
    assert!(lines[2].starts_with("JPOINTERS-SHA256 (-) = "));
    let ran = scratch.sum(&["-a", "jpointers-sha256-raw", "a", "b"]);
    let leaves = [sha256(b"a"), sha256(b"b")].concat();
    assert_eq!(ran.out(), format!("{}  -\n", sha256(&hex::decode(leaves).unwrap())));
    let ran = scratch.sum(&["-a", "jpointers-sha256", "a", "missing", "b"]);
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert_eq!(
        ran.err(),
        "jlanes-sum: missing: No such file or directory\n\
         jlanes-sum: -: no digest of a list without all its files\n"
    );
    let json = scratch.sum(&["--json", "-a", "jpointers-sha256-raw", "a", "b"]);
    assert!(json.out().starts_with("{\"name\":\"-\",\"size\":2,"), "{json:?}");
}

#[test]
fn names_have_many_spellings_and_one_tag() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for (spelling, tag) in [
        ("SHA512_256", "SHA512-256"),
        ("Skein512-512", "SKEIN512"),
        ("skein512_256-TREE:2.2.255", "SKEIN512-256-TREE:2.2.255"),
        ("JLANES8_sha256_RAW", "JLANES8-SHA256-RAW"),
        ("fsverity-sha256", "FSVERITY-SHA256-4096"),
    ] {
        let ran = scratch.sum(&["--tag", "-a", spelling, "f"]);
        assert!(ran.out().starts_with(&format!("{tag} (f) = ")), "{spelling}: {ran:?}");
    }
    for spec in [
        "sha",
        "sha256-raw",
        "skein512-0",
        "skein512-12",
        "skein512-18446744073709551608",
        "skein384",
        "jlanes-sha256",
    ] {
        let ran = scratch.sum(&["-a", spec, "f"]);
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{spec}");
        let start = format!("jlanes-sum: invalid argument '{spec}' for '--algorithm': ");
        assert!(ran.err().starts_with(&start), "{ran:?}");
    }
}
