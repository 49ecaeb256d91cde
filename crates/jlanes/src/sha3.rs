//! SHA-3, SHAKE and related functions over Keccak's permutation.
//!
//! The hashers have the traits of RustCrypto's crates `sha3`, `shake`, `turboshake` and `cshake`:
//! [`Digest`](crate::Digest) for a fixed output length,
//! [`ExtendableOutput`](digest::ExtendableOutput) for any. Serialized states are compatible.
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
    Keccak, cshake::CShake, cursor::Reader, functions, hasher::Hasher,
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

/// The output of [`Shake128`](crate::Shake128) and [`CShake128`].
pub type Shake128Reader = Reader<Keccak<21, 24>, Backend>;
/// The output of [`Shake256`](crate::Shake256) and [`CShake256`].
pub type Shake256Reader = Reader<Keccak<17, 24>, Backend>;
/// The output of [`TurboShake128`](crate::TurboShake128).
pub type TurboShake128Reader = Reader<Keccak<21, 12>, Backend>;
/// The output of [`TurboShake256`](crate::TurboShake256).
pub type TurboShake256Reader = Reader<Keccak<17, 12>, Backend>;
