//! HMAC (RFC 2104) of many messages at once: one key for all, or a key for each.
//!
//! `HMAC(K, m) = H(K ^ opad || H(K ^ ipad || m))`, where `K` is the key filled up to a block with
//! zeros; a key longer than a block is hashed first. Both hashes are batches. With one key, the
//! states after `K ^ ipad` and `K ^ opad` are computed once.

use core::array;

use crate::{
    batch::{Start, chain, list},
    engine::{Engine, MAX_LANES},
    hash::{HashFunction, MAX_BLOCK, Output, compression::Compression},
    wipe,
};

/// The tags of `out.len()` messages under one key.
pub fn digest<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    key: &[u8],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    let [pads] = Pads::new::<H, E, 1>(engine, &[key]);
    list::digest_prefixed::<H, E>(engine, pads.inner::<H>(), |i| message(i), out);
    chain::digest::<H, E>(engine, pads.outer::<H>(), out, 1);
}

/// Messages whose keys are made into blocks together: so many that in a batch of unequal lengths
/// short messages make up for long ones, so few that the blocks stay in the first-level cache.
const KEYS: usize = 4 * MAX_LANES;

/// The tags of messages that have each a key: `out[i]` is of `message(i)` under `keys[i]`.
///
/// # Panics
/// If `keys` and `out` differ in length.
pub fn digest_keyed<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    keys: &[&[u8]],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    assert_eq!(keys.len(), out.len(), "as many tags as keys");
    for (g, (keys, out)) in keys.chunks(KEYS).zip(out.chunks_mut(KEYS)).enumerate() {
        let pads = Pads::new::<H, E, KEYS>(engine, keys);
        tag::<H, E>(engine, &pads, |i| [message(g * KEYS + i), &[]], out);
    }
}

/// The tags of `out.len()` messages of two pieces, one under each key.
pub(crate) fn tag<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    keys: &[Pads],
    message: impl Fn(usize) -> [&'a [u8]; 2],
    out: &mut [Output<H>],
) {
    let whole = |i: usize| {
        let [first, second] = message(i);
        [keys[i].inner::<H>(), first, second]
    };
    list::digest(engine, Start::<H>::new(), whole, out);
    rehash::<H, E>(engine, keys, out);
}

/// HMAC's outer hash, one key a digest.
fn rehash<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    keys: &[Pads],
    digests: &mut [Output<H>],
) {
    for (keys, group) in keys.chunks(MAX_LANES).zip(digests.chunks_mut(MAX_LANES)) {
        let mut inner = chain::copy::<H>(group);
        list::digest(engine, Start::<H>::new(), |l| [keys[l].outer::<H>(), &inner[l]], group);
        wipe::digests::<H>(&mut inner);
    }
}

/// A key as the two blocks that HMAC hashes first.
#[derive(Clone)]
pub struct Pads {
    inner: [u8; MAX_BLOCK],
    outer: [u8; MAX_BLOCK],
}

impl Pads {
    /// The blocks of up to `N` keys, and of empty ones.
    pub fn new<H: HashFunction, E: Engine<H::Compression>, const N: usize>(
        engine: E,
        keys: &[&[u8]],
    ) -> [Self; N] {
        let block = H::Compression::BLOCK;
        let mut pads = [const { Self::empty() }; N];
        let mut long: [&[u8]; N] = [&[]; N];
        let mut owners = [0; N];
        let mut count = 0;
        for (i, key) in keys.iter().enumerate() {
            if key.len() > block {
                (long[count], owners[count]) = (key, i);
                count += 1;
            } else {
                pads[i].add(key);
            }
        }
        let mut digests: [Output<H>; N] = array::from_fn(|_| Output::<H>::default());
        list::digest(engine, Start::<H>::new(), |i| [long[i]], &mut digests[..count]);
        for (owner, digest) in owners.iter().zip(&digests[..count]) {
            // no hash for which HMAC is defined has digests longer than its blocks; RustCrypto's
            // `SimpleHmac` cuts the others in this way
            pads[*owner].add(&digest[..digest.len().min(block)]);
        }
        wipe::digests::<H>(&mut digests);
        pads
    }

    /// The blocks of an empty key.
    const fn empty() -> Self {
        Self { inner: [0x36; MAX_BLOCK], outer: [0x5c; MAX_BLOCK] }
    }

    /// Adds a key modulo 2.
    fn add(&mut self, key: &[u8]) {
        for pad in [&mut self.inner, &mut self.outer] {
            pad.iter_mut().zip(key).for_each(|(pad, key)| *pad ^= key);
        }
    }

    /// `K ^ ipad`.
    #[must_use]
    pub fn inner<H: HashFunction>(&self) -> &[u8] {
        &self.inner[..H::Compression::BLOCK]
    }

    /// `K ^ opad`.
    #[must_use]
    pub fn outer<H: HashFunction>(&self) -> &[u8] {
        &self.outer[..H::Compression::BLOCK]
    }
}

#[cfg(feature = "zeroize")]
impl Drop for Pads {
    fn drop(&mut self) {
        wipe::bytes(&mut self.inner);
        wipe::bytes(&mut self.outer);
    }
}
