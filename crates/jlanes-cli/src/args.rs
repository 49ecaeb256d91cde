//! The command line: GNU's options, and ours.

use std::{env, ffi::OsString, io, num::NonZero, os::unix::ffi::OsStrExt};

use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, ValueEnum};
use clap_complete::Shell;
use jlanes::{Backend, merkle::Version};

use crate::{lists::line::Foreign, report::progress::When, tasks::dirhash::DirHash};

mod abbreviations;
mod plan;
mod size;
mod usage;

pub(crate) use abbreviations::Tool;
pub(crate) use plan::Plan;
pub(crate) use size::Size;
pub(crate) use usage::explain;

/// The names of algorithms, for people.
pub(crate) const ALGORITHMS: &str = "\
Algorithms:
  sha1 sha224 sha256 sha384 sha512 sha512-224 sha512-256
  skein256 skein512 skein1024, with -BITS, -tree:YL.YF.YM or both behind
  jlanesJ-HASH, jpointers-HASH, with -raw behind for the paper's; HASH is of the above without a tree
  mh-sha1 mh-sha256 btv2 glacier dropbox s3-sha256:PART rfc6962-sha256:LEAF
  fsverity-sha256 fsverity-sha512, with -BLOCK; dmverity-sha1 dmverity-sha256 dmverity-sha512";

/// Prints or checks digests of files, many files at once on SIMD lanes.
///
/// With no FILE, or when FILE is -, reads standard input.
#[derive(Debug, Default, Parser)]
#[command(
    name = "jlanes-sum",
    version,
    infer_long_args = true,
    override_usage = "jlanes-sum [OPTION]... [FILE|DIR]...",
    args_override_self = true,
    after_help = ALGORITHMS,
    disable_help_flag = true,
    disable_version_flag = true
)]
pub(crate) struct Args {
    /// Files, or directories with -r, or with -c lists of digests
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,

    /// Digest to compute [default: sha256]; may be repeated, or a list with commas
    #[arg(short, long = "algorithm", value_name = "SPEC", value_delimiter = ',')]
    pub(crate) algorithm: Vec<String>,

    /// Digest length in bits, with --algorithm=sha2
    #[arg(short, long, value_name = "BITS")]
    pub(crate) length: Option<String>,

    /// Go through directories, in byte order of paths
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// Read names from LIST, each with a NUL behind it; - is standard input
    #[arg(long, value_name = "LIST", help_heading = "Files", conflicts_with = "files_from")]
    pub(crate) files0_from: Option<OsString>,

    /// Read names from LIST, one a line; - is standard input
    #[arg(long, value_name = "LIST", help_heading = "Files")]
    pub(crate) files_from: Option<OsString>,

    /// With -r, only files that match a pattern; without a slash it is about names, with one about
    /// paths below the DIR
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    pub(crate) include: Vec<String>,

    /// With -r, neither files nor directories that match a pattern
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    pub(crate) exclude: Vec<String>,

    /// With -r, go through N levels of directories
    #[arg(long, value_name = "N", help_heading = "Files")]
    pub(crate) max_depth: Option<usize>,

    /// With -r, no files larger than SIZE bytes; K, M, G, T, P and E are powers of 1024, KB, MB
    /// and so on powers of 1000
    #[arg(long, value_name = "SIZE", help_heading = "Files")]
    pub(crate) max_size: Option<Size>,

    /// With -r, stay on the file system of the DIR
    #[arg(short = 'x', long, help_heading = "Files")]
    pub(crate) one_file_system: bool,

    /// With -r, follow symbolic links
    #[arg(short = 'L', long, help_heading = "Files")]
    pub(crate) dereference: bool,

    /// Take symbolic links as files of what they say, and do not follow them
    #[arg(long, help_heading = "Files", conflicts_with = "dereference")]
    pub(crate) hash_links: bool,

    /// Tell of files that change while they are read
    #[arg(long, help_heading = "Files")]
    pub(crate) warn_changed: bool,

    /// With -r, the order of files [default: name]
    #[arg(long, value_name = "ORDER", help_heading = "Files", value_enum)]
    pub(crate) sort: Option<Sort>,

    /// Read digests from the FILEs and check them
    #[arg(short, long, help_heading = "Checking")]
    pub(crate) check: bool,

    /// Compare files, or all that is in directories, with the digests in LIST: tell which have
    /// changed, moved, or are new or missing
    #[arg(long, value_name = "LIST", help_heading = "Checking")]
    #[arg(conflicts_with_all = ["check", "raw", "zero", "tag", "json", "base64", "no_names"])]
    #[arg(conflicts_with_all = ["format", "fsverity_format"])]
    pub(crate) audit: Vec<OsString>,

    /// With -c, check no file but NAME, which must be listed
    #[arg(long, value_name = "NAME", help_heading = "Checking")]
    #[arg(conflicts_with = "ignore_missing")]
    pub(crate) only: Vec<OsString>,

    /// With -c, fail if less than N files match
    #[arg(long, value_name = "N", help_heading = "Checking")]
    pub(crate) require: Option<u64>,

    /// Neither fail nor report for missing files
    #[arg(long, help_heading = "Checking")]
    pub(crate) ignore_missing: bool,

    /// Do not print OK for files that match
    #[arg(long, help_heading = "Checking", overrides_with_all = ["status", "warn"])]
    pub(crate) quiet: bool,

    /// Print nothing, the exit status shows success
    #[arg(long, help_heading = "Checking", overrides_with_all = ["quiet", "warn"])]
    pub(crate) status: bool,

    /// Fail for improperly formatted lines
    #[arg(long, help_heading = "Checking")]
    pub(crate) strict: bool,

    /// Warn about improperly formatted lines
    #[arg(short, long, help_heading = "Checking", overrides_with_all = ["quiet", "status"])]
    pub(crate) warn: bool,

    /// Mark names with an asterisk, as read in binary mode
    #[arg(short, long, help_heading = "Output", overrides_with = "text")]
    pub(crate) binary: bool,

    /// Do not mark names (default)
    #[arg(short, long, help_heading = "Output", overrides_with = "binary")]
    pub(crate) text: bool,

    /// Print lines with the algorithm's name, as BSD's tools do
    #[arg(long, help_heading = "Output", overrides_with = "untagged")]
    pub(crate) tag: bool,

    /// Print lines without the algorithm's name
    #[arg(long, help_heading = "Output", overrides_with = "tag")]
    pub(crate) untagged: bool,

    /// Print digests without names
    #[arg(long, help_heading = "Output", conflicts_with_all = ["check", "raw", "json", "tag"])]
    pub(crate) no_names: bool,

    /// End lines with NUL, and do not escape names
    #[arg(short, long, help_heading = "Output")]
    pub(crate) zero: bool,

    /// Print the digest's bytes alone
    #[arg(long, help_heading = "Output")]
    pub(crate) raw: bool,

    /// Print digests in base64
    #[arg(long, help_heading = "Output")]
    pub(crate) base64: bool,

    /// Print one JSON object a line
    #[arg(long, help_heading = "Output", conflicts_with_all = ["check", "raw", "zero", "tag"])]
    pub(crate) json: bool,

    /// Print a list as hashdeep or mtree do; -c and --audit know them by themselves
    #[arg(long, value_name = "NAME", help_heading = "Output", value_enum)]
    #[arg(conflicts_with_all = ["check", "raw", "zero", "tag", "json", "base64", "no_names"])]
    pub(crate) format: Option<Foreign>,

    /// Print one digest for each DIR: Go's h1, or the id of git's tree
    #[arg(long, value_name = "NAME", help_heading = "Output", value_enum)]
    #[arg(conflicts_with_all = ["check", "raw", "zero", "tag", "json", "base64", "no_names"])]
    #[arg(conflicts_with_all = ["format", "algorithm", "audit", "hash_links"])]
    pub(crate) dirhash: Option<DirHash>,

    /// Print fsverity's own lines, HASH:DIGEST FILE
    #[arg(long, help_heading = "Output", conflicts_with_all = ["check", "raw", "zero", "tag", "json"])]
    pub(crate) fsverity_format: bool,

    /// fs-verity's block, dm-verity's data block [default: 4096]
    #[arg(long, value_name = "BYTES", help_heading = "Digests")]
    pub(crate) block_size: Option<usize>,

    /// dm-verity's hash block [default: as the data block]
    #[arg(long, value_name = "BYTES", help_heading = "Digests")]
    pub(crate) hash_block_size: Option<usize>,

    /// fs-verity's or dm-verity's salt
    #[arg(long, value_name = "HEX", help_heading = "Digests")]
    pub(crate) salt: Option<OsString>,

    /// dm-verity's version [default: 1]
    #[arg(long, value_name = "0|1", help_heading = "Digests", value_parser = version)]
    pub(crate) dmverity_format: Option<Version>,

    /// Write dm-verity's hash tree to OUT, as for a device without a superblock
    #[arg(long, value_name = "OUT", help_heading = "Digests")]
    pub(crate) dmverity_tree: Option<OsString>,

    /// mh-sha1 and mh-sha256 with the bytes of each word as they lie in memory
    #[arg(long, help_heading = "Digests")]
    pub(crate) isal_memory_order: bool,

    /// HMAC with a SHA algorithm; the key is all bytes of FILE, - is standard input
    #[arg(long, value_name = "FILE", help_heading = "Digests")]
    pub(crate) hmac_key_file: Option<OsString>,

    /// Skein's key: all bytes of FILE, - is standard input
    #[arg(long, value_name = "FILE", help_heading = "Digests")]
    pub(crate) key_file: Option<OsString>,

    /// Skein's personalization; given but empty is not the same as none, here and below
    #[arg(long, value_name = "HEX", help_heading = "Digests")]
    pub(crate) personalization_hex: Option<OsString>,

    /// Skein's public key
    #[arg(long, value_name = "HEX", help_heading = "Digests")]
    pub(crate) public_key_hex: Option<OsString>,

    /// Skein's key identifier
    #[arg(long, value_name = "HEX", help_heading = "Digests")]
    pub(crate) key_id_hex: Option<OsString>,

    /// Skein's nonce
    #[arg(long, value_name = "HEX", help_heading = "Digests")]
    pub(crate) nonce_hex: Option<OsString>,

    /// Instructions to use: auto, portable, sse41, avx, avx2, avx512vl, avx512, shani,
    /// sha512ni
    #[arg(long, value_name = "NAME", default_value_t, help_heading = "Speed")]
    pub(crate) backend: Backend,

    /// Threads to use [default: as many as there are CPUs]
    #[arg(long, value_name = "N", help_heading = "Speed", alias = "num-threads")]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Read at most N large files at once from each disk; by default one from those that rotate
    #[arg(long, value_name = "N", help_heading = "Speed")]
    pub(crate) io_jobs: Option<NonZero<usize>>,

    /// Map files of 1 MiB and more into memory on any file system [default: not on networks']
    #[arg(long, help_heading = "Speed", overrides_with = "no_mmap")]
    pub(crate) mmap: bool,

    /// Do not map files into memory, read them
    #[arg(long, help_heading = "Speed", overrides_with = "mmap")]
    pub(crate) no_mmap: bool,

    /// Show on standard error how far the work has come; without WHEN, if that is a terminal
    #[arg(long, value_name = "WHEN", help_heading = "Speed", value_enum)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub(crate) progress: Option<When>,

    /// Tell on standard error which kernels ran, how full the lanes were, and how fast
    #[arg(long, help_heading = "Speed")]
    pub(crate) debug: bool,

    /// Whether --text stands behind --tag, which counts as --binary where it stands
    #[arg(skip)]
    pub(crate) text_after_tag: bool,

    /// Print completions for SHELL
    #[arg(long, value_name = "SHELL")]
    pub(crate) completions: Option<Shell>,

    /// Print the manual page
    #[arg(long)]
    pub(crate) man: bool,

    /// Print this help
    #[arg(long, action = ArgAction::Help)]
    help: Option<bool>,

    /// Print the version
    #[arg(long, action = ArgAction::Version)]
    version: Option<bool>,
}

fn version(text: &str) -> Result<Version, String> {
    match text {
        "0" => Ok(Version::V0),
        "1" => Ok(Version::V1),
        _ => Err("0 or 1".to_owned()),
    }
}

/// The order of a directory's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// By the bytes of their paths.
    Name,
    /// As the system lists them.
    None,
}

impl Args {
    /// The generated text that was asked for, if any.
    ///
    /// # Errors
    /// None that generating into memory can meet.
    pub(crate) fn generated(&self) -> io::Result<Option<Vec<u8>>> {
        let mut text = Vec::new();
        if let Some(shell) = self.completions {
            let mut command = Self::command();
            let name = command.get_name().to_owned();
            clap_complete::generate(shell, &mut command, name, &mut text);
        } else if self.man {
            clap_mangen::Man::new(Self::command()).render(&mut text)?;
        } else {
            return Ok(None);
        }
        Ok(Some(text))
    }

    /// Reads the command line, with the abbreviations of `tool`.
    pub(crate) fn read(tool: Tool) -> Result<Self, clap::Error> {
        let given: Vec<OsString> = env::args_os().collect();
        // the parser costs as much as hashing dozens of small files: what is asked for most often,
        // the sums of names or the check of a list, does without
        let is_name = |arg: &OsString| arg == "-" || !arg.as_bytes().starts_with(b"-");
        let is_check = |arg: &OsString| arg == "-c" || arg == "--check";
        if given.iter().skip(1).all(|arg| is_name(arg) || is_check(arg)) {
            let (files, checks): (Vec<_>, Vec<_>) = given.into_iter().skip(1).partition(is_name);
            return Ok(Self { files, check: !checks.is_empty(), ..Self::default() });
        }
        // what follows an option that needs a value is its value, whatever it looks like
        let greedy = |arg: Arg| {
            let any = !arg.is_positional() && !arg.is_require_equals_set();
            if any && arg.get_action().takes_values() { arg.allow_hyphen_values(true) } else { arg }
        };
        let command = tool.teach(Self::command()).mut_args(greedy);
        let matches = command.try_get_matches_from(given)?;
        let at = |id| matches.get_flag(id).then(|| matches.index_of(id)).flatten();
        let text_after_tag = at("text") > at("tag");
        Ok(Self { text_after_tag, ..Self::from_arg_matches(&matches)? })
    }
}
