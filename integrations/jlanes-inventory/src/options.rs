//! The command line.

#[cfg(feature = "cluster")]
use std::net::SocketAddr;
use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Digests of all objects of a directory or a bucket, in Parquet files.
#[derive(Debug, Parser)]
#[command(name = "jlanes-inventory", version)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a manifest, or resume an interrupted one
    Create {
        /// Paths, file:// or s3:// URLs
        #[arg(required = true)]
        locations: Vec<String>,
        /// The manifest: a directory
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Hashes and checksums of `jlanes-sum -a`, such as sha256 and crc64nvme
        #[arg(long, value_delimiter = ',', default_value = "sha256")]
        algorithms: Vec<String>,
        #[command(flatten)]
        effort: Effort,
    },
    /// Read all objects of a manifest again and compare
    Verify {
        manifest: PathBuf,
        /// Do not print OK for unchanged objects
        #[arg(long)]
        quiet: bool,
        /// Print nothing
        #[arg(long)]
        status: bool,
        #[command(flatten)]
        effort: Effort,
    },
    /// Print objects only in the second manifest (+), only in the first (-), different ones (~), and
    /// those without a digest in one of them (?)
    Diff {
        a: PathBuf,
        /// By default, another version of the first
        #[arg(required_unless_present_any = ["from", "to"])]
        b: Option<PathBuf>,
        /// The version of the first manifest
        #[arg(long, value_name = "VERSION")]
        from: Option<u32>,
        /// The version of the second manifest
        #[arg(long, value_name = "VERSION")]
        to: Option<u32>,
        /// Compare the names below each manifest's location
        #[arg(long)]
        relative: bool,
    },
    /// List the locations of a manifest again, and read new and changed objects and those with an
    /// error
    Update {
        manifest: PathBuf,
        /// Remove objects that are not listed any more, even if they are more than a tenth
        #[arg(long)]
        allow_removals: bool,
        #[command(flatten)]
        effort: Effort,
    },
    /// Print the objects without a digest, with the reasons
    Errors { manifest: PathBuf },
    /// Print the versions of a manifest
    Versions { manifest: PathBuf },
    /// Schedule the tasks of a cluster until killed
    #[cfg(feature = "cluster")]
    Scheduler {
        /// The address for executors and clients; there is no authentication
        #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:50050")]
        bind: SocketAddr,
        /// Seconds of silence after which an executor's tasks are reassigned
        #[arg(long, default_value = "60", value_parser = seconds)]
        executor_timeout: Duration,
    },
    /// Execute tasks of a cluster until killed
    #[cfg(feature = "cluster")]
    Executor {
        #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = host_and_port)]
        scheduler: (String, u16),
        /// The address where clients and other executors fetch results; there is no authentication
        #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:50051")]
        bind: SocketAddr,
        /// The name of this machine for others, if it differs from the address
        #[arg(long, value_name = "NAME")]
        host: Option<String>,
        /// A directory for results until they are fetched
        #[arg(long, value_name = "DIR")]
        work: PathBuf,
        /// Concurrent tasks
        #[arg(long, default_value = "4", value_parser = at_least_one)]
        slots: usize,
        #[command(flatten)]
        reading: Reading,
    },
    /// Print a list for another program
    Export {
        manifest: PathBuf,
        #[arg(long, value_enum)]
        format: Format,
        /// The algorithm, one of the manifest's
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
    /// Objects to read at once
    #[arg(long, default_value = "64", value_parser = at_least_one)]
    pub(crate) in_flight: usize,
    /// Bytes of objects in memory, with an optional suffix K, M or G, or KB, MB or GB for powers of
    /// 1000
    #[arg(long, default_value = "256M", value_parser = bytes)]
    pub(crate) memory: usize,
    /// Retries of a request
    #[arg(long, default_value = "10")]
    pub(crate) retries: usize,
}

/// Concurrency, and the cluster.
#[derive(Args, Clone, Debug)]
pub(crate) struct Effort {
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub(crate) cluster: Cluster,
    /// Seconds after which finished rows are on disk
    #[arg(long, default_value = "30", value_parser = seconds)]
    pub(crate) checkpoint: Duration,
}

/// A cluster that reads objects instead of this process.
#[cfg(feature = "cluster")]
#[derive(Args, Clone, Debug)]
pub(crate) struct Cluster {
    /// Read the objects on a cluster with this scheduler; its executors have their own options
    #[arg(long = "cluster", value_name = "HOST:PORT")]
    pub(crate) scheduler: Option<String>,
    /// Maximum number of objects per task of the cluster
    #[arg(long, default_value = "1024", value_parser = at_least_one)]
    pub(crate) task_objects: usize,
    /// Maximum number of tasks on the cluster at once
    #[arg(long, default_value = "64", value_parser = at_least_one)]
    pub(crate) tasks: usize,
    /// Seconds to wait for an executor that takes a task
    #[arg(long, default_value = "300", value_parser = seconds)]
    pub(crate) cluster_wait: Duration,
}

#[cfg(feature = "cluster")]
fn host_and_port(text: &str) -> Result<(String, u16), String> {
    let pair = text.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
    let (host, port) = pair.ok_or("HOST:PORT")?;
    Ok((host.to_owned(), port))
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "a number from 1 on".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    Ok(Duration::from_secs(at_least_one(text)? as u64))
}

fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match &*unit.to_ascii_uppercase() {
        "" | "B" => 1,
        "K" | "KIB" => 1 << 10,
        "M" | "MIB" => 1 << 20,
        "G" | "GIB" => 1 << 30,
        "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        _ => return Err("a number of bytes, such as 256M, 256MiB or 256MB".into()),
    };
    at_least_one(number)?.checked_mul(unit).ok_or_else(|| "too many bytes".into())
}

/// The tool that reads the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The format of `sha256sum -c` and similar tools
    Sha256sum,
    /// The payload manifest of a bag (RFC 8493), for manifest-ALGORITHM.txt
    Bagit,
    /// The format of `hashdeep -a -k`
    Hashdeep,
}
