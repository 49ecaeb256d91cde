//! Checks files against a manifest before they are trusted, as the next stage of a boot loader
//! would: every listed file must exist and have its SHA-256. The manifest is a `SHA256SUMS`: a
//! digest in hex, two blanks and a path below the manifest's directory.
//!
//! Files are read in pieces and share the lanes; they end in any order. A few are opened ahead, so
//! that no lane waits for a file. More could exhaust the descriptors.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example boot_manifest -- SHA256SUMS
//! ```

use std::{env, fs, fs::File, path::Path, process::ExitCode};

use anyhow::{Context, Result, ensure};
use jlanes::{
    Sha256,
    multi::{ReadSource, Scheduler},
};

/// Files that are open and have no lane yet.
const AHEAD: usize = 4;

/// A path, and its expected digest.
type Entry<'m> = (&'m str, [u8; 32]);

fn parse(line: &str) -> Result<Entry<'_>> {
    let (digest, path) = line.split_once("  ").context("no digest and name")?;
    let mut expected = [0; 32];
    hex::decode_to_slice(digest, &mut expected)?;
    Ok((path, expected))
}

/// Prints the files that differ from the list and returns their number.
fn verify(root: &Path, entries: &[Entry]) -> Result<usize> {
    let mut scheduler = Scheduler::<Sha256, _>::new();
    let mut entries = entries.iter();
    let mut bad = 0;
    loop {
        while scheduler.waiting() < AHEAD
            && let Some(entry) = entries.next()
        {
            let file = File::open(root.join(entry.0)).with_context(|| entry.0.to_owned())?;
            scheduler.submit(ReadSource(entry, file));
        }
        if scheduler.is_empty() {
            return Ok(bad);
        }
        for ((path, expected), digest) in scheduler.step() {
            let digest = digest.with_context(|| path.to_string())?;
            if digest[..] != expected[..] {
                println!("{path}: not as listed");
                bad += 1;
            }
        }
    }
}

fn main() -> Result<ExitCode> {
    let manifest = env::args_os().nth(1).context("usage: boot_manifest SHA256SUMS")?;
    let text = fs::read_to_string(&manifest).context("cannot read the manifest")?;
    let entries: Vec<Entry> = text.lines().map(parse).collect::<Result<_>>()?;
    ensure!(!entries.is_empty(), "the manifest is empty: nothing would be verified");

    let root = Path::new(&manifest).parent().context("the manifest is no file")?;
    let bad = verify(root, &entries)?;
    println!("{} files, {bad} not as listed", entries.len());
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
