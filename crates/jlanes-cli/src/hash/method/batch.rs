//! Digests of many small files that are in memory.

use std::io;

use jlanes::{
    Backend, Sha256, Sha512,
    algorithm::{Fixed, Kind},
    merkle::{CompressionOf, Engine, FsVerity, FsVerityAlgorithm},
    multi::MultiDigest,
};

use super::{Method, Parameters, Scheme, What, files, shared};

impl Method {
    /// The digests of `messages` under each scheme: on shared lanes where it is a plain hash, or
    /// fs-verity's tree.
    pub(crate) fn batches(&self, messages: &[&[u8]]) -> Vec<Vec<io::Result<Box<[u8]>>>> {
        self.schemes.iter().map(|scheme| self.batch(scheme, messages)).collect()
    }

    fn batch(&self, scheme: &Scheme, messages: &[&[u8]]) -> Vec<io::Result<Box<[u8]>>> {
        let (parameters, backend) = (&*scheme.parameters, self.settings.backend);
        if let What::Digest(algorithm) = scheme.what
            && let Some(lanes) = shared::scheduler(scheme, algorithm, backend)
        {
            return lanes.digests(messages).into_iter().map(Ok).collect();
        }
        let digests = match scheme.kind() {
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
