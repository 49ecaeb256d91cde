//! `--expect-json`: the option, the task that it means, and the combinations that are refused.
//!
//! A document of S3 has the checksums of one object and no name, so it is no list for `-c`: it is compared with one
//! file, under every checksum that it has.

use std::ffi::OsString;

use jlanes::algorithm::{Kind, S3Checksum};

use super::{
    Args,
    algorithm::WantedAlgorithms,
    tool::ProgramName,
    usage::{EarlyExit, usage},
};
use crate::{
    hash::ComputationName,
    tasks::{Task, s3::CompareS3Object},
};

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Checking")]
pub(super) struct S3Options {
    /// Compare the FILE with the checksums of an object of S3. DOC is the JSON of `aws s3api
    /// head-object --checksum-mode ENABLED` or of `aws s3api get-object-attributes`. If it does not
    /// tell how long parts are, sizes of whole mebibytes are tried, unless -a s3-NAME:PART names one
    #[arg(long, value_name = "DOC")]
    #[arg(conflicts_with_all = ["check", "audit", "update", "dedupe", "dirhash", "output", "format"])]
    #[arg(conflicts_with_all = ["recursive", "raw", "zero", "tag", "base64", "no_names", "expect"])]
    #[arg(conflicts_with_all = ["fsverity_format", "torrent", "files_from", "files0_from"])]
    pub(super) expect_json: Option<OsString>,
}

pub(super) fn s3_task(
    mut args: Args,
    called: &ProgramName,
    wanted: &WantedAlgorithms,
) -> Result<Task, EarlyExit> {
    let document = args.s3.expect_json.take().unwrap_or_default();
    let sizes = match wanted {
        WantedAlgorithms::Named(named) => named.iter().map(size).collect::<Option<Vec<_>>>(),
        WantedAlgorithms::Family(_) => None,
        WantedAlgorithms::Listed => Some(Vec::new()),
    };
    let Some(sizes) = sizes else {
        return usage(
            "--expect-json takes the size of parts from -a, as in s3-sha256:8M, and no more",
        );
    };
    let mut files = std::mem::take(&mut args.files).into_iter();
    let file = files.next().unwrap_or_else(|| "-".into());
    if files.next().is_some() {
        return usage("--expect-json compares one file with the object");
    }
    if file == "-" && document == "-" {
        return usage("standard input is both the file and the JSON of --expect-json");
    }
    Ok(Task::S3(CompareS3Object {
        document,
        file,
        sizes,
        ignore_missing: args.checking.ignores_missing(),
        shown: args.checking.verdict_options(called, &args.output),
    }))
}

/// The size of parts in the name of an algorithm of S3.
fn size(named: &ComputationName) -> Option<(S3Checksum, usize)> {
    match named.plain().kind() {
        Some(Kind::S3 { checksum, part: Some(part) }) => Some((checksum, part)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::{planned_as, refused};

    #[test]
    fn one_file_is_compared_with_one_document() {
        for args in [
            &["--expect-json", "d", "f"][..],
            &["--expect-json", "d"],
            &["--expect-json", "-", "f", "--status"],
            &["--expect-json", "d", "f", "-a", "s3-sha256:8M,s3-crc32:5M", "--json"],
        ] {
            planned_as("jlanes-sum", args);
        }
        for (args, expected) in [
            (&["--expect-json", "d", "f", "g"][..], "--expect-json compares one file"),
            (&["--expect-json", "-", "-"], "standard input is both the file and"),
            (&["--expect-json", "d", "f", "-a", "sha256"], "--expect-json takes the size of parts"),
            (&["--expect-json", "d", "f", "-a", "s3-sha256"], "--expect-json takes the size"),
            (
                &["--expect-json", "d", "f", "-c"],
                "--expect-json and --check are mutually exclusive",
            ),
        ] {
            let message = refused(args);
            assert!(message.starts_with(expected), "{args:?}: {message}");
        }
    }
}
