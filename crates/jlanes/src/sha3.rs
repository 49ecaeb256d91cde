//! SHA-3, SHAKE and related functions over Keccak's permutation.
//!
//! The hashers have the traits of RustCrypto's crates `sha3`, `shake`, `turboshake` and `cshake`:
//! [`Digest`](crate::Digest) for a fixed output length,
//! [`ExtendableOutput`](digest::ExtendableOutput) for any. Serialized states are compatible. [`Kmac`] has those of
//! a MAC, too.
//!
//! ```
//! use jlanes::{Digest, Sha3_256, Shake128};
//! use jlanes::digest::{ExtendableOutput, Update, XofReader};
//!
//! let digest = Sha3_256::digest(b"abc");
//! assert_eq!(digest[..4], [0x3a, 0x98, 0x5d, 0xa7]);
//!
//! let mut hasher = Shake128::default();
//! hasher.update(b"abc");
//! let mut reader = hasher.finalize_xof();
//! let (mut first, mut more) = ([0; 4], [0; 1000]);
//! reader.read(&mut first);
//! reader.read(&mut more);
//! assert_eq!(first, [0x58, 0x81, 0x09, 0x2d]);
//! ```
//!
//! [`Lanes`](crate::multi::Lanes) and [`Xofs`](crate::multi::Xofs)
//! do the same for many messages at once.

pub use jlanes_core::hashes::keccak::{
    Keccak,
    cshake::{CShake, Length},
    functions,
    hasher::Hasher,
    kmac::Kmac,
    sponge::Reader,
    tuple_hash::TupleHash,
};

use crate::Backend;

/// TurboSHAKE128 hasher (RFC 9861) with the domain separation byte `DOMAIN`, 0x01 to 0x7f.
pub type CTurboShake128<const DOMAIN: u8> = Hasher<functions::TurboShake128<DOMAIN>, Backend>;
/// TurboSHAKE256 hasher (RFC 9861) with the domain separation byte `DOMAIN`, 0x01 to 0x7f.
pub type CTurboShake256<const DOMAIN: u8> = Hasher<functions::TurboShake256<DOMAIN>, Backend>;
/// cSHAKE128 hasher (SP 800-185).
pub type CShake128 = CShake<functions::CShake128, Backend>;
/// cSHAKE256 hasher (SP 800-185).
pub type CShake256 = CShake<functions::CShake256, Backend>;

/// KMAC128 (SP 800-185), and KMACXOF128 by [`ExtendableOutput`](digest::ExtendableOutput). For many messages
/// use [`tags`](Kmac::tags), or [`tags_keyed`](Kmac::tags_keyed) with a key for each.
///
/// ```
/// use jlanes::{digest::{KeyInit, Mac}, sha3::Kmac128};
///
/// let mut mac = Kmac128::new_from_slice(b"a key of 16 byte")?;
/// mac.update(b"any message");
/// let tag = mac.finalize();
///
/// let mac = Kmac128::new_with_customization(b"a key of 16 byte", b"")?;
/// let mut tags = vec![Default::default(); 2];
/// mac.tags(&["any message", "another"], &mut tags);
/// assert_eq!(tag, tags[0].into());
/// # Ok::<(), jlanes::digest::InvalidLength>(())
/// ```
pub type Kmac128 = Kmac<functions::CShake128, Backend>;
/// KMAC256 (SP 800-185), and KMACXOF256.
pub type Kmac256 = Kmac<functions::CShake256, Backend>;
/// TupleHash128 (SP 800-185), and TupleHashXOF128 by [`finalize_xof`](TupleHash::finalize_xof).
///
/// ```
/// use jlanes::sha3::TupleHash128;
///
/// let digest = TupleHash128::digest(&["user", "name"]);
/// assert_ne!(digest, TupleHash128::digest(&["username", ""]));
///
/// let mut digests = vec![Default::default(); 2];
/// TupleHash128::new().digests(&[["user", "name"], ["username", ""]], &mut digests);
/// assert_eq!(digests[0], digest);
/// ```
pub type TupleHash128 = TupleHash<functions::CShake128, Backend>;
/// TupleHash256 (SP 800-185), and TupleHashXOF256.
pub type TupleHash256 = TupleHash<functions::CShake256, Backend>;

/// The output of [`Shake128`](crate::Shake128) and [`CShake128`].
pub type Shake128Reader = Reader<Keccak<21, 24>, Backend>;
/// The output of [`Shake256`](crate::Shake256) and [`CShake256`].
pub type Shake256Reader = Reader<Keccak<17, 24>, Backend>;
/// The output of [`TurboShake128`](crate::TurboShake128).
pub type TurboShake128Reader = Reader<Keccak<21, 12>, Backend>;
/// The output of [`TurboShake256`](crate::TurboShake256).
pub type TurboShake256Reader = Reader<Keccak<17, 12>, Backend>;
