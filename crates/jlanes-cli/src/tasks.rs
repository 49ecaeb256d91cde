//! The tasks of the program: each is a module with jobs for the engine, and a sink that prints.

pub(crate) mod audit;
pub(crate) mod check;
mod debug;
pub(crate) mod dedupe;
pub(crate) mod dirhash;
mod expect;
mod object;
pub(crate) mod outboard;
mod place;
pub(crate) mod sum;
mod torrent;
mod update;

use std::{ffi::OsString, io, slice, sync::Arc, time::Instant};

use jlanes::algorithm::S3Checksum;

pub(crate) use self::place::{Place, To, write_tree};
use self::{
    audit::{Auditor, Missing, Record, Unusable},
    check::{Checker, Strictness},
    dirhash::DirectoryPrinter,
    place::{commit, open},
    sum::{Form, Printer},
    update::{Updated, Updater},
};
use crate::{
    files::{Fate, Found, Operands, Rules, Target},
    hash::{Computation, Engine, Stats},
    lists::{Accepted, Directories, Style, reader},
    report::{
        Console, Ended, Shown, Verdicts, output,
        progress::{self, When},
    },
    system,
};

/// A task, with the options that only it has.
pub(crate) enum Task {
    /// Print digests.
    Sum { operands: Operands, computations: Arc<[Computation]>, rules: Rules, form: Form, to: To },
    /// Check lists.
    Check {
        lists: Vec<OsString>,
        accepted: Accepted,
        strictness: Strictness,
        shown: Shown,
        only: Vec<OsString>,
        directories: Directories,
    },
    /// Compare files with one digest.
    Expect {
        operands: Operands,
        rules: Rules,
        /// The accepted digests; one match is enough.
        expected: Vec<(Computation, Vec<u8>)>,
        /// A hint for files that do not match.
        hint: Option<String>,
        accepted: Accepted,
        ignore_missing: bool,
        shown: Shown,
    },
    /// Compare a file with an object of S3.
    Object {
        document: OsString,
        file: OsString,
        /// The sizes of parts that the user knows.
        sizes: Vec<(S3Checksum, usize)>,
        ignore_missing: bool,
        shown: Shown,
    },
    /// Print a BLAKE3 digest, and write the nodes of its tree.
    Outboard(outboard::Making),
    /// Compare a range of a file with a BLAKE3 digest.
    Range(outboard::Proving),
    /// Compare files with a torrent.
    Torrent { torrent: OsString, files: Vec<OsString>, ignore_missing: bool, shown: Shown },
    /// Print groups of equal files.
    Dedupe {
        operands: Operands,
        rules: Rules,
        computation: Computation,
        form: dedupe::DedupeForm,
        to: To,
    },
    /// Print the digests of directories.
    Dirhash { operands: Operands, rules: Rules, options: dirhash::DirhashOptions },
    /// Update a list.
    Update {
        list: Place,
        /// Whether more than half of the listed files may be missing.
        allow_removals: bool,
        accepted: Accepted,
        operands: Operands,
        /// The digests of the new list; empty for those of the old one.
        computations: Vec<Computation>,
        rules: Rules,
        style: Style,
        shown: Shown,
        /// Whether the exit status reports that files differ from the list.
        reports_differences: bool,
    },
    /// Print a text.
    Print(&'static str),
    /// Compare files with lists.
    Audit {
        lists: Vec<OsString>,
        accepted: Accepted,
        operands: Operands,
        rules: Rules,
        ignore_missing: bool,
        /// Whether skipped entries are reported one by one.
        reports_skipped: bool,
        shown: Shown,
    },
}

/// Options that all tasks share.
pub(crate) struct Options {
    pub(crate) engine: Engine,
    pub(crate) progress: When,
    pub(crate) debug: bool,
}

/// Files to be read, for the total of progress.
type Targets = Box<dyn Iterator<Item = Target> + Send>;

impl Task {
    /// All files that will be read, unless finding them out means reading a stream.
    fn targets(&self) -> Option<Targets> {
        let (operands, rules) = match self {
            Self::Sum { operands, rules, .. }
            | Self::Audit { operands, rules, .. }
            | Self::Expect { operands, rules, .. }
            | Self::Dirhash { operands, rules, .. } => (operands, rules),
            Self::Check { lists, accepted, only, directories, .. } => {
                if lists.iter().any(|list| list == "-") {
                    return None;
                }
                let directories = directories.clone();
                let jobs = reader::jobs(lists.clone(), accepted.clone(), only.clone(), directories);
                return Some(Box::new(jobs.filter_map(|job| job.work).map(|work| work.target)));
            }
            // most of their files will not be read
            Self::Update { .. }
            | Self::Dedupe { .. }
            | Self::Object { .. }
            | Self::Torrent { .. }
            | Self::Outboard(_)
            | Self::Range(_)
            | Self::Print(_) => return None,
        };
        let files = operands.again()?.files(Arc::new(rules.clone()));
        Some(Box::new(files.filter_map(|(_, found)| match found {
            Found::File(target) => Some(target),
            Found::Failed(_) => None,
        })))
    }

    /// Performs the task. An error is one of output.
    pub(crate) fn run(self, options: Options, console: &Console) -> io::Result<Ended> {
        let Options { mut engine, progress, debug } = options;
        let (start, backend) = (Instant::now(), engine.backend());
        if progress::start(progress) {
            engine = engine.progress(progress::count);
            if let Some(targets) = self.targets() {
                progress::survey(targets.map(|target| match target {
                    Target::Stdin => None,
                    target => Some(target.size().unwrap_or(0)),
                }));
            }
        }
        let (stats, ended) = match self {
            Self::Print(text) => return output::print(text.as_bytes()).map(|()| Ended::Good),
            Self::Sum { operands, computations, mut rules, form, to } => {
                let Some((pending, to)) = open(to, &computations, &mut rules, console) else {
                    return Ok(Ended::Failed);
                };
                let printer = Printer::new(console, form, (&computations, rules.links), to);
                let jobs = sum::jobs(operands, computations, rules);
                let (stats, printer) = engine.run(jobs, printer)?;
                let written = printer.finish(backend)?;
                (stats, commit(pending, written, console)?.into())
            }
            Self::Dirhash {
                operands,
                mut rules,
                options: dirhash::DirhashOptions { computation, tagged, to },
            } => {
                let Some((pending, to)) =
                    open(to, slice::from_ref(&computation), &mut rules, console)
                else {
                    return Ok(Ended::Failed);
                };
                let jobs = dirhash::jobs(operands, rules, computation.clone());
                let printer = DirectoryPrinter::new(console, (computation, tagged), backend, to);
                let (stats, printer) = engine.run(jobs, printer)?;
                (stats, commit(pending, printer.finish(), console)?.into())
            }
            Self::Dedupe { operands, mut rules, computation, form, to } => {
                let Some((pending, to)) =
                    open(to, slice::from_ref(&computation), &mut rules, console)
                else {
                    return Ok(Ended::Failed);
                };
                let (stats, all_read) =
                    dedupe::run(&engine, (operands, rules), &computation, (form, to), console)?;
                // finding no equal files is a result, so an empty list is written
                (stats, commit(pending, (all_read, true), console)?.into())
            }
            Self::Update {
                list,
                allow_removals,
                accepted,
                operands,
                computations,
                mut rules,
                style,
                shown,
                reports_differences,
            } => {
                let known = update::Known::read(list, accepted, (computations, style), console);
                let Some(mut known) = known else { return Ok(Ended::Failed) };
                let (replacement, to) = match known.list.open() {
                    Ok(opened) => opened,
                    Err(error) => {
                        known.list.complain("--update", &error, console);
                        return Ok(Ended::Failed);
                    }
                };
                known.discard_future_time(replacement.begun());
                let known = Arc::new(known);
                rules.outputs.extend(replacement.outputs(Fate::LeftOut));
                let jobs = update::jobs(operands, rules, Arc::clone(&known), engine.count());
                let verdicts = Verdicts::new(console, shown);
                let updater = Updater::new(verdicts, Arc::clone(&known), replacement.begun(), to);
                let (stats, updater) = engine.run(jobs, updater)?;
                let Updated { ended, kept, same } = updater.finish(allow_removals)?;
                let changed = (Ended::Failed, "it has changed meanwhile");
                let kept = match kept.or((!known.is_still()).then_some(changed)) {
                    None => {
                        if !same {
                            replacement.commit()?;
                        }
                        Ended::Good
                    }
                    Some((ended, why)) => {
                        let error = io::Error::other(format!("left as it was: {why}"));
                        known.list.complain("--update", &error, console);
                        ended
                    }
                };
                // differences are no failure, because the list has been brought up to date
                let is_wanted = ended == Ended::Differs && !reports_differences;
                (stats, if is_wanted { kept } else { ended.max(kept) })
            }
            Self::Check { lists, accepted, strictness, shown, only, directories } => {
                let jobs = reader::jobs(lists, accepted.clone(), only, directories);
                let checker = Checker::new(console, accepted, (strictness, shown), backend);
                let (stats, checker) = engine.run(jobs, checker)?;
                (stats, checker.finish()?)
            }
            Self::Outboard(making) => (Stats::default(), making.run(backend, console)?),
            Self::Range(proving) => (Stats::default(), proving.run(backend, console)?),
            Self::Torrent { torrent: name, files, ignore_missing, shown } => {
                let torrent = match torrent::read(&name) {
                    Ok(torrent) => torrent,
                    Err(error) => {
                        console.complain(&system::bytes(&name), &error);
                        return Ok(Ended::Failed);
                    }
                };
                let operands: Vec<_> = files.into_iter().map(system::into_bytes).collect();
                let place = match torrent::TorrentPlace::new(&torrent, &operands) {
                    Ok(place) => place,
                    Err(why) => {
                        console.say(format!("--torrent: {why}"));
                        return Ok(Ended::Failed);
                    }
                };
                let verdicts = Verdicts::new(console, shown);
                torrent::check(&engine, (&torrent, &place), ignore_missing, verdicts)?
            }
            Self::Object { document: list, file, sizes, ignore_missing, shown } => {
                let document = match object::read(&list) {
                    Ok(document) => document,
                    Err(error) => {
                        console.complain(&system::bytes(&list), &error);
                        return Ok(Ended::Failed);
                    }
                };
                let document = (&document, &*list);
                let to = (console, shown);
                let ended = object::check(&engine, document, &file, &sizes, ignore_missing, to)?;
                (Stats::default(), ended)
            }
            Self::Expect { operands, rules, expected, hint, accepted, ignore_missing, shown } => {
                let strictness = Strictness { ignore_missing, ..Strictness::default() };
                let jobs = expect::jobs(operands, rules, expected, hint);
                let checker = Checker::new(console, accepted, (strictness, shown), backend);
                let (stats, checker) = engine.run(jobs, checker)?;
                (stats, checker.finish()?)
            }
            Self::Audit {
                lists,
                accepted,
                operands,
                rules,
                ignore_missing,
                reports_skipped,
                shown,
            } => {
                let may_doubt = accepted.may_doubt();
                let (record, good) = match Record::read(lists, accepted, console) {
                    Ok((record, good)) => (Arc::new(record), good),
                    Err(Unusable) => return Ok(Ended::Failed),
                };
                let (names, wrong) = operands.collected();
                wrong.iter().for_each(|(list, error)| console.complain(list, error));
                let (rules, operands) = (Arc::new(rules), Operands::Given(names));
                let again = operands.again().expect("names that were given can be had twice");
                let missing = Missing::new(again, &rules, &record);
                let jobs = audit::jobs(operands, rules, Arc::clone(&record), &missing);
                let verdicts = Verdicts::new(console, shown);
                let options = audit::AuditOptions { ignore_missing, may_doubt, reports_skipped };
                let auditor = Auditor::new(verdicts, record, missing, options, backend);
                let (stats, auditor) = engine.run(jobs, auditor)?;
                let formatted = if good { Ended::Good } else { Ended::Differs };
                let ended = auditor.finish()?.max(formatted).max(wrong.is_empty().into());
                (stats, ended)
            }
        };
        progress::finish();
        if debug {
            debug::print(console, &stats, start);
        }
        Ok(ended)
    }
}
