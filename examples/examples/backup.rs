//! Cuts files into content-defined chunks and identifies each by its digest, as a backup program
//! does before it compresses or sends anything. The ids are SHA-256, as in restic and rustic, or
//! BLAKE2b, as in borg; chunk lengths are restic's. Files must fit into memory.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example backup -- [FILE or DIRECTORY...]
//! ```

use std::{collections::HashMap, env, fs, time::Instant};

use anyhow::Result;
use blake2::Blake2b256;
use fastcdc::v2020::FastCDC;
use jlanes::{
    Digest, Sha256,
    digest::Output,
    multi::{Lanes, MultiDigest},
};
use jlanes_examples::{Contest, Noise, ms, peer};
use walkdir::WalkDir;

/// The minimum, average and maximum length of a chunk, in bytes.
const CHUNK: [u32; 3] = [512 << 10, 1 << 20, 8 << 20];

/// The chunks of files, one after the other.
fn chunks(files: &[Vec<u8>]) -> impl Iterator<Item = &[u8]> {
    let [min, average, max] = CHUNK;
    let cut = move |file| FastCDC::new(file, min, average, max);
    files.iter().flat_map(move |file| cut(file).map(|chunk| &file[chunk.offset..][..chunk.length]))
}

/// Hashes every chunk as soon as it is cut.
fn one_by_one<H: Digest>(files: &[Vec<u8>]) -> Vec<Output<H>> {
    chunks(files).map(H::digest).collect()
}

/// Cuts all chunks, then hashes them together.
fn on_lanes<H: MultiDigest>(files: &[Vec<u8>]) -> Vec<Output<H>> {
    Lanes::<H>::new().digests(&chunks(files).collect::<Vec<_>>())
}

/// Files of noise; every fourth is an older one with some bytes before it.
fn sample() -> Vec<Vec<u8>> {
    let mut noise = Noise::new(1);
    let mut files: Vec<Vec<u8>> = Vec::new();
    for i in 0..32 {
        let len = (4 << 20) + noise.below(8 << 20);
        files.push(match i % 4 {
            3 => [&b"one more line\n"[..], &files[i - 2]].concat(),
            _ => noise.bytes(len),
        });
    }
    files
}

fn read(roots: &[String]) -> Result<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    for entry in roots.iter().flat_map(WalkDir::new) {
        let entry = entry?;
        if entry.file_type().is_file() {
            files.push(fs::read(entry.path())?);
        }
    }
    Ok(files)
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let files = if args.is_empty() { sample() } else { read(&args)? };
    let lengths: Vec<usize> = chunks(&files).map(<[u8]>::len).collect();
    let bytes: usize = lengths.iter().sum();
    let work = |ids| format!("{} MB in {} chunks, {ids} ids", bytes / 1_000_000, lengths.len());

    let mut contest = Contest::default();
    let blake2 = (peer("blake2"), work("BLAKE2b"));
    contest.run(
        &blake2.1,
        &blake2.0,
        || one_by_one::<Blake2b256>(&files),
        || on_lanes::<jlanes::Blake2b256>(&files),
    )?;
    let ids = contest.run(
        &work("SHA-256"),
        &peer("sha2"),
        || one_by_one::<sha2::Sha256>(&files),
        || on_lanes::<Sha256>(&files),
    )?;

    let begin = Instant::now();
    chunks(&files).for_each(drop);
    let cutting = begin.elapsed();
    let share = |whole: f64| (100.0 * cutting.as_secs_f64() / whole).min(100.0);
    let [before, after] = contest.times().map(|time| share(time.as_secs_f64()));
    println!(
        "cutting takes {} of it: {before:.0} % of the time before, {after:.0} % now",
        ms(cutting)
    );
    let index: HashMap<_, _> = ids.into_iter().zip(lengths).collect();
    let stored: usize = index.values().sum();
    println!("{} distinct chunks: {stored} bytes of {bytes} to store", index.len());
    contest.end();
    Ok(())
}
