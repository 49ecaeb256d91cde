//! The hash of a list: how it is chosen, and the hints about it for files that differ.

use std::fs;

use crate::{
    common::{Ran, Scratch, run, sha256},
    update::tick,
};

const SHA256_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A file that every algorithm accepts.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("f", "x".repeat(8192));
    scratch
}

fn list(scratch: &Scratch, name: &str, algorithm: &str) {
    let ran = scratch.sum(&["-a", algorithm, "f"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    scratch.write(name, ran.stdout);
}

/// Complete names of all algorithms, from the shells' completions.
fn all(scratch: &Scratch) -> Vec<String> {
    let text = scratch.sum(&["--completions", "bash"]).out();
    let line = text.lines().find(|line| line.contains("-W \"") && line.contains(" sha512-224 "));
    let words = line.and_then(|line| line.split('"').nth(1)).unwrap();
    words.split(' ').map(str::to_owned).collect()
}

#[test]
fn own_output_is_checked_by_the_name_of_its_list() {
    let scratch = scratch();
    let names = all(&scratch);
    assert!(names.len() > 50, "{names:?}");
    // lists of what has a key need -a
    let is_keyed = |name: &&String| name.starts_with("hmac-") || name.starts_with("kmac");
    for name in names.iter().filter(|name| !is_keyed(name)) {
        let list = format!("f.{name}");
        let ran = scratch.sum(&["-a", name, "f"]);
        let file = ran.out().trim_end().rsplit(' ').next().unwrap().to_owned();
        scratch.write(&list, &ran.stdout);
        let content = fs::read(scratch.at("f")).unwrap();
        let ran = run(scratch.ours("jlanes-sum").args(["-c", "--strict", &list]), &content);
        if ["crc", "crc32b", "bsd", "sysv"].contains(&&name[..]) {
            assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{name}: {ran:?}");
        } else {
            assert_eq!(
                (ran.out(), ran.code),
                (format!("{file}: OK\n"), Some(0)),
                "{name}: {ran:?}"
            );
        }
    }
}

#[test]
fn the_extension_decides_and_no_word_elsewhere() {
    let scratch = scratch();
    for (name, algorithm) in [
        ("blake3-1.5.4.tar.gz.sha256", "sha256"),
        ("libkeccak-1.3.tar.gz.sha256", "sha256"),
        ("app-b2.iso.sha256", "sha256"),
        ("sha3-256.zip.SHA256SUM", "sha256"),
        ("keccak", "sha256"),
        ("sha256-1.0.iso.b3", "blake3"),
        ("md5.iso.xxh128", "xxh128"),
        ("sha256.iso.keccak", "keccak256"),
        ("f.crc32c", "crc32c"),
        ("sm3.txt", "sm3"),
        ("SHA512SUMS.asc", "sha512"),
        ("blake2b_1.0_SHA512SUMS", "sha512"),
        ("sha512_1.0_B2SUMS", "blake2b"),
    ] {
        list(&scratch, name, algorithm);
        for args in [["-c", name], ["--audit", name]] {
            let ran = scratch.sum(&[&args[..], &["f"][..usize::from(args[0] != "-c")]].concat());
            assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{name}: {ran:?}");
        }
        // in base64, too
        let ran = scratch.sum(&["-a", algorithm, "--base64", "f"]);
        scratch.write(name, ran.stdout);
        assert_eq!(scratch.sum(&["-c", name]).code, Some(0), "{name}");
    }
}

#[test]
fn tags_stand_above_names_and_a_above_them() {
    let scratch = scratch();
    scratch.write("f.sha512-256", scratch.sum(&["--tag", "f"]).stdout);
    assert_eq!(scratch.sum(&["-c", "f.sha512-256"]).out(), "f: OK\n");
    // -a and the list's name disagree
    list(&scratch, "f.sha256", "blake3");
    assert_eq!(scratch.sum(&["-c", "-a", "blake3", "f.sha256"]).out(), "f: OK\n");
    list(&scratch, "f.sha256", "sha256");
    let ran = scratch.sum(&["-c", "-a", "blake3", "f.sha256"]);
    assert_eq!((ran.out().as_str(), ran.code), ("f: FAILED\n", Some(1)));
    let printed = "f.sha256: digests without a tag were compared with BLAKE3, as -a says; the list's name \
                says SHA256\n";
    assert!(ran.err().contains(printed), "{ran:?}");
    // lines with other tags stay refused
    scratch.write("list", scratch.sum(&["--tag", "f"]).stdout);
    assert_eq!(scratch.sum(&["-c", "-a", "blake3", "list"]).code, Some(1));
    // under GNU's names, there is only one hash
    list(&scratch, "f.blake3", "sha256");
    let ran = run(scratch.ours("sha256sum").args(["-c", "f.blake3"]), b"");
    assert_eq!((ran.out().as_str(), ran.err().as_str()), ("f: OK\n", ""));
}

#[test]
fn a_length_that_contradicts_the_lists_name_is_reported() {
    let scratch = scratch();
    list(&scratch, "f.sha256", "sha1");
    let ran = scratch.sum(&["-c", "f.sha256"]);
    assert_eq!((ran.out(), ran.code), (String::new(), Some(1)));
    let printed = "the list's name says sha256, which has 256 bits, and digests have 160";
    assert!(ran.err().contains(printed), "{ran:?}");
    for (algorithm, candidates) in [
        ("sha512", "512 bits may be blake2b, sha512"),
        ("crc32", "32 bits may be crc32, crc32c, xxh32"),
        ("xxh3-64", "64 bits may be crc64nvme, xxh64, xxh3-64"),
    ] {
        list(&scratch, "list", algorithm);
        let ran = scratch.sum(&["-c", "list"]);
        let printed = format!("list: digests of {candidates}");
        assert!(ran.code == Some(1) && ran.err().contains(&printed), "{ran:?}");
    }
    // 32 digits are usually MD5's
    list(&scratch, "list", "md5");
    assert_eq!(scratch.sum(&["-c", "list"]).out(), "f: OK\n");
}

#[test]
fn failures_name_the_hash_and_another_one_that_matches() {
    let scratch = scratch();
    for (name, algorithm, other, why) in [
        ("f.sha256", "SHA256", "blake3", "as the list's name says"),
        ("list", "SHA256", "sha3-256", "as their length suggests"),
        ("f.b2", "BLAKE2b", "sha512", "as the list's name says"),
        ("list", "MD5", "xxh128", "as their length suggests"),
    ] {
        list(&scratch, name, other);
        let ran = scratch.sum(&["-c", name]);
        let tag = other.to_uppercase();
        let printed = format!(
            "jlanes-sum: WARNING: 1 computed checksum did NOT match\n\
             jlanes-sum: {name}: digests without a tag were compared with {algorithm}, {why}\n\
             jlanes-sum: {name}: f: the digest is not its {algorithm}, but its {tag}\n"
        );
        assert_eq!((ran.out(), ran.err(), ran.code), ("f: FAILED\n".into(), printed, Some(1)));
        let json = scratch.sum(&["-c", "--json", name]).out();
        assert!(json.contains(&format!("\"matches\":\"{other}\"")), "{json}");
        assert_eq!(scratch.sum(&["-c", "--status", name]).err(), "");
    }
    // a tag is enough
    scratch.write("list", format!("SHA256 (f) = {SHA256_ABC}\n"));
    let printed = "jlanes-sum: WARNING: 1 computed checksum did NOT match\n";
    assert_eq!(scratch.sum(&["-c", "list"]).err(), printed);
    scratch
        .write("list", scratch.sum(&["-a", "blake3", "--tag", "f"]).out().replace("BLAKE3", "SM3"));
    assert!(
        scratch.sum(&["-c", "list"]).err().contains("f: the digest is not its SM3, but its BLAKE3")
    );
    // only a few files are hashed again, and only regular ones
    let digest = scratch.sum(&["-a", "sm3", "--no-names", "f"]).out();
    let lines: String = (0..9).map(|_| format!("{}  f\n", digest.trim())).collect();
    scratch.write("list", lines);
    let ran = scratch.sum(&["-c", "list"]);
    assert_eq!(ran.err().matches("but its SM3").count(), 3, "{ran:?}");
    scratch.write("list", format!("{SHA256_ABC}  /dev/null\n{SHA256_ABC}  -\n"));
    let ran = run(scratch.ours("jlanes-sum").args(["-c", "list"]), b"abcd");
    assert!(ran.code == Some(1) && !ran.err().contains("but its"), "{ran:?}");
}

fn update(scratch: &Scratch, args: &[&str]) -> Ran {
    tick();
    scratch.sum(args)
}

#[test]
fn updates_keep_the_hash_of_a_list() {
    let scratch = scratch();
    for name in ["app-b3.iso.sha256", "keccak.sha256", "keccak", "b2-list"] {
        list(&scratch, name, "sha256");
        let before = fs::read_to_string(scratch.at(name)).unwrap();
        let ran = update(&scratch, &["--update", name, "f"]);
        assert_eq!((ran.out(), ran.code), (String::new(), Some(0)), "{name}: {ran:?}");
        let after = fs::read_to_string(scratch.at(name)).unwrap();
        assert!(after.ends_with(&before), "{after}");
        assert_eq!(scratch.sum(&["-c", "--strict", name]).code, Some(0), "{name}");
    }
    // a new list has the algorithm in its name
    for (name, algorithm) in [("new.sha512", "sha512"), ("B2SUMS", "blake2b"), ("new", "sha256")] {
        assert_eq!(update(&scratch, &["--update", name, "f"]).code, Some(0));
        let after = fs::read_to_string(scratch.at(name)).unwrap();
        assert!(after.ends_with(&scratch.sum(&["-a", algorithm, "f"]).out()), "{name}: {after}");
        assert_eq!(scratch.sum(&["-c", "--strict", name]).code, Some(0), "{name}");
    }
    // with tags, if the list's name says another algorithm
    assert_eq!(update(&scratch, &["--update", "g.sha256", "-a", "sm3", "f"]).code, Some(0));
    let after = fs::read_to_string(scratch.at("g.sha256")).unwrap();
    assert!(after.contains("SM3 (f) = "), "{after}");
    assert_eq!(scratch.sum(&["-c", "--strict", "g.sha256"]).out(), "f: OK\n");
    // without a guess, the user has to choose
    list(&scratch, "list", "sha512");
    let before = fs::read(scratch.at("list")).unwrap();
    let ran = update(&scratch, &["--update", "list", "f"]);
    assert!(ran.code == Some(2) && ran.err().contains("not brought up to date"), "{ran:?}");
    assert_eq!(fs::read(scratch.at("list")).unwrap(), before);
    assert_eq!(update(&scratch, &["--update", "list", "-a", "sha512", "f"]).code, Some(0));
}

#[test]
fn a_digest_is_expected_in_any_spelling() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let upper = SHA256_ABC.to_uppercase();
    let base64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
    let sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
    let npm = |sha256: &str, sha1: &str| {
        format!("{{\"filename\":\"f\",\"integrity\":\"sha256-{sha256}\",\"shasum\":\"{sha1}\"}}")
    };
    assert_eq!(sha256(b"abc"), SHA256_ABC);
    for digest in [
        SHA256_ABC.to_owned(),
        upper.clone(),
        base64.to_owned(),
        format!("0x{SHA256_ABC}"),
        format!("sha256:{SHA256_ABC}"),
        format!("SHA-256:{upper}"),
        format!("SHA256: {SHA256_ABC}"),
        format!("SHA-256:  {upper}  f"),
        format!("MD5: {}\nSHA256: {SHA256_ABC}\n", "0".repeat(32)),
        format!("sha256:{base64}"),
        format!("sha256-{base64}"),
        format!("sha256-{base64}?opt"),
        base64.trim_end_matches('=').to_owned(),
        format!("SHA256:{}", base64.trim_end_matches('=')),
        "sha256:1b8m03r63zqhnjf7l5wnldhh7c134ap5vpj0850ymkq1iyzicy5s".to_owned(),
        format!("sha1:00{} sha256-{base64}", &sha1[2..]),
        format!("sha256-{} sha256-{base64}", base64.replace("ung", "ang")),
        format!("tiger:00 sha256-{base64}"),
        format!("sha999-{base64} sha256-{base64}"),
        format!("--hash=sha256:{SHA256_ABC}"),
        format!("--hash=sha256:{} --hash=sha256:{SHA256_ABC}", "00".repeat(32)),
        format!("SHA256 (f) = {SHA256_ABC}"),
        format!("SHA256 (another name) = {SHA256_ABC}\n"),
        format!("SHA2-256(f)= {SHA256_ABC}"),
        format!("SHA1(f)= {sha1}"),
        format!("{SHA256_ABC}  f\n"),
        format!("{SHA256_ABC} *f"),
        format!("sha256:{SHA256_ABC}  f"),
        format!("{SHA256_ABC}  sha256-of-this.txt and more"),
        format!("{SHA256_ABC}  blobs/sha256/{}", "0".repeat(64)),
        format!("{SHA256_ABC} *{SHA256_ABC}"),
        format!("sha256:{SHA256_ABC}  {SHA256_ABC}"),
        format!("{SHA256_ABC}  sha256-of-this-and-of-more"),
        // as long as MD5 in base64
        format!("{SHA256_ABC}  dockerdesktopinstaller"),
        format!("{SHA256_ABC}  usr/bin/x86/linux/gnu1"),
        format!("{{\"name\":\"f\",\"algorithm\":\"sha256\",\"digest\":\"{SHA256_ABC}\"}}"),
        "f 352441C2".to_owned(),
        npm(base64, &"0".repeat(40)),
        format!("MD5 (f) = {}\nSHA256 (f) = {SHA256_ABC}\n", "0".repeat(32)),
        format!("{}  f\n{SHA256_ABC}  f\n", "0".repeat(32)),
        format!("sha256:{}\nsha256:{SHA256_ABC}", "00".repeat(32)),
        // gpg's
        format!(
            "a:b: {}",
            upper
                .as_bytes()
                .chunks(8)
                .map(|it| str::from_utf8(it).unwrap())
                .collect::<Vec<_>>()
                .join(" ")
        ),
        format!("f size=3\nf sha256digest={SHA256_ABC}"),
    ] {
        let ran = scratch.sum(&["--expect", &digest, "f"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{digest}: {ran:?}");
    }
    for (digest, printed) in [
        (format!("sha256-{base64} sha512:00"), "'00' is no digest of sha512"),
        (format!("sha999:{SHA256_ABC}"), "invalid argument 'sha999'"),
        (format!("HMAC-SHA256 (f) = {SHA256_ABC}"), "HMAC-SHA256 needs a key"),
        ("prose that says nothing".to_owned(), "is neither a digest nor a line of a list"),
        (format!("SHA256 (f) = {SHA256_ABC}\nsha256:{SHA256_ABC}  f"), "cannot be compared as one"),
        (format!("sha256:{SHA256_ABC}  f\nsha256:{SHA256_ABC}  f"), "cannot be compared as one"),
        (format!("f size=3 sha256digest={SHA256_ABC}\nf size=4"), "cannot be compared as one"),
        // what is no name of a file
        (format!("{SHA256_ABC} {}", "0".repeat(64)), "would not be compared"),
        (format!("{SHA256_ABC}  f {}  g", "0".repeat(64)), "would not be compared"),
        (format!("{SHA256_ABC} {}", base64.replace("ung", "ang")), "would not be compared"),
        (format!("sha1:{sha1}  f sha256:{}", "0".repeat(64)), "would not be compared"),
        (format!("sha1:{sha1} | sha256:{}", "0".repeat(64)), "would not be compared"),
        (format!("sha1:{sha1} sha256={}", "0".repeat(64)), "would not be compared"),
        (format!("sha1:{sha1} (sha256-{base64}x)"), "would not be compared"),
        (format!("sha1:{sha1} f sha256-of-this.{}", "0".repeat(64)), "would not be compared"),
        (format!("SHA256: {SHA256_ABC} SHA1: {sha1}"), "would not be compared"),
        (format!("{SHA256_ABC} sha3-256:{}", "0".repeat(64)), "would not be compared"),
    ] {
        let ran = scratch.sum(&["--expect", &digest, "f"]);
        assert!(ran.code == Some(1) && ran.err().contains(printed), "{digest}: {ran:?}");
    }
    let (wrong, ripemd160) = ("0".repeat(64), "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc");
    for digest in [
        npm(&base64.replace("ung", "ang"), sha1),
        format!("SHA1 (f) = {sha1}\nSHA256 (f) = {wrong}"),
        format!("{sha1}  f\n{wrong}  f"),
        format!("f size=4\nf sha256digest={SHA256_ABC}"),
        // of one length, and in one line
        format!("DIST f 3 SHA1 {sha1} RMD160 00{}", &ripemd160[2..]),
        format!("DIST f 3 SHA1 00{} RMD160 {ripemd160}", &sha1[2..]),
    ] {
        let ran = scratch.sum(&["--expect", &digest, "f"]);
        assert_eq!((ran.out(), ran.code), ("f: FAILED\n".to_owned(), Some(1)), "{digest}");
    }
    let ran = scratch.sum(&[
        "--expect",
        &format!("SHA256 (f) = {SHA256_ABC}\nSHA256 (g) = {wrong}"),
        "f",
    ]);
    assert!(ran.code == Some(1) && ran.err().contains("is about several files"), "{ran:?}");
    let both = format!("{SHA256_ABC}  f\n{wrong}  f");
    let ran = scratch.sum(&["-a", "sha256", "--expect", &both, "f"]);
    assert!(ran.code == Some(1) && ran.err().contains("both name an algorithm"), "{ran:?}");
    let ran = scratch.sum(&["--expect", SHA256_ABC, "--ignore-missing", "--files-from=none"]);
    assert!(ran.code == Some(1) && ran.err().contains("none: No such file"), "{ran:?}");
    scratch.write("NAMES", "f\n\n");
    let ran = scratch.sum(&["--expect", SHA256_ABC, "--files-from=NAMES"]);
    assert_eq!(ran.out(), "f: OK\nNAMES: FAILED open or read\n", "{ran:?}");
    assert!(!ran.err().contains("no properly formatted"), "{ran:?}");
    let ran = scratch.sum(&["--expect", "0x00", "f"]);
    assert!(ran.err().contains("'00' has no usual length"), "{ran:?}");
    // another hash of this length
    let blake3 = scratch.sum(&["-a", "blake3", "--no-names", "f"]).out();
    let ran = scratch.sum(&["--expect", &blake3, "f"]);
    let printed = "--expect: f: the digest is not its SHA256, but its BLAKE3\n";
    assert!(ran.code == Some(1) && ran.err().contains(printed), "{ran:?}");
}

#[test]
fn leading_directories_of_names_are_removed() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("d/g", "abc");
    let list = format!("{SHA256_ABC}  app-1.2/f\n{SHA256_ABC}  ./d/g\n");
    scratch.write("list", &list);
    let ran = scratch.sum(&["-c", "--strip=1", "list"]);
    assert_eq!((ran.out().as_str(), ran.code), ("app-1.2/f: OK\n./d/g: OK\n", Some(0)), "{ran:?}");
    let ran = scratch.sum(&["-c", "--strip=2", "--base-dir=d", "list"]);
    assert_eq!((ran.out().as_str(), ran.code), ("./d/g: OK\n", Some(1)), "{ran:?}");
    let why = "list: 1: refused: 'app-1.2/f' has no more directories than --strip removes";
    assert!(ran.err().contains(why), "{ran:?}");
    // the stripped name must not lead out, either
    scratch.write("list", format!("{SHA256_ABC}  ../f\n{SHA256_ABC}  d/../../f\n"));
    let ran = scratch.sum(&["-c", "--untrusted", "--strip=1", "list"]);
    assert_eq!((ran.out().as_str(), ran.code), ("../f: OK\n", Some(1)), "{ran:?}");
}

#[test]
fn a_name_in_another_normal_form_is_hinted_at() {
    let scratch = Scratch::new();
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}");
    for (file, listed, form) in [(composed, decomposed, "NFC"), (decomposed, composed, "NFD")] {
        scratch.write(format!("{form}/{file}"), "abc");
        scratch.write("list", format!("{SHA256_ABC}  {form}/{listed}\n"));
        let ran = scratch.sum(&["-c", "list"]);
        let printed = format!("in the file's name (Unicode {form})");
        assert!(ran.code == Some(1) && ran.err().contains(&printed), "{ran:?}");
    }
    scratch.write("list", format!("{SHA256_ABC}  d\\f\n"));
    assert!(scratch.sum(&["-c", "list"]).err().contains("on Windows"));
}
