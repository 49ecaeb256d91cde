//! The digests that `--algorithm` and its options request, and their hashers.

use std::io;

use jlanes::{Backend, algorithm::AnyScheduler};
use jlanes_files::{Digester, FileHasher, FileSource};

/// Evaluates `$result` with `$hasher` as the hasher type of a
/// [`SkeinSize`](jlanes::algorithm::SkeinSize).
macro_rules! skein {
    ($size:expr, $hasher:ident => $result:expr) => {
        match $size {
            SkeinSize::Skein256 => {
                type $hasher = Skein256;
                $result
            }
            SkeinSize::Skein512 => {
                type $hasher = Skein512;
                $result
            }
            SkeinSize::Skein1024 => {
                type $hasher = Skein1024;
                $result
            }
        }
    };
}

mod batch;
mod checksum;
mod files;
mod parameters;
mod pointers;
mod scheme;
mod sought;

pub(crate) use self::{
    checksum::Checksum,
    parameters::{Parameters, Secret, SkeinArguments},
    pointers::{Pointers, of_one_file},
    scheme::{Computation, Family, Misfit, Named, Scheme, family},
};

impl Digester for Scheme {
    fn hasher(&self, backend: Backend, parallel: bool) -> Box<dyn FileHasher> {
        files::hasher(self, backend, parallel)
    }

    fn scheduler(&self, backend: Backend) -> Option<AnyScheduler<'static, FileSource>> {
        let Computation::Digest(algorithm) = self.what else { return None };
        batch::scheduler(self, algorithm, backend)
    }

    fn result(&self, output: Box<[u8]>) -> io::Result<Box<[u8]>> {
        match self.what {
            Computation::Digest(algorithm) if self.parameters.hmac_key().is_none() => {
                algorithm.result(output)
            }
            _ => Ok(output),
        }
    }

    fn batch(&self, messages: &[&[u8]], backend: Backend) -> Vec<io::Result<Box<[u8]>>> {
        batch::digests(self, messages, backend)
    }

    fn is_alone(&self) -> bool {
        matches!(self.what, Computation::Digest(algorithm) if algorithm.is_alone())
    }

    fn longest_leaf(&self) -> usize {
        let Computation::Digest(algorithm) = self.what else { return 0 };
        algorithm.longest_leaf()
    }

    fn threads(&self, backend: Backend, files: usize, most: usize) -> usize {
        let Computation::Digest(algorithm) = self.what else { return most };
        algorithm.threads_on(backend, files, most)
    }

    fn kernels(&self, backend: Backend) -> Vec<(usize, &'static str)> {
        match self.what {
            Computation::Digest(algorithm) => algorithm.kernels_on(backend),
            Computation::Checksum(_) | Computation::Directory(_) => vec![(1, "scalar")],
        }
    }
}
