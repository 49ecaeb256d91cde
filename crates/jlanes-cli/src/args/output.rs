//! [`OutputOptions`], the options for output: what is printed of each file, in which form, and where it goes.
//!
//! [`SumOptions`] and [`CksumOptions`] are apart because the program called by the name of a GNU tool takes only
//! those. clap knows which options exclude each other; the methods `refuse_..` have the rules that depend on values
//! or on the name of the tool, in GNU's words. The result is a [`Form`], or a [`Style`], and a [`ListOutput`], so no
//! task knows an option.

use std::ffi::OsString;

use jlanes::algorithm::Kind;
use jlanes_files::{
    Computation,
    lists::{Encoding, ForeignFormat, LineLayout, Style},
};

use super::{
    tool::{ProgramName, Tool},
    usage::{EarlyExit, usage},
};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::{
    hash::{ComputationName, GivenParameters, directory::is_for_directories},
    tasks::{ListOutput, sum::Form},
};

/// Options that GNU's `sha256sum` and related tools have.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct SumOptions {
    /// Mark names with an asterisk, for binary mode
    #[arg(short, long, overrides_with = "text")]
    binary: bool,

    /// Do not mark names (default)
    #[arg(short, long, overrides_with = "binary")]
    text: bool,

    /// Print BSD-style lines with the name of the algorithm
    #[arg(long)]
    pub(super) tag: bool,

    /// End lines with NUL, and do not escape names
    #[arg(short, long)]
    zero: bool,
}

/// Options that only GNU's `cksum` has.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct CksumOptions {
    /// Print lines without the name of the algorithm
    #[arg(long, overrides_with = "tag")]
    untagged: bool,

    /// Print the bytes of the digest and nothing else
    #[arg(long)]
    pub(super) raw: bool,

    /// Print digests in base64
    #[arg(long)]
    base64: bool,
}

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputOptions {
    #[command(flatten)]
    pub(super) sum: SumOptions,

    #[command(flatten)]
    pub(super) cksum: CksumOptions,

    /// Print digests without names
    #[arg(long, conflicts_with_all = ["check", "raw", "json", "tag"])]
    pub(super) no_names: bool,

    /// Write the list to FILE, and replace FILE only when the new list is complete. FILE is not in
    /// the list
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["check", "audit"])]
    pub(super) output: Option<OsString>,

    /// Update LIST: hash files that are new or have changed since the last update, remove files
    /// that no longer exist, and report both. Covers the FILEs or DIRs, or the working directory
    #[arg(long, value_name = "LIST")]
    #[arg(conflicts_with_all = ["check", "audit", "raw", "zero", "no_names", "format"])]
    #[arg(conflicts_with_all = ["fsverity_format", "dirhash", "dedupe", "output", "hash_links"])]
    pub(super) update: Option<OsString>,

    /// Let --update remove more than half of LIST, or files of a file system that is gone
    #[arg(long)]
    pub(super) allow_removals: bool,

    /// Let --output and --update replace a file that is not a list, is write-protected, is one of
    /// the FILEs, or lists files that could not be read or found
    #[arg(long)]
    pub(super) force: bool,

    /// Print one JSON object per line, also for verdicts
    #[arg(long, conflicts_with_all = ["raw", "zero", "tag"])]
    pub(super) json: bool,

    /// Print a list for hashdeep or mtree, or SFV with crc32; -c and --audit read them
    #[arg(long, value_name = "NAME", value_parser = format_names())]
    #[arg(conflicts_with_all = ["check", "raw", "zero", "tag", "json", "base64", "no_names"])]
    pub(super) format: Option<ForeignFormat>,

    /// Print one digest for each DIR: h1 is Go's, of contents and names; git-sha256 the id of git's tree,
    /// also of who may run files and of links; jpointers-HASH that of the contents in order, and of
    /// neither names nor modes
    #[arg(long, value_name = "NAME", value_parser = dirhash)]
    #[arg(conflicts_with_all = ["raw", "zero", "json", "base64", "no_names"])]
    #[arg(conflicts_with_all = ["format", "algorithm", "audit", "hash_links"])]
    pub(super) dirhash: Option<ComputationName>,

    /// Print groups of equal files, and the bytes that duplicates waste. Covers the FILEs or DIRs,
    /// or the working directory
    #[arg(long, conflicts_with_all = ["check", "audit", "raw", "zero", "no_names", "format"])]
    #[arg(conflicts_with_all = ["fsverity_format", "dirhash", "hash_links"])]
    pub(super) dedupe: bool,

    /// Print lines as fsverity does, HASH:DIGEST FILE
    #[arg(long, conflicts_with_all = ["check", "raw", "zero", "tag", "json"])]
    fsverity_format: bool,
}

fn dirhash(text: &str) -> Result<ComputationName, String> {
    let named = ComputationName::parse(text).ok();
    let is_of_directories = |named: &ComputationName| {
        named.computation(&GivenParameters::default()).is_ok_and(|it| is_for_directories(&it))
    };
    named
        .filter(is_of_directories)
        .ok_or_else(|| "it is h1, git-sha256, or jpointers-HASH as in jpointers-sha256".to_owned())
}

impl OutputOptions {
    /// The destination of the list; `-` is standard output.
    pub(super) fn list_output(&self) -> Option<ListOutput> {
        let name = self.output.clone().filter(|name| name != "-")?;
        Some(ListOutput { name, force: self.force, no_names: self.no_names })
    }

    /// Refuses options about replacing a file without `--output` or `--update`.
    pub(super) fn refuse_without_file(&self) -> Result<(), EarlyExit> {
        if self.allow_removals && self.update.is_none() {
            return usage("the --allow-removals option is meaningful only with --update");
        }
        if self.force && self.update.is_none() && self.output.is_none() {
            return usage("the --force option is meaningful only with --output or --update");
        }
        Ok(())
    }

    /// GNU's rule: `--raw` and `--base64` exclude each other.
    pub(super) fn refuse_two_spellings(&self) -> Result<(), EarlyExit> {
        if self.cksum.base64 && self.cksum.raw {
            return usage("--base64 and --raw are mutually exclusive");
        }
        Ok(())
    }

    /// GNU's rule: tagged lines have no text mode.
    pub(super) fn refuse_tagged_text(
        &self,
        called: &ProgramName,
        tagged: bool,
    ) -> Result<(), EarlyExit> {
        match (tagged && self.sum.text, called.tool) {
            (false, _) => Ok(()),
            (true, Tool::Cksum) => usage("--text mode is only supported with --untagged"),
            (true, _) => usage("--tag does not support --text mode"),
        }
    }

    /// GNU's rules: options for printing digests do not go with `--check`.
    pub(super) fn refuse_when_checking(&self) -> Result<(), EarlyExit> {
        if self.sum.zero {
            return usage("the --zero option is not supported when verifying checksums");
        }
        if self.sum.tag {
            return usage("the --tag option is meaningless when verifying checksums");
        }
        if self.sum.binary || self.sum.text {
            return usage(
                "the --binary and --text options are meaningless when verifying checksums",
            );
        }
        Ok(())
    }

    /// Whether lines of output carry a tag.
    pub(super) fn is_tagged(&self, called: &ProgramName, algorithms: usize) -> bool {
        let by_default = called.tool == Tool::Cksum || algorithms > 1;
        self.sum.tag || (!self.cksum.untagged && by_default)
    }

    /// The form of printed digests of `computations`, for `files` operands.
    pub(super) fn form(
        &self,
        computations: &[Computation],
        tagged: bool,
        files: usize,
    ) -> Result<Form, EarlyExit> {
        let is_fsverity =
            |computation: &Computation| matches!(computation.kind(), Some(Kind::FsVerity { .. }));
        if self.fsverity_format && !computations.iter().all(is_fsverity) {
            return usage("--fsverity-format is only supported with fsverity");
        }
        if self.cksum.raw && files > 1 {
            return Err(EarlyExit::value("the --raw option is not supported with multiple files"));
        }
        let style = self.style(tagged);
        Ok(match self.format {
            Some(list) => Form::OtherFormat(foreign(list, computations)?),
            None if self.json => Form::Json(style),
            None => Form::Lines { style, named: files > 0 },
        })
    }

    /// The style of printed digests.
    pub(super) fn style(&self, tagged: bool) -> Style {
        let layout = match (self.cksum.raw, tagged) {
            _ if self.fsverity_format => LineLayout::FsVerity,
            _ if self.no_names => LineLayout::Nameless,
            (true, _) => LineLayout::Raw,
            (_, true) => LineLayout::Tagged,
            _ => LineLayout::Untagged { binary: self.sum.binary },
        };
        let encoding = if self.cksum.base64 { Encoding::Base64 } else { Encoding::Hex };
        Style { layout, encoding, zero: self.sum.zero }
    }
}

/// Parser of the names of formats.
fn format_names() -> impl TypedValueParser<Value = ForeignFormat> {
    PossibleValuesParser::new(ForeignFormat::NAMED.map(|(name, _)| name)).map(|name| {
        let known = ForeignFormat::NAMED.into_iter().find(|(known, _)| *known == name);
        known.expect("clap has refused other names").1
    })
}

/// `list`, if the format supports all `computations`.
fn foreign(list: ForeignFormat, computations: &[Computation]) -> Result<ForeignFormat, EarlyExit> {
    match computations.iter().find(|it| list.keyword(&it.tag()).is_none()) {
        None => Ok(list),
        Some(computation) => usage(format!("the format has no digests of {computation}")),
    }
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::refused;

    #[test]
    fn there_is_one_form_of_output() {
        for (args, message) in [
            (&["--json", "--tag", "f"][..], "--json and --tag are mutually exclusive"),
            (&["--raw", "--base64", "f"], "--base64 and --raw are mutually exclusive"),
            (&["--raw", "f", "f"], "the --raw option is not supported with multiple files"),
            (&["--fsverity-format", "f"], "--fsverity-format is only supported with fsverity"),
            (&["--dedupe", "--raw", "f"], "--dedupe and --raw are mutually exclusive"),
            (&["--dedupe", "-a", "sha1,sha256"], "--dedupe compares by one algorithm"),
            (&["--update=-"], "--update: '-' cannot be replaced; a file of that name is './-'"),
            (&["--update=L", "-o", "M"], "--update and --output are mutually exclusive"),
            (
                &["--update=L", "-a", "crc"],
                "--check is not supported with --algorithm={bsd,sysv,crc,crc32b}",
            ),
            (&["--format=mtree", "-a", "skein512", "f"], "the format has no digests of skein512"),
        ] {
            assert_eq!(refused(args), message, "{args:?}");
        }
    }
}
