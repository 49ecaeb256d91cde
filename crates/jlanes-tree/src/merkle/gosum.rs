//! Go's directory hash `h1:`, as in `go.sum`: SHA-256 of a sorted list of SHA-256 lines.

use core::fmt::Write;

use alloc::{format, string::String, vec, vec::Vec};

use digest::array::Array;
use jlanes_core::{
    batch::function::Function,
    engine::Engine,
    hash::{HashFunction, Output},
    hashes::sha2::Sha256,
};

use super::{Error, base64};
use crate::linear::Linear;

/// The hash of files, given as names and contents; the order does not matter.
///
/// # Errors
/// [`Error::Name`] for a name with a newline, which Go refuses too.
pub fn h1<E: Engine<<Sha256 as HashFunction>::Compression>>(
    engine: E,
    files: &[(&str, &[u8])],
) -> Result<String, Error> {
    let mut digests = vec![Output::<Sha256>::default(); files.len()];
    let function = Function::of::<Sha256, _>(engine);
    function.digest_with(&[], |i| [files[i].1], Array::slice_as_flattened_mut(&mut digests));
    let names = files.iter().map(|(name, _)| *name);
    h1_of_digests(engine, names.zip(digests))
}

/// [`h1`] of files that are already hashed.
///
/// # Errors
/// As [`h1`].
pub fn h1_of_digests<'n, E>(
    engine: E,
    files: impl IntoIterator<Item = (&'n str, Output<Sha256>)>,
) -> Result<String, Error>
where
    E: Engine<<Sha256 as HashFunction>::Compression>,
{
    let mut files: Vec<(&str, [u8; 32])> =
        files.into_iter().map(|(name, digest)| (name, digest.into())).collect();
    if files.iter().any(|(name, _)| name.contains('\n')) {
        return Err(Error::Name);
    }
    files.sort_by_key(|(name, _)| *name);
    let mut line = String::new();
    let mut list = Linear::<Sha256, E>::new(engine);
    for (name, digest) in files {
        line.clear();
        for byte in digest {
            write!(line, "{byte:02x}").expect("a string takes any text");
        }
        line.extend(["  ", name, "\n"]);
        list.update(line.as_bytes());
    }
    Ok(format!("h1:{}", base64::encode(&list.finish())))
}
