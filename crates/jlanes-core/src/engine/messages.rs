//! Messages in lanes, from any block on and as far as one wishes: to their ends, with padding and
//! digest, all in one kernel.

use core::marker::PhantomData;

use super::interleaved::{LanesOf, StateOf, VectorOf};
use crate::{
    hash::{
        compression::{Compression, LaneStates},
        padding::Padding,
    },
    simd::{
        groups::{Groups, Pair},
        isa::{Isa, Kernel},
        lanes::{Array, Lanes, Vector},
        layout::{Padded, Runs},
    },
};

mod streams;

pub use streams::Whole;

/// A message per lane, all of which advance by the same number of blocks.
///
/// ```text
/// for each lane:  state = start, or what the lane's state is
///                 absorb `blocks` blocks from block `skip` of the message on;
///                 if the message ends, the last of them are padded
///                 absorb `last`, if there is one
///                 write the digest, or keep the state
/// ```
pub struct Messages<'a, C: Compression> {
    /// The messages.
    pub messages: &'a [&'a [u8]],
    /// Blocks of each message that are done; none if there are fewer numbers than messages.
    pub skip: &'a [usize],
    /// Blocks to do.
    pub blocks: usize,
    /// What follows a message, and how many bytes stood before all of them. If there is nothing,
    /// the messages hold all the blocks.
    pub end: Option<(Padding, u128)>,
    /// The shared last block.
    pub last: Option<&'a C::Shared>,
    /// Where all lanes start; if nowhere, each starts at its state.
    pub start: Option<&'a C::State<C::Word>>,
    /// The lanes' states, unless they have a start and leave digests: then there may be more
    /// messages than states.
    pub states: LaneStates<'a, C::Word>,
    /// Where digests go, one after the other, and the bytes of each.
    pub digests: Option<(&'a mut [u8], usize)>,
}

impl<'a, C: Compression> Messages<'a, C> {
    /// No blocks of the messages, from the lanes' states to the lanes' states.
    #[must_use]
    pub fn advance(states: LaneStates<'a, C::Word>, messages: &'a [&'a [u8]]) -> Self {
        Self {
            messages,
            skip: &[],
            blocks: 0,
            end: None,
            last: None,
            start: None,
            states,
            digests: None,
        }
    }

    pub(super) fn on<I: Isa, G: Groups>(&mut self, isa: I, first: usize, end: usize) {
        isa.run(Run::<C, G> { work: self, first, end, groups: PhantomData });
    }

    /// What lane `lane` still has to absorb of its message, and the byte after it.
    #[inline(always)]
    #[must_use]
    pub fn rest(&self, lane: usize) -> (&'a [u8], u8) {
        let pad = self.end.map_or(0, |(padding, _)| padding.byte());
        let message = self.messages[lane];
        match self.skip.get(lane) {
            None | Some(0) => (message, pad),
            // a message that has ended has its padding byte behind it too
            Some(skip) => message.get(skip * C::BLOCK..).map_or((&[], 0), |rest| (rest, pad)),
        }
    }

    /// What [`Compression::close`] is told of lane `lane`.
    #[inline(always)]
    #[must_use]
    pub fn closing(&self, lane: usize) -> [C::Word; 2] {
        let Some((padding, before)) = self.end else { return [C::Word::default(); 2] };
        let len = self.messages[lane].len();
        let blocks = padding.blocks::<C>(len);
        let skip = self.skip.get(lane).copied().unwrap_or(0);
        if skip + self.blocks < blocks {
            return [C::Word::default(); 2];
        }
        C::closing(len.saturating_sub((blocks - 1) * C::BLOCK), before + len as u128)
    }

    /// [`closing`](Self::closing) of `live` lanes. Long before it is loaded: the loads would have to
    /// wait until all these small stores have reached the cache.
    #[inline(always)]
    fn close_all(&self, first: usize, live: usize, closing: &mut [C::PerLane<C::Word>; 2]) {
        for l in 0..live {
            let [high, low] = self.closing(first + l);
            (closing[0].as_mut()[l], closing[1].as_mut()[l]) = (high, low);
        }
    }
}

/// The lanes `first..end`, some registers at a time.
struct Run<'w, 'a, C: Compression, G> {
    work: &'w mut Messages<'a, C>,
    first: usize,
    end: usize,
    groups: PhantomData<G>,
}

impl<C: Compression, G: Groups> Kernel for Run<'_, '_, C, G> {
    type Out = ();

    #[inline(always)]
    fn call<I: Isa>(self, isa: I) {
        let proof = isa.proof();
        let Self { work, mut first, end, .. } = self;
        let width = LanesOf::<C, I, G>::N;
        let mut feed = Feed::<C>::new(work);
        while first < end {
            // two groups side by side in the block that all share, whose words take no registers
            let two = G::SHARED_TWO && work.last.is_some() && first + 2 * width <= end;
            let groups = if two { 2 } else { 1 };
            let zero = <LanesOf<C, I, G> as Lanes<C::Word>>::splat(proof, C::Word::default());
            let mut states = [StateOf::<C, I, G>::splat(zero); 2];
            for state in &mut states[..groups] {
                *state = feed.run::<I, G>(proof, work, first, end);
                first += width;
            }
            let first = first - groups * width;
            match work.last {
                Some(last) if two => {
                    let [a, b] = &states;
                    let mut both = Pair::zip::<C>(a, b);
                    C::compress_shared(proof, &mut both, last);
                    work.leave(proof, &both, first);
                }
                last => {
                    if let Some(last) = last {
                        C::compress_shared(proof, &mut states[0], last);
                    }
                    work.leave(proof, &states[0], first);
                }
            }
        }
    }
}

impl<C: Compression> Messages<'_, C> {
    /// Puts the digests or states of the lanes from `first` on where they belong.
    #[inline(always)]
    fn leave<L: Lanes<C::Word>>(&mut self, proof: L::Proof, state: &C::State<L>, first: usize) {
        match &mut self.digests {
            Some((out, size)) => {
                L::store_digests::<C>(proof, state, *size, &mut out[first * *size..]);
            }
            None => self.states.store::<C, _>(first, state),
        }
    }
}

/// What some lanes are fed, lane by lane.
struct Feed<'a, C: Compression> {
    runs: C::PerLane<&'a [u8]>,
    pads: C::PerLane<u8>,
    closing: [C::PerLane<C::Word>; 2],
}

/// So many blocks at the start of messages are asked for before their turn comes. Then the hardware
/// has seen that they are read in order.
const AHEAD: usize = 16;
/// Bytes of a line of the cache.
const LINE: usize = 64;

impl<'a, C: Compression> Feed<'a, C> {
    #[inline(always)]
    fn new(work: &Messages<'a, C>) -> Self {
        let pad = work.end.map_or(0, |(padding, _)| padding.byte());
        Self {
            runs: Array::splat(&[] as &[u8]),
            pads: Array::splat(pad),
            closing: [Array::splat(C::Word::default()); 2],
        }
    }

    /// The states of the lanes from `first` on after their blocks of messages.
    #[inline(always)]
    fn run<I: Isa, G: Groups>(
        &mut self,
        proof: I::Proof,
        work: &Messages<'a, C>,
        first: usize,
        end: usize,
    ) -> StateOf<C, I, G> {
        let width = LanesOf::<C, I, G>::N;
        let live = end.min(first + width) - first;
        let apart = live < width || !work.skip.is_empty();
        if apart {
            self.take(work, first, live, width);
        }
        let runs = if apart { self.runs.as_ref() } else { &work.messages[first..] };
        let runs = Runs::new(&runs[..width]);
        let direct = work.blocks.min(runs.shortest() / C::BLOCK);
        let alike = work.skip.is_empty() && runs.are_equal();
        if work.end.is_some() && !alike {
            work.close_all(first, live, &mut self.closing);
        }
        let mut state: StateOf<C, I, G>;
        if let Some(start) = work.start {
            state = Array::splat(Lanes::splat(proof, C::Word::default()));
            for i in 0..C::State::<C::Word>::LEN {
                state.as_mut()[i] = Lanes::splat(proof, start.as_ref()[i]);
            }
        } else {
            state = work.states.load::<C, _>(proof, first);
        }
        let next = &work.messages[end.min(first + width)..end.min(first + 2 * width)];
        for b in 0..work.blocks {
            if b < AHEAD {
                for message in next {
                    for at in (b * C::BLOCK..(b + 1) * C::BLOCK).step_by(LINE) {
                        <VectorOf<C, I> as Vector<C::Word>>::prefetch(proof, message, at);
                    }
                }
            }
            let mut block = if b < direct {
                <LanesOf<C, I, G> as Lanes<C::Word>>::load_block::<C, _>(proof, &runs, 0, b)
            } else {
                let padded = Padded { runs, pads: self.pads.as_ref(), alike };
                <LanesOf<C, I, G> as Lanes<C::Word>>::load_block::<C, _>(proof, &padded, 0, b)
            };
            if b + 1 == work.blocks && work.end.is_some() {
                let closing = if alike {
                    work.closing(first).map(|word| Lanes::splat(proof, word))
                } else {
                    self.closing.each_ref().map(|words| Lanes::load(proof, words.as_ref()))
                };
                C::close(&mut state, &mut block, closing);
            }
            C::compress(proof, &mut state, block);
        }
        state
    }

    /// Takes the runs of the `live` lanes from `first` on, of `width` at most.
    #[inline(always)]
    fn take(&mut self, work: &Messages<'a, C>, first: usize, live: usize, width: usize) {
        for l in 0..live {
            (self.runs.as_mut()[l], self.pads.as_mut()[l]) = work.rest(first + l);
        }
        // lanes without a message compute along on that of lane 0
        let idle = self.runs.as_ref()[0];
        self.runs.as_mut()[live..width].fill(idle);
    }
}
