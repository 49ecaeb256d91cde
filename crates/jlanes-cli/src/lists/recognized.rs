//! Recognizes the lists that `jlanes-sum` prints: it overwrites no other files with a list.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, BufRead, BufReader},
};

use jlanes_files::lists::{self, HASHDEEP, LONGEST_LINE, from_base64, is_mtree, is_sfv, read_line};
use serde_json::Value;

use crate::hash::{Named, Scheme};

/// A word that decodes to fewer bytes is a digest only if a wanted digest has this length.
const CLEARLY: usize = 16;

/// How printed comments begin.
const OURS: [&[u8]; 3] = [b"# jlanes-sum ", b"# summary: ", b"#mtree"];

/// Whether the file at `path` is a list, perhaps of digests by `schemes`: all lines are those of lists,
/// and at least one is either no comment or a comment that is printed.
///
/// # Errors
/// The system's.
pub(crate) fn is_list(path: &OsStr, schemes: &[Scheme]) -> io::Result<bool> {
    let mut reader = BufReader::with_capacity(32 << 10, File::open(path)?);
    let end = if reader.fill_buf()?.contains(&0) { 0 } else { b'\n' };
    let lens: Vec<_> = schemes.iter().map(Scheme::output_size).collect();
    let has_checksums = schemes.iter().any(|scheme| matches!(scheme, Scheme::Checksum(_)));
    let mut form = None;
    let mut is_ours = false;
    let mut line = Vec::new();
    let mut first = true;
    while let Some(is_longer) = read_line(&mut reader, end, LONGEST_LINE, &mut line)? {
        if is_longer || (std::mem::take(&mut first) && line.starts_with(b"#!")) {
            return Ok(false);
        }
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if line.is_empty() || line.starts_with(b"#") {
            is_ours |= OURS.iter().any(|ours| line.starts_with(ours));
            continue;
        }
        let form = form.get_or_insert_with(|| Form::of(line));
        if !form.has(line, &lens, has_checksums) {
            return Ok(false);
        }
    }
    Ok(form.is_some() || is_ours)
}

/// The tool that wrote the list, by its first line.
enum Form {
    Sums,
    Json,
    Hashdeep,
    Mtree,
}

impl Form {
    fn of(first: &[u8]) -> Self {
        match first {
            HASHDEEP => Self::Hashdeep,
            [b'{', ..] => Self::Json,
            _ if is_mtree(first) && first.contains(&b'=') && !is_tagged(first) => Self::Mtree,
            _ => Self::Sums,
        }
    }

    fn has(&self, line: &[u8], lens: &[usize], has_checksums: bool) -> bool {
        match self {
            Self::Hashdeep => line.starts_with(b"%%%% ") || line.contains(&b','),
            Self::Json => is_json(line, lens),
            Self::Mtree => line.contains(&b'=') || line == b".." || line.ends_with(b"\\"),
            Self::Sums => {
                is_tagged(line)
                    || is_untagged(line, lens, has_checksums)
                    || (has_checksums && is_sfv(line))
            }
        }
    }
}

/// Whether `line` is an object that is printed: other objects have names, too, but no digests.
fn is_json(line: &[u8], lens: &[usize]) -> bool {
    let Ok(object) = serde_json::from_slice::<Value>(line) else { return false };
    let has_name = line.starts_with(b"{\"name\":") || line.starts_with(b"{\"names\":");
    match object.get("digest") {
        Some(Value::String(digest)) => has_name && is_untagged(digest.as_bytes(), lens, false),
        // the file could not be read
        Some(Value::Null) => has_name && object.get("error").is_some_and(Value::is_string),
        Some(_) => false,
        None => line.starts_with(b"{\"summary\":{"),
    }
}

fn is_tagged(line: &[u8]) -> bool {
    let tag = lists::tag(line).and_then(|tag| str::from_utf8(tag).ok());
    tag.is_some_and(|tag| Named::parse(tag).is_ok()) && line.contains(&b'(')
}

/// Whether the first word of `line` may be a digest.
fn is_untagged(line: &[u8], lens: &[usize], has_checksums: bool) -> bool {
    let line = line.strip_prefix(b"\\").unwrap_or(line);
    let mut fields = line.split(|byte| *byte == b' ').filter(|field| !field.is_empty());
    let Some(text) = fields.next() else { return false };
    let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    if has_checksums && is_number(text) && fields.next().is_some_and(is_number) {
        return true;
    }
    // behind a colon in fsverity's own lines, and in Go's
    let text = &text[text.iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1)..];
    // S3 has the number of parts behind its digests
    let s3 = text.iter().rposition(|byte| *byte == b'-').map(|at| &text[..at]);
    let bytes = hex::decode(text).ok().or_else(|| from_base64(s3.unwrap_or(text)));
    bytes.is_some_and(|bytes| bytes.len() >= CLEARLY || lens.contains(&bytes.len()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use jlanes::Algorithm;

    use super::*;

    fn is_one(text: &[u8]) -> bool {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text).unwrap();
        is_list(file.path().as_os_str(), &[Algorithm::SHA256.into()]).unwrap()
    }

    #[test]
    fn lists_are_told_from_other_files() {
        let hex = "ab".repeat(32);
        let base64 = "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=";
        for text in [
            format!("{hex}  f\n"),
            format!("{hex} *f\r\n"),
            format!("\\{hex}  f\\n\n"),
            format!("{hex}\n"),
            // of another hash
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
            format!("{{\"name\":\"f\",\"digest\":\"{hex}\"}}\n"),
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
            format!("{hex}  f\nand more\n"),
            format!("-----BEGIN PGP SIGNED MESSAGE-----\n\n{hex}  f\n"),
            "1 2 f\n".to_owned(),
            // nobody asked for checksums
            "f 352441C2\n".to_owned(),
            "{\"name\":\n".to_owned(),
            "{}\n".to_owned(),
            // objects with names and no digests
            "{\"name\":\"ann\",\"age\":3}\n".to_owned(),
            "{\"name\":\"ann\",\"digest\":\"weekly\"}\n".to_owned(),
            "{\"name\":\"ann\",\"digest\":null}\n".to_owned(),
            "{\"names\":[\"ann\",\"bob\"]}\n".to_owned(),
            "{\"summary\":\"of users\"}\n".to_owned(),
            format!("{{\"name\":\"f\",\"digest\":\"{hex}\"}}\n{{\"name\":\"ann\"}}\n"),
            "\0\0\0".to_owned(),
            "x".repeat(LONGEST_LINE + 1),
        ] {
            assert!(!is_one(text.as_bytes()), "{text:.80}");
        }
    }
}
