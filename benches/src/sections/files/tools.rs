//! The programs that hash files: ours and others.

use crate::process::{EIGHTH, FIRST, JLANES_SUM, LIST, Names, OUTPUT_FILE, OutputKind, THIS, Tool};

/// Our SHA-256.
pub(super) fn ours() -> Tool {
    Tool::new("jlanes-sum", &[JLANES_SUM]).with_names(Names::Either)
}

/// Ours by an algorithm, on two threads.
pub(super) fn two_threads(spec: &str) -> Tool {
    Tool::new("jlanes-sum", &[JLANES_SUM, "-a", spec, "--threads", "2"])
}

/// Ours by an algorithm, on one thread.
pub(super) fn serial(spec: &str) -> Tool {
    Tool::new(ONE, &[JLANES_SUM, "-a", spec, "--threads", "1"])
}

const ONE: &str = "jlanes-sum, 1 thread";

/// Ours, which writes a dm-verity hash tree.
pub(super) fn verity_tree(threads: &str) -> Tool {
    let name = if threads == "1" { ONE } else { "jlanes-sum" };
    let options = ["-a", "dmverity-sha256", "--dmverity-tree", OUTPUT_FILE, "--threads", threads];
    Tool::new(name, &[&[JLANES_SUM][..], &options].concat())
}

/// Ours, which checks the list of SHA-256 digests.
pub(super) fn check() -> Tool {
    checking(Tool::new("jlanes-sum -c", &[JLANES_SUM, "-c", LIST]))
}

fn checking(tool: Tool) -> Tool {
    tool.with_names(Names::Known).printing(OutputKind::Status)
}

/// Skein by this program: the tool offers one scheduler, the library all. `mode` is one, or `simple` or `crate`.
pub(super) fn skein(mode: &str, threads: &str) -> Tool {
    let name = if threads == "1" { mode.to_owned() } else { format!("{mode}, {threads} threads") };
    Tool::new(&name, &[THIS, "skein", mode, threads])
}

pub(super) fn cat() -> Tool {
    Tool::new("cat", &["cat"]).printing(OutputKind::Status)
}

pub(super) fn sha256sum() -> Tool {
    Tool::new("sha256sum", &["sha256sum"])
}

pub(super) fn sha256sum_check() -> Tool {
    checking(Tool::new("sha256sum -c", &["sha256sum", "-c", LIST]))
}

pub(super) fn openssl() -> Tool {
    Tool::new("openssl", &["openssl", "dgst", "-sha256", "-r"])
}

pub(super) fn openssl512() -> Tool {
    Tool::new("openssl sha512", &["openssl", "dgst", "-sha512", "-r"])
}

/// Two processes at a time, which mix half lines in one output: nothing there to be checked.
pub(super) fn openssl_by_xargs() -> Tool {
    let command = ["xargs", "-0", "-P2", "-n", EIGHTH, "openssl", "dgst", "-sha256", "-r"];
    Tool::new("xargs -P2 openssl", &command).with_names(Names::Input).printing(OutputKind::Status)
}

pub(super) fn b3sum() -> Tool {
    Tool::new("b3sum", &["b3sum"])
}

pub(super) fn hashdeep() -> Tool {
    let command = ["hashdeep", "-c", "sha256", "-j2", "-l"];
    Tool::new("hashdeep -j2", &command).printing(OutputKind::Quotes)
}

pub(super) fn rhash() -> Tool {
    Tool::new("rhash", &["rhash", "--sha256"])
}

pub(super) fn fsverity() -> Tool {
    Tool::new("fsverity", &["fsverity", "digest"])
}

pub(super) fn verity_setup() -> Tool {
    let options = ["--no-superblock", "--salt=-", "--hash=sha256"];
    let sizes = ["--data-block-size=4096", "--hash-block-size=4096", FIRST, OUTPUT_FILE];
    let command = [&["veritysetup", "format"][..], &options, &sizes].concat();
    Tool::new("veritysetup", &command).with_names(Names::Known).printing(OutputKind::Quotes)
}

pub(super) fn libtorrent() -> Tool {
    python("libtorrent", LIBTORRENT)
}

pub(super) fn botocore() -> Tool {
    python("botocore", BOTOCORE)
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
