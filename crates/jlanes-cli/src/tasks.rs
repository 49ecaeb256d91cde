//! The tasks of the program.

pub(crate) mod audit;
pub(crate) mod check;
mod debug;
pub(crate) mod dedupe;
pub(crate) mod dirhash;
mod expect;
pub(crate) mod sum;
mod torrent;
mod update;

use std::{
    ffi::OsString,
    fs::{self, Metadata},
    io, slice,
    sync::Arc,
    time::Instant,
};

use self::{
    audit::{Auditor, Record, Sought, Unusable},
    check::{Checker, Rigour},
    dirhash::{Bind, Binder},
    sum::{Form, Printer},
    update::{Updated, Updater},
};
use crate::{
    files::{Fate, Files, Found, Operands, Replacement, Rules, Target},
    hash::{Engine, Scheme},
    lists::{Accepted, Directories, Style, is_list, reader},
    report::{
        Console, Destination, Shown, Verdicts, output,
        progress::{self, When},
        quote, reason,
    },
    system::{self, Kind},
};

/// A task.
pub(crate) enum Task {
    /// Print digests.
    Sum { operands: Operands, schemes: Arc<[Scheme]>, rules: Rules, form: Form, to: To },
    /// Check lists.
    Check {
        lists: Vec<OsString>,
        accepted: Accepted,
        rigour: Rigour,
        shown: Shown,
        only: Vec<OsString>,
        directories: Directories,
    },
    /// Compare files with one digest.
    Expect {
        operands: Operands,
        rules: Rules,
        expected: (Scheme, Vec<u8>),
        /// A hint for a mismatch.
        hint: Option<String>,
        accepted: Accepted,
        ignore_missing: bool,
        shown: Shown,
    },
    /// Compare files with a torrent.
    Torrent { torrent: OsString, files: Vec<OsString>, ignore_missing: bool, shown: Shown },
    /// Print which files are equal.
    Dedupe { operands: Operands, rules: Rules, scheme: Scheme, form: dedupe::Form, to: To },
    /// Print the digests of directories.
    Bind { operands: Operands, rules: Rules, bind: Bind },
    /// Update a list.
    Update {
        list: Place,
        /// Whether more than half of the files may be missing.
        allow_removals: bool,
        accepted: Accepted,
        operands: Operands,
        /// The digests that the list gets; those it has, if empty.
        schemes: Vec<Scheme>,
        rules: Rules,
        style: Style,
        shown: Shown,
    },
    /// Print a text.
    Print(Vec<u8>),
    /// Compare files with lists.
    Audit {
        lists: Vec<OsString>,
        accepted: Accepted,
        operands: Operands,
        rules: Rules,
        ignore_missing: bool,
        shown: Shown,
    },
}

/// Options for all tasks.
pub(crate) struct Manner {
    pub(crate) engine: Engine,
    pub(crate) progress: When,
    pub(crate) debug: bool,
}

/// The destination of a list.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: OsString,
    /// Whether it replaces any file, even by an incomplete list.
    pub(crate) force: bool,
}

/// The destination of a list; `None` is standard output.
pub(crate) type To = Option<Place>;

/// A list that is written, and its place.
struct Pending {
    replacement: Replacement,
    place: Place,
}

impl Place {
    /// Opens a file that takes this place when it is complete.
    fn open(&self) -> io::Result<(Replacement, Destination)> {
        // for root, too, whom the system lets write it
        let is_protected = |file: Metadata| file.is_file() && file.permissions().readonly();
        if !self.force && fs::metadata(&self.name).is_ok_and(is_protected) {
            return Err(io::Error::other("write-protected, and not replaced without --force"));
        }
        let replacement = Replacement::new(&self.name)?;
        let file = replacement.file()?;
        Ok((replacement, Destination::File(file, self.name.clone())))
    }

    /// Refuses to replace anything but a list; `schemes` help to recognize one.
    fn check(&self, schemes: &[Scheme]) -> io::Result<()> {
        let Ok(stat) = system::stat(&system::bytes(&self.name)) else { return Ok(()) };
        let is_list = match stat.kind {
            _ if self.force => true,
            Kind::File if stat.size > 0 => is_list(&self.name, schemes)?,
            Kind::BlockDevice => false,
            _ => true,
        };
        match is_list {
            true => Ok(()),
            false => Err(io::Error::other("not a list, and not replaced without --force")),
        }
    }

    fn complain(&self, option: &str, error: &io::Error, console: &Console) {
        let why = format!("{option}: {}: {}", quote::value(&self.name), reason(error));
        console.say(why.as_bytes());
    }
}

/// Opens the destination of a list with digests by `schemes`, and excludes it from walks by `rules`.
/// Reports an error, and returns `None`.
fn open(
    to: To,
    schemes: &[Scheme],
    rules: &mut Rules,
    console: &Console,
) -> Option<(Option<Pending>, Destination)> {
    let Some(place) = to else { return Some((None, Destination::Stdout)) };
    match place.check(schemes).and_then(|()| place.open()) {
        Ok((replacement, to)) => {
            let fate = if place.force { Fate::LeftOut } else { Fate::Refused };
            rules.outputs.extend(replacement.output(fate));
            Some((Some(Pending { replacement, place }), to))
        }
        Err(error) => {
            place.complain("--output", &error, console);
            None
        }
    }
}

/// Puts a list into its place. A list with missing files, unless `well`, replaces no other; nor does
/// one without any, which is what a missing mount or a mistyped pattern makes. Returns whether all
/// went well.
fn commit(
    pending: Option<Pending>,
    (well, has_lines): (bool, bool),
    console: &Console,
) -> io::Result<bool> {
    let Some(Pending { replacement, place }) = pending else { return Ok(well) };
    let why = match (well, has_lines) {
        _ if place.force || !replacement.replaces_something() => None,
        (false, _) => Some("not replaced, as not all files could be read"),
        (true, false) => Some("not replaced without --force, as the new list is empty"),
        (true, true) => None,
    };
    match why {
        None => replacement.commit()?,
        Some(why) => place.complain("--output", &io::Error::other(why), console),
    }
    Ok(well && why.is_none())
}

/// Files to come.
type Targets = Box<dyn Iterator<Item = Target> + Send>;

impl Task {
    /// All files that will be read, if they are known without reading a stream.
    fn targets(&self) -> Option<Targets> {
        let (operands, rules) = match self {
            Self::Sum { operands, rules, .. }
            | Self::Audit { operands, rules, .. }
            | Self::Expect { operands, rules, .. }
            | Self::Bind { operands, rules, .. } => (operands, rules),
            Self::Check { lists, accepted, only, directories, .. } => {
                if lists.iter().any(|list| list == "-") {
                    return None;
                }
                let directories = directories.clone();
                let jobs = reader::jobs(lists.clone(), accepted.clone(), only.clone(), directories);
                return Some(Box::new(jobs.filter_map(|job| job.work).map(|work| work.target)));
            }
            // most of their files are not read
            Self::Update { .. } | Self::Dedupe { .. } | Self::Torrent { .. } | Self::Print(_) => {
                return None;
            }
        };
        let rules = Arc::new(rules.clone());
        let operands = operands.again()?.into_iter();
        let files = operands.flat_map(move |operand| Files::of(operand, &rules));
        Some(Box::new(files.filter_map(|(_, found)| match found {
            Found::File(target) => Some(target),
            Found::Failed(_) => None,
        })))
    }

    /// Performs the task. Returns whether all went well; errors are those of output.
    pub(crate) fn run(self, manner: Manner, console: &Console) -> io::Result<bool> {
        let Manner { mut engine, progress, debug } = manner;
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
        let (stats, well) = match self {
            Self::Print(text) => return output::print(&text).map(|()| true),
            Self::Sum { operands, schemes, mut rules, form, to } => {
                let Some((pending, to)) = open(to, &schemes, &mut rules, console) else {
                    return Ok(false);
                };
                let printer = Printer::new(console, form, &schemes, to);
                let jobs = sum::jobs(operands, schemes, rules);
                let (stats, printer) = engine.run(jobs, printer)?;
                let written = printer.finish(backend)?;
                (stats, commit(pending, written, console)?)
            }
            Self::Bind { operands, mut rules, bind: Bind { scheme, tagged, to } } => {
                let Some((pending, to)) = open(to, slice::from_ref(&scheme), &mut rules, console)
                else {
                    return Ok(false);
                };
                let jobs = dirhash::jobs(operands, rules, scheme.clone());
                let binder = Binder::new(console, (scheme, tagged), backend, to);
                let (stats, binder) = engine.run(jobs, binder)?;
                (stats, commit(pending, binder.finish(), console)?)
            }
            Self::Dedupe { operands, mut rules, scheme, form, to } => {
                let Some((pending, to)) = open(to, slice::from_ref(&scheme), &mut rules, console)
                else {
                    return Ok(false);
                };
                let (stats, well) =
                    dedupe::run(&engine, (operands, rules), &scheme, (form, to), console)?;
                // no groups of equal files is a result
                (stats, commit(pending, (well, true), console)?)
            }
            Self::Update {
                list,
                allow_removals,
                accepted,
                operands,
                schemes,
                mut rules,
                style,
                shown,
            } => {
                let known = update::Known::read(&list, accepted, (schemes, style), console);
                let Some(mut known) = known else { return Ok(false) };
                let (replacement, to) = match list.open() {
                    Ok(opened) => opened,
                    Err(error) => {
                        list.complain("--update", &error, console);
                        return Ok(false);
                    }
                };
                known.settle(replacement.begun());
                let known = Arc::new(known);
                rules.outputs.extend(replacement.output(Fate::LeftOut));
                let jobs = update::jobs(operands, rules, Arc::clone(&known));
                let verdicts = Verdicts::new(console, shown);
                let updater = Updater::new(verdicts, Arc::clone(&known), replacement.begun(), to);
                let (stats, updater) = engine.run(jobs, updater)?;
                let Updated { well, kept } = updater.finish(allow_removals)?;
                let kept = kept.or((!known.is_still(&list)).then_some("it has changed meanwhile"));
                match kept {
                    None => replacement.commit()?,
                    Some(why) => {
                        let error = io::Error::other(format!("left as it was: {why}"));
                        list.complain("--update", &error, console);
                    }
                }
                (stats, well && kept.is_none())
            }
            Self::Check { lists, accepted, rigour, shown, only, directories } => {
                let jobs = reader::jobs(lists, accepted.clone(), only, directories);
                let checker = Checker::new(console, accepted, (rigour, shown), backend);
                let (stats, checker) = engine.run(jobs, checker)?;
                (stats, checker.finish()?)
            }
            Self::Torrent { torrent: name, files, ignore_missing, shown } => {
                let torrent = match torrent::read(&name) {
                    Ok(torrent) => torrent,
                    Err(error) => {
                        console.complain(&system::bytes(&name), &error);
                        return Ok(false);
                    }
                };
                let operands: Vec<_> = files.into_iter().map(system::into_bytes).collect();
                let place = match torrent::Place::new(&torrent, &operands) {
                    Ok(place) => place,
                    Err(why) => {
                        console.say(format!("--torrent: {why}").as_bytes());
                        return Ok(false);
                    }
                };
                let verdicts = Verdicts::new(console, shown);
                torrent::check(&engine, (&torrent, &place), ignore_missing, verdicts)?
            }
            Self::Expect { operands, rules, expected, hint, accepted, ignore_missing, shown } => {
                let rigour = Rigour { ignore_missing, ..Rigour::default() };
                let jobs = expect::jobs(operands, rules, expected, hint);
                let checker = Checker::new(console, accepted, (rigour, shown), backend);
                let (stats, checker) = engine.run(jobs, checker)?;
                (stats, checker.finish()?)
            }
            Self::Audit { lists, accepted, operands, rules, ignore_missing, shown } => {
                let flags = (ignore_missing, rules.tell && accepted.may_doubt());
                let (record, good) = match Record::read(lists, accepted, console) {
                    Ok((record, good)) => (Arc::new(record), good),
                    Err(Unusable) => return Ok(false),
                };
                let (names, wrong) = operands.collected();
                wrong.iter().for_each(|(list, error)| console.complain(list, error));
                let (rules, operands) = (Arc::new(rules), Operands::Given(names));
                let again = operands.again().expect("names that were given can be had twice");
                let sought = Sought::new(again, &rules, &record);
                let jobs = audit::jobs(operands, rules, Arc::clone(&record), &sought);
                let verdicts = Verdicts::new(console, shown);
                let auditor = Auditor::new(verdicts, record, sought, flags, backend);
                let (stats, auditor) = engine.run(jobs, auditor)?;
                (stats, auditor.finish()? && good && wrong.is_empty())
            }
        };
        progress::finish();
        if debug {
            debug::tell(console, &stats, start);
        }
        Ok(well)
    }
}
