//! Loads and stores next to pages that are not mapped: one byte too far is a fault of the process.

#![cfg(unix)]

use std::{ptr, slice};

use jlanes_core::{
    compression::Compression,
    function::{BatchFunction, Function},
    hash::Output,
    hashes::{
        blake2, blake3,
        keccak::functions,
        sha1::Sha1,
        sha2::{Sha2, Sha256, Sha512},
        skein,
    },
    kernel::{Feed, HasKernels, KernelCode, Table, feed::BlockLayout},
    simd::{
        portable::Portable,
        runs::Runs,
        vector::{ByteOrder, Word},
    },
};
use jlanes_simd::Backend;
use jlanes_testing::{backends, message};

/// Memory between two pages that are not mapped.
struct Guarded {
    pages: *mut u8,
    page: usize,
    len: usize,
}

impl Guarded {
    fn new(len: usize) -> Self {
        // SAFETY: it only reads a setting.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let len = len.next_multiple_of(page);
        let (access, flags) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: the kernel chooses where; nothing else is there.
        let pages = unsafe { libc::mmap(ptr::null_mut(), len + 2 * page, access, flags, -1, 0) };
        assert_ne!(pages, libc::MAP_FAILED);
        let pages = pages.cast::<u8>();
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: one page further is in the mapping.
        let inner = unsafe { pages.add(page) };
        // SAFETY: the pages are part of the mapping, which nobody uses yet.
        assert_eq!(unsafe { libc::mprotect(inner.cast(), len, access) }, 0);
        Self { pages, page, len }
    }

    /// All bytes between the guards.
    fn all(&mut self) -> &mut [u8] {
        // SAFETY: one page further is in the mapping.
        let inner = unsafe { self.pages.add(self.page) };
        // SAFETY: `len` bytes from there on are mapped, initialized with zeros, and borrowed with `self`.
        unsafe { slice::from_raw_parts_mut(inner, self.len) }
    }

    /// The last `len` bytes.
    fn last(&mut self, len: usize) -> &mut [u8] {
        let all = self.len;
        &mut self.all()[all - len..]
    }

    /// The last words.
    fn last_words<W: Word>(&mut self, count: usize) -> &mut [W] {
        let bytes = self.last(count * W::BYTES);
        assert!(bytes.as_ptr().addr().is_multiple_of(W::BYTES));
        // SAFETY: the bytes are aligned, and any of them are words `u32` or `u64`.
        unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), count) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and borrows of it have ended.
        unsafe { libc::munmap(self.pages.cast(), self.len + 2 * self.page) };
    }
}

/// A message that ends before one guard, and one that begins behind the other.
struct Texts([Guarded; 2]);

impl Texts {
    fn new(len: usize) -> Self {
        Self([0, 1].map(|seed| {
            let mut texts = Guarded::new(len);
            let all = texts.len;
            texts.all().copy_from_slice(&message(seed, all));
            texts
        }))
    }

    /// Messages of such lengths: their ends, or their beginnings, are next to a guard.
    fn of(&mut self, lens: &[usize], at_end: bool) -> Vec<&[u8]> {
        let [a, b] = self.0.each_mut().map(|texts| &*texts.all());
        let text = |i: usize| if i.is_multiple_of(2) { a } else { b };
        let part = |(i, len): (usize, &usize)| {
            let text = text(i);
            if at_end { &text[text.len() - len..] } else { &text[..*len] }
        };
        lens.iter().enumerate().map(part).collect()
    }
}

/// The word at byte `at` of a message with its padding.
fn word<W: Word>(order: ByteOrder, message: &[u8], pad: Option<u8>, at: usize) -> W {
    let byte = |i: usize| match message.get(i) {
        Some(byte) => *byte,
        None if i == message.len() => pad.unwrap_or(0),
        None => 0,
    };
    let bytes: Vec<u8> = (at..at + W::BYTES).map(byte).collect();
    W::read(order, &bytes)
}

/// A feed, with what its results are put into.
struct Fed<'a, W: Word> {
    feed: &'static Feed<W>,
    block: BlockLayout,
    out: &'a mut Guarded,
}

impl<W: Word> Fed<'_, W> {
    /// Compares a block that `fill` puts into rows, with and without a gap between these.
    fn check(&mut self, fill: impl Fn(&mut [W], usize), word: impl Fn(usize, usize) -> W) {
        let lanes = self.feed.lanes;
        for stride in [lanes, lanes + 3] {
            let words = (self.block.words - 1) * stride + lanes;
            let out = self.out.last_words::<W>(words);
            fill(out, stride);
            for i in 0..self.block.words {
                for l in 0..lanes {
                    assert_eq!(out[i * stride + l], word(i, l), "word {i} of lane {l}");
                }
            }
        }
    }

    fn blocks(&mut self, texts: &mut Texts) {
        let (feed, block) = (self.feed, self.block);
        let bytes = block.words * W::BYTES;
        for at in [0, bytes] {
            // the shortest run goes on by less than a square, and by a whole one
            for (shortest, longer) in [(0, 0), (0, 1), (0, bytes), (1, 1), (64, 0)] {
                for at_end in [false, true] {
                    let len = at + bytes + shortest;
                    let lens: Vec<_> = (0..feed.lanes).map(|l| len + l % 2 * longer).collect();
                    let runs = texts.of(&lens, at_end);
                    self.check(
                        |out, stride| (feed.blocks)(block, &Runs::new(&runs), at, out, stride),
                        |i, l| word(block.order, runs[l], None, at + i * W::BYTES),
                    );
                }
            }
        }
    }

    fn padded(&mut self, texts: &mut Texts) {
        let (feed, block) = (self.feed, self.block);
        let bytes = block.words * W::BYTES;
        let pads: Vec<u8> = (0..feed.lanes).map(|l| 0x80 - l as u8).collect();
        for at in [0, bytes] {
            for len in 0..=at + bytes + 1 {
                for step in [0, 1] {
                    for at_end in [false, true] {
                        let lens: Vec<_> =
                            (0..feed.lanes).map(|l| (len + 7 * step * l) % (2 * bytes)).collect();
                        let runs = texts.of(&lens, at_end);
                        self.check(
                            |out, stride| {
                                (feed.padded)(block, &Runs::new(&runs), &pads, at, out, stride);
                            },
                            |i, l| word(block.order, runs[l], Some(pads[l]), at + i * W::BYTES),
                        );
                    }
                }
            }
        }
    }

    fn interleaved(&mut self, texts: &mut Texts) {
        let (feed, block) = (self.feed, self.block);
        for from in [feed.lanes, feed.lanes + 1, 2 * feed.lanes].map(|words| words * W::BYTES) {
            let len = (block.words - 1) * from + feed.lanes * W::BYTES;
            for (at_end, prefetch) in [(false, false), (true, false), (true, true)] {
                let data = texts.of(&[len], at_end)[0];
                self.check(
                    |out, stride| (feed.interleaved)(block, data, from, prefetch, out, stride),
                    |i, l| word(block.order, data, None, i * from + l * W::BYTES),
                );
            }
        }
    }

    /// Digests of every size, for every number of lanes.
    fn digests(&mut self) {
        let (feed, order, words) = (self.feed, self.block.order, self.block.words.min(8));
        let stride = feed.lanes + 3;
        let states: Vec<W> =
            message(3, words * stride * W::BYTES).chunks(W::BYTES).map(W::from_le).collect();
        for size in 1..=words * W::BYTES {
            for lanes in 1..=feed.lanes {
                let out = self.out.last(lanes * size);
                (feed.digests)(order, &states, stride, size, out);
                for (l, digest) in out.chunks_exact(size).enumerate() {
                    let mut expected = vec![0; words * W::BYTES];
                    for (i, bytes) in expected.chunks_exact_mut(W::BYTES).enumerate() {
                        states[i * stride + l].write(order, bytes);
                    }
                    assert_eq!(digest, &expected[..size], "lane {l}");
                }
            }
        }
    }
}

/// The feeds of all kernels of a table.
fn every_feed<W: Word>(table: &'static Table<W>, sets: u16) {
    let mut out = Guarded::new(1 << 14);
    let mut texts = Texts::new(1 << 14);
    for kernel in table.iter().filter(|kernel| kernel.needs & sets == kernel.needs) {
        let KernelCode::Vectors(vectors) = &kernel.code else { continue };
        for words in [4, 8, 9, 13, 16, 17, 18, 21] {
            for order in [ByteOrder::Big, ByteOrder::Little] {
                let block = BlockLayout { words, order };
                let mut fed = Fed { feed: vectors.feed, block, out: &mut out };
                fed.blocks(&mut texts);
                fed.padded(&mut texts);
                fed.interleaved(&mut texts);
                fed.digests();
            }
        }
    }
}

fn feeds_of<C: Compression>()
where
    Backend: HasKernels<C>,
{
    for backend in backends::<Backend>() {
        let kernels = HasKernels::<C>::kernels(&backend);
        every_feed(kernels.table, kernels.has);
    }
}

#[test]
fn feeds_of_32_bits() {
    feeds_of::<Sha2<u32>>();
}

#[test]
fn feeds_of_64_bits() {
    feeds_of::<Sha2<u64>>();
}

/// Whole messages, through all that hashes them: of unlike lengths, and groups of equal ones.
fn messages<H: BatchFunction>()
where
    Backend: HasKernels<H::Compression>,
{
    const COUNT: usize = 33;
    let block = H::Compression::BLOCK_BYTES;
    let mut texts = Texts::new(4 * block);
    let size = size_of::<Output<H>>();
    let mut out = Guarded::new(COUNT * size);
    let portable = Function::of::<H, _>(Portable::<1>);
    for at_end in [false, true] {
        for len in 0..=2 * block + 1 {
            // unlike ones are slower: not for every length
            let steps = if len % 8 == 1 { 0..2 } else { 0..1 };
            for step in steps {
                let lens: Vec<_> = (0..COUNT).map(|i| (len + step * i) % (3 * block)).collect();
                let runs = texts.of(&lens, at_end);
                let own: Vec<Vec<u8>> = runs.iter().map(|run| run.to_vec()).collect();
                let mut expected = vec![0; COUNT * size];
                portable.digest_with(&[], |i| [&own[i][..]], &mut expected);
                for backend in backends::<Backend>() {
                    let out = out.last(COUNT * size);
                    out.fill(0);
                    Function::of::<H, _>(backend).digest_with(&[], |i| [runs[i]], out);
                    assert_eq!(out, expected, "{backend:?}, {len} bytes, {at_end}");
                }
            }
        }
    }
}

macro_rules! messages {
    ($($name:ident: $hash:ty;)*) => {$(
        #[test]
        fn $name() {
            messages::<$hash>();
        }
    )*};
}
macro_rules! plain {
    (($($others:tt)*) $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        messages! {
            $($name: jlanes_core::hashes::$module::$hash;)*
            $($others)*
        }
    };
}
jlanes_testing::plain_hashes!(plain, (
    sha1: Sha1;
    sha256: Sha256;
    sha512: Sha512;
    sha3_256: functions::Sha3_256;
    blake2s: blake2::Blake2s<digest::consts::U32>;
    blake2b: blake2::Blake2b<digest::consts::U64>;
    blake3_of_a_chunk: blake3::Chunk;
    skein256: skein::Skein<skein::Threefish256, digest::consts::U32>;
    skein512: skein::Skein<skein::Threefish512, digest::consts::U64>;
    skein1024: skein::Skein<skein::Threefish1024, digest::consts::U128>;
));
