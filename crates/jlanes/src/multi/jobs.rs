//! [`ThreadedJobs`], the jobs on many messages, split for threads. Typed handles and algorithms by
//! name share it. Digests are contiguous.

#[cfg(feature = "alloc")]
use jlanes_core::{function::tweaked::TweakedChains, lanes::outputs::Slices};
use jlanes_core::{
    function::{Batch, Function},
    jobs::CompiledWord,
    simd::vector::Word,
};

use super::threads::Threads;
#[cfg(feature = "alloc")]
use super::value_size;

/// A hash function, and the settings of all jobs.
pub(crate) struct ThreadedJobs<'j, W: Word> {
    pub(crate) function: &'j Function<W>,
    pub(crate) prefix: &'j [u8],
    pub(crate) threads: Threads,
}

impl<W: CompiledWord> ThreadedJobs<'_, W> {
    /// Calls `job` with parts of `out`, which has `width` elements for each message.
    #[inline]
    fn for_each_part<T: Send>(
        &self,
        blocks: &dyn Fn(usize, &[T]) -> u64,
        out: (&mut [T], usize),
        job: &(dyn Fn(usize, &mut [T]) + Sync),
    ) {
        self.threads.for_each_part(|| self.function.kernels(), blocks, out, job);
    }

    /// Calls `job` with parts of the digests' bytes and the messages of each. A message costs its own
    /// blocks plus `extra`.
    #[inline]
    fn for_each_batch_part(
        &self,
        messages: &Batch<'_, '_>,
        extra: u64,
        out: &mut [u8],
        job: &(dyn Fn(&Batch<'_, '_>, usize, &mut [u8]) + Sync),
    ) {
        if self.threads == Threads::One {
            return job(messages, 0, out);
        }
        let (hash, size) = (self.function.descriptor(), self.function.output_size());
        self.function.check(messages, out); // a job sees only its part
        let blocks = |i: usize, _: &[u8]| hash.blocks(messages.len_at_position(i)) as u64 + extra;
        self.for_each_part(&blocks, (out, size), &|first, out| {
            job(&messages.part_renumbered(first..first + out.len() / size), first, out);
        });
    }

    // typed handles hash by BatchDigest, which BLAKE3 has, too
    #[cfg(any(feature = "trees", all(feature = "alloc", feature = "sha1dc")))]
    pub(crate) fn digest(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        self.for_each_batch_part(messages, 0, out, &|messages, _, out| {
            self.function.digest(self.prefix, messages, out);
        });
    }

    pub(crate) fn double(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        self.for_each_batch_part(messages, 1, out, &|messages, _, out| {
            self.function.double(self.prefix, messages, out);
        });
    }

    pub(crate) fn chains(&self, digests: &mut [u8], steps: u64) {
        let size = self.function.output_size();
        self.for_each_part(&|_, _| steps, (digests, size), &|_, digests| {
            self.function.chains(self.prefix, digests, steps);
        });
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn tweaked_chains(
        &self,
        chains: &TweakedChains<'_>,
        values: &mut [impl AsMut<[u8]> + Send],
    ) {
        let value = value_size(values);
        let step = self.function.descriptor().blocks(chains.size + value) as u64;
        let blocks = |i: usize, _: &[_]| chains.count(i) * step;
        self.for_each_part(&blocks, (values, 1), &|first, values| {
            assert_eq!(value_size(values), value, "all values have the same length");
            chains.skip(first, &mut |chains| {
                let (count, values) = (values.len(), &mut Slices(&mut *values));
                self.function.tweaked_chains(self.prefix, chains, count, values);
            });
        });
    }

    pub(crate) fn hmac(&self, key: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]) {
        self.for_each_batch_part(messages, 1, out, &|messages, _, out| {
            self.function.hmac(key, self.prefix, messages, out);
        });
    }

    pub(crate) fn hmac_keyed(
        &self,
        keys: &Batch<'_, '_>,
        messages: &Batch<'_, '_>,
        out: &mut [u8],
    ) {
        self.for_each_batch_part(messages, 3, out, &|messages, first, out| {
            let keys = keys.part_renumbered(first..first + messages.len());
            self.function.hmac_keyed(&keys, self.prefix, messages, out);
        });
    }

    pub(crate) fn pbkdf2(
        &self,
        passwords: &Batch<'_, '_>,
        salts: &Batch<'_, '_>,
        rounds: u32,
        outs: &mut [&mut [u8]],
    ) {
        let blocks = |_: usize, outs: &[&mut [u8]]| self.pbkdf2_blocks(outs[0].len(), rounds);
        self.for_each_part(&blocks, (outs, 1), &|first, outs| {
            self.pbkdf2_part((passwords, salts, rounds), first, outs);
        });
    }

    /// [`pbkdf2`](Self::pbkdf2) with contiguous keys of `width` bytes, without a list of all of them.
    #[cfg(feature = "trees")]
    pub(crate) fn pbkdf2_records(
        &self,
        passwords: &Batch<'_, '_>,
        salts: &Batch<'_, '_>,
        rounds: u32,
        (out, width): (&mut [u8], usize),
    ) {
        let blocks = |_: usize, _: &[u8]| self.pbkdf2_blocks(width, rounds);
        self.for_each_part(&blocks, (out, width), &|start, out| {
            super::slices::with_output_chunks(out, width, &mut |first, outs| {
                self.pbkdf2_part((passwords, salts, rounds), start + first, outs);
            });
        });
    }

    /// Blocks of all rounds of a key of `len` bytes: two for each HMAC.
    fn pbkdf2_blocks(&self, len: usize, rounds: u32) -> u64 {
        len.div_ceil(self.function.output_size()) as u64 * 2 * u64::from(rounds.max(1))
    }

    /// The keys of passwords from `first` on.
    fn pbkdf2_part(
        &self,
        (passwords, salts, rounds): (&Batch<'_, '_>, &Batch<'_, '_>, u32),
        first: usize,
        outs: &mut [&mut [u8]],
    ) {
        let own = first..first + outs.len();
        let (passwords, salts) =
            (passwords.part_renumbered(own.clone()), salts.part_renumbered(own));
        self.function.pbkdf2(&passwords, (self.prefix, &salts), rounds, outs);
    }
}
