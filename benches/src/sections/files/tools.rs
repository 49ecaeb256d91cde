//! The programs that hash files: ours and others.

use std::env;

use anyhow::Result;

use crate::process::{Answer, Names, Site, Tool, jlanes_sum};

/// A program and what it is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// `jlanes-sum`.
    Ours(Job),
    /// Skein by this program: the tool offers one scheduler, the library all.
    Skein {
        /// A scheduler, or `simple` or `crate`.
        mode: &'static str,
        threads: &'static str,
    },
    Cat,
    Sha256Sum,
    Sha256SumCheck,
    OpenSsl,
    /// OpenSSL's SHA-512.
    OpenSsl512,
    /// Two processes at a time.
    OpenSslByXargs,
    B3Sum,
    HashDeep,
    Rhash,
    FsVerity,
    VeritySetup,
    LibTorrent,
    BotoCore,
}

/// What `jlanes-sum` can be asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Print SHA-256 digests.
    Hash,
    /// Print digests of this algorithm, on this number of threads.
    HashBy(&'static str, &'static str),
    /// Write a dm-verity hash tree, on this number of threads.
    VerityTree(&'static str),
    /// Check the list of SHA-256 digests.
    Check,
}

impl Program {
    /// Its command line for the files of `site`.
    pub(super) fn tool(self, site: &Site<'_>) -> Result<Tool> {
        let list = site.list().display().to_string();
        // Enough processes for two cores, few enough that starting them is not what is measured.
        let batch = site.names.len().div_ceil(8).to_string();
        Ok(match self {
            Self::Ours(job) => return job.tool(site),
            Self::Skein { mode, threads } => {
                let this = env::current_exe()?.display().to_string();
                let name = match threads {
                    "1" => mode.to_owned(),
                    _ => format!("{mode}, {threads} threads"),
                };
                Tool::new(&name, &[&this, "skein", mode, threads])
            }
            Self::Cat => Tool::new("cat", &["cat"]).answering(Answer::Status),
            Self::Sha256Sum => Tool::new("sha256sum", &["sha256sum"]),
            Self::Sha256SumCheck => {
                checking(Tool::new("sha256sum -c", &["sha256sum", "-c", &list]))
            }
            Self::OpenSsl => Tool::new("openssl", &["openssl", "dgst", "-sha256", "-r"]),
            Self::OpenSsl512 => Tool::new("openssl sha512", &["openssl", "dgst", "-sha512", "-r"]),
            // Its two processes mix half lines in one output: nothing there to be checked.
            Self::OpenSslByXargs => {
                let xargs = ["xargs", "-0", "-P2", "-n", &batch];
                let openssl = ["openssl", "dgst", "-sha256", "-r"];
                Tool::new("xargs -P2 openssl", &[&xargs[..], &openssl].concat())
                    .with_names(Names::Input)
                    .answering(Answer::Status)
            }
            Self::B3Sum => Tool::new("b3sum", &["b3sum"]),
            Self::HashDeep => Tool::new("hashdeep -j2", &["hashdeep", "-c", "sha256", "-j2", "-l"])
                .answering(Answer::Quotes),
            Self::Rhash => Tool::new("rhash", &["rhash", "--sha256"]),
            Self::FsVerity => Tool::new("fsverity", &["fsverity", "digest"]),
            Self::VeritySetup => verity_setup(site),
            Self::LibTorrent => python("libtorrent", LIBTORRENT),
            Self::BotoCore => python("botocore", BOTOCORE),
        })
    }
}

impl Job {
    fn tool(self, site: &Site<'_>) -> Result<Tool> {
        let program = jlanes_sum()?.display().to_string();
        let scratch = |name| site.scratch.join(name).display().to_string();
        let named = |threads: &str| match threads {
            "1" => "jlanes-sum, 1 thread",
            _ => "jlanes-sum",
        };
        Ok(match self {
            Self::Hash => Tool::new("jlanes-sum", &[&program]).with_names(Names::Either),
            Self::HashBy(spec, threads) => {
                Tool::new(named(threads), &[&program, "-a", spec, "--threads", threads])
            }
            Self::VerityTree(threads) => {
                let tree = scratch("jlanes.tree");
                let options = ["-a", "dmverity-sha256", "--dmverity-tree", &tree];
                Tool::new(
                    named(threads),
                    &[&[&program[..]], &options[..], &["--threads", threads]].concat(),
                )
            }
            Self::Check => checking(Tool::new(
                "jlanes-sum -c",
                &[&program, "-c", &site.list().display().to_string()],
            )),
        })
    }
}

/// A tool that reads the list of digests.
fn checking(tool: Tool) -> Tool {
    tool.with_names(Names::Known).answering(Answer::Status)
}

fn verity_setup(site: &Site<'_>) -> Tool {
    let path = |folder: &std::path::Path, name: &str| folder.join(name).display().to_string();
    let data = path(site.directory, site.names.first().map_or("", String::as_str));
    let tree = path(site.scratch, "veritysetup.tree");
    let options = ["--no-superblock", "--salt=-", "--hash=sha256"];
    let sizes = ["--data-block-size=4096", "--hash-block-size=4096"];
    let command = [&["veritysetup", "format"][..], &options, &sizes, &[&data, &tree]].concat();
    Tool::new("veritysetup", &command).with_names(Names::Known).answering(Answer::Quotes)
}

/// A Python module's hash of each file.
fn python(module: &str, hash: &str) -> Tool {
    Tool::new(module, &["python3", "-W", "ignore", "-c", hash])
}

const LIBTORRENT: &str = "\
import os, sys, libtorrent as lt
for path in sys.argv[1:]:
    files = lt.file_storage()
    files.add_file(os.path.basename(path), os.path.getsize(path))
    torrent = lt.create_torrent(files, flags=lt.create_torrent_flags_t.v2_only)
    lt.set_piece_hashes(torrent, os.path.dirname(os.path.abspath(path)))
    (entry,) = torrent.generate()[b'info'][b'file tree'].values()
    print(entry[b''][b'pieces root'].hex() + '  ' + path)
";

const BOTOCORE: &str = "\
import sys
from botocore.utils import calculate_tree_hash
for path in sys.argv[1:]:
    print(calculate_tree_hash(open(path, 'rb')) + '  ' + path)
";
