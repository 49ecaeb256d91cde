//! SHA-1 with detection of collision attacks against the crates `sha1-checked` and `sha1dc`, on every
//! backend.

#![allow(clippy::unwrap_used)] // the helpers too are tests

mod batches;
mod hashers;
mod random;

use jlanes::{Collision, Sha1Checked, digest::Output};
use jlanes_testing::{corpus, message};

/// The result of the crate `sha1-checked`.
fn peer(message: &[u8]) -> (Vec<u8>, bool) {
    let result = sha1_checked::Sha1::try_digest(message);
    (result.hash().to_vec(), result.has_collision())
}

/// The same of our result.
fn ours(result: &Result<Output<Sha1Checked>, Collision>) -> (Vec<u8>, bool) {
    match result {
        Ok(digest) => (digest.to_vec(), false),
        Err(collision) => (collision.digest().to_vec(), true),
    }
}

/// The known messages with blocks of an attack, some with more behind them.
fn attacks() -> Vec<Vec<u8>> {
    let known = corpus("sha1_collisions");
    let known: Vec<Vec<u8>> = known.iter().map(|record| record.message()).collect();
    let longer = known.iter().flat_map(|attack| {
        [1, 55, 56, 64, 700].map(|more| [&attack[..], &message(more as u64, more)].concat())
    });
    longer.chain(known.iter().cloned()).collect()
}
