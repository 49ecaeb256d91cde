//! Lists of other tools, compared with `lists.jsonl`, which has the entries that a careful reader
//! finds.

use std::{collections::BTreeMap, io};

use jlanes_files::{
    Computation, DirHash,
    lists::{Fault, GnuParser, List, TagRules},
};
use jlanes_testing::{Record, corpus};
use serde_json::Value;

/// Rules that accept all digests in the corpus, by their names.
struct Everything {
    list: String,
    columns: Vec<String>,
    /// The checksum that 8, 16 or 32 digits without a tag mean, if any.
    untagged: Option<&'static str>,
}

impl TagRules for Everything {
    fn tagged(&self, tag: &[u8]) -> Option<Computation> {
        match str::from_utf8(tag).ok()? {
            "GO-MODULE" => Some(Computation::Directory(DirHash::H1)),
            tag => tag.parse().ok(),
        }
    }

    fn untagged(&self, digest: &[u8]) -> Option<Computation> {
        let usual = match digest.len() {
            8 | 16 | 32 if self.untagged.is_some() => self.untagged?,
            32 => "md5",
            40 => "sha1",
            56 => "sha224",
            64 => "sha256",
            96 => "sha384",
            128 => "sha512",
            _ => return None,
        };
        usual.parse().ok()
    }

    fn prefixed(&self, _: &[u8]) -> Vec<Computation> {
        Vec::new()
    }

    fn list(&self) -> &[u8] {
        self.list.as_bytes()
    }

    fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }
}

/// A name, digests by algorithm, the size, and the literal name if it differs.
type File = (String, BTreeMap<String, String>, Option<u64>, Option<String>);

/// The files of a list, and the number of malformed lines.
fn read(bytes: Vec<u8>, tags: Everything) -> (Vec<File>, u64) {
    let mut list = List::new(io::Cursor::new(bytes)).unwrap();
    let (mut parser, mut files, mut malformed) = (GnuParser::new(tags), Vec::new(), 0);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    while let Some(line) = list.next(&mut parser).unwrap() {
        match line.entry {
            Ok(entry) => {
                let digests = entry.digests.into_iter();
                let digests =
                    digests.map(|(it, digest)| (it.to_string(), hex::encode(digest))).collect();
                files.push((text(entry.name), digests, entry.size, entry.literal.map(text)));
            }
            Err(Fault::Malformed) => malformed += 1,
            Err(Fault::Refused(why)) => panic!("refused: {why}"),
        }
    }
    (files, malformed)
}

fn tags(record: &Record) -> Everything {
    let options = if record.has("options") { record.value("options") } else { &Value::Null };
    let list = options["list_name"].as_str().unwrap_or_default().to_owned();
    let columns = options["order"].as_array().into_iter().flatten();
    let columns = columns.map(|tag| tag.as_str().unwrap().to_owned()).collect();
    let untagged = match (record.text("dialect"), record.text("id")) {
        ("xxhsum", "li004") => Some("xxh32"),
        ("xxhsum", "li005") => Some("xxh64"),
        ("xxhsum", _) => Some("xxh128"),
        _ => None,
    };
    Everything { list, columns, untagged }
}

#[test]
fn every_list_of_the_corpus_is_read_exactly() {
    for record in &corpus("lists") {
        let entries = record.value("entries").as_array().unwrap().iter();
        let expected: Vec<File> = entries
            .map(|entry| {
                let text = |value: &Value| value.as_str().map(str::to_owned);
                let name = text(&entry["name"]).unwrap();
                // of a path of Windows, only the last component is used
                let is_windows = name.starts_with("C:\\");
                let name = name.rsplit('\\').next().filter(|_| is_windows).unwrap_or(&name);
                let digests = entry["digests"].as_object().unwrap().iter();
                let digests = digests.map(|(name, hex)| (name.clone(), text(hex).unwrap()));
                let size = entry["size"].as_u64();
                (name.to_owned(), digests.collect(), size, text(&entry["literal"]))
            })
            .collect();
        let expected = (expected, record.number::<u64>("malformed"));
        let text = record.text("text").replace("\r\n", "\n");
        let units = || text.encode_utf16();
        for bytes in [
            text.clone().into_bytes(),
            text.replace('\n', "\r\n").into_bytes(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            [vec![0xff, 0xfe], units().flat_map(u16::to_le_bytes).collect()].concat(),
            [vec![0xfe, 0xff], units().flat_map(u16::to_be_bytes).collect()].concat(),
        ] {
            let start = bytes[..2].escape_ascii().to_string();
            assert_eq!(read(bytes, tags(record)), expected, "{}, from {start} on", record.name());
        }
    }
}
