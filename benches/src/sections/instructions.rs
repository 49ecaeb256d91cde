//! Instructions of linear hashing, counted by callgrind: \[SMS\], Fig. 5.
//!
//! Valgrind runs this very program with the hidden command `once`, over two lengths of one message;
//! the difference is the hashing alone. Valgrind's own CPU ends at AVX2: what needs more is a named
//! gap.

use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use jlanes::{Sha256, Sha512};

use crate::{
    contest::Line,
    measure::Timing,
    method::{Method, linear_on, n_sms_on, one_by_one},
    row::Row,
    workload::{KIB, Workload},
};

/// Eight blocks of SHA-256, four of SHA-512: what the paper's widest schedule takes at once.
const UNIT_BYTES: usize = 512;
/// Bytes of the message, which has room for both lengths.
const MESSAGE_BYTES: usize = 64 * KIB;
const LENGTHS: [usize; 2] = [MESSAGE_BYTES / 2, MESSAGE_BYTES];

/// A hash function by several methods, the plain one first.
pub(crate) struct Subject {
    hash: &'static str,
    methods: Vec<Method>,
    /// The part that the schedules of several blocks save on the paper's CPU.
    saved: f64,
}

/// The method that is to save as much here.
const SAVES: &str = "n-SMS on avx2";

pub(crate) fn subjects() -> Vec<Subject> {
    let backends = ["portable", "sse41", "avx", "avx2", "avx512vl", "shani"];
    let vectors = ["sse41+n-sms", "avx+n-sms", "avx2+n-sms"];
    let sha256 =
        backends.map(linear_on::<Sha256>).into_iter().chain(vectors.map(n_sms_on::<Sha256>));
    let sha512 =
        backends.map(linear_on::<Sha512>).into_iter().chain(vectors.map(n_sms_on::<Sha512>));
    let subject = |hash, saved, methods| Subject { hash, methods, saved };
    vec![
        subject("SHA-256", 0.27, sha256.chain([one_by_one::<sha2::Sha256>("sha2")]).collect()),
        subject("SHA-512", 0.21, sha512.chain([one_by_one::<sha2::Sha512>("sha2")]).collect()),
    ]
}

impl Line for Subject {
    fn title(&self) -> String {
        self.hash.to_owned()
    }

    fn run(&self, _: Timing) -> Result<Vec<Row>> {
        let mut plain = None;
        let rows = self.methods.iter().map(|method| {
            let counted = instructions(self.hash, &method.name);
            let instructions = counted.as_ref().ok().copied();
            plain = plain.or(instructions);
            Row {
                name: self.hash.to_owned(),
                size: format!("{UNIT_BYTES} B"),
                ours: method.name.clone(),
                peer: self.methods[0].name.clone(),
                bytes: UNIT_BYTES as u64,
                instructions,
                ratio: plain.zip(instructions).map(|(plain, this)| plain / this),
                target: (method.name == SAVES).then_some(1.0 / (1.0 - self.saved)),
                gap: counted.err().map(|why| format!("{why:#}")),
                ..Row::default()
            }
        });
        Ok(rows.collect())
    }
}

/// Hashes the first `length` bytes of one message, once: what callgrind watches.
pub(crate) fn once(hash: &str, method: &str, length: usize) -> Result<()> {
    let subject = subjects().into_iter().find(|subject| subject.hash == hash);
    let methods = subject.context("no such subject")?.methods;
    let method = methods.into_iter().find(|its| its.name == method).context("no such method")?;
    let prepare = method.prepare.map_err(|why| anyhow!(why))?;
    let message = Workload::equal(1, MESSAGE_BYTES).messages().swap_remove(0);
    prepare(&[&message[..length]])(&mut vec![0; method.digest_bytes]);
    Ok(())
}

fn instructions(hash: &str, method: &str) -> Result<f64> {
    let [short, long] = LENGTHS.map(|length| callgrind(hash, method, length));
    Ok((long? - short?) as f64 * UNIT_BYTES as f64 / (LENGTHS[1] - LENGTHS[0]) as f64)
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
