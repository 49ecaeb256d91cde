//! [`Invocation`]: the task that a command line asks for, with its options.
//!
//! The parser knows single options. This module refuses options that do not go together, in GNU's order because
//! scripts compare the messages, and then makes the one task that is left.

use std::{ffi::OsString, sync::Arc};

use jlanes_files::lists::ForeignFormat;

use super::{
    Args,
    algorithm::{WantedAlgorithms, refuse_checksums},
    bao::{outboard_task, range_task},
    digests,
    expect::expect_task,
    list_tasks::{MIN_SAFE_BITS, audit_task, check_task, update_task},
    s3::s3_task,
    tool::ProgramName,
    torrent::torrent_task,
    usage::{EarlyExit, usage},
};
use crate::{
    hash::{GivenParameters, directory::is_for_directories},
    tasks::{
        RunOptions, Task,
        dedupe::{Dedupe, DedupeForm},
        dirhash::Dirhash,
        sum::Sum,
        write_tree,
    },
};

/// The task of a run, and its options.
pub(crate) struct Invocation {
    pub(crate) task: Task,
    pub(crate) options: RunOptions,
    /// Warnings to print before the run starts.
    pub(crate) warnings: Vec<String>,
    /// Whether the exit status separates mismatches from files that could not be read.
    pub(crate) has_detailed_exit: bool,
}

impl Invocation {
    /// Parses the command line of a program that was called as `program`.
    pub(crate) fn new(argv: Vec<OsString>, program: &[u8]) -> Result<Self, EarlyExit> {
        let called = ProgramName::parse(program)?;
        let mut args = Args::read(argv, &called)?;
        if args.output.format == Some(ForeignFormat::Sfv) && args.choice.algorithm.is_empty() {
            args.choice.algorithm.push("crc32".into());
        }
        let lists = args.checking.reads_lists();
        let wanted = match (&args.output.dirhash, lists) {
            (Some(named), true) => WantedAlgorithms::Named(vec![named.clone()]),
            _ => {
                let has_digests = lists || args.output.update.is_some() || args.expects();
                args.choice.wanted(&called, has_digests)?
            }
        };
        args.refuse_conflicts(&called, &wanted)?;
        let warnings = args.walking.unmatched_pattern_warnings(&args.files);
        let given = Arc::new(args.parameters()?);
        let options = args.options();
        let has_detailed_exit = args.checking.detailed_exit
            || args.output.update.is_some()
            || !args.checking.audit.is_empty();
        let task = args.task(&called, wanted, given)?;
        Ok(Self { task, options, warnings, has_detailed_exit })
    }
}

impl Args {
    /// Refuses options that do not go together: first by GNU's rules, in GNU's order, then by ours.
    fn refuse_conflicts(
        &self,
        called: &ProgramName,
        wanted: &WantedAlgorithms,
    ) -> Result<(), EarlyExit> {
        let named = wanted.named();
        // audits and digests of directories always walk
        let walks = !self.checking.audit.is_empty()
            || self.output.dirhash.is_some()
            || self.output.dedupe
            || self.output.update.is_some();
        let counts = self.output.dedupe || self.output.update.is_some();
        if self.checking.reads_lists() || self.output.update.is_some() {
            refuse_checksums(named)?;
        }
        self.output.refuse_two_spellings()?;
        self.output.refuse_without_file()?;
        if self.checking.list.check {
            self.output.refuse_when_checking()?;
            self.walking.refuse_when_checking()?;
        } else {
            let recurse = self.recursive || walks;
            self.checking.refuse_without_check(recurse, counts, self.expects())?;
            let tagged = self.output.is_tagged(called, named.len());
            self.output.refuse_tagged_text(called, tagged)?;
        }
        // a list may have digests of directories
        if self.recursive || walks || self.checking.list.check {
            Ok(())
        } else {
            self.walking.refuse_without_recursion()
        }
    }

    /// Whether files are compared with a digest, an object or a torrent, instead of a list.
    fn expects(&self) -> bool {
        self.expecting.expect.is_some()
            || self.s3.expect_json.is_some()
            || self.torrents.torrent.is_some()
    }

    fn options(&self) -> RunOptions {
        let mut engine = self.speed.engine();
        if let Some(path) = self.digests.dmverity_tree.clone() {
            engine = engine.on_dmverity_tree(move |tree| write_tree(&path, tree));
        }
        let engine = engine.hash_links(self.walking.hash_links);
        RunOptions {
            engine: engine.detect_changes(self.walking.warn_changed),
            progress: self.speed.progress.unwrap_or_default(),
            debug: self.speed.debug.debug,
        }
    }

    fn task(
        self,
        called: &ProgramName,
        wanted: WantedAlgorithms,
        given: Arc<GivenParameters>,
    ) -> Result<Task, EarlyExit> {
        if let Some(text) = self.manual.text() {
            Ok(Task::Print(text))
        } else if self.torrents.torrent.is_some() {
            torrent_task(self, called)
        } else if self.s3.expect_json.is_some() {
            s3_task(self, called, &wanted)
        } else if self.outboards.verify_range.is_some() {
            range_task(self, called, &wanted, given)
        } else if self.outboards.outboard.is_some() {
            outboard_task(self, called, &wanted, &given)
        } else if self.expects() {
            expect_task(self, called, wanted, given)
        } else if self.checking.list.check {
            check_task(self, called, wanted, given)
        } else if let Some(named) = &self.output.dirhash {
            let computation = digests::computations(&given, std::slice::from_ref(named))?.remove(0);
            let rules = self.walking.rules(true, self.checking.reports_skipped())?;
            let operands = self.walking.operands(self.files)?;
            let tagged = self.output.is_tagged(called, 1);
            Ok(Task::Dirhash(Dirhash {
                operands,
                rules,
                computation,
                tagged,
                to: self.output.list_output(),
            }))
        } else if self.output.update.is_some() {
            update_task(self, called, wanted, given)
        } else if self.output.dedupe {
            self.dedupe_task(called, &wanted, &given)
        } else if !self.checking.audit.is_empty() {
            audit_task(self, called, wanted, given)
        } else {
            self.sum_task(called, &wanted, &given)
        }
    }

    fn dedupe_task(
        mut self,
        called: &ProgramName,
        wanted: &WantedAlgorithms,
        given: &GivenParameters,
    ) -> Result<Task, EarlyExit> {
        let named = wanted.named();
        let computations = self.computations(given, named)?;
        let [computation] = &computations[..] else {
            return usage("--dedupe compares by one algorithm");
        };
        if let Some(why) = computation.strength().weakness() {
            return usage(format!("--dedupe cannot compare by {computation}, which is {why}"));
        }
        if computation.algorithm().is_none() {
            return usage(format!("--dedupe cannot compare by {computation}, which is no digest"));
        }
        if is_for_directories(computation) {
            return usage(format!(
                "--dedupe cannot compare by {computation}, which is of many files"
            ));
        }
        if computation.bits() < MIN_SAFE_BITS {
            return usage(format!(
                "--dedupe cannot compare by {computation}: files that differ may have equal digests"
            ));
        }
        self.files = self.walking.or_working_dir(self.files);
        let form = DedupeForm {
            style: self.output.style(self.output.is_tagged(called, 1)),
            json: self.output.json,
            summary: self.checking.summary,
        };
        Ok(Task::Dedupe(Dedupe {
            rules: self.walking.rules(true, self.checking.reports_skipped())?,
            operands: self.walking.operands(self.files)?,
            computation: computation.clone(),
            form,
            to: self.output.list_output(),
        }))
    }

    fn sum_task(
        self,
        called: &ProgramName,
        wanted: &WantedAlgorithms,
        given: &GivenParameters,
    ) -> Result<Task, EarlyExit> {
        // only tasks with lists go without named algorithms
        let named = wanted.named();
        let computations = self.computations(given, named)?;
        let tagged = self.output.is_tagged(called, computations.len());
        let form = self.output.form(&computations, tagged, self.files.len())?;
        let rules = self.walking.rules(self.recursive, self.checking.reports_skipped())?;
        let operands = self.walking.operands(self.files)?;
        let (computations, to) = (computations.into(), self.output.list_output());
        Ok(Task::Sum(Sum { operands, computations, rules, form, to }))
    }
}

#[cfg(test)]
pub(super) mod testing {
    //! Command lines for the tests of all subjects.

    use super::*;

    fn invocation(program: &str, args: &[&str]) -> Result<Invocation, EarlyExit> {
        let argv = [program].iter().chain(args).map(OsString::from).collect();
        Invocation::new(argv, program.as_bytes())
    }

    /// The invocation `program ARGS`.
    #[track_caller]
    pub(in super::super) fn planned_as(program: &str, args: &[&str]) -> Invocation {
        invocation(program, args)
            .unwrap_or_else(|early_exit| panic!("{program} {args:?}: {early_exit:?}"))
    }

    /// The error for the command line `program ARGS`.
    #[track_caller]
    pub(in super::super) fn refused_as(program: &str, args: &[&str]) -> String {
        match invocation(program, args) {
            Err(EarlyExit::Usage(message) | EarlyExit::Value(message)) => message,
            Err(EarlyExit::Help(answer)) => panic!("{args:?}: {answer}"),
            Ok(_) => panic!("{args:?} was taken"),
        }
    }

    /// The error for the command line `jlanes-sum ARGS`.
    #[track_caller]
    pub(in super::super) fn refused(args: &[&str]) -> String {
        refused_as("jlanes-sum", args)
    }
}
