//! The tree with all mutants, and its test programs.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::{Mutant, groups::Group, rewrite::rewrite, write};

/// A copy of the tree.
pub struct Tree<'t> {
    group: &'t Group,
    folder: &'t Path,
    mutants: &'t [Mutant],
    /// Mutants that do not compile.
    pub dropped: HashSet<u32>,
    /// Mutants that are compiled, each with the first one of its place.
    pub switched: HashMap<u32, u32>,
    /// Functions that the compiler evaluates.
    keep_const: HashSet<String>,
}

/// A test program, and the folder of its package.
pub struct Program {
    pub path: PathBuf,
    pub package: PathBuf,
}

impl<'t> Tree<'t> {
    /// A tree without what an earlier build could not compile.
    pub fn new(group: &'t Group, folder: &'t Path, mutants: &'t [Mutant]) -> Self {
        let (mut dropped, mut keep_const) = (HashSet::new(), HashSet::new());
        for line in fs::read_to_string(folder.join("dropped")).unwrap_or_default().lines() {
            match line.strip_prefix("const ") {
                Some(name) => drop(keep_const.insert(name.to_owned())),
                None => dropped.extend(
                    mutants.iter().filter(|mutant| mutant.name == line).map(|mutant| mutant.id),
                ),
            }
        }
        Self { group, folder, mutants, dropped, switched: HashMap::new(), keep_const }
    }

    /// Builds the tests, each time without what the compiler has refused.
    pub fn build(&mut self) -> Result<Vec<Program>> {
        loop {
            self.write()?;
            let output = Command::new("cargo")
                .args(["test", "--no-run", "--message-format=json"])
                .args(self.group.build)
                .env("RUSTFLAGS", "--cap-lints=allow")
                .env("CARGO_TARGET_DIR", self.folder.join("target"))
                .env("CARGO_PROFILE_DEV_DEBUG", "0")
                .current_dir(self.folder.join("tree"))
                .stderr(Stdio::inherit())
                .output()?;
            let messages: Vec<Value> = String::from_utf8(output.stdout)?
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect();
            if output.status.success() {
                return Ok(messages.iter().filter_map(program).collect());
            }
            let before = self.dropped.len() + self.keep_const.len();
            let errors = messages.iter().map(|message| &message["message"]);
            for error in errors.clone().filter(|error| error["level"] == "error") {
                self.refuse(error)?;
            }
            let after = self.dropped.len() + self.keep_const.len();
            println!("refused: {} mutants and functions more", after - before);
            self.remember()?;
            if after == before {
                for error in errors.filter(|error| error["level"] == "error") {
                    println!("{}", error["rendered"].as_str().unwrap_or_default());
                }
                bail!("the tree does not compile");
            }
        }
    }

    /// Writes all files, and the switch as a crate that those with mutants depend on.
    fn write(&mut self) -> Result<()> {
        let (plain, tree) = (self.folder.join("plain"), self.folder.join("tree"));
        let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
        for mutant in self.mutants {
            files.entry(&mutant.file).or_default().push(mutant);
        }
        let crates: HashSet<&str> =
            files.keys().filter_map(|file| file.split("/src/").next()).collect();
        let manifest = "[package]\nname = \"jlanes-switch\"\nedition = \"2024\"\n[lib]\npath = \"switch.rs\"\n[workspace]\n";
        write(&self.folder.join("switch/Cargo.toml"), manifest.as_bytes())?;
        write(&self.folder.join("switch/switch.rs"), include_bytes!("switch.rs"))?;
        self.switched.clear();
        let is_old = |path: &&PathBuf| {
            let name = path.strip_prefix(&tree).unwrap_or(path);
            !plain.join(name).exists() && !path.ends_with("Cargo.lock")
        };
        if tree.exists() {
            paths(&tree)?.iter().filter(is_old).try_for_each(fs::remove_file)?;
        }
        for path in paths(&plain)? {
            let name = path.strip_prefix(&plain)?.to_str().context("a name in UTF-8")?;
            let mut text = fs::read(&path)?;
            if let Some(mutants) = files.get(name) {
                let source = String::from_utf8(text)?;
                let new = rewrite(&source, mutants, &self.dropped, &self.keep_const)?;
                self.switched.extend(new.switched);
                self.dropped.extend(new.refused);
                text = new.text.into_bytes();
            }
            if name.strip_suffix("/Cargo.toml").is_some_and(|name| crates.contains(name)) {
                let switch = self.folder.join("switch");
                let line = format!("[dependencies]\njlanes-switch = {{ path = {switch:?} }}\n");
                text = String::from_utf8(text)?.replacen("[dependencies]\n", &line, 1).into_bytes();
            }
            if name != "Cargo.lock" || !tree.join(name).exists() {
                write(&tree.join(name), &text)?;
                fs::set_permissions(tree.join(name), fs::metadata(&path)?.permissions())?;
            }
        }
        Ok(())
    }

    /// Drops the mutants that an error concerns.
    fn refuse(&mut self, error: &Value) -> Result<()> {
        let message = error["message"].as_str().unwrap_or_default();
        if error["code"]["code"] == "E0015" {
            let path = message.split('`').nth(1).unwrap_or_default();
            self.keep_const.insert(last_name(path));
            return Ok(());
        }
        let spans = error["spans"].as_array().map_or(&[][..], Vec::as_slice);
        let (primary, others): (Vec<_>, Vec<_>) =
            spans.iter().partition(|span| span["is_primary"] == true);
        for mut span in primary.into_iter().chain(others) {
            while !span["expansion"].is_null() {
                span = &span["expansion"]["span"];
            }
            let path = self.folder.join("tree").join(span["file_name"].as_str().unwrap_or(""));
            let Ok(source) = fs::read_to_string(path) else { continue };
            let number = |key: &str| span[key].as_u64().unwrap_or(0) as usize;
            if let Some(ids) = marked(&source, number("byte_start"), number("byte_end")) {
                self.dropped.extend(ids.filter(|id| self.switched.contains_key(id)));
                break;
            }
        }
        Ok(())
    }

    /// Writes down what was refused, for the next time.
    fn remember(&self) -> Result<()> {
        let dropped = self.mutants.iter().filter(|mutant| self.dropped.contains(&mutant.id));
        let mut lines: Vec<String> = dropped.map(|mutant| mutant.name.clone()).collect();
        lines.extend(self.keep_const.iter().map(|name| format!("const {name}")));
        write(&self.folder.join("dropped"), (lines.join("\n") + "\n").as_bytes())
    }
}

/// The last name of a path, without generic arguments.
fn last_name(path: &str) -> String {
    let mut depth = 0;
    let path = path.replace("->", "");
    let outside = path.chars().filter(|c| match c {
        '<' => {
            depth += 1;
            false
        }
        '>' => {
            depth -= 1;
            false
        }
        _ => depth == 0,
    });
    let names: String = outside.collect();
    names.rsplit("::").find(|name| !name.is_empty()).unwrap_or_default().to_owned()
}

/// The mutants between which marks a part of a file stands, or which it begins with.
fn marked(source: &str, start: usize, end: usize) -> Option<Range<u32>> {
    let mut open = Vec::new();
    for (at, _) in source.match_indices("/*") {
        if at >= end || (at > start && !open.is_empty()) {
            break;
        }
        let mark = source[at + 2..].split("*/").next().unwrap_or_default();
        let numbers = |text: &str| {
            let (first, count) = text.split_once(',').unwrap_or((text, "1"));
            let first = first.parse::<u32>().ok()?;
            Some(first..first + count.parse::<u32>().ok()?)
        };
        if mark == "e" {
            open.pop();
        } else if let Some(ids) = mark.strip_prefix(['m', 's']).and_then(numbers) {
            open.push(ids);
        }
    }
    open.pop()
}

/// The test program of a message of cargo.
fn program(message: &Value) -> Option<Program> {
    let path = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)?;
    let package = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    Some(Program { path: path.into(), package })
}

/// All files in a folder.
pub fn paths(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(paths(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::last_name;

    #[test]
    fn generic_arguments_are_no_names() {
        for (path, name) in [
            ("sets", "sets"),
            ("kernels::vectors::<a::Md5, b::Avx2, One>", "vectors"),
            ("<a::Set<u8> as Into<b::Sets>>::into", "into"),
            ("Table::<fn(a::Word) -> b::Word>::of", "of"),
            ("Sets::union", "union"),
        ] {
            assert_eq!(last_name(path), name);
        }
    }
}
