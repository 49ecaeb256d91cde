//! From the command line to the options that digests depend on.

use std::{
    ffi::{OsStr, OsString},
    io::Read,
};

use jlanes::Algorithm;

use super::{Misuse, usage};
use crate::{
    args::Args,
    files::open_or_stdin,
    hash::method::{Options, Secret, SkeinArguments},
    report::reason,
};

/// Bytes of the longest key that is read: whatever is longer is no key, but a wrong file.
const LONGEST_KEY: u64 = 1 << 20;

/// Reads the options, and the key.
pub(super) fn read(args: &mut Args) -> Result<Options, Misuse> {
    let secret = match (args.hmac_key_file.take(), args.key_file.take()) {
        (Some(_), Some(_)) => return usage("--hmac-key-file and --key-file exclude each other"),
        (Some(path), None) => Some(Secret::Hmac(key(&path, args)?)),
        (None, Some(path)) => Some(Secret::Skein(key(&path, args)?)),
        (None, None) => None,
    };
    let hex = |option: &str, text: &Option<OsString>| match text {
        None => Ok(None),
        Some(text) => bytes(text).map(Some).ok_or_else(|| {
            let text = text.display();
            Misuse::Value(format!("{option}: '{text}' is no hexadecimal number of whole bytes"))
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
        options.check(*algorithm).map_err(|error| Misuse::Value(error.to_string()))?;
        Ok(options.complete(*algorithm))
    };
    algorithms.iter().map(complete).collect()
}

fn bytes(text: &OsStr) -> Option<Vec<u8>> {
    hex::decode(text.as_encoded_bytes()).ok()
}

/// The bytes of the file `path`, exactly.
fn key(path: &OsStr, args: &Args) -> Result<Vec<u8>, Misuse> {
    let stdin = OsStr::new("-");
    let mut lists = args.files0_from.iter().chain(&args.files_from).chain(&args.audit).peekable();
    let by_default = args.files.is_empty() && lists.peek().is_none();
    if path == stdin && (by_default || lists.chain(&args.files).any(|file| file == stdin)) {
        return usage("standard input cannot be both the key and something else");
    }
    let mut key = Vec::new();
    open_or_stdin(path)
        .and_then(|source| source.take(LONGEST_KEY + 1).read_to_end(&mut key))
        .map_err(|error| Misuse::Value(format!("key {}: {}", path.display(), reason(&error))))?;
    if key.len() as u64 > LONGEST_KEY {
        let path = path.display();
        return Err(Misuse::Value(format!("key {path}: longer than {LONGEST_KEY} bytes")));
    }
    Ok(key)
}
