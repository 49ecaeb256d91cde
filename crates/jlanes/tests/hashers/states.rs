//! Serialized states: `sha2`'s layout, so that either side can go on where the other stopped.

use jlanes::{
    Digest,
    digest::common::hazmat::{SerializableState, SerializedState},
};
use jlanes_testing::message;

use crate::table::{Hasher, expected};

for_every_hasher!(states_move_in_both_directions, states_that_cannot_be_are_refused);

fn states_move_in_both_directions<H: Hasher>() {
    let text = message(5, 4 * H::block_size());
    let digest = expected::<H>(&text);
    for cut in 0..=2 * H::block_size() + 1 {
        let (head, tail) = text.split_at(cut);
        let ours = H::default().chain_update(head).serialize();
        let theirs = H::Peer::default().chain_update(head).serialize();
        assert_eq!(ours, theirs, "after {cut} bytes");
        let there = H::Peer::deserialize(&ours).expect("a state of ours").chain_update(tail);
        assert_eq!(there.finalize(), digest, "to the peer after {cut} bytes");
        let here = H::deserialize(&theirs).expect("a state of theirs").chain_update(tail);
        assert_eq!(here.finalize(), digest, "from the peer after {cut} bytes");
    }
}

/// A state ends with its buffer: how many bytes it holds, the bytes, and zeros.
fn states_that_cannot_be_are_refused<H: Hasher>() {
    let mut state: SerializedState<H> = H::default().chain_update(b"abc").serialize();
    let buffer = state.len() - H::block_size();
    assert_eq!(state[buffer..][..5], *b"\x03abc\0");
    state[buffer] = 2;
    assert!(H::deserialize(&state).is_err(), "a byte behind the buffer's end");
    state[buffer] = u8::try_from(H::block_size()).expect("blocks are short");
    assert!(H::deserialize(&state).is_err(), "a whole block in the buffer");
}
