//! The shell sessions of the READMEs and of the book, line by line.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::common::{Scratch, run};

const README: &str = include_str!("../../README.md");

#[test]
fn the_tutorial_shows_what_comes_out() {
    // each section continues in the directory of the previous one
    let section = |title: &str| {
        let (_, section) = README.split_once(&format!("\n## {title}\n")).unwrap();
        section.split("\n## ").next().unwrap()
    };
    assert_eq!(play(&[section("Tutorial"), section("Keys")].concat()), 8);
}

#[test]
fn the_front_page_shows_what_comes_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    assert_eq!(play(&fs::read_to_string(path).unwrap()), 1);
}

#[test]
fn the_book_shows_what_comes_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let chapters = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = chapters
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| fs::read_to_string(path).unwrap());
    // each chapter has a directory of its own
    let sessions: usize = texts.map(|text| play(&text)).sum();
    assert!(sessions > 0);
}

/// `text` with zeros for the times in JSON, which differ in every run.
fn timeless(text: &str) -> String {
    let form = "\"0000-00-00T00:00:00Z\"";
    let digits = text.replace(|c: char| c.is_ascii_digit(), "0");
    let mut timeless = text.to_owned();
    for (at, _) in digits.match_indices(form) {
        timeless.replace_range(at..at + form.len(), form);
    }
    timeless
}

/// Runs the sessions in `text`, one after another in one directory, and returns their number.
fn play(text: &str) -> usize {
    let scratch = Scratch::new();
    symlink(env!("CARGO_BIN_EXE_jlanes-sum"), scratch.at("jlanes-sum")).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/nightly.sh");
    symlink(script, scratch.at("nightly.sh")).unwrap();
    let mut path: Vec<PathBuf> = vec![scratch.path().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let path: OsString = env::join_paths(path).unwrap();
    let sessions: Vec<_> = text.split("```console\n").skip(1).collect();
    for session in &sessions {
        let (session, _) = session.split_once("```").unwrap();
        for step in session.strip_prefix("$ ").unwrap().split("\n$ ") {
            let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
            let mut shell = scratch.command("sh", "sh");
            let ran =
                run(shell.env("PATH", &path).arg("-c").arg(format!("exec 2>&1; {command}")), b"");
            let (out, shown) = (timeless(&ran.out()), timeless(shown));
            assert_eq!(out.trim_end(), shown.trim_end(), "{command}");
        }
    }
    sessions.len()
}
