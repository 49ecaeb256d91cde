//! SHA-1 that detects collision attacks: the hasher's options and results.

use core::{error, fmt};

use digest::{
    Digest, Output,
    array::Array,
    block_api::{Buffer, CoreProxy, FixedOutputCore},
    consts::U20,
};
use jlanes_core::{
    hash::HashFunction,
    hashes::{
        hash_core::HashCore,
        sha1::checked::{self, FLAGS, FOUND, NO_DETECTION, NO_SAFE_HASH, UNFILTERED},
    },
};

use crate::{Backend, Sha1Checked};

/// The error for a message with a block of a collision attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collision {
    digest: Array<u8, U20>,
    safe: bool,
}

impl Collision {
    /// The digest that [`finalize`](Digest::finalize) returns for the message.
    #[must_use]
    pub fn digest(&self) -> &Array<u8, U20> {
        &self.digest
    }

    /// Whether this is the safe hash, which differs from SHA-1's digest and from that of the other
    /// message of the pair.
    #[must_use]
    pub fn is_safe_hash(&self) -> bool {
        self.safe
    }

    fn check(digest: Array<u8, U20>, flags: u32) -> Result<Array<u8, U20>, Self> {
        if flags & FOUND == 0 {
            return Ok(digest);
        }
        Err(Self { digest, safe: flags & NO_SAFE_HASH == 0 })
    }
}

/// The result from the output of [`Sha1WithFlags`](checked::Sha1WithFlags).
#[cfg(feature = "alloc")]
pub(crate) fn result(output: &[u8]) -> Result<Array<u8, U20>, Collision> {
    let (digest, flags) = output.split_last_chunk().expect("a digest and flags");
    let digest = digest.try_into().expect("a digest and flags");
    Collision::check(digest, u32::from_be_bytes(*flags))
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the message is part of a collision attack on SHA-1")
    }
}

impl error::Error for Collision {}

/// Options of [`Sha1Checked`], as in RustCrypto's crate `sha1-checked`.
///
/// ```
/// use jlanes::{Digest, Sha1, Sha1Checked};
///
/// // SHA-1's digest also for messages of an attack
/// let mut hasher = Sha1Checked::builder().safe_hash(false).build();
/// hasher.update(b"hello world");
/// assert_eq!(hasher.try_finalize(), Ok(Sha1::digest(b"hello world")));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sha1CheckedBuilder {
    flags: u32,
}

impl Sha1CheckedBuilder {
    fn with_flag(self, flag: u32, set: bool) -> Self {
        Self { flags: if set { self.flags | flag } else { self.flags & !flag } }
    }

    /// Whether to look for attacks; on by default.
    #[must_use]
    pub fn detect_collision(self, detect: bool) -> Self {
        self.with_flag(NO_DETECTION, !detect)
    }

    /// Whether to check only the attacks that the message's bits allow, which finds the same; on by
    /// default. Without it, hashing takes fifty times as long.
    #[must_use]
    pub fn use_ubc(self, filter: bool) -> Self {
        self.with_flag(UNFILTERED, !filter)
    }

    /// Whether a message of an attack gets another digest than SHA-1's; on by default.
    #[must_use]
    pub fn safe_hash(self, safe: bool) -> Self {
        self.with_flag(NO_SAFE_HASH, !safe)
    }

    /// The hasher with these options.
    #[must_use]
    pub fn build(self) -> Sha1Checked {
        let mut state = checked::Sha1Checked::start();
        state[FLAGS] = self.flags;
        Sha1Checked::compose(HashCore::starting_at(state), Buffer::<Core>::default())
    }
}

type Core = HashCore<checked::Sha1Checked, Backend>;

impl Sha1Checked {
    /// A hasher with other options. Hashers without options detect attacks and compute the safe
    /// hash of their messages.
    #[must_use]
    pub fn builder() -> Sha1CheckedBuilder {
        Sha1CheckedBuilder { flags: 0 }
    }

    /// SHA-1's digest of a message.
    ///
    /// ```
    /// use jlanes::{Digest, Sha1, Sha1Checked};
    ///
    /// assert_eq!(Sha1Checked::try_digest(b"hello world"), Ok(Sha1::digest(b"hello world")));
    /// ```
    ///
    /// # Errors
    /// If the message has a block of a collision attack.
    pub fn try_digest(data: impl AsRef<[u8]>) -> Result<Output<Self>, Collision> {
        Self::new_with_prefix(data).try_finalize()
    }

    /// SHA-1's digest of the message so far.
    ///
    /// # Errors
    /// If the message has a block of a collision attack.
    pub fn try_finalize(self) -> Result<Output<Self>, Collision> {
        let (mut core, mut buffer) = self.decompose();
        let mut digest = Output::<Self>::default();
        core.finalize_fixed_core(&mut buffer, &mut digest);
        Collision::check(digest, core.state()[FLAGS])
    }
}
