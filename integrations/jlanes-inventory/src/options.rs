//! The command line.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand};

use crate::commands::Format;

/// Digests of all objects of a directory or a bucket, in Parquet files.
#[derive(Debug, Parser)]
#[command(name = "jlanes-inventory", version)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a manifest, or go on with one that was broken off
    Create {
        /// Paths, file:// or s3:// URLs
        #[arg(required = true)]
        locations: Vec<String>,
        /// The manifest: a directory
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Names as `jlanes-sum -a` has them
        #[arg(long, value_delimiter = ',', default_value = "sha256")]
        algorithms: Vec<String>,
        #[command(flatten)]
        effort: Effort,
    },
    /// Read all objects of a manifest again and compare
    Verify {
        manifest: PathBuf,
        /// Do not print OK for each object that is
        #[arg(long)]
        quiet: bool,
        /// Print nothing
        #[arg(long)]
        status: bool,
        #[command(flatten)]
        effort: Effort,
    },
    /// Print what is in the second manifest only (+), in the first only (-), or differs (~)
    Diff {
        a: PathBuf,
        b: PathBuf,
        /// Compare the names below each manifest's location
        #[arg(long)]
        relative: bool,
    },
    /// List the locations of a manifest again, and read what is new, changed or had an error
    Update {
        manifest: PathBuf,
        #[command(flatten)]
        effort: Effort,
    },
    /// Print a list for another program
    Export {
        manifest: PathBuf,
        #[arg(long, value_enum)]
        format: Format,
        /// Of the manifest's algorithms, this one
        #[arg(long)]
        algorithm: Option<String>,
        /// Whole paths and URLs, even if the manifest has one location
        #[arg(long)]
        absolute: bool,
    },
}

/// How objects are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// Objects that are read at once
    #[arg(long, default_value = "64", value_parser = at_least_one)]
    pub(crate) in_flight: usize,
    /// Bytes of objects in memory, with K, M or G behind the number
    #[arg(long, default_value = "256M", value_parser = bytes)]
    pub(crate) memory: usize,
    /// How often a request is sent again
    #[arg(long, default_value = "10")]
    pub(crate) retries: usize,
}

/// How much is done at once, and how often it is written.
#[derive(Args, Clone, Debug)]
pub(crate) struct Effort {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Seconds after which finished rows are on disk
    #[arg(long, default_value = "30", value_parser = seconds)]
    pub(crate) checkpoint: Duration,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "a number from 1 on".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    Ok(Duration::from_secs(at_least_one(text)? as u64))
}

fn bytes(text: &str) -> Result<usize, String> {
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let unit = units.iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
    let (number, shift) = unit.unwrap_or((text, &0));
    at_least_one(number)?.checked_mul(1 << shift).ok_or_else(|| "too many bytes".into())
}
