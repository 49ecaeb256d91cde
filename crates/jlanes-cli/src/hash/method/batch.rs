//! Digests of many small files that are in memory.

use std::io;

use jlanes::{
    Backend, Sha256, Sha512,
    algorithm::{Blake2, Blake2Word, Fixed, Hash, Kind, Skein, SkeinSize},
    merkle::{FsVerity, FsVerityAlgorithm},
    multi::MultiDigest,
    skein::{Skein256, Skein512, Skein1024, SkeinDigest, TreeParams},
};
use jlanes_core::{
    batch::{Start, list},
    engine::Engine,
    hash::{HashFunction, Output},
    hashes::blake2::{Blake2 as Compression, Blake2Word as Word},
};

use jlanes_tree::merkle::CompressionOf;

use super::{Method, Parameters, Scheme, files, hmac, parameters::Whole};

impl Method {
    /// The digests of `messages` under each scheme: on shared lanes where it is a plain hash, or
    /// fs-verity's tree.
    pub(crate) fn batches(&self, messages: &[&[u8]]) -> Vec<Vec<io::Result<Box<[u8]>>>> {
        self.schemes.iter().map(|scheme| self.batch(scheme, messages)).collect()
    }

    fn batch(&self, scheme: &Scheme, messages: &[&[u8]]) -> Vec<io::Result<Box<[u8]>>> {
        let (parameters, backend) = (&*scheme.parameters, self.settings.backend);
        let digests = match scheme.kind() {
            Some(Kind::Hash(Hash::Fixed(fixed))) => match parameters.hmac_key() {
                None => fixed!(fixed, many(backend, &[], messages)),
                Some(key) => {
                    let hasher = Hash::Fixed(fixed).hasher_on(backend);
                    let [inner, outer] = hmac::pads(&*hasher, key, fixed.block_size());
                    let digests = fixed!(fixed, many(backend, &inner, messages));
                    let digests: Vec<&[u8]> = digests.iter().map(|digest| &digest[..]).collect();
                    fixed!(fixed, many(backend, &outer, &digests))
                }
            },
            Some(Kind::Hash(Hash::Skein(skein))) => {
                skein!(skein.size(), skein_many(skein, parameters, backend, messages))
            }
            Some(Kind::Blake2(blake2)) if parameters.hmac_key().is_none() => {
                blake2!(blake2.word(), blake2_many(blake2, parameters, backend, messages))
            }
            Some(Kind::FsVerity { hash: Fixed::Sha512, block }) => {
                fsverity_many::<Sha512>(parameters, block, backend, messages)
            }
            Some(Kind::FsVerity { block, .. }) => {
                fsverity_many::<Sha256>(parameters, block, backend, messages)
            }
            _ => {
                let one = |message: &&[u8]| {
                    let mut hasher = files::hasher(scheme, &self.settings, false);
                    hasher.update(message);
                    hasher.finish()
                };
                return messages.iter().map(one).collect();
            }
        };
        digests.into_iter().map(Ok).collect()
    }
}

/// The digests of messages behind `blocks`, which are whole.
fn many<F: HashFunction>(backend: Backend, blocks: &[u8], messages: &[&[u8]]) -> Vec<Box<[u8]>>
where
    Backend: Engine<F::Compression>,
{
    let mut digests = vec![Output::<F>::default(); messages.len()];
    let (start, _) = Start::<F>::after(backend, blocks);
    list::digest(backend, &start, |i| [messages[i]], &mut digests);
    digests.iter().map(|digest| digest[..].into()).collect()
}

fn skein_many<H: SkeinDigest>(
    skein: Skein,
    parameters: &Parameters,
    backend: Backend,
    messages: &[&[u8]],
) -> Vec<Box<[u8]>>
where
    Backend: Engine<H::Threefish>,
{
    let config = parameters.skein::<H, _>(skein.output_bits(), TreeParams::default(), backend);
    config.hash_many(messages)
}

/// BLAKE2: whole states are cut, so that one function has all lengths.
fn blake2_many<W: Word>(
    blake2: Blake2,
    parameters: &Parameters,
    backend: Backend,
    messages: &[&[u8]],
) -> Vec<Box<[u8]>>
where
    Backend: Engine<Compression<W>>,
{
    let (start, first) = parameters.blake2::<W>(blake2);
    let mut digests = vec![Output::<Whole<W>>::default(); messages.len()];
    if first.is_empty() {
        list::digest(backend, &start, |i| [messages[i]], &mut digests);
    } else {
        list::digest(backend, &start, |i| [&first[..], messages[i]], &mut digests);
    }
    digests.iter().map(|digest| digest[..blake2.output_size()].into()).collect()
}

fn fsverity_many<H>(
    parameters: &Parameters,
    block: usize,
    backend: Backend,
    messages: &[&[u8]],
) -> Vec<Box<[u8]>>
where
    H: MultiDigest<Function: FsVerityAlgorithm> + Clone,
    Backend: Engine<CompressionOf<FsVerity<H>>>,
{
    let format = FsVerity::<H>::new(block, parameters.salt()).expect("schemes have been checked");
    let digests = format.digest_many_on(backend, messages);
    digests.iter().map(|digest| digest[..].into()).collect()
}
