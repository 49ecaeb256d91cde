//! Lock files that name packages' files: `Cargo.lock`, `poetry.lock`, `uv.lock` and `pylock.toml`.
//!
//! ```text
//! list    = *( key "=" value ) *( package / table ) ; TOML, without strings of several lines
//! package = ( "[[package]]" / "[[packages]]" ) *( key "=" value ) *part
//! part    = "[package." .. / "[[packages." ..   ; tables in it
//! file    = ( "file" / "name" / "url" ) and ( "hash" / "hashes" ) ; in "files", "wheels", "sdist" or
//!                                               ; "archive"
//!         / "name" "version" "checksum"         ; NAME-VERSION.crate
//! ```

use serde_json::{Map, Value};

use super::{Dialect, File, Reading, Row, cut, lines, unpercent};
use crate::lists::Fault;

struct Lock;

/// Brackets that may be open at a time; these tools need four.
const DEEPEST: usize = 16;

const PACKAGES: [&[u8]; 2] = [b"[[package]]", b"[[packages]]"];

pub(super) const ROW: Row = Row {
    opens: |line, _| is_package(line).then(|| Box::new(Lock) as _),
    #[cfg(test)]
    sample: "version = 1\n\n[[package]]\nname = \"x\"\nfiles = [\n    {file = \"f\", hash = \
             \"md5:900150983cd24fb0d6963f7d28e17f72\"},\n    # of\n]\n\n[[package]]\n\
             sdist = { url = \"http://example.org/g?x\", size = 4, hashes = { md5 = \
             \"e2fc714c4727ee9395f324cd2e7f331f\" } }\n",
};

fn is_package(line: &[u8]) -> bool {
    PACKAGES.contains(&line.trim_ascii())
}

impl Dialect for Lock {
    fn is_comment(&self, _: &[u8]) -> bool {
        false
    }
    fn goes_on(&mut self, _: &[u8], line: &[u8]) -> bool {
        let parts: [&[u8]; 4] = [b"[package.", b"[packages.", b"[[package.", b"[[packages."];
        !line.starts_with(b"[") || parts.iter().any(|part| line.starts_with(part))
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Reading<File<'r>> {
        let Some(package) = (Toml { rest: record, depth: 0 }).package() else {
            return Reading::Malformed;
        };
        let mut files = Vec::new();
        if let Some(text) = package.get("checksum").and_then(Value::as_str) {
            let of = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default();
            let name = format!("{}-{}.crate", of("name"), of("version"));
            files.push(Ok(File::new(name.into_bytes(), b"SHA256", text.as_bytes().to_vec())));
        }
        for value in
            ["files", "wheels", "sdist", "archive"].iter().filter_map(|key| package.get(*key))
        {
            let all = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            files
                .extend(all.iter().map(|it| it.as_object().and_then(file).ok_or(Fault::Malformed)));
        }
        let is_package = lines(record).next().is_some_and(is_package);
        match (is_package, files.is_empty()) {
            (true, false) => Reading::Files(files),
            _ => Reading::Structure,
        }
    }
}
fn file<'r>(object: &Map<String, Value>) -> Option<File<'r>> {
    let of = |key: &str| object.get(key).and_then(Value::as_str).map(str::as_bytes);
    let of_url = || {
        let path = of("url")?.split(|byte| matches!(byte, b'?' | b'#')).next()?;
        unpercent(path.rsplit(|byte| *byte == b'/').next()?)
    };
    let name = of("name").or_else(|| of("file")).map(<[u8]>::to_vec).or_else(of_url)?;
    let hashes = object.get("hashes").and_then(Value::as_object).into_iter().flatten();
    let hashes = hashes.filter_map(|(tag, text)| Some((tag.as_bytes(), text.as_str()?.as_bytes())));
    let hash = of("hash").map(|hash| cut(hash, b":"));
    let digests = hashes.map(Some).chain(hash).map(|it| {
        let (tag, text) = it?;
        Some((Some(tag.to_vec().into()), text.to_vec().into()))
    });
    let size = object.get("size").and_then(Value::as_u64);
    Some(File { name, digests: digests.collect::<Option<_>>()?, size, ..File::default() })
}

/// A reader of TOML, as far as these tools write it.
struct Toml<'t> {
    rest: &'t [u8],
    /// How many brackets are open.
    depth: usize,
}

impl<'t> Toml<'t> {
    /// The table of a package, with the tables in it.
    fn package(mut self) -> Option<Map<String, Value>> {
        let (mut package, mut path) = (Value::Object(Map::new()), Vec::new());
        while self.blanks(true) {
            if self.rest.starts_with(b"[") {
                let line = self.until(b"\n").trim_ascii_end();
                let name = line.strip_prefix(b"[")?.strip_suffix(b"]")?;
                let array = name.strip_prefix(b"[").and_then(|it| it.strip_suffix(b"]"));
                let names = str::from_utf8(array.unwrap_or(name)).ok()?;
                path = names.split('.').skip(1).map(str::to_owned).collect();
                if array.is_some() && !path.is_empty() {
                    let (last, above) = path.split_last()?;
                    let all = table(&mut package, above)?
                        .entry(last.clone())
                        .or_insert_with(|| Value::Array(Vec::new()));
                    all.as_array_mut()?.push(Value::Object(Map::new()));
                }
            } else {
                let (key, value) = self.pair()?;
                table(&mut package, &path)?.insert(key, value);
            }
        }
        match package {
            Value::Object(package) => Some(package),
            _ => None,
        }
    }

    fn pair(&mut self) -> Option<(String, Value)> {
        let key = match self.rest.first()? {
            b'"' | b'\'' => self.string()?,
            _ => String::from_utf8(self.until(b"= \t\n").to_vec()).ok()?,
        };
        self.blanks(false);
        self.rest = self.rest.strip_prefix(b"=")?;
        self.blanks(false);
        Some((key, self.value()?))
    }

    fn value(&mut self) -> Option<Value> {
        Some(match self.rest.first()? {
            b'"' | b'\'' => self.string()?.into(),
            b'{' => {
                let mut object = Map::new();
                self.each(b'}', |toml| {
                    let (key, value) = toml.pair()?;
                    object.insert(key, value);
                    Some(())
                })?;
                object.into()
            }
            b'[' => {
                let mut all = Vec::new();
                self.each(b']', |toml| {
                    all.push(toml.value()?);
                    Some(())
                })?;
                all.into()
            }
            // a number, a time or a truth
            _ => {
                let text = str::from_utf8(self.until(b",]}# \t\r\n")).ok()?;
                text.parse::<u64>().map_or_else(|_| text.into(), Value::from)
            }
        })
    }

    /// Reads what stands between brackets, with commas between.
    fn each(&mut self, end: u8, mut read: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.rest = &self.rest[1..];
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        loop {
            self.blanks(true);
            let (first, rest) = self.rest.split_first()?;
            if *first == end {
                self.rest = rest;
                self.depth -= 1;
                return Some(());
            }
            read(self)?;
            self.blanks(true);
            match self.rest.split_first()? {
                (b',', rest) => self.rest = rest,
                (first, _) if *first == end => {}
                _ => return None,
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let quote = *self.rest.first()?;
        let mut is_escaped = false;
        let len = self.rest[1..].iter().position(|byte| {
            let is_end = *byte == quote && !is_escaped;
            is_escaped = *byte == b'\\' && quote == b'"' && !is_escaped;
            is_end
        })? + 2;
        let (text, rest) = self.rest.split_at(len);
        self.rest = rest;
        match quote {
            b'"' => serde_json::from_slice(text).ok(),
            _ => String::from_utf8(text[1..len - 1].to_vec()).ok(),
        }
    }

    /// Takes the bytes before one of `ends`.
    fn until(&mut self, ends: &[u8]) -> &'t [u8] {
        let len = self.rest.iter().position(|byte| ends.contains(byte)).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(len);
        self.rest = rest;
        text
    }

    /// Passes over blanks, and over comments and ends of lines. Returns whether anything is left.
    fn blanks(&mut self, ends: bool) -> bool {
        while let Some(byte) = self.rest.first() {
            match byte {
                b'#' if ends => _ = self.until(b"\n"),
                b' ' | b'\t' => self.rest = &self.rest[1..],
                b'\n' | b'\r' if ends => self.rest = &self.rest[1..],
                _ => return true,
            }
        }
        false
    }
}

/// The table at `path` in `value`; of an array the last one.
fn table<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Map<String, Value>> {
    let mut object = value.as_object_mut()?;
    for name in path {
        let inner = object.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
        object = match inner {
            Value::Array(all) => all.last_mut()?,
            inner => inner,
        }
        .as_object_mut()?;
    }
    Some(object)
}
