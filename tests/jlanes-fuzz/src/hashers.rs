//! Hashers compared with RustCrypto's: the same operations on both give the same digests and states.

use arbitrary::{Result, Unstructured};
use jlanes::{
    Digest,
    digest::{FixedOutputReset, common::hazmat::SerializableState},
};

use crate::input::{text, with_hasher};

/// The maximum number of pairs of hashers at once.
const PAIRS: usize = 6;

/// Runs the operations in `u`.
///
/// # Errors
/// If `u` makes no case; so with all bodies.
///
/// # Panics
/// If a hasher differs from its oracle; so with all bodies.
pub fn run(u: &mut Unstructured) -> Result<()> {
    with_hasher!(u, check)
}

pub(crate) fn check<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: Digest + FixedOutputReset + SerializableState + Clone,
    P: Digest<OutputSize = H::OutputSize>
        + FixedOutputReset
        + SerializableState<SerializedStateSize = H::SerializedStateSize>
        + Clone,
{
    // operations apply to the last pair
    let mut pairs = vec![(H::new(), P::new())];
    while !u.is_empty() {
        let (mut ours, mut theirs) = pairs.pop().expect("one pair at least");
        match u.int_in_range(0..=9)? {
            0..=3 => {
                let text = text(u, 3000)?;
                Digest::update(&mut ours, &text);
                Digest::update(&mut theirs, &text);
            }
            4 if pairs.len() < PAIRS => pairs.push((ours.clone(), theirs.clone())),
            5 => {
                pairs.insert(0, (ours, theirs));
                continue;
            }
            6 => {
                Digest::reset(&mut ours);
                Digest::reset(&mut theirs);
            }
            7 => assert_eq!(ours.finalize_reset(), theirs.finalize_reset()),
            8 => (ours, theirs) = exchange(&ours, &theirs),
            _ => altered_states::<H, P>(u, &ours)?,
        }
        pairs.push((ours, theirs));
    }
    for (ours, theirs) in pairs {
        assert_eq!(ours.finalize(), theirs.finalize());
    }
    Ok(())
}

/// Continues each hasher from the other's state.
fn exchange<H, P>(ours: &H, theirs: &P) -> (H, P)
where
    H: SerializableState,
    P: SerializableState<SerializedStateSize = H::SerializedStateSize>,
{
    let (state, peer) = (ours.serialize(), theirs.serialize());
    assert_eq!(state, peer);
    (H::deserialize(&peer).expect("a peer's state"), P::deserialize(&state).expect("our state"))
}

/// A state with one changed byte is accepted by both, or refused by both.
fn altered_states<H, P>(u: &mut Unstructured, hasher: &H) -> Result<()>
where
    H: SerializableState,
    P: SerializableState<SerializedStateSize = H::SerializedStateSize>,
{
    let mut state = hasher.serialize();
    let at = u.choose_index(state.len())?;
    state[at] = u.arbitrary()?;
    assert_eq!(H::deserialize(&state).is_ok(), P::deserialize(&state).is_ok(), "byte {at}");
    Ok(())
}
