//! From the command line to what is to be done.

use std::{ffi::OsString, sync::Arc};

use jlanes::Algorithm;

use super::{
    Args,
    checking::{audit_task, check_task},
    digests,
    tool::Role,
    usage::Misuse,
};
use crate::{
    files::read::Reading,
    hash::{Engine, Named, Parameters, Settings},
    tasks::{Manner, Task, dirhash::DirHash},
};

/// Everything that was asked for.
pub(crate) struct Plan {
    pub(crate) task: Task,
    pub(crate) manner: Manner,
}

impl Plan {
    /// Reads a command line, of the program that was called as `program`.
    pub(crate) fn new(argv: Vec<OsString>, program: &[u8]) -> Result<Self, Misuse> {
        let role = Role::of(program);
        let mut args = Args::read(argv, role.tool())?;
        let any_sha2 = args.checking.reads_lists() && args.choice.is_any_sha2();
        let named = if any_sha2 { Vec::new() } else { args.choice.named()? };
        let tagged = args.output.is_tagged(role, named.len());
        args.refuse_nonsense(role, tagged)?;
        let given = Arc::new(args.parameters()?);
        let manner = args.manner();
        let task = args.task(role, named, tagged, given)?;
        Ok(Self { task, manner })
    }
}

impl Args {
    /// GNU's rules for options that do not go together, in the order in which it checks them, and
    /// ours behind them.
    fn refuse_nonsense(&self, role: Role, tagged: bool) -> Result<(), Misuse> {
        self.output.refuse_nonsense(role, tagged)?;
        if self.checking.check {
            self.output.refuse_when_checking(role)?;
            self.walking.refuse_when_checking()?;
        } else {
            self.checking.refuse_without_check()?;
        }
        // audits and digests of directories go through them by themselves
        let by_itself = !self.checking.audit.is_empty() || self.output.dirhash.is_some();
        if self.recursive || by_itself { Ok(()) } else { self.walking.refuse_without_recursion() }
    }

    fn manner(&self) -> Manner {
        let settings = Settings {
            backend: self.speed.backend,
            threads: self.speed.threads(),
            tree: self.digests.dmverity_tree.clone(),
        };
        let is_git = self.output.dirhash == Some(DirHash::GitSha256);
        let reading = Reading {
            map: self.speed.map(),
            links: self.walking.hash_links || is_git,
            blobs: is_git,
            watch: self.walking.warn_changed,
            jobs: self.speed.io_jobs,
            meter: None,
        };
        Manner {
            engine: Engine { settings, reading },
            progress: self.speed.progress.unwrap_or_default(),
            debug: self.speed.debug,
        }
    }

    fn task(
        self,
        role: Role,
        named: Vec<Named>,
        tagged: bool,
        given: Arc<Parameters>,
    ) -> Result<Task, Misuse> {
        if let Some(text) = self.about.text() {
            Ok(Task::Print(text))
        } else if self.checking.check {
            check_task(self, role, &named, given)
        } else if let Some(hash) = self.output.dirhash {
            let rules = self.walking.rules(Some(hash))?;
            Ok(Task::Bind { hash, rules, operands: self.walking.operands(self.files)? })
        } else if !self.checking.audit.is_empty() {
            audit_task(self, role, &named, given)
        } else {
            self.sum_task(role, named, tagged, &given)
        }
    }

    fn sum_task(
        self,
        role: Role,
        mut named: Vec<Named>,
        tagged: bool,
        given: &Parameters,
    ) -> Result<Task, Misuse> {
        if named.is_empty() {
            named.push(match role {
                Role::Sum(algorithm) => algorithm.into(),
                Role::Jlanes => Algorithm::SHA256.into(),
                Role::Cksum => {
                    let message = "the checksum that cksum prints by default is no digest, and not \
                                   supported; name one with --algorithm";
                    return Err(Misuse::value(message));
                }
            });
        }
        let schemes = digests::schemes(given, &named)?;
        self.refuse_tree(&schemes)?;
        let form = self.output.form(&schemes, tagged, self.files.len())?;
        let rules = self.recursive.then(|| self.walking.rules(None)).transpose()?;
        let operands = self.walking.operands(self.files)?;
        Ok(Task::Sum { operands, schemes: schemes.into(), rules, form })
    }
}

/// The operands, or standard input where there are none.
pub(super) fn or_stdin(mut operands: Vec<OsString>) -> Vec<OsString> {
    if operands.is_empty() {
        operands.push("-".into());
    }
    operands
}

#[cfg(test)]
pub(super) mod testing {
    //! Command lines for the tests of every subject.

    use super::*;

    /// What is wrong with the command line `jlanes-sum ARGS`.
    #[track_caller]
    pub(in super::super) fn refused(args: &[&str]) -> String {
        let argv = ["jlanes-sum"].iter().chain(args).map(OsString::from).collect();
        match Plan::new(argv, b"jlanes-sum") {
            Err(Misuse::Usage(message) | Misuse::Value(message)) => message,
            Err(Misuse::Answer(answer)) => panic!("{args:?}: {answer}"),
            Ok(_) => panic!("{args:?} was taken"),
        }
    }
}
