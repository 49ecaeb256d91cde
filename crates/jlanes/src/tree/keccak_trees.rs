//! The standard trees over Keccak, KangarooTwelve and ParallelHash.

use jlanes_core::hashes::keccak::{Keccak, sponge::Reader};
use jlanes_tree::{kangaroo, parallel_hash};

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
pub type Kt128 = kangaroo::Kt128<Backend>;
/// KT256 (RFC 9861): a digest of 64 bytes, or an output of any length, with a security strength of
/// 256 bits.
pub type Kt256 = kangaroo::Kt256<Backend>;

/// The output of [`Kt128`].
pub type Kt128Reader = Reader<Keccak<21, 12>, Backend>;
/// The output of [`Kt256`].
pub type Kt256Reader = Reader<Keccak<17, 12>, Backend>;

/// ParallelHash128 (SP 800-185): a standard tree with blocks of your choice of length and a
/// security strength of 128 bits.
///
/// ```
/// use jlanes::digest::{ExtendableOutput, Update, XofReader};
/// use jlanes::tree::ParallelHash128;
///
/// let hasher = ParallelHash128::new(8192, b"my application")?;
/// let (mut digest, mut output) = ([0; 32], [0; 100]);
/// hasher.clone().chain(b"any message").finalize_into_slice(&mut digest);
/// // ParallelHashXOF128, with an output of any length, is another function
/// hasher.chain(b"any message").finalize_xof().read(&mut output);
/// assert_ne!(digest, output[..32]);
/// # Ok::<(), jlanes::tree::TreeError>(())
/// ```
pub type ParallelHash128 = parallel_hash::ParallelHash128<Backend>;
/// ParallelHash256 (SP 800-185), with a security strength of 256 bits.
pub type ParallelHash256 = parallel_hash::ParallelHash256<Backend>;
