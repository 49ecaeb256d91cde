//! Suggestions for mistyped names.

/// The name most similar to `given`, if any is similar.
pub(super) fn nearest<'n>(
    given: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    // a typing error or two, but never most of the name
    let most = (given.chars().count() / 3).min(2);
    let given = given.to_ascii_lowercase();
    let distances =
        names.into_iter().map(|name| (distance(&given, &name.to_ascii_lowercase()), name));
    distances
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Insertions, deletions, substitutions and swaps of neighbours that make `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<_>, Vec<_>) = (a.chars().collect(), b.chars().collect());
    let mut before = Vec::new();
    let mut last: Vec<_> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let substituted = last[j] + usize::from(a[i] != b[j]);
            let mut least = substituted.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                let before: &Vec<usize> = &before;
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_forgiven_and_another_word_is_not() {
        let names = ["sha256", "sha512", "sha1", "md5", "blake2b", "exclude"];
        for (given, expected) in [
            ("sha257", Some("sha256")),
            ("SHA265", Some("sha256")),
            ("blak2b", Some("blake2b")),
            ("excldue", Some("exclude")),
            ("md6", Some("md5")),
            ("", None),
            ("x", None),
            ("tiger", None),
            ("whirlpool", None),
        ] {
            assert_eq!(nearest(given, names), expected, "{given}");
        }
    }

    #[test]
    fn distances_count_typing_errors() {
        for (a, b, expected) in
            [("", "", 0), ("", "ab", 2), ("ab", "ba", 1), ("abc", "ac", 1), ("ac", "abd", 2)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }
}
