//! For tests: SHA-256 on an engine that counts compressions.

use core::cell::Cell;

use digest::{FixedOutput, HashMarker, Output, OutputSizeUser, Update, consts::U32};
use jlanes_core::{
    engine::{Engine, MultiDigest, Work},
    hash::compression::Compression,
    simd::portable::Portable,
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

/// Portable code that counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counting;

impl<C: Compression> Engine<C> for Counting {
    fn lanes(&self) -> usize {
        1
    }

    fn run(&self, work: Work<'_, C>) {
        let lanes = work.lanes();
        count(match &work {
            Work::Messages(work) => lanes * (work.blocks + usize::from(work.last.is_some())),
            Work::Interleaved(work) => lanes * (work.blocks + usize::from(work.last.is_some())),
            Work::Rehash(work) => lanes * work.rounds as usize * work.starts.len(),
        });
        Portable::<1>.run(work);
    }

    fn advance_one(&self, state: &mut C::State<C::Word>, data: &[u8]) {
        count(data.len() / C::BLOCK);
        Engine::<C>::advance_one(&Portable::<1>, state, data);
    }

    fn kernel_name(&self, _live: usize) -> &'static str {
        "counting"
    }
}

/// SHA-256, counted where it is a tree's hash.
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

impl MultiDigest for Sha256 {
    type Function = jlanes_core::hashes::sha2::Sha256;
    type Engine = Counting;

    fn engine() -> Counting {
        Counting
    }
}
