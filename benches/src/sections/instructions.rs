//! Instructions of linear hashing, counted by callgrind: \[SMS\], Fig. 5.
//!
//! Valgrind runs this very program with the hidden command `once`, over two lengths of one message;
//! the difference is the hashing alone. Valgrind's own CPU ends at AVX2: what needs more is a named
//! gap.

use std::{fmt, process::Command};

use anyhow::{Context, Result, anyhow, bail};
use jlanes::{Sha256, Sha512};
use serde::Serialize;

use crate::{
    method::{Method, linear_on, n_sms_on, one_by_one},
    workload::{KIB, Workload},
};

/// Eight blocks of SHA-256, four of SHA-512: what the paper's widest schedule takes at once.
const UNIT: usize = 512;
/// Room for both lengths.
const MESSAGE: usize = 64 * KIB;
const LENGTHS: [usize; 2] = [MESSAGE / 2, MESSAGE];

/// What is counted: a hash function's plain form, then the others.
#[must_use]
pub fn subjects() -> Vec<(&'static str, Vec<Method>)> {
    let backends = ["portable", "sse41", "avx", "avx2", "avx512vl", "shani"];
    let vectors = ["sse41+n-sms", "avx+n-sms", "avx2+n-sms"];
    let sha256 =
        backends.map(linear_on::<Sha256>).into_iter().chain(vectors.map(n_sms_on::<Sha256>));
    let sha512 =
        backends.map(linear_on::<Sha512>).into_iter().chain(vectors.map(n_sms_on::<Sha512>));
    vec![
        ("SHA-256", sha256.chain([one_by_one::<sha2::Sha256>("sha2")]).collect()),
        ("SHA-512", sha512.chain([one_by_one::<sha2::Sha512>("sha2")]).collect()),
    ]
}

/// Instructions of one method.
#[derive(Clone, Debug, Serialize)]
pub struct Count {
    /// The hash function.
    pub hash: &'static str,
    /// The backend or peer.
    pub method: String,
    /// Instructions for 512 bytes.
    pub instructions: Option<f64>,
    /// Relative to the plain form.
    pub relative: Option<f64>,
    /// Why a figure is missing.
    pub gap: Option<String>,
}

/// Counts all subjects, and prints each as soon as it is known.
///
/// # Errors
/// If this program's own path is not to be had.
pub fn run() -> Result<Vec<Count>> {
    let mut counts = Vec::new();
    for (hash, methods) in subjects() {
        let mut plain = None;
        for method in methods {
            let counted = instructions(hash, &method.name);
            let instructions = counted.as_ref().ok().copied();
            plain = plain.or(instructions);
            let count = Count {
                hash,
                method: method.name,
                instructions,
                relative: instructions.zip(plain).map(|(this, plain)| this / plain),
                gap: counted.err().map(|why| format!("{why:#}")),
            };
            println!("{count}");
            counts.push(count);
        }
    }
    Ok(counts)
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:10} {:10} ", self.hash, self.method)?;
        match (self.instructions, self.relative, &self.gap) {
            (Some(count), Some(relative), _) => {
                write!(f, "{count:8.0} instructions for {UNIT} bytes  {relative:5.3} of the plain")
            }
            (_, _, gap) => write!(f, "no figure: {}", gap.as_deref().unwrap_or_default()),
        }
    }
}

/// Hashes the first `length` bytes of one message, once: what callgrind watches.
///
/// # Errors
/// If there is no such subject, or this CPU cannot run it.
pub fn once(hash: &str, method: &str, length: usize) -> Result<()> {
    let methods = subjects().into_iter().find(|(name, _)| *name == hash);
    let method = methods
        .and_then(|(_, methods)| methods.into_iter().find(|subject| subject.name == method))
        .context("no such subject")?;
    let prepare = method.prepare.map_err(|why| anyhow!(why))?;
    let message = Workload::equal(1, MESSAGE).messages().swap_remove(0);
    prepare(&[&message[..length]])(&mut vec![0; method.digest_bytes]);
    Ok(())
}

fn instructions(hash: &str, method: &str) -> Result<f64> {
    let [short, long] = LENGTHS.map(|length| callgrind(hash, method, length));
    Ok((long? - short?) as f64 * UNIT as f64 / (LENGTHS[1] - LENGTHS[0]) as f64)
}

/// Instructions of this program hashing so much.
fn callgrind(hash: &str, method: &str, length: usize) -> Result<i64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["once", hash, method, &length.to_string()])
        .output()
        .context("no valgrind here")?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        // Valgrind writes its own lines, and now and then the end of one of ours, after `==`.
        let mut ours = messages.lines().filter_map(|line| line.split("==").next());
        let why = ours.find(|text| !text.is_empty()).unwrap_or("it failed");
        bail!("under valgrind: {why}");
    }
    let count = messages.lines().find_map(|line| line.split_once("Collected :"));
    let (_, count) = count.context("callgrind printed no count")?;
    count.trim().parse().context("callgrind's count is a number")
}
