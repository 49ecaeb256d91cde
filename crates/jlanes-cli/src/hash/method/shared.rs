//! Lanes that files share.

use std::collections::VecDeque;

use jlanes::{
    Backend,
    algorithm::{Blake2, Blake2Word, Fixed, Hash, Kind, Skein, SkeinSize},
    multi::{Source, Usage},
    skein::{Skein256, Skein512, Skein1024, SkeinDigest, TreeParams},
};
use jlanes_core::{
    batch::{Batch, Start, load::Load},
    engine::Engine,
    hash::{HashFunction, Output},
    hashes::{
        blake2::{Blake2 as Compression, Blake2Word as Word},
        skein::Node,
    },
};

use super::{
    Method, Scheme, hash_of,
    hmac::{self, Hmac},
    parameters::Whole,
    pointers::leaf_prefix,
};
use crate::{
    files::read::{FileSource, Head},
    hash::lanes::{Finished, Lanes, Report},
};

impl Method {
    /// Lanes that files share under `scheme`, if they do.
    pub(super) fn shared_lanes(&self, scheme: &Scheme) -> Option<Box<dyn Lanes>> {
        let (hash, prefix) = match scheme.kind()? {
            Kind::Hash(hash) => (hash, Vec::new()),
            Kind::Blake2(_) if scheme.parameters.hmac_key().is_some() => return None,
            Kind::Blake2(blake2) => {
                let backend = self.settings.backend;
                return Some(blake2!(blake2.word(), blake2_lanes(blake2, scheme, backend)));
            }
            Kind::JPointers { hash, raw } => (hash, leaf_prefix(hash, raw)),
            _ => return None,
        };
        let backend = self.settings.backend;
        let whole: Cut = Box::new(|digest| digest.into());
        Some(match hash {
            Hash::Fixed(fixed) => match scheme.parameters.hmac_key() {
                None => fixed!(fixed, linear(backend, &prefix, whole)),
                Some(key) => {
                    let (hasher, block) = (hash.hasher_on(backend), fixed.block_size());
                    let [inner, _] = hmac::pads(&*hasher, key, block);
                    let hmac = Hmac::new(hasher, key, block);
                    let tag = Box::new(move |digest: &[u8]| hmac.tag(digest));
                    fixed!(fixed, linear(backend, &inner, tag))
                }
            },
            Hash::Skein(skein) => skein!(skein.size(), nodes(skein, scheme, backend, &prefix)),
            _ => return None,
        })
    }

    /// The kernels that its first scheme's hash runs on, by live lanes.
    pub(crate) fn kernels(&self) -> Vec<(usize, &'static str)> {
        let backend = self.settings.backend;
        let Some(kind) = self.schemes[0].kind() else { return vec![(1, "scalar")] };
        if let Kind::Blake2(blake2) = kind {
            return blake2!(blake2.word(), blake2_kernels(backend));
        }
        match hash_of(kind) {
            Hash::Fixed(fixed) => fixed!(fixed, kernels(backend)),
            Hash::Skein(skein) => skein!(skein.size(), node_kernels(backend)),
            _ => vec![(1, "scalar")],
        }
    }
}

/// Among how many of `threads` threads so many files are best dealt, if they are large and alike: the
/// fewest that come near the best time. Lanes that are half filled may take as long as full ones, and
/// then two threads are no faster than one.
pub(crate) fn threads(schemes: &[Scheme], backend: Backend, files: usize, threads: usize) -> usize {
    let [scheme] = schemes else { return threads };
    match scheme.kind() {
        Some(Kind::Hash(hash) | Kind::JPointers { hash, .. }) => match hash {
            Hash::Fixed(fixed) => fixed!(fixed, parts(backend, files, threads)),
            Hash::Skein(skein) => skein!(skein.size(), node_parts(backend, files, threads)),
            _ => threads,
        },
        Some(Kind::Blake2(blake2)) => {
            blake2!(blake2.word(), blake2_parts(backend, files, threads))
        }
        _ => threads,
    }
}

fn blake2_parts<W: Word>(backend: Backend, files: usize, threads: usize) -> usize
where
    Backend: Engine<Compression<W>>,
{
    parts::<Whole<W>>(backend, files, threads)
}

fn blake2_kernels<W: Word>(backend: Backend) -> Vec<(usize, &'static str)>
where
    Backend: Engine<Compression<W>>,
{
    kernels::<Whole<W>>(backend)
}

fn node_parts<H: SkeinDigest>(backend: Backend, files: usize, threads: usize) -> usize
where
    Backend: Engine<H::Threefish>,
{
    parts::<Node<H::Threefish>>(backend, files, threads)
}

fn parts<F: HashFunction>(backend: Backend, files: usize, threads: usize) -> usize
where
    Backend: Engine<F::Compression>,
{
    /// Blocks of a large file.
    const LARGE: u64 = 1 << 20;
    let load = Load::of_equal(files, LARGE);
    load.parts::<F::Compression, _>(backend, threads).min(threads)
}

fn node_kernels<H: SkeinDigest>(backend: Backend) -> Vec<(usize, &'static str)>
where
    Backend: Engine<H::Threefish>,
{
    kernels::<Node<H::Threefish>>(backend)
}

// Each kind of lanes is a function by itself: the stack that they need to be made is not needed for
// all kinds at once.

#[inline(never)]
fn linear<F: HashFunction>(backend: Backend, prefix: &[u8], output: Cut) -> Box<dyn Lanes>
where
    Backend: Engine<F::Compression>,
{
    let (start, rest) = Start::<F>::after(backend, prefix);
    Box::new(Scheduled::<F>::new(backend, start, Head::new(rest), output))
}

/// Skein: the messages are nodes, whose chaining values digests are made of.
#[inline(never)]
fn nodes<H>(skein: Skein, scheme: &Scheme, backend: Backend, head: &[u8]) -> Box<dyn Lanes>
where
    H: SkeinDigest + 'static,
    Backend: Engine<H::Threefish>,
{
    let bits = skein.output_bits();
    let config = scheme.parameters.skein::<H, _>(bits, TreeParams::default(), backend);
    let start = config.start();
    let output = move |end: &[u8]| {
        let end = Output::<Node<H::Threefish>>::try_from(end);
        config.digest_of(&end.expect("the lanes leave nodes"))
    };
    let head = Head::new(head);
    Box::new(Scheduled::<Node<H::Threefish>>::new(backend, start, head, Box::new(output)))
}

/// BLAKE2: whole states are cut, so that one function has all lengths.
#[inline(never)]
fn blake2_lanes<W: Word>(blake2: Blake2, scheme: &Scheme, backend: Backend) -> Box<dyn Lanes>
where
    Backend: Engine<Compression<W>>,
{
    let (start, first) = scheme.parameters.blake2::<W>(blake2);
    let output = move |digest: &[u8]| digest[..blake2.output_size()].into();
    Box::new(Scheduled::<Whole<W>>::new(backend, start, Head::new(&first), Box::new(output)))
}

/// Makes a digest of what comes out of the lanes.
type Cut = Box<dyn Fn(&[u8]) -> Box<[u8]>>;

/// Lanes filled with messages of one hash function, by S-HASH.
struct Scheduled<F: HashFunction> {
    engine: Backend,
    /// On the heap from the start: it is thousands of bytes, and moving it would take as much stack.
    batch: Box<Batch<F, Backend, FileSource>>,
    waiting: VecDeque<FileSource>,
    head: Head,
    output: Cut,
}

impl<F: HashFunction> Scheduled<F>
where
    Backend: Engine<F::Compression>,
{
    /// Lanes whose messages begin at `start` with `head`; `output` makes their digests of what
    /// comes out.
    fn new(engine: Backend, start: Start<F>, head: Head, output: Cut) -> Self {
        let (batch, waiting) = (Box::new(Batch::new(engine, start)), VecDeque::new());
        Self { engine, batch, waiting, head, output }
    }
}

impl<F: HashFunction> Lanes for Scheduled<F>
where
    Backend: Engine<F::Compression>,
{
    fn submit(&mut self, source: FileSource) {
        self.waiting.push_back(source.after(&self.head));
    }

    fn len(&self) -> usize {
        self.waiting.len() + self.batch.live()
    }

    fn step(&mut self, finished: &mut Vec<Finished>) {
        let Self { batch, waiting, output, .. } = self;
        batch.step(
            || waiting.pop_front(),
            |source, result| {
                let end = Source::into_key(source);
                let digests = result.map(|digest| vec![Ok(output(&digest))]);
                finished.push(Finished { end, digests });
            },
        );
    }

    fn usage(&self) -> Usage {
        self.batch.usage()
    }

    fn report(&self) -> Report {
        let lanes = Engine::<F::Compression>::lanes(&self.engine);
        Report { kernels: kernels::<F>(self.engine), lanes, usage: self.usage() }
    }
}

/// The kernels of `F`, each with the least number of live lanes for which it runs.
fn kernels<F: HashFunction>(backend: Backend) -> Vec<(usize, &'static str)>
where
    Backend: Engine<F::Compression>,
{
    let lanes = Engine::<F::Compression>::lanes(&backend);
    let kernel = |live| Engine::<F::Compression>::kernel_name(&backend, live);
    let mut kernels: Vec<_> = (1..=lanes).map(|live| (live, kernel(live))).collect();
    kernels.dedup_by_key(|(_, kernel)| *kernel);
    kernels
}
