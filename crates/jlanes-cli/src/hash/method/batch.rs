//! Digests of many files that share lanes.

use std::io;

use jlanes::{
    Algorithm, Backend, Sha256, Sha512,
    algorithm::{AnyScheduler, Fixed, Hash, Kind, SkeinSize},
    merkle::{CompressionOf, Engine, FsVerity, FsVerityAlgorithm},
    multi::MultiDigest,
    skein::{Skein256, Skein512, Skein1024, TreeParams},
};
use jlanes_files::{Digester, FileSource};

use super::{Computation, Parameters, Scheme, files, pointers::leaf_prefix};

/// A scheduler of messages under `scheme`, which is of `algorithm`, if they share lanes.
pub(super) fn scheduler(
    scheme: &Scheme,
    algorithm: Algorithm,
    backend: Backend,
) -> Option<AnyScheduler<'static, FileSource>> {
    let parameters = &*scheme.parameters;
    let lanes = |algorithm: Algorithm| Some(algorithm.lanes().ok()?.on(backend));
    if let Some(key) = parameters.hmac_key() {
        return lanes(algorithm)?.hmac_scheduler(key).ok();
    }
    match (algorithm.kind(), parameters.own_key()) {
        (Kind::Hash(Hash::Skein(skein)), _) => skein!(skein.size(), H => {
            let config = parameters.skein::<H>(skein.output_bits(), TreeParams::default());
            let config = config.build_on(backend).expect("the algorithm's name was parsed");
            Some(AnyScheduler::skein(config, &[]))
        }),
        (Kind::Blake2(_), Some(key)) => Some(lanes(algorithm)?.keyed(key).ok()?.scheduler()),
        (Kind::Hash(_) | Kind::Blake2(_), _) => algorithm.scheduler(backend),
        (Kind::JPointers { hash, raw }, _) => {
            Some(lanes(hash.into())?.prefix(&leaf_prefix(hash, raw)).scheduler())
        }
        _ => None,
    }
}

/// The digests of `messages`: on shared lanes where it is a plain hash, or fs-verity's tree.
pub(super) fn digests(
    scheme: &Scheme,
    messages: &[&[u8]],
    backend: Backend,
) -> Vec<io::Result<Box<[u8]>>> {
    let parameters = &*scheme.parameters;
    if let Computation::Digest(algorithm) = scheme.what
        && let Some(lanes) = scheduler(scheme, algorithm, backend)
    {
        return lanes.digests(messages).into_iter().map(|output| scheme.result(output)).collect();
    }
    let digests = match scheme.kind() {
        Some(Kind::FsVerity { hash: Fixed::Sha512, block }) => {
            fsverity_many::<Sha512>(parameters, block, backend, messages)
        }
        Some(Kind::FsVerity { block, .. }) => {
            fsverity_many::<Sha256>(parameters, block, backend, messages)
        }
        Some(Kind::Blake3(blake3)) if parameters.seek.is_none() => {
            let size = blake3.output_size();
            let mut out = vec![0; messages.len() * size];
            blake3.digest_many_on(parameters.blake3_mode(), backend, messages, &mut out);
            out.chunks(size).map(Into::into).collect()
        }
        _ => {
            let one = |message: &&[u8]| {
                let mut hasher = files::hasher(scheme, backend, false);
                hasher.update(message);
                hasher.finish()
            };
            return messages.iter().map(one).collect();
        }
    };
    digests.into_iter().map(Ok).collect()
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
