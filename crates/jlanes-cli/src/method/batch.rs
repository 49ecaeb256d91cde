//! Digests of many small files that are in memory.

use std::io;

use jlanes::{
    Algorithm, Backend,
    algorithm::{Hash, Kind, Sha, Skein, SkeinSize},
    multi::Engine,
    skein::{Skein256, Skein512, Skein1024, SkeinDigest, TreeParams},
};
use jlanes_core::{
    batch::list,
    hash::{HashFunction, Output},
    hmac, sha1, sha2,
};

use super::{Method, Options, files};

impl Method {
    /// The digests of `messages` under each algorithm: on shared lanes where it is a plain hash.
    pub(crate) fn batches(&self, messages: &[&[u8]]) -> Vec<Vec<io::Result<Box<[u8]>>>> {
        self.algorithms.iter().map(|algorithm| self.batch(*algorithm, messages)).collect()
    }

    fn batch(&self, algorithm: Algorithm, messages: &[&[u8]]) -> Vec<io::Result<Box<[u8]>>> {
        let (options, backend) = (&*self.settings.options, self.settings.backend);
        let digests = match algorithm.kind() {
            Kind::Hash(Hash::Sha(sha)) => sha!(sha, many(options, backend, messages)),
            Kind::Hash(Hash::Skein(skein)) => {
                skein!(skein.size(), skein_many(skein, options, backend, messages))
            }
            _ => {
                let one = |message: &&[u8]| {
                    let mut hasher = files::hasher(algorithm, &self.settings, false);
                    hasher.update(message);
                    hasher.finish()
                };
                return messages.iter().map(one).collect();
            }
        };
        digests.into_iter().map(Ok).collect()
    }
}

fn many<F: HashFunction>(options: &Options, backend: Backend, messages: &[&[u8]]) -> Vec<Box<[u8]>>
where
    Backend: Engine<F::Compression>,
{
    let mut digests = vec![Output::<F>::default(); messages.len()];
    match options.hmac_key() {
        None => list::digest_prefixed::<F, _>(backend, &[], |i| messages[i], &mut digests),
        Some(key) => hmac::digest::<F, _>(backend, key, |i| messages[i], &mut digests),
    }
    digests.iter().map(|digest| digest[..].into()).collect()
}

fn skein_many<H: SkeinDigest>(
    skein: Skein,
    options: &Options,
    backend: Backend,
    messages: &[&[u8]],
) -> Vec<Box<[u8]>>
where
    Backend: Engine<H::Threefish>,
{
    let config = options.skein::<H, _>(skein.output_bits(), TreeParams::default(), backend);
    config.hash_many(messages)
}
