//! SHA-1 with detection of collision attacks.

use jlanes_testing::{corpus, message};

use crate::common::Scratch;

const REASON: &str = "the message is part of a collision attack on SHA-1";

/// Harmless files of many sizes, and the known attacks.
fn scratch() -> (Scratch, Vec<String>, Vec<String>) {
    let scratch = Scratch::new();
    let mut harmless: Vec<String> = (0..40).map(|i| format!("file{i:02}")).collect();
    for (i, name) in harmless.iter().enumerate() {
        scratch.write(name, message(i as u64, i * i * 37));
    }
    harmless.push("long".to_owned());
    scratch.write("long", message(1, 3 << 20));
    let mut attacks = Vec::new();
    for record in corpus("sha1_collisions") {
        let id = record.text("id").to_owned();
        scratch.write(&id, record.message());
        // long enough for a hasher of its own
        let longer = format!("{id}-longer");
        scratch.write(&longer, [record.message(), message(2, 3 << 20)].concat());
        attacks.extend([id, longer]);
    }
    (scratch, harmless, attacks)
}

#[test]
fn a_file_of_an_attack_is_an_error_of_that_file() {
    let (scratch, harmless, attacks) = scratch();
    let plain = scratch.sum(&[&["-a", "sha1"], &names(&harmless)[..]].concat()).out();
    for threads in ["1", "2"] {
        for also in [&[][..], &["-a", "md5"]] {
            let mut args = vec!["-a", "sha1dc", "--threads", threads];
            args.extend(also);
            let ran = scratch.sum(&[&args, &names(&harmless)[..], &names(&attacks)].concat());
            assert_eq!(ran.code, Some(1));
            for attack in &attacks {
                let line = format!("jlanes-sum: {attack}: {REASON}\n");
                assert!(ran.err().contains(&line), "{}", ran.err());
            }
            assert_eq!(ran.err().lines().count(), attacks.len());
            if also.is_empty() {
                assert_eq!(ran.out(), plain);
            }
        }
    }
    let alone = scratch.sum(&["-a", "sha1dc", &attacks[0]]);
    assert_eq!((alone.code, alone.out()), (Some(1), String::new()));
}

fn names(files: &[String]) -> Vec<&str> {
    files.iter().map(String::as_str).collect()
}

#[test]
fn lists_are_checked_with_detection() {
    let (scratch, harmless, attacks) = scratch();
    let list = scratch.sum(&[&["-a", "sha1dc", "--tag"], &names(&harmless)[..]].concat()).out();
    assert!(list.starts_with("SHA1DC (file00) = da39a3ee5e6b4b0d3255bfef95601890afd80709\n"));
    scratch.write("LIST", &list);
    assert_eq!(scratch.sum(&["-c", "LIST"]).out().matches(": OK\n").count(), harmless.len());
    // another tool's list of SHA-1, which accepts an attack
    let plain = scratch.sum(&[&["-a", "sha1"], &names(&attacks)[..]].concat()).out();
    scratch.write("PLAIN", &plain);
    assert_eq!(scratch.sum(&["-c", "PLAIN"]).out().matches(": OK\n").count(), attacks.len());
    let ran = scratch.sum(&["-c", "-a", "sha1dc", "PLAIN"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err().matches(REASON).count(), attacks.len());
    assert!(!ran.out().contains(": OK"));
}

#[test]
fn an_expected_digest_is_not_that_of_an_attack() {
    let (scratch, ..) = scratch();
    for record in corpus("sha1_collisions") {
        let (id, digest) = (record.text("id"), record.text("digest_hex"));
        let plain = scratch.sum(&["--expect", digest, id]);
        assert_eq!(plain.out(), format!("{id}: OK\n"));
        for expected in [digest, record.text("safe_hash_hex")] {
            let ran = scratch.sum(&["--expect", &format!("sha1dc:{expected}"), id]);
            assert_eq!(ran.code, Some(1));
            assert!(ran.err().contains(REASON) && !ran.out().contains(": OK"));
        }
    }
}

#[test]
fn json_has_no_digest_of_an_attack() {
    let (scratch, _, attacks) = scratch();
    let ran = scratch.sum(&["-a", "sha1dc", "--json", &attacks[0], "file03"]);
    assert_eq!(ran.code, Some(1));
    let lines = ran.out();
    let attack = lines.lines().find(|line| line.contains(&attacks[0])).unwrap();
    assert!(attack.contains("\"digest\":null"), "{lines}");
    assert!(lines.contains(REASON), "{lines}");
}
