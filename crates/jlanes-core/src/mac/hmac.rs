//! HMAC (RFC 2104) of many messages at once: one key for all, or a key for each.
//!
//! `HMAC(K, m) = H(K ^ opad || H(K ^ ipad || m))`, where `K` is the key filled up to a block with
//! zeros; a key longer than a block is hashed first. Both hashes are batches. With one key, the
//! states after `K ^ ipad` and `K ^ opad` are computed once.

use core::array;

use digest::array::Array as ByteArray;

use crate::{
    batch::{
        Start,
        list::{self, Again, List},
    },
    engine::{
        Engine, MAX_LANES, Work,
        messages::Messages,
        rehash::{self, DigestBlock, Rehash},
    },
    hash::{
        HashFunction, MAX_BLOCK, Output,
        compression::{AllLanes, Compression, max_lanes},
        digest_size,
    },
    simd::lanes::Array,
    wipe,
};

/// The tags of `out.len()` messages under one key; message `i` is `prefix || message(i)`.
pub fn digest<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    key: &[u8],
    prefix: &'a [u8],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    let mut pads = [Pads::empty()];
    Pads::add_keys::<H, E, _>(engine, &[key], &mut pads);
    let [pads] = &pads;
    let Some(block) = outer_block::<H>() else {
        // as many pieces as in `tag`, so that nothing is compiled for three
        let whole = |i: usize| [pads.inner::<H>(), prefix, message(i), &[]];
        list::digest(engine, &Start::<H>::new(), whole, out);
        return crate::batch::chain::digest::<H, E>(engine, pads.outer::<H>(), out, 1);
    };
    let mut outer = Start::<H>::after_blocks(engine, pads.outer::<H>());
    let mut again = Again { start: block.starting_at(outer.in_all_lanes()), block };
    if H::PADDING.hold_back() > 0
        && prefix.is_empty()
        && (0..out.len()).any(|i| message(i).is_empty())
    {
        // the key's block is a message's last one, which is compressed in another way
        let list = List { engine, start: &Start::<H>::new(), again: Some(&again) };
        list.digest(|i| [pads.inner::<H>(), message(i)], out);
        again.start.wipe();
        return outer.wipe();
    }
    let mut keyed = Start::<H>::after_blocks(engine, pads.inner::<H>());
    let (mut inner, rest) = keyed.and(engine, prefix);
    let list = List { engine, start: &inner, again: Some(&again) };
    if rest.is_empty() {
        list.digest(|i| [message(i)], out);
    } else {
        list.digest(|i| [rest, message(i)], out);
    }
    again.start.wipe();
    keyed.wipe();
    inner.wipe();
    outer.wipe();
}

/// The block of the outer hash, where that is one compression after the key's.
pub(crate) fn outer_block<H: HashFunction>() -> Option<DigestBlock<H::Compression>> {
    DigestBlock::after::<H>(H::Compression::BLOCK as u128)
}

/// Messages whose keys are made into blocks together: so many that in a batch of unequal lengths
/// short messages make up for long ones, so few that the blocks stay in the first-level cache.
const KEYS: usize = 128;

/// The tags of messages that have each a key: `out[i]` is of `prefix || message(i)` under `key(i)`.
pub fn digest_keyed<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    key: impl Fn(usize) -> &'a [u8],
    prefix: &'a [u8],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    for (g, out) in out.chunks_mut(KEYS).enumerate() {
        let first = g * KEYS;
        let keys: [&[u8]; KEYS] =
            array::from_fn(|i| if i < out.len() { key(first + i) } else { &[] });
        let mut pads = [const { Pads::empty() }; KEYS];
        Pads::add_keys::<H, E, _>(engine, &keys[..out.len()], &mut pads);
        let message = |i: usize| message(first + i);
        match outer_block::<H>() {
            Some(block) => {
                // behind a key's block that may be a message's last one, states are of no use
                if prefix.is_empty() && H::PADDING.hold_back() == 0 {
                    from_midstates::<H, E>(engine, &pads, message, out);
                } else {
                    inner_digests::<H, E>(engine, &pads, |i| [prefix, message(i), &[]], out);
                }
                outer_digests::<H, E>(engine, &pads, &block, out);
            }
            None => tag::<H, E>(engine, &pads, |i| [prefix, message(i), &[]], out),
        }
    }
}

/// The inner digests of up to [`KEYS`] messages in one piece, one under each key.
fn from_midstates<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    pads: &[Pads; KEYS],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    let lanes = max_lanes::<H::Compression>();
    let mut inner = [H::start(); KEYS];
    for (pads, inner) in pads[..out.len()].chunks(lanes).zip(inner.chunks_mut(lanes)) {
        let mut states = midstates::<H, E>(engine, pads, Pads::inner::<H>);
        for (l, inner) in inner[..pads.len()].iter_mut().enumerate() {
            *inner = states.states().get(l);
        }
        states.wipe();
    }
    list::each_from::<H, E>(
        engine,
        H::Compression::BLOCK as u128,
        |i| (message(i), &inner[i]),
        out,
    );
    inner.iter_mut().for_each(|state| wipe::words(state.as_mut()));
}

/// Replaces the inner digests of messages, one under each key, by their tags.
fn outer_digests<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    pads: &[Pads],
    block: &DigestBlock<H::Compression>,
    out: &mut [Output<H>],
) {
    let lanes = max_lanes::<H::Compression>();
    for (pads, out) in pads.chunks(lanes).zip(out.chunks_mut(lanes)) {
        let outer = midstates::<H, E>(engine, &pads[..out.len()], Pads::outer::<H>);
        let mut digests = AllLanes::<H::Compression>::default();
        for (l, digest) in out.iter().enumerate() {
            rehash::put_digest::<H>(&mut digests.states(), l, digest);
        }
        let mut starts = [block.starting_at(rehash::Start::Each(outer))];
        engine.run(Work::Rehash(Rehash {
            digests: digests.states(),
            block,
            starts: &starts,
            rounds: 1,
            sum: None,
            live: out.len(),
            out: Some((ByteArray::slice_as_flattened_mut(out), digest_size::<H>())),
        }));
        starts[0].wipe();
        digests.wipe();
    }
}

/// The states after one block per lane, `pad` of each key.
pub(crate) fn midstates<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    pads: &[Pads],
    pad: impl Fn(&Pads) -> &[u8],
) -> AllLanes<H::Compression> {
    let mut runs = <H::Compression as Compression>::PerLane::<&[u8]>::splat(&[]);
    for (run, pads) in runs.as_mut().iter_mut().zip(pads) {
        *run = pad(pads);
    }
    let mut states = AllLanes::default();
    engine.run(Work::Messages(Messages {
        blocks: 1,
        start: Some(&H::start()),
        ..Messages::advance(states.states(), &runs.as_ref()[..pads.len()])
    }));
    states
}

/// The tags of `out.len()` messages of three pieces, one under each key.
pub(crate) fn tag<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    keys: &[Pads],
    message: impl Fn(usize) -> [&'a [u8]; 3],
    out: &mut [Output<H>],
) {
    inner_digests::<H, E>(engine, keys, message, out);
    let mut inner: [Output<H>; MAX_LANES] = array::from_fn(|_| Output::<H>::default());
    for (keys, out) in keys.chunks(MAX_LANES).zip(out.chunks_mut(MAX_LANES)) {
        inner[..out.len()].clone_from_slice(out);
        let whole = |l: usize| [keys[l].outer::<H>(), &inner[l]];
        list::digest(engine, &Start::<H>::new(), whole, out);
    }
    wipe::digests::<H>(&mut inner);
}

/// The inner digests of `out.len()` messages of three pieces, one under each key.
fn inner_digests<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    keys: &[Pads],
    message: impl Fn(usize) -> [&'a [u8]; 3],
    out: &mut [Output<H>],
) {
    let whole = |i: usize| {
        let [first, second, third] = message(i);
        [keys[i].inner::<H>(), first, second, third]
    };
    list::digest(engine, &Start::<H>::new(), whole, out);
}

/// A key as the two blocks that HMAC hashes first.
pub(crate) struct Pads {
    inner: [u8; MAX_BLOCK],
    outer: [u8; MAX_BLOCK],
}

impl Pads {
    /// Makes the blocks of empty keys those of up to `N` others, where they are: so many blocks are
    /// too long for the stack to have them twice.
    pub(crate) fn add_keys<H: HashFunction, E: Engine<H::Compression>, const N: usize>(
        engine: E,
        keys: &[&[u8]],
        pads: &mut [Self; N],
    ) {
        let block = H::Compression::BLOCK;
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
        list::digest(engine, &Start::<H>::new(), |i| [long[i]], &mut digests[..count]);
        for (owner, digest) in owners.iter().zip(&digests[..count]) {
            // no hash for which HMAC is defined has digests longer than its blocks; RustCrypto's
            // `SimpleHmac` cuts the others in this way
            pads[*owner].add(&digest[..digest.len().min(block)]);
        }
        wipe::digests::<H>(&mut digests);
    }

    /// The blocks of an empty key.
    pub(crate) const fn empty() -> Self {
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
    pub(crate) fn inner<H: HashFunction>(&self) -> &[u8] {
        &self.inner[..H::Compression::BLOCK]
    }

    /// `K ^ opad`.
    #[must_use]
    pub(crate) fn outer<H: HashFunction>(&self) -> &[u8] {
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
