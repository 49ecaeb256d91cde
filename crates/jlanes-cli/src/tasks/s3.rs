//! `--expect-json`: compares a file with the checksums that S3 has of an object.

use std::{
    ffi::{OsStr, OsString},
    io::{self, Read},
};

use jlanes::algorithm::S3Checksum;
use jlanes_files::{
    Engine, Stats,
    lists::decode_text,
    s3::{self, Document, VerifiedObject},
};

use super::{NOT_BEGUN, TaskOutcome};
use crate::{
    files::open_or_stdin,
    report::{Console, Details, ExitState, Verdict, VerdictOptions, Verdicts},
    system,
};

/// The maximum size of a document, which is read into memory: ten thousand parts have a tenth.
const MAX_DOCUMENT_BYTES: u64 = 64 << 20;

/// Compares a file with an object of S3.
pub(crate) struct CompareS3Object {
    pub(crate) document: OsString,
    pub(crate) file: OsString,
    /// The sizes of parts that the user knows.
    pub(crate) sizes: Vec<(S3Checksum, usize)>,
    pub(crate) ignore_missing: bool,
    pub(crate) shown: VerdictOptions,
}

impl CompareS3Object {
    /// Performs the task. An error is one of output.
    pub(super) fn run(self, engine: &Engine, console: &Console) -> io::Result<TaskOutcome> {
        let Self { document: path, file, sizes, ignore_missing, shown } = self;
        let document = match read(&path) {
            Ok(document) => document,
            Err(error) => {
                console.report_error(&system::bytes(&path), &error);
                return Ok(NOT_BEGUN);
            }
        };
        let to = (console, shown);
        let ended = check(engine, (&document, &path), &file, &sizes, ignore_missing, to)?;
        Ok((Some(Stats::default()), ended))
    }
}

/// Reads the document at `path`, or from standard input if that is `-`.
///
/// # Errors
/// The system's, or that of a malformed document.
fn read(path: &OsStr) -> io::Result<Document> {
    // PowerShell writes UTF-16
    let (reader, _) = decode_text(Box::new(open_or_stdin(path)?.take(2 * MAX_DOCUMENT_BYTES)))?;
    let mut text = Vec::new();
    reader.take(MAX_DOCUMENT_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_DOCUMENT_BYTES {
        return Err(io::Error::other("too long for the description of an object"));
    }
    Document::parse(&text).map_err(io::Error::other)
}

/// Compares the file at `path` with `document`, and reports on it. `sizes` are those of parts, where the user
/// knows them.
///
/// # Errors
/// Those of output.
fn check(
    engine: &Engine,
    (document, list): (&Document, &OsStr),
    path: &OsStr,
    sizes: &[(S3Checksum, usize)],
    ignore_missing: bool,
    (console, shown): (&Console, VerdictOptions),
) -> io::Result<ExitState> {
    let mut verdicts = Verdicts::new(console, shown);
    let (name, list) = (system::bytes(path), system::bytes(list));
    for key in document.unknown() {
        verdicts.say_about(&list, format!("{key} is unknown, and not compared"))?;
    }
    let verified = match verify(engine, document, path, sizes) {
        Ok(verified) => verified,
        Err(error) if ignore_missing && error.kind() == io::ErrorKind::NotFound => {
            verdicts.say_about(&list, "no file was verified")?;
            return Ok(ExitState::Differs);
        }
        Err(error) => {
            verdicts.report_error(&name, &error)?;
            verdicts.print(Verdict::Unreadable, &name, || Details {
                error: Some(&error),
                ..Details::default()
            })?;
            return verdicts.finish(KINDS);
        }
    };
    if let Some(len) = verified.other_length {
        let size = document.size().unwrap_or_default();
        let why = format!("{len} bytes instead of {size}");
        verdicts.report_error(&name, &io::Error::other(why))?;
    }
    let verdict = match verified.verdict() {
        s3::Verdict::Ok => Verdict::Ok,
        s3::Verdict::Failed => Verdict::Failed,
        s3::Verdict::Unknown => Verdict::Unknown,
    };
    if verdict == Verdict::Ok {
        let right = verified.checked.iter().filter(|it| it.verdict == s3::Verdict::Ok);
        verdicts.count_if_weak(right.map(|checked| checked.algorithm.strength()));
    }
    verdicts.print(verdict, &name, || details(&verified))?;
    let ended = verdicts.finish(KINDS)?;
    match verdict {
        _ if shown.status => {}
        Verdict::Failed => verdicts.say("WARNING: 1 file did NOT match")?,
        Verdict::Unknown => verdicts.say_about(&list, hint(document))?,
        _ => {}
    }
    Ok(ended)
}

/// The kinds of verdicts on objects.
const KINDS: &[Verdict] = &[Verdict::Ok, Verdict::Failed, Verdict::Unreadable, Verdict::Unknown];

fn verify(
    engine: &Engine,
    document: &Document,
    path: &OsStr,
    sizes: &[(S3Checksum, usize)],
) -> io::Result<VerifiedObject> {
    let stat = match path == "-" {
        true => system::stat_stdin(),
        false => system::stat(&system::bytes(path)),
    };
    let is_file = |stat: &system::Stat| stat.kind == system::FileKind::File;
    // a part of standard input may have been read already
    let len = stat.ok().filter(|stat| path != "-" && is_file(stat)).map(|stat| stat.size);
    document.verify(engine, open_or_stdin(path)?, len, sizes)
}

/// The details of the checksum that decides.
fn details(verified: &VerifiedObject) -> Details<'static> {
    let deciding = |checked: &&s3::VerifiedChecksum| checked.verdict == verified.verdict();
    let Some(checked) = verified.checked.iter().find(deciding) else { return Details::default() };
    Details {
        algorithm: Some(checked.algorithm.to_string()),
        expected: Some(checked.expected.clone()),
        found: checked.found.clone(),
        ..Details::default()
    }
}

/// A hint at the option, or at the document, with which there would be a verdict.
fn hint(document: &Document) -> String {
    match document.checksums().next() {
        Some(checksum) => format!(
            "nothing tells how long parts are, and no usual size fits; -a does, as in s3-{checksum}:5M"
        ),
        None => "no known checksum; head-object prints them with --checksum-mode ENABLED".into(),
    }
}
