//! Batches cut into parts that run side by side.

use jlanes_core::engine::MultiDigest;
#[cfg(feature = "rayon")]
use {
    jlanes_core::{batch::load::Load, engine::Engine},
    jlanes_tree::join::Join,
    std::vec::Vec,
};

/// Where a batch runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// In one part, on the calling thread.
    One,
    /// On rayon's pool, in as many parts as it is worth.
    #[cfg(feature = "rayon")]
    Rayon,
}

impl Parts {
    /// Calls `job` with parts of `out`, and the number of the first message of each. Message `i`
    /// takes `blocks(i, &out[i])` blocks.
    #[inline]
    #[cfg_attr(not(feature = "rayon"), allow(unused_variables))] // there is one part
    pub(crate) fn each<H: MultiDigest, T: Send>(
        self,
        engine: H::Engine,
        blocks: impl Fn(usize, &T) -> u64,
        out: &mut [T],
        job: impl Fn(usize, &mut [T]) + Sync,
    ) {
        // called in three places, and compiled once
        let job: &(dyn Fn(usize, &mut [T]) + Sync) = &job;
        match self {
            Self::One => job(0, out),
            #[cfg(feature = "rayon")]
            Self::Rayon => {
                let load = out.iter().enumerate();
                let load = load.fold(Load::default(), |load, (i, out)| load.and(blocks(i, out)));
                let count = load.parts(engine, rayon::current_num_threads());
                if count == 1 {
                    return job(0, out);
                }
                let share = load.blocks.div_ceil(count as u64);
                let mut parts = into_parts(engine.lanes(), share, blocks, out);
                Join::Rayon.each(&mut parts, |_, (first, out)| job(*first, out));
            }
        }
    }
}

/// Cuts a batch into parts of about `share` blocks, and of full lanes where there are enough
/// messages; each with the number of its first message.
#[cfg(feature = "rayon")]
fn into_parts<T>(
    lanes: usize,
    share: u64,
    blocks: impl Fn(usize, &T) -> u64,
    mut out: &mut [T],
) -> Vec<(usize, &mut [T])> {
    let mut parts = Vec::new();
    let mut first = 0;
    while !out.is_empty() {
        let (mut at, mut taken) = (0, 0);
        while at < out.len() && taken < share {
            taken += blocks(first + at, &out[at]);
            at += 1;
        }
        if out.len() >= 2 * lanes {
            at = at.next_multiple_of(lanes);
            if out.len() < at + lanes {
                at = out.len();
            }
        }
        let (part, rest) = out.split_at_mut(at);
        parts.push((first, part));
        first += at;
        out = rest;
    }
    parts
}
