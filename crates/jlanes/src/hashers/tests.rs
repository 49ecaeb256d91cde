//! README's table of hashes has a row for each line of `each_hasher!`. The test is here because only this
//! crate sees that macro; all others are in the folder `tests`.

use std::{env, fs, path::Path, prelude::v1::*};

macro_rules! rows {
    ($($feature:literal $name:ident in $($module:ident)::+: $title:literal, $spec:literal, $strength:ident,
        $oid:literal $(, resists $bytes:ident)?;)*) => {
        [$(($feature, stringify!($name), $title, $spec)),*]
    };
}

/// The row before those of the table.
const LAST_BY_HAND: &str = "| `blake2` |\n";

/// With `JLANES_BLESS` set, writes them.
#[test]
fn readme_has_the_table_of_hashers() {
    let hashers = each_hasher!(rows);
    let is_alone = |feature| hashers.iter().filter(|(other, ..)| *other == feature).count() == 1;
    let alone = hashers.iter().filter(|(feature, ..)| is_alone(*feature));
    let rows: String = alone
        .map(|(feature, name, title, _)| format!("| {title} | `{name}` | `{feature}` |\n"))
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let text = fs::read_to_string(path).expect("README is readable");
    let (before, rest) = text.split_once(LAST_BY_HAND).expect("a row of BLAKE2");
    let (found, after) = rest.split_once("\n\n").expect("a table ends with an empty line");
    if env::var_os("JLANES_BLESS").is_some() {
        let text = format!("{before}{LAST_BY_HAND}{rows}\n{after}");
        return fs::write(path, text).expect("README is writable");
    }
    let how = "JLANES_BLESS=1 cargo test -p jlanes --lib writes it anew";
    assert_eq!(format!("{found}\n"), rows, "{how}");
}

/// A page that the table cannot make has each name: forgotten ones are found here.
#[test]
fn pages_by_hand_name_every_hasher() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = ["crates/jlanes/src/algorithm.rs", "docs/src/algorithms.md"];
    for path in pages {
        let text = fs::read_to_string(root.join(path)).expect("the page is readable");
        for (.., spec) in each_hasher!(rows) {
            assert!(text.contains(&format!("`{spec}`")), "{path} lacks `{spec}`");
        }
    }
    let path = "tests/data/README.md";
    let text = fs::read_to_string(root.join(path)).expect("the page is readable");
    let hashes =
        each_hasher!(rows).map(|(_, _, title, _)| title.split(' ').next().unwrap_or(title));
    // those of FIPS have a row of their own
    for hash in hashes.iter().filter(|hash| !hash.starts_with("SHA-")) {
        assert!(text.contains(hash), "{path} lacks {hash}");
    }
}
