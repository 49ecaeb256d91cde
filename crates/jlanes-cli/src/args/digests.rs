//! What digests depend on besides their algorithm: blocks, salts and keys.

use std::{
    ffi::{OsStr, OsString},
    io::Read,
};

use jlanes::{Algorithm, merkle::Version};
use rustix::{
    fs::{Stat, fstat, stat},
    stdio::stdin,
};

use super::{
    Args,
    usage::{Misuse, usage},
};
use crate::{
    files::open_or_stdin,
    hash::{Options, Secret, SkeinArguments},
    report::reason,
};

/// Bytes of the longest key that is read: whatever is longer is no key, but a wrong file.
const LONGEST_KEY: u64 = 1 << 20;

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Digests")]
pub(super) struct Digests {
    /// fs-verity's block, dm-verity's data block [default: 4096]
    #[arg(long, value_name = "BYTES")]
    block_size: Option<usize>,

    /// dm-verity's hash block [default: as the data block]
    #[arg(long, value_name = "BYTES")]
    hash_block_size: Option<usize>,

    /// fs-verity's or dm-verity's salt
    #[arg(long, value_name = "HEX")]
    salt: Option<OsString>,

    /// dm-verity's version [default: 1]
    #[arg(long, value_name = "0|1", value_parser = version)]
    dmverity_format: Option<Version>,

    /// Write dm-verity's hash tree to OUT, as for a device without a superblock
    #[arg(long, value_name = "OUT")]
    dmverity_tree: Option<OsString>,

    /// mh-sha1 and mh-sha256 with the bytes of each word as they lie in memory
    #[arg(long)]
    isal_memory_order: bool,

    /// HMAC with a SHA algorithm; the key is all bytes of FILE, - is standard input
    #[arg(long, value_name = "FILE")]
    hmac_key_file: Option<OsString>,

    /// Skein's key: all bytes of FILE, - is standard input
    #[arg(long, value_name = "FILE")]
    key_file: Option<OsString>,

    /// Skein's personalization; given but empty is not the same as none, here and below
    #[arg(long, value_name = "HEX")]
    personalization_hex: Option<OsString>,

    /// Skein's public key
    #[arg(long, value_name = "HEX")]
    public_key_hex: Option<OsString>,

    /// Skein's key identifier
    #[arg(long, value_name = "HEX")]
    key_id_hex: Option<OsString>,

    /// Skein's nonce
    #[arg(long, value_name = "HEX")]
    nonce_hex: Option<OsString>,
}

fn version(text: &str) -> Result<Version, String> {
    match text {
        "0" => Ok(Version::V0),
        "1" => Ok(Version::V1),
        _ => Err("0 or 1".to_owned()),
    }
}

impl Args {
    /// The options that digests depend on, with the key from its file.
    pub(super) fn options(&mut self) -> Result<Options, Misuse> {
        let both = self.reads_stdin();
        let args = &mut self.digests;
        let secret = match (args.hmac_key_file.take(), args.key_file.take()) {
            (Some(_), Some(_)) => {
                return usage("--hmac-key-file and --key-file exclude each other");
            }
            (Some(path), None) => Some(Secret::Hmac(key(&path, both)?)),
            (None, Some(path)) => Some(Secret::Skein(key(&path, both)?)),
            (None, None) => None,
        };
        let hex = |option: &str, text: &Option<OsString>| match text {
            None => Ok(None),
            Some(text) => bytes(text).map(Some).ok_or_else(|| {
                let text = text.display();
                Misuse::value(format!("{option}: '{text}' is no hexadecimal number of whole bytes"))
            }),
        };
        Ok(Options {
            block_size: args.block_size,
            hash_block_size: args.hash_block_size,
            salt: hex("--salt", &args.salt)?,
            version: args.dmverity_format,
            tree: args.dmverity_tree.take(),
            memory_order: args.isal_memory_order,
            secret,
            skein: SkeinArguments {
                personalization: hex("--personalization-hex", &args.personalization_hex)?,
                public_key: hex("--public-key-hex", &args.public_key_hex)?,
                key_id: hex("--key-id-hex", &args.key_id_hex)?,
                nonce: hex("--nonce-hex", &args.nonce_hex)?,
            },
        })
    }

    /// Refuses a hash tree that could not be told from another, or would overwrite what is hashed.
    pub(super) fn refuse_tree(&self, tree: &OsStr, algorithms: usize) -> Result<(), Misuse> {
        let listed = self.walking.lists().next().is_some();
        if listed || self.files.len() > 1 || self.recursive || algorithms > 1 {
            return usage("--dmverity-tree is for one file and one algorithm");
        }
        let identity = |stat: Stat| (stat.st_dev, stat.st_ino);
        let hashed = match self.files.first() {
            Some(file) if file != "-" => stat(file),
            _ => fstat(stdin()),
        };
        match (stat(tree), hashed) {
            (Ok(tree), Ok(hashed)) if identity(tree) == identity(hashed) => {
                usage("--dmverity-tree would overwrite the file that is hashed")
            }
            _ => Ok(()),
        }
    }
}

/// `algorithms` with the options, if each option is about one of them and the formats have them.
pub(super) fn apply(options: &Options, algorithms: &[Algorithm]) -> Result<Vec<Algorithm>, Misuse> {
    let refused = algorithms.iter().find_map(|algorithm| options.refused_key(*algorithm));
    if let Some(message) = refused.or_else(|| options.idle(algorithms)) {
        return usage(message);
    }
    let complete = |algorithm: &Algorithm| {
        if options.contradicts(*algorithm) {
            return usage("--block-size differs from the block size in the algorithm's name");
        }
        options.check(*algorithm).map_err(|error| Misuse::value(error.to_string()))?;
        Ok(options.complete(*algorithm))
    };
    algorithms.iter().map(complete).collect()
}

fn bytes(text: &OsStr) -> Option<Vec<u8>> {
    hex::decode(text.as_encoded_bytes()).ok()
}

/// The bytes of the file `path`, exactly. Standard input is refused if it is asked for as `both`.
fn key(path: &OsStr, both: bool) -> Result<Vec<u8>, Misuse> {
    if path == "-" && both {
        return usage("standard input cannot be both the key and something else");
    }
    let mut key = Vec::new();
    open_or_stdin(path)
        .and_then(|source| source.take(LONGEST_KEY + 1).read_to_end(&mut key))
        .map_err(|error| Misuse::value(format!("key {}: {}", path.display(), reason(&error))))?;
    if key.len() as u64 > LONGEST_KEY {
        let path = path.display();
        return Err(Misuse::value(format!("key {path}: longer than {LONGEST_KEY} bytes")));
    }
    Ok(key)
}
