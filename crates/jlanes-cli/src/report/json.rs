//! `--json`: one object in each line.
//!
//! Members have a fixed order, which the maps of `serde_json` do not keep, so that lines of two runs can be
//! compared.

use std::{
    io,
    time::{SystemTime, UNIX_EPOCH},
};

use base64ct::{Base64, Encoding as _};
use humantime::format_rfc3339_seconds;
use serde_json::{Value, json};

use super::reason;

/// Details of a verdict that only JSON output has.
#[derive(Default)]
pub(crate) struct Details<'d> {
    pub(crate) algorithm: Option<String>,
    /// The expected digest as text.
    pub(crate) expected: Option<String>,
    pub(crate) found: Option<String>,
    pub(crate) error: Option<&'d io::Error>,
    /// Another usual algorithm, by which the file does have the expected digest.
    pub(crate) matches: Option<String>,
    /// Whether the algorithm is broken.
    pub(crate) broken: bool,
}

/// Appends the object of a file. `digest` is the printed form.
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
    line(&members, out);
}

/// Appends the object of a group of equal files, each of `size` bytes.
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
    line(&members, out);
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
    line(&members, out);
}

/// Appends the object with the counts of verdicts, of a run that began at `begun`.
pub(crate) fn summary(counts: &[(&str, u64)], begun: SystemTime, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"summary\":");
    let counts = counts.iter().map(|(key, count)| (*key, Value::from(*count)));
    let times = [("begun", begun), ("ended", SystemTime::now())];
    let times = times.map(|(key, time)| (key, Value::from(rfc3339(time))));
    let members: Vec<_> = counts.chain(times).collect();
    object(&members, out);
    out.extend_from_slice(b"}\n");
}

/// Appends an object in a line of its own.
fn line(members: &[(&str, Value)], out: &mut Vec<u8>) {
    object(members, out);
    out.push(b'\n');
}

/// Appends an object, with its members in order.
fn object(members: &[(&str, Value)], out: &mut Vec<u8>) {
    let members: Vec<_> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    out.extend_from_slice(format!("{{{}}}", members.join(",")).as_bytes());
}

/// The time in UTC, in whole seconds.
fn rfc3339(time: SystemTime) -> String {
    format_rfc3339_seconds(time.max(UNIX_EPOCH)).to_string()
}

/// A name as a string, or as base64 of its bytes if it is not UTF-8.
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
    fn times_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (68_169_599, "1972-02-28T23:59:59Z"),
            (68_169_600, "1972-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(UNIX_EPOCH + std::time::Duration::from_secs(seconds)), text);
        }
    }

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
