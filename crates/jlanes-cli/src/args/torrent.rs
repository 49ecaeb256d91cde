//! `--torrent`: comparing files with a torrent.

use std::ffi::OsString;

use super::{Args, tool::ProgramName, usage::EarlyExit};
use crate::tasks::{Task, torrent::CompareTorrent};

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Checking")]
pub(super) struct TorrentOptions {
    /// Compare files with the torrent FILE (BitTorrent v1, v2 or both). The operands are the
    /// torrent's file or directory, its parent directory, or some of its files [default: its names
    /// in the working directory]
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["check", "audit", "update", "dedupe", "dirhash", "output", "format"])]
    #[arg(conflicts_with_all = ["recursive", "raw", "zero", "tag", "base64", "no_names", "expect"])]
    #[arg(conflicts_with_all = ["fsverity_format", "algorithm", "files_from", "files0_from"])]
    pub(super) torrent: Option<OsString>,
}

pub(super) fn torrent_task(mut args: Args, called: &ProgramName) -> Result<Task, EarlyExit> {
    let torrent = args.torrents.torrent.take().unwrap_or_default();
    Ok(Task::Torrent(CompareTorrent {
        torrent,
        shown: args.checking.verdict_options(called, &args.output),
        ignore_missing: args.checking.ignores_missing(),
        files: args.files,
    }))
}
