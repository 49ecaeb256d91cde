//! Lock files of package managers as lists: `Cargo.lock`, `poetry.lock`, `uv.lock` and `pylock.toml`.
//!
//! Their digests are those of downloaded archives, so that a directory of them can be checked. A record is a
//! package, from its header to the next one; all four formats are read by one small reader of TOML, which knows
//! what these tools write and refuses a package with anything else.
//!
//! ```text
//! list    = *( key "=" value ) *table           ; TOML, without strings of several lines
//! table   = ( "[[package]]" / "[[packages]]" / header ) *( key "=" value ) *part
//! part    = ( "[package." / "[[packages." ) ..  ; the tables inside
//! file    = ( "file" / "name" / "url" ), "hash" / "hashes" ; in "files", "wheels", "sdist", "archive"
//!         / "name", "version", "checksum"       ; of NAME-VERSION.crate
//! older   = "[[distribution]]" ..               ; uv
//!         / "[metadata]" *( "checksum NAME VERSION (SOURCE)" "=" ( digest / "<none>" ) ) ; Cargo, until 2020
//!         / "[metadata.files]" *( key "=" files )  ; Poetry 1
//! ```
//!
//! Poetry before 1 has `[metadata.hashes]` without file names, which is refused.

use serde_json::{Map, Value, json};

use super::{Dialect, KnownDialect, Meaning, SpelledFile, number, percent_decode, split_once};
use crate::lists::Fault;

struct LockFile;

/// The maximum number of names in a table's header; these formats need three.
const MAX_NAMES: usize = 8;

/// The keys of files.
const FILES: [&str; 4] = ["files", "wheels", "sdist", "archive"];

const PACKAGES: [&[u8]; 3] = [b"[[package]]", b"[[packages]]", b"[[distribution]]"];

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| PACKAGES.contains(&line).then(|| Box::new(LockFile) as _),
    #[cfg(test)]
    sample: "version = 1\n\n[[package]]\nname = \"x\"\nfiles = [\n    {file = \"f\", hash = \
             \"md5:900150983cd24fb0d6963f7d28e17f72\"},\n    # of\n]\n\n[[package]]\n\
             sdist = { url = \"http://example.org/g?x\", size = 4, hashes = { md5 = \
             \"e2fc714c4727ee9395f324cd2e7f331f\" } }\n",
};

impl Dialect for LockFile {
    /// No comments: `#` may be inside a string.
    fn is_comment(&self, _: &[u8]) -> bool {
        false
    }

    fn continues(&mut self, _: &[u8], line: &[u8]) -> bool {
        let parts: [&[u8]; 4] = [b"[package.", b"[packages.", b"[[package.", b"[[packages."];
        !line.starts_with(b"[") || parts.iter().any(|part| line.starts_with(part))
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        let Some(table) = tables(record) else { return Meaning::Malformed };
        let mut files = Vec::new();
        let mut add = |value: &Value| {
            let objects = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            let file = |object: &Value| object.as_object().and_then(file).ok_or(Fault::Malformed);
            files.extend(objects.iter().map(file));
        };
        let by_package = |key: &str| table.get(key).and_then(Value::as_object);
        match by_package("files") {
            Some(files) => files.values().for_each(&mut add),
            None => table.get("files").into_iter().for_each(&mut add),
        }
        FILES[1..].iter().filter_map(|key| table.get(*key)).for_each(add);
        let of = |key: &str| table.get(key).and_then(Value::as_str);
        if let Some(digest) = of("checksum") {
            let file = || Some(crate_file(of("name")?, of("version")?, digest));
            files.push(file().ok_or(Fault::Malformed));
        }
        for (key, digest) in &table {
            let Some(of) = key.strip_prefix("checksum ") else { continue };
            let words: Vec<_> = of.split(' ').collect();
            match (&words[..], digest.as_str()) {
                (_, Some("<none>")) => {}
                ([name, version, _], Some(digest)) => {
                    files.push(Ok(crate_file(name, version, digest)));
                }
                _ => files.push(Err(Fault::Malformed)),
            }
        }
        let why = || Fault::Refused("digests without the names of their files".to_owned());
        files.extend(by_package("hashes").into_iter().flatten().map(|_| Err(why())));
        Meaning::of(files)
    }
}

/// The file of a Cargo package.
fn crate_file<'r>(name: &str, version: &str, digest: &str) -> SpelledFile<'r> {
    let name = format!("{name}-{version}.crate");
    SpelledFile::new(name.into_bytes(), b"SHA256", digest.as_bytes().to_vec())
}

fn file<'r>(object: &Map<String, Value>) -> Option<SpelledFile<'r>> {
    let of = |key: &str| object.get(key).and_then(Value::as_str).map(str::as_bytes);
    let of_url = || {
        let path = of("url")?.split(|byte| matches!(byte, b'?' | b'#')).next()?;
        percent_decode(path.rsplit(|byte| *byte == b'/').next()?)
    };
    let name = of("name").or_else(|| of("file")).map(<[u8]>::to_vec).or_else(of_url)?;
    let hashes = object.get("hashes").and_then(Value::as_object).into_iter().flatten();
    let hashes = hashes.map(|(tag, text)| Some((tag.as_bytes(), text.as_str()?.as_bytes())));
    let digests = hashes.chain(of("hash").map(|hash| split_once(hash, b":"))).map(|it| {
        let (tag, text) = it?;
        Some((Some(tag.to_vec().into()), text.to_vec().into()))
    });
    let digests = digests.collect::<Option<_>>()?;
    Some(SpelledFile { name, digests, size: of("size").and_then(number), ..SpelledFile::default() })
}

/// The table of a package, with the tables inside it.
fn tables(text: &[u8]) -> Option<Map<String, Value>> {
    let mut package = Map::new();
    let (mut path, mut unread) = (Vec::new(), text);
    loop {
        let len = unread.windows(2).position(|window| window == b"\n[").unwrap_or(unread.len());
        let (inner, after) = unread.split_at(len);
        let (line, pairs) = match inner.strip_prefix(b"[") {
            Some(_) => inner.split_at(inner.iter().position(|byte| *byte == b'\n').unwrap_or(len)),
            None => (&b""[..], inner),
        };
        let (names, is_array) = if line.is_empty() { ("", false) } else { header(line)? };
        path.clear();
        // of Poetry, outside packages
        path.extend(names.split('.').skip(usize::from(names != "extras")));
        if path.len() > MAX_NAMES {
            return None;
        }
        let table = table(&mut package, &path, is_array)?;
        for (key, value) in object(pairs)? {
            // a second value would replace the first
            if table.insert(key, value).is_some() {
                return None;
            }
        }
        match after.split_first() {
            Some((_, after)) => unread = after,
            None => return Some(package),
        }
    }
}

/// The names in a table's header, and whether the table is in an array. Only a comment may be next to it:
/// a pair would be lost.
fn header(line: &[u8]) -> Option<(&str, bool)> {
    let is_array = line.starts_with(b"[[");
    let (begin, end): (&[u8], &[u8]) = if is_array { (b"[[", b"]]") } else { (b"[", b"]") };
    let (unread, mut len) = (line.strip_prefix(begin)?, 0);
    loop {
        len += match unread.get(len)? {
            b']' => break,
            b'[' | b'=' | b'#' => return None,
            b'"' | b'\'' => string_len(&unread[len..])?,
            _ => 1,
        };
    }
    let (names, after) = unread.split_at(len);
    let after = after.strip_prefix(end)?.trim_ascii();
    let is_all = after.is_empty() || after.starts_with(b"#");
    is_all.then_some((str::from_utf8(names).ok()?, is_array))
}

/// The table at `path`; in an array, the last table or a new one after it.
fn table<'v>(
    object: &'v mut Map<String, Value>,
    path: &[&str],
    is_array: bool,
) -> Option<&'v mut Map<String, Value>> {
    let Some((name, path)) = path.split_first() else { return Some(object) };
    let begins = is_array && path.is_empty();
    let inner = object.entry(*name).or_insert_with(|| if begins { json!([]) } else { json!({}) });
    if begins {
        inner.as_array_mut()?.push(json!({}));
    }
    let inner = match inner {
        Value::Array(all) => all.last_mut()?,
        inner => inner,
    };
    table(inner.as_object_mut()?, path, is_array)
}

/// The pairs in `text`, converted through JSON. Numbers, times and booleans become strings.
fn object(text: &[u8]) -> Option<Map<String, Value>> {
    let (mut json, mut depth, mut pairs, mut unread) = (vec![b'{'], 0_u32, 0, text);
    while let Some(byte) = unread.first() {
        let ends: &[u8] = match byte {
            b'"' | b'\'' => &[],
            b'#' => b"\n",
            _ => b" \t\r\n,=[]{}#\"'",
        };
        let len = match byte {
            b'"' | b'\'' => string_len(unread)?,
            _ => unread.iter().position(|end| ends.contains(end)).unwrap_or(unread.len()).max(1),
        };
        let (token, after) = unread.split_at(len);
        unread = after;
        match byte {
            b' ' | b'\t' | b'\r' | b'#' => {}
            b'"' | b',' => json.extend(token),
            b'=' => {
                pairs += 1;
                json.push(b':');
            }
            b'\n' if depth > 0 || json.ends_with(b",") || json.len() == 1 => {}
            b'\n' => json.push(b','),
            b'[' | b'{' => {
                depth += 1;
                json.push(*byte);
            }
            b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                json.truncate(json.len() - usize::from(json.ends_with(b",")));
                json.push(*byte);
            }
            b'\'' => {
                json.extend(serde_json::to_vec(str::from_utf8(&token[1..len - 1]).ok()?).ok()?);
            }
            _ => json.extend(serde_json::to_vec(str::from_utf8(token).ok()?).ok()?),
        }
    }
    json.truncate(json.len() - usize::from(json.ends_with(b",")));
    json.push(b'}');
    let object = serde_json::from_slice(&json).ok()?;
    match object {
        _ if depth > 0 || count_pairs(&object) != pairs => None,
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// The number of pairs in `value` and below it.
pub(super) fn count_pairs(value: &Value) -> usize {
    match value {
        Value::Object(object) => object.len() + object.values().map(count_pairs).sum::<usize>(),
        Value::Array(all) => all.iter().map(count_pairs).sum(),
        _ => 0,
    }
}

/// The length of the string that `text` begins with.
fn string_len(text: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    let end = text[1..].iter().position(|byte| {
        let is_end = *byte == text[0] && !is_escaped;
        is_escaped = *byte == b'\\' && text[0] == b'"' && !is_escaped;
        is_end
    })?;
    Some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Option<Vec<String>> {
        let name = |file: SpelledFile<'_>| String::from_utf8(file.name).unwrap();
        match LockFile.read(text.as_bytes()) {
            Meaning::Files(files) => {
                Some(files.into_iter().map(|it| it.map_or("?".to_owned(), name)).collect())
            }
            Meaning::File(file) => Some(vec![name(file)]),
            Meaning::Malformed => None,
            _ => Some(Vec::new()),
        }
    }

    #[test]
    fn files_are_in_arrays_and_in_tables() {
        let found = names(
            "[[packages]]\nname = 'x' # of\nsdist.url = 'y'\n\n[[packages.wheels]]\nname = 'a.whl'\n\
             upload-time = 2025-01-25T11:30:10.164985+00:00\nsize = 3\n[packages.wheels.hashes]\n\
             sha256 = '0a'\n[[packages.wheels]]\nurl = \"http://x/b%2B1.whl\"\n\
             hashes = { sha256 = '0a', }\n[packages.archive]\nname = \"\\u0063\"\nhash = 'sha256:0a'",
        );
        assert_eq!(found.unwrap(), ["a.whl", "b+1.whl", "c"]);
        let found =
            names("[[package]]\nfiles = [{file = \"a\", hash = \"md5:00\"},\n  {file = \"b\"}]");
        assert_eq!(found.unwrap(), ["a", "b"]);
        let found =
            names("[[package]]\nfiles = [{hash = \"md5:00\"}, \"b\", {file = 'c', hash = 'd'}]");
        assert_eq!(found.unwrap(), ["?", "?", "?"]);
        assert_eq!(names("version = 1\nx = [\n  'a',\n]").unwrap(), [""; 0]);
    }

    #[test]
    fn older_versions_have_digests_at_the_end() {
        let found = names(
            "[metadata]\ncontent-hash = \"0a\"\n\"checksum a 1.0.0 (registry+https://x)\" = \"0a\"\n\
             \"checksum b 1.0.0 (git+https://x)\" = \"<none>\"\n\"checksum c\" = \"0a\"",
        );
        assert_eq!(found.unwrap(), ["a-1.0.0.crate", "?"]);
        let found = names(
            "[metadata.files]\na = [\n    {file = \"a.whl\", hash = \"sha256:0a\"},\n    \
             {file = \"a.tar.gz\", hash = \"sha256:0a\"},\n]\nb = []",
        );
        assert_eq!(found.unwrap(), ["a.whl", "a.tar.gz"]);
        let found =
            names("[[distribution]]\nwheels = [{url = 'http://x/a.whl', hash = 'sha256:0a'}]");
        assert_eq!(found.unwrap(), ["a.whl"]);
        assert_eq!(names("[metadata.hashes]\na = [\"0a\", \"0b\"]\nb = []").unwrap(), ["?", "?"]);
    }

    #[test]
    fn invalid_toml_is_malformed() {
        let package = |text: &str| names(&format!("[[package]]\n{text}"));
        for text in [
            "rubbish",
            "a = ",
            "= 'a'",
            "a = 'b' 'c'",
            "a = [",
            "a = ]",
            "a = {b = 'c'",
            "a = \"b",
            "a = {b = [}]",
            "files = []\nfiles = []",
            "files = [{file = 'a', file = 'b'}]",
            "a = 'b'\n[package]\na = 'b'",
            "a = 'b'\n[[package.a]]",
            "[package.a] b = 'c'",
            "[package.a # ]",
            "[[package]] files = [{file = 'a', hash = 'md5:00'}]",
            "[package.a] b = ['c']",
            "[package.\"'\"] b = ['c']",
            "[package.a = ['c']",
            "[[package.a]",
            "[package.a]]",
            "[package.[a]]",
        ] {
            assert_eq!(package(text), None, "{text}");
        }
        for deep in ["[", "{a = "] {
            assert_eq!(package(&format!("a = {}", deep.repeat(1 << 16))), None);
        }
        assert_eq!(package(&format!("[package{}]", ".a".repeat(1 << 16))), None);
    }
}
