//! Lists of other systems' tools, and ours in all their forms.

use crate::common::{Ran, Scratch, run, sha256};

/// Files for the lists.
fn files() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("d/g h", "abcd");
    scratch
}

#[track_caller]
fn checked(scratch: &Scratch, list: impl AsRef<[u8]>) -> Ran {
    scratch.write("LIST", list);
    scratch.sum(&["-c", "--strict", "LIST"])
}

#[track_caller]
fn all_is_well(scratch: &Scratch, list: impl AsRef<[u8]>, files: &[&str]) {
    all_is_well_but(scratch, list, files, "");
}

#[track_caller]
fn all_is_well_but(scratch: &Scratch, list: impl AsRef<[u8]>, files: &[&str], warning: &str) {
    let ran = checked(scratch, &list);
    // messages quote names with blanks
    let quoted =
        |file: &str| if file.contains(' ') { format!("'{file}'") } else { file.to_owned() };
    let printed: String = files.iter().map(|file| format!("{}: OK\n", quoted(file))).collect();
    let expected = (printed, warning.to_owned(), Some(0));
    let list = list.as_ref().escape_ascii();
    assert_eq!((ran.out(), ran.err(), ran.code), expected, "{list}");
}

#[test]
fn lists_of_windows_shells_are_read_in_every_encoding() {
    let scratch = files();
    let list = scratch.sum(&["f"]).out().replace('\n', "\r\n");
    let units: Vec<u16> = list.encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    for list in [
        [&b"\xef\xbb\xbf"[..], list.as_bytes()].concat(),
        [&b"\xff\xfe"[..], &little].concat(),
        [&b"\xfe\xff"[..], &big].concat(),
        little,
        big,
    ] {
        all_is_well(&scratch, &list, &["f"]);
        assert_eq!(run(scratch.ours("jlanes-sum").arg("-c"), &list).out(), "f: OK\n");
        assert_eq!(scratch.sum(&["--audit", "LIST", "f"]).out(), "f: OK\n");
        // under GNU's names, only lines of GNU's tools are read
        let ran = run(scratch.ours("sha256sum").args(["-c", "LIST"]), b"");
        assert_eq!(ran.err(), "sha256sum: LIST: no properly formatted checksum lines found\n");
    }
}

#[test]
fn lists_of_get_file_hash_are_read() {
    let scratch = files();
    let (f, g) = (sha256(b"abc").to_uppercase(), sha256(b"abcd").to_uppercase());
    all_is_well(
        &scratch,
        format!(
            "\r\n\r\nAlgorithm : SHA256\r\nHash      : {f}\r\nPath      : C:\\Users\\me\\f\r\n\r\n\
             Algorithm : SHA256\r\nHash      : {g}\r\nPath      : d\\g h\r\n\r\n\r\n"
        ),
        &["f", "d/g h"],
    );
    let (start, end) = g.split_at(40);
    all_is_well(
        &scratch,
        format!(
            "Algorithm : SHA256\nHash      : {start}\n            {end}\nPath      : .\\d\n            \\g h\n"
        ),
        &["./d/g h"],
    );
    all_is_well(
        &scratch,
        format!(
            "\nAlgorithm       Hash{}Path\n---------       ----{}----\n\
             SHA256          {f}       C:\\Users\\me\\f     \n\
             SHA256          {g}       d\\g h\n\n",
            " ".repeat(67),
            " ".repeat(67),
        ),
        &["f", "d/g h"],
    );
    all_is_well(
        &scratch,
        format!(
            "#TYPE Microsoft.PowerShell.Commands.FileHashInfo\n\"Algorithm\",\"Hash\",\"Path\"\n\
             \"SHA256\",\"{f}\",\"C:\\f\"\n\"SHA256\",\"{g}\",\"d\\g h\"\n"
        ),
        &["f", "d/g h"],
    );
    all_is_well(&scratch, format!("Path;Hash\nf;{f}\nd/g h;{g}\n"), &["f", "d/g h"]);
    // a table has cut off this path
    let cut = format!("Algorithm Hash Path\nSHA256 {f} C:\\Users\\...\nSHA256 {f} f\n");
    let ran = checked(&scratch, cut);
    assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(1)));
    let ran = checked(&scratch, format!("Algorithm : SHA256\nHash      : {f}\n"));
    assert_eq!((ran.out(), ran.code), (String::new(), Some(1)), "no name");
    let ran = checked(&scratch, format!("Path,Hash\nf,{g}\n"));
    assert_eq!((ran.out(), ran.code), ("f: FAILED\n".to_owned(), Some(1)));
}

#[test]
fn lists_of_certutil_are_read() {
    let scratch = files();
    let f = sha256(b"abc");
    let bytes: Vec<_> = f.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).unwrap()).collect();
    let done = "CertUtil: -hashfile command completed successfully.";
    all_is_well(&scratch, format!("SHA256 hash of f:\r\n{f}\r\n{done}\r\n"), &["f"]);
    let old = format!("SHA256 hash of file f:\r\n{}\r\n{done}\r\n", bytes.join(" "));
    all_is_well(&scratch, &old, &["f"]);
    let other = format!("SHA1 hash of d\\g h:\n{}\n", "81fe8bfe87576c3ecb22426f8e57847382917acf");
    all_is_well(&scratch, [&old[..], &other].concat(), &["f", "d/g h"]);
    let ran = checked(&scratch, format!("SHA256 hash of f:\n{done}\n"));
    assert_eq!((ran.out(), ran.code), (String::new(), Some(1)), "no digest");
}

#[test]
fn sfv_is_written_and_read() {
    let scratch = files();
    let ran = scratch.sum(&["--format=sfv", "f", "d/g h"]);
    assert_eq!(ran.out(), "f 352441C2\nd/g h ED82CD11\n");
    let warning =
        "jlanes-sum: WARNING: 2 files were verified by a checksum alone, which anybody can match\n";
    all_is_well_but(&scratch, &ran.stdout, &["f", "d/g h"], warning);
    for _ in 0..2 {
        // the output is a list, which another may replace
        assert_eq!(scratch.sum(&["--format=sfv", "-o", "x.sfv", "f"]).code, Some(0));
    }
    scratch.write("a) = b", "abc");
    all_is_well_but(
        &scratch,
        scratch.sum(&["--format=sfv", "a) = b"]).stdout,
        &["a) = b"],
        &warning.replace("2 files were", "1 file was"),
    );
    let other = "; made by somebody\r\nd\\g h ed82cd11\r\n";
    all_is_well_but(&scratch, other, &["d/g h"], &warning.replace("2 files were", "1 file was"));
    let ran = checked(&scratch, "; made by somebody\nf 352441C3\nf\n");
    assert_eq!((ran.out(), ran.code), ("f: FAILED\n".to_owned(), Some(1)));
    let ran = scratch.sum(&["--format=sfv", "-a", "sha256", "f"]);
    assert!(ran.err().contains("the format has no digests of sha256"), "{ran:?}");
    scratch.write("; x", "");
    let ran = scratch.sum(&["--format=sfv", "; x"]);
    assert!(ran.err().contains("such a name does not fit the format"), "{ran:?}");
}

#[test]
fn a_name_that_looks_like_a_digest_hides_no_other_line() {
    let scratch = files();
    let name = format!("{}  x", sha256(b"abc"));
    scratch.write(&name, "abc");
    scratch.write("x 352441C2", "abc");
    let list = scratch.sum(&["--format=sfv", &name, "f", "d/g h"]).stdout;
    scratch.write("f", "abd");
    let ran = checked(&scratch, list);
    let verdicts = format!("'{name}': OK\nf: FAILED\n'd/g h': OK\n");
    assert_eq!((ran.out(), ran.code), (verdicts, Some(1)));
    let gpg = "BA7816BF 8F01CFEA 414140DE 5DAE2223 B00361A3 96177A9C B410FF61 F20015AD\n";
    scratch.write("x: ", "abc");
    let ran = checked(&scratch, format!("{name}: \n{gpg}f: {gpg}"));
    assert_eq!((ran.out(), ran.code), (format!("'{name}': OK\nf: FAILED\n"), Some(1)));
}

#[test]
fn indexes_of_debian_are_read() {
    let scratch = files();
    let list = |size: u64, digest: &str| {
        format!(
            "Origin: Debian\nSuite: stable\nDescription: Debian: and so on\nMD5Sum:\n \
             900150983cd24fb0d6963f7d28e17f72        {size} f\nSHA256:\n {digest} {size} f\n"
        )
    };
    let right = list(3, &sha256(b"abc"));
    all_is_well(&scratch, &right, &["f", "f"]);
    let armour = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{right}\
         -----BEGIN PGP SIGNATURE-----\n\niQ==\n=abcd\n-----END PGP SIGNATURE-----\n"
    );
    all_is_well(&scratch, &armour, &["f", "f"]);
    scratch.write("LIST", &right);
    assert_eq!(scratch.sum(&["-a", "sha256", "-c", "LIST"]).out(), "f: OK\n");
    let ran = checked(&scratch, list(4, &sha256(b"abc")));
    assert_eq!((ran.out(), ran.code), ("f: FAILED\nf: FAILED\n".to_owned(), Some(1)));
    let ran = checked(&scratch, list(3, &sha256(b"abcd")));
    assert_eq!((ran.out(), ran.code), ("f: OK\nf: FAILED\n".to_owned(), Some(1)));
}

#[test]
fn a_signed_list_is_a_list() {
    let scratch = files();
    let list = scratch.sum(&["f"]).out();
    let signed = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{list}\
         -----BEGIN PGP SIGNATURE-----\n\niQ==\n=abcd\n-----END PGP SIGNATURE-----\n"
    );
    all_is_well(&scratch, signed, &["f"]);
}

#[test]
fn a_digest_alone_is_of_the_file_that_its_list_is_called_after() {
    let scratch = files();
    let digest = sha256(b"abc");
    for list in ["f.sha256", "f.SHA256", "f.sha256sum", "f.sha256.txt"] {
        for text in
            [format!("{digest}\n"), digest.clone(), format!("{}\r\n", digest.to_uppercase())]
        {
            scratch.write(list, text);
            let ran = scratch.sum(&["-c", "--strict", list]);
            assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{list}");
        }
    }
    // GNU's tools do not read it
    let ran = run(scratch.ours("sha256sum").args(["-c", "f.sha256"]), b"");
    assert!(ran.code == Some(1) && ran.out().is_empty(), "{ran:?}");
    scratch.write("d/g h.sha256", sha256(b"abcd"));
    assert_eq!(scratch.sum(&["-c", "d/g h.sha256"]).out(), "'d/g h': OK\n");
    assert_eq!(scratch.sum(&["-c", "--base-dir=d", "d/g h.sha256"]).out(), "'g h': OK\n");
    for list in ["LIST", "f.txt", ".sha256"] {
        scratch.write(list, &digest);
        let ran = scratch.sum(&["-c", list]);
        assert_eq!((ran.out(), ran.code), (String::new(), Some(1)), "{list}");
    }
}

#[test]
fn printed_lists_can_be_checked() {
    let scratch = files();
    scratch.write("a\\b", "1");
    scratch.write("line\nfeed", "2");
    scratch.write(b"\xff", "3");
    let names: [&[u8]; 5] = [b"f", b"d/g h", b"a\\b", b"line\nfeed", b"\xff"];
    let paths: Vec<_> = names.iter().map(|name| scratch.at(name)).collect();
    let relative: Vec<_> =
        paths.iter().map(|path| path.strip_prefix(scratch.path()).unwrap().as_os_str()).collect();
    let shown = "f: OK\n'd/g h': OK\n'a\\b': OK\n'line'$'\\n''feed': OK\n''$'\\377': OK\n";
    for options in [
        &["--json"][..],
        &["--json", "-a", "sha1,blake2b,skein512-128,crc32c"],
        &["--json", "--base64"],
        &["-z"],
        &["-z", "--tag"],
        &["-z", "-a", "sha512,md5"],
        &["--tag", "-a", "xxh128"],
    ] {
        let mut command = scratch.ours("jlanes-sum");
        scratch.write("LIST", run(command.args(options).args(&relative), b"").stdout);
        let ran = scratch.sum(&["-c", "--strict", "LIST"]);
        let has_doubts = options.contains(&"xxh128");
        assert_eq!((ran.err().is_empty(), ran.code), (!has_doubts, Some(0)), "{options:?}");
        let mut lines: Vec<_> = ran.out().lines().map(str::to_owned).collect();
        lines.dedup();
        assert_eq!(lines, shown.lines().collect::<Vec<_>>(), "{options:?}");
    }
    // an object without a digest is malformed
    scratch.write("LIST", scratch.sum(&["--json", "f", "missing"]).stdout);
    let ran = scratch.sum(&["-c", "--strict", "LIST"]);
    assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(1)), "a file without a digest");
}

#[test]
fn parts_of_s3_need_their_size() {
    let scratch = files();
    scratch.write("LIST", scratch.sum(&["-a", "s3-sha256:2", "f"]).stdout);
    let ran = scratch.sum(&["-c", "LIST"]);
    assert!(ran.code == Some(1) && ran.err().contains("as in s3-sha256:8M"), "{ran:?}");
    assert_eq!(scratch.sum(&["-a", "s3-sha256:2", "-c", "LIST"]).out(), "f: OK\n");
    all_is_well(&scratch, scratch.sum(&["--tag", "-a", "s3-sha256:2", "f"]).out(), &["f"]);
}

#[test]
fn entity_tags_have_parts_or_none() {
    let scratch = files();
    scratch.write("long", "x".repeat(10));
    // the MD5, by hashlib, of the MD5s of xxxx, xxxx and xx
    let tag = "a8394b2ca4c3798d3a57bb39433b844c-3";
    let ran = scratch.sum(&["-a", "etag:4", "f", "long"]);
    assert_eq!(ran.out(), format!("900150983cd24fb0d6963f7d28e17f72  f\n{tag}  long\n"));
    scratch.write("LIST", &ran.stdout);
    let printed = "f: OK\nlong: OK\n";
    assert_eq!(scratch.sum(&["-a", "etag:4", "-c", "--strict", "LIST"]).out(), printed);
    let ran = scratch.sum(&["-c", "LIST"]);
    assert!(ran.err().contains("as in s3-sha256:8M or etag:8M"), "{ran:?}");
    let tagged = scratch.sum(&["-a", "etag:4", "--tag", "f", "long"]);
    assert!(tagged.out().ends_with(&format!("ETAG:4 (long) = {tag}\n")), "{tagged:?}");
    let broken =
        "jlanes-sum: WARNING: 2 files were verified by MD5 or SHA-1 alone, which are broken\n";
    all_is_well_but(&scratch, &tagged.stdout, &["f", "long"], broken);
    let json = scratch.sum(&["-a", "etag:4", "--json", "f", "long"]);
    all_is_well_but(&scratch, json.stdout, &["f", "long"], broken);
    assert_eq!(scratch.sum(&["--expect", &format!("etag:4:{tag}"), "long"]).out(), "long: OK\n");
    assert_eq!(scratch.sum(&["--expect", &format!("etag:5:{tag}"), "long"]).code, Some(1));
    // small parts have the same digest as large ones
    scratch.write("large", "x".repeat(300_000));
    for (part, tag) in [
        ("60000", "6eb6a46b5609daded7d52c2c91bf4f2b-5"),
        ("100000", "fdedbb4e8d47f6744ea43fe1671dc630-3"),
        ("1M", "d408ed46ebcc326f9e7c6bb9c77af1cd"),
    ] {
        assert_eq!(
            scratch.sum(&["-a", &format!("etag:{part}"), "--no-names", "large"]).out().trim(),
            tag
        );
    }
    assert!(scratch.sum(&["-a", "etag", "f"]).err().contains("as in etag:8388608"));
}

#[test]
fn checksums_are_listed_as_digests_are() {
    let scratch = files();
    scratch.write("nine", "123456789");
    for (name, tag, value) in [
        ("crc32", "CRC32", "cbf43926"),
        ("crc32c", "CRC32C", "e3069283"),
        ("crc64nvme", "CRC64NVME", "ae8b14860a799888"),
        ("xxh32", "XXH32", "937bad67"),
        ("xxh64", "XXH64", "8cb841db40e6ae83"),
    ] {
        let ran = scratch.sum(&["-a", name, "nine"]);
        assert_eq!(ran.out(), format!("{value}  nine\n"));
        scratch.write("LIST", &ran.stdout);
        assert_eq!(scratch.sum(&["-a", name, "-c", "LIST"]).out(), "nine: OK\n");
        let list = format!("list.{name}");
        scratch.write(&list, scratch.sum(&["-a", name, "--base64", "nine"]).stdout);
        assert_eq!(scratch.sum(&["-c", &list]).out(), "nine: OK\n", "{name}");
        let tagged = scratch.sum(&["-a", name, "--tag", "nine"]).out();
        assert_eq!(tagged, format!("{tag} (nine) = {value}\n"));
        let warning = "jlanes-sum: WARNING: 1 file was verified by a checksum alone, which anybody can match\n";
        all_is_well_but(&scratch, tagged, &["nine"], warning);
        let expected = format!("{name}:{value}");
        assert_eq!(scratch.sum(&["--expect", &expected, "nine"]).out(), "nine: OK\n");
    }
    let tags = scratch.sum(&["-a", "xxh3-64,xxh128", "nine"]).out();
    let tags: Vec<_> = tags.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(tags, ["XXH3-64", "XXH128"]);
    // with a key, a checksum would look like a MAC
    scratch.write("key", "secret");
    for option in ["--hmac-key-file=key", "--key-file=key"] {
        assert_eq!(scratch.sum(&["-a", "crc32c", option, "f"]).code, Some(1));
    }
    assert!(
        scratch.sum(&["--dedupe", "-a", "xxh128", "."]).err().contains("which anybody can forge")
    );
    // an update keeps the lines of checksums
    scratch.write("LIST", scratch.sum(&["-a", "crc32c,sha256", "f"]).stdout);
    scratch.sum(&["--update", "LIST", "f"]);
    let ran = scratch.sum(&["-c", "--strict", "LIST"]);
    assert_eq!((ran.out(), ran.code), ("f: OK\nf: OK\n".to_owned(), Some(0)));
}

#[test]
fn every_form_refuses_what_is_too_short() {
    let scratch = files();
    scratch.write("key", "secret");
    let (sha1, sha256) = ("a9993e364706816aba3e25717850c26c9cd0d89d", sha256(b"abc"));
    let file_hash = |algorithm: &str, hash: &str| {
        format!("Algorithm : {algorithm}\nHash      : {hash}\nPath      : f\n\n")
    };
    let json = |algorithm: &str, hash: &str| {
        format!("{{\"name\":\"f\",\"algorithm\":\"{algorithm}\",\"digest\":\"{hash}\"}}\n")
    };
    for list in [
        file_hash("SHA256", &sha256) + &file_hash("SHA1", sha1),
        file_hash("SHA1", sha1) + &file_hash("SHA256", &sha256),
        format!("Algorithm Hash Path\nSHA1 {sha1} f\nSHA256 {sha256} f\n"),
        format!("Algorithm,Hash,Path\nSHA256,{sha256},f\nSHA1,{sha1},f\n"),
        format!("SHA1 hash of f:\n{sha1}\nSHA256 hash of f:\n{sha256}\n"),
        format!("Origin: x\nSHA1:\n {sha1} 3 f\nSHA256:\n {sha256} 3 f\n"),
        json("sha1", sha1) + &json("sha256", &sha256),
    ] {
        scratch.write("LIST", &list);
        assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\nf: OK\n", "{list}");
        let ran = scratch.sum(&["-c", "--min-bits=200", "LIST"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(1)), "{list}");
        assert!(ran.err().contains("refused: SHA1 has 160 bits, and 200 are the least"), "{ran:?}");
        for named in [&[][..], &["-a", "sha256"]] {
            let ran = scratch.sum(&[named, &["-c", "--hmac-key-file=key", "LIST"]].concat());
            assert_eq!((ran.out(), ran.code), (String::new(), Some(1)), "{list}");
            assert!(ran.err().contains("refused: SHA256 has no key, and one was given"), "{ran:?}");
        }
    }
}

#[test]
fn prose_before_a_list_is_not_the_list() {
    let scratch = files();
    let line = scratch.sum(&["f"]).out();
    for prose in ["Version: 1.2", "Path: here", "SHA256 hash of all:", "; of today"] {
        scratch.write("LIST", format!("{prose}\n{line}"));
        assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n", "{prose}");
    }
}
