//! Lanes that files share.

use jlanes::{
    Algorithm, Backend,
    algorithm::{Hash, Kind, Sha, Skein, SkeinSize},
    skein::{Skein256, Skein512, Skein1024, SkeinDigest, TreeParams},
};
use jlanes_core::{
    batch::{Start, chain},
    engine::Engine,
    hash::{HashFunction, Output},
    hashes::{sha1, sha2, skein::Node},
    mac::hmac::Pads,
};

use super::{Method, hash_of};
use crate::{
    files::read::Head,
    hash::{
        Settings,
        lanes::{Lanes, Scheduled, kernels},
        pointers::leaf_prefix,
    },
};

impl Method {
    /// Lanes that files share under `algorithm`, if they do.
    pub(super) fn shared_lanes(&self, algorithm: Algorithm) -> Option<Box<dyn Lanes>> {
        let (hash, prefix) = match algorithm.kind() {
            Kind::Hash(hash) => (hash, Vec::new()),
            Kind::JPointers { hash, raw } => (hash, leaf_prefix(hash, raw)),
            _ => return None,
        };
        let backend = self.settings.backend;
        Some(match hash {
            Hash::Sha(sha) => match self.settings.options.hmac_key() {
                None => sha!(sha, linear(backend, &prefix)),
                Some(key) => sha!(sha, hmac(backend, key)),
            },
            Hash::Skein(skein) => skein!(skein.size(), nodes(skein, &self.settings, &prefix)),
        })
    }

    /// The kernels that its first algorithm's hash runs on, by live lanes.
    pub(crate) fn kernels(&self) -> Vec<(usize, &'static str)> {
        let backend = self.settings.backend;
        match hash_of(self.algorithms[0]) {
            Hash::Sha(sha) => sha!(sha, kernels(backend)),
            Hash::Skein(skein) => skein!(skein.size(), node_kernels(backend)),
        }
    }
}

fn node_kernels<H: SkeinDigest>(backend: Backend) -> Vec<(usize, &'static str)>
where
    Backend: Engine<H::Threefish>,
{
    kernels::<Node<H::Threefish>>(backend)
}

fn linear<F: HashFunction>(backend: Backend, prefix: &[u8]) -> Box<dyn Lanes>
where
    Backend: Engine<F::Compression>,
{
    let (start, rest) = Start::<F>::after(backend, prefix);
    Box::new(Scheduled::<F>::new(backend, start, Head::new(rest), |digest| digest[..].into()))
}

/// HMAC: the messages follow the key's inner block, and each digest its outer one.
fn hmac<F: HashFunction>(backend: Backend, key: &[u8]) -> Box<dyn Lanes>
where
    Backend: Engine<F::Compression>,
{
    let [pads] = Pads::new::<F, Backend, 1>(backend, &[key]);
    let (start, rest) = Start::<F>::after(backend, pads.inner::<F>());
    let head = Head::new(rest);
    let outer = move |mut digest: Output<F>| {
        let digest = std::slice::from_mut(&mut digest);
        chain::digest::<F, _>(backend, pads.outer::<F>(), digest, 1);
        digest[0][..].into()
    };
    Box::new(Scheduled::<F>::new(backend, start, head, outer))
}

/// Skein: the messages are nodes, whose chaining values digests are made of.
fn nodes<H>(skein: Skein, settings: &Settings, head: &[u8]) -> Box<dyn Lanes>
where
    H: SkeinDigest + 'static,
    Backend: Engine<H::Threefish>,
{
    let Settings { options, backend, .. } = settings;
    let config = options.skein::<H, _>(skein.output_bits(), TreeParams::default(), *backend);
    let start = config.start();
    let output = move |end: Output<Node<H::Threefish>>| config.digest_of(&end);
    Box::new(Scheduled::<Node<H::Threefish>>::new(*backend, start, Head::new(head), output))
}
