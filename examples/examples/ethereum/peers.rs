//! What clients hash with today.

use jlanes_examples::peer;
use keccak_asm::Keccak256;

/// Keccak-256 of messages side by side, as alloy and reth call it.
pub(crate) fn keccak(messages: &[u8], ends: &[usize]) -> Vec<[u8; 32]> {
    let begins = [0].into_iter().chain(ends.iter().copied());
    let messages = begins.zip(ends).map(|(begin, end)| &messages[begin..*end]);
    messages.map(|message| Keccak256::digest(message).into()).collect()
}

/// SHA-256 of a node, as Lighthouse calls it.
#[cfg(target_arch = "x86_64")]
pub(crate) fn node(node: &[u8]) -> [u8; 32] {
    ethereum_hashing::hash_fixed(node)
}

/// The crate of [`node`].
#[cfg(target_arch = "x86_64")]
pub(crate) fn name() -> String {
    peer("ethereum_hashing")
}

// elsewhere `ethereum_hashing` wants ring, which takes long to build
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn node(node: &[u8]) -> [u8; 32] {
    use sha2::Digest;
    sha2::Sha256::digest(node).into()
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn name() -> String {
    peer("sha2")
}
