//! Messages too long to hash: the length field, by way of states with a large block counter.

use jlanes::{
    Digest,
    digest::array::Array,
    digest::common::hazmat::{SerializableState, SerializedState},
};
use jlanes_core::{
    function::{Function, Start},
    hash::{HashFunction, WordOf},
    simd::vector::Word,
};
use jlanes_testing::{backends, message};

use crate::table::Hasher;

for_every_hasher!(
    lengths_around_powers_of_two,
    batches_from_lengths_around_powers_of_two,
    states_beyond_any_message,
);

/// The state after one block, with a counter of `blocks`.
fn state_after<H: Hasher>(blocks: u128) -> SerializedState<H> {
    let block = H::block_size();
    let mut state = H::default().chain_update(message(1, block)).serialize();
    let counter = state.len() - block - counter_bytes::<H>()..state.len() - block;
    state[counter.clone()].copy_from_slice(&blocks.to_le_bytes()[..counter.len()]);
    state
}

/// Two words, as long as the length field.
fn counter_bytes<H: Hasher>() -> usize {
    H::block_size() / 8
}

/// The numbers of bytes at which counters and length fields end.
const ENDS: [u128; 5] = [1 << 29, 1 << 32, 1 << 61, 1 << 64, 1 << 125];

/// Bytes up to which a message is defined.
fn longest<H: Hasher>() -> u128 {
    1 << (8 * counter_bytes::<H>() - 3)
}

/// 2^29 bytes are 2^32 bits, 2^32 bytes the end of a 32-bit counter, 2^61 bytes that of SHA-256's
/// messages; only SHA-512 reaches the rest: its messages end at 2^125 bytes.
fn lengths_around_powers_of_two<H: Hasher>() {
    let block = H::block_size();
    for bytes in ENDS {
        for tail in [0, 1, block - counter_bytes::<H>() - 1, block - 1, block, 2 * block + 5] {
            for blocks in [bytes / block as u128 - 3, bytes / block as u128] {
                if blocks * block as u128 + tail as u128 >= longest::<H>() {
                    continue;
                }
                let state = state_after::<H>(blocks);
                let rest = message(2, tail);
                let ours = H::deserialize(&state).expect("ours").chain_update(&rest);
                let theirs = H::Peer::deserialize(&state).expect("theirs").chain_update(&rest);
                assert_eq!(ours.serialize(), theirs.serialize(), "{blocks} blocks, {tail} bytes");
                assert_eq!(ours.finalize(), theirs.finalize(), "{blocks} blocks, {tail} bytes");
            }
        }
    }
}

/// Lanes that start after `bytes` bytes, and end at different blocks.
fn batches_from_lengths_around_powers_of_two<H: Hasher>() {
    type Words<H> = WordOf<<H as jlanes_core::function::DigestOnKernels>::Hash>;
    let block = H::block_size();
    let tails: Vec<_> = (0..19).map(|i| message(i, i as usize * 23 % (3 * block))).collect();
    for bytes in ENDS {
        let blocks = bytes / block as u128 - 1;
        if (blocks + 4) * block as u128 >= longest::<H>() {
            continue;
        }
        let serialized = state_after::<H>(blocks);
        let theirs = H::Peer::deserialize(&serialized).expect("theirs");
        let expected: Vec<_> =
            tails.iter().map(|tail| theirs.clone().chain_update(tail).finalize()).collect();
        let mut state = H::Hash::start();
        let words = serialized.chunks(Words::<H>::BYTES).map(Words::<H>::from_le);
        state.as_mut().iter_mut().zip(words).for_each(|(place, word)| *place = word);
        for backend in backends::<H::Backend>() {
            let start = Start::<H::Hash>::at(state, blocks * block as u128);
            let mut out = vec![Default::default(); tails.len()];
            let function = Function::new(&start, backend);
            let bytes = Array::slice_as_flattened_mut(&mut out);
            function.digest_with(&[], |i| [&tails[i][..]], bytes);
            assert_eq!(out, expected, "{backend}: lanes after {blocks} blocks");
        }
    }
}

/// A forged counter stands for no message; it gives some digest and does not panic.
fn states_beyond_any_message<H: Hasher>() {
    let state = state_after::<H>(u128::MAX);
    let hasher = H::deserialize(&state).expect("any counter can be read");
    let longer = hasher.clone().chain_update(message(3, 3 * H::block_size()));
    assert_ne!(hasher.finalize(), longer.finalize());
}
