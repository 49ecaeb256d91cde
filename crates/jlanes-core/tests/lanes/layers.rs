//! The folders of the crate are layers: a file uses its own folder and those below it.

use std::{fs, path::Path};

/// From the ground up.
const LAYERS: [&str; 14] = [
    "unroll",
    "longest",
    "reference",
    "simd",
    "wipe",
    "compression",
    "kernel",
    "hash",
    "engine",
    "jobs",
    "batch",
    "mac",
    "sms",
    "hashes",
];

/// The modules that a source names after `crate::`, without comments and tests.
fn used(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut names = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let after = &code[at + "crate::".len()..];
        let Some(tree) = after.strip_prefix('{') else {
            names.push(word(after));
            continue;
        };
        let (mut depth, mut begins) = (1, true);
        for (at, c) in tree.char_indices() {
            if depth == 1 && begins {
                names.push(word(&tree[at..]));
            }
            begins = depth == 1 && c == ',';
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Checks all files of a layer; returns how many names of other layers there are.
fn check(path: &Path, layer: usize) -> usize {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        return entries.map(|entry| check(&entry.unwrap().path(), layer)).sum();
    }
    let source = fs::read_to_string(path).unwrap();
    let mut count = 0;
    for name in used(&source) {
        let place = LAYERS.iter().position(|layer| *layer == name);
        let place = place.unwrap_or_else(|| panic!("{}: {name} is no layer", path.display()));
        assert!(place <= layer, "{}: {name} is above {}", path.display(), LAYERS[layer]);
        count += usize::from(place != layer);
    }
    count
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "there are no files")]
fn a_file_uses_only_its_own_layer_and_those_below() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut count = 0;
    for (layer, name) in LAYERS.iter().enumerate() {
        let (folder, file) = (sources.join(name), sources.join(name).with_extension("rs"));
        count += [folder, file]
            .iter()
            .filter(|path| path.exists())
            .map(|path| check(path, layer))
            .sum::<usize>();
    }
    assert!(count > 200, "{count} uses are too few: are they found?");
    let modules = fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path());
    for module in modules {
        let name = module.file_stem().unwrap().to_str().unwrap();
        assert!(name == "lib" || LAYERS.contains(&name), "{name} is no layer");
    }
}

#[test]
fn uses_are_found() {
    let source = "
        use crate::{
            batch::{list, Start}, // crate::comment
            hash::Output,
            wipe,
        };
        use crate::simd::lanes::Word;
        fn f() { crate::mac::hmac::digest() }
        #[cfg(test)]
        use crate::hashes::sha1;
    ";
    assert_eq!(used(source), ["batch", "hash", "wipe", "simd", "mac"]);
}
