//! The backends to test, and the treatment of missing ones.
//!
//! A test that silently skips what the machine lacks looks like one that passed. So a missing backend
//! is reported on standard error, and it fails the test if the environment variable `JLANES_REQUIRE`
//! (names with commas between them) lists it.

use std::{collections::BTreeSet, env, fmt::Display, io::Write, str::FromStr, sync::Mutex};

/// The names of all backends.
const NAMES: [&str; 14] = [
    "portable", "sse41", "avx", "avx2", "avx512vl", "avx512", "shani", "sha512ni", "neon",
    "sha2ce", "sha512ce", "sha3ce", "simd128", "auto",
];

/// The missing backends that were reported: once is enough for a process.
static REPORTED: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

/// Every backend `B` that this CPU has.
///
/// # Panics
/// If a backend of `JLANES_REQUIRE` is missing, or no backend has its name.
#[must_use]
pub fn backends<B: FromStr<Err: Display>>() -> Vec<B> {
    let required = env::var("JLANES_REQUIRE").unwrap_or_default();
    backends_of(&required)
}

/// Every backend with n-SMS that this CPU has.
#[must_use]
pub fn n_sms_backends<B: FromStr>() -> Vec<B> {
    let sets = ["sse41", "avx", "avx2", "avx512vl", "neon", "sha3ce", "simd128"];
    sets.iter().filter_map(|set| format!("{set}+n-sms").parse().ok()).collect()
}

fn backends_of<B: FromStr<Err: Display>>(required: &str) -> Vec<B> {
    let required: Vec<&str> = required.split(',').filter(|name| !name.is_empty()).collect();
    for name in &required {
        assert!(NAMES.contains(name), "JLANES_REQUIRE: there is no backend {name}");
    }
    let mut found = Vec::new();
    for name in NAMES {
        match name.parse() {
            Ok(backend) => found.push(backend),
            Err(why) => {
                assert!(!required.contains(&name), "JLANES_REQUIRE: {name}: {why}");
                if REPORTED.lock().is_ok_and(|mut reported| reported.insert(name)) {
                    // `eprintln!` would be captured in tests that pass
                    let _ = writeln!(std::io::stderr(), "not tested: {name}: {why}");
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine without AVX-512.
    #[derive(Debug)]
    struct Old;

    impl FromStr for Old {
        type Err = &'static str;

        fn from_str(name: &str) -> Result<Self, &'static str> {
            if name.starts_with("avx512") { Err("too old") } else { Ok(Self) }
        }
    }

    #[test]
    fn missing_backends_are_left_out() {
        assert_eq!(backends_of::<Old>("avx2").len(), NAMES.len() - 2);
    }

    #[test]
    #[should_panic(expected = "JLANES_REQUIRE: avx512: too old")]
    fn missing_backends_fail_where_they_are_required() {
        let _ = backends_of::<Old>("avx2,avx512");
    }

    #[test]
    #[should_panic(expected = "there is no backend avx3")]
    fn misspelt_requirements_fail() {
        let _ = backends_of::<Old>("avx3");
    }
}
