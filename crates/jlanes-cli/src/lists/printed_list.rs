//! [`is_list`]: whether a file that `--output` would overwrite is a list that `jlanes-sum` printed.
//!
//! A mistyped name must not cost the user a file of another kind. So the test is strict: every line must be one
//! of a printed format, and one of them must have a digest, or a comment that only `jlanes-sum` writes. A list
//! that is not recognized costs the user `--force`.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, BufRead, BufReader},
};

use jlanes_files::{
    Computation,
    lists::{self, HASHDEEP_MAGIC, MAX_LINE_BYTES, from_base64, is_mtree, is_sfv, read_line},
};
use serde_json::Value;

use crate::hash::ComputationName;

/// The length in bytes from which base64 is surely a digest. A shorter word is one only if a wanted
/// digest has its length.
const MIN_CLEAR_BYTES: usize = 16;

/// Comments that we print: the start of each, and a text somewhere behind it.
const OURS: [(&[u8], &[u8]); 3] =
    [(b"# jlanes-sum --update, ", b" as of "), (b"# summary: ", b" groups, "), (b"#mtree", b"")];

/// Whether the file at `path` is a list, possibly with digests of `computations`: every line is one of
/// a list, and at least one has a digest or is a printed comment. A digest alone, which may be a key, counts
/// only with `no_names`.
///
/// # Errors
/// The system's.
pub(crate) fn is_list(
    path: &OsStr,
    computations: &[Computation],
    no_names: bool,
) -> io::Result<bool> {
    let mut reader = BufReader::with_capacity(32 << 10, File::open(path)?);
    let end = if reader.fill_buf()?.contains(&0) { 0 } else { b'\n' };
    let lens: Vec<_> = computations.iter().map(Computation::output_size).collect();
    let has_checksums = computations.iter().any(|it| matches!(it, Computation::Checksum(_)));
    let mut form = None;
    let (mut is_ours, mut has_digest) = (false, false);
    let mut line = Vec::new();
    let mut first = true;
    while let Some(is_truncated) = read_line(&mut reader, end, MAX_LINE_BYTES, &mut line)? {
        if is_truncated || (std::mem::take(&mut first) && line.starts_with(b"#!")) {
            return Ok(false);
        }
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if line.is_empty() || line.starts_with(b"#") {
            let has =
                |part: &[u8]| part.is_empty() || line.windows(part.len()).any(|at| at == part);
            is_ours |= OURS.iter().any(|(begin, part)| line.starts_with(begin) && has(part));
            continue;
        }
        let form = form.get_or_insert_with(|| ListForm::of(line));
        let is_alone = matches!(form, ListForm::Sums) && !line.contains(&b' ');
        match form.digests(line, &lens, has_checksums).filter(|_| no_names || !is_alone) {
            None => return Ok(false),
            Some(digests) => has_digest |= digests,
        }
    }
    Ok(has_digest || (form.is_none() && is_ours))
}

/// Whether `text` is JSON that `aws s3api` prints about an object or its parts.
pub(super) fn is_of_s3(text: &[u8]) -> bool {
    let has = |key: &str| text.windows(key.len()).any(|window| window == key.as_bytes());
    text.trim_ascii_start().starts_with(b"{") && (has("\"ETag\"") || has("\"Checksum"))
}

/// The format of the list, by its first line.
enum ListForm {
    Sums,
    Json,
    Hashdeep,
    Mtree,
}

impl ListForm {
    fn of(first: &[u8]) -> Self {
        match first {
            HASHDEEP_MAGIC => Self::Hashdeep,
            [b'{', ..] => Self::Json,
            _ if is_mtree(first) && first.contains(&b'=') && !is_tagged(first) => Self::Mtree,
            _ => Self::Sums,
        }
    }

    /// `None` if `line` is not of this format; otherwise whether it proves, mostly by a digest, that this is a list.
    fn digests(&self, line: &[u8], lens: &[usize], has_checksums: bool) -> Option<bool> {
        match self {
            // the first line of the list is proof enough
            Self::Hashdeep => (line.starts_with(b"%%%% ") || line.contains(&b',')).then_some(true),
            Self::Json => {
                let object: Value = serde_json::from_slice(line).ok()?;
                let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                let is_digest = |text: &str| {
                    decode_digest(text.as_bytes()).is_some_and(|digest| !digest.is_empty())
                        || (has_checksums && is_number(text))
                };
                let has_digest = match object.get("digest") {
                    Some(Value::String(text)) => is_digest(text),
                    // a file that could not be read
                    Some(Value::Null) => object.get("error").is_some_and(Value::is_string),
                    _ => false,
                };
                let algorithm = object.get("algorithm").and_then(Value::as_str);
                let is_entry = object.get("name").or(object.get("names")).is_some()
                    && has_digest
                    && algorithm.is_some_and(|name| ComputationName::parse(name).is_ok());
                let wasted = object.get("summary").and_then(|summary| summary.get("bytes wasted"));
                (is_entry || wasted.is_some_and(Value::is_u64)).then_some(true)
            }
            Self::Mtree => {
                let is_part = line.contains(&b'=') || line == b".." || line.ends_with(b"\\");
                let mut words = line.split(|byte| matches!(byte, b' ' | b'\t'));
                is_part.then(|| words.any(is_digest_of_mtree))
            }
            Self::Sums => {
                let is_sum = is_tagged(line)
                    || is_untagged(line, lens, has_checksums)
                    || (has_checksums && is_sfv(line));
                is_sum.then_some(true)
            }
        }
    }
}

/// Whether `word` is an mtree keyword of a digest, with a digest.
fn is_digest_of_mtree(word: &[u8]) -> bool {
    let mut parts = word.splitn(2, |byte| *byte == b'=');
    let key = parts.next().and_then(|key| str::from_utf8(key).ok()).unwrap_or_default();
    let is_hash = ComputationName::parse(key.strip_suffix("digest").unwrap_or(key)).is_ok();
    let value = parts.next().and_then(|value| hex::decode(value).ok());
    (is_hash || key.starts_with("rmd160"))
        && value.is_some_and(|value| value.len() >= MIN_CLEAR_BYTES)
}

fn is_tagged(line: &[u8]) -> bool {
    let tag = lists::tag(line).and_then(|tag| str::from_utf8(tag).ok());
    // base64 may end with the sign, too
    let digest = line.windows(2).rposition(|at| at == b"= ").map(|at| &line[at + 2..]);
    tag.is_some_and(|tag| ComputationName::parse(tag).is_ok())
        && line.contains(&b'(')
        && digest.and_then(decode_digest).is_some_and(|digest| !digest.is_empty())
}

/// Decodes a digest in any spelling.
fn decode_digest(text: &[u8]) -> Option<Vec<u8>> {
    // fsverity and Go put a name and a colon before digests
    let text = &text[text.iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1)..];
    // S3's digests end with a number of parts
    let s3 = text.iter().rposition(|byte| *byte == b'-').map(|at| &text[..at]);
    let base64 = |text: &[u8]| hex::decode(text).ok().or_else(|| from_base64(text));
    base64(text).or_else(|| base64(s3?))
}

/// Whether `line` may begin with a digest.
fn is_untagged(line: &[u8], lens: &[usize], has_checksums: bool) -> bool {
    let line = line.strip_prefix(b"\\").unwrap_or(line);
    let (text, rest) = line.split_at(line.iter().position(|at| *at == b' ').unwrap_or(line.len()));
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let mut fields = rest.split(|byte| *byte == b' ').filter(|field| !field.is_empty());
    if has_checksums && is_number(text) && fields.next().is_some_and(is_number) {
        return true;
    }
    // we print one blank before a name only after a prefixed digest; git's logs have one after
    // identifiers
    let is_ours = matches!(rest, [] | [b' ', b' ' | b'*', ..]) || text.contains(&b':');
    // without a name, it may be any text in base64
    let is_clear = |bytes: &Vec<u8>| !rest.is_empty() && bytes.len() >= MIN_CLEAR_BYTES;
    let has_len = |bytes: Vec<u8>| lens.contains(&bytes.len()) || is_clear(&bytes);
    is_ours && decode_digest(text).is_some_and(has_len)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use jlanes::Algorithm;

    use super::*;

    fn is_one(text: &[u8]) -> bool {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text).unwrap();
        is_list(file.path().as_os_str(), &[Algorithm::SHA256.into()], true).unwrap()
    }

    #[test]
    fn lists_are_distinguished_from_other_files() {
        let hex = "ab".repeat(32);
        let base64 = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=";
        for text in [
            format!("{hex}  f\n"),
            format!("{hex} *f\r\n"),
            format!("\\{hex}  f\\n\n"),
            format!("{hex}\n"),
            // a digest of another hash
            format!("{}  f\n", "ab".repeat(20)),
            format!("{base64}  f\n"),
            format!("{hex}  f\0{hex}  g\nh\0"),
            format!("SHA256 (f) = {hex}\n"),
            format!("HMAC-SHA256 (f) = {hex}\n"),
            format!("SHA256(f)= {hex}\n"),
            format!("sha256:{hex} f\n"),
            format!("h1:{base64}  d\n"),
            format!("S3-SHA256:5 (f) = {base64}-2\n"),
            format!("{base64}-2  f\n"),
            format!("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n## x\n1,{hex},f\n"),
            format!("#mtree\n./f type=file size=1 sha256digest={hex}\n"),
            format!("/set type=file\n. type=dir\nf sha256digest={hex}\n..\n"),
            format!("{{\"name\":\"f\",\"algorithm\":\"sha1\",\"digest\":\"{hex}\"}}\n"),
            "{\"name\":\"f\",\"algorithm\":\"sha1\",\"digest\":null,\"error\":\"x\"}\n".to_owned(),
            "{\"summary\":{\"groups\":0,\"files\":0,\"bytes wasted\":0}}\n".to_owned(),
            "#mtree\n".to_owned(),
            format!("#mtree\n. type=dir\n./f \\\n    size=1 sha512={hex}\n"),
            "# jlanes-sum --update, files as of 1.000000000\n".to_owned(),
            "# summary: 0 groups, 0 files, 0 bytes wasted\n".to_owned(),
        ] {
            assert!(is_one(text.as_bytes()), "{text}");
        }
        for text in [
            "#!/bin/sh\n# nothing else\n".to_owned(),
            "# notes\n".to_owned(),
            "\n".to_owned(),
            "the type of this=that\nis text\n".to_owned(),
            "deadbeef is a word\n".to_owned(),
            // git's log, and SSH's known hosts
            format!("{hex} Mend the reader\n"),
            format!("{base64} me@host\n"),
            format!("{hex}  f\nand more\n"),
            format!("-----BEGIN PGP SIGNED MESSAGE-----\n\n{hex}  f\n"),
            "1 2 f\n".to_owned(),
            // checksums were not asked for
            "f 352441C2\n".to_owned(),
            "{\"name\":\n".to_owned(),
            "{}\n".to_owned(),
            "{\"name\":\"ann\",\"age\":3}\n".to_owned(),
            "{\"name\":\"ann\",\"digest\":\"weekly\"}\n".to_owned(),
            "{\"name\":\"ann\",\"digest\":null}\n".to_owned(),
            "{\"names\":[\"ann\",\"bob\"]}\n".to_owned(),
            "{\"name\":\"Ann\",\"email\":\"a@b\"}\n".to_owned(),
            "{\"name\":\"f\",\"algorithm\":\"quick\",\"digest\":\"a summary\"}\n".to_owned(),
            "{\"name\":\"f\",\"algorithm\":\"sha256\",\"digest\":\"a summary\"}\n".to_owned(),
            "{\"summary\":\"of an article\"}\n".to_owned(),
            format!("{{\"name\":\"f\",\"digest\":\"{hex}\"}}\n{{\"name\":\"ann\"}}\n"),
            "[{\"name\":\"f\"}]\n".to_owned(),
            "name,sha256\n".to_owned(),
            format!("| file | digest |\n| f | {hex} |\n"),
            "#mtree\n/set type=file uid=0\n. type=dir\n./f size=1 mode=0644\n".to_owned(),
            "an image type=png\nof=this\n".to_owned(),
            "# summary: of the year\n# jlanes-sum is a program\n".to_owned(),
            "\n\n# notes\n\n".to_owned(),
            "SHA256 (f) is what it was\n".to_owned(),
            // base64 text without names
            format!("{}\n{}\n", "QUJD".repeat(19), "QUJD".repeat(5)),
            "\0\0\0".to_owned(),
            "x".repeat(MAX_LINE_BYTES + 1),
        ] {
            assert!(!is_one(text.as_bytes()), "{text:.80}");
        }
    }
}
