//! Batches of every shape on every backend, against messages one by one.

use std::array;

use arbitrary::{Result, Unstructured};
use hmac::{KeyInit, Mac, SimpleHmac};
use jlanes::{
    Backend, Digest,
    digest::{Output, block_api::BlockSizeUser, common::Block},
    digest_multi::{LaneCore, MultiFixedOutputCore, MultiUpdateCore},
    multi::{Lanes, MultiDigest, TweakedChains},
};
use jlanes_testing::message;

use crate::input::{backend, length, slices, text, texts, with_hasher};

/// The maximum number of messages: more than two groups of the widest lanes.
const COUNT: usize = 40;
/// The maximum length of a message in bytes.
const LONGEST: usize = 2000;

/// Hashes the batch that `u` describes.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a digest differs from its oracle.
pub fn run(u: &mut Unstructured) -> Result<()> {
    with_hasher!(u, check)
}

fn check<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend> + BlockSizeUser,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser + Clone + Sync,
{
    match u.int_in_range(0..=7)? {
        0 => plain::<H, P>(u).and_then(|()| side_by_side::<H, P>(u)),
        1 => prefixed::<H, P>(u),
        2 => pairs::<H, P>(u),
        3 => chains::<H, P>(u),
        4 => tags_of_one_key::<H, P>(u),
        5 => tags_of_keys::<H, P>(u),
        6 => tweaked_chains::<H, P>(u),
        _ => derived_keys::<H, P>(u),
    }
}

fn outputs<H: Digest>(count: usize) -> Vec<Output<H>> {
    vec![Output::<H>::default(); count]
}

fn plain<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize>,
{
    let (backend, messages) = (backend(u)?, texts(u, COUNT, LONGEST)?);
    let mut out = outputs::<H>(messages.len());
    Lanes::<H>::new().on(backend).digest(&messages, &mut out);
    assert!(messages.iter().zip(out).all(|(message, out)| P::digest(message) == out), "{backend}");
    Ok(())
}

/// Messages of equal lengths, fed side by side with blocks of their own and shared ones.
fn side_by_side<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend> + BlockSizeUser,
    P: Digest<OutputSize = H::OutputSize>,
{
    const MESSAGES: usize = 19;
    let backend = backend(u)?;
    let mut core = LaneCore::<H, MESSAGES>::on(backend);
    let mut peers: [P; MESSAGES] = array::from_fn(|_| P::new());
    for _ in 0..u.int_in_range(0..=6)? {
        let seed: u32 = u.arbitrary()?;
        let block = |i: usize| {
            let bytes = message(u64::from(seed) + i as u64, H::block_size());
            Block::<H>::try_from(&bytes[..]).expect("a block")
        };
        if u.arbitrary()? {
            let shared = [block(0), block(1), block(2)];
            core.update_blocks_shared(&shared);
            peers.iter_mut().for_each(|peer| shared.iter().for_each(|block| peer.update(block)));
        } else {
            let own: [_; MESSAGES] = array::from_fn(|i| [block(2 * i), block(2 * i + 1)]);
            core.update_blocks(&own.each_ref());
            let both = peers.iter_mut().zip(&own);
            both.for_each(|(peer, own)| own.iter().for_each(|block| peer.update(block)));
        }
    }
    let mut out = array::from_fn(|_| Output::<H>::default());
    if u.arbitrary()? {
        core.finalize_fixed_core_shared(&[], &mut out);
    } else {
        core.finalize_fixed_core_shared(b"tail", &mut out);
        peers.iter_mut().for_each(|peer| peer.update(b"tail"));
    }
    assert!(peers.into_iter().map(P::finalize).eq(out), "{backend}");
    Ok(())
}

fn prefixed<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize>,
{
    let (backend, prefix) = (backend(u)?, text(u, 300)?);
    let messages = texts(u, COUNT, LONGEST)?;
    let mut out = outputs::<H>(messages.len());
    Lanes::<H>::new().on(backend).prefix(&prefix).digest(&messages, &mut out);
    for (message, out) in messages.iter().zip(out) {
        let whole = P::new_with_prefix(&prefix).chain_update(message);
        assert_eq!(whole.finalize(), out, "{backend}, a prefix of {} bytes", prefix.len());
    }
    Ok(())
}

fn pairs<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize>,
{
    let (backend, left) = (backend(u)?, texts(u, COUNT, 300)?);
    let right: Vec<_> = if u.ratio(1, 2)? {
        left.iter().rev().cloned().collect()
    } else {
        left.iter().map(|_| text(u, 300)).collect::<Result<_>>()?
    };
    let mut out = outputs::<H>(left.len());
    Lanes::<H>::new().on(backend).pairs(&left, &right, &mut out);
    for i in 0..left.len() {
        let whole = P::new_with_prefix(&left[i]).chain_update(&right[i]);
        assert_eq!(whole.finalize(), out[i], "{backend}, pair {i}");
    }
    Ok(())
}

fn chains<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize>,
{
    let (backend, prefix) = (backend(u)?, text(u, 200)?);
    let (count, steps) = (u.int_in_range(0..=COUNT)?, u.int_in_range(0..=5)?);
    let first: Vec<Output<H>> = (0..count).map(|i| P::digest([i as u8])).collect();
    let mut digests = first.clone();
    Lanes::<H>::new().on(backend).prefix(&prefix).chains(&mut digests, steps);
    for (first, last) in first.into_iter().zip(digests) {
        let step = |digest, _| P::new_with_prefix(&prefix).chain_update(digest).finalize();
        assert_eq!((0..steps).fold(first, step), last, "{backend}, {steps} steps");
    }
    Ok(())
}

/// Chains of any steps, with a tweak of the chain and the step.
fn tweaked_chains<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize>,
{
    let (backend, prefix) = (backend(u)?, text(u, 200)?);
    let (size, value) =
        (u.int_in_range(0..=200)?, u.int_in_range(1..=<P as Digest>::output_size())?);
    let count = u.int_in_range(0..=COUNT)?;
    let steps: Result<Vec<[u64; 2]>> =
        (0..count).map(|_| Ok([u.int_in_range(0..=4)?, u.int_in_range(0..=6)?])).collect();
    let steps = steps?;
    let steps = |chain: usize| steps[chain][0]..steps[chain][1];
    let tweak = |chain: usize, step: u64, tweak: &mut [u8]| tweak.fill(chain as u8 ^ step as u8);
    let mut values: Vec<Vec<u8>> = (0..count).map(|i| vec![i as u8; value]).collect();
    let chains = TweakedChains { steps: &steps, size, tweak: &tweak };
    Lanes::<H>::new().on(backend).prefix(&prefix).tweaked_chains(&chains, &mut values);
    for (i, found) in values.iter().enumerate() {
        let mut expected = vec![i as u8; value];
        for step in steps(i) {
            let mut text = vec![0; size];
            tweak(i, step, &mut text);
            let whole = P::new_with_prefix(&prefix).chain_update(text).chain_update(&expected);
            expected.copy_from_slice(&whole.finalize()[..value]);
        }
        assert_eq!(*found, expected, "{backend}, chain {i} of {count}");
    }
    Ok(())
}

fn tag<P: Digest + BlockSizeUser + Clone>(key: &[u8], message: &[u8]) -> Output<P> {
    let mac = SimpleHmac::<P>::new_from_slice(key).expect("keys of any length");
    mac.chain_update(message).finalize().into_bytes()
}

fn tags_of_one_key<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser + Clone,
{
    let (backend, key) = (backend(u)?, text(u, 300)?);
    let messages = texts(u, COUNT, LONGEST)?;
    let mut out = outputs::<H>(messages.len());
    Lanes::<H>::new().on(backend).hmac(&key, &messages, &mut out);
    for (message, out) in messages.iter().zip(out) {
        assert_eq!(tag::<P>(&key, message), out, "{backend}, a key of {} bytes", key.len());
    }
    Ok(())
}

fn tags_of_keys<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser + Clone,
{
    let (backend, keys) = (backend(u)?, texts(u, 70, 300)?);
    let messages = keys.iter().map(|_| text(u, 500)).collect::<Result<Vec<_>>>()?;
    let mut out = outputs::<H>(keys.len());
    Lanes::<H>::new().on(backend).hmac_keyed(&slices(&keys), &messages, &mut out);
    for i in 0..keys.len() {
        assert_eq!(tag::<P>(&keys[i], &messages[i]), out[i], "{backend}, key {i}");
    }
    Ok(())
}

fn derived_keys<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser + Clone + Sync,
{
    let (backend, passwords) = (backend(u)?, texts(u, 20, 200)?);
    let salts = passwords.iter().map(|_| text(u, 100)).collect::<Result<Vec<_>>>()?;
    let rounds = u.int_in_range(0..=4)?;
    let mut keys =
        salts.iter().map(|_| Ok(vec![0; length(u, 200)?])).collect::<Result<Vec<_>>>()?;
    let mut outs: Vec<_> = keys.iter_mut().map(Vec::as_mut_slice).collect();
    let (secrets, salt) = (slices(&passwords), slices(&salts));
    Lanes::<H>::new().on(backend).pbkdf2(&secrets, &salt, rounds, &mut outs);
    for i in 0..keys.len() {
        let mut key = vec![0; keys[i].len()];
        pbkdf2::pbkdf2::<SimpleHmac<P>>(secrets[i], salt[i], rounds, &mut key)
            .expect("keys of any length");
        assert_eq!(key, keys[i], "{backend}, {rounds} rounds");
    }
    Ok(())
}
