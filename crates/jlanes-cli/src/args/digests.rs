//! [`DigestOptions`], the options with parameters of digests besides the algorithm: block sizes, salts, keys, and
//! the file for dm-verity's hash tree.
//!
//! An algorithm takes a parameter from its name or from an option. [`GivenParameters`] has the options' values, which
//! [`ComputationName::computation`] joins with each name. An option that no algorithm uses is an error, as it would otherwise
//! change nothing unnoticed. An error of values does not say which option is wrong, so the options are tried one by
//! one, and the first that fails alone is named.

use std::{
    ffi::{OsStr, OsString},
    io::Read,
    ops::RangeInclusive,
    slice,
};

use jlanes::{
    algorithm::{Blake3, Key, Kind, ParameterError, Parameters, Skein, Xof},
    merkle::{DmVerity, Version},
};
use jlanes_files::{Computation, lists::normalized_path};

use super::{
    Args,
    usage::{EarlyExit, usage},
    values::size,
};
use crate::{
    files::open_or_stdin,
    hash::{ComputationName, GivenOption, GivenParameters, Misfit},
    report::{quote, reason},
    system,
};

/// The maximum length of a key in bytes: a longer file was named by mistake.
const MAX_KEY_BYTES: u64 = 1 << 20;

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Digests")]
pub(super) struct DigestOptions {
    /// Block size of fs-verity, data block size of dm-verity [default: 4k]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    block_size: Option<usize>,

    /// Hash block size of dm-verity [default: the data block size]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    hash_block_size: Option<usize>,

    /// Salt of fs-verity or dm-verity
    #[arg(long, value_name = "HEX")]
    salt: Option<OsString>,

    /// Version of dm-verity [default: 1]
    #[arg(long, value_name = "0|1", value_parser = version)]
    dmverity_format: Option<Version>,

    /// Write the hash tree of dm-verity to OUT, without a superblock
    #[arg(long, value_name = "OUT")]
    #[arg(conflicts_with_all = ["dedupe", "dirhash", "torrent", "expect_json"])]
    pub(super) dmverity_tree: Option<OsString>,

    /// Print mh-sha1 and mh-sha256 in the byte order of memory, as ISA-L does
    #[arg(long)]
    isal_memory_order: bool,

    /// HMAC with the bytes of FILE as the key; - is standard input
    #[arg(long, value_name = "FILE")]
    hmac_key_file: Option<OsString>,

    /// Key of KMAC, Skein, BLAKE2 or BLAKE3: the bytes of FILE; - is standard input
    #[arg(long, value_name = "FILE")]
    key_file: Option<OsString>,

    /// Derive keys with BLAKE3 for the purpose that CONTEXT names
    #[arg(long, value_name = "CONTEXT")]
    pub(super) derive_key: Option<OsString>,

    /// Whether `b3sum --keyed` was given: the key is on standard input.
    #[arg(skip)]
    pub(super) keyed: bool,

    /// The value of `b3sum --seek`: the position in the output where the digest begins.
    #[arg(skip)]
    pub(super) seek: Option<u64>,

    /// Personalization of Skein. Here and below, an empty value differs from no value
    #[arg(long, value_name = "HEX")]
    personalization_hex: Option<OsString>,

    /// Public key of Skein
    #[arg(long, value_name = "HEX")]
    public_key_hex: Option<OsString>,

    /// Key identifier of Skein
    #[arg(long, value_name = "HEX")]
    key_id_hex: Option<OsString>,

    /// Nonce of Skein
    #[arg(long, value_name = "HEX")]
    nonce_hex: Option<OsString>,

    /// Customization string of KMAC, KangarooTwelve or ParallelHash
    #[arg(long, value_name = "HEX")]
    customization_hex: Option<OsString>,
}

fn version(text: &str) -> Result<Version, String> {
    match text {
        "0" => Ok(Version::V0),
        "1" => Ok(Version::V1),
        _ => Err("it is 0 or 1".to_owned()),
    }
}

impl DigestOptions {
    /// The options but for the key, as parameters.
    fn options(&self) -> Result<Vec<GivenOption>, EarlyExit> {
        let context = match &self.derive_key {
            Some(text) => Parameters::derive_key(text.to_str().ok_or_else(|| {
                EarlyExit::value(format!("--derive-key: {} is no UTF-8", quote::value(text)))
            })?)
            .any(),
            None => Parameters::new(),
        };
        let verity = Parameters::<DmVerity>::new;
        let skein = Parameters::<Skein>::new()
            .personalization(hex("--personalization-hex", &self.personalization_hex)?)
            .public_key(hex("--public-key-hex", &self.public_key_hex)?)
            .key_id(hex("--key-id-hex", &self.key_id_hex)?)
            .nonce(hex("--nonce-hex", &self.nonce_hex)?);
        let customization = hex("--customization-hex", &self.customization_hex)?;
        let xof = Parameters::<Xof>::new().customization(customization);
        let salt = verity().salt(hex("--salt", &self.salt)?);
        let block_size = verity().block_size(self.block_size);
        let hash_block_size = verity().hash_block_size(self.hash_block_size);
        let version = verity().version(self.dmverity_format);
        let memory_order = self.isal_memory_order.then(Parameters::memory_order);
        let seek = Parameters::<Blake3>::new().seek(self.seek);
        let options = [
            ("--customization-hex", xof.any(), "needs KMAC, KangarooTwelve or ParallelHash"),
            ("Skein's arguments", skein.any(), "need Skein"),
            ("--salt", salt.any(), "needs fsverity or dmverity"),
            ("--block-size", block_size.any(), "needs fsverity or dmverity"),
            ("--hash-block-size", hash_block_size.any(), "needs dmverity"),
            ("--derive-key", context, "needs blake3"),
            ("--dmverity-format", version.any(), "needs dmverity"),
            ("--isal-memory-order", memory_order.unwrap_or_default(), "needs mh-sha1 or mh-sha256"),
            ("--seek", seek.any(), "needs blake3"),
        ];
        Ok(options.map(|(name, value, needs)| GivenOption { name, value, needs }).into())
    }
}

impl Args {
    /// The parameters, with the key read from its file.
    pub(super) fn parameters(&mut self) -> Result<GivenParameters, EarlyExit> {
        let (key_option, key) = match self.key()? {
            Some((option, key)) => (option, Some(key)),
            None => ("", None),
        };
        if key.is_some() && self.digests.derive_key.is_some() {
            return usage("a key and --derive-key exclude each other");
        }
        Ok(GivenParameters { key, key_option, options: self.digests.options()? })
    }

    /// The key with the option that names its file.
    fn key(&mut self) -> Result<Option<(&'static str, Key)>, EarlyExit> {
        let both = self.reads_stdin();
        let args = &mut self.digests;
        let stdin = args.keyed.then(|| "-".into());
        let files = [
            ("--hmac-key-file", args.hmac_key_file.take(), Key::Hmac as fn(_) -> _),
            ("--key-file", args.key_file.take(), Key::Own),
            ("--keyed", stdin, Key::Own),
        ];
        let mut given =
            files.into_iter().filter_map(|(option, file, key)| Some((option, file?, key)));
        match (given.next(), given.next()) {
            (Some((one, ..)), Some((other, ..))) => {
                usage(format!("{one} and {other} exclude each other"))
            }
            (Some((option, path, of)), None) => Ok(Some((option, of(key(option, &path, both)?)))),
            (None, _) => Ok(None),
        }
    }

    /// The computations of `named` with the options, once the hash tree of dm-verity has a valid
    /// destination.
    pub(super) fn computations(
        &self,
        given: &GivenParameters,
        named: &[ComputationName],
    ) -> Result<Vec<Computation>, EarlyExit> {
        let computations = computations(given, named)?;
        self.refuse_tree(&computations)?;
        Ok(computations)
    }

    /// Refuses a hash tree without dm-verity, or with a wrong destination.
    fn refuse_tree(&self, computations: &[Computation]) -> Result<(), EarlyExit> {
        let Some(tree) = &self.digests.dmverity_tree else { return Ok(()) };
        if !computations.iter().any(|it| matches!(it.kind(), Some(Kind::DmVerity(_)))) {
            return usage("--dmverity-tree needs dmverity");
        }
        self.refuse_destination("--dmverity-tree", tree, computations)
    }

    /// Refuses the destination `tree` of nodes if several digests would write it, or if it would
    /// overwrite an input.
    pub(super) fn refuse_destination(
        &self,
        option: &str,
        tree: &OsString,
        computations: &[Computation],
    ) -> Result<(), EarlyExit> {
        if tree == "-" {
            let what = "is standard output, which has the digest; a file of that name is './-'";
            return usage(format!("{option}: '-' {what}"));
        }
        let listed = self.walking.lists().next().is_some();
        if listed || self.files.len() > 1 || self.recursive || computations.len() > 1 {
            return usage(format!("{option} is for one file and one algorithm"));
        }
        let stat = |name: &OsString| system::stat(&system::bytes(name));
        let identity = |name: &OsString| stat(name).map(|stat| stat.identity).ok();
        let is_tree = |list: &OsString| {
            normalized_path(&system::bytes(list)) == normalized_path(&system::bytes(tree))
                || identity(list).is_some_and(|list| identity(tree) == Some(list))
        };
        if self.output.output.iter().chain(&self.output.update).any(is_tree) {
            return usage(format!("{option} would overwrite the list"));
        }
        let hashed = match self.files.first() {
            Some(file) if file != "-" => stat(file),
            _ => system::stat_stdin(),
        };
        match (stat(tree), hashed) {
            (Ok(tree), Ok(hashed)) if tree.identity == hashed.identity => {
                usage(format!("{option} would overwrite the file that is hashed"))
            }
            _ => Ok(()),
        }
    }
}

/// The computations of `named` with the options. Every option must apply to one of them.
pub(super) fn computations(
    given: &GivenParameters,
    named: &[ComputationName],
) -> Result<Vec<Computation>, EarlyExit> {
    let one = |named: &ComputationName| {
        named.computation(given).map_err(|misfit| explain(misfit, named, given))
    };
    let computations = named.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    match unused(given, &computations) {
        None => Ok(computations),
        Some(message) => usage(message),
    }
}

/// The error for a name and options that do not fit together.
fn explain(misfit: Misfit, named: &ComputationName, given: &GivenParameters) -> EarlyExit {
    let (what, key) = (named.plain(), given.key_option);
    match misfit {
        Misfit::TakesNoHmacKey => {
            EarlyExit::usage(format!("{key} needs one of the SHA algorithms or BLAKE2"))
        }
        Misfit::TakesNoKey => {
            EarlyExit::usage(format!("{key} needs KMAC, Skein, BLAKE2 or BLAKE3"))
        }
        Misfit::NeedsKey => {
            let option = if named.is_hmac() { "--hmac-key-file" } else { "--key-file" };
            EarlyExit::usage(format!("the algorithm needs a key, from {option}"))
        }
        Misfit::Contradiction => {
            EarlyExit::usage(format!("the options differ from what the name of {what} says"))
        }
        Misfit::Parameter => {
            EarlyExit::usage(format!("the name has a parameter that {what} does not have"))
        }
        Misfit::Parameters(ParameterError::KeySize { algorithm, .. }) => {
            let sizes = algorithm.key_sizes().map(RangeInclusive::into_inner);
            let (min, max) = sizes.unwrap_or_default();
            let most = if min < max { "at most " } else { "" };
            EarlyExit::value(format!("{key}: the key of {what} has {most}{max} bytes"))
        }
        Misfit::Parameters(error) => {
            let fails = |options: &[GivenOption]| {
                named.computation(&given.with_only(options)) == Err(misfit)
            };
            let options = if fails(&[]) { &[] } else { &given.options[..] };
            let at_fault = match options.iter().find(|option| fails(slice::from_ref(option))) {
                Some(option) => option.name.to_owned(),
                None => format!("the name of {what}"),
            };
            EarlyExit::value(format!("{at_fault}: {error}"))
        }
    }
}

/// The error for the first option that none of `computations` uses.
fn unused(given: &GivenParameters, computations: &[Computation]) -> Option<String> {
    let algorithms: Vec<_> = computations.iter().filter_map(Computation::algorithm).collect();
    let is_unused = |option: &&GivenOption| {
        option.value != Parameters::new() && !algorithms.iter().any(|it| option.applies_to(*it))
    };
    given.options.iter().find(is_unused).map(|option| format!("{} {}", option.name, option.needs))
}

/// The bytes that the value of `option` writes in hexadecimal, if there is one.
fn hex(option: &str, text: &Option<OsString>) -> Result<Option<Vec<u8>>, EarlyExit> {
    let Some(text) = text else { return Ok(None) };
    hex::decode(text.as_encoded_bytes()).map(Some).map_err(|_| {
        let text = quote::value(text);
        EarlyExit::value(format!("{option}: {text} is no hexadecimal number of whole bytes"))
    })
}

/// The bytes of the key file `path`, unchanged. `both` means that a message comes from standard input,
/// too, which is an error.
fn key(option: &str, path: &OsStr, both: bool) -> Result<Vec<u8>, EarlyExit> {
    if path == "-" && both {
        return usage("standard input cannot be both the key and something else");
    }
    let wrong = |why: &str| EarlyExit::value(format!("{option}: {}: {why}", quote::value(path)));
    let mut key = Vec::new();
    open_or_stdin(path)
        .and_then(|source| source.take(MAX_KEY_BYTES + 1).read_to_end(&mut key))
        .map_err(|error| wrong(&reason(&error)))?;
    match key.len() as u64 {
        // anybody can compute digests with an empty key
        0 => Err(wrong("the key is empty")),
        len if len > MAX_KEY_BYTES => Err(wrong(&format!("longer than {MAX_KEY_BYTES} bytes"))),
        _ => Ok(key),
    }
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::refused;

    #[test]
    fn an_error_of_a_value_names_its_option() {
        let long = format!("--salt={}", "00".repeat(257));
        let good =
            ["--block-size=1024", "--hash-block-size=512", "--salt=00", "--dmverity-format=0"];
        for bad in ["--block-size=1000", "--hash-block-size=1000", &long] {
            let (option, _) = bad.split_once('=').unwrap();
            let others = good.into_iter().filter(|other| !other.starts_with(option));
            let args: Vec<_> = ["-admverity-sha1", bad, "f"].into_iter().chain(others).collect();
            let message = refused(&args);
            assert!(message.starts_with(&format!("{option}: ")), "{message}");
        }
        let message = refused(&["-admverity-sha1+hash-block=1000", "--block-size=512", "f"]);
        assert!(message.starts_with("the name of dmverity-sha1: block size 1000 "), "{message}");
    }

    #[test]
    fn a_hash_tree_is_of_a_whole_file() {
        let tree = ["-admverity-sha1", "--dmverity-tree=T", "f", "--dedupe"];
        assert_eq!(refused(&tree), "--dmverity-tree and --dedupe are mutually exclusive");
        let tree = ["--dmverity-tree=T", "f", "--dirhash=h1"];
        assert_eq!(refused(&tree), "--dmverity-tree and --dirhash are mutually exclusive");
    }
}
