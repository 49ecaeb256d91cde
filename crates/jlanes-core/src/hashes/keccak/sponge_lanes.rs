//! A group of sponge states, one in each lane, with outputs that are squeezed together.

use super::STATE_WORDS;
use crate::{
    compression::{LaneBuffer, Rows},
    kernel::Kernels,
    lanes::{
        messages::{LaneWork, Route},
        outputs::Destinations,
    },
    wipe,
};

/// The maximum number of lanes of any kernel.
pub(super) const MAX_LANES: usize = 8;

/// A block of zeros, absorbed between blocks of output.
pub(super) const ZEROS: [u64; STATE_WORDS] = [0; STATE_WORDS];

/// Sponge states that have absorbed their messages, one per lane.
#[derive(Clone)]
pub(super) struct SpongeLanes {
    pub(super) states: LaneBuffer<u64>,
    /// The number of bytes of each lane's block that are already squeezed.
    pub(super) at: [u8; MAX_LANES],
}

impl SpongeLanes {
    /// States at the start of their outputs.
    pub(super) fn new(states: LaneBuffer<u64>) -> Self {
        Self { states, at: [0; MAX_LANES] }
    }

    /// Fills `outs.get(places[l])` with the next bytes of lane `l`, for every lane in use. If no more
    /// will be squeezed, `will_continue` is false, which saves copies.
    pub(super) fn squeeze(
        &mut self,
        kernels: &Kernels<u64>,
        places: &[usize],
        will_continue: bool,
        outs: &mut dyn Destinations,
    ) {
        let block = kernels.shape.block_bytes;
        let mut done = [0; MAX_LANES];
        loop {
            let mut more = [false; MAX_LANES];
            for (l, place) in places.iter().enumerate() {
                let out = &mut outs.get(*place)[done[l]..];
                let at = usize::from(self.at[l]);
                let part = out.len().min(block - at);
                read(self.states.rows(l), at, &mut out[..part]);
                done[l] += part;
                self.at[l] += part as u8;
                more[l] = part < out.len();
            }
            let more = &more[..places.len()];
            let Some(last) = more.iter().rposition(|more| *more) else { return };
            if will_continue && more.contains(&false) {
                self.permute_some(kernels, more, last);
            } else {
                self.permute(kernels, last);
            }
            let lanes = self.at.iter_mut().zip(more);
            lanes.filter(|(_, more)| **more).for_each(|(at, _)| *at = 0);
        }
    }

    /// Permutes the lanes from the first up to `last`; others may be overwritten.
    fn permute(&mut self, kernels: &Kernels<u64>, last: usize) {
        let messages = &[&[] as &[u8]; MAX_LANES][..=last];
        let work =
            LaneWork { shared: &ZEROS[..kernels.shape.block_words], ..LaneWork::new(messages, 0) };
        kernels.advance_messages(work, Route::StatesToStates(self.states.states()));
    }

    /// Permutes the lanes with `more`, of which `last` is the last one.
    fn permute_some(&mut self, kernels: &Kernels<u64>, more: &[bool], last: usize) {
        let mut kept = [[0; STATE_WORDS]; MAX_LANES];
        let idle = || (0..more.len()).filter(|l| !more[*l]);
        idle().for_each(|l| self.states.get_into(l, &mut kept[l]));
        self.permute(kernels, last);
        idle().for_each(|l| self.states.states().set(l, &kept[l]));
        kept.iter_mut().for_each(|state| wipe::words(state));
    }

    /// Overwrites the states, with the feature `zeroize`.
    pub(super) fn wipe(&mut self) {
        self.states.wipe();
        wipe::bytes(&mut self.at);
    }
}

/// Copies bytes of the first lane of `rows`, from byte `at` of its state on.
pub(super) fn read(rows: Rows<'_, u64>, mut at: usize, mut out: &mut [u8]) {
    let word = |at: usize| rows.words[at / 8 * rows.stride];
    while !at.is_multiple_of(8) {
        let [byte, after @ ..] = out else { return };
        *byte = (word(at) >> (8 * (at % 8))) as u8;
        (out, at) = (after, at + 1);
    }
    let (words, rest) = out.as_chunks_mut();
    let end = at + 8 * words.len();
    // without a bound to check for each word
    let own = rows.words.get(at / 8 * rows.stride..).unwrap_or_default();
    for (bytes, word) in words.iter_mut().zip(own.iter().step_by(rows.stride)) {
        *bytes = word.to_le_bytes();
    }
    for (i, byte) in rest.iter_mut().enumerate() {
        *byte = (word(end) >> (8 * i)) as u8;
    }
}
