//! `--audit`, `--update` and `-c` on directories that change at random, compared with a model of all
//! files in the list. `JLANES_RANDOM_TREES` sets the number of directories; a failure shows the number
//! of its directory.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
};

use base64ct::{Base64, Encoding};
use jlanes_testing::{message, paint};
use serde_json::Value;

use crate::{
    common::Scratch,
    update::{make_old, raw_lines, tick},
};

/// The number of directories in a test run.
const FEW: u64 = 6;
/// The number of lists that each directory gets, one after another.
const LISTS: usize = 4;

const FOLDERS: [&[u8]; 4] = [b"", b"folder/", b"f o/", b"folder/\nh/"];
/// Names with a meaning elsewhere: in lists, in JSON, on a terminal, for a shell.
const NAMES: [&[u8]; 14] = [
    b"a",
    b" b",
    b"-c",
    b"*d",
    b"#e",
    b"\\n",
    b"\n",
    b"f\r",
    b"\xff\xfe",
    "\u{e9}".as_bytes(),
    b"\x1b[31m",
    b"\"'$(g)",
    b"SHA256 (a) = 00",
    b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a",
];
/// Options for making and updating the list. Lines of several algorithms have tags.
const STYLES: [&[&str]; 3] = [&[], &["-a", "md5,sha1"], &["-a", "sha3-256,sha512"]];

/// The contents of files by name.
type Files = BTreeMap<Vec<u8>, Vec<u8>>;
/// A verdict: a name, a word, and the former name.
type Said = (Vec<u8>, String, Option<Vec<u8>>);

/// Decisions made from random bytes.
struct Choices(std::vec::IntoIter<u8>);

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        usize::from(self.0.next().expect("there are decisions enough")) % n
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn name(&mut self) -> Vec<u8> {
        [&b"top/"[..], self.of(&FOLDERS), self.of(&NAMES)].concat()
    }

    /// One of few contents, so that files are often equal. Two contents have the same length.
    fn content(&mut self) -> Vec<u8> {
        let (len, first) = self.of(&[(0, 0), (3, 0), (3, 1), (64, 0), (5000, 0)]);
        paint(len, first)
    }
}

fn write(scratch: &Scratch, files: &mut Files, name: Vec<u8>, content: Vec<u8>) {
    scratch.write(&name, &content);
    files.insert(name, content);
}

/// Makes a random change to the files under `top`.
fn change(scratch: &Scratch, files: &mut Files, choices: &mut Choices) {
    let known: Vec<_> = files.keys().cloned().collect();
    let (action, name, content) = (choices.below(6), choices.name(), choices.content());
    let old = (!known.is_empty()).then(|| known[choices.below(known.len())].clone());
    match (action, old) {
        (0, Some(old)) => {
            fs::remove_file(scratch.at(&old)).unwrap();
            files.remove(&old);
        }
        // sometimes over another file
        (1, Some(old)) => {
            fs::create_dir_all(scratch.at(&name).parent().unwrap()).unwrap();
            fs::rename(scratch.at(&old), scratch.at(&name)).unwrap();
            let moved = files.remove(&old).unwrap();
            files.insert(name, moved);
        }
        // with an old time
        (2, Some(old)) => {
            write(scratch, files, old.clone(), content);
            make_old(scratch, &old);
        }
        // only the time, which changes no contents
        (3, Some(old)) => {
            let same = files[&old].clone();
            write(scratch, files, old, same);
        }
        _ => write(scratch, files, name, content),
    }
}

/// A name as `--json` writes it.
fn name_of(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(text) => Some(text.clone().into_bytes()),
        Value::Object(object) => {
            Some(Base64::decode_vec(object["bytes"].as_str().unwrap()).unwrap())
        }
        _ => None,
    }
}

/// The verdicts in the objects of `lines`.
fn said(lines: &[u8]) -> BTreeSet<Said> {
    let object = |line: &[u8]| -> Said {
        let object: Value = serde_json::from_slice(line).unwrap();
        let word = object["verdict"].as_str().unwrap().to_owned();
        (name_of(&object["name"]).unwrap(), word, name_of(&object["from"]))
    };
    lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(object).collect()
}

/// The expected verdicts, with moved files as new and missing.
fn differences(before: &Files, now: &Files) -> BTreeSet<Said> {
    let names: BTreeSet<_> = before.keys().chain(now.keys()).collect();
    let word = |name: &Vec<u8>| match (before.get(name), now.get(name)) {
        (None, _) => "NEW",
        (_, None) => "MISSING",
        (before, now) if before == now => "OK",
        _ => "CHANGED",
    };
    names.into_iter().map(|name| (name.clone(), word(name).to_owned(), None)).collect()
}

/// Splits moved files into new and missing ones, and checks that each could have moved.
fn unmoved(said: BTreeSet<Said>, before: &Files, now: &Files) -> BTreeSet<Said> {
    let mut all = BTreeSet::new();
    let mut once = |said: Said| assert!(all.insert(said.clone()), "{said:?} is said twice");
    for (name, word, from) in said {
        match from {
            Some(from) => {
                assert_eq!((word.as_str(), &now[&name]), ("MOVED", &before[&from]));
                once((from, "MISSING".into(), None));
                once((name, "NEW".into(), None));
            }
            None => once((name, word, None)),
        }
    }
    all
}

/// The number of files that may count as moved: new files with the contents of missing ones.
fn movable(before: &Files, now: &Files) -> usize {
    let count = |of: &Files, without: &Files, content: &Vec<u8>| {
        of.iter().filter(|(name, has)| !without.contains_key(*name) && *has == content).count()
    };
    let contents: BTreeSet<_> = before.values().collect();
    contents.into_iter().map(|what| count(before, now, what).min(count(now, before, what))).sum()
}

#[test]
fn verdicts_of_a_directory_are_the_changes_made_to_it() {
    let count = env::var("JLANES_RANDOM_TREES").map_or(FEW, |count| count.parse().unwrap());
    for number in 0..count {
        let scratch = Scratch::new();
        fs::create_dir(scratch.at("top")).unwrap();
        let mut choices = Choices(message(number, 1000).into_iter());
        let style = choices.of(&STYLES);
        let (mut before, mut now) = (Files::new(), Files::new());
        for list in 0..LISTS {
            let at = format!("directory {number}, list {list}, {style:?}");
            for _ in 0..choices.below(12) {
                change(&scratch, &mut now, &mut choices);
            }
            tick();
            let mut expected = differences(&before, &now);

            if list > 0 {
                let ran = scratch.sum(&["--audit", "LIST", "--json", "top"]);
                let printed = said(&ran.stdout);
                let moved = printed.iter().filter(|said| said.2.is_some()).count();
                assert_eq!(moved, movable(&before, &now), "{at}: {ran:?}");
                assert_eq!(unmoved(printed, &before, &now), expected, "{at}: {ran:?}");
                assert_eq!(ran.code, Some(i32::from(before != now)), "{at}: {ran:?}");
            }

            let ran = scratch
                .sum(&[&["--update", "LIST", "--allow-removals", "--json", "top"], style].concat());
            expected.retain(|said| said.1 != "OK");
            assert_eq!((ran.code, said(&ran.stdout)), (Some(0), expected), "{at}: {ran:?}");
            let fresh = scratch.sum(&[&["-r", "top"], style].concat());
            let kept = raw_lines(&scratch, "LIST");
            assert_eq!(kept.escape_ascii().to_string(), fresh.stdout.escape_ascii().to_string());

            let ran = scratch.sum(&["-c", "--strict", "--json", "LIST"]);
            if !now.is_empty() {
                assert!(said(&ran.stdout).iter().all(|said| said.1 == "OK"), "{at}: {ran:?}");
                assert_eq!(ran.code, Some(0), "{at}: {ran:?}");
            }
            before.clone_from(&now);
        }
    }
}
