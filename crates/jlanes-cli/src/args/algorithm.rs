//! Which digests are wanted.

use std::fmt::Display;

use jlanes::{
    Algorithm,
    algorithm::{Hash, Kind},
};

use super::usage::Misuse;
use crate::{hash::Named, report::quote};

/// The names of algorithms, for people.
pub(super) const NAMES: &str = "\
Algorithms:
  sha1 sha224 sha256 sha384 sha512 sha512-224 sha512-256
  skein256 skein512 skein1024, with -BITS, -tree:YL.YF.YM or both behind
  jlanesJ-HASH, jpointers-HASH, with -raw behind for the paper's; HASH is of the above without a tree
  mh-sha1 mh-sha256 btv2 glacier dropbox s3-sha256:PART rfc6962-sha256:LEAF
  fsverity-sha256 fsverity-sha512, with -BLOCK; dmverity-sha1 dmverity-sha256 dmverity-sha512";

/// Bytes of the longest digest, which has to fit the memory.
const LONGEST: usize = 1 << 30;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Choice {
    /// Digest to compute [default: sha256]; may be repeated, or a list with commas
    #[arg(short, long = "algorithm", value_name = "SPEC", value_delimiter = ',')]
    pub(super) algorithm: Vec<String>,

    /// Digest length in bits, with --algorithm=sha2
    #[arg(short, long, value_name = "BITS")]
    pub(super) length: Option<String>,
}

impl Choice {
    /// Whether a family is named and its length left open, as with cksum's `-c -a sha2`.
    pub(super) fn is_any_sha2(&self) -> bool {
        self.length.is_none() && matches!(&self.algorithm[..], [name] if is_sha2(name))
    }

    /// What is named. `-a sha2 -l BITS` names one of the SHA-2 family, as in cksum.
    pub(super) fn named(&self) -> Result<Vec<Named>, Misuse> {
        let length = self.length()?;
        if length.is_some() && !self.algorithm.iter().any(|name| is_sha2(name)) {
            return Err(Misuse::value("--length is only supported with --algorithm sha2"));
        }
        self.algorithm.iter().map(|name| parse(name, length)).collect()
    }

    /// The digest's length, if one is asked for; 0 asks for none.
    fn length(&self) -> Result<Option<u32>, Misuse> {
        let Some(text) = &self.length else { return Ok(None) };
        match text.parse() {
            Ok(0) => Ok(None),
            Ok(bits) => Ok(Some(bits)),
            Err(_) => Err(Misuse::value(format!("invalid length: {}", quote::value(text)))),
        }
    }
}

fn parse(name: &str, length: Option<u32>) -> Result<Named, Misuse> {
    let name = match (is_sha2(name), length) {
        (false, _) => name.to_owned(),
        (true, Some(bits @ (224 | 256 | 384 | 512))) => format!("sha{bits}"),
        (true, Some(bits)) => {
            let message = format!("invalid length: '{bits}'; sha2 has 224, 256, 384 and 512");
            return Err(Misuse::value(message));
        }
        (true, None) => {
            let message = "--algorithm=sha2 requires specifying --length 224, 256, 384, or 512";
            return Err(Misuse::value(message));
        }
    };
    let wrong = |why: &dyn Display| {
        let name = quote::value(&name);
        Misuse::usage(format!("invalid argument {name} for '--algorithm': {why}"))
    };
    let named = Named::parse(&name).map_err(|error| wrong(&error))?;
    if named.algorithm().output_size() > LONGEST {
        return Err(wrong(&"the output is longer than a gibibyte"));
    }
    Ok(named)
}

fn is_sha2(name: &str) -> bool {
    name.eq_ignore_ascii_case("sha2")
}

/// Whether it is SHA-1 or SHA-2.
pub(super) fn is_sha(algorithm: Algorithm) -> bool {
    matches!(algorithm.kind(), Kind::Hash(Hash::Sha(_)))
}

#[cfg(test)]
mod tests {
    use crate::args::plan::testing::refused;

    #[test]
    fn a_length_needs_an_algorithm_that_has_several() {
        let needed = "--algorithm=sha2 requires specifying --length 224, 256, 384, or 512";
        for (args, message) in [
            (&["-l", "x", "f"][..], "invalid length: 'x'"),
            (&["-l", "256", "f"], "--length is only supported with --algorithm sha2"),
            (&["-a", "sha2", "-l", "0", "f"], needed),
            (&["-a", "sha2", "f"], needed),
            (
                &["-a", "sha2", "-l", "1", "f"],
                "invalid length: '1'; sha2 has 224, 256, 384 and 512",
            ),
        ] {
            assert_eq!(refused(args), message, "{args:?}");
        }
    }
}
