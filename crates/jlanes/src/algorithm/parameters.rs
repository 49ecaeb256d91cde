//! Keys, salts and other values that change a digest, besides its algorithm.
//!
//! [`Parameters`] is the public face: its methods are those of a family of algorithms (`families`), so that a
//! program cannot name a value that its hash lacks. Below, all families share one record of optional values
//! (`values`), because the name of an algorithm, and so its family, may come at run time.

use alloc::vec::Vec;
use core::{fmt, marker::PhantomData, mem, ops::RangeInclusive};

use jlanes_core::wipe::Buffer;

#[cfg(doc)]
use super::Skein;
use super::{Algorithm, BaseHash, Kind};
#[cfg(doc)]
use crate::merkle::{DmVerity, FsVerity};

mod error;
mod families;
mod values;

pub use error::ParameterError;
pub(super) use values::Values;

/// Values besides the algorithm that change a digest, of a family `F` of algorithms, which has methods for its
/// values. [`Algorithm::with`] checks them.
///
/// `F` is one of [`Skein`], [`Blake2`](super::Blake2), [`Blake3`](super::Blake3), [`Xof`](super::Xof),
/// [`FsVerity`] and [`DmVerity`]. Without it, values may be of any algorithm: a [`Key`], or what
/// [`and`](Self::and) joins where the name of an algorithm comes at run time.
///
/// A method takes a value, or an option: `None` is as if the method had not been called. The default is no value
/// at all, which is what an algorithm's name alone means.
///
/// ```
/// use jlanes::{Algorithm, algorithm::{Parameters, Skein}};
///
/// let parameters = Parameters::<Skein>::new().key(b"key".to_vec()).nonce(b"nonce".to_vec());
/// assert!("skein512".parse::<Algorithm>()?.with(parameters.clone()).is_ok());
/// assert!("blake2b".parse::<Algorithm>()?.with(parameters).is_err());
/// # Ok::<(), jlanes::AlgorithmError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Parameters<F = ()> {
    pub(super) values: Values,
    family: PhantomData<fn() -> F>,
}

impl<F> From<Values> for Parameters<F> {
    fn from(values: Values) -> Self {
        Self { values, family: PhantomData }
    }
}

impl<F> Default for Parameters<F> {
    fn default() -> Self {
        Values::NONE.into()
    }
}

impl<F> Parameters<F> {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// These values, for an algorithm of any family.
    pub fn any(self) -> Parameters {
        self.values.into()
    }

    /// These values, and those of `other` that are absent here. A value that several families have, such as a
    /// salt, is the same for all of them.
    pub fn and<G>(self, other: Parameters<G>) -> Parameters {
        self.values.or(other.values).into()
    }

    fn set(mut self, set: impl FnOnce(&mut Values)) -> Self {
        set(&mut self.values);
        self
    }
}

/// A key, by its use.
#[derive(Clone, PartialEq, Eq)]
pub enum Key {
    /// For HMAC, of any length.
    Hmac(Vec<u8>),
    /// For the algorithm's own keyed mode. [`Algorithm::key_sizes`] are the possible lengths.
    Own(Vec<u8>),
}

/// With the feature `zeroize`, wipes the key.
impl Drop for Key {
    fn drop(&mut self) {
        let (Self::Hmac(key) | Self::Own(key)) = self;
        drop(Buffer::from(mem::take(key)));
    }
}

/// Formats the kind of key, never its bytes.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hmac(_) => "Hmac(..)",
            Self::Own(_) => "Own(..)",
        })
    }
}

/// The key alone.
impl From<Key> for Parameters {
    fn from(key: Key) -> Self {
        Self::new().set(|it| it.key = Some(key))
    }
}

impl Algorithm {
    /// The lengths of keys in bytes for the algorithm's own keyed mode; `None` if it has none.
    #[must_use]
    pub fn key_sizes(self) -> Option<RangeInclusive<usize>> {
        match self.kind() {
            Kind::Hash(BaseHash::Skein(_)) | Kind::SkeinTree(..) => Some(1..=usize::MAX),
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) if xof.is_mac() => Some(1..=usize::MAX),
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => Some(1..=blake2.word.max_size()),
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => Some(
                jlanes_core::hashes::blake3::KEY_BYTES..=jlanes_core::hashes::blake3::KEY_BYTES,
            ),
            _ => None,
        }
    }

    /// Whether the algorithm is a MAC, which is nothing without a key.
    #[must_use]
    pub fn needs_key(self) -> bool {
        match self.kind() {
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => xof.is_mac(),
            _ => false,
        }
    }
}
