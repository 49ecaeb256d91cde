#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(feature = "cluster")]
mod cluster;
mod commands;
mod computation;
mod fetch;
mod files;
mod hash;
mod location;
mod log;
mod manifest;
mod meta;
mod name;
#[cfg(feature = "sql")]
mod object_digest;
mod options;
mod progress;
mod s3;
mod stores;

use std::process::ExitCode;

use clap::Parser;
#[cfg(feature = "sql")]
use datafusion::logical_expr::ScalarUDF;

use commands::{End, Report};
use manifest::Manifest;
use options::{Command, Options};
use progress::message;

/// The stack of a thread in bytes: plans of queries are decoded recursively.
const STACK: usize = 16 << 20;

/// The exit status of a command that could not do its work.
const FAILED: u8 = 2;

/// The reason why a command failed.
type Trouble = String;

/// `object_digest(url, 'algorithm,algorithm')`, an asynchronous function for DataFusion. Its result
/// is a struct with the fields `size`, `mtime`, `etag`, `version_id`, `error`, and the digest of
/// each algorithm, which is null after an error. Optional arguments after the algorithms are
/// `size`, `mtime` and `etag` of the listing: an object with other values is an error.
///
/// It reads `in_flight` objects at once over all queries, and their pieces take `memory` bytes.
/// Failed requests are repeated up to `retries` times.
///
/// # Panics
/// Without a tokio runtime: objects are read in the runtime of this call.
#[cfg(feature = "sql")]
#[must_use]
pub fn object_digest(in_flight: usize, memory: usize, retries: usize) -> ScalarUDF {
    let reading = options::Reading { in_flight, memory, retries };
    object_digest::function(&reading, tokio::runtime::Handle::current())
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            let wrong = error.use_stderr();
            // a failed print cannot be reported
            drop(error.print());
            return if wrong { FAILED.into() } else { ExitCode::SUCCESS };
        }
    };
    match run(options.command) {
        Ok(end) => end.status().into(),
        Err(trouble) => {
            message(trouble);
            FAILED.into()
        }
    }
}

fn run(command: Command) -> Result<End, Trouble> {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.enable_all().thread_stack_size(STACK).build().map_err(|error| error.to_string())
    };
    match command {
        Command::Create { locations, out, algorithms, effort } => {
            runtime()?.block_on(commands::create(&locations, &out, algorithms, &effort))
        }
        Command::Verify { manifest, quiet, status, effort } => {
            let report = match (status, quiet) {
                (true, _) => Report::Nothing,
                (false, true) => Report::Failures,
                (false, false) => Report::All,
            };
            runtime()?.block_on(commands::verify(&manifest, report, &effort))
        }
        Command::Diff { a, b, from, to, relative } => {
            let first = Manifest::existing(&a, from)?;
            let second = Manifest::existing(b.as_ref().unwrap_or(&a), to)?;
            commands::diff(&first, &second, relative)
        }
        Command::Update { manifest, allow_removals, effort } => {
            runtime()?.block_on(commands::update(&manifest, allow_removals, &effort))
        }
        Command::Errors { manifest } => commands::errors(&manifest),
        Command::Versions { manifest } => commands::versions(&manifest),
        #[cfg(feature = "cluster")]
        Command::Scheduler { bind, executor_timeout } => {
            env_logger::init();
            runtime()?.block_on(cluster::scheduler(bind, executor_timeout))?;
            Ok(End::Good)
        }
        #[cfg(feature = "cluster")]
        Command::Executor { scheduler, bind, host, work, slots, reading } => {
            env_logger::init();
            runtime()?
                .block_on(cluster::executor(scheduler, bind, host, &work, slots, &reading))?;
            Ok(End::Good)
        }
        Command::Export { manifest, format, algorithm, absolute } => {
            commands::export(&manifest, format, algorithm, absolute)
        }
    }
}
