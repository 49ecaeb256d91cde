//! Options that do not go together, or mean nothing.

use std::ffi::OsStr;

use rustix::{
    fs::{Stat, fstat, stat},
    stdio::stdin,
};

use super::{Misuse, Role, usage};
use crate::args::Args;

impl Args {
    /// GNU's rules for options that do not go together, in the order in which it checks them, and
    /// ours behind them.
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
        if self.check {
            self.refuse_when_checking(role)?;
        } else {
            self.refuse_without_check()?;
        }
        // audits and digests of directories go through them by themselves
        if self.recursive || !self.audit.is_empty() || self.dirhash.is_some() {
            return Ok(());
        }
        match self.walking().into_iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, name)) => {
                usage(&format!("the --{name} option is meaningful only with --recursive"))
            }
        }
    }

    fn refuse_when_checking(&self, role: Role) -> Result<(), Misuse> {
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
        if self.files0_from.is_some() || self.files_from.is_some() {
            return usage("lists of file names are meaningless when verifying checksums");
        }
        Ok(())
    }

    fn refuse_without_check(&self) -> Result<(), Misuse> {
        let checking = [
            (self.ignore_missing, "ignore-missing"),
            (self.status, "status"),
            (self.warn, "warn"),
            (self.quiet && self.audit.is_empty(), "quiet"),
            (self.strict, "strict"),
            (!self.only.is_empty(), "only"),
            (self.require.is_some(), "require"),
        ];
        match checking.into_iter().find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, name)) => {
                usage(&format!("the --{name} option is meaningful only when verifying checksums"))
            }
        }
    }

    /// Refuses a hash tree that could not be told from another, or would overwrite what is hashed.
    pub(super) fn refuse_tree(&self, tree: &OsStr, algorithms: usize) -> Result<(), Misuse> {
        let listed = self.files0_from.is_some() || self.files_from.is_some();
        if listed || self.files.len() > 1 || self.recursive || algorithms > 1 {
            return usage("--dmverity-tree is for one file and one algorithm");
        }
        let identity = |stat: Stat| (stat.st_dev, stat.st_ino);
        let hashed = match self.files.first() {
            Some(file) if file != "-" => stat(file),
            _ => fstat(stdin()),
        };
        match (stat(tree), hashed) {
            (Ok(tree), Ok(hashed)) if identity(tree) == identity(hashed) => {
                usage("--dmverity-tree would overwrite the file that is hashed")
            }
            _ => Ok(()),
        }
    }

    /// The options about going through directories, and whether they were given.
    fn walking(&self) -> [(bool, &'static str); 7] {
        [
            (!self.include.is_empty(), "include"),
            (!self.exclude.is_empty(), "exclude"),
            (self.max_depth.is_some(), "max-depth"),
            (self.max_size.is_some(), "max-size"),
            (self.one_file_system, "one-file-system"),
            (self.dereference, "dereference"),
            (self.sort.is_some(), "sort"),
        ]
    }
}
