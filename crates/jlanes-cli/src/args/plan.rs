//! From the command line to what is to be done, with GNU's rules for what goes together.

use std::{ffi::OsString, fmt::Display, io, mem, sync::Arc};

use clap::error::ErrorKind;
use jlanes::{
    Algorithm, AlgorithmError,
    algorithm::{Hash, Kind},
};

use crate::{
    args::{Args, Size, Sort, Tool, explain},
    files::{
        Operands, Patterns, Rules,
        read::{Map, Reading},
    },
    hash::{Engine, Options, Settings, Threads},
    lists::{
        Accepted, Which,
        line::{Encoding, Foreign, Layout, Style},
    },
    report::{Voice, output},
    tasks::{Manner, Task, check::Verdicts, dirhash::DirHash, sum::Form},
};

mod options;
mod sense;

/// Everything that was asked for.
pub(crate) struct Plan {
    pub(crate) task: Task,
    pub(crate) manner: Manner,
}

/// A command line that asks for nothing that can be done.
pub(crate) enum Misuse {
    /// Help or the version, which are not misuse, but also end the program.
    Answer(String),
    /// An error, and a pointer to the help.
    Usage(String),
    /// An error in a value.
    Value(String),
}

impl Misuse {
    /// Tells the user. Returns whether all is well.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn report(self, voice: &Voice) -> io::Result<bool> {
        match self {
            Self::Answer(answer) => return output::print(answer.as_bytes()).map(|()| true),
            Self::Usage(message) => voice.misused(&message),
            Self::Value(message) => voice.say(message.as_bytes()),
        }
        Ok(false)
    }
}

impl Misuse {
    fn of(error: clap::Error, tool: Tool) -> Self {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Self::Answer(error.to_string()),
            _ => Self::Usage(explain(&error, tool)),
        }
    }
}

fn usage<T>(message: &str) -> Result<T, Misuse> {
    Err(Misuse::Usage(message.to_owned()))
}

/// What the program was called as: GNU's tools differ in what they do without options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// `jlanes-sum`, and any name that is not known.
    Jlanes,
    /// `sha256sum` and its like: one algorithm.
    Sum(Algorithm),
    /// `cksum`: lines are tagged.
    Cksum,
}

impl Role {
    fn of(program: &[u8]) -> Self {
        if program == b"cksum" {
            return Self::Cksum;
        }
        let name = program.strip_suffix(b"sum").and_then(|name| str::from_utf8(name).ok());
        match name.and_then(|name| name.parse().ok()) {
            Some(algorithm) if is_sha(algorithm) => Self::Sum(algorithm),
            _ => Self::Jlanes,
        }
    }

    /// The GNU tool whose abbreviations of options count.
    fn tool(self) -> Tool {
        if self == Self::Cksum { Tool::Cksum } else { Tool::Sum }
    }
}

fn is_fsverity(algorithm: Algorithm) -> bool {
    matches!(algorithm.kind(), Kind::FsVerity { .. })
}

fn is_sha(algorithm: Algorithm) -> bool {
    matches!(algorithm.kind(), Kind::Hash(Hash::Sha(_)))
}

impl Plan {
    /// Reads the command line.
    pub(crate) fn from_args(voice: &Voice) -> Result<Self, Misuse> {
        let role = Role::of(voice.program());
        let tool = role.tool();
        let mut args = Args::read(tool).map_err(|error| Misuse::of(error, tool))?;
        let named = algorithms(&args)?;
        let tagged = tagged(&args, role, named.len());
        args.refuse_nonsense(role, tagged)?;
        let options = Arc::new(options::read(&mut args)?);
        let settings = Settings {
            options: Arc::clone(&options),
            backend: args.backend,
            threads: Threads::new(args.threads),
        };
        let manner = Manner {
            engine: Engine { settings, reading: args.reading() },
            progress: args.progress.unwrap_or_default(),
            debug: args.debug,
        };
        let generated = args.generated().map_err(|error| Misuse::Value(error.to_string()))?;
        let task = if let Some(text) = generated {
            Task::Print(text)
        } else if args.check {
            check_task(args, role, &named, options)?
        } else if let Some(hash) = args.dirhash {
            Task::Bind { hash, rules: rules(&args)?, operands: operands(args)? }
        } else if !args.audit.is_empty() {
            audit_task(args, role, &named, options)?
        } else {
            sum_task(args, role, named, tagged, &options)?
        };
        Ok(Self { manner, task })
    }
}

fn sum_task(
    args: Args,
    role: Role,
    mut algorithms: Vec<Algorithm>,
    tagged: bool,
    options: &Options,
) -> Result<Task, Misuse> {
    if algorithms.is_empty() {
        algorithms.push(match role {
            Role::Sum(algorithm) => algorithm,
            Role::Jlanes => Algorithm::SHA256,
            Role::Cksum => {
                let message = "the checksum that cksum prints by default is no digest, and not \
                               supported; name one with --algorithm";
                return Err(Misuse::Value(message.to_owned()));
            }
        });
    }
    let algorithms = options::apply(options, &algorithms)?;
    if let Some(tree) = &options.tree {
        args.refuse_tree(tree, algorithms.len())?;
    }
    if args.fsverity_format && !algorithms.iter().all(|algorithm| is_fsverity(*algorithm)) {
        return usage("--fsverity-format is only supported with fsverity");
    }
    if args.raw && args.files.len() > 1 {
        let message = "the --raw option is not supported with multiple files";
        return Err(Misuse::Value(message.to_owned()));
    }
    let layout = match (args.raw, tagged) {
        _ if args.fsverity_format => Layout::FsVerity,
        _ if args.no_names => Layout::Nameless,
        (true, _) => Layout::Raw,
        (_, true) => Layout::Tagged,
        _ => Layout::Untagged { binary: args.binary },
    };
    let encoding = if args.base64 { Encoding::Base64 } else { Encoding::Hex };
    let style = Style { layout, encoding, zero: args.zero };
    let form = match args.format {
        Some(list) => Form::Foreign(foreign(list, &algorithms)?),
        None if args.json => Form::Json(style),
        None => Form::Lines(style),
    };
    let rules = args.recursive.then(|| rules(&args)).transpose()?;
    Ok(Task::Sum { operands: operands(args)?, algorithms: algorithms.into(), rules, form })
}

/// `list`, if it has digests of all `algorithms`.
fn foreign(list: Foreign, algorithms: &[Algorithm]) -> Result<Foreign, Misuse> {
    match algorithms.iter().find(|algorithm| list.keyword(**algorithm).is_none()) {
        None => Ok(list),
        Some(algorithm) => usage(&format!("the format has no digests of {algorithm}")),
    }
}

/// Where the names of the files to be hashed come from.
fn operands(args: Args) -> Result<Operands, Misuse> {
    let (option, list, end) = match (args.files0_from, args.files_from) {
        (Some(list), _) => ("--files0-from", list, 0),
        (_, Some(list)) => ("--files-from", list, b'\n'),
        _ => return Ok(Operands::Given(or_stdin(args.files))),
    };
    if !args.files.is_empty() {
        return usage(&format!("file operands cannot be combined with {option}"));
    }
    Ok(Operands::Listed { list, end })
}

/// Which files of directories are wanted.
fn rules(args: &Args) -> Result<Rules, Misuse> {
    let patterns = |list: &[String]| {
        Patterns::new(list).map_err(|error| Misuse::Usage(format!("invalid pattern: {error}")))
    };
    let mut exclude = args.exclude.clone();
    if args.is_git() {
        // git cannot keep what looks like its own
        exclude.push(".git".to_owned());
    }
    Ok(Rules {
        max_depth: args.max_depth,
        max_size: args.max_size.map(|Size(bytes)| bytes),
        one_file_system: args.one_file_system,
        follow: args.dereference,
        // Go and git have an entry for a link, whatever is behind it
        links: args.hash_links || (args.dirhash.is_some() && !args.dereference),
        unsorted: args.sort == Some(Sort::None),
        include: patterns(&args.include)?,
        exclude: patterns(&exclude)?,
    })
}

fn audit_task(
    mut args: Args,
    role: Role,
    named: &[Algorithm],
    options: Arc<Options>,
) -> Result<Task, Misuse> {
    if args.files.is_empty() && args.files0_from.is_none() && args.files_from.is_none() {
        args.files.push(".".into());
    }
    Ok(Task::Audit {
        lists: mem::take(&mut args.audit),
        accepted: accepted(&args, role, named, options)?,
        rules: rules(&args)?,
        quiet: args.quiet,
        operands: operands(args)?,
    })
}

/// Which algorithms lists may name.
fn accepted(
    args: &Args,
    role: Role,
    named: &[Algorithm],
    options: Arc<Options>,
) -> Result<Accepted, Misuse> {
    if options.tree.is_some() {
        return usage("the --dmverity-tree option is meaningless when verifying checksums");
    }
    let which = match (named, role) {
        _ if args.is_any_sha2() => Which::Sha2,
        (&[algorithm], _) | ([], Role::Sum(algorithm)) => {
            Which::Only(options::apply(&options, &[algorithm])?[0])
        }
        ([], Role::Jlanes) => Which::Tagged { untagged: Some(Algorithm::SHA256) },
        ([], Role::Cksum) => Which::Tagged { untagged: None },
        _ => return usage("lists are checked with one algorithm at most"),
    };
    Ok(Accepted { which, more_forms: !matches!(role, Role::Sum(_)), options })
}

fn check_task(
    args: Args,
    role: Role,
    named: &[Algorithm],
    options: Arc<Options>,
) -> Result<Task, Misuse> {
    let accepted = accepted(&args, role, named, options)?;
    let verdicts = Verdicts {
        ignore_missing: args.ignore_missing,
        quiet: args.quiet,
        status: args.status,
        strict: args.strict,
        warn: args.warn,
        required: args.require.unwrap_or(0),
    };
    Ok(Task::Check { lists: or_stdin(args.files), accepted, verdicts, only: args.only })
}

fn or_stdin(mut operands: Vec<OsString>) -> Vec<OsString> {
    if operands.is_empty() {
        operands.push("-".into());
    }
    operands
}

/// Bytes of the longest digest, which has to fit the memory.
const LONGEST_DIGEST: usize = 1 << 30;

/// The algorithms that were named. `-a sha2 -l BITS` names one of the SHA-2 family, as in cksum.
fn algorithms(args: &Args) -> Result<Vec<Algorithm>, Misuse> {
    if args.is_any_sha2() {
        return Ok(Vec::new());
    }
    let length = length(args)?;
    if length.is_some() && !args.algorithm.iter().any(|name| is_sha2(name)) {
        let message = "--length is only supported with --algorithm sha2";
        return Err(Misuse::Value(message.to_owned()));
    }
    let parse = |name: &String| {
        let name = match (is_sha2(name), length) {
            (false, _) => name.clone(),
            (true, Some(bits @ (224 | 256 | 384 | 512))) => format!("sha{bits}"),
            (true, Some(bits)) => {
                let message = format!("invalid length: '{bits}'; sha2 has 224, 256, 384 and 512");
                return Err(Misuse::Value(message));
            }
            (true, None) => {
                let message = "--algorithm=sha2 requires specifying --length 224, 256, 384, or 512";
                return Err(Misuse::Value(message.to_owned()));
            }
        };
        let wrong = |why: &dyn Display| {
            Misuse::Usage(format!("invalid argument '{name}' for '--algorithm': {why}"))
        };
        let algorithm: Algorithm = name.parse().map_err(|error: AlgorithmError| wrong(&error))?;
        if algorithm.output_size() > LONGEST_DIGEST {
            return Err(wrong(&"the output is longer than a gibibyte"));
        }
        Ok(algorithm)
    };
    args.algorithm.iter().map(parse).collect()
}

fn is_sha2(name: &str) -> bool {
    name.eq_ignore_ascii_case("sha2")
}

/// The digest's length, if one is asked for; 0 asks for none.
fn length(args: &Args) -> Result<Option<u32>, Misuse> {
    let Some(text) = &args.length else { return Ok(None) };
    match text.parse() {
        Ok(0) => Ok(None),
        Ok(bits) => Ok(Some(bits)),
        Err(_) => Err(Misuse::Value(format!("invalid length: '{text}'"))),
    }
}

/// Whether lines of output carry a tag.
fn tagged(args: &Args, role: Role, algorithms: usize) -> bool {
    args.tag || (!args.untagged && (role == Role::Cksum || algorithms > 1))
}

impl Args {
    fn reading(&self) -> Reading {
        Reading {
            map: self.map(),
            links: self.hash_links || self.is_git(),
            blobs: self.is_git(),
            watch: self.warn_changed,
            jobs: self.io_jobs,
            meter: None,
        }
    }

    /// Whether lists may have digests of all the SHA-2 family, as with cksum's `-c -a sha2`.
    fn is_any_sha2(&self) -> bool {
        let lists = self.check || !self.audit.is_empty();
        lists && self.length.is_none() && matches!(&self.algorithm[..], [name] if is_sha2(name))
    }

    /// Whether directories are hashed as git's trees.
    fn is_git(&self) -> bool {
        self.dirhash == Some(DirHash::GitSha256)
    }

    fn map(&self) -> Map {
        match (self.mmap, self.no_mmap) {
            (true, _) => Map::Always,
            (_, true) => Map::Never,
            _ => Map::default(),
        }
    }
}
