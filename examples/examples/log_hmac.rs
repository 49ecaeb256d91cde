//! Seals a log: every line gets an HMAC-SHA-256 tag under one key, over its number and its text, so
//! that nobody without the key changes, moves or inserts a line unnoticed. (Lines cut off at the end
//! show in the count that is printed, and nowhere else.)
//!
//! Lines are short and many. The key's two blocks are hashed once, and all lines share the lanes.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example log_hmac -- seal KEY-FILE < LOG > SEALED
//! $ cargo run --release -p jlanes-examples --example log_hmac -- verify KEY-FILE < SEALED
//! ```

use std::{
    env, fs,
    io::{Write, read_to_string, stdin, stdout},
    process::ExitCode,
};

use anyhow::{Context, Result, bail, ensure};
use jlanes::{
    Sha256,
    digest::{CtOutput, Output},
    multi::Lanes,
};

/// The tags of a log's lines.
fn tags(key: &[u8], lines: &[&str]) -> Vec<Output<Sha256>> {
    let numbered: Vec<Vec<u8>> = (1u64..)
        .zip(lines)
        .map(|(number, line)| [&number.to_be_bytes(), line.as_bytes()].concat())
        .collect();
    let messages: Vec<&[u8]> = numbered.iter().map(Vec::as_slice).collect();
    let mut tags = vec![Output::<Sha256>::default(); lines.len()];
    Lanes::<Sha256>::new().hmac(key, &messages, &mut tags);
    tags
}

fn seal(key: &[u8], log: &str) -> Result<()> {
    let lines: Vec<&str> = log.lines().collect();
    let mut out = stdout().lock();
    for (tag, line) in tags(key, &lines).iter().zip(&lines) {
        writeln!(out, "{} {line}", hex::encode(tag))?;
    }
    Ok(())
}

/// Prints the numbers of the lines with a wrong tag; returns their count.
fn verify(key: &[u8], sealed: &str) -> Result<usize> {
    let split = |line| str::split_once(line, ' ').context("a line without a tag");
    let (claimed, lines): (Vec<_>, Vec<_>) =
        sealed.lines().map(split).collect::<Result<Vec<_>>>()?.into_iter().unzip();
    let mut bad = 0;
    for (i, tag) in tags(key, &lines).into_iter().enumerate() {
        let mut claim = Output::<Sha256>::default();
        // tags are secret: the time of `==` on bytes would show how much of a tag is right
        let right = hex::decode_to_slice(claimed[i], &mut claim).is_ok()
            && CtOutput::<Sha256>::new(claim) == CtOutput::new(tag);
        if !right {
            println!("line {}: not as it was sealed", i + 1);
            bad += 1;
        }
    }
    println!("{} lines, {bad} bad", lines.len());
    Ok(bad)
}

fn main() -> Result<ExitCode> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [job, key] = &args[..] else { bail!("usage: log_hmac seal|verify KEY-FILE") };
    let key = fs::read(key).context("cannot read the key")?;
    ensure!(key.len() >= 32, "the key is shorter than 32 bytes");
    let log = read_to_string(stdin())?;
    let bad = match job.as_str() {
        "seal" => seal(&key, &log).map(|()| 0),
        "verify" => verify(&key, &log),
        _ => bail!("usage: log_hmac seal|verify KEY-FILE"),
    }?;
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
