//! One JSON object a line.

use std::io;

use base64ct::{Base64, Encoding as _};
use serde_json::{Value, json};

use super::reason;

/// Details that only JSON has.
#[derive(Default)]
pub(crate) struct Details<'d> {
    pub(crate) algorithm: Option<String>,
    /// Digests as text.
    pub(crate) expected: Option<String>,
    pub(crate) found: Option<String>,
    pub(crate) error: Option<&'d io::Error>,
    /// The algorithm by which the file has the expected digest, if it is another.
    pub(crate) matches: Option<String>,
    /// Whether the algorithm is broken.
    pub(crate) broken: bool,
}

/// Appends the object of one file. `digest` is the printed form.
pub(crate) fn write(
    name: &[u8],
    size: Option<u64>,
    algorithm: &str,
    digest: Result<String, &io::Error>,
    out: &mut Vec<u8>,
) {
    let (digest, error) = match digest {
        Ok(digest) => (Value::from(digest), Value::Null),
        Err(error) => (Value::Null, Value::from(reason(error))),
    };
    let members = [
        ("name", self::name(name)),
        ("size", Value::from(size)),
        ("algorithm", Value::from(algorithm)),
        ("digest", digest),
        ("error", error),
    ];
    object(&members, out);
    out.push(b'\n');
}

/// Appends the object of files that are equal, each of `size` bytes.
pub(crate) fn group(
    names: &[&[u8]],
    size: u64,
    wasted: u64,
    algorithm: &str,
    digest: String,
    out: &mut Vec<u8>,
) {
    let names: Vec<_> = names.iter().map(|name| self::name(name)).collect();
    let members = [
        ("names", Value::from(names)),
        ("size", Value::from(size)),
        ("wasted", Value::from(wasted)),
        ("algorithm", Value::from(algorithm)),
        ("digest", Value::from(digest)),
    ];
    object(&members, out);
    out.push(b'\n');
}

/// Appends the object of a verdict.
pub(super) fn verdict(
    name: &[u8],
    word: &str,
    from: Option<&[u8]>,
    details: &Details<'_>,
    out: &mut Vec<u8>,
) {
    let Details { algorithm, expected, found, error, matches, broken } = details;
    let mut members = vec![
        ("name", self::name(name)),
        ("algorithm", Value::from(algorithm.as_deref())),
        ("expected", Value::from(expected.as_deref())),
        ("found", Value::from(found.as_deref())),
        ("verdict", Value::from(word)),
        ("from", from.map_or(Value::Null, self::name)),
        ("error", Value::from(error.map(reason))),
    ];
    if let Some(algorithm) = matches {
        members.push(("matches", Value::from(&algorithm[..])));
    }
    if *broken {
        members.push(("broken", Value::from(true)));
    }
    object(&members, out);
    out.push(b'\n');
}

/// Appends the object of a summary, the counts of which are called as verdicts are.
pub(crate) fn summary(counts: &[(&str, u64)], out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"summary\":");
    let members: Vec<_> = counts.iter().map(|(key, count)| (*key, Value::from(*count))).collect();
    object(&members, out);
    out.extend_from_slice(b"}\n");
}

/// Appends an object, with its members in order.
fn object(members: &[(&str, Value)], out: &mut Vec<u8>) {
    let members: Vec<_> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    out.extend_from_slice(format!("{{{}}}", members.join(",")).as_bytes());
}

/// A name as a string, or as its bytes where it is no text.
fn name(name: &[u8]) -> Value {
    match str::from_utf8(name) {
        Ok(text) => Value::from(text),
        Err(_) => json!({ "bytes": Base64::encode_string(name) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_or_exact_bytes() {
        let mut line = Vec::new();
        let algorithm = "sha256";
        write("a\"\n\u{e9}".as_bytes(), Some(3), algorithm, Ok("00".into()), &mut line);
        let error = io::Error::from_raw_os_error(2);
        write(b"\xff", None, algorithm, Err(&error), &mut line);
        assert_eq!(
            String::from_utf8(line).unwrap(),
            "{\"name\":\"a\\\"\\n\u{e9}\",\"size\":3,\"algorithm\":\"sha256\",\
             \"digest\":\"00\",\"error\":null}\n\
             {\"name\":{\"bytes\":\"/w==\"},\"size\":null,\"algorithm\":\"sha256\",\
             \"digest\":null,\"error\":\"No such file or directory\"}\n"
        );
    }
}
