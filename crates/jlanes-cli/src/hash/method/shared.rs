//! Lanes that files share.

use jlanes::{
    Algorithm, Backend,
    algorithm::{AnyScheduler, Hash, Kind, SkeinSize},
    multi::Usage,
    skein::{Skein256, Skein512, Skein1024, TreeParams},
};

use super::{Method, Scheme, What, pointers::leaf_prefix};
use crate::{
    files::read::FileSource,
    hash::lanes::{Finished, Lanes, Report},
};

impl Method {
    /// Lanes that files share under `scheme`, if they do.
    pub(super) fn shared_lanes(&self, scheme: &Scheme) -> Option<Box<dyn Lanes>> {
        let What::Digest(algorithm) = scheme.what else { return None };
        let backend = self.settings.backend;
        let scheduler = scheduler(scheme, algorithm, backend)?;
        Some(Box::new(Shared { scheduler, algorithm, backend }))
    }

    /// The kernels that its first scheme's hash runs on, by live lanes.
    pub(crate) fn kernels(&self) -> Vec<(usize, &'static str)> {
        match self.schemes[0].what {
            What::Digest(algorithm) => algorithm.kernels_on(self.settings.backend),
            What::Checksum(_) | What::Directory(_) => vec![(1, "scalar")],
        }
    }
}

/// Among how many of `threads` threads so many files are best dealt, if they are large and alike.
pub(crate) fn threads(schemes: &[Scheme], backend: Backend, files: usize, threads: usize) -> usize {
    match schemes {
        [Scheme { what: What::Digest(algorithm), .. }] => {
            algorithm.threads_on(backend, files, threads)
        }
        _ => threads,
    }
}

/// A scheduler of messages under `scheme`, which is of `algorithm`, if they share lanes.
pub(super) fn scheduler(
    scheme: &Scheme,
    algorithm: Algorithm,
    backend: Backend,
) -> Option<AnyScheduler<'static, FileSource>> {
    let parameters = &*scheme.parameters;
    if let Some(key) = parameters.hmac_key() {
        return AnyScheduler::hmac(algorithm, key, backend).ok();
    }
    match (algorithm.kind(), parameters.own_key()) {
        (Kind::Hash(Hash::Skein(skein)), _) => skein!(skein.size(), H => {
            let config = parameters.skein::<H>(skein.output_bits(), TreeParams::default());
            let config = config.build_on(backend).expect("the algorithm's name was parsed");
            Some(AnyScheduler::skein(config, &[]))
        }),
        (Kind::Blake2(_), Some(key)) => AnyScheduler::keyed(algorithm, key, backend).ok(),
        (Kind::Hash(_) | Kind::Blake2(_), _) => AnyScheduler::new(algorithm, &[], backend).ok(),
        (Kind::JPointers { hash, raw }, _) => {
            AnyScheduler::new(hash.into(), &leaf_prefix(hash, raw), backend).ok()
        }
        _ => None,
    }
}

/// Lanes filled with messages of one hash function.
struct Shared {
    scheduler: AnyScheduler<'static, FileSource>,
    algorithm: Algorithm,
    backend: Backend,
}

impl Lanes for Shared {
    fn submit(&mut self, source: FileSource) {
        self.scheduler.submit(source);
    }

    fn len(&self) -> usize {
        self.scheduler.len()
    }

    fn step(&mut self, finished: &mut Vec<Finished>) {
        finished.extend(
            self.scheduler.step().map(|(end, digest)| Finished {
                end,
                digests: digest.map(|digest| vec![Ok(digest)]),
            }),
        );
    }

    fn usage(&self) -> Usage {
        self.scheduler.usage()
    }

    fn report(&self) -> Report {
        let kernels = self.algorithm.kernels_on(self.backend);
        Report { kernels, lanes: self.scheduler.lanes(), usage: self.usage() }
    }
}
