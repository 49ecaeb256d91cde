//! The examples that do a job of another crate or tool, on small data; each compares its results
//! with the other's, and fails if they differ.

use std::{fs, path::Path};

use sha2::{Digest, Sha256};

use crate::programs::{directory, printed, run};

/// What a program prints but for times.
fn results(name: &str, args: &[&str], directory: &Path) -> Vec<String> {
    let printed = printed(name, args, directory, "");
    assert!(printed.lines().last().is_some_and(|line| line.starts_with("gain: ")), "{printed}");
    let times = |line: &&str| !line.starts_with("gain: ") && !line.ends_with(" with jlanes");
    printed.lines().filter(times).map(str::to_owned).collect()
}

/// Keys are from Python's hashlib.
#[test]
fn logins_are_accepted_with_the_right_password() {
    let users = "\
        ann:$pbkdf2-sha512$1000$MDEyMzQ1Njc4OWFiY2RlZg$vgFvU7zWIDgDAUi7d8ayt.cfRiPWVVWfv8iQRsGZaZviWzsSNgWYXEE5PmvI/VELMsOmEbqLz0PKuePNjOk41A\n\
        bob:$pbkdf2-sha512$700$c2FsdHNhbHRzYWx0c2FsdA$SIv9hIoD4gbKu2oSxGaddgmrddOg4Mfy2mvuEE5f84Yi/T5Kcdzx3OPXgWK9//.yTgL6lQGZE.uM6NQQcLvyig\n";
    let logins = "ann:secret\nbob:secret\nbob:hunter2\neve:guess\n";
    let files = directory(&[("users", users.as_bytes()), ("logins", logins.as_bytes())]);
    let results = results("passwords", &["users", "logins"], files.path());
    assert_eq!(results, ["bob: refused", "eve: refused", "2 logins accepted, 2 refused"]);
}

/// The first two blocks of the chain.
#[test]
fn bitcoin_headers_are_a_chain() {
    let genesis = "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd\
        7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c";
    let second = "010000006fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000982051fd\
        1e4ba744bbbe680e1fee14677ba1a3c3540bf7b1cdb606e857233e0e61bc6649ffff001d01e36299";
    let header = |text: &str| hex::decode(text).expect("a header");
    let [genesis, second] = [header(genesis), header(second)];
    let (chain, not) = ([&genesis[..], &second].concat(), [&second[..], &genesis].concat());
    let files = directory(&[("chain", &chain), ("not", &not)]);
    assert_eq!(
        results("bitcoin", &["headers", "chain"], files.path()),
        [
            "a chain of 2 headers up to 00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048"
        ]
    );
    assert!(!run("bitcoin", &["headers", "not"], files.path(), "").status.success());
}

/// The block of the first payment, and the key whose secret is 1.
#[test]
fn bitcoin_roots_and_keys_are_known() {
    let ids = b"b1fea52486ce0c62bb442b530a3f0132b826c74e473d1f2c220bfa78111c5082\n\
        f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16\n";
    let key = b"0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798\n";
    let files = directory(&[("ids", ids), ("keys", key)]);
    assert_eq!(
        results("bitcoin", &["ids", "ids"], files.path()),
        ["root 7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff"]
    );
    let hash = results("bitcoin", &["keys", "keys"], files.path());
    assert_eq!(hash, ["751e76e8199196d454941c45d1b3a323f1433bd6"]);
}

#[test]
fn a_backup_stores_no_chunk_twice() {
    let text: Vec<u8> = (0..900_000u32).flat_map(|i| i.wrapping_mul(i | 1).to_le_bytes()).collect();
    let files = directory(&[("tree/one", &text), ("tree/two", &text)]);
    let results = results("backup", &["tree"], files.path());
    let stored = format!("{} bytes of {} to store", text.len(), 2 * text.len());
    assert!(results.iter().any(|line| line.ends_with(&stored)), "{results:?}");
}

/// The digest is of what libtorrent 2.1.1 makes of these files.
#[test]
fn a_torrent_is_that_of_libtorrent() {
    let long: Vec<u8> = (0..700_000u64).map(|i| ((i * i) >> 7) as u8).collect();
    let piece = [7; 256 << 10];
    let files = directory(&[
        ("album/long", &long),
        ("album/empty", b""),
        ("album/sub/short", b"short\n"),
        ("album/sub/piece", &piece),
    ]);
    let printed = results("torrent", &["album", "out"], files.path());
    let torrent = fs::read(files.path().join("out")).expect("a torrent");
    assert_eq!(printed.last(), Some(&format!("{} bytes of torrent", torrent.len())));
    assert_eq!(
        hex::encode(Sha256::digest(torrent)),
        "517df66833b35dd9ac3773ca9da1e6af8408762085d60582f6a8aa5fc4aec390"
    );
}
