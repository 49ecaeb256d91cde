//! JSON: the lines of `jlanes-sum --json`, and documents of PowerShell and npm.
//!
//! ```text
//! list     = *( object NEWLINE ) / document
//! document = "[" object *( "," object ) "]" / object    ; object in several lines
//! object   = { "name": name, "algorithm": text, "digest": text / null, "size": number }
//!          / { "summary": .. }
//!          / { "Algorithm": text, "Hash": text, "Path": text } ; Get-FileHash | ConvertTo-Json
//!          / { "filename": text, "integrity": sri, "shasum": text, "size": number } ; npm pack
//!          / { text: object, .. }                       ; npm pack 12
//! name     = text / { "bytes": base64 }
//! ```

use std::collections::BTreeMap;

use base64ct::{Base64, Encoding as _};
use serde_json::{Map, Value};

use super::{Dialect, KnownDialect, Meaning, SpelledFile, lock_file::count_pairs, windows_name};
use crate::lists::Fault;

#[derive(Default)]
struct Json {
    /// Whether objects may have several lines.
    is_document: bool,
    /// The scanned part of the open record.
    seen: Scanner,
}

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| {
        let line = line.trim_ascii();
        let is_document =
            line.starts_with(b"[") || (line.starts_with(b"{") && !line.ends_with(b"}"));
        let json = Json { is_document, ..Json::default() };
        (is_document || line.starts_with(b"{")).then(|| Box::new(json) as _)
    },
    #[cfg(test)]
    sample: "{\"name\":\"f\",\"algorithm\":\"md5\",\"digest\":\"900150983cd24fb0d6963f7d28e17f72\"}\n\
             {\"name\":\"g\",\"algorithm\":\"md5\",\"digest\":\"e2fc714c4727ee9395f324cd2e7f331f\"}\n\
             {\"summary\":{}}\n",
};

impl Dialect for Json {
    fn continues(&mut self, record: &[u8], _: &[u8]) -> bool {
        self.is_document && self.seen.is_open_after(record)
    }

    fn may_continue(&self, record: &[u8]) -> bool {
        let (mut scanner, mut start) = (Scanner::default(), 0);
        loop {
            let was_inside = scanner.depth > 0;
            if scanner.next(record).is_none() {
                break;
            }
            if !was_inside && scanner.depth > 0 {
                start = scanner.at - 1;
            }
        }
        serde_json::from_slice::<Value>(&record[start..]).is_err_and(|error| error.is_eof())
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        self.seen = Scanner::default();
        // only documents have lines with nothing but brackets
        let objects = objects(record).filter(|all| self.is_document || !all.is_empty());
        let Some(objects) = objects else { return Meaning::Malformed };
        let mut files = Vec::new();
        for (object, pairs) in objects {
            match serde_json::from_slice(object) {
                // two values of one key might differ
                Ok(value @ Value::Object(_)) if count_pairs(&value) != pairs => {
                    files.push(Err(Fault::Malformed));
                }
                Ok(Value::Object(object)) => add(&object, &mut files),
                _ => files.push(Err(Fault::Malformed)),
            }
        }
        Meaning::of(files)
    }
}

/// The position in a JSON text: how many braces are open, and whether it is inside a string.
#[derive(Default)]
struct Scanner {
    at: usize,
    depth: usize,
    /// The number of colons outside of strings, one for each pair.
    pairs: usize,
    in_string: bool,
}

impl Scanner {
    /// The next byte of `text` outside of strings. It continues where the scan of a shorter text ended.
    fn next(&mut self, text: &[u8]) -> Option<u8> {
        while self.in_string {
            let rest = text.get(self.at..)?;
            let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            self.at += end.unwrap_or(rest.len());
            // an escaped byte never ends the string
            self.in_string = text.get(self.at)? != &b'"';
            if self.in_string {
                text.get(self.at + 1)?;
            }
            self.at += 1 + usize::from(self.in_string);
        }
        let byte = *text.get(self.at)?;
        self.at += 1;
        match byte {
            b'"' => self.in_string = true,
            b'{' => self.depth += 1,
            b':' => self.pairs += 1,
            b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Some(byte)
    }

    /// Scans the new part of `record`. Returns whether an object is open at its end.
    fn is_open_after(&mut self, record: &[u8]) -> bool {
        while self.next(record).is_some() {}
        self.depth > 0
    }
}

/// The objects in `text`, each with its number of pairs; `None` if there is anything but brackets and
/// commas between them.
fn objects(text: &[u8]) -> Option<Vec<(&[u8], usize)>> {
    let (mut objects, mut scanner, mut start) = (Vec::new(), Scanner::default(), 0);
    loop {
        let was_inside = scanner.depth > 0;
        let Some(byte) = scanner.next(text) else { break };
        match (was_inside, scanner.depth > 0) {
            (false, true) => start = scanner.at - 1,
            (true, false) => {
                objects.push((&text[start..scanner.at], std::mem::take(&mut scanner.pairs)));
            }
            (false, false) if !b"[], \t\r\n".contains(&byte) => return None,
            _ => {}
        }
    }
    (scanner.depth == 0).then_some(objects)
}

/// The object that `text` is, if it has no key twice.
#[cfg(feature = "checksums")]
pub(crate) fn json_object(text: &[u8]) -> Option<Map<String, Value>> {
    let [(object, pairs)] = objects(text)?[..] else { return None };
    let value = serde_json::from_slice(text).ok()?;
    // two values of one key might differ
    let is_clear = count_pairs(&value) == pairs && object.len() == text.trim_ascii().len();
    if let Value::Object(object) = value
        && is_clear
    {
        Some(object)
    } else {
        None
    }
}

/// Adds the files of `object`.
fn add(object: &Map<String, Value>, files: &mut Vec<Result<SpelledFile<'_>, Fault>>) {
    // a package may be called so, too
    let is_count = |(key, value): (&String, &Value)| {
        value.is_number() || matches!(key.as_str(), "begun" | "ended")
    };
    let summary = object.get("summary").filter(|_| object.len() == 1).and_then(Value::as_object);
    if summary.is_some_and(|counts| counts.iter().all(is_count)) {
        return;
    }
    if object.contains_key("name") && object.get("digest") == Some(&Value::Null) {
        let why = "no digest: the file could not be read when the list was made";
        return files.push(Err(Fault::Refused(why.to_owned())));
    }
    match jlanes_file(object).or_else(|| powershell_file(object)).or_else(|| npm_file(object)) {
        Some(file) => files.push(Ok(file)),
        None if !object.is_empty() && object.values().all(Value::is_object) => {
            object.values().filter_map(Value::as_object).for_each(|inner| add(inner, files));
        }
        None => files.push(Err(Fault::Malformed)),
    }
}

fn jlanes_file<'r>(object: &Map<String, Value>) -> Option<SpelledFile<'r>> {
    let name = match object.get("name")? {
        Value::String(name) => name.clone().into_bytes(),
        Value::Object(name) => Base64::decode_vec(name.get("bytes")?.as_str()?).ok()?,
        _ => return None,
    };
    let (tag, digest) = (text(object.get("algorithm")?)?, text(object.get("digest")?)?);
    Some(SpelledFile { size: size(object)?, ..SpelledFile::new(name, tag, digest) })
}

fn powershell_file<'r>(object: &Map<String, Value>) -> Option<SpelledFile<'r>> {
    let fields: BTreeMap<_, _> =
        object.iter().map(|(key, value)| (key.to_ascii_lowercase(), value)).collect();
    // two values of one key might differ
    if fields.len() < object.len() {
        return None;
    }
    let tag = match fields.get("algorithm") {
        Some(tag) => Some(text(tag)?.into()),
        None => None,
    };
    let digests = vec![(tag, text(fields.get("hash")?)?.into())];
    Some(SpelledFile {
        name: windows_name(&text(fields.get("path")?)?),
        digests,
        ..SpelledFile::default()
    })
}

fn npm_file<'r>(object: &Map<String, Value>) -> Option<SpelledFile<'r>> {
    let words = object.get("integrity")?.as_str()?.split_ascii_whitespace();
    let spelled = words.map(|word| {
        let (tag, digest) = word.split_once('-')?;
        Some((Some(tag.as_bytes().to_vec().into()), digest.as_bytes().to_vec().into()))
    });
    let sha1 = match object.get("shasum") {
        Some(sha1) => Some(Some((Some(b"SHA1".into()), text(sha1)?.into()))),
        None => None,
    };
    let name = text(object.get("filename")?)?;
    let digests = spelled.chain(sha1).collect::<Option<_>>()?;
    Some(SpelledFile { name, digests, size: size(object)?, ..SpelledFile::default() })
}

fn text(value: &Value) -> Option<Vec<u8>> {
    Some(value.as_str()?.as_bytes().to_vec())
}

/// The size, if `object` has one; `None` if it is not a number.
fn size(object: &Map<String, Value>) -> Option<Option<u64>> {
    match object.get("size") {
        None | Some(Value::Null) => Some(None),
        Some(size) => size.as_u64().map(Some),
    }
}
