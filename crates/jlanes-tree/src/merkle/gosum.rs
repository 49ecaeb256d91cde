//! Go's directory hash `h1:`, as in `go.sum`: SHA-256 of a sorted list of SHA-256 lines.

use core::fmt::Write;

use alloc::{format, string::String, vec, vec::Vec};

use digest::array::Array;
use jlanes_core::{hash::Output, hashes::sha2::Sha256};
use jlanes_simd::Backend;

use super::{Error, NodeFunction, base64, hash};

/// Go's directory hash `h1:` of files, given as names and contents; the order does not matter.
///
/// # Errors
/// [`Error::Name`] for a name with a newline, which Go refuses too.
pub fn go_h1(files: &[(&str, &[u8])]) -> Result<String, Error> {
    let mut digests = vec![Output::<Sha256>::default(); files.len()];
    let function = NodeFunction::SHA256.on(Backend::detect());
    function.digest_with(&[], |i| [files[i].1], Array::slice_as_flattened_mut(&mut digests));
    let names = files.iter().map(|(name, _)| *name);
    go_h1_of_digests(names.zip(digests))
}

/// [`go_h1`] of files that are already hashed.
///
/// # Errors
/// As [`go_h1`].
pub fn go_h1_of_digests<'n>(
    files: impl IntoIterator<Item = (&'n str, Output<Sha256>)>,
) -> Result<String, Error> {
    let mut files: Vec<(&str, [u8; 32])> =
        files.into_iter().map(|(name, digest)| (name, digest.into())).collect();
    if files.iter().any(|(name, _)| name.contains('\n')) {
        return Err(Error::Name);
    }
    files.sort_by_key(|(name, _)| *name);
    let mut list = String::new();
    for (name, digest) in files {
        for byte in digest {
            write!(list, "{byte:02x}").expect("a string takes any text");
        }
        list.extend(["  ", name, "\n"]);
    }
    let digest = hash(&NodeFunction::SHA256.on(Backend::detect()), [list.as_bytes()]);
    Ok(format!("h1:{}", base64::encode(&digest)))
}
