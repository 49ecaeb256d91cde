//! The examples that do a job of another crate or tool, on small data; each compares its results
//! with the other's, and fails if they differ.

use std::{fs, path::Path};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::programs::{directory, printed, run};

/// The output of a program without times.
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

/// The block of the first payment, and the key of the secret 1.
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

/// Addresses of 200 accounts, and values of 1 to 120 bytes; the root is py-trie's.
#[test]
fn an_ethereum_state_has_its_root() {
    let line = |i: u8| {
        let value = vec![i; 1 + usize::from(i) % 120];
        format!("{} {}\n", hex::encode([i; 20]), hex::encode(value))
    };
    let accounts: String = (0..200).map(line).collect();
    let files = directory(&[("accounts", accounts.as_bytes())]);
    assert_eq!(
        results("ethereum", &["accounts", "accounts"], files.path()),
        ["state root bbdde4bf35b168e4b435a6a2541f88ae206d09df55d41ff48bebee79ce7649b5"]
    );
    let first = accounts.lines().next().expect("a line");
    let twice = format!("{first}\n{first}\n");
    let files = directory(&[("twice", twice.as_bytes())]);
    assert!(!run("ethereum", &["accounts", "twice"], files.path(), "").status.success());
}

/// Roots are from a model in Python, with hashlib.
#[test]
fn beacon_validators_have_their_root() {
    let known = [
        (0, "ea569bcb4fbb2ed26d30e997d7337e7e12a43ac115793e9cbe25da401fcbb725"),
        (5, "dcafb9cd46f2e2eda36363a07e9c000fbcd50ff704fdb6db8db6d0c95090685f"),
        (600, "573e52c0f60b288782c73ef68ad285ff24663bf03fa16d28f3119a7e5b7c0c75"),
    ];
    for (count, root) in known {
        let validators: Vec<u8> = (0..121 * count).map(|i: u64| ((i * i) >> 3) as u8).collect();
        let files = directory(&[("validators", &validators)]);
        let printed = results("ethereum", &["validators", "validators"], files.path());
        assert_eq!(printed, [format!("validators root {root}")]);
    }
}

/// Keys with seeds of ones, twos and threes; roots and signatures are from the package
/// slh-dsa of PyPI.
#[test]
fn slh_dsa_signatures_are_known() {
    let known = [
        (
            "SHA2-128f",
            "4052e0733e69e78739d6e67c77f9a37d",
            "b6568e459e3f1a241b54c31ce3d067a51ed14bb4698cb3d359ea1ca8e38d7152",
        ),
        (
            "SHAKE-128f",
            "72e8a228409ff5093a981b1f4d45365f",
            "f857cb8a876a1a1e35f926ed9711d44efaa6715bfe7b670650c222b0a8a62fe4",
        ),
        (
            "SHA2-256f",
            "0ff225239caf2807250835c2611203428ff98b2d0de12aea24c71bc5a9617c51",
            "537abb1a4e211a9fcdf6b51a03be4065789263458fc277de84369772997ff6ca",
        ),
    ];
    for (set, root, digest) in known {
        let seed = |byte: &str| byte.repeat(root.len() / 2);
        let key = seed("01") + &seed("02") + &seed("03") + root;
        let files = directory(&[("key", key.as_bytes()), ("message", b"a message\n")]);
        let _ = results("slh_dsa", &[set, "key", "message", "out"], files.path());
        let signature = fs::read(files.path().join("out")).expect("a signature");
        assert_eq!(hex::encode(Sha256::digest(signature)), digest, "{set}");
    }
}

/// The tree of the next two tests.
fn tree() -> TempDir {
    let long: Vec<u8> = (0..100_000u64).map(|i| ((i * i) >> 5) as u8).collect();
    let files =
        directory(&[("tree/a.txt", b"text\n"), ("tree/sub/long", &long), ("tree/sub/none", b"")]);
    fs::create_dir(files.path().join("tree/empty")).expect("a directory");
    files
}

/// The root of the input tree is from a model in Python, the hash of the archive from nix-hash.
#[test]
fn trees_have_the_names_that_stores_give_them() {
    let files = tree();
    assert_eq!(
        results("content_store", &["bazel", "tree"], files.path()),
        ["bazel: input root 3c0fa92e6ec6fa45e8927629d6716ad8f4d0f53be06a0c3e55b494a82cdbbcb9"]
    );
    let nar = results("content_store", &["nar", "tree"], files.path());
    let hash = "e39ed3fc6cc19892d2ff010a191092bf148adadbada257c8312123f88cf15d0a";
    assert_eq!(nar.last(), Some(&format!("nar: {hash} tree")));
}

/// The last file is empty; its id is known from git's documentation.
#[test]
fn files_have_the_ids_that_git_gives_them() {
    let files = tree();
    let empty = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813";
    let printed = printed("content_store", &["git", "tree"], files.path(), "");
    let line = format!("git: 3 files, the last one's id Some(\"{empty}\")");
    assert!(printed.lines().any(|found| found == line), "{printed}");
}

#[test]
fn blobs_are_what_their_names_say() {
    let name = |text: &[u8]| format!("image/blobs/sha256/{}", hex::encode(Sha256::digest(text)));
    let (good, bad) = (name(b"good"), name(b"bad"));
    let files = directory(&[(&good, b"good"), (&bad, b"bad")]);
    let blobs = results("content_store", &["oci", "image"], files.path());
    assert_eq!(blobs, ["oci: 2 blobs are what their names say"]);
    fs::write(files.path().join(bad), b"changed").expect("a file");
    assert!(!run("content_store", &["oci", "image"], files.path(), "").status.success());
}

/// The sum is Go 1.26's.
#[test]
fn sums_of_a_module_cache_are_those_that_go_has_stored() {
    let module = "example.com/!upper/m@v1.0.0";
    let go_mod = format!("{module}/go.mod");
    let (one, other) = (format!("{module}/m.go"), format!("{module}/sub/n.go"));
    let sum = b"h1:0gAibioRTbOZC2SE4ziHyk48tGsW+EYuV6F1H/k9ji0=";
    let files = directory(&[
        ("cache/download/example.com/!upper/m/@v/v1.0.0.ziphash", sum),
        (&go_mod, b"module example.com/Upper/m\n\ngo 1.20\n"),
        (&one, b"package m\n"),
        (&other, b"package sub\n"),
    ]);
    let sums = results("content_store", &["gosum", "."], files.path());
    assert_eq!(sums[0], "gosum: 1 modules, 1 of them with Go's sums");
    fs::write(files.path().join(other), b"package changed\n").expect("a file");
    assert!(!run("content_store", &["gosum", "."], files.path(), "").status.success());
}
