//! KangarooTwelve.

use jlanes_core::hashes::keccak::{Keccak, hasher::Reader};

use crate::Backend;

/// KT128 (RFC 9861): a digest of 32 bytes, or an output of any length, with a security strength of
/// 128 bits.
///
/// ```
/// use jlanes::digest::{CustomizedInit, ExtendableOutput, XofReader};
/// use jlanes::{Digest, tree::Kt128};
///
/// let digest = Kt128::digest(b"");
/// assert_eq!(digest[..4], [0x1a, 0xc2, 0xd4, 0x50]);
///
/// let mut hasher = Kt128::new_customized(b"my application");
/// Digest::update(&mut hasher, b"any message");
/// let mut out = [0; 100];
/// hasher.finalize_xof().read(&mut out);
/// ```
pub type Kt128 = jlanes_tree::kangaroo::Kt128<Backend>;
/// KT256 (RFC 9861): a digest of 64 bytes, or an output of any length, with a security strength of
/// 256 bits.
pub type Kt256 = jlanes_tree::kangaroo::Kt256<Backend>;

/// The output of [`Kt128`].
pub type Kt128Reader = Reader<Keccak<21, 12>, Backend>;
/// The output of [`Kt256`].
pub type Kt256Reader = Reader<Keccak<17, 12>, Backend>;
