//! Torrents that libtorrent 2.1.1 made from the files below, in pieces of 16 KiB, and hostile ones.

use std::fs;

use jlanes::{Digest, Sha1};

use crate::common::{Ran, Scratch, paint, run};

/// One of libtorrent's torrents.
fn torrent(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/cli/torrents/{name}.torrent", env!("CARGO_MANIFEST_DIR"));
    fs::read(path).unwrap()
}

/// The files of the torrents, and the torrents.
fn files() -> Scratch {
    let scratch = Scratch::new();
    for (name, len) in [("t/a", 20_000), ("t/d/b", 50_000), ("t/d/c", 16_384), ("t/empty", 0)] {
        scratch.write(name, paint(len));
    }
    scratch.write("one", paint(40_000));
    for name in ["v1", "v2", "hybrid", "one-v1", "one-v2", "one-hybrid"] {
        scratch.write(format!("{name}.torrent"), torrent(name));
    }
    scratch
}

/// Verdicts sorted by name, because torrents have an order of their own.
fn sorted(ran: &Ran) -> String {
    let mut lines: Vec<_> = ran.out().lines().map(|line| format!("{line}\n")).collect();
    lines.sort();
    lines.concat()
}

const ALL: &str = "t/a: OK\nt/d/b: OK\nt/d/c: OK\nt/empty: OK\n";

#[test]
fn files_match_their_torrents() {
    let scratch = files();
    for version in ["v1", "v2", "hybrid"] {
        let list = format!("{version}.torrent");
        for operands in [&[][..], &["t"], &["."], &["t/a", "t/d/b", "t/d/c", "t/empty"]] {
            let ran = scratch.sum(&[&["--torrent", &list], operands].concat());
            let printed =
                if operands == ["."] { ALL.replace("t/", "./t/") } else { ALL.to_owned() };
            let expected = (printed, String::new(), Some(0));
            assert_eq!((sorted(&ran), ran.err(), ran.code), expected, "{version} {operands:?}");
        }
        let ran = scratch.sum(&["--torrent", &list, "--quiet", "--summary"]);
        assert!(ran.out().starts_with("summary: 4 OK, 0 FAILED"), "{ran:?}");
        assert_eq!(scratch.sum(&["--torrent", &list, "t/d/c"]).out(), "t/d/c: OK\n");
        let list = format!("one-{version}.torrent");
        for operands in [&[][..], &["one"], &["."]] {
            let ran = scratch.sum(&[&["--torrent", &list], operands].concat());
            let name = if operands == ["."] { "./one" } else { "one" };
            assert_eq!((ran.out(), ran.code), (format!("{name}: OK\n"), Some(0)), "{operands:?}");
        }
    }
    // under another name, and in another directory
    fs::rename(scratch.at("one"), scratch.at("two")).unwrap();
    assert_eq!(scratch.sum(&["--torrent", "one-v2.torrent", "two"]).out(), "two: OK\n");
    fs::create_dir(scratch.at("down")).unwrap();
    fs::rename(scratch.at("t"), scratch.at("down/u")).unwrap();
    let moved = ALL.replace("t/a", "u/a").replace("t/d", "u/d").replace("t/e", "u/e");
    let moved = moved.replace("u/", "down/u/");
    assert_eq!(sorted(&scratch.sum(&["--torrent", "v1.torrent", "down/u"])), moved);
}

#[test]
fn differing_files_are_reported() {
    let scratch = files();
    let mut b = paint(50_000);
    b[49_999] ^= 1;
    scratch.write("t/d/b", &b);
    // the last piece of b also has the start of c, unless there is padding between them
    for (version, c) in [("v1", "FAILED"), ("v2", "OK"), ("hybrid", "OK")] {
        let ran = scratch.sum(&["--torrent", &format!("{version}.torrent")]);
        let printed = format!("t/a: OK\nt/d/b: FAILED\nt/d/c: {c}\nt/empty: OK\n");
        assert_eq!((sorted(&ran), ran.code), (printed, Some(1)), "{version}");
    }
    scratch.write("t/d/b", paint(49_999));
    fs::remove_file(scratch.at("t/empty")).unwrap();
    for version in ["v1", "v2", "hybrid"] {
        let ran = scratch.sum(&["--torrent", &format!("{version}.torrent")]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.out().contains("t/d/b: FAILED\n"), "{ran:?}");
        assert!(ran.out().contains("t/empty: FAILED open or read\n"), "{ran:?}");
        assert!(ran.err().contains("t/d/b: 49999 bytes instead of 50000\n"), "{ran:?}");
        if version == "v1" {
            let shared = "t/a: shares a piece with a file that is not whole\n";
            assert!(ran.err().contains(shared), "{ran:?}");
        } else {
            assert!(ran.out().contains("t/a: OK\n"), "{ran:?}");
        }
    }
    let ran = scratch.sum(&["--torrent", "v2.torrent", "--ignore-missing", "t/empty"]);
    assert_eq!((ran.code, ran.err()), (Some(1), "jlanes-sum: no file was verified\n".to_owned()));
    let ran = scratch.sum(&["--torrent", "v2.torrent", "one"]);
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert_eq!(ran.err(), "jlanes-sum: --torrent: 'one' is not in the torrent\n");
}

#[test]
fn verdicts_are_objects_too() {
    let scratch = files();
    let ran = scratch.sum(&["--torrent", "one-v2.torrent", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&ran.out()).unwrap();
    assert_eq!((&object["algorithm"], &object["verdict"]), (&"btv2".into(), &"OK".into()));
    assert_eq!(object["expected"], object["found"]);
    let root = scratch.sum(&["-a", "btv2", "--no-names", "one"]).out();
    assert_eq!(object["found"], root.trim());
}

#[test]
fn hostile_torrents_are_refused() {
    let scratch = files();
    scratch.write("secret", "s");
    let one = |name: &str| {
        format!(
            "d4:infod6:lengthi1e4:name{}:{name}12:piece lengthi1e6:pieces20:{}ee",
            name.len(),
            "x".repeat(20)
        )
    };
    for name in ["../secret", "/etc/passwd", "..", "."] {
        scratch.write("bad.torrent", one(name));
        let ran = scratch.sum(&["--torrent", "bad.torrent"]);
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{name}");
        let printed = "jlanes-sum: bad.torrent: a name that leads out of its directory\n";
        assert_eq!(ran.err(), printed, "{name}");
    }
    // every prefix of a torrent, and every change of a byte
    let whole = torrent("hybrid");
    for len in (0..whole.len()).step_by(97) {
        scratch.write("bad.torrent", &whole[..len]);
        let ran = scratch.sum(&["--torrent", "bad.torrent"]);
        assert_eq!(
            (ran.code, ran.err()),
            (Some(1), "jlanes-sum: bad.torrent: not a torrent\n".into())
        );
    }
    for at in (0..whole.len()).step_by(23) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        scratch.write("bad.torrent", &changed);
        let code = scratch.sum(&["--torrent", "bad.torrent"]).code;
        assert!(matches!(code, Some(0 | 1)), "{at}: {code:?}");
    }
    let ran = scratch.sum(&["--torrent", "missing.torrent"]);
    assert_eq!(ran.err(), "jlanes-sum: missing.torrent: No such file or directory\n");
}

/// A torrent of v1 with files of these names and lengths.
fn first_version(files: &[(&str, usize)], piece: usize) -> String {
    let all: Vec<u8> = files.iter().flat_map(|(_, len)| paint(*len)).collect();
    let list: String = files
        .iter()
        .map(|(name, len)| format!("d6:lengthi{len}e4:pathl{}:{name}ee", name.len()))
        .collect();
    let digests: Vec<_> = all.chunks(piece).map(Sha1::digest).collect();
    let pieces: String = digests.concat().iter().map(|byte| char::from(*byte)).collect();
    let count = 20 * digests.len();
    format!("d4:infod5:filesl{list}e4:name1:t12:piece lengthi{piece}e6:pieces{count}:{pieces}ee")
}

/// A text with one character for each byte.
fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|char| char as u8).collect()
}

#[test]
fn pieces_go_on_from_file_to_file_on_any_number_of_threads() {
    const FILES: [(&str, usize); 8] = [
        ("a", 5000),
        ("b", 0),
        ("c", 1),
        ("d", 16_384),
        ("e", 140_000),
        ("f", 3),
        ("g", 70_000),
        ("h", 0),
    ];
    let scratch = Scratch::new();
    let write = |name: &str, len: usize| scratch.write(format!("t/{name}"), paint(len));
    for piece in [1000, 4096, 16_384, 50_000, 1 << 20] {
        FILES.iter().for_each(|(name, len)| write(name, *len));
        scratch.write("t.torrent", latin_1(&first_version(&FILES, piece)));
        let check = |threads: &str| scratch.sum(&["--torrent", "t.torrent", "--threads", threads]);
        let verdicts = |bad: &[&str]| {
            let line = |(name, _): &(&str, usize)| {
                let verdict = if bad.iter().any(|bad| bad == name) { "FAILED" } else { "OK" };
                format!("t/{name}: {verdict}\n")
            };
            FILES.iter().map(line).collect::<String>()
        };
        // the files with a part in the pieces that contain bytes `from` to `to`
        let sharing = |from: usize, to: usize| {
            let (from, to) = (from / piece * piece, to.div_ceil(piece) * piece);
            let mut start = 0;
            let mut found = Vec::new();
            for (name, len) in FILES {
                if len > 0 && start < to && from < start + len {
                    found.push(name);
                }
                start += len;
            }
            found
        };
        for threads in ["1", "3"] {
            let ran = check(threads);
            assert_eq!((ran.out(), ran.code), (verdicts(&[]), Some(0)), "{piece}: {}", ran.err());
        }
        // a wrong byte in the fourth and largest file
        let (at, start) = (77_777, 5001 + 16_384);
        let mut changed = paint(140_000);
        changed[at] ^= 1;
        scratch.write("t/e", &changed);
        let bad = sharing(start + at, start + at + 1);
        for threads in ["1", "3"] {
            let ran = check(threads);
            assert_eq!((ran.out(), ran.code), (verdicts(&bad), Some(1)), "{piece}: {}", ran.err());
        }
        // a missing one
        fs::remove_file(scratch.at("t/e")).unwrap();
        let mut bad = sharing(start, start + 140_000);
        bad.retain(|name| *name != "e");
        let printed = verdicts(&bad).replace("t/e: OK", "t/e: FAILED open or read");
        for threads in ["1", "3"] {
            let ran = check(threads);
            assert_eq!((ran.out(), ran.code), (printed.clone(), Some(1)), "{piece}: {}", ran.err());
            let shared = ran.err().matches("shares a piece with a file that is not whole").count();
            assert_eq!(shared, bad.len(), "{piece}: {}", ran.err());
        }
        // a single file needs only its own pieces
        let ran = scratch.sum(&["--torrent", "t.torrent", "t/b"]);
        assert_eq!((ran.out(), ran.code), ("t/b: OK\n".to_owned(), Some(0)), "{}", ran.err());
    }
}

#[test]
fn an_empty_file_has_no_part_in_a_piece() {
    let scratch = Scratch::new();
    let files = [("a", 5000), ("empty", 0), ("b", 5000)];
    scratch.write("t.torrent", latin_1(&first_version(&files, 16_384)));
    scratch.write("t/a", paint(5000));
    scratch.write("t/b", paint(5000));
    let ran = scratch.sum(&["--torrent", "t.torrent"]);
    let printed = "t/a: OK\nt/empty: FAILED open or read\nt/b: OK\n";
    assert_eq!((ran.out(), ran.code), (printed.to_owned(), Some(1)), "{}", ran.err());
    scratch.write("t/empty", "not");
    let ran = scratch.sum(&["--torrent", "t.torrent"]);
    let printed = "t/a: OK\nt/empty: FAILED\nt/b: OK\n";
    assert_eq!((ran.out(), ran.code), (printed.to_owned(), Some(1)), "{}", ran.err());
}

#[test]
fn a_torrent_comes_from_standard_input_too() {
    let scratch = files();
    let ran = run(scratch.ours("jlanes-sum").args(["--torrent", "-"]), &torrent("one-v2"));
    assert_eq!((ran.out(), ran.code), ("one: OK\n".to_owned(), Some(0)), "{ran:?}");
}

#[test]
fn progress_is_of_what_is_read() {
    let scratch = files();
    for (list, read) in [("one-v1", 40_000), ("one-v2", 40_000), ("one-hybrid", 80_000)] {
        let list = format!("{list}.torrent");
        let ran = scratch.sum(&["--torrent", &list, "--progress=always", "--threads=2"]);
        let printed = format!("{:.2} KiB", f64::from(read) / 1024.0);
        let last = ran.err().lines().last().unwrap_or_default().to_owned();
        assert!(last.starts_with(&printed), "{list}: {last}");
    }
}

#[test]
fn keys_stand_in_any_order_and_names_in_utf8_count() {
    let scratch = files();
    let content = "abc";
    for name in ["f", "\u{e9}"] {
        scratch.write(name, content);
        let pieces = [&b"6:pieces20:"[..], &Sha1::digest(content)].concat();
        let names = format!("10:name.utf-8{}:{name}4:name1:x", name.len());
        let info = [&b"d12:piece lengthi16384e"[..], names.as_bytes(), &pieces, b"6:lengthi3ee"];
        scratch.write("x.torrent", [&b"d4:info"[..], &info.concat(), b"8:announce1:xe"].concat());
        let ran = scratch.sum(&["--torrent", "x.torrent", "--json"]);
        assert!(ran.out().contains(&format!("{{\"name\":\"{name}\"")), "{ran:?}");
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}
