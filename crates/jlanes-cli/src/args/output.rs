//! What is printed.

use jlanes::algorithm::Kind;

use super::{
    tool::Role,
    usage::{Misuse, usage},
};
use crate::{
    hash::Scheme,
    lists::line::{Encoding, Foreign, Layout, Style},
    tasks::{dirhash::DirHash, sum::Form},
};

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Output {
    /// Mark names with an asterisk, as read in binary mode
    #[arg(short, long, overrides_with = "text")]
    binary: bool,

    /// Do not mark names (default)
    #[arg(short, long, overrides_with = "binary")]
    text: bool,

    /// Print lines with the algorithm's name, as BSD's tools do
    #[arg(long, overrides_with = "untagged")]
    tag: bool,

    /// Print lines without the algorithm's name
    #[arg(long, overrides_with = "tag")]
    untagged: bool,

    /// Print digests without names
    #[arg(long, conflicts_with_all = ["check", "raw", "json", "tag"])]
    no_names: bool,

    /// End lines with NUL, and do not escape names
    #[arg(short, long)]
    zero: bool,

    /// Print the digest's bytes alone
    #[arg(long)]
    raw: bool,

    /// Print digests in base64
    #[arg(long)]
    base64: bool,

    /// Print one JSON object a line
    #[arg(long, conflicts_with_all = ["check", "raw", "zero", "tag"])]
    json: bool,

    /// Print a list as hashdeep or mtree do; -c and --audit know them by themselves
    #[arg(long, value_name = "NAME", value_enum)]
    #[arg(conflicts_with_all = ["check", "raw", "zero", "tag", "json", "base64", "no_names"])]
    format: Option<Foreign>,

    /// Print one digest for each DIR: Go's h1, or the id of git's tree
    #[arg(long, value_name = "NAME", value_enum)]
    #[arg(conflicts_with_all = ["check", "raw", "zero", "tag", "json", "base64", "no_names"])]
    #[arg(conflicts_with_all = ["format", "algorithm", "audit", "hash_links"])]
    pub(super) dirhash: Option<DirHash>,

    /// Print fsverity's own lines, HASH:DIGEST FILE
    #[arg(long, conflicts_with_all = ["check", "raw", "zero", "tag", "json"])]
    fsverity_format: bool,

    /// Whether --text stands behind --tag, which counts as --binary where it stands
    #[arg(skip)]
    pub(super) text_after_tag: bool,
}

impl Output {
    /// GNU's rules for what does not go together.
    pub(super) fn refuse_nonsense(&self, role: Role, tagged: bool) -> Result<(), Misuse> {
        if self.base64 && self.raw {
            return usage("--base64 and --raw are mutually exclusive");
        }
        if tagged && self.text_after_tag {
            return usage(match role {
                Role::Cksum => "--text mode is only supported with --untagged",
                _ => "--tag does not support --text mode",
            });
        }
        Ok(())
    }

    /// GNU's rules for what means nothing where lists are checked.
    pub(super) fn refuse_when_checking(&self, role: Role) -> Result<(), Misuse> {
        if self.zero {
            return usage("the --zero option is not supported when verifying checksums");
        }
        // cksum takes --tag as a kind of --binary
        if self.tag && role != Role::Cksum {
            return usage("the --tag option is meaningless when verifying checksums");
        }
        if self.binary || self.text || self.tag {
            return usage(
                "the --binary and --text options are meaningless when verifying checksums",
            );
        }
        Ok(())
    }

    /// Whether lines of output carry a tag.
    pub(super) fn is_tagged(&self, role: Role, algorithms: usize) -> bool {
        self.tag || (!self.untagged && (role == Role::Cksum || algorithms > 1))
    }

    /// How the digests of `schemes` are printed for `files` operands.
    pub(super) fn form(
        &self,
        schemes: &[Scheme],
        tagged: bool,
        files: usize,
    ) -> Result<Form, Misuse> {
        let is_fsverity = |scheme: &Scheme| matches!(scheme.kind(), Kind::FsVerity { .. });
        if self.fsverity_format && !schemes.iter().all(is_fsverity) {
            return usage("--fsverity-format is only supported with fsverity");
        }
        if self.raw && files > 1 {
            return Err(Misuse::value("the --raw option is not supported with multiple files"));
        }
        let layout = match (self.raw, tagged) {
            _ if self.fsverity_format => Layout::FsVerity,
            _ if self.no_names => Layout::Nameless,
            (true, _) => Layout::Raw,
            (_, true) => Layout::Tagged,
            _ => Layout::Untagged { binary: self.binary },
        };
        let encoding = if self.base64 { Encoding::Base64 } else { Encoding::Hex };
        let style = Style { layout, encoding, zero: self.zero };
        Ok(match self.format {
            Some(list) => Form::Foreign(foreign(list, schemes)?),
            None if self.json => Form::Json(style),
            None => Form::Lines(style),
        })
    }
}

/// `list`, if it has digests of all `schemes`.
fn foreign(list: Foreign, schemes: &[Scheme]) -> Result<Foreign, Misuse> {
    match schemes.iter().find(|scheme| list.keyword(&scheme.tag()).is_none()) {
        None => Ok(list),
        Some(scheme) => usage(format!("the format has no digests of {scheme}")),
    }
}

#[cfg(test)]
mod tests {
    use crate::args::plan::testing::refused;

    #[test]
    fn there_is_one_form_of_output() {
        for (args, message) in [
            (&["--json", "--tag", "f"][..], "--json and --tag are mutually exclusive"),
            (&["--raw", "--base64", "f"], "--base64 and --raw are mutually exclusive"),
            (&["--raw", "f", "f"], "the --raw option is not supported with multiple files"),
            (&["--fsverity-format", "f"], "--fsverity-format is only supported with fsverity"),
            (&["--format=mtree", "-a", "skein512", "f"], "the format has no digests of skein512"),
        ] {
            assert_eq!(refused(args), message, "{args:?}");
        }
    }
}
