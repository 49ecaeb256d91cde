//! The check that the folders of a crate form layers.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// The modules that a source uses through `crate::`, without comments and tests. Paths with `super::`
/// out of a layer's folder are not found.
fn used(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
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

/// The paths in a folder.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder can be read");
    entries.map(|entry| entry.expect("a folder can be read").path())
}

/// Checks all files of a layer but its unit tests, which may compare it with those above. Returns the number of
/// uses of other layers.
fn check(path: &Path, layers: &[&str], layer: usize) -> usize {
    if path.ends_with("tests.rs") {
        return 0;
    }
    if path.is_dir() {
        return entries(path).map(|path| check(&path, layers, layer)).sum();
    }
    let source = fs::read_to_string(path).expect("a source is text");
    let mut count = 0;
    for name in used(&source) {
        let place = layers.iter().position(|layer| *layer == name);
        let place = place.unwrap_or_else(|| panic!("{}: {name} is no layer", path.display()));
        assert!(place <= layer, "{}: {name} is above {}", path.display(), layers[layer]);
        count += usize::from(place != layer);
    }
    count
}

/// Checks that each file of the crate in the folder `manifest` uses only its own layer and those below
/// it. `layers` has all modules of the crate from the bottom up, with their other names. Returns the
/// number of uses of other layers.
///
/// # Panics
/// If a file uses a layer above its own, or is in none, or if a layer is no module.
pub fn layers(manifest: &str, layers: &[&str]) -> usize {
    let sources = Path::new(manifest).join("src");
    let library = fs::read_to_string(sources.join("lib.rs")).expect("the crate has a root");
    let mut count = 0;
    for (layer, name) in layers.iter().enumerate() {
        let (folder, file) = (sources.join(name), sources.join(name).with_extension("rs"));
        let exists = folder.exists() || file.exists() || library.contains(&format!(" as {name}"));
        assert!(exists, "{name} is no module");
        let paths = [folder, file].into_iter().filter(|path| path.exists());
        count += paths.map(|path| check(&path, layers, layer)).sum::<usize>();
    }
    for module in entries(&sources) {
        let name = module.file_stem().and_then(OsStr::to_str).expect("a module has a name");
        let apart = name == "lib" || name.ends_with("_tests");
        assert!(apart || layers.contains(&name), "{name} is no layer");
    }
    count
}

#[cfg(test)]
mod tests {
    use super::used;

    #[test]
    fn uses_are_found() {
        let source = "
            use crate::{
                batch::{list, Start}, // crate::comment
                hash::Output,
                wipe,
            };
            use crate::simd::vector::Word;
            fn f() { crate::mac::hmac::digest() }
            #[cfg(test)]
            use crate::lanes::InterleavedLanes;
#[cfg(test)]
mod tests {
    use crate::hashes::sha1;
}
";
        assert_eq!(used(source), ["batch", "hash", "wipe", "simd", "mac", "lanes"]);
    }
}
