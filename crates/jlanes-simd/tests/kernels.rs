//! Every kernel of every table alone, compared with the portable one at the end of the table.

use std::panic::catch_unwind;

use jlanes_core::{
    compression::{Compression, ContiguousDigests, LaneStart, Rows, RunByteOrder},
    hashes::{
        blake2::Blake2,
        blake3::Blake3Compression,
        keccak::Keccak,
        sha1::{Sha1Compression, checked::CheckedCompression},
        sha2::Sha2,
        skein::threefish::Threefish,
    },
    kernel::{
        BlockInput, FedKernel, FusedEnding, FusedWork, HasKernels, InterleavedRows, Kernel,
        KernelCode, Kernels, StreamKernel, VectorKernel, VectorKernelCode, WholeMessages,
        feed::Interleaved, plan::KernelKind,
    },
    simd::{
        runs::Runs,
        vector::{ByteOrder, Word},
        words::{read_words, write_words},
    },
};
use jlanes_simd::{Backend, BackendError};
use jlanes_testing::{message, n_sms_backends};

macro_rules! functions {
    ($($name:ident: $compression:ty;)*) => {$(
        #[test]
        fn $name() {
            every_kernel::<$compression>(|backend| HasKernels::<$compression>::kernels(&backend));
        }
    )*};
}
macro_rules! plain {
    (($($others:tt)*) $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        functions! {
            $($name: jlanes_core::hashes::$module::$compression;)*
            $($others)*
        }
    };
}
jlanes_testing::plain_hashes!(plain, (
    sha1: Sha1Compression;
    sha1dc: CheckedCompression;
    sha256: Sha2<u32>;
    sha512: Sha2<u64>;
    skein256: Threefish<4>;
    skein512: Threefish<8>;
    skein1024: Threefish<16>;
    keccak72: Keccak<9, 24>;
    keccak104: Keccak<13, 24>;
    keccak136: Keccak<17, 24>;
    keccak144: Keccak<18, 24>;
    keccak168: Keccak<21, 24>;
    keccak136_12: Keccak<17, 12>;
    keccak168_12: Keccak<21, 12>;
    blake2s: Blake2<u32>;
    blake2b: Blake2<u64>;
    blake3: Blake3Compression;
));

fn every_kernel<C: Compression>(kernels: impl Fn(Backend) -> Kernels<C::Word>) {
    let forced = Backend::available().chain(n_sms_backends());
    // all that a kernel may need, on this CPU or by the policy of any other one
    let there = forced.chain(Backend::policies()).fold(0, |sets, b| sets | kernels(b).has);
    let all = kernels(Backend::portable());
    for kernel in all.table {
        let test = Test { kernels: all, kernel };
        if kernel.needs & there == kernel.needs {
            test.check();
        } else if let Err(BackendError::Unavailable(_)) = kernel.name.parse::<Backend>() {
            assert!(catch_unwind(|| test.call()).is_err(), "{} is not there", kernel.name);
        }
    }
}

/// A kernel must not take a schedule that is too short for none.
#[cfg(panic = "unwind")]
#[test]
fn a_schedule_of_another_length_is_refused() {
    for backend in Backend::available() {
        let Kernels { table, has, shape, .. } = HasKernels::<Sha1Compression>::kernels(&backend);
        for kernel in table.iter().filter(|kernel| kernel.needs & has == kernel.needs) {
            let KernelCode::Streams(streams) = &kernel.code else { continue };
            let call = || {
                let mut states = vec![0; shape.state_words * kernel.lanes];
                let runs = vec![&[][..]; kernel.lanes];
                (streams.advance)(shape, &mut states, &runs, RunByteOrder::Message, 0, &[0; 79]);
            };
            assert!(catch_unwind(call).is_err(), "{}", kernel.name);
        }
    }
}

/// A kernel, and what it is compared with.
#[derive(Clone, Copy)]
struct Test<W: Word> {
    kernels: Kernels<W>,
    kernel: &'static Kernel<W>,
}

impl<W: Word> Test<W> {
    /// Words of no special kind.
    fn words(self, seed: u64, count: usize) -> Vec<W> {
        message(seed, count * W::BYTES).chunks(W::BYTES).map(W::from_le).collect()
    }

    /// The words that kernels take in place of a block that all lanes share.
    fn shared(self) -> Vec<W> {
        let (share, words) = self.kernels.shape.share;
        let mut shared = vec![W::default(); words];
        share(&self.words(1, self.kernels.shape.block_words), &mut shared);
        shared
    }

    /// The state after the blocks of `run`, by portable code.
    fn portable(self, state: &[W], run: &[u8], order: RunByteOrder, shared: &[W]) -> Vec<W> {
        let Some(Kernel { code: KernelCode::Streams(streams), .. }) = self.kernels.table.last()
        else {
            panic!("a table ends with one stream")
        };
        let (mut state, blocks) = (state.to_vec(), run.len() / self.kernels.shape.block_bytes);
        (streams.advance)(self.kernels.shape, &mut state, &[run], order, blocks, shared);
        state
    }

    /// Calls it, with as little to do as possible.
    fn call(self) {
        let shape = self.kernels.shape;
        let mut states = vec![W::default(); shape.state_words * self.kernel.lanes];
        match &self.kernel.code {
            KernelCode::Vectors(vectors) => {
                let lanes = self.kernel.lanes;
                self.advance(vectors, LaneStart::Own, &mut states, lanes, &[], false);
            }
            KernelCode::Streams(streams) => {
                let runs = vec![&[][..]; self.kernel.lanes];
                (streams.advance)(shape, &mut states, &runs, RunByteOrder::Message, 0, &[]);
            }
        }
    }

    /// Advances lanes by `words` in lanes' order. A kernel for bytes gets them in the order of messages,
    /// interleaved or one message per lane.
    fn advance(
        self,
        vectors: &VectorKernel<W>,
        from: LaneStart<'_, W>,
        states: &mut [W],
        stride: usize,
        words: &[W],
        interleaved: bool,
    ) {
        let (shape, lanes) = (self.kernels.shape, self.kernel.lanes);
        let blocks = words.len() / (shape.block_words * lanes);
        let fused = match vectors.code {
            VectorKernelCode::Fed(kernel) => {
                return (kernel.advance)(shape, from, states, stride, words, blocks);
            }
            VectorKernelCode::Fused(fused) => fused,
        };
        let bytes = |words: &[W]| {
            let mut bytes = vec![0; words.len() * W::BYTES];
            write_words(shape.order, words, &mut bytes);
            bytes
        };
        let own = |l| words.iter().skip(l).step_by(lanes).copied().collect::<Vec<W>>();
        let messages: Vec<Vec<u8>> = (0..lanes).map(|l| bytes(&own(l))).collect();
        let messages: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let (runs, rows) = (Runs::new(&messages), bytes(words));
        let rows = InterleavedRows { data: &rows, row_stride: lanes * W::BYTES, prefetch: false };
        let input = BlockInput::whole(&runs, blocks);
        let input = BlockInput { rows: interleaved.then_some(rows), ..input };
        fused(from, states, stride, &mut FusedWork::new(shape, input));
    }

    /// Advances lanes by a shared block, if there is a kernel for it.
    fn advance_shared(self, vectors: &VectorKernel<W>, states: &mut [W]) -> bool {
        let (shape, lanes) = (self.kernels.shape, self.kernel.lanes);
        match vectors.code {
            VectorKernelCode::Fed(FedKernel { shared: None, .. }) => return false,
            VectorKernelCode::Fed(FedKernel { shared: Some(advance), .. }) => {
                advance(shape, states, lanes, &self.shared());
            }
            VectorKernelCode::Fused(fused) => {
                let (runs, shared) = (Runs::new(&[]), self.shared());
                let ending = FusedEnding { lengths: None, shared: &shared };
                let none = FusedWork::new(shape, BlockInput::whole(&runs, 0));
                fused(LaneStart::Own, states, lanes, &mut FusedWork { ending, ..none });
            }
        }
        true
    }

    fn check(self) {
        self.call();
        match &self.kernel.code {
            KernelCode::Vectors(vectors) => self.check_vectors(vectors),
            KernelCode::Streams(streams) => {
                let count = match self.kernel.kind {
                    KernelKind::Streams1 => 1,
                    KernelKind::Streams2 => 2,
                    KernelKind::Streams3 => 3,
                    KernelKind::Streams4 => 4,
                    KernelKind::Streams8 => 8,
                    kind => panic!("{kind:?} is no stream"),
                };
                assert_eq!(self.kernel.lanes, count);
                for count in (count..=streams.max_streams).step_by(count) {
                    self.check_streams(streams, count);
                    self.check_interleaved(streams, count);
                }
                self.check_digests(streams);
            }
        }
    }

    fn check_vectors(self, vectors: &VectorKernel<W>) {
        let (shape, lanes) = (self.kernels.shape, self.kernel.lanes);
        let register = match self.kernel.kind {
            KernelKind::Bits128 => 16,
            KernelKind::Bits256 => 32,
            KernelKind::Bits512 => 64,
            KernelKind::Bits1024 => 128,
            kind => panic!("{kind:?} is no vector"),
        };
        assert_eq!(lanes * W::BYTES, register);
        assert_eq!(lanes % vectors.feed.lanes, 0);
        let (stride, other) = (lanes + 3, lanes + 1);
        let before = self.words(2, (shape.state_words - 1) * stride + lanes);
        let each = self.words(3, (shape.state_words - 1) * other + lanes);
        let each = Rows { words: &each, stride: other };
        let same = self.words(7, shape.state_words);
        let lane = |states: &[W], stride: usize, l: usize| -> Vec<W> {
            (0..shape.state_words).map(|i| states[i * stride + l]).collect()
        };
        let untouched = |states: &[W]| {
            states.iter().zip(&before).enumerate().all(|(i, (a, b))| i % stride < lanes || a == b)
        };
        for blocks in 0..4 {
            let words = self.words(4, blocks * shape.block_words * lanes);
            let starts = [LaneStart::Own, LaneStart::Same(&same), LaneStart::Each(each)];
            for (from, interleaved) in
                starts.into_iter().flat_map(|from| [(from, false), (from, true)])
            {
                let mut states = before.clone();
                self.advance(vectors, from, &mut states, stride, &words, interleaved);
                assert!(untouched(&states), "{} writes beyond its lanes", self.kernel.name);
                for l in 0..lanes {
                    let start = match from {
                        LaneStart::Own => lane(&before, stride, l),
                        LaneStart::Same(state) => state.to_vec(),
                        LaneStart::Each(rows) => lane(rows.words, rows.stride, l),
                    };
                    let own: Vec<W> = words.iter().skip(l).step_by(lanes).copied().collect();
                    let mut run = vec![0; blocks * shape.block_bytes];
                    write_words(ByteOrder::NATIVE, &own, &mut run);
                    let expected = self.portable(&start, &run, RunByteOrder::Native, &[]);
                    assert_eq!(lane(&states, stride, l), expected, "{}, {l}", self.kernel.name);
                }
            }
        }
        let before = self.words(5, shape.state_words * lanes);
        let mut states = before.clone();
        if self.advance_shared(vectors, &mut states) {
            for l in 0..lanes {
                let start = lane(&before, lanes, l);
                let expected = self.portable(&start, &[], RunByteOrder::Message, &self.shared());
                assert_eq!(lane(&states, lanes, l), expected, "{} shared, {l}", self.kernel.name);
            }
        }
    }

    fn check_streams(self, streams: &StreamKernel<W>, count: usize) {
        let shape = self.kernels.shape;
        let shared = self.shared();
        let before = self.words(6, count * shape.state_words);
        // so long that a single stream is fetched ahead, and shorter ones
        for blocks in [0, 1, 2, 3, 90] {
            let text = message(7, blocks * shape.block_bytes + 7 * count);
            let runs: Vec<&[u8]> = (0..count).map(|s| &text[7 * s..]).collect();
            for order in [RunByteOrder::Message, RunByteOrder::Native] {
                for shared in [&[][..], &shared] {
                    let mut states = before.clone();
                    (streams.advance)(shape, &mut states, &runs, order, blocks, shared);
                    for (s, state) in states.chunks(shape.state_words).enumerate() {
                        let start = &before[s * shape.state_words..][..shape.state_words];
                        let run = &runs[s][..blocks * shape.block_bytes];
                        let expected = self.portable(start, run, order, shared);
                        assert_eq!(state, expected, "{}, {s} of {count}", self.kernel.name);
                    }
                }
            }
        }
    }

    fn check_interleaved(self, streams: &StreamKernel<W>, count: usize) {
        let Some(advance) = streams.interleaved else { return };
        let shape = self.kernels.shape;
        let shared = self.shared();
        let before = self.words(8, count * shape.state_words);
        for (blocks, lanes) in [(0, count), (1, count + 5), (3, count), (5, count + 1)] {
            // the data ends with the last row's last stream
            let rows = (blocks * shape.block_words).saturating_sub(1) * lanes + count;
            let data = message(9, rows * W::BYTES);
            for shared in [&[][..], &shared] {
                let mut states = before.clone();
                advance(&mut states, Interleaved { data: &data, lanes }, blocks, shared);
                for (s, state) in states.chunks(shape.state_words).enumerate() {
                    let words = data.chunks(W::BYTES).skip(s).step_by(lanes);
                    let run = words.take(blocks * shape.block_words).collect::<Vec<_>>().concat();
                    let start = &before[s * shape.state_words..][..shape.state_words];
                    let expected = self.portable(start, &run, RunByteOrder::Message, shared);
                    assert_eq!(state, expected, "{}, {s} of {count}", self.kernel.name);
                }
            }
        }
    }

    fn check_digests(self, streams: &StreamKernel<W>) {
        let Some(digest) = streams.digest else { return };
        let shape = self.kernels.shape;
        let shared = self.shared();
        let mut start = vec![W::default(); shape.state_words];
        read_words(shape.order, &message(10, shape.state_words * W::BYTES), &mut start);
        let whole = shape.state_words * W::BYTES;
        for count in [8, 16, 24, 32, 40, 72].map(|count| count / 8 * self.kernel.lanes) {
            for (blocks, size) in [(0, whole), (1, whole), (1, whole - 4), (2, whole), (5, 5)] {
                let text = message(11, blocks * shape.block_bytes + count);
                let messages: Vec<&[u8]> = (0..count).map(|i| &text[i..]).collect();
                for shared in [&[][..], &shared] {
                    let mut digests = vec![0; count * size];
                    let (messages, start) = (&messages[..], &start[..]);
                    let out = ContiguousDigests { bytes: &mut digests, size };
                    digest(WholeMessages { messages, start, blocks, shared, digests: out });
                    if let (Some(halves), 1, [_, ..]) = (streams.halves, blocks, shared) {
                        let list = messages.iter().flat_map(|message| {
                            let (left, right) =
                                message[..shape.block_bytes].split_at(shape.block_bytes / 2);
                            [left, right]
                        });
                        let (list, mut same) = (list.collect::<Vec<_>>(), vec![0; count * size]);
                        let out = ContiguousDigests { bytes: &mut same, size };
                        halves(WholeMessages {
                            messages: &list,
                            start,
                            blocks,
                            shared,
                            digests: out,
                        });
                        assert_eq!(same, digests, "{} of {count} halves", self.kernel.name);
                    }
                    for (message, ours) in messages.iter().zip(digests.chunks(size)) {
                        let run = &message[..blocks * shape.block_bytes];
                        let state = self.portable(start, run, RunByteOrder::Message, shared);
                        let mut expected = vec![0; size];
                        write_words(shape.order, &state, &mut expected);
                        assert_eq!(ours, expected, "{} of {count} messages", self.kernel.name);
                    }
                }
            }
        }
    }
}
