//! The hash `h1:` of each module in a module cache, as in `go.sum`.

use std::{collections::BTreeMap, fmt::Write, fs, path::Path, process::Command};

use anyhow::{Context, Result, ensure};
use base64ct::{Base64, Encoding};
use jlanes::{Sha256, digest::Output, merkle};
use sha2::Digest;
use walkdir::WalkDir;

/// A module's name with its version, its files, and the sum that Go has stored for it.
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) files: Vec<(String, Vec<u8>)>,
    pub(crate) sum: Option<String>,
}

/// The unpacked modules of a cache.
pub(crate) fn read(cache: &Path) -> Result<Vec<Module>> {
    let downloads = cache.join("cache/download");
    let mut modules = Vec::new();
    for entry in WalkDir::new(&downloads).sort_by_file_name() {
        let path = entry?.into_path();
        let Some(version) = path.file_name().and_then(|n| n.to_str()?.strip_suffix(".ziphash"))
        else {
            continue;
        };
        let module = path.ancestors().nth(2).context("a module")?.strip_prefix(&downloads)?;
        let name = format!("{}@{version}", module.to_str().context("a name in UTF-8")?);
        if cache.join(&name).is_dir() {
            let sum = Some(fs::read_to_string(&path)?.trim().to_owned());
            let directory = cache.join(&name);
            let name = unescaped(&name);
            modules.push(Module { files: files(&directory, &name)?, name, sum });
        }
    }
    Ok(modules)
}

/// In a cache, `!a` means an upper-case letter.
fn unescaped(name: &str) -> String {
    let mut parts = name.split('!');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += &part[..1].to_uppercase();
        out += &part[1..];
    }
    out
}

fn files(directory: &Path, module: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(directory) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(directory)?;
            let path = path.to_str().context("a name in UTF-8")?.replace('\\', "/");
            files.push((format!("{module}/{path}"), fs::read(entry.path())?));
        }
    }
    Ok(files)
}

/// The sums of modules; the files of all modules share the lanes.
pub(crate) fn sums(modules: &[Module]) -> Result<Vec<String>, merkle::Error> {
    let files: Vec<&[u8]> =
        modules.iter().flat_map(|module| &module.files).map(|(_, data)| &data[..]).collect();
    let mut digests = super::on_lanes(&files).into_iter().map(Output::<Sha256>::from);
    let sum = |module: &Module| {
        let names = module.files.iter().map(|(name, _)| name.as_str());
        merkle::go_h1_of_digests(names.zip(&mut digests))
    };
    modules.iter().map(sum).collect()
}

pub(crate) fn sums_one_by_one(modules: &[Module]) -> Vec<String> {
    let sum = |module: &Module| {
        let mut files: Vec<&(String, Vec<u8>)> = module.files.iter().collect();
        files.sort_unstable_by_key(|(name, _)| name);
        let line = |(name, data): &(String, Vec<u8>)| {
            format!("{}  {name}\n", hex::encode(sha2::Sha256::digest(data)))
        };
        let lines: String = files.into_iter().map(line).collect();
        format!("h1:{}", Base64::encode_string(&sha2::Sha256::digest(lines)))
    };
    modules.iter().map(sum).collect()
}

/// The tool's name and version, if it is installed and can check the modules, one version of each.
/// Creates a project that requires them.
pub(crate) fn tool(modules: &[Module], project: &Path) -> Result<Option<String>> {
    let versions: BTreeMap<_, _> =
        modules.iter().filter_map(|module| module.name.split_once('@')).collect();
    let Ok(output) = Command::new("go").arg("version").output() else { return Ok(None) };
    let mut text = "module check\n\ngo 1.21\n".to_owned();
    for (module, version) in &versions {
        writeln!(text, "require {module} {version}")?;
    }
    fs::write(project.join("go.mod"), text)?;
    let version = String::from_utf8(output.stdout)?;
    let version = version.split(' ').nth(2).context("go version goVERSION OS/ARCHITECTURE")?;
    Ok((versions.len() == modules.len()).then(|| format!("{version} mod verify")))
}

/// Whether the modules match their sums, by the tool, which also reads their archives.
pub(crate) fn right_by_tool(cache: &Path, project: &Path) -> Result<bool> {
    let output = Command::new("go")
        .args(["mod", "verify"])
        .current_dir(project)
        .envs([("GOFLAGS", "-mod=mod"), ("GOPROXY", "off"), ("GOSUMDB", "off")])
        .envs([("GOTOOLCHAIN", "local"), ("GOWORK", "off")])
        .env("GOMODCACHE", fs::canonicalize(cache)?)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let wrong = said.contains("has been modified");
    ensure!(output.status.success() || wrong, "go mod verify: {said}");
    Ok(!wrong)
}

/// Whether the modules match their sums, on lanes.
pub(crate) fn right(cache: &Path) -> Result<bool> {
    let modules = read(cache)?;
    let sums = sums(&modules)?;
    Ok(modules.iter().zip(sums).all(|(module, sum)| module.sum == Some(sum)))
}
