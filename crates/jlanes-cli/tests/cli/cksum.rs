//! `jlanes-sum` called as `cksum`, compared with GNU's if that is new enough.

use crate::common::{Ran, Scratch, paint, run};

/// Runs of our tool and of GNU's.
fn tools(scratch: &Scratch) -> (impl Fn(&[&str]) -> Ran, impl Fn(&[&str]) -> Ran) {
    let ours = |args: &[&str]| run(scratch.ours("/usr/bin/cksum").args(args), b"");
    (ours, |args: &[&str]| run(scratch.command("cksum", "cksum").args(args), b""))
}

#[test]
fn cksum_prints_a_checksum_or_tags() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let (cksum, gnu) = tools(&scratch);
    for args in [
        &["-a", "sha256", "f"][..],
        &["--algorithm=sha256", "--untagged", "f"],
        &["-a", "sha256", "--tag", "-z", "f"],
        &["--a=sha256", "--u", "--z", "f"],
        &["-a", "sha256", "-l", "0", "f"],
        &["-a", "sha256", "-l", "x", "f"],
        &["f"],
        &["f", "-", "nothing"],
        &[],
    ] {
        assert_eq!(cksum(args), gnu(args), "{args:?}");
    }
    scratch.write("TAGGED", cksum(&["-a", "sha256", "f"]).stdout);
    assert_eq!(cksum(&["-c", "TAGGED"]), gnu(&["-c", "TAGGED"]));
    scratch.write("UNTAGGED", cksum(&["-a", "sha256", "--untagged", "f"]).stdout);
    assert_eq!(cksum(&["-c", "UNTAGGED"]), gnu(&["-c", "UNTAGGED"]));
    assert_eq!(cksum(&["-a", "sha256", "-c", "UNTAGGED"]).out(), "f: OK\n");
}

/// Files with sizes around those of blocks, and a file with a name that lists escape.
fn checksummed() -> (Scratch, Vec<String>) {
    let scratch = Scratch::new();
    let lens = [0, 1, 2, 255, 511, 512, 513, 1023, 1024, 1025, 4096, 40_000, 300_000];
    let mut names: Vec<_> = lens.iter().map(|len| format!("f{len}")).collect();
    for (name, len) in names.iter().zip(lens) {
        scratch.write(name, paint(len));
    }
    scratch.write("new\nline", vec![0xff; 100_000]);
    names.push("new\nline".to_owned());
    (scratch, names)
}

#[test]
fn checksums_are_those_of_gnus_tools() {
    let (scratch, names) = checksummed();
    let (cksum, gnu) = tools(&scratch);
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    for options in [
        &["-a", "crc"][..],
        &["-a", "bsd"],
        &["-a", "sysv"],
        &["-z"],
        &["-a", "sysv", "--untagged", "-z"],
        &["-a", "bsd", "--tag"],
        &["-a", "sha1", "-a", "crc"],
    ] {
        let args = [options, &names].concat();
        assert_eq!(cksum(&args), gnu(&args), "{options:?}");
        let stdin = |command: &mut std::process::Command| run(command.args(options), &paint(700));
        let ours = stdin(&mut scratch.ours("cksum"));
        assert_eq!(ours, stdin(&mut scratch.command("cksum", "cksum")), "{options:?}");
    }
    for options in [&[][..], &["-r"], &["-s"], &["--sysv"], &["-sr"], &["-rs"]] {
        let args = [options, &names].concat();
        let gnu = run(scratch.command("sum", "sum").args(&args), b"");
        assert_eq!(run(scratch.ours("sum").args(&args), b""), gnu, "{options:?}");
        let gnu = run(scratch.command("sum", "sum").args(options), b"abc");
        assert_eq!(run(scratch.ours("sum").args(options), b"abc"), gnu, "{options:?}");
    }
}

// older tools than GNU's 9.11 do not have these
#[test]
fn checksums_have_their_own_forms() {
    let scratch = Scratch::new();
    scratch.write("f", "123456789");
    let (cksum, _) = tools(&scratch);
    assert_eq!(cksum(&["-a", "crc32b", "f"]).out(), "3421780262 9 f\n");
    assert_eq!(cksum(&["-a", "crc32b", "--base64", "f"]).out(), "3421780262 9 f\n");
    assert_eq!(cksum(&["-a", "crc32b", "--raw", "f"]).stdout, [0xcb, 0xf4, 0x39, 0x26]);
    assert_eq!(cksum(&["--raw", "f"]).stdout, 930_766_865_u32.to_be_bytes());
    assert_eq!(cksum(&["-a", "bsd", "--raw", "f"]).stdout, 0xd16f_u16.to_be_bytes());
    let ran = scratch.sum(&["-a", "crc,sha1", "f"]);
    assert!(ran.out().starts_with("930766865 9 f\nSHA1 (f) = "), "{ran:?}");
    let json = scratch.sum(&["-a", "crc", "--json", "f"]).out();
    assert!(json.contains("\"algorithm\":\"crc\",\"digest\":\"930766865\""), "{json}");
    // no list has them, either
    scratch
        .write("LIST", "CRC (f) = 377a6011\nSHA1 (f) = f7c3bc1d808e04732adf679965ccc34ca7ae3441\n");
    for ran in [cksum(&["-c", "LIST"]), scratch.sum(&["-c", "LIST"])] {
        assert_eq!((ran.code, ran.out()), (Some(0), "f: OK\n".to_owned()));
        assert!(ran.err().contains("WARNING: 1 line is improperly formatted\n"), "{ran:?}");
    }
}

#[test]
fn cksum_has_gnus_algorithms_and_no_others() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let (cksum, _) = tools(&scratch);
    let list = scratch.sum(&["--tag", "-a", "skein512", "f"]);
    scratch.write("LIST", list.stdout);
    assert_eq!(scratch.sum(&["-c", "LIST"]).code, Some(0));
    let printed = "cksum: LIST: no properly formatted checksum lines found\n";
    assert_eq!(
        (cksum(&["-c", "LIST"]).code, cksum(&["-c", "LIST"]).err()),
        (Some(1), printed.into())
    );
    scratch
        .write("LIST", "SHA2-224(f)= 23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7\n");
    assert_eq!(cksum(&["-c", "LIST"]).out(), "f: OK\n");
    assert_eq!(cksum(&["-a", "sha2", "-c", "LIST"]).out(), "f: OK\n");
    let help = cksum(&["--help"]).out();
    assert!(help.contains("Usage: cksum [OPTION]... [FILE]...\n"), "{help}");
    assert!(help.contains("\n  crc32b    Ethernet's checksum\n"), "{help}");
    let wrong = cksum(&["--nonsense"]).err();
    assert!(wrong.ends_with("Try 'cksum --help' for more information.\n"), "{wrong}");
}

#[test]
fn warnings_name_the_algorithm_of_the_last_tag() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let (cksum, gnu) = tools(&scratch);
    let good = cksum(&["-a", "sha384", "f"]).out();
    scratch.write("LIST", format!("none\n{good}none\nSHA1 (f) = 00\nSHA1x (f) = 00\nnone\n"));
    let ran = cksum(&["-c", "-w", "LIST"]);
    assert_eq!(ran, gnu(&["-c", "-w", "LIST"]));
    assert!(ran.err().starts_with("cksum: LIST: 1: improperly formatted CRC checksum line\n"));
}

#[test]
fn the_length_of_a_digest_tells_which_of_sha2_it_is() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let (cksum, _) = tools(&scratch);
    for bits in ["224", "256", "384", "512"] {
        let sha2 = ["-a", "sha2", "-l", bits, "f"];
        for form in [&["--untagged"][..], &["--untagged", "--base64"], &["--tag"]] {
            let list = cksum(&[&sha2[..], form].concat()).out();
            scratch.write("LIST", &list);
            let ran = cksum(&["-a", "sha2", "--strict", "--check", "LIST"]);
            assert_eq!((ran.out(), ran.err()), ("f: OK\n".to_owned(), String::new()), "{list}");
            // no digest has one character less
            scratch.write("SHORT", list.replace("  f\n", "").split_at(5).1.to_owned() + "  f\n");
            let ran = cksum(&["-a", "sha2", "--check", "SHORT"]);
            let printed = "cksum: SHORT: no properly formatted checksum lines found\n";
            assert_eq!(
                (ran.code, ran.out(), ran.err()),
                (Some(1), String::new(), printed.to_owned())
            );
        }
    }
    scratch.write("LIST", cksum(&["-a", "sha1", "f"]).stdout);
    assert_eq!(cksum(&["-a", "sha2", "-c", "LIST"]).code, Some(1));
    // the family's tag with the hash's digest
    scratch.write("LIST", format!("SHA2-256 (f) = {}\n", crate::common::sha256(b"abc")));
    assert_eq!(cksum(&["-c", "LIST"]).out(), "f: OK\n");
    assert_eq!(cksum(&["-a", "sha256", "-c", "LIST"]).code, Some(1));
}

#[test]
fn digests_in_base64_are_for_cksum_and_for_us() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for form in ["--tag", "--untagged"] {
        scratch.write("LIST", scratch.sum(&["--base64", form, "f"]).stdout);
        assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n");
        assert_eq!(scratch.same(&["-c", "LIST"]).code, Some(1));
    }
    // it begins like a tag, and its last symbol has more bits than a digest
    scratch.write("LIST", "SHA1+++++++++++++++++++++++=  f\n");
    let ran = tools(&scratch).0(&["-c", "-a", "sha1", "LIST"]);
    assert_eq!((ran.code, &*ran.out()), (Some(1), "f: FAILED\n"));
    assert_eq!(ran.err(), "cksum: WARNING: 1 computed checksum did NOT match\n");
}

#[test]
fn tags_of_openssl_are_known() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for (tag, spec) in [
        ("SHA1", "sha1"),
        ("SHA2-224", "sha224"),
        ("SHA2-256", "sha256"),
        ("SHA2-512", "sha512"),
        ("SHA2-512/256", "sha512-256"),
    ] {
        let digest = scratch.sum(&["-a", spec, "--no-names", "f"]).out();
        scratch.write("LIST", format!("{tag}(f)= {digest}"));
        assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n", "{tag}");
    }
    let digest = scratch.sum(&["-a", "sha1", "--no-names", "f"]).out();
    scratch.write("LIST", format!("SHA2-1(f)= {digest}"));
    assert_eq!(scratch.sum(&["-c", "LIST"]).code, Some(1));
    let digest = scratch.sum(&["--no-names", "f"]).out();
    scratch.write("LIST", format!("SHA2-256(f)= {digest}"));
    assert_eq!(scratch.same(&["-c", "LIST"]).code, Some(1));
}

#[test]
fn tags_are_in_any_case_except_for_gnus_names() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for (spec, tag) in
        [("sha256", "SHA256"), ("skein512-256", "SKEIN512_256"), ("blake2b", "BLAKE2b")]
    {
        let digest = scratch.sum(&["-a", spec, "--no-names", "f"]).out();
        for tag in [tag, spec, &tag.to_uppercase()] {
            // after a malformed line
            scratch.write("LIST", format!("none\n{tag} (f) = {digest}"));
            let ran = scratch.sum(&["-c", "LIST"]);
            assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{tag}: {ran:?}");
        }
    }
    for tag in ["XXH32_LE", "xxh32_le", "Xxh32_Le"] {
        let sum = scratch.sum(&["-a", "xxh32", "--no-names", "f"]).out();
        let bytes: Vec<_> = sum.trim().as_bytes().rchunks(2).map(str::from_utf8).collect();
        let digest: String = bytes.into_iter().map(Result::unwrap).collect();
        scratch.write("LIST", format!("{tag} (f) = {digest}\n"));
        assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n", "{tag}");
    }
    let (cksum, gnu) = tools(&scratch);
    for (tag, is_gnu) in
        [("SHA256", true), ("sha256", false), ("Sha256", false), ("BLAKE2B", false)]
    {
        let list = scratch.sum(&["-a", tag, "--no-names", "f"]).out();
        scratch.write("LIST", format!("{tag} (f) = {list}"));
        let ran = cksum(&["-c", "LIST"]);
        assert_eq!(ran, gnu(&["-c", "LIST"]), "{tag}");
        assert_eq!(ran.code == Some(0), is_gnu, "{tag}");
    }
}

#[test]
fn blake2b_is_that_of_gnu() {
    let (scratch, names) = checksummed();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let (cksum, gnu) = tools(&scratch);
    let b2sum = |args: &[&str]| run(scratch.ours("b2sum").args(args), b"");
    let gnus_b2sum = |args: &[&str]| run(scratch.command("b2sum", "b2sum").args(args), b"");
    for bits in ["8", "128", "256", "264", "512", "0"] {
        for form in [&[][..], &["--tag"], &["-z"]] {
            let args = [&["-l", bits], form, &names].concat();
            assert_eq!(b2sum(&args), gnus_b2sum(&args), "{bits} {form:?}");
        }
        let args = [&["-a", "blake2b", "-l", bits], &names[..]].concat();
        let tagged = cksum(&args);
        assert_eq!(tagged, gnu(&args), "{bits}");
        scratch.write("LIST", tagged.stdout);
        for args in [&["-c", "LIST"][..], &["-a", "blake2b", "-c", "LIST"]] {
            let ran = cksum(args);
            assert_eq!((ran.code, ran.out().lines().count()), (Some(0), names.len()), "{bits}");
        }
        assert_eq!(b2sum(&["-c", "LIST"]).code, Some(0), "{bits}");
    }
    let f = |args: &[&str]| scratch.sum(&[args, &["f4096"]].concat()).out();
    assert!(f(&["-a", "blake2b", "-l", "256", "--tag"]).starts_with("BLAKE2b-256 (f4096) = "));
    assert_eq!(f(&["-a", "blake2b", "-l", "256"]), f(&["-a", "blake2b-256"]));
    assert!(f(&["-a", "blake2s", "--tag"]).starts_with("BLAKE2s (f4096) = "));
}

#[test]
fn a_tag_of_another_hash_is_no_digest_in_base64() {
    let scratch = Scratch::new();
    scratch.write("f", "content");
    scratch.write("list", format!("SHA1 (f) = {}\n", "0a".repeat(20)));
    let args = ["-c", "--warn", "-a", "blake2b", "list"];
    let ran = run(scratch.ours("cksum").args(args), b"");
    let printed = "cksum: list: 1: improperly formatted BLAKE2b checksum line\n\
                cksum: list: no properly formatted checksum lines found\n";
    assert_eq!((ran.out(), ran.err(), ran.code), (String::new(), printed.to_owned(), Some(1)));
    let ours =
        run(scratch.ours("cksum").args(["-a", "blake2b", "--base64", "--untagged", "f"]), b"");
    let ran = run(scratch.ours("cksum").args(["-c", "-a", "blake2b"]), &ours.stdout);
    assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{ran:?}");
}
