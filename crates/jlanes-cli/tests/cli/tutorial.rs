//! The README's tutorial, line by line.

use std::{env, ffi::OsString, os::unix::fs::symlink, path::PathBuf};

use crate::common::{Scratch, run};

const README: &str = include_str!("../../README.md");

#[test]
fn the_tutorial_shows_what_comes_out() {
    // each section goes on where the one before it ended
    let section = |title: &str| {
        let (_, section) = README.split_once(&format!("\n## {title}\n")).unwrap();
        section.split("\n## ").next().unwrap()
    };
    let sections = [section("Tutorial"), section("Keys")];
    let sessions: Vec<_> =
        sections.iter().flat_map(|section| section.split("```console\n").skip(1)).collect();
    assert_eq!(sessions.len(), 8);
    let scratch = Scratch::new();
    symlink(env!("CARGO_BIN_EXE_jlanes-sum"), scratch.at("jlanes-sum")).unwrap();
    let mut path: Vec<PathBuf> = vec![scratch.path().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let path: OsString = env::join_paths(path).unwrap();
    for session in sessions {
        let (session, _) = session.split_once("```").unwrap();
        for step in session.strip_prefix("$ ").unwrap().split("\n$ ") {
            let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
            let mut shell = scratch.command("sh", "sh");
            let ran =
                run(shell.env("PATH", &path).arg("-c").arg(format!("exec 2>&1; {command}")), b"");
            assert_eq!(ran.out().trim_end(), shown.trim_end(), "{command}");
        }
    }
}
