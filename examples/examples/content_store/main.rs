//! Identifiers of content stores: many files at once, each with its standard digest.
//!
//! - `bazel DIRECTORY`: the digest of an input tree in Bazel's Remote Execution API
//! - `oci DIRECTORY`: checks the blobs of an OCI image layout against their names, which are
//!   digests
//! - `nar PATH...`: Nix' hashes of paths, compared with `nix-hash` if it is installed
//! - `git DIRECTORY`: ids of a working tree's files in a repository of SHA-256, compared with `git`
//! - `gosum CACHE`: `h1:` sums of a Go module cache, compared with the ones that Go stored in it,
//!   and with `go mod verify` if Go is installed
//!
//! Without arguments it does all five on generated data. Files must fit into memory.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example content_store -- [bazel|oci|nar|git|gosum PATH]
//! ```

mod bazel;
mod git;
mod gosum;
mod nar;
mod tree;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail, ensure};
use jlanes::{Sha256, digest::Output, multi::Lanes};
use jlanes_examples::{Contest, Noise, peer};
use sha2::Digest;

use gosum::Module;
use tree::Node;

/// The digests of messages.
type Hasher = fn(&[&[u8]]) -> Vec<[u8; 32]>;

fn on_lanes(messages: &[&[u8]]) -> Vec<[u8; 32]> {
    let mut digests = vec![Output::<Sha256>::default(); messages.len()];
    Lanes::<Sha256>::new().digest(messages, &mut digests);
    digests.into_iter().map(Into::into).collect()
}

fn one_by_one(messages: &[&[u8]]) -> Vec<[u8; 32]> {
    messages.iter().map(|message| sha2::Sha256::digest(message).into()).collect()
}

fn hex_lines(text: &[u8]) -> Result<Vec<[u8; 32]>> {
    let line = |line: &str| {
        let mut digest = [0; 32];
        hex::decode_to_slice(line, &mut digest)?;
        Ok(digest)
    };
    std::str::from_utf8(text)?.lines().map(line).collect()
}

fn bazel(contest: &mut Contest, directory: &Path) -> Result<()> {
    let Node::Directory(entries) = tree::read(directory)? else { bail!("a directory is wanted") };
    let root = |hasher| bazel::root(&entries, hasher);
    let root = contest.run("bazel", &peer("sha2"), || root(one_by_one), || root(on_lanes))?;
    println!("bazel: input root {}", hex::encode(root));
    Ok(())
}

fn oci(contest: &mut Contest, directory: &Path) -> Result<()> {
    let blobs = git::files(&directory.join("blobs/sha256"))?;
    let contents = blobs.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
    let (theirs, ours) = (|| one_by_one(&contents), || on_lanes(&contents));
    let digests = contest.run("oci", &peer("sha2"), theirs, ours)?;
    for (path, digest) in blobs.iter().zip(digests) {
        let name = path.file_name().unwrap_or_default();
        ensure!(*name == *hex::encode(digest), "{}: not what its name says", path.display());
    }
    println!("oci: {} blobs are what their names say", blobs.len());
    Ok(())
}

fn nar(contest: &mut Contest, paths: &[PathBuf]) -> Result<()> {
    let found = nar::on_lanes(paths)?;
    let ours = || nar::on_lanes(paths).ok();
    contest.run("nar", &peer("sha2"), || nar::one_by_one(paths).ok(), ours)?;
    match nar::tool() {
        Some(name) => drop(contest.run("nar", &name, || nar::by_tool(paths).ok(), ours)?),
        None => println!("nar: nix-hash is not installed: not compared with it"),
    }
    for (path, hash) in paths.iter().zip(found) {
        println!("nar: {} {}", hex::encode(hash), path.display());
    }
    Ok(())
}

fn git(contest: &mut Contest, directory: &Path) -> Result<()> {
    let files = git::files(directory)?;
    let ids = git::ids(&files)?;
    let repository = tempfile::tempdir()?;
    match git::tool(repository.path()) {
        Some(name) => {
            let theirs = || git::by_tool(repository.path(), &files).ok();
            contest.run("git", &name, theirs, || git::ids(&files).ok())?;
        }
        None => println!("git: no git that knows SHA-256 is installed: not compared with it"),
    }
    println!("git: {} files, the last one's id {:?}", ids.len(), ids.last().map(hex::encode));
    Ok(())
}

fn gosum(contest: &mut Contest, modules: &[Module]) -> Result<()> {
    let theirs = || Ok(gosum::sums_one_by_one(modules));
    let sums = contest.run("gosum", &peer("sha2"), theirs, || gosum::sums(modules))??;
    let mut stored = 0;
    for (module, sum) in modules.iter().zip(&sums) {
        ensure!(module.sum.as_ref().is_none_or(|stored| stored == sum), "{sum}: not Go's sum");
        stored += usize::from(module.sum.is_some());
    }
    println!("gosum: {} modules, {stored} of them with Go's sums", sums.len());
    Ok(())
}

fn gosum_cache(contest: &mut Contest, cache: &Path) -> Result<()> {
    let modules = gosum::read(cache)?;
    gosum(contest, &modules)?;
    let project = tempfile::tempdir()?;
    let theirs = || gosum::right_by_tool(cache, project.path()).ok();
    match gosum::tool(&modules, project.path())?.filter(|_| theirs().is_some()) {
        Some(name) => drop(contest.run("gosum", &name, theirs, || gosum::right(cache).ok())?),
        None => println!("gosum: no go that can check these modules: not compared with it"),
    }
    Ok(())
}

/// The length of a file in a source tree: most are short, a few are long.
fn length(noise: &mut Noise) -> usize {
    let bits = 7 + noise.below(11);
    (1 << bits) + noise.below(1 << bits)
}

/// A source tree: packages with folders of files.
fn sample_tree(root: &Path) -> Result<()> {
    let mut noise = Noise::new(1);
    for package in 0..24 {
        for folder in 0..8 {
            let folder = root.join(format!("package{package}/folder{folder}"));
            fs::create_dir_all(&folder)?;
            for file in 0..16 {
                let data = length(&mut noise);
                fs::write(folder.join(format!("file{file}")), noise.bytes(data))?;
            }
        }
    }
    Ok(())
}

/// Layers of an image.
fn sample_image(root: &Path) -> Result<()> {
    let mut noise = Noise::new(2);
    let blobs = root.join("blobs/sha256");
    fs::create_dir_all(&blobs)?;
    for _ in 0..24 {
        let len = (1 << 20) + noise.below(6 << 20);
        let layer = noise.bytes(len);
        fs::write(blobs.join(hex::encode(one_by_one(&[&layer])[0])), layer)?;
    }
    Ok(())
}

fn sample_modules() -> Vec<Module> {
    let mut noise = Noise::new(3);
    let mut file = |module: &str, i| {
        let len = length(&mut noise);
        (format!("{module}/file{i}.go"), noise.bytes(len))
    };
    let module = |module| {
        let name = format!("example.com/module{module}@v1.0.0");
        Module { files: (0..30).map(|i| file(&name, i)).collect(), name, sum: None }
    };
    (0..80).map(module).collect()
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let mut contest = Contest::default();
    let of = |paths: &[String]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
    match args.split_first() {
        None => {
            let directory = tempfile::tempdir()?;
            let (tree, image) = (directory.path().join("tree"), directory.path().join("image"));
            sample_tree(&tree)?;
            sample_image(&image)?;
            bazel(&mut contest, &tree)?;
            oci(&mut contest, &image)?;
            let packages = (0..24).map(|package| tree.join(format!("package{package}")));
            nar(&mut contest, &packages.collect::<Vec<_>>())?;
            git(&mut contest, &tree)?;
            gosum(&mut contest, &sample_modules())?;
        }
        Some((job, paths)) => match (job.as_str(), &of(paths)[..]) {
            ("bazel", [path]) => bazel(&mut contest, path)?,
            ("oci", [path]) => oci(&mut contest, path)?,
            ("nar", paths @ [_, ..]) => nar(&mut contest, paths)?,
            ("git", [path]) => git(&mut contest, path)?,
            ("gosum", [path]) => gosum_cache(&mut contest, path)?,
            _ => bail!("usage: content_store [bazel|oci|nar|git|gosum PATH]"),
        },
    }
    contest.end();
    Ok(())
}
