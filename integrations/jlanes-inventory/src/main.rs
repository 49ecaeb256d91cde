//! `jlanes-inventory`: digests of all objects of a directory or a bucket, in Parquet files.

#![forbid(unsafe_code)]

mod commands;
mod fetch;
mod hash;
mod location;
mod manifest;
mod name;
mod options;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use commands::{Report, Trouble};
use options::{Command, Options};

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            let wrong = error.use_stderr();
            // nothing is left to be said if it cannot be printed
            drop(error.print());
            return if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    match run(options.command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(trouble) => {
            eprintln!("jlanes-inventory: {trouble}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<bool, Trouble> {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.enable_all().build().map_err(|error| error.to_string())
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
        Command::Diff { a, b, relative } => commands::diff(&a, &b, relative),
        Command::Update { manifest, effort } => {
            runtime()?.block_on(commands::update(&manifest, &effort))
        }
        Command::Export { manifest, format, algorithm, absolute } => {
            commands::export(&manifest, format, algorithm, absolute)
        }
    }
}
