//! The tasks that read lists, from the options: a check, an audit, an update.
//!
//! All three decide first which digests a list may have ([`accepted`]), since the writer of a list must not
//! choose an algorithm that is weaker than the user expects. The options of each task then only describe where
//! the files are and how results are shown.

use std::{ffi::OsString, mem, sync::Arc};

use jlanes::Algorithm;
use jlanes_files::{BaseDir, Computation, Rules};

use super::{
    Args,
    algorithm::WantedAlgorithms,
    digests,
    tool::{ProgramName, Tool},
    usage::{EarlyExit, usage},
    values::or_stdin,
};
use crate::{
    hash::{ComputationName, GivenParameters},
    lists::{
        AcceptedAlgorithms, AcceptedDigests, AssumedAlgorithms, Directories, ListTools, NameRules,
    },
    report::{VerdictOptions, quote, reason},
    system,
    tasks::{
        ListOutput, Task,
        audit::Audit,
        check::{Check, Strictness},
        update::Update,
    },
};

/// The minimum number of bits of a digest in lists, unless the user names the algorithm. With fewer
/// bits, the writer of the list could find another file with the same digest, or guess a MAC.
pub(super) const MIN_SAFE_BITS: u64 = 128;

/// The digests that lists may have.
pub(super) fn accepted(
    args: &Args,
    called: &ProgramName,
    wanted: WantedAlgorithms,
    given: Arc<GivenParameters>,
) -> Result<AcceptedDigests, EarlyExit> {
    if args.digests.dmverity_tree.is_some() {
        return usage("the --dmverity-tree option is meaningless when verifying checksums");
    }
    // GNU's tools accept any, and so do we for an algorithm that the user names; an audit looks for
    // accidents, not attacks
    let is_keyed = given.key.is_some();
    let may_choose = called.tool == Tool::Jlanes
        && !matches!(wanted, WantedAlgorithms::Named(_))
        && (args.checking.list.check || is_keyed);
    let untrusted = args.checking.untrusted;
    let least_bits = match args.checking.min_bits {
        Some(bits) if untrusted && bits < MIN_SAFE_BITS => {
            return usage(format!(
                "--untrusted accepts no digests of less than {MIN_SAFE_BITS} bits"
            ));
        }
        None if untrusted => MIN_SAFE_BITS,
        Some(bits) => bits,
        None if may_choose => MIN_SAFE_BITS,
        None => 0,
    };
    let algorithms = accepted_algorithms(args, called, wanted, &given, least_bits)?;
    let tools = match called.tool {
        Tool::Jlanes | Tool::B3sum => ListTools::All,
        Tool::Cksum => ListTools::Cksum,
        _ => ListTools::Sum,
    };
    let names = names(args)?;
    let checksums = args.checking.min_bits.is_none() && given.key.is_none() && !untrusted;
    // under another tool's name, the messages are that tool's
    let assumed = (called.tool == Tool::Jlanes).then(AssumedAlgorithms::default);
    let list = Vec::new();
    Ok(AcceptedDigests { algorithms, tools, given, least_bits, checksums, names, list, assumed })
}

/// The algorithms that lists may name, and the one of lines without a tag.
fn accepted_algorithms(
    args: &Args,
    called: &ProgramName,
    wanted: WantedAlgorithms,
    given: &GivenParameters,
    least_bits: u64,
) -> Result<AcceptedAlgorithms, EarlyExit> {
    Ok(match wanted {
        WantedAlgorithms::Family(family) => AcceptedAlgorithms::Family(family),
        WantedAlgorithms::Named(named) => {
            let computations = digests::computations(given, &named)?;
            let has_columns = args.checking.list.check && called.tool == Tool::Jlanes;
            if computations.len() > 1 && !has_columns {
                return usage("lists are checked with one algorithm at most");
            }
            for computation in &computations {
                // a weak digest does no harm next to stronger ones of the same file
                if let Some(why) = computation
                    .strength()
                    .weakness()
                    .filter(|_| args.checking.untrusted && computations.len() == 1)
                {
                    return usage(format!("--untrusted refuses {computation}, which is {why}"));
                }
                let bits = computation.bits();
                if bits < least_bits {
                    return usage(format!(
                        "--min-bits={least_bits} refuses {computation}, which has {bits}"
                    ));
                }
            }
            match &computations[..] {
                [computation] => AcceptedAlgorithms::Only(computation.clone()),
                _ => AcceptedAlgorithms::Columns(computations),
            }
        }
        WantedAlgorithms::Listed if called.tool == Tool::Cksum => {
            AcceptedAlgorithms::Tagged { default: None, guess: false }
        }
        WantedAlgorithms::Listed => {
            let sha256 = Computation::from(Algorithm::SHA256);
            let computation = called.spec.parse().unwrap_or_else(|_| sha256.clone());
            // the length of a digest says nothing about its key
            let guess = computation == sha256 && given.key.is_none();
            // a key that does not fit this hash makes lines without a tag malformed
            let default = ComputationName::from(computation).computation(given).ok();
            let default = default.filter(|it| it.bits() >= least_bits);
            AcceptedAlgorithms::Tagged { default, guess }
        }
    })
}

/// The rules for the names in lists.
fn names(args: &Args) -> Result<NameRules, EarlyExit> {
    let untrusted = args.checking.untrusted;
    let base = args.checking.base_dir.clone();
    if base.as_ref().is_some_and(|dir| dir.is_empty()) {
        // names below an empty directory would be absolute
        return usage("--base-dir: '' is no directory");
    }
    let beneath = || {
        let path = base.clone().unwrap_or_else(|| ".".into());
        let wrong =
            |error| EarlyExit::value(format!("{}: {}", quote::value(&path), reason(&error)));
        BaseDir::open(&system::bytes(&path)).map(Arc::new).map_err(wrong)
    };
    let beneath = if untrusted { Some(beneath()?) } else { None };
    let (strip, no_absolute) =
        (args.checking.strip.unwrap_or(0), args.checking.no_absolute || untrusted);
    Ok(NameRules { base, strip, no_absolute, beneath })
}

pub(super) fn check_task(
    args: Args,
    called: &ProgramName,
    wanted: WantedAlgorithms,
    given: Arc<GivenParameters>,
) -> Result<Task, EarlyExit> {
    let accepted = accepted(&args, called, wanted, given)?;
    // for digests of directories, which GNU's tools lack
    let rules = args.walking.rules(true, args.checking.reports_skipped())?;
    let directories = match (args.checking.untrusted, args.recursive) {
        (true, _) => Directories::None,
        (false, true) => Directories::All(rules),
        (false, false) => Directories::Below(rules),
    };
    let checking = args.checking;
    let shown = checking.verdict_options(called, &args.output);
    let list = checking.list;
    let strictness = Strictness {
        ignore_missing: list.ignore_missing,
        strict: list.strict || checking.untrusted || checking.detailed_exit,
        warn: list.warn,
        required: checking.require.unwrap_or(0),
    };
    let lists = or_stdin(args.files);
    Ok(Task::Check(Check { lists, accepted, strictness, shown, only: checking.only, directories }))
}

pub(super) fn audit_task(
    mut args: Args,
    called: &ProgramName,
    wanted: WantedAlgorithms,
    given: Arc<GivenParameters>,
) -> Result<Task, EarlyExit> {
    let is_dir = |path: &&OsString| system::is_directory(&system::bytes(path));
    if let Some(dir) = args.checking.audit.iter().find(is_dir) {
        let list = args.files.first().map_or("LIST".into(), quote::value);
        let dir = quote::value(dir);
        let message = format!("--audit: {dir} is a directory; the list comes first");
        return usage(format!("{message}, as in --audit {list} {dir}"));
    }
    args.files = args.walking.or_working_dir(args.files);
    Ok(Task::Audit(Audit {
        lists: mem::take(&mut args.checking.audit),
        accepted: accepted(&args, called, wanted, given)?,
        // skipped links are counted, even if they are not reported
        rules: Rules { report_links: true, ..args.walking.rules(true, true)? },
        ignore_missing: args.checking.list.ignore_missing,
        reports_skipped: args.checking.reports_skipped(),
        shown: args.checking.verdict_options(called, &args.output),
        operands: args.walking.operands(args.files)?,
    }))
}

/// The task that brings a list up to date.
pub(super) fn update_task(
    mut args: Args,
    called: &ProgramName,
    wanted: WantedAlgorithms,
    given: Arc<GivenParameters>,
) -> Result<Task, EarlyExit> {
    let computations = match &wanted {
        WantedAlgorithms::Named(named) => args.computations(&given, named)?,
        WantedAlgorithms::Family(_) => {
            return usage("--update needs the whole name of the algorithm");
        }
        WantedAlgorithms::Listed => args.computations(&given, &[])?,
    };
    let list = args.output.update.take().expect("the option was given");
    if list == "-" {
        return usage("--update: '-' cannot be replaced; a file of that name is './-'");
    }
    // the new list replaces lines of other algorithms, so they may be read
    let mut accepted = accepted(&args, called, WantedAlgorithms::Listed, given)?;
    if let [computation] = &computations[..] {
        accepted.algorithms =
            AcceptedAlgorithms::Tagged { default: Some(computation.clone()), guess: false };
    }
    args.files = args.walking.or_working_dir(args.files);
    let tagged = args.output.is_tagged(called, computations.len());
    Ok(Task::Update(Update {
        list: ListOutput { name: list, force: args.output.force, no_names: false },
        allow_removals: args.output.allow_removals,
        style: args.output.style(tagged),
        reports_differences: args.checking.detailed_exit,
        shown: VerdictOptions {
            quiet: true,
            ..args.checking.verdict_options(called, &args.output)
        },
        rules: args.walking.rules(true, args.checking.reports_skipped())?,
        operands: args.walking.operands(args.files)?,
        accepted,
        computations,
    }))
}
