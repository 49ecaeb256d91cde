//! SHA-1 with detection of collision attacks, compared with the crate `sha1-checked`: messages that
//! contain blocks of known attacks, in pieces, with any options, and in batches.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use jlanes::{Collision, Sha1Checked, digest::Update, multi::Lanes};
use jlanes_testing::{corpus, message};

use crate::input::{backend, pieces, slices, text};

/// Runs the operations in `u`.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a digest or a verdict differs from the crate's.
pub fn run(u: &mut Unstructured) -> Result<()> {
    if u.arbitrary()? { hasher(u) } else { batch(u) }
}

/// A message with an attack, a damaged attack, or neither.
fn suspect(u: &mut Unstructured) -> Result<Vec<u8>> {
    static ATTACKS: LazyLock<Vec<Vec<u8>>> =
        LazyLock::new(|| corpus("sha1_collisions").iter().map(|record| record.message()).collect());
    if u.ratio(1, 2)? {
        return text(u, 700);
    }
    let mut attack = u.choose(&ATTACKS)?.clone();
    match u.int_in_range(0..=3)? {
        // all blocks but the last belong to the attack, and the message may end at any byte of it
        0 => attack.truncate(u.int_in_range(0..=attack.len())?),
        1 => {
            let at = u.choose_index(attack.len())?;
            attack[at] ^= 1 << u.int_in_range(0..=7)?;
        }
        _ => {}
    }
    attack.extend(text(u, 200)?);
    Ok(attack)
}

/// A digest, and whether the message is an attack.
type Verdict = (Vec<u8>, bool);

fn verdict(result: &std::result::Result<impl AsRef<[u8]>, Collision>) -> Verdict {
    match result {
        Ok(digest) => (digest.as_ref().to_vec(), false),
        Err(collision) => (collision.digest().to_vec(), true),
    }
}

fn expected(peer: sha1_checked::Sha1) -> Verdict {
    let result = peer.try_finalize();
    (result.hash().to_vec(), result.has_collision())
}

fn hasher(u: &mut Unstructured) -> Result<()> {
    let [detect, filter, safe] = u.arbitrary()?;
    let ours = Sha1Checked::builder().detect_collision(detect).use_ubc(filter).safe_hash(safe);
    let peer = sha1_checked::Sha1::builder();
    let peer = peer.detect_collision(detect).use_ubc(filter).safe_hash(safe);
    let (mut ours, mut peer) = (ours.build(), peer.build());
    let message = suspect(u)?;
    for piece in pieces(u, &message, 5)? {
        ours.update(piece);
        peer.update(piece);
    }
    assert_eq!(verdict(&ours.try_finalize()), expected(peer), "{}", hex::encode(message));
    Ok(())
}

fn batch(u: &mut Unstructured) -> Result<()> {
    let count = u.int_in_range(0..=40)?;
    let mut messages = vec![message(count as u64, u.int_in_range(0..=200)?); count];
    for _ in 0..u.int_in_range(0..=count.min(8))? {
        let at = u.choose_index(count)?;
        messages[at] = suspect(u)?;
    }
    let prefix = if u.ratio(1, 4)? { suspect(u)? } else { Vec::new() };
    let lanes = Lanes::<Sha1Checked>::new().on(backend(u)?).prefix(&prefix);
    let results = lanes.try_digests(&slices(&messages));
    assert_eq!(results.len(), count);
    for (result, message) in results.iter().zip(&messages) {
        let mut peer = sha1_checked::Sha1::new();
        peer.update(&prefix);
        peer.update(message);
        assert_eq!(
            verdict(result),
            expected(peer),
            "{} {}",
            hex::encode(&prefix),
            hex::encode(message)
        );
    }
    Ok(())
}
