//! Names in untrusted lists: `Target::beneath` finds the same files as a model of the directory, and no
//! file outside.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, symlink},
    sync::Arc,
};

use arbitrary::{Result, Unstructured};
use jlanes_files::{BaseDir, Target};

/// Directories and files below the base.
const DIRECTORIES: [&str; 3] = ["", "d", "d/e"];
const FILES: [&str; 3] = ["f", "d/f", "d/e/f"];

/// The names of symbolic links below the base.
const LINKS: [&str; 6] = ["l", "m", "d/l", "d/m", "d/e/l", "d/e/m"];

/// The parts of names. The file `out` is next to the directory `base`.
const PARTS: [&str; 16] = [
    "f", "d", "e", "d/e", "..", "..", ".", "/", "//", "l", "m", "d/l", "e/m", "out", "base", "/etc",
];

/// Looks up a name made of parts.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If the file found is not the one that the name leads to.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let mut links = Vec::new();
    for path in LINKS {
        if u.ratio(1, 2)? {
            links.push((path, name(u, 4)?));
        }
    }
    let name = name(u, 12)?;

    let scratch = tempfile::tempdir().expect("a directory");
    let base = scratch.path().join("base");
    DIRECTORIES.iter().for_each(|path| fs::create_dir(base.join(path)).expect("a directory"));
    fs::write(scratch.path().join("out"), "secret").expect("a file");
    FILES.iter().for_each(|path| fs::write(base.join(path), path).expect("a file"));
    links.iter().for_each(|(path, to)| symlink(to, base.join(path)).expect("a link"));
    let path = base.to_str().expect("a path in UTF-8");
    let directory = Arc::new(BaseDir::open(path.as_bytes()).expect("a directory"));
    let target = Target::beneath(&directory, name.as_bytes()).expect("a name without NUL");

    let expected = resolve(&name, &links)
        .map(|path| fs::metadata(base.join(path)).expect("it is there").ino());
    assert_eq!(target.identity().map(|(_, number)| number), expected, "{name} with {links:?}");
    Ok(())
}

/// A name of up to `most` parts.
fn name(u: &mut Unstructured, most: usize) -> Result<String> {
    let mut name = String::new();
    for _ in 0..u.int_in_range(1..=most)? {
        name += u.choose(&PARTS)?;
        if u.ratio(3, 4)? {
            name += "/";
        }
    }
    Ok(name)
}

/// The directory or file that a name leads to, if the whole way is inside the base.
fn resolve(name: &str, links: &[(&str, String)]) -> Option<String> {
    let (mut at, mut followed) = (Vec::<String>::new(), 0);
    let mut rest: Vec<String> = vec![name.to_owned()];
    // the parts still to be entered, the next one last
    while let Some(text) = rest.pop() {
        if text.starts_with('/') {
            return None;
        }
        let (part, behind) = match text.split_once('/') {
            Some((part, behind)) => (part, Some(behind.trim_start_matches('/'))),
            None => (&text[..], None),
        };
        // a name with anything after it, even only a slash, must be a directory
        if let Some(behind) = behind {
            rest.push(if behind.is_empty() { ".".to_owned() } else { behind.to_owned() });
        }
        if !DIRECTORIES.contains(&&*at.join("/")) {
            return None;
        }
        match part {
            "." => {}
            ".." => drop(at.pop()?),
            part => {
                let path =
                    at.iter().map(String::as_str).chain([part]).collect::<Vec<_>>().join("/");
                if let Some((_, to)) = links.iter().find(|(link, _)| *link == path) {
                    followed += 1;
                    if followed > 40 {
                        return None;
                    }
                    rest.push(to.clone());
                } else if DIRECTORIES.contains(&&*path) || FILES.contains(&&*path) {
                    at.push(part.to_owned());
                } else {
                    return None;
                }
            }
        }
    }
    Some(at.join("/"))
}
