//! ParallelHash.

use crate::Backend;

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
/// # Ok::<(), jlanes::tree::ParameterError>(())
/// ```
pub type ParallelHash128 = jlanes_tree::parallel_hash::ParallelHash128<Backend>;
/// ParallelHash256 (SP 800-185), with a security strength of 256 bits.
pub type ParallelHash256 = jlanes_tree::parallel_hash::ParallelHash256<Backend>;
