//! A backend that counts compressions, and SHA-256 on it, for tests of costs.

use core::cell::Cell;

use digest::{FixedOutput, HashMarker, Output, OutputSizeUser, Update, consts::U32};
use jlanes_core::{
    compression::{Compression, RunByteOrder, Shape},
    function::DigestOnKernels,
    kernel::{HasKernels, Kernel, KernelCode, Kernels, StreamKernel, portable, stream},
};

extern crate std;

std::thread_local! {
    static UPDATES: Cell<u64> = const { Cell::new(0) };
}

/// Compressions of `work`, lane by lane.
pub(crate) fn updates_of(work: impl FnOnce()) -> u64 {
    UPDATES.set(0);
    work();
    UPDATES.get()
}

fn count(updates: usize) {
    UPDATES.set(UPDATES.get() + updates as u64);
}

/// A portable backend that counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counting;

impl<C: Compression> HasKernels<C> for Counting {
    fn kernels(&self) -> Kernels<C::Word> {
        let table = const {
            &[Kernel { code: KernelCode::Streams(streams::<C>()), ..portable::kernel::<C>() }]
        };
        Kernels { table, ..portable::kernels::<C, 1>() }
    }
}

/// A kernel for one stream.
const fn streams<C: Compression>() -> StreamKernel<C::Word> {
    StreamKernel {
        advance: counted::<C>,
        max_streams: 1,
        interleaved: None,
        digest: None,
        halves: None,
        rehash: None,
    }
}

fn counted<C: Compression>(
    shape: &Shape<C::Word>,
    state: &mut [C::Word],
    runs: &[&[u8]],
    order: RunByteOrder,
    blocks: usize,
    shared: &[C::Word],
) {
    count(blocks + usize::from(!shared.is_empty()));
    stream::advance_one::<C>(shape, state, runs, order, blocks, shared);
}

/// SHA-256 on the counting backend, as a tree's hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sha256(sha2::Sha256);

impl Update for Sha256 {
    fn update(&mut self, data: &[u8]) {
        Update::update(&mut self.0, data);
    }
}

impl OutputSizeUser for Sha256 {
    type OutputSize = U32;
}

impl FixedOutput for Sha256 {
    fn finalize_into(self, out: &mut Output<Self>) {
        self.0.finalize_into(out);
    }
}

impl HashMarker for Sha256 {}

impl DigestOnKernels for Sha256 {
    type Hash = jlanes_core::hashes::sha2::Sha256;
    type Backend = Counting;

    fn backend() -> Counting {
        Counting
    }
}
