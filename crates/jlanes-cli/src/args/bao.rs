//! `--outboard` and `--verify-range`: the nodes of BLAKE3's tree in a file of their own, in a layout of Bao or
//! iroh, and a range of bytes that is compared by them.
//!
//! The digest that `--expect` has is the root of this tree: a range and the nodes on its way to the root are enough
//! to compare it, and the rest of the file is not read. Other algorithms have no such tree, so both options
//! refuse them here, before a task begins.

use std::{
    ffi::{OsStr, OsString},
    ops::Range,
    sync::Arc,
};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jlanes::{
    Blake3,
    algorithm::{Key, Kind},
    bao::{Bao, Layout},
};
use jlanes_files::{Computation, lists::spelling};

use super::{
    Args,
    algorithm::WantedAlgorithms,
    expect::DigestReader,
    tool::ProgramName,
    usage::{EarlyExit, usage},
    values::Size,
};
use crate::{
    hash::GivenParameters,
    tasks::{
        Task,
        outboard::{MakeOutboard, VerifyRange},
    },
};

/// The layouts, by the names of their files' extensions.
const LAYOUTS: [(&str, Layout); 2] = [("bao", Layout::BAO), ("obao4", Layout::OBAO4)];

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Digests")]
pub(super) struct BaoOptions {
    /// Write the nodes of BLAKE3's tree to OUT, with -a blake3: a proof for every range of the file. With
    /// --verify-range, OUT is read
    #[arg(long, value_name = "OUT")]
    #[arg(conflicts_with_all = ["check", "audit", "update", "dedupe", "dirhash", "torrent"])]
    #[arg(conflicts_with_all = ["warn_changed", "hash_links"])]
    pub(super) outboard: Option<OsString>,

    /// Layout of OUT [default: bao, which has a node for every 1 KiB; obao4 is iroh's, for every 16 KiB]
    #[arg(long, value_name = "NAME", value_parser = layouts(), conflicts_with = "verify_range")]
    outboard_format: Option<Layout>,

    /// Compare bytes A to B of FILE, without B, with the BLAKE3 digest of the whole FILE that --expect has, by
    /// the nodes in --outboard; A.. goes to the end. The rest of FILE is not read, but for the end,
    /// which proves its length
    #[arg(long, value_name = "A..B", value_parser = range, help_heading = "Checking")]
    #[arg(conflicts_with_all = ["ignore_missing", "files_from", "files0_from"])]
    pub(super) verify_range: Option<Range<u64>>,
}

fn layouts() -> impl TypedValueParser<Value = Layout> {
    PossibleValuesParser::new(LAYOUTS.map(|(name, _)| name)).try_map(|name| {
        let known = LAYOUTS.iter().find(|(known, _)| *known == name);
        known.map(|(_, layout)| *layout).ok_or("unknown")
    })
}

/// `A..B` or `A..`, each a number of bytes with an optional unit. The end of the latter is the largest number.
fn range(text: &str) -> Result<Range<u64>, String> {
    let (start, end) = text.split_once("..").ok_or("it is A..B or A..")?;
    let number = |text: &str| text.parse().map(|Size(bytes)| bytes);
    let start = number(start)?;
    let end = if end.is_empty() { u64::MAX } else { number(end)? };
    if start < end { Ok(start..end) } else { Err("the range is empty".to_owned()) }
}

/// BLAKE3's tree with the key or the context that is given. The context is UTF-8, or there are no parameters.
fn bao(given: &GivenParameters, context: Option<&OsStr>) -> Bao {
    let key = given.key.as_ref().map(|key| match key {
        Key::Hmac(key) | Key::Own(key) => <&[u8; 32]>::try_from(&key[..]),
    });
    Bao::new(match (key, context.and_then(OsStr::to_str)) {
        (Some(Ok(key)), _) => Blake3::new_keyed(key),
        (_, Some(context)) => Blake3::new_derive_key(context),
        (Some(Err(_)) | None, None) => Blake3::default(),
    })
}

/// Whether a digest is the root of BLAKE3's tree.
fn is_root(computation: &Computation) -> bool {
    matches!(computation.kind(), Some(Kind::Blake3(_))) && computation.bits() == 256
}

/// The task that writes an outboard.
pub(super) fn outboard_task(
    mut args: Args,
    called: &ProgramName,
    wanted: &WantedAlgorithms,
    given: &GivenParameters,
) -> Result<Task, EarlyExit> {
    if args.expecting.expect.is_some() {
        return usage("--outboard with --expect needs --verify-range");
    }
    let out = args.outboards.outboard.take().unwrap_or_default();
    let computations = args.computations(given, wanted.named())?;
    if !computations.iter().any(is_root) {
        return usage("--outboard needs -a blake3");
    }
    args.refuse_destination("--outboard", &out, &computations)?;
    let tagged = args.output.is_tagged(called, computations.len());
    Ok(Task::Outboard(MakeOutboard {
        bao: bao(given, args.digests.derive_key.as_deref()),
        layout: args.outboards.outboard_format.unwrap_or(Layout::BAO),
        out,
        form: args.output.form(&computations, tagged, args.files.len())?,
        rules: args.walking.rules(false, args.checking.reports_skipped())?,
        to: args.output.list_output(),
        operands: args.walking.operands(args.files)?,
        computations,
    }))
}

/// The task that compares a range.
pub(super) fn range_task(
    mut args: Args,
    called: &ProgramName,
    wanted: &WantedAlgorithms,
    given: Arc<GivenParameters>,
) -> Result<Task, EarlyExit> {
    let (Some(text), Some(outboard)) =
        (args.expecting.expect.take(), args.outboards.outboard.take())
    else {
        return usage("--verify-range needs --outboard, and --expect with the digest of the file");
    };
    let text = text.to_string_lossy();
    let text = text.trim_ascii();
    // without a name, 256 bits are BLAKE3's
    let word = text.split_ascii_whitespace().next().unwrap_or_default();
    let is_bare = spelling::split(word).0.is_none() && spelling::bits_of(word.as_bytes()) == 256;
    let name = if is_bare && matches!(wanted, WantedAlgorithms::Listed) { "blake3:" } else { "" };
    let text = format!("{name}{text}");
    let (expected, _) = DigestReader { args: &args, called, wanted, given: &given }.read(&text)?;
    let (computation, root) = match &expected.digests[..] {
        [(computation, root)] if is_root(computation) => (computation.clone(), root),
        _ => return usage("--verify-range needs a digest of BLAKE3, of 256 bits"),
    };
    let [name] = &args.files[..] else { return usage("--verify-range is for one file") };
    if [name, &outboard].iter().any(|path| *path == "-") {
        return usage("--verify-range: '-' has no ranges; a file of that name is './-'");
    }
    Ok(Task::Range(VerifyRange {
        bao: bao(&given, args.digests.derive_key.as_deref()),
        root: root[..].try_into().expect("a digest of 32 bytes"),
        computation,
        shown: args.checking.verdict_options(called, &args.output),
        name: name.clone(),
        outboard,
        range: args.outboards.verify_range.unwrap_or_default(),
    }))
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::{planned_as, refused};

    #[test]
    fn combinations_without_meaning_are_refused() {
        let digest = "0a".repeat(32);
        for (args, expected) in [
            (&["--outboard", "o", "f"][..], "--outboard needs -a blake3"),
            (&["-ablake3-512", "--outboard", "o", "f"], "--outboard needs -a blake3"),
            (&["-ablake3", "--outboard", "-", "f"], "--outboard: '-' is standard output"),
            (&["-ablake3", "--outboard", "o", "f", "g"], "--outboard is for one file"),
            (&["-ablake3,md5", "--outboard", "o", "f"], "--outboard is for one file"),
            (&["--outboard", "o", "--expect", &digest, "f"], "--outboard with --expect needs"),
            (&["--verify-range", "0..1", "f"], "--verify-range needs --outboard, and --expect"),
            (&["--verify-range", "1..1", "f"], "--verify-range: invalid value '1..1'"),
            (&["--verify-range", "1-2", "f"], "--verify-range: invalid value '1-2'"),
            (&["--outboard", "o", "-c", "f"], "--outboard and --check are mutually exclusive"),
            (&["--outboard-format", "x", "f"], "invalid argument 'x' for '--outboard-format'"),
        ] {
            let message = refused(args);
            assert!(message.starts_with(expected), "{args:?}: {message}");
        }
    }

    #[test]
    fn the_digest_of_a_range_is_blake3s() {
        let digest = "0a".repeat(32);
        let spelled =
            [digest.clone(), format!("blake3:{digest}"), format!("BLAKE3 (f) = {digest}")];
        let proof = ["--verify-range", "1k..", "--outboard", "o", "f", "--expect"];
        for digest in &spelled {
            planned_as("jlanes-sum", &[&proof[..], &[digest]].concat());
        }
        planned_as("jlanes-sum", &[&proof[..], &[&digest, "-a", "blake3"]].concat());
        for other in [&[&*format!("sha256:{digest}")][..], &[&digest, "-a", "sha256"]] {
            let message = refused(&[&proof, other].concat());
            assert!(message.starts_with("--verify-range needs a digest of BLAKE3"), "{message}");
        }
        let message = refused(&[&proof[..], &[&digest, "g"]].concat());
        assert_eq!(message, "--verify-range is for one file");
    }
}
