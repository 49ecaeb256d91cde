//! Many messages under algorithms without a [`MultiDigest`](crate::multi::MultiDigest): output
//! lengths without a type, keyed algorithms, and trees.

use alloc::vec::Vec;

use jlanes_core::engine::Engine;
#[cfg(feature = "sha3")]
use jlanes_core::hashes::keccak::{functions, xof};
#[cfg(feature = "blake2")]
use jlanes_core::{
    batch::list,
    hash::Output,
    hashes::blake2::{Blake2 as Compression, Blake2Word as Word},
};
use jlanes_tree::skein::{SkeinConfig, SkeinDigest};

#[cfg(feature = "blake3")]
use super::Blake3Mode;
use super::{AnyLanes, Hash, Kind, Skein, SkeinSize};
#[cfg(feature = "blake2")]
use super::{Blake2, Blake2Word, blake2::LongestBlake2};
#[cfg(feature = "sha3")]
use super::{Xof, XofFunction};
use crate::{
    Backend,
    skein::{Skein256, Skein512, Skein1024, TreeParams},
};

/// The smallest number of messages that a thread hashes: enough for all lanes.
const PART: usize = 64;

impl AnyLanes {
    /// The digests under algorithms without their own jobs.
    pub(super) fn others(&self, messages: &[&[u8]], out: &mut [u8]) {
        let threads = self.settings.join().threads();
        let count = messages.len().div_ceil(threads).next_multiple_of(PART).max(1);
        if count >= messages.len() {
            return self.part(messages, out);
        }
        let outs = out.chunks_mut(count * self.output_size());
        let mut parts: Vec<_> = messages.chunks(count).zip(outs).collect();
        self.settings.join().each(&mut parts, |_, (messages, out)| self.part(messages, out));
    }

    fn part(&self, messages: &[&[u8]], out: &mut [u8]) {
        let backend = self.settings.backend;
        let prefixed = !self.settings.prefix.is_empty();
        match self.algorithm().kind() {
            #[cfg(feature = "blake2")]
            Kind::Blake2(blake2) => {
                let (key, prefix) = (&*self.settings.key, &*self.settings.prefix);
                match blake2.word() {
                    Blake2Word::U32 => {
                        blake2_many::<u32>(blake2, backend, key, prefix, messages, out);
                    }
                    Blake2Word::U64 => {
                        blake2_many::<u64>(blake2, backend, key, prefix, messages, out);
                    }
                }
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(blake3) => {
                let mode = Blake3Mode::of_key(&self.settings.key);
                blake3.many(&mode.after(&self.settings.prefix, backend), messages, out);
            }
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) if !prefixed && is_shake(xof) => shake_many(xof, backend, messages, out),
            Kind::Hash(Hash::Skein(skein)) if !prefixed => match skein.size() {
                SkeinSize::Skein256 => skein_many::<Skein256>(skein, backend, messages, out),
                SkeinSize::Skein512 => skein_many::<Skein512>(skein, backend, messages, out),
                SkeinSize::Skein1024 => skein_many::<Skein1024>(skein, backend, messages, out),
            },
            _ => self.one_by_one(messages, out),
        }
    }

    fn one_by_one(&self, messages: &[&[u8]], out: &mut [u8]) {
        let mut hasher = self.hasher();
        for (message, out) in messages.iter().zip(out.chunks_mut(self.output_size())) {
            hasher.update(&self.settings.prefix);
            hasher.update(message);
            hasher.finalize_into_reset(out).expect("the digest has the size of the output");
        }
    }
}

/// BLAKE2 of any length, keyed if the key is not empty: whole states are truncated.
#[cfg(feature = "blake2")]
fn blake2_many<W: Word>(
    blake2: Blake2,
    backend: Backend,
    key: &[u8],
    prefix: &[u8],
    messages: &[&[u8]],
    out: &mut [u8],
) where
    Backend: Engine<Compression<W>>,
{
    let (start, first) = blake2.start::<W>(key, prefix);
    let mut digests = alloc::vec![Output::<LongestBlake2<W>>::default(); messages.len()];
    if first.is_empty() {
        list::digest(backend, &start, |i| [messages[i]], &mut digests);
    } else {
        list::digest(backend, &start, |i| [&first[..], messages[i]], &mut digests);
    }
    for (out, digest) in out.chunks_mut(blake2.output_size()).zip(digests) {
        out.copy_from_slice(&digest[..blake2.output_size()]);
    }
}

#[cfg(feature = "sha3")]
fn is_shake(xof: Xof) -> bool {
    matches!(xof.function(), XofFunction::Shake128 | XofFunction::Shake256)
}

#[cfg(feature = "sha3")]
fn shake_many(xof: Xof, backend: Backend, messages: &[&[u8]], out: &mut [u8]) {
    let mut outs: Vec<&mut [u8]> = out.chunks_mut(xof.output_size()).collect();
    let message = |i: usize| messages[i];
    match xof.function() {
        XofFunction::Shake128 => {
            xof::fill::<functions::Shake128, _>(backend, message, &mut outs);
        }
        _ => xof::fill::<functions::Shake256, _>(backend, message, &mut outs),
    }
}

/// Skein of any length.
fn skein_many<H: SkeinDigest>(skein: Skein, backend: Backend, messages: &[&[u8]], out: &mut [u8])
where
    Backend: Engine<H::Threefish>,
{
    let config: SkeinConfig<H, Backend> = skein.config(TreeParams::default(), backend);
    for (out, digest) in out.chunks_mut(skein.output_size()).zip(config.hash_many(messages)) {
        out.copy_from_slice(&digest);
    }
}
