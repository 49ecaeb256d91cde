//! The hash functions of today's clients.

use alloy_trie::{HashBuilder, Nibbles};
use jlanes_examples::peer;

use crate::trie::Account;

/// Keccak-256 of messages, one after the other, as alloy and reth call it.
pub(crate) fn keccak_asm(messages: &[&[u8]]) -> Vec<[u8; 32]> {
    messages.iter().map(|message| keccak_asm::Keccak256::digest(message).into()).collect()
}

/// Keccak-256 of messages, by RustCrypto's crate.
pub(crate) fn sha3(messages: &[&[u8]]) -> Vec<[u8; 32]> {
    use sha3::Digest;
    messages.iter().map(|message| sha3::Keccak256::digest(message).into()).collect()
}

/// The root of a state, as reth computes it: by alloy-trie over keccak-asm.
pub(crate) fn state_root(accounts: &[Account]) -> [u8; 32] {
    let mut builder = HashBuilder::default();
    for (key, value) in accounts {
        builder.add_leaf_unchecked(Nibbles::unpack(key), value);
    }
    builder.root().into()
}

/// A level of a tree as in Lighthouse: one node after the other.
#[cfg(target_arch = "x86_64")]
pub(crate) fn level(nodes: &[u8]) -> Vec<u8> {
    nodes.chunks(64).flat_map(ethereum_hashing::hash_fixed).collect()
}

/// The crate of [`level`].
#[cfg(target_arch = "x86_64")]
pub(crate) fn name() -> String {
    peer("ethereum_hashing")
}

// on other targets `ethereum_hashing` depends on ring, which takes long to build
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn level(nodes: &[u8]) -> Vec<u8> {
    use sha2::Digest;
    nodes.chunks(64).flat_map(sha2::Sha256::digest).collect()
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn name() -> String {
    peer("sha2")
}
