//! The corpus of other tools' lists: each line is an entry, refused or malformed, as its tool means it.

use jlanes_testing::{Record, corpus, message};
use serde_json::{Map, Value};

use crate::common::Scratch;

/// The options that a list of the corpus needs, and its name.
fn needs(record: &Record) -> (Vec<String>, String) {
    let algorithm = match (record.text("dialect"), record.text("id")) {
        // only `-a` can say which hash 8, 16 and 32 digits are of
        ("xxhsum", "li004") => "-axxh32",
        ("xxhsum", "li005") => "-axxh64",
        ("xxhsum", "li006" | "li013") => "-axxh128",
        ("rhash", _) => "-amd5,sha1",
        _ => "--min-bits=0",
    };
    let name = match record.text("dialect") {
        "bagit" => record.value("options")["list_name"].as_str().unwrap(),
        _ => "LIST",
    };
    (vec![algorithm.to_owned(), "--min-bits=0".to_owned()], name.to_owned())
}

#[test]
fn lists_of_other_tools_are_read_line_by_line() {
    for record in &corpus("lists") {
        let scratch = Scratch::new();
        for file in record.value("files").as_array().unwrap() {
            let number = |field: &str| file[field].as_u64().unwrap();
            let content = message(number("msg_seed"), number("msg_len") as usize);
            scratch.write(file["name"].as_str().unwrap(), content);
        }
        let text = record.text("text");
        let (options, list_name) = needs(record);
        let (mut expected, mut refused) = (Vec::new(), 0);
        let all = record.value("files").as_array().unwrap();
        let files = || all.iter().map(|file| file["name"].as_str().unwrap());
        for entry in record.value("entries").as_array().unwrap() {
            let name = entry["name"].as_str().unwrap();
            let name =
                if name.starts_with("C:") { name.rsplit('\\').next().unwrap() } else { name };
            let mut digests = entry["digests"].as_object().unwrap().iter();
            let (algorithm, digest) = digests.next().unwrap();
            if algorithm == "h1" {
                // digests of modules are checked by Go alone
                refused += 1;
                continue;
            }
            if !scratch.at(name).exists() {
                // the tool made this name up, so the digest identifies the file
                let args: Vec<_> =
                    ["-a", algorithm, "--no-names"].into_iter().chain(files()).collect();
                let sums = scratch.sum(&args).out();
                let file = sums.lines().zip(files()).find(|(sum, _)| sum == digest).unwrap().1;
                scratch.write(name, std::fs::read(scratch.at(file)).unwrap());
            }
            expected.push((name.to_owned(), entry["digests"].as_object().unwrap()));
        }
        let wrong = |name: &str| match record.has("mismatch") {
            true => record.value("mismatch").as_array().unwrap().iter().any(|it| it == name),
            false => false,
        };
        let wrong = expected.iter().filter(|(name, _)| wrong(name)).count();
        let malformed = record.number::<u64>("malformed");
        let units = |text: &str, bytes: fn(u16) -> [u8; 2]| {
            text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
        };
        let marked = format!("\u{feff}{text}");
        for list in [
            text.into(),
            text.replace("\r\n", "\n").replace('\n', "\r\n").into(),
            units(text, u16::to_le_bytes),
            units(text, u16::to_be_bytes),
            units(&marked, u16::to_le_bytes),
            units(&marked, u16::to_be_bytes),
            marked.into_bytes(),
        ] {
            scratch.write(&list_name, &list);
            let mut args = vec!["-c", "--json", "-w", &list_name];
            args.extend(options.iter().map(String::as_str));
            let ran = scratch.sum(&args);
            let verdicts: Vec<Value> =
                ran.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            // of several digests that match, the verdict shows one
            let is_told = |(verdict, (name, digests)): (&Value, &(String, &Map<String, Value>))| {
                verdict["name"] == **name && digests.values().any(|it| *it == verdict["expected"])
            };
            assert_eq!(verdicts.len(), expected.len(), "{}: {ran:?}", record.name());
            assert!(verdicts.iter().zip(&expected).all(is_told), "{}: {ran:?}", record.name());
            let failed = verdicts.iter().filter(|it| it["verdict"] != "OK").count();
            assert_eq!(ran.err().matches(": refused: ").count(), refused, "{}", record.name());
            let printed = ran.err().matches("improperly formatted").count() as u64;
            // with -w, a message for each line and one with their number
            let printed = if expected.is_empty() { printed } else { printed.saturating_sub(1) };
            assert_eq!((printed, failed), (malformed, wrong), "{}: {ran:?}", record.name());
        }
        if let Some((name, _)) = expected.first() {
            scratch.write(name, "another");
            let mut args = vec!["-c", "--json", &list_name];
            args.extend(options.iter().map(String::as_str));
            let ran = scratch.sum(&args);
            let verdicts = ran.out();
            let of_it = verdicts.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let mut of_it = of_it.filter(|it| it["name"] == **name);
            assert!(of_it.all(|it| it["verdict"] == "FAILED"), "{}: {ran:?}", record.name());
        }
    }
}
