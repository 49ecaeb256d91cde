//! Walks through directories.

use std::{fs, sync::Arc};

use jlanes_files::{Engine, FileResult, Input, Patterns, Rules};

use crate::{SHA256, Scratch, sha256};

/// The paths that a walk by `rules` through `scratch` finds, with `/` between parts, and their errors.
fn walk(scratch: &Scratch, rules: Rules) -> Vec<(String, Result<(), String>)> {
    let rules = Arc::new(Rules { recurse: true, ..rules });
    let mut found = Vec::new();
    let each = |hashed: FileResult| {
        let path = hashed.path.strip_prefix(scratch.at("")).unwrap().to_str().unwrap();
        let path = path.replace('\\', "/");
        if let Ok(digests) = &hashed.digests {
            assert_eq!(digests[0], sha256(&fs::read(&hashed.path).unwrap()), "{path}");
        }
        found.push((path, hashed.digests.map(drop).map_err(|error| error.to_string())));
        Ok(())
    };
    Engine::new().digests(SHA256, [Input::walk(scratch.at("d"), &rules)], each).unwrap();
    found
}

fn names(found: &[(String, Result<(), String>)]) -> Vec<&str> {
    found.iter().map(|(name, _)| &name[..]).collect()
}

fn tree() -> Scratch {
    let scratch = Scratch::new();
    for name in ["d/a", "d/a.b", "d/ab/c", "d/b/c/e", "d/b/c/f.o", "d/b.x", "d/g/h"] {
        scratch.write(name, name.as_bytes());
    }
    scratch
}

#[test]
fn files_come_in_the_order_of_their_paths() {
    let found = walk(&tree(), Rules::default());
    assert_eq!(names(&found), ["d/a", "d/a.b", "d/ab/c", "d/b.x", "d/b/c/e", "d/b/c/f.o", "d/g/h"]);
    assert!(found.iter().all(|(_, error)| error.is_ok()));
}

#[test]
fn rules_choose_among_them() {
    let patterns = |pattern: &str| Patterns::new(&[pattern]).unwrap();
    for (rules, expected) in [
        (Rules { max_depth: Some(1), ..Rules::default() }, &["d/a", "d/a.b", "d/b.x"][..]),
        (Rules { include: patterns("*.o"), ..Rules::default() }, &["d/b/c/f.o"]),
        (
            Rules { exclude: patterns("b/c"), ..Rules::default() },
            &["d/a", "d/a.b", "d/ab/c", "d/b.x", "d/g/h"],
        ),
        (Rules { max_size: Some(3), ..Rules::default() }, &["d/a"]),
    ] {
        assert_eq!(names(&walk(&tree(), rules.clone())), expected, "{rules:?}");
    }
}

#[test]
fn a_directory_is_no_file() {
    let scratch = tree();
    let mut errors = 0;
    let each = |hashed: FileResult| {
        errors += usize::from(hashed.digests.is_err());
        Ok(())
    };
    Engine::new().digests(SHA256, [scratch.at("d")], each).unwrap();
    assert_eq!(errors, 1);
}

#[test]
fn a_name_of_one_dash_is_a_file() {
    let scratch = Scratch::new();
    let path = scratch.write("d/-", b"dash");
    let rules = Arc::new(Rules { recurse: true, ..Rules::default() });
    let mut digests = Vec::new();
    let each = |hashed: FileResult| {
        digests.extend(hashed.digests?);
        Ok(())
    };
    Engine::new().digests(SHA256, [path.clone().into(), Input::walk(path, &rules)], each).unwrap();
    assert_eq!(digests, [sha256(b"dash"), sha256(b"dash")]);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn loops_of_links_end() {
        let scratch = tree();
        symlink(".", scratch.at("d/z")).unwrap();
        symlink("../../b", scratch.at("d/b/c/up")).unwrap();
        symlink("self", scratch.at("d/self")).unwrap();
        symlink("../d/g", scratch.at("d/y")).unwrap();
        let plain = ["d/a", "d/a.b", "d/ab/c", "d/b.x", "d/b/c/e", "d/b/c/f.o", "d/g/h"];
        assert_eq!(names(&walk(&scratch, Rules::default())), plain);
        let found = walk(&scratch, Rules { follow: true, ..Rules::default() });
        let good = found.iter().filter(|(_, error)| error.is_ok());
        let good: Vec<_> = good.map(|(name, _)| &name[..]).collect();
        assert_eq!(good, [&plain[..], &["d/y/h"]].concat());
        // a loop is an error at the link that closes it
        let wrong = found.iter().filter(|(_, error)| error.is_err());
        let mut wrong: Vec<_> = wrong.map(|(name, _)| &name[..]).collect();
        wrong.sort_unstable();
        assert_eq!(wrong, ["d/b/c/up", "d/self", "d/z"]);
    }

    #[test]
    fn links_may_be_messages() {
        let scratch = Scratch::new();
        scratch.write("d/file", b"content");
        symlink("file", scratch.at("d/link")).unwrap();
        symlink("nowhere", scratch.at("d/nothing")).unwrap();
        let rules = Arc::new(Rules { recurse: true, hash_links: true, ..Rules::default() });
        let mut digests = Vec::new();
        let each = |hashed: FileResult| {
            digests.extend(hashed.digests?);
            Ok(())
        };
        let engine = Engine::new().hash_links(true);
        engine.digests(SHA256, [Input::walk(scratch.at("d"), &rules)], each).unwrap();
        assert_eq!(digests, [&b"content"[..], b"file", b"nowhere"].map(sha256));
    }

    #[test]
    fn a_deep_tree_takes_few_descriptors_and_no_stack() {
        let scratch = Scratch::new();
        let deep = vec!["d"; 400].join("/");
        scratch.write(&format!("{deep}/file"), b"deep");
        let found = walk(&scratch, Rules::default());
        assert_eq!(found, [(format!("{deep}/file"), Ok(()))]);
    }
}
