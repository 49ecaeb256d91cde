//! Batches against hashers, on every backend.

use jlanes::{
    Backend,
    digest::Output,
    multi::{Lanes, MultiDigest},
};
use jlanes_testing::backends;

/// The digests of `messages` in one batch are those of each alone.
pub(crate) fn batch_matches<H: MultiDigest<Backend = Backend>>(messages: &[Vec<u8>]) {
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut out = vec![Output::<H>::default(); slices.len()];
    for backend in backends::<Backend>() {
        Lanes::<H>::new().on(backend).digest(&slices, &mut out);
        for (message, digest) in slices.iter().zip(&out) {
            assert_eq!(*digest, H::digest(message), "{backend}, {} bytes", message.len());
        }
    }
}
