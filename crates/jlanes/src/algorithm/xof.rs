//! [`Xof`], the functions over Keccak with an output of any length, by name: SHAKE, KangarooTwelve,
//! ParallelHash, KMAC and TupleHash.

use alloc::{boxed::Box, vec};
use core::fmt;

use digest::XofReader;
use jlanes_core::{
    hashes::keccak::{
        Extendable,
        cshake::{Customizable, Length},
        functions::{CShake128, CShake256, Shake128, Shake256},
        hasher::Hasher,
        kmac::Kmac,
        tuple_hash::TupleHash,
    },
    kernel::HasKernels,
};
use jlanes_tree::{
    kangaroo::{Kt, Leaf128, Leaf256},
    parallel_hash::{LeafFunction, ParallelHash},
};

use super::{
    AnyHash, AnyHasher, Kind, Unsupported,
    dyn_hasher::{DynHasher, finalize_xof},
    parameters::Values,
};
use crate::{AlgorithmError, Backend};

/// A function over Keccak with an output length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Xof {
    pub(super) family: Family,
    pub(super) level: Level,
    pub(super) bytes: usize,
    /// Bytes of ParallelHash's blocks; 0 for the others.
    leaf: usize,
}

/// A construction over the sponge. Names in the standards have `XOF` if the length is not hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Family {
    Shake,
    Kt,
    ParallelHash(Length),
    Kmac(Length),
    TupleHash(Length),
}

/// The security strength in bits, which selects the sponge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Level {
    S128,
    S256,
}

impl Family {
    /// The names without the strength.
    const ALL: [(&str, Self); 8] = [
        ("shake", Self::Shake),
        ("kt", Self::Kt),
        ("parallelhash", Self::ParallelHash(Length::Fixed)),
        ("parallelhashxof", Self::ParallelHash(Length::Any)),
        ("kmac", Self::Kmac(Length::Fixed)),
        ("kmacxof", Self::Kmac(Length::Any)),
        ("tuplehash", Self::TupleHash(Length::Fixed)),
        ("tuplehashxof", Self::TupleHash(Length::Any)),
    ];

    fn name(self) -> &'static str {
        let own = Self::ALL.iter().find(|(_, family)| *family == self);
        own.expect("all families have a name").0
    }

    /// Whether the name includes a block length.
    fn has_blocks(self) -> bool {
        matches!(self, Self::ParallelHash(_))
    }
}

impl Xof {
    pub(super) fn is_shake(self) -> bool {
        self.family == Family::Shake
    }

    /// Whether it is a MAC, which needs a key.
    pub(super) fn is_mac(self) -> bool {
        matches!(self.family, Family::Kmac(_))
    }

    /// Whether it is TupleHash, of tuples and not of messages.
    #[must_use]
    pub fn is_of_tuples(self) -> bool {
        matches!(self.family, Family::TupleHash(_))
    }

    /// Bytes of ParallelHash's blocks; `None` for other functions.
    #[must_use]
    pub fn leaf_size(self) -> Option<usize> {
        self.family.has_blocks().then_some(self.leaf)
    }

    /// Bytes of a block of the sponge.
    pub(super) fn block_size(self) -> usize {
        match self.level {
            Level::S128 => 168,
            Level::S256 => 136,
        }
    }

    /// Bytes of the default output; `None` for SHAKE, where programs differ.
    fn default_bytes(self) -> Option<usize> {
        match (self.family, self.level) {
            (Family::Shake, _) => None,
            (_, Level::S128) => Some(32),
            (_, Level::S256) => Some(64),
        }
    }

    /// `shake128-BITS`, `kt128`, `kt128-BITS`, `parallelhash128:BLOCK` or
    /// `parallelhash128-BITS:BLOCK`; `None` for other names.
    pub(super) fn parse(name: &str) -> Option<Result<Self, AlgorithmError>> {
        let (name, leaf) = split(name, ':');
        let (name, bits) = split(name, '-');
        let name = if matches!(name, "k12" | "kangarootwelve") { "kt128" } else { name };
        let (name, level) = match name.strip_suffix("128") {
            Some(name) => (name, Level::S128),
            None => (name.strip_suffix("256")?, Level::S256),
        };
        let (_, family) = *Family::ALL.iter().find(|(known, _)| *known == name)?;
        let xof = Self { family, level, bytes: 0, leaf: 0 };
        let bytes = match bits {
            Some(bits) => super::parse::output_bytes(bits),
            None => xof.default_bytes().ok_or(AlgorithmError::Number),
        };
        let leaf = match leaf {
            None if family.has_blocks() => Err(AlgorithmError::Number),
            None => Ok(0),
            Some(leaf) if family.has_blocks() => super::parse::size(leaf),
            Some(_) => Err(AlgorithmError::Unknown),
        };
        Some(bytes.and_then(|bytes| Ok(Self { bytes, leaf: leaf?, ..xof })))
    }

    /// The hasher of a message; `None` for a MAC without a key, and for tuples.
    pub(super) fn hasher(self, values: &Values, backend: Backend) -> Option<Box<dyn AnyHasher>> {
        Some(match (self.family, self.level) {
            (Family::Shake, Level::S128) => self.shake::<Shake128>(backend),
            (Family::Shake, Level::S256) => self.shake::<Shake256>(backend),
            (Family::Kt, Level::S128) => self.kangaroo::<Leaf128>(values, backend),
            (Family::Kt, Level::S256) => self.kangaroo::<Leaf256>(values, backend),
            (Family::ParallelHash(length), Level::S128) => {
                self.parallel_hash::<Shake128>(length, values, backend)
            }
            (Family::ParallelHash(length), Level::S256) => {
                self.parallel_hash::<Shake256>(length, values, backend)
            }
            (Family::Kmac(length), Level::S128) => {
                self.boxed(kmac::<CShake128>(values, backend)?, kmac_output(length))
            }
            (Family::Kmac(length), Level::S256) => {
                self.boxed(kmac::<CShake256>(values, backend)?, kmac_output(length))
            }
            (Family::TupleHash(_), _) => return None,
        })
    }

    /// The digest of a tuple; `None` for functions of messages.
    fn tuple_digest(self, customization: &[u8], items: &[impl AsRef<[u8]>]) -> Option<Box<[u8]>> {
        let Family::TupleHash(length) = self.family else { return None };
        let mut out = vec![0; self.bytes].into_boxed_slice();
        match self.level {
            Level::S128 => tuple_hash::<CShake128>((length, customization), items, &mut out),
            Level::S256 => tuple_hash::<CShake256>((length, customization), items, &mut out),
        }
        Some(out)
    }

    fn shake<F: Extendable>(self, backend: Backend) -> Box<dyn AnyHasher>
    where
        Backend: HasKernels<F::Compression>,
    {
        self.boxed(Hasher::<F, _>::with_backend(backend), finalize_xof)
    }

    fn kangaroo<F: Extendable>(self, values: &Values, backend: Backend) -> Box<dyn AnyHasher>
    where
        Backend: HasKernels<F::Compression>,
    {
        self.boxed(Kt::<F, _>::with_backend(backend, values.customization()), finalize_xof)
    }

    fn parallel_hash<F: LeafFunction>(
        self,
        length: Length,
        values: &Values,
        backend: Backend,
    ) -> Box<dyn AnyHasher>
    where
        Backend: HasKernels<F::Compression>,
    {
        let hasher = ParallelHash::<F, _>::with_backend(backend, self.leaf, values.customization());
        let hasher = hasher.expect("parsing has checked the size");
        let finalize: fn(&mut _, u64, &mut [u8]) = match length {
            Length::Any => finalize_xof,
            Length::Fixed => |hasher, _, out| ParallelHash::finalize_into_slice_reset(hasher, out),
        };
        self.boxed(hasher, finalize)
    }

    fn boxed<H>(self, hasher: H, finalize: fn(&mut H, u64, &mut [u8])) -> Box<dyn AnyHasher>
    where
        DynHasher<H>: AnyHasher + 'static,
    {
        Box::new(DynHasher::new(hasher, self.bytes, finalize))
    }
}

/// KMAC with the parameters; `None` without a key.
pub(super) fn kmac<H: Customizable>(values: &Values, backend: Backend) -> Option<Kmac<H, Backend>>
where
    Backend: HasKernels<H::Compression>,
{
    Kmac::with_backend(backend, values.own_key()?, values.customization()).ok()
}

fn tuple_hash<H: Customizable>(
    (length, customization): (Length, &[u8]),
    items: &[impl AsRef<[u8]>],
    out: &mut [u8],
) where
    Backend: HasKernels<H::Compression>,
{
    let hasher = TupleHash::<H, _>::with_backend(Backend::detect(), customization).chain(items);
    match length {
        Length::Any => hasher.finalize_xof().read(out),
        Length::Fixed => hasher.finalize_into_slice(out),
    }
}

impl AnyHash {
    /// The digest of a tuple, under TupleHash.
    ///
    /// ```
    /// use jlanes::{Algorithm, algorithm::AnyHash, sha3::TupleHash128};
    ///
    /// let hash = AnyHash::from("tuplehash128".parse::<Algorithm>()?);
    /// let digest = hash.tuple_digest(&["user", "name"])?;
    /// assert_eq!(*digest, *TupleHash128::digest(&["user", "name"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// For all other algorithms.
    pub fn tuple_digest(&self, items: &[impl AsRef<[u8]>]) -> Result<Box<[u8]>, Unsupported> {
        let digest = match self.algorithm().kind() {
            Kind::Xof(xof) => xof.tuple_digest(self.values().customization(), items),
            _ => None,
        };
        digest.ok_or(Unsupported::Tuples(self.algorithm()))
    }
}

fn kmac_output<H: Customizable>(length: Length) -> fn(&mut Kmac<H, Backend>, u64, &mut [u8])
where
    Backend: HasKernels<H::Compression>,
{
    match length {
        Length::Any => finalize_xof,
        Length::Fixed => |hasher, _, out| hasher.finalize_into_slice_reset(out),
    }
}

/// The parts before and after the first `separator`, if any.
fn split(name: &str, separator: char) -> (&str, Option<&str>) {
    match name.split_once(separator) {
        Some((name, rest)) => (name, Some(rest)),
        None => (name, None),
    }
}

impl Xof {
    /// Writes the name.
    pub(super) fn fmt(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strength = match self.level {
            Level::S128 => 128,
            Level::S256 => 256,
        };
        write!(f, "{}{strength}", self.family.name())?;
        if self.default_bytes() != Some(self.bytes) {
            write!(f, "-{}", 8 * self.bytes as u64)?;
        }
        if self.family.has_blocks() { write!(f, ":{}", self.leaf) } else { Ok(()) }
    }
}

impl<F: Extendable> AnyHasher for DynHasher<Hasher<F, Backend>> where
    Backend: HasKernels<F::Compression>
{
}

impl<H: Customizable> AnyHasher for DynHasher<Kmac<H, Backend>> where
    Backend: HasKernels<H::Compression>
{
}

impl<F: Extendable> AnyHasher for DynHasher<Kt<F, Backend>>
where
    Backend: HasKernels<F::Compression>,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}

impl<F: LeafFunction> AnyHasher for DynHasher<ParallelHash<F, Backend>>
where
    Backend: HasKernels<F::Compression>,
{
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        jlanes_tree::ParUpdate::par_update(&mut self.hasher, data);
    }
}
