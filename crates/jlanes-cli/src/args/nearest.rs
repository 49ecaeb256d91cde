//! Suggestions for mistyped names.

use strsim::osa_distance;

/// The name most similar to `given`, if any is similar.
pub(super) fn nearest<'n>(
    given: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    // one or two typing errors, but never most of the name
    let most = (given.chars().count() / 3).min(2);
    let given = given.to_ascii_lowercase();
    let distances =
        names.into_iter().map(|name| (osa_distance(&given, &name.to_ascii_lowercase()), name));
    distances
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
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
}
