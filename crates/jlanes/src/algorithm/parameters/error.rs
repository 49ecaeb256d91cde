//! [`ParameterError`]: which parameter does not fit an algorithm.

use core::{error, fmt, ops::RangeInclusive};

use crate::{
    algorithm::{Algorithm, Unsupported},
    merkle,
};

/// The error of parameters that do not fit an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterError {
    /// HMAC is not defined for the algorithm.
    Hmac(Unsupported),
    /// The algorithm has no keyed mode.
    Key(Algorithm),
    /// The keyed mode does not take keys of this length.
    KeySize {
        /// The algorithm.
        algorithm: Algorithm,
        /// Bytes of the key.
        len: usize,
    },
    /// BLAKE2's salt or personalization is too long.
    TooLong(Algorithm),
    /// At least one of the parameters is for other algorithms.
    Unused(Algorithm),
    /// The block size differs from the one in the algorithm's name, or BLAKE3 has a key and a
    /// context.
    Contradiction(Algorithm),
    /// The format does not support the salt or the size of a block.
    Format(merkle::Error),
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hmac(error) => error.fmt(f),
            Self::Key(algorithm) => write!(f, "{algorithm} has no keyed mode"),
            Self::KeySize { algorithm, len } => {
                let sizes = algorithm.key_sizes().map(RangeInclusive::into_inner);
                let (min, max) = sizes.unwrap_or_default();
                write!(f, "{algorithm} takes a key of ")?;
                match max {
                    usize::MAX => f.write_str("at least one byte")?,
                    _ if min == max => write!(f, "{max} bytes")?,
                    _ => write!(f, "{min} to {max} bytes")?,
                }
                write!(f, ", not of {len}")
            }
            Self::TooLong(algorithm) => {
                write!(f, "a salt or personalization too long for {algorithm}")
            }
            Self::Unused(algorithm) => write!(f, "a parameter that {algorithm} does not have"),
            Self::Contradiction(algorithm) => {
                write!(f, "parameters of {algorithm} that contradict each other")
            }
            Self::Format(error) => error.fmt(f),
        }
    }
}

impl error::Error for ParameterError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Hmac(error) => Some(error),
            Self::Format(error) => Some(error),
            _ => None,
        }
    }
}
