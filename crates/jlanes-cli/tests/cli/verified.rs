//! The meaning of verified: nothing was skipped, and nothing could be forged.

use std::{
    fs,
    os::unix::fs::symlink,
    process::Stdio,
    time::{Duration, Instant},
};

use base64ct::{Base64, Encoding};

use crate::common::{Ran, Scratch, paint, run, sha256};

/// MD5 of `f`, which holds "abc".
const MD5: &str = "900150983cd24fb0d6963f7d28e17f72";
const H1: &str = "h1:zfnjV891yKYYbtB2zZFnx/hwZKEMosZP5aJhWjZirb4=";

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("key", "secret");
    scratch
}

fn check(scratch: &Scratch, list: &str, args: &[&str]) -> Ran {
    scratch.write("LIST", list);
    scratch.sum(&[&["-c", "LIST"], args].concat())
}

#[test]
fn an_entry_of_mtree_is_compared_or_fails() {
    let scratch = scratch();
    let right = sha256(b"abc");
    for (entry, args, printed, code) in [
        ("size=3", &[][..], "./f: OK\n", 0),
        ("size=4", &[], "./f: FAILED\n", 1),
        ("size=x", &[], "", 1),
        ("mode=0644", &[], "", 1),
        ("", &[], "", 1),
        (&format!("md5digest={MD5}"), &["--min-bits=200"], "", 1),
        (&format!("size=3 md5digest={MD5}"), &["--min-bits=200"], "", 1),
        (
            &format!("size=3 sha256digest={right} md5digest={MD5}"),
            &["--min-bits=200"],
            "./f: OK\n",
            0,
        ),
        (&format!("size=4 sha256digest={right}"), &[], "./f: FAILED\n", 1),
        ("size=3", &["--hmac-key-file=key"], "", 1),
        // a size does not replace a digest that is not compared, or was cut off
        ("size=3 sha3digest=00", &[], "", 1),
        ("size=3 cksum=1", &[], "", 1),
        ("size=3 sha256dig", &[], "", 1),
        (&format!("size=3 sha256digest={right}"), &["-a", "sha512"], "", 1),
        ("size=3 size=4", &[], "", 1),
        (&format!("sha256digest={right} sha256digest={}", "0".repeat(64)), &[], "", 1),
        (&format!("sha256digest={right}"), &["--hmac-key-file=key"], "", 1),
    ] {
        let list = format!("#mtree\n. type=dir\n./f type=file {entry}\n");
        let ran = check(&scratch, &list, args);
        assert_eq!((ran.code, ran.out().as_str()), (Some(code), printed), "{entry}: {ran:?}");
        let audit = scratch.sum(&[&["--audit", "LIST"], args, &["f"]].concat());
        assert_eq!(audit.code == Some(0), code == 0, "{entry}: {audit:?}");
        // next to other lines, it fails as well
        let with = format!("{list}./g size=1\n");
        scratch.write("g", "g");
        let ran = check(&scratch, &with, &[args, &["--summary"]].concat());
        assert!(!ran.out().contains("./f: OK") || code == 0, "{ran:?}");
        if args != ["--hmac-key-file=key"] {
            assert_eq!(ran.code, Some(code), "{entry}: {ran:?}");
        }
    }
    let set = format!("#mtree\n/set sha256digest={}\n./f size=3\n", "0".repeat(64));
    assert_eq!(check(&scratch, &set, &[]).code, Some(1));
    let list = "#mtree\n./none size=1\n./f size=3\n";
    assert_eq!(check(&scratch, list, &[]).code, Some(1));
    assert_eq!(check(&scratch, list, &["--ignore-missing"]).code, Some(0));
    fs::create_dir(scratch.at("d")).unwrap();
    assert_eq!(check(&scratch, "#mtree\n./d type=file size=4096\n", &[]).code, Some(1));
    // only regular files are compared
    let list = "#mtree\n./l type=link link=f\n./p type=fifo\n./f size=3\n";
    assert_eq!(check(&scratch, list, &[]).code, Some(0));
}

#[test]
fn lines_of_every_form_are_refused_and_fail() {
    let scratch = scratch();
    let sha = sha256(b"abc");
    let good = |args: &[&str]| scratch.sum(&[&["--tag"], args, &["f"]].concat()).out();
    let lines = [
        format!("{sha}  f\n"),
        format!("{sha} *f\n"),
        format!("{}  f\n", sha.to_uppercase()),
        format!("sha256:{sha}  f\n"),
        format!("SHA256 (f) = {sha}\n"),
        format!("SHA2-256(f)= {sha}\n"),
        format!("{H1}  d\n"),
        format!("MD5 (f) = {MD5}\n"),
    ];
    for line in &lines {
        let ran =
            check(&scratch, &format!("{}{line}", good(&["-a", "sha512"])), &["--min-bits=300"]);
        assert_eq!((ran.code, ran.out().as_str()), (Some(1), "f: OK\n"), "{line}: {ran:?}");
        assert!(ran.err().contains("LIST: 2: refused: "), "{line}: {ran:?}");
    }
    for line in &lines[3..] {
        let own = good(&["--hmac-key-file=key"]);
        let ran = check(&scratch, &format!("{own}{line}"), &["--hmac-key-file=key"]);
        assert_eq!((ran.code, ran.out().as_str()), (Some(1), "f: OK\n"), "{line}: {ran:?}");
        assert!(ran.err().contains("LIST: 2: refused: "), "{line}: {ran:?}");
    }
    for args in [&["--min-bits=200"][..], &["--hmac-key-file=key"]] {
        let list = format!("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n3,{MD5},f\n");
        let ran = check(&scratch, &list, args);
        assert!(ran.err().contains("LIST: 3: refused: MD5 has "), "{ran:?}");
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
        let ran = scratch.sum(&[&["--audit", "LIST"], args, &["f"]].concat());
        assert!(ran.code == Some(2) && ran.err().contains("refused: MD5 has "), "{ran:?}");
    }
}

#[test]
fn only_what_is_signed_is_believed_in_a_signed_list() {
    let scratch = scratch();
    scratch.write("g", "g");
    let line = |name: &str| scratch.sum(&[name]).out();
    let (begin, text) = ("-----BEGIN PGP SIGNED MESSAGE-----", line("f"));
    let (signature, end) = ("-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----");
    let windows = "Algorithm : SHA256\nHash : {}\nPath : g\n".replace("{}", &sha256(b"g"));
    for (before, after) in [
        ("", ""),
        ("prose\n# a comment\n\n", "-- \nyours\n"),
        ("", &line("g")),
        (&line("g"), ""),
        ("", &windows),
        (&windows, ""),
    ] {
        let list =
            format!("{before}{begin}\nHash: SHA512\n\n{text}{signature}\n\niQ==\n{end}\n{after}");
        let ran = check(&scratch, &list, &[]);
        let has_more = [before, after].concat().contains('g');
        assert!(ran.out().contains("f: OK\n"), "{list}: {ran:?}");
        assert_eq!(ran.code, Some(i32::from(has_more)), "{list}: {ran:?}");
        assert_eq!(ran.err().contains("signed"), has_more, "{ran:?}");
        // several signed texts, one after another
        let ran = check(&scratch, &list.repeat(2), &[]);
        assert_eq!(ran.code, Some(i32::from(has_more)), "{list}: {ran:?}");
    }
    // the ends of a signed text that gpg recognizes
    for other in [format!("{signature} \t"), begin.to_owned(), "-----".to_owned()] {
        let list = format!("{begin}\n\n{text}{other}\n{}{signature}\n\niQ==\n{end}\n", line("g"));
        let ran = check(&scratch, &list, &[]);
        assert_eq!(ran.out(), "f: OK\n", "{list}: {ran:?}");
    }
    // lists with NUL at the ends of lines have no armour
    let signed = format!("{begin}\n\n{text}{signature}\n\niQ==\n{end}\n");
    let zero = scratch.sum(&["-z", "g"]).out();
    for list in
        [format!("{signed}\0{zero}"), format!("{zero}{signed}"), format!("{zero}\n{signed}")]
    {
        let ran = check(&scratch, &list, &[]);
        assert!(ran.code == Some(1) && ran.err().contains("signed"), "{list:?}: {ran:?}");
    }
    // GNU's tools do not recognize armour
    scratch.write("LIST", format!("{begin}\n\n{text}{signature}\n\niQ==\n{end}\n{}", line("g")));
    let ran = run(scratch.ours("sha256sum").args(["-c", "LIST"]), b"");
    assert_eq!((ran.code, ran.out().as_str()), (Some(0), "f: OK\ng: OK\n"));
}

#[test]
fn a_file_without_a_digest_in_a_list_fails() {
    let scratch = scratch();
    let list = scratch.sum(&["--json", "f", "none"]);
    assert_eq!(list.code, Some(1));
    scratch.write("none", "here again");
    let ran = check(&scratch, &list.out(), &[]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(1), "f: OK\n"));
    assert!(ran.err().contains("LIST: 2: refused: no digest"), "{ran:?}");
    let negative = scratch.sum(&["--json", "f"]).out().replace("\"size\":3", "\"size\":-3");
    assert_eq!(check(&scratch, &negative, &[]).code, Some(1));
    let sum = sha256(b"abc");
    let twice = "%%%% HASHDEEP-1.0\n%%%% sha256,sha256,filename\n";
    assert_eq!(check(&scratch, &format!("{twice}{sum},{sum},f\n"), &[]).code, Some(1));
    let twice = "\"Algorithm\",\"Hash\",\"Hash\",\"Path\"\n";
    let csv = format!("{twice}\"SHA256\",\"{sum}\",\"00\",\"f\"\n");
    assert_eq!(check(&scratch, &csv, &[]).code, Some(1));
    // a line of a table that is cut off
    let table = format!("Algorithm Hash Path\n--------- ---- ----\nSHA256 {sum} f\nSHA256\n");
    assert_eq!(check(&scratch, &table, &[]).code, Some(0));
    assert_eq!(check(&scratch, &table, &["--strict"]).code, Some(1));
}

#[test]
fn a_name_does_not_hide_the_other_lines() {
    let scratch = scratch();
    for (name, content) in [("x\n", "1"), ("x", "1"), ("y", "2")] {
        scratch.write(name, content);
    }
    for form in [&["-z"][..], &["-z", "--tag"], &["-z", "--base64"]] {
        let list = scratch.sum(&[form, &["x\n", "y"]].concat()).out();
        scratch.write("y", "another");
        let ran = check(&scratch, &list, &[]);
        assert_eq!((ran.code, ran.out().as_str()), (Some(1), "'x'$'\\n': OK\ny: FAILED\n"));
        scratch.write("y", "2");
        assert_eq!(check(&scratch, &list, &["--strict"]).code, Some(0));
    }
    // a name that looks like a comment
    scratch.write("#x", "1");
    let ran = scratch.sum(&["--format=sfv", "-a", "crc32", "#x"]);
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert!(ran.err().contains("such a name does not fit the format"), "{ran:?}");
}

#[test]
fn digests_that_can_be_guessed_are_not_taken_from_lists() {
    let scratch = scratch();
    for spec in ["shake128-8", "shake128-120", "blake2b-64", "skein512-8"] {
        let line = scratch.sum(&["--tag", "-a", spec, "f"]).out();
        let ran = check(&scratch, &line, &[]);
        assert!(ran.code == Some(1) && ran.err().contains(", and 128 are the least"), "{ran:?}");
        assert_eq!(check(&scratch, &line, &["--min-bits=0"]).code, Some(0));
        // the user has chosen this algorithm
        assert_eq!(check(&scratch, &line, &["-a", spec]).code, Some(0));
    }
    scratch.write("LIST", scratch.sum(&["-a", "blake2b-64", "f"]).stdout);
    assert_eq!(scratch.sum(&["-c", "-a", "blake2b", "LIST"]).code, Some(1));
    // GNU's tools accept any algorithm
    for (tool, args) in
        [("b2sum", &["-c", "LIST"][..]), ("cksum", &["-a", "blake2b", "-c", "LIST"])]
    {
        assert_eq!(run(scratch.ours(tool).args(args), b"").code, Some(0), "{tool}");
    }
}

#[test]
fn weak_digests_that_a_list_chose_are_called_so() {
    let scratch = scratch();
    let broken =
        "jlanes-sum: WARNING: 1 file was verified by MD5 or SHA-1 alone, which are broken\n";
    let checksum =
        "jlanes-sum: WARNING: 1 file was verified by a checksum alone, which anybody can match\n";
    for (spec, printed) in [
        ("md5", broken),
        ("sha1", broken),
        ("mh-sha1", broken),
        ("crc32c", checksum),
        ("sha256", ""),
    ] {
        let list = scratch.sum(&["--tag", "-a", spec, "f"]).out();
        let ran = check(&scratch, &list, &[]);
        assert_eq!((ran.code, ran.err().as_str()), (Some(0), printed), "{ran:?}");
        assert_eq!(check(&scratch, &list, &["--status"]).err(), "");
        // the user has chosen this algorithm
        assert_eq!(check(&scratch, &list, &["-a", spec]).err(), "");
        let json = check(&scratch, &list, &["--json"]).out();
        assert_eq!(json.contains(",\"broken\":true}"), printed == broken, "{json}");
        let ran = scratch.sum(&["--audit", "LIST", "f"]);
        assert_eq!((ran.code, ran.err().as_str()), (Some(0), printed), "{ran:?}");
        // next to a stronger digest
        let both = format!("{list}{}", scratch.sum(&["--tag", "f"]).out());
        assert_eq!(check(&scratch, &both, &[]).err(), "");
        assert_eq!(check(&scratch, &both, &["-w"]).err(), printed);
        assert_eq!(scratch.sum(&["--audit", "LIST", "-w", "f"]).err(), "");
    }
    let ran = check(&scratch, "#mtree\n./f size=3\n", &[]);
    let printed = "jlanes-sum: WARNING: 1 file was verified by its size alone\n";
    assert_eq!((ran.code, ran.err().as_str()), (Some(0), printed));
    assert_eq!(scratch.sum(&["--audit", "LIST", "f"]).err(), printed);
    let list = format!("#mtree\n./f size=3 md5digest={MD5} sha256digest={}\n", sha256(b"abc"));
    assert_eq!(check(&scratch, &list, &[]).err(), "");
    scratch.write("LIST", format!("{MD5}  f\n"));
    assert_eq!(run(scratch.ours("md5sum").args(["-c", "LIST"]), b"").err(), "");
    // weak digests are not enough to call files equal
    for spec in ["md5", "sha1", "shake128-8", "blake2b-64", "jlanes4-md5"] {
        let ran = scratch.sum(&["--dedupe", "-a", spec, "."]);
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
        assert!(ran.err().contains("may have equal digests"), "{ran:?}");
    }
}

#[test]
fn an_audit_of_nothing_fails() {
    let scratch = scratch();
    fs::create_dir(scratch.at("empty")).unwrap();
    scratch.write("LIST", scratch.sum(&["f"]).stdout);
    let ran = scratch.sum(&["--audit", "LIST", "--ignore-missing", "empty"]);
    assert_eq!(
        (ran.code, ran.out(), ran.err().as_str()),
        (Some(1), String::new(), "jlanes-sum: no file was verified\n")
    );
    assert_eq!(scratch.sum(&["--audit", "LIST", "--ignore-missing", "f"]).code, Some(0));
    // a list that was emptied together with its files
    for list in ["", "# a comment\n", "#mtree\n", "%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n"]
    {
        scratch.write("LIST", list);
        let ran = scratch.sum(&["--audit", "LIST", "empty"]);
        let printed = "jlanes-sum: no file was verified\n";
        assert_eq!((ran.code, ran.err().as_str()), (Some(1), printed), "{list}");
    }
    // options that exclude all files
    scratch.write("LIST", scratch.sum(&["f"]).stdout);
    assert_eq!(scratch.sum(&["--audit", "LIST", "--exclude=f", "."]).code, Some(1));
}

#[test]
fn an_audit_tells_what_it_leaves_out() {
    let scratch = scratch();
    scratch.write("d/a", "a");
    scratch.write("LIST", scratch.sum(&["-r", "d"]).stdout);
    assert_eq!(scratch.sum(&["--audit", "LIST", "d"]).err(), "");
    symlink("/etc/passwd", scratch.at("d/link")).unwrap();
    let ran = scratch.sum(&["--audit", "LIST", "d"]);
    let hint = "left out; -w names them, --hash-links compares links";
    let printed = format!("jlanes-sum: 1 link or special file was {hint}\n");
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), "d/a: OK\n".to_owned(), printed));
    assert_eq!(scratch.sum(&["--audit", "LIST", "--status", "d"]).err(), "");
    let ran = scratch.sum(&["--audit", "LIST", "-w", "d"]);
    assert_eq!(ran.err(), "jlanes-sum: d/link: a symbolic link, left out\n");
    let ran = scratch.sum(&["--audit", "LIST", "--hash-links", "d"]);
    assert!(ran.out().contains("d/link: NEW\n") && ran.code == Some(1), "{ran:?}");
    scratch.fifo("d/fifo");
    let ran = scratch.sum(&["--audit", "LIST", "d"]);
    assert_eq!(ran.err(), format!("jlanes-sum: 2 links and special files were {hint}\n"));
    assert_eq!(
        scratch.sum(&["--audit", "LIST", "--exclude=fifo", "--exclude=link", "d"]).err(),
        ""
    );
}

#[test]
fn an_audit_leaves_out_only_what_a_pattern_excludes() {
    let scratch = scratch();
    for name in ["d/a", "d/sub/b", "d/o", "out"] {
        scratch.write(name, "a");
    }
    symlink("sub", scratch.at("d/link")).unwrap();
    let here = fs::canonicalize(scratch.path()).unwrap();
    let there = |name: &str| here.join(name).to_str().unwrap().to_owned();
    let audit = |name: &str, operand| {
        let (digest, other) = (sha256(b"a"), sha256(b"other"));
        scratch.write("LIST", format!("{digest}  d/a\n{digest}  d/sub/b\n{other}  {name}\n"));
        scratch.sum(&["--audit", "LIST", "--quiet", "--exclude=[ofk]*", operand])
    };
    for name in ["d/o", "./d//o", &there("d/o")] {
        let ran = audit(name, "d");
        assert_eq!((ran.code, ran.out()), (Some(0), String::new()), "{name}");
        let told = "WARNING: 1 listed file was left out, as the options want\n";
        assert!(ran.err().ends_with(told), "{ran:?}");
    }
    // names under which no walk finds a file
    for (name, operand) in [
        ("d/link/b", "d"),
        ("d/../d/a", "d"),
        ("d/sub/../a", "."),
        ("/etc/passwd", "."),
        (&there("d/link/b"), "d"),
    ] {
        let ran = audit(name, operand);
        assert_eq!((ran.code, ran.out()), (Some(1), format!("{name}: MISSING\n")), "{operand}");
    }
    assert_eq!(audit("/etc/passwd", "/etc/passwd").code, Some(1));
}

#[test]
fn special_files_do_not_block_a_check() {
    let scratch = scratch();
    scratch.fifo("fifo");
    for to in ["../fifo", "/dev/zero", "..", "none"] {
        let _ = fs::remove_dir_all(scratch.at("d"));
        fs::create_dir(scratch.at("d")).unwrap();
        symlink(to, scratch.at("d/link")).unwrap();
        scratch.write("LIST", format!("{H1}  d\n"));
        for args in [&["--dirhash=h1", "d"][..], &["-c", "LIST"]] {
            let mut command = scratch.ours("jlanes-sum");
            let mut child =
                command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let start = Instant::now();
            let ended = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if start.elapsed() > Duration::from_secs(60) {
                    child.kill().unwrap();
                }
                std::thread::sleep(Duration::from_millis(10));
            };
            assert_eq!(ended.code(), Some(1), "{to} {args:?}");
        }
    }
}

/// A list must not choose how much memory it takes.
#[test]
fn a_list_does_not_choose_how_much_memory_it_takes() {
    let scratch = scratch();
    fs::File::create(scratch.at("big")).unwrap().set_len(16 << 20).unwrap();
    let zeros = "00".repeat(32);
    let program = env!("CARGO_BIN_EXE_jlanes-sum");
    for (line, printed) in [
        (format!("S3-SHA256:1 (big) = {}=-1", "A".repeat(43)), "did NOT match"),
        (format!("S3-SHA256:65535 (big) = {}=-1", "A".repeat(43)), "did NOT match"),
        (format!("S3-SHA256:65536 (big) = {}=-1", "A".repeat(43)), "did NOT match"),
        (format!("S3-SHA256:9223372036854775807 (big) = {}=-1", "A".repeat(43)), "did NOT match"),
        (format!("RFC6962-SHA256:1 (big) = {zeros}"), "did NOT match"),
        (format!("RFC6962-SHA256:9223372036854775807 (big) = {zeros}"), "did NOT match"),
        (format!("SKEIN1024-256-TREE:255.255.255 (big) = {zeros}"), "did NOT match"),
        (format!("JLANES256-SHA512 (big) = {zeros}{zeros}"), "did NOT match"),
        (format!("PARALLELHASH128-256:9223372036854775807 (big) = {zeros}"), "did NOT match"),
        (format!("SKEIN512-4294967296 (big) = {zeros}"), "no properly formatted"),
    ] {
        scratch.write("LIST", &line);
        let mut limited = scratch.command("sh", "sh");
        limited.args(["-c", &format!("ulimit -v 300000; exec {program} -c LIST")]);
        let ran = run(&mut limited, b"");
        assert!(ran.code == Some(1) && ran.err().contains(printed), "{line}: {ran:?}");
    }
    // parts of any size have the same digest as with separate hashers
    scratch.write("parts", paint(300_000));
    for part in [1, 7, 4096, 65_535, 65_536, 299_999, 300_000, 300_001] {
        let digests = paint(300_000);
        let digests = digests.chunks(part).flat_map(|part| hex::decode(sha256(part)).unwrap());
        let whole = hex::decode(sha256(&digests.collect::<Vec<_>>())).unwrap();
        let digest = Base64::encode_string(&whole);
        let list = scratch.sum(&["-a", &format!("s3-sha256:{part}"), "parts"]).out();
        assert_eq!(list, format!("{digest}-{}  parts\n", 300_000_usize.div_ceil(part)));
    }
}
