//! Computations over an object: a digest, or a checksum.

use jlanes::{AlgorithmError, Backend};
pub(crate) use jlanes_files::Computation;

/// The computation of this name, if it has a digest for every object.
pub(crate) fn parse(name: &str) -> Result<Computation, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("'{name}': {error}");
    let computation: Computation = name.parse().map_err(|error| wrong(&error))?;
    match &computation {
        Computation::Digest(hash) => match hash.hasher_on(Backend::detect()) {
            Ok(_) => Ok(computation),
            Err(error) => Err(wrong(&error)),
        },
        Computation::Checksum(checksum) if checksum.is_listed() => Ok(computation),
        Computation::Checksum(_) | Computation::Directory(_) => {
            Err(wrong(&AlgorithmError::Unknown))
        }
    }
}
