//! `--expect-json`: files compared with the checksums that S3 has of an object.

use crate::common::{Scratch, paint, run};

/// An object of 3000 bytes, its CRC, and its composite of parts of 1000.
fn files() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("f", paint(3000));
    let value = |spec: &str| {
        let line = scratch.sum(&["-a", spec, "f"]).out();
        line.split(' ').next().unwrap().to_owned()
    };
    let (whole, parts) = (value("s3-crc64nvme"), value("s3-sha256:1000"));
    let head = |members: &str| format!("{{\"ContentLength\": 3000, {members}}}\n");
    scratch.write("whole", head(&format!("\"ChecksumCRC64NVME\": \"{whole}\"")));
    scratch.write("parts", head(&format!("\"ChecksumSHA256\": \"{parts}\"")));
    let bare = parts.split_once('-').unwrap().0;
    scratch.write(
        "listed",
        format!(
            "{{\"ObjectSize\": 3000, \"Checksum\": {{\"ChecksumSHA256\": \"{bare}\"}}, \"ObjectParts\": \
             {{\"TotalPartsCount\": 3, \"Parts\": [{}]}}}}\n",
            [1, 2, 3].map(|n| format!("{{\"PartNumber\": {n}, \"Size\": 1000}}")).join(", ")
        ),
    );
    scratch
}

const WEAK: &str =
    "jlanes-sum: WARNING: 1 file was verified by a checksum alone, which anybody can match\n";
const WRONG: &str = "jlanes-sum: WARNING: 1 file did NOT match\n";

#[test]
fn a_size_of_parts_that_fits_one_checksum_is_that_of_all() {
    let scratch = Scratch::new();
    scratch.write("f", paint(1_500_000));
    let value = |spec: &str| scratch.sum(&["-a", spec, "--no-names", "f"]).out();
    let (sha1, crc) = (value("s3-sha1:1M"), value("s3-crc32:1M"));
    let (other, other_crc) = (value("s3-sha1:1000000"), value("s3-crc32:1000000"));
    for (sha1, crc, out) in [
        (&sha1, &crc, "f: OK\n"),
        (&sha1, &other_crc, "f: FAILED\n"),
        (&other, &crc, "f: FAILED\n"),
        (&other, &other_crc, "f: UNKNOWN\n"),
    ] {
        let (sha1, crc) = (sha1.trim(), crc.trim());
        let members = format!("\"ChecksumSHA1\": \"{sha1}\", \"ChecksumCRC32\": \"{crc}\"");
        scratch.write("both", format!("{{\"ContentLength\": 1500000, {members}}}"));
        assert_eq!(scratch.sum(&["--expect-json", "both", "f"]).out(), out, "{members}");
    }
}

#[test]
fn verdicts_and_their_statuses() {
    let scratch = files();
    let mut other = paint(3000);
    other[1500] ^= 1;
    scratch.write("g", &other);
    scratch.write("short", paint(2999));
    let unknown = "jlanes-sum: parts: nothing tells how long parts are, and no usual size fits; -a does, \
                   as in s3-sha256:5M\n";
    let length = "jlanes-sum: short: 2999 bytes instead of 3000\n";
    for (args, out, err, code) in [
        (&["whole", "f"][..], "f: OK\n", WEAK, 0),
        (&["whole", "g"], "g: FAILED\n", WRONG, 1),
        (&["whole", "short"], "short: FAILED\n", &format!("{length}{WRONG}"), 1),
        (&["listed", "f"], "f: OK\n", "", 0),
        (&["listed", "g"], "g: FAILED\n", WRONG, 1),
        (&["parts", "f"], "f: UNKNOWN\n", unknown, 1),
        (&["parts", "f", "-a", "s3-sha256:1000"], "f: OK\n", "", 0),
        (&["parts", "f", "-a", "s3-sha256:999"], "f: FAILED\n", WRONG, 1),
        (&["parts", "f", "--status", "-a", "s3-sha256:1000"], "", "", 0),
        (&["whole", "g", "--status"], "", "", 1),
        (&["parts", "f", "--status"], "", "", 1),
        (&["listed", "f", "--quiet"], "", "", 0),
        (
            &["parts", "f", "--summary"],
            "f: UNKNOWN\n\
             summary: 0 OK, 0 FAILED, 0 FAILED open or read, 1 UNKNOWN, 0 improperly formatted\n",
            unknown,
            1,
        ),
        (
            &["listed", "f", "--json"],
            "{\"name\":\"f\",\"algorithm\":\"s3-sha256\",\"expected\":\"VALUE-3\",\
             \"found\":\"VALUE-3\",\"verdict\":\"OK\",\"from\":null,\"error\":null}\n",
            "",
            0,
        ),
    ] {
        let ran = scratch.sum(&[&["--expect-json"], args].concat());
        let line = scratch.sum(&["-a", "s3-sha256:1000", "f"]).out();
        let out = out.replace("VALUE", line.split_once('-').unwrap().0);
        assert_eq!((ran.out(), ran.err(), ran.code), (out, err.to_owned(), Some(code)), "{args:?}");
    }
    let ran = scratch.sum(&["--expect-json", "whole", "none"]);
    assert_eq!((ran.out(), ran.code), ("none: FAILED open or read\n".into(), Some(1)));
    let ran = scratch.sum(&["--expect-json", "whole", "none", "--ignore-missing"]);
    assert_eq!((ran.out(), ran.code), (String::new(), Some(1)));
}

#[test]
fn documents_and_files_come_from_pipes_and_from_power_shell() {
    let scratch = files();
    let document = std::fs::read(scratch.at("listed")).unwrap();
    let ours =
        |args: &[&str], input: &[u8]| run(scratch.ours("jlanes-sum").args(args), input).out();
    assert_eq!(ours(&["--expect-json", "-", "f"], &document), "f: OK\n");
    assert_eq!(ours(&["--expect-json", "listed"], &paint(3000)), "-: OK\n");
    let units: Vec<u16> = str::from_utf8(&document).unwrap().encode_utf16().collect();
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    scratch.write("utf16", [&b"\xff\xfe"[..], &little].concat());
    assert_eq!(ours(&["--expect-json", "utf16", "f"], b""), "f: OK\n");
}

#[test]
fn a_document_as_a_list_gives_a_hint() {
    let scratch = files();
    let parts = "{\n    \"Parts\": [\n        {\"PartNumber\": 1, \"ETag\": \"x\", \"Size\": 3}\n    ]\n}\n";
    scratch.write("list-parts", parts);
    scratch.write("other", "{\"a\": 1}\n");
    let hint =
        "it is no list, but JSON about an object of S3; --expect-json compares a file with it\n";
    for (name, is_hinted) in
        [("whole", true), ("listed", true), ("list-parts", true), ("other", false)]
    {
        let none = format!("jlanes-sum: {name}: no properly formatted checksum lines found\n");
        let hint = if is_hinted { format!("jlanes-sum: {name}: {hint}") } else { String::new() };
        assert_eq!(scratch.sum(&["-c", name]).err(), none + &hint, "{name}");
    }
    let gnus = run(scratch.ours("sha256sum").args(["-c", "whole"]), b"");
    assert_eq!(gnus.err(), "sha256sum: whole: no properly formatted checksum lines found\n");
}

#[test]
fn documents_that_tell_nothing_clear_are_refused() {
    let scratch = files();
    for (text, expected) in [
        ("{}", "no known checksum; head-object prints them with --checksum-mode ENABLED"),
        ("{\"ChecksumNEW\": \"x\"}", "ChecksumNEW is unknown, and not compared"),
        ("{\"ContentLength\": 3, \"ContentLength\": 3}", "not one JSON object with different keys"),
        ("{\"ContentLength\": \"3\"}", "the value of ContentLength is none that S3 has"),
        (
            "{\"ChecksumCRC32\": \"AAAA\"}",
            "the value of ChecksumCRC32 is no such checksum in base64",
        ),
        ("{\"ContentLength\": 3, \"PartsCount\": 2}", "of a part or range of the object"),
    ] {
        scratch.write("d", text);
        let ran = scratch.sum(&["--expect-json", "d", "f"]);
        assert_eq!(ran.code, Some(1), "{text}");
        assert!(ran.err().starts_with(&format!("jlanes-sum: d: {expected}")), "{text}: {ran:?}");
    }
}
