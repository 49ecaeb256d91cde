//! BLAKE3 in its three modes compared with the crate `blake3`: hashers in pieces and on threads,
//! outputs read at any position, batches, and outputs of many messages at once.

use ::blake3::Hasher as Peer;
use arbitrary::{Result, Unstructured};
use jlanes::{
    Backend,
    digest::{ExtendableOutput, FixedOutputReset, Reset, Update, XofReader},
};
use jlanes_core::{
    function::Batch,
    hashes::blake3::{Mode, hasher::Hasher},
};
use jlanes_testing::message;
use jlanes_tree::{ParRead, ParUpdate};

use crate::input::{backend, length, pieces, pool, slices, text, texts};

/// The longest output.
const LONGEST: usize = 1500;

/// Runs the operations in `u`.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If an output differs from the crate's.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let (ours, peer) = hashers(u)?;
    match u.int_in_range(0..=4)? {
        0 | 1 => stream(u, ours, peer),
        2 => batch(u, &ours, &peer),
        3 => outputs(u, &ours, &peer),
        _ => macs(u, ours, peer),
    }
}

/// A hasher of any mode, and the peer's.
fn hashers(u: &mut Unstructured) -> Result<(Hasher<Backend>, Peer)> {
    let backend = backend(u)?;
    let (mode, peer) = match u.int_in_range(0..=2)? {
        0 => (Mode::HASH, Peer::new()),
        1 => {
            let key = message(u.int_in_range(0..=255)?, 32).try_into().expect("32 bytes");
            (Mode::keyed(&key), Peer::new_keyed(&key))
        }
        _ => {
            let context = "a".repeat(length(u, 1500)?);
            let mode = Mode::derive_key(backend, context.as_bytes());
            (mode, Peer::new_derive_key(&context))
        }
    };
    Ok((Hasher::with_mode(backend, mode), peer))
}

/// A message of up to 40 chunks, sometimes of enough chunks for threads.
fn long_text(u: &mut Unstructured) -> Result<Vec<u8>> {
    let most = if u.ratio(1, 64)? { 600 } else { 40 };
    let (chunks, more) = (u.int_in_range(0..=most)?, u.int_in_range(0..=1024)?);
    Ok(message(u.int_in_range(0..=255)?, chunks * 1024 + more))
}

/// Hashes messages one after another, in pieces, on one thread or several.
fn stream(u: &mut Unstructured, mut ours: Hasher<Backend>, mut peer: Peer) -> Result<()> {
    for _ in 0..u.int_in_range(1..=3)? {
        let text = if u.ratio(1, 2)? { long_text(u)? } else { text(u, 3000)? };
        for piece in pieces(u, &text, 6)? {
            let read = |part: &mut [u8], at| part.copy_from_slice(&piece[at..][..part.len()]);
            match u.int_in_range(0..=5)? {
                0 => pool(u)?.install(|| ours.par_update(piece)),
                1 => pool(u)?.install(|| ours.par_read(piece.len(), &read)),
                _ => ours.update(piece),
            }
            peer.update(piece);
            if u.ratio(1, 8)? {
                check_reader(u, ours.clone(), &peer)?;
            }
        }
        if u.ratio(1, 4)? {
            Reset::reset(&mut ours);
        } else {
            let digest = ours.finalize_fixed_reset();
            assert_eq!(digest[..], *peer.finalize().as_bytes(), "{} bytes", text.len());
        }
        peer.reset();
    }
    Ok(())
}

/// Reads outputs at a few positions.
fn check_reader(u: &mut Unstructured, ours: Hasher<Backend>, peer: &Peer) -> Result<()> {
    let (mut ours, mut peer) = (ours.finalize_xof(), peer.finalize_xof());
    for _ in 0..u.int_in_range(1..=3)? {
        if u.ratio(1, 2)? {
            // where the counter of blocks reaches its second word
            let edge = *u.choose(&[0, 64, 1024, 1 << 38, 1 << 63])?;
            let position = edge + u.int_in_range(0..=130)?;
            ours.set_position(position);
            peer.set_position(position);
        }
        let mut out = vec![0; length(u, LONGEST)?];
        let mut expected = out.clone();
        ours.read(&mut out);
        peer.fill(&mut expected);
        assert_eq!(out, expected, "{} bytes", out.len());
        assert_eq!(ours.position(), peer.position());
    }
    Ok(())
}

/// Up to 40 messages: short ones, or with several chunks.
fn messages(u: &mut Unstructured) -> Result<Vec<Vec<u8>>> {
    let most = *u.choose(&[200, 1100, 1100, 5000, 20_000])?;
    texts(u, 40, most)
}

/// A batch of digests.
fn batch(u: &mut Unstructured, ours: &Hasher<Backend>, peer: &Peer) -> Result<()> {
    let texts = messages(u)?;
    let mut digests = vec![Default::default(); texts.len()];
    let messages: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    ours.digest_many(&Batch::slices(&messages), &mut digests);
    for (text, digest) in texts.iter().zip(&digests) {
        let expected = peer.clone().update(text).finalize();
        assert_eq!(digest[..], *expected.as_bytes(), "{} bytes", text.len());
    }
    Ok(())
}

/// Outputs of many messages.
fn outputs(u: &mut Unstructured, ours: &Hasher<Backend>, peer: &Peer) -> Result<()> {
    let texts = messages(u)?;
    let lengths: Result<Vec<usize>> = texts.iter().map(|_| length(u, LONGEST)).collect();
    let mut outs: Vec<Vec<u8>> = lengths?.into_iter().map(|length| vec![0; length]).collect();
    let mut slots: Vec<&mut [u8]> = outs.iter_mut().map(Vec::as_mut_slice).collect();
    ours.fill_many(|i| &texts[i], &mut slots);
    for (text, out) in texts.iter().zip(&outs) {
        let mut expected = vec![0; out.len()];
        peer.clone().update(text).finalize_xof().fill(&mut expected);
        assert_eq!(*out, expected, "{} bytes", text.len());
    }
    Ok(())
}

/// Hashes messages that continue the hasher's message.
fn macs(u: &mut Unstructured, mut ours: Hasher<Backend>, mut peer: Peer) -> Result<()> {
    let (absorbed, texts) = (text(u, 3000)?, messages(u)?);
    ours.update(&absorbed);
    peer.update(&absorbed);
    let mut tags = vec![Default::default(); texts.len()];
    ours.tags(&slices(&texts), &mut tags);
    for (text, tag) in texts.iter().zip(&tags) {
        let expected = peer.clone().update(text).finalize();
        assert_eq!(tag[..], *expected.as_bytes(), "{} and {} bytes", absorbed.len(), text.len());
    }
    Ok(())
}
