//! Mutants of the code, all in one build: which of them does no test notice?
//!
//! cargo-mutants builds the tests anew for each mutant, which takes most of the time. This program
//! takes its list of mutants, and compiles a copy of the tree that has all of them, each behind a
//! switch that is read at run time. One run of each test says which places it reaches, so a mutant
//! is judged by the tests that reach it, the fastest first, until one fails.

mod build;
mod groups;
mod judge;
mod rewrite;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    env, fs,
    path::Path,
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// Seconds of tests for a mutant that is judged for the first time.
const FIRST: f64 = 4.0;

/// Seconds of tests for a survivor.
const AGAIN: f64 = 60.0;

/// Where samples begin.
const SEED: usize = 38;

/// A change of the code, as cargo-mutants lists it.
pub struct Mutant {
    pub id: u32,
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub genre: String,
    pub replacement: String,
    /// What cargo-mutants calls it.
    pub name: String,
    /// The line of the source, without the indentation.
    pub text: String,
}

impl Mutant {
    /// How `equivalent.txt` names it: without numbers of lines, which change.
    fn line_in_lists(&self) -> String {
        let change = self.name.splitn(4, ':').nth(3).unwrap_or_default().trim();
        format!("{}\t{change}\t{}", self.file, self.text)
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let group = groups::GROUPS
        .iter()
        .find(|group| arguments.first().is_some_and(|name| name == group.name));
    let Some(group) = group else {
        bail!("which group? {}", groups::GROUPS.map(|group| group.name).join(", "));
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = root.join("target/mutants").join(group.name);
    copy(&root, &folder.join("plain"))?;
    let mutants = list(group, &folder.join("plain"))?;
    println!("{} mutants", mutants.len());
    let mut tree = build::Tree::new(group, &folder, &mutants);
    let programs = tree.build()?;
    if arguments.iter().any(|word| word == "build") {
        return Ok(());
    }
    let (mut known, again) = (outcomes(&folder), arguments.iter().any(|word| word == "again"));
    known.retain(|_, outcome| !again || outcome.starts_with("caught") || outcome == "timeout");
    let equivalent = fs::read_to_string(root.join("tests/mutants/equivalent.txt"))?;
    let equivalent: HashSet<&str> =
        equivalent.lines().filter_map(|line| Some(line.rsplit_once('\t')?.0)).collect();
    let new: Vec<_> = mutants
        .iter()
        .filter(|mutant| !known.contains_key(&mutant.name))
        .filter(|mutant| !again || !equivalent.contains(&*mutant.line_in_lists()))
        .filter_map(|mutant| Some((mutant, *tree.switched.get(&mutant.id)?)))
        .collect();
    println!("{} are compiled, {} do not compile", tree.switched.len(), tree.dropped.len());
    if !new.is_empty() {
        judge::judge(&folder, &new, &programs, if again { AGAIN } else { FIRST })?;
    }
    report(&mutants, &tree, &outcomes(&folder), &equivalent);
    Ok(())
}

/// What became of each mutant that has been judged, the last time.
fn outcomes(folder: &Path) -> HashMap<String, String> {
    let text = fs::read_to_string(folder.join("outcomes")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(name, outcome)| (name.to_owned(), outcome.to_owned())).collect()
}

/// Prints the mutants that no test has noticed, and how many there are of each kind.
fn report(
    mutants: &[Mutant],
    tree: &build::Tree,
    outcomes: &HashMap<String, String>,
    equivalent: &HashSet<&str>,
) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for mutant in mutants {
        let outcome = outcomes.get(&mutant.name).map(|text| text.split('\t').next());
        let line = mutant.line_in_lists();
        let kind = match outcome.flatten() {
            _ if tree.dropped.contains(&mutant.id) => "not compiled",
            _ if !tree.switched.contains_key(&mutant.id) => "not switched",
            None => "not judged",
            Some("caught") => "caught",
            Some("timeout") => "caught by a timeout",
            Some(_) if equivalent.contains(&*line) => "equivalent",
            Some("missed") => "missed",
            Some(_) => "not reached",
        };
        if matches!(kind, "missed" | "not reached" | "not switched") {
            println!("{kind}: {}:{}\t{line}", mutant.file, mutant.line);
        }
        *counts.entry(kind).or_default() += 1;
    }
    counts.iter().for_each(|(kind, count)| println!("{count:6} {kind}"));
}

/// Writes a file if that changes it, so that cargo builds no more than it has to.
fn write(path: &Path, text: &[u8]) -> Result<()> {
    if fs::read(path).ok().as_deref() != Some(text) {
        fs::create_dir_all(path.parent().context("a file in a folder")?)?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Copies the files that git knows, with loops in place of `unroll!`, which is one in such a build.
fn copy(root: &Path, to: &Path) -> Result<()> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?;
    ensure!(listed.status.success(), "git does not list the files");
    let mut copied = HashSet::new();
    for path in String::from_utf8(listed.stdout)?.split_terminator('\0') {
        let from = root.join(path);
        if path.starts_with("fuzz/") || path.starts_with("integrations/") || !from.is_file() {
            continue;
        }
        let mut text = fs::read(&from)?;
        if path.ends_with(".rs") && !path.ends_with("unroll.rs") {
            text = loops(String::from_utf8(text)?).into_bytes();
        }
        write(&to.join(path), &text)?;
        fs::set_permissions(to.join(path), fs::metadata(&from)?.permissions())?;
        copied.insert(to.join(path));
    }
    // a file that has moved would be there twice
    for path in build::paths(to)?.into_iter().filter(|path| !copied.contains(path)) {
        fs::remove_file(path)?;
    }
    Ok(())
}

fn loops(mut text: String) -> String {
    while let Some(at) = text.find("unroll!(") {
        let (count, rest) = text[at + 8..].split_once(", ").expect("a number");
        let (name, rest) = rest.split_once(" => ").expect("a name");
        let mut depth = 0;
        let end = rest.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == '}' && depth == 0
        });
        let (body, rest) = rest.split_at(end.expect("a block") + 1);
        text = format!("{}for {name} in 0..{count} {body}{}", &text[..at], &rest[1..]);
    }
    text
}

/// The mutants of a group, from cargo-mutants.
fn list(group: &groups::Group, plain: &Path) -> Result<Vec<Mutant>> {
    let mut sources: HashMap<String, Vec<String>> = HashMap::new();
    let (mut mutants, mut names) = (Vec::new(), HashSet::new());
    for (files, every) in group.files {
        let mut command = Command::new("cargo");
        command.args(["mutants", "--list", "--json", "--file", files]).current_dir(plain);
        let output = command.output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let listed: Vec<Value> = serde_json::from_slice(&output.stdout)?;
        // the same sample each time, with mutants of everything
        for value in listed.iter().skip(SEED % every).step_by(*every) {
            let string = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
            let number = |key: &str| value["span"]["start"][key].as_u64().unwrap_or(0) as usize;
            let (file, line, name) = (string("file"), number("line"), string("name"));
            if !names.insert(name.clone()) {
                continue;
            }
            let source = sources.entry(file.clone()).or_insert_with(|| {
                let text = fs::read_to_string(plain.join(&file)).unwrap_or_default();
                text.lines().map(|line| line.trim().to_owned()).collect()
            });
            mutants.push(Mutant {
                id: mutants.len() as u32 + 1,
                text: source.get(line - 1).cloned().unwrap_or_default(),
                line,
                column: number("column"),
                genre: string("genre"),
                replacement: string("replacement"),
                name,
                file,
            });
        }
    }
    Ok(mutants)
}
