//! Runs one call of jlanes by its name, for `.ci/calls` (which counts instructions in Valgrind) and
//! `.ci/size` (which counts frames in a debugger).
//!
//! `jlanes-calls` lists the names. `jlanes-calls NAME BACKEND` runs that call twice, because the first
//! call also detects the CPU; only the second counts.

use std::{env, hint::black_box};

use anyhow::Context;
use jlanes::{
    Algorithm, Backend, Digest, Sha256,
    digest::Output,
    multi::{Lanes, Messages},
};

/// The inputs and outputs of all calls.
struct Stage {
    backend: Backend,
    lanes: Lanes<'static, Sha256>,
    algorithm: Algorithm,
    bytes: Vec<u8>,
    digests: Vec<Output<Sha256>>,
    out: Vec<u8>,
}

impl Stage {
    fn new(backend: Backend) -> Self {
        Self {
            backend,
            lanes: Lanes::new().on(backend),
            algorithm: Algorithm::SHA256,
            bytes: vec![0x61; 64 * 1000],
            digests: vec![Output::<Sha256>::default(); 1000],
            out: vec![0; 32 * 1000],
        }
    }

    fn one(&mut self, len: usize) {
        self.digests[0] = Sha256::digest(&self.bytes[..len]);
    }

    fn batch(&mut self, count: usize, len: usize) {
        let messages: Vec<&[u8]> =
            self.bytes.chunks_exact(len.max(1)).take(count).map(|m| &m[..len]).collect();
        self.lanes.digest(&messages, &mut self.digests[..count]);
    }

    /// Shuffled lengths from 1 to `count`.
    fn mixed(&mut self, count: usize) {
        let messages: Vec<&[u8]> = (0..count).map(|i| &self.bytes[..i * 37 % count + 1]).collect();
        self.lanes.digest(&messages, &mut self.digests[..count]);
    }

    fn nodes(&mut self, count: usize) {
        self.lanes.nodes(&self.bytes[..64 * count], 64, &mut self.digests[..count]);
    }

    fn hmac(&mut self, count: usize) {
        let messages: Vec<&[u8]> = self.bytes.chunks_exact(64).take(count).collect();
        self.lanes.hmac(b"key", &messages, &mut self.digests[..count]);
    }

    fn by_name(&mut self, count: usize) -> anyhow::Result<()> {
        let lanes = self.algorithm.lanes()?.on(self.backend);
        let records = Messages::records(&self.bytes[..64 * count], 64)?;
        lanes.digest(records, &mut self.out[..32 * count]);
        Ok(())
    }

    fn scheduler(&mut self, count: usize) {
        let mut scheduler = self.lanes.scheduler();
        for (key, message) in self.bytes.chunks_exact(64).take(count).enumerate() {
            scheduler.submit((key, message));
        }
        for (key, digest) in scheduler.drain() {
            let Ok(digest) = digest;
            self.digests[key] = digest;
        }
    }
}

type Call = fn(&mut Stage) -> anyhow::Result<()>;

/// Defines the calls and their names.
macro_rules! calls {
    ($($name:literal: |$stage:ident| $call:expr;)*) => {
        &[$(($name, |$stage: &mut Stage| { $call; Ok(()) })),*]
    };
}

const CALLS: &[(&str, Call)] = calls! {
    "one-0": |s| s.one(0);
    "one-64": |s| s.one(64);
    "one-1000": |s| s.one(1000);
    "batch-1x0": |s| s.batch(1, 0);
    "batch-1x64": |s| s.batch(1, 64);
    "batch-1x1000": |s| s.batch(1, 1000);
    "batch-2x64": |s| s.batch(2, 64);
    "batch-5x64": |s| s.batch(5, 64);
    "batch-16x64": |s| s.batch(16, 64);
    "batch-1000x64": |s| s.batch(1000, 64);
    "batch-1000-mixed": |s| s.mixed(1000);
    "nodes-16": |s| s.nodes(16);
    "nodes-1000": |s| s.nodes(1000);
    "hmac-16x64": |s| s.hmac(16);
    "name-1x64": |s| s.by_name(1)?;
    "name-16x64": |s| s.by_name(16)?;
    "scheduler-3x64": |s| s.scheduler(3);
};

/// Valgrind counts the instructions of this function, with all that it calls.
#[inline(never)]
fn counted(call: Call, stage: &mut Stage) -> anyhow::Result<()> {
    black_box(call)(stage)
}

fn main() -> anyhow::Result<()> {
    let Some(name) = env::args().nth(1) else {
        for (name, _) in CALLS {
            println!("{name}");
        }
        return Ok(());
    };
    let backend = env::args().nth(2).context("no backend")?.parse()?;
    let (_, call) = CALLS.iter().find(|(known, _)| *known == name).context("no such call")?;
    let mut stage = Stage::new(backend);
    call(&mut stage)?;
    counted(*call, &mut stage)?;
    black_box(&stage.digests);
    black_box(&stage.out);
    Ok(())
}
