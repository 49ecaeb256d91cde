//! One JSON object a line.

use std::{
    io,
    time::{SystemTime, UNIX_EPOCH},
};

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

/// Appends the object of a summary of what was begun then. The counts are called as verdicts are.
pub(crate) fn summary(counts: &[(&str, u64)], begun: SystemTime, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"summary\":");
    let counts = counts.iter().map(|(key, count)| (*key, Value::from(*count)));
    let times = [("begun", begun), ("ended", SystemTime::now())];
    let times = times.map(|(key, time)| (key, Value::from(rfc3339(time))));
    let members: Vec<_> = counts.chain(times).collect();
    object(&members, out);
    out.extend_from_slice(b"}\n");
}

/// Appends an object, with its members in order.
fn object(members: &[(&str, Value)], out: &mut Vec<u8>) {
    let members: Vec<_> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    out.extend_from_slice(format!("{{{}}}", members.join(",")).as_bytes());
}

/// The time in UTC, to the second.
fn rfc3339(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // years begin in March, so that the 29th of February ends one; 400 of them have 146,097 days
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (next, month) = if month < 10 { (0, month + 3) } else { (1, month - 9) };
    let year = 400 * era + year + next;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
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
