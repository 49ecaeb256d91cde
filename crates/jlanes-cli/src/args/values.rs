//! Values of options: numbers, and numbers of bytes with units.

use std::{ffi::OsString, num::NonZero, str::FromStr};

/// The operands; standard input instead of none.
pub(super) fn or_stdin(mut operands: Vec<OsString>) -> Vec<OsString> {
    if operands.is_empty() {
        operands.push("-".into());
    }
    operands
}

/// A whole number.
pub(super) fn number<N: FromStr>(text: &str) -> Result<N, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("not a whole number".to_owned());
    }
    text.parse().map_err(|_| "too large".to_owned())
}

/// A whole number of at least one.
pub(super) fn positive(text: &str) -> Result<NonZero<usize>, String> {
    NonZero::new(number(text)?).ok_or_else(|| "at least 1".to_owned())
}

/// A number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size(pub(crate) u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, unit) = text.split_at(end);
        let number: u64 = number(digits)?;
        let unit = unit_bytes(unit).ok_or_else(|| format!("unknown unit '{unit}'"))?;
        number.checked_mul(unit).map(Self).ok_or_else(|| "too large".to_owned())
    }
}

/// A number of bytes that may be allocated.
pub(super) fn size(text: &str) -> Result<usize, String> {
    let Size(bytes) = text.parse()?;
    bytes.try_into().map_err(|_| "too large".to_owned())
}

/// The bytes of a unit, as in GNU's tools: `K` and `KiB` are 1024, `kB` and `KB` are 1000.
fn unit_bytes(unit: &str) -> Option<u64> {
    if matches!(unit, "" | "B") {
        return Some(1);
    }
    let mut letters = unit.chars();
    let prefix = letters.next().map(|letter| if letter == 'k' { 'K' } else { letter })?;
    let power = "KMGTPE".chars().position(|known| known == prefix)? as u32 + 1;
    match letters.as_str() {
        "" | "iB" => Some(1 << (10 * power)),
        "B" => Some(1000_u64.pow(power)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole() {
        assert_eq!(number::<u64>("12"), Ok(12));
        assert_eq!(positive("0"), Err("at least 1".to_owned()));
        for text in ["", "-1", "+1", "1.5", " 1", "0x1", "\u{661}"] {
            assert_eq!(positive(text), Err("not a whole number".to_owned()), "{text:?}");
        }
        assert_eq!(number::<u64>("18446744073709551616"), Err("too large".to_owned()));
    }

    #[test]
    fn sizes_have_the_units_of_gnus_tools() {
        let rows = [
            ("0", Some(0)),
            ("12", Some(12)),
            ("12B", Some(12)),
            ("1K", Some(1024)),
            ("1k", Some(1024)),
            ("1KiB", Some(1024)),
            ("1kB", Some(1000)),
            ("1KB", Some(1000)),
            ("3M", Some(3 << 20)),
            ("3MB", Some(3_000_000)),
            ("2G", Some(2 << 30)),
            ("2T", Some(2 << 40)),
            ("2P", Some(2 << 50)),
            ("15EiB", Some(15 << 60)),
            ("16E", None),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("", None),
            ("K", None),
            ("-1", None),
            ("1.5K", None),
            ("1m", None),
            ("1Ki", None),
            ("1KBB", None),
            ("1\u{e9}", None),
        ];
        for (text, bytes) in rows {
            assert_eq!(text.parse().ok().map(|Size(bytes)| bytes), bytes, "{text:?}");
        }
    }
}
