//! The parameters of digests besides the algorithm: blocks, salts, keys.

use std::{
    ffi::{OsStr, OsString},
    io::Read,
    ops::RangeInclusive,
};

use jlanes::{
    algorithm::{Blake3, Kind, ParameterError, Parameters, Skein, Xof},
    merkle::{self, DmVerity, Version},
};

use super::{
    Args,
    usage::{Misuse, usage},
    values::size,
};
use crate::{
    files::open_or_stdin,
    hash::{Computation, Given, GivenOption, Key, Misfit, Named},
    lists::plain,
    report::{quote, reason},
    system,
};

/// The maximum length of a key in bytes: a longer file was named by mistake.
const LONGEST_KEY: u64 = 1 << 20;

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Digests")]
pub(super) struct Digests {
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
    pub(super) dmverity_tree: Option<OsString>,

    /// Print mh-sha1 and mh-sha256 in the byte order of memory, as ISA-L does
    #[arg(long)]
    isal_memory_order: bool,

    /// HMAC with the bytes of FILE as the key; - is standard input
    #[arg(long, value_name = "FILE")]
    hmac_key_file: Option<OsString>,

    /// Key of KMAC, Skein, BLAKE2 or BLAKE3: the bytes of FILE; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) key_file: Option<OsString>,

    /// Derive keys with BLAKE3 for the purpose that CONTEXT names
    #[arg(long, value_name = "CONTEXT")]
    pub(super) derive_key: Option<OsString>,

    /// b3sum's.
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

impl Args {
    /// The parameters, with the key read from its file.
    pub(super) fn parameters(&mut self) -> Result<Given, Misuse> {
        let both = self.reads_stdin();
        let args = &mut self.digests;
        let secret = match (args.hmac_key_file.take(), args.key_file.take()) {
            (Some(_), Some(_)) => {
                return usage("--hmac-key-file and --key-file exclude each other");
            }
            (Some(path), None) => Some(Key::Hmac(key("--hmac-key-file", &path, both)?)),
            (None, Some(path)) => Some(Key::Own(key("--key-file", &path, both)?)),
            (None, None) => None,
        };
        let context = match &args.derive_key {
            Some(_) if secret.is_some() => {
                return usage("a key and --derive-key exclude each other");
            }
            Some(text) => Some(text.to_str().map(str::to_owned).ok_or_else(|| {
                Misuse::value(format!("--derive-key: {} is no UTF-8", quote::value(text)))
            })?),
            None => None,
        };
        let hex = |option: &str, text: &Option<OsString>| match text {
            None => Ok(None),
            Some(text) => bytes(text).map(Some).ok_or_else(|| {
                let text = quote::value(text);
                Misuse::value(format!("{option}: {text} is no hexadecimal number of whole bytes"))
            }),
        };
        let verity = Parameters::<DmVerity>::new;
        let skein = Parameters::<Skein>::new()
            .personalization(hex("--personalization-hex", &args.personalization_hex)?)
            .public_key(hex("--public-key-hex", &args.public_key_hex)?)
            .key_id(hex("--key-id-hex", &args.key_id_hex)?)
            .nonce(hex("--nonce-hex", &args.nonce_hex)?);
        let customization = hex("--customization-hex", &args.customization_hex)?;
        let salt = hex("--salt", &args.salt)?;
        let memory_order = args.isal_memory_order.then(Parameters::memory_order);
        let options = [
            (
                Parameters::<Xof>::new().customization(customization).any(),
                "--customization-hex needs KMAC, KangarooTwelve or ParallelHash",
            ),
            (skein.any(), "Skein's arguments need Skein"),
            (verity().salt(salt).any(), "--salt needs fsverity or dmverity"),
            (verity().block_size(args.block_size).any(), "--block-size needs fsverity or dmverity"),
            (
                verity().hash_block_size(args.hash_block_size).any(),
                "--hash-block-size needs dmverity",
            ),
            (
                context
                    .map_or_else(Parameters::new, |context| Parameters::derive_key(context).any()),
                "--derive-key needs blake3",
            ),
            (verity().version(args.dmverity_format).any(), "--dmverity-format needs dmverity"),
            (memory_order.unwrap_or_default(), "--isal-memory-order needs mh-sha1 or mh-sha256"),
            (Parameters::<Blake3>::new().seek(args.seek).any(), "--seek needs blake3"),
        ];
        let options = options.map(|(value, unused)| GivenOption { value, unused });
        Ok(Given { key: secret, options: options.into() })
    }

    /// The computations of `named` with the options, once the hash tree of dm-verity has a valid
    /// destination.
    pub(super) fn computations(
        &self,
        given: &Given,
        named: &[Named],
    ) -> Result<Vec<Computation>, Misuse> {
        let computations = computations(given, named)?;
        self.refuse_tree(&computations)?;
        Ok(computations)
    }

    /// Refuses a hash tree without dm-verity, or with a wrong destination.
    fn refuse_tree(&self, computations: &[Computation]) -> Result<(), Misuse> {
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
    ) -> Result<(), Misuse> {
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
            plain(&system::bytes(list)) == plain(&system::bytes(tree))
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
pub(super) fn computations(given: &Given, named: &[Named]) -> Result<Vec<Computation>, Misuse> {
    let one = |named: &Named| named.with(given).map_err(|misfit| explain(misfit, named));
    let computations = named.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    match unused(given, &computations) {
        None => Ok(computations),
        Some(message) => usage(message),
    }
}

/// The error for a name and options that do not fit together.
fn explain(misfit: Misfit, named: &Named) -> Misuse {
    let what = named.plain();
    match misfit {
        Misfit::Hmac => Misuse::usage("--hmac-key-file needs one of the SHA algorithms or BLAKE2"),
        Misfit::Key => Misuse::usage("--key-file needs KMAC, Skein, BLAKE2 or BLAKE3"),
        Misfit::NoKey => {
            let option = if named.is_hmac() { "--hmac-key-file" } else { "--key-file" };
            Misuse::usage(format!("the algorithm needs a key, from {option}"))
        }
        Misfit::Contradiction => {
            Misuse::usage(format!("the options differ from what the name of {what} says"))
        }
        Misfit::Parameter => {
            Misuse::usage(format!("the name has a parameter that {what} does not have"))
        }
        Misfit::Parameters(ParameterError::KeySize { algorithm, .. }) => {
            let sizes = algorithm.key_sizes().map(RangeInclusive::into_inner);
            let (min, max) = sizes.unwrap_or_default();
            let most = if min < max { "at most " } else { "" };
            Misuse::value(format!("--key-file: the key of {what} has {most}{max} bytes"))
        }
        Misfit::Parameters(error) => {
            let option = match error {
                ParameterError::Format(merkle::Error::SaltTooLong { .. }) => "--salt",
                _ => "--block-size",
            };
            Misuse::value(format!("{option}: {error}"))
        }
    }
}

/// The error for the first option that none of `computations` uses.
fn unused(given: &Given, computations: &[Computation]) -> Option<&'static str> {
    let algorithms: Vec<_> = computations.iter().filter_map(Computation::algorithm).collect();
    let is_unused = |option: &&GivenOption| {
        option.value != Parameters::new() && !algorithms.iter().any(|it| option.is_of(*it))
    };
    given.options.iter().find(is_unused).map(|option| option.unused)
}

fn bytes(text: &OsStr) -> Option<Vec<u8>> {
    hex::decode(text.as_encoded_bytes()).ok()
}

/// The bytes of the key file `path`, unchanged. `both` means that a message comes from standard input,
/// too, which is an error.
fn key(option: &str, path: &OsStr, both: bool) -> Result<Vec<u8>, Misuse> {
    if path == "-" && both {
        return usage("standard input cannot be both the key and something else");
    }
    let wrong = |why: &str| Misuse::value(format!("{option}: {}: {why}", quote::value(path)));
    let mut key = Vec::new();
    open_or_stdin(path)
        .and_then(|source| source.take(LONGEST_KEY + 1).read_to_end(&mut key))
        .map_err(|error| wrong(&reason(&error)))?;
    match key.len() as u64 {
        // anybody can compute digests with an empty key
        0 => Err(wrong("the key is empty")),
        len if len > LONGEST_KEY => Err(wrong(&format!("longer than {LONGEST_KEY} bytes"))),
        _ => Ok(key),
    }
}
