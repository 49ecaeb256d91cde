//! Checking lists, and comparing directories with them.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal},
    mem,
    sync::Arc,
};

use clap::ValueEnum;

use super::{
    Args,
    algorithm::Wanted,
    digests,
    output::Output,
    plan::or_stdin,
    tool::{Called, Tool},
    usage::{Misuse, usage},
    values::number,
};
use crate::{
    files::{Base, Rules},
    hash::{Named, Parameters, What},
    lists::{Accepted, Forms, Names, Which},
    report::{Shown, quote, reason},
    system::{self, Kind},
    tasks::{Place, Task, check::Rigour},
};

/// Bits of a digest that a list must name at least, where the user does not say which algorithm it is:
/// with fewer bits, the writer of the list could find another file, or guess a MAC.
pub(super) const GUESSABLE: u64 = 128;

/// GNU's options.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Checking")]
pub(super) struct ListOptions {
    /// Read lists of digests from the FILEs, and check the files that they name
    #[arg(short, long)]
    pub(super) check: bool,

    /// Neither fail nor report for missing files
    #[arg(long)]
    ignore_missing: bool,

    /// Do not print OK for files that match
    #[arg(long, overrides_with_all = ["status", "warn"])]
    pub(super) quiet: bool,

    /// Print no verdicts; the exit status shows success
    #[arg(long, overrides_with_all = ["quiet", "warn"])]
    status: bool,

    /// Fail for improperly formatted lines
    #[arg(long)]
    strict: bool,

    /// Report improperly formatted lines, and with -r what is skipped
    #[arg(short, long, overrides_with_all = ["quiet", "status"])]
    warn: bool,
}

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Checking")]
pub(super) struct Checking {
    #[command(flatten)]
    pub(super) list: ListOptions,

    /// Compare the FILEs or DIRs, or the working directory, with the digests in LIST. Reports
    /// changed, moved, new and missing files
    #[arg(long, value_name = "LIST")]
    #[arg(conflicts_with_all = ["check", "raw", "zero", "tag", "base64", "no_names"])]
    #[arg(conflicts_with_all = ["format", "fsverity_format"])]
    pub(super) audit: Vec<OsString>,

    /// With -c, check only NAME, which LIST must contain
    #[arg(long, value_name = "NAME", conflicts_with = "ignore_missing")]
    only: Vec<OsString>,

    /// With -c, fail if fewer than N different files match
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    require: Option<u64>,

    /// Refuse digests of less than N bits [default: 128 with -c or a key, 0 with -a]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    min_bits: Option<u64>,

    /// Look up relative names of lists in DIR instead of the working directory
    #[arg(long, value_name = "DIR")]
    base_dir: Option<OsString>,

    /// Refuse absolute names, and names that contain `..`
    #[arg(long)]
    no_absolute: bool,

    /// With -c, for lists by strangers: refuse names and links that lead out of the base directory,
    /// everything but regular files, checksums, and digests of less than 128 bits; implies --strict
    #[arg(long)]
    untrusted: bool,

    /// Print how many files got each verdict, or how many bytes duplicates waste
    #[arg(long)]
    pub(super) summary: bool,

    /// Color FAILED, CHANGED and so on [default: auto, on terminals unless NO_COLOR is set]
    #[arg(long, alias = "colour", value_name = "WHEN", value_enum)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    color: Option<When>,
}

/// When there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// If standard output is a terminal.
    Auto,
    Always,
    Never,
}

impl When {
    fn is_now(self) -> bool {
        // see no-color.org
        let is_unwanted = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = || env::var_os("TERM").is_none_or(|term| term == "dumb");
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => io::stdout().is_terminal() && !is_unwanted() && !is_dumb(),
        }
    }
}

impl Checking {
    /// How verdicts are shown.
    pub(super) fn shown(&self, called: &Called, output: &Output) -> Shown {
        // GNU's tools have no colours
        let when = self.color.unwrap_or(When::Auto);
        let colour = called.tool == Tool::Jlanes && when.is_now();
        Shown {
            quiet: self.list.quiet,
            status: self.list.status,
            json: output.json,
            colour,
            summary: self.summary,
        }
    }

    /// Whether files that are missing do not matter.
    pub(super) fn ignores_missing(&self) -> bool {
        self.list.ignore_missing
    }

    /// Whether a walk is to tell what it passes over.
    pub(super) fn tells(&self) -> bool {
        self.list.warn
    }

    /// Whether lists are read.
    pub(super) fn reads_lists(&self) -> bool {
        self.list.check || !self.audit.is_empty()
    }

    /// GNU's rule for its options, and ours for our own.
    pub(super) fn refuse_without_check(
        &self,
        recurse: bool,
        counts: bool,
        expects: bool,
    ) -> Result<(), Misuse> {
        let list = &self.list;
        let audited = [
            (list.ignore_missing, "ignore-missing"),
            (list.status, "status"),
            (list.warn && !recurse, "warn"),
            (list.quiet, "quiet"),
            (list.strict, "strict"),
            (self.min_bits.is_some(), "min-bits"),
            (self.summary && !counts, "summary"),
            (self.base_dir.is_some(), "base-dir"),
            (self.no_absolute, "no-absolute"),
            (self.color.is_some(), "color"),
        ];
        let checked = [
            (!self.only.is_empty(), "only"),
            (self.require.is_some(), "require"),
            (self.untrusted, "untrusted"),
        ];
        let is_shown = |name| {
            expects && ["ignore-missing", "status", "quiet", "summary", "color"].contains(&name)
        };
        let audited =
            audited.into_iter().filter(|(_, name)| self.audit.is_empty() && !is_shown(name));
        let mut checking = audited.chain(checked);
        match checking.find(|(given, _)| *given) {
            None => Ok(()),
            Some((_, name)) => {
                usage(format!("the --{name} option is meaningful only when verifying checksums"))
            }
        }
    }
}

/// Which digests lists may name.
pub(super) fn accepted(
    args: &Args,
    called: &Called,
    wanted: Wanted,
    given: Arc<Parameters>,
) -> Result<Accepted, Misuse> {
    if args.digests.dmverity_tree.is_some() {
        return usage("the --dmverity-tree option is meaningless when verifying checksums");
    }
    // GNU's tools take any, and what the user names is accepted; an audit looks for accidents
    let is_keyed = given.secret.is_some();
    let may_choose = called.tool == Tool::Jlanes
        && !matches!(wanted, Wanted::Named(_))
        && (args.checking.list.check || is_keyed);
    let untrusted = args.checking.untrusted;
    let least_bits = match args.checking.min_bits {
        Some(bits) if untrusted && bits < GUESSABLE => {
            return usage(format!("--untrusted accepts no digests of less than {GUESSABLE} bits"));
        }
        None if untrusted => GUESSABLE,
        Some(bits) => bits,
        None if may_choose => GUESSABLE,
        None => 0,
    };
    let which = match wanted {
        Wanted::Family(family) => Which::Family(family),
        Wanted::Named(named) => {
            let [scheme] = &digests::schemes(&given, &named)?[..] else {
                return usage("lists are checked with one algorithm at most");
            };
            let bits = scheme.bits();
            if bits < least_bits {
                return usage(format!(
                    "--min-bits={least_bits} refuses {scheme}, which has {bits}"
                ));
            }
            Which::Only(scheme.clone())
        }
        Wanted::Listed if called.tool == Tool::Cksum => {
            Which::Tagged { untagged: None, guess: false }
        }
        Wanted::Listed => {
            let default: What = called.spec.parse().unwrap_or(What::SHA256);
            // a key that is not one of this hash leaves lines without a tag malformed
            let untagged = Named::from(default).scheme(&given).ok();
            // nor does a digest with a key say which key it is
            let guess = default == What::SHA256 && given.secret.is_none();
            let untagged = untagged.filter(|scheme| scheme.bits() >= least_bits);
            Which::Tagged { untagged, guess }
        }
    };
    let forms = match called.tool {
        Tool::Jlanes | Tool::B3sum => Forms::All,
        Tool::Cksum => Forms::Cksum,
        _ => Forms::Sum,
    };
    let base = args.checking.base_dir.clone();
    let beneath = || {
        let path = base.clone().unwrap_or_else(|| ".".into());
        let wrong = |error| Misuse::value(format!("{}: {}", quote::value(&path), reason(&error)));
        Base::open(&system::bytes(&path)).map(Arc::new).map_err(wrong)
    };
    let beneath = if untrusted { Some(beneath()?) } else { None };
    let names = Names { base, below: args.checking.no_absolute || untrusted, beneath };
    let checksums = args.checking.min_bits.is_none() && given.secret.is_none() && !untrusted;
    Ok(Accepted { which, forms, given, least_bits, checksums, names, list: Vec::new() })
}

pub(super) fn check_task(
    args: Args,
    called: &Called,
    wanted: Wanted,
    given: Arc<Parameters>,
) -> Result<Task, Misuse> {
    let accepted = accepted(&args, called, wanted, given)?;
    // directories by whose digests lists can be checked; GNU's tools have none
    let rules = args.walking.rules(true, args.checking.tells())?;
    let rules = (!args.checking.untrusted).then_some(rules);
    let checking = args.checking;
    let shown = checking.shown(called, &args.output);
    let list = checking.list;
    let rigour = Rigour {
        ignore_missing: list.ignore_missing,
        strict: list.strict || checking.untrusted,
        warn: list.warn,
        required: checking.require.unwrap_or(0),
    };
    let lists = or_stdin(args.files);
    Ok(Task::Check { lists, accepted, rigour, shown, only: checking.only, rules })
}

pub(super) fn audit_task(
    mut args: Args,
    called: &Called,
    wanted: Wanted,
    given: Arc<Parameters>,
) -> Result<Task, Misuse> {
    let is_dir = |path: &&OsString| {
        system::stat(&system::bytes(path)).is_ok_and(|stat| stat.kind == Kind::Directory)
    };
    if let Some(dir) = args.checking.audit.iter().find(is_dir) {
        let list = args.files.first().map_or("LIST".into(), quote::value);
        let dir = quote::value(dir);
        let message = format!("--audit: {dir} is a directory; the list comes first");
        return usage(format!("{message}, as in --audit {list} {dir}"));
    }
    if args.files.is_empty() && args.walking.lists().next().is_none() {
        args.files.push(".".into());
    }
    let tells = args.checking.tells();
    Ok(Task::Audit {
        lists: mem::take(&mut args.checking.audit),
        accepted: accepted(&args, called, wanted, given)?,
        rules: Rules { tell_links: tells, ..args.walking.rules(true, tells)? },
        ignore_missing: args.checking.list.ignore_missing,
        shown: args.checking.shown(called, &args.output),
        operands: args.walking.operands(args.files)?,
    })
}

/// What is to be done to bring a list up to date.
pub(super) fn update_task(
    mut args: Args,
    called: &Called,
    wanted: Wanted,
    given: Arc<Parameters>,
) -> Result<Task, Misuse> {
    let schemes = match &wanted {
        Wanted::Named(named) => digests::schemes(&given, named)?,
        Wanted::Family(_) => return usage("--update needs the whole name of the algorithm"),
        Wanted::Listed => Vec::new(),
    };
    args.refuse_tree(&schemes)?;
    let list = args.output.update.take().expect("the option was given");
    if list == "-" {
        return usage("--update: '-' cannot be replaced; a file of that name is './-'");
    }
    // lines of other algorithms are replaced
    let mut accepted = accepted(&args, called, Wanted::Listed, given)?;
    if let [scheme] = &schemes[..] {
        accepted.which = Which::Tagged { untagged: Some(scheme.clone()), guess: false };
    }
    if args.files.is_empty() && args.walking.lists().next().is_none() {
        args.files.push(".".into());
    }
    let tagged = args.output.is_tagged(called, schemes.len());
    Ok(Task::Update {
        list: Place { name: list, force: args.output.force },
        allow_removals: args.output.allow_removals,
        style: args.output.style(tagged),
        shown: Shown { quiet: true, ..args.checking.shown(called, &args.output) },
        rules: args.walking.rules(true, args.checking.tells())?,
        operands: args.walking.operands(args.files)?,
        accepted,
        schemes,
    })
}

#[cfg(test)]
mod tests {
    use crate::args::plan::testing::refused;

    #[test]
    fn options_about_checks_need_one() {
        for (option, name) in [
            ("--only=f", "only"),
            ("--require=1", "require"),
            ("--ignore-missing", "ignore-missing"),
            ("--status", "status"),
            ("--strict", "strict"),
            ("--quiet", "quiet"),
            ("-w", "warn"),
            ("--min-bits=1", "min-bits"),
            ("--summary", "summary"),
            ("--base-dir=.", "base-dir"),
            ("--no-absolute", "no-absolute"),
            ("--color", "color"),
        ] {
            assert_eq!(
                refused(&[option, "f"]),
                format!("the --{name} option is meaningful only when verifying checksums")
            );
        }
    }

    #[test]
    fn audits_do_not_print_digests() {
        for other in ["--tag", "--raw", "-z", "--base64", "--no-names", "-c"] {
            let message = refused(&["--audit=f", other, "f"]);
            assert!(message.ends_with(" are mutually exclusive"), "{other}: {message}");
        }
    }
}
