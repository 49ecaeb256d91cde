//! Numbers of bytes, with units.

use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size(pub(crate) u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, unit) = text.split_at(end);
        let number: u64 = digits.parse().map_err(|_| "no number".to_owned())?;
        let unit = unit_bytes(unit).ok_or_else(|| format!("unknown unit '{unit}'"))?;
        number.checked_mul(unit).map(Self).ok_or_else(|| "too large".to_owned())
    }
}

/// Bytes of a unit as GNU's tools have them: `K` and `KiB` are 1024, `kB` and `KB` 1000.
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
