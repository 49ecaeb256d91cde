//! S-HASH over messages that are in memory.
//!
//! All lanes advance by the same number of blocks at a time, so a batch is fastest where messages
//! that run side by side end side by side. They are therefore put in order of their exact number
//! of blocks first (one pass to count, one to place). Then:
//!
//! ```text
//! as many messages of one number of blocks as fill the lanes:  one kernel from the first block to
//!                                                              the digests
//! the messages that are left over, and the long ones:          lane refill, longest first
//! ```
//!
//! Padding is made where blocks are loaded, so a message in one piece is never copied. Messages in
//! several pieces are copied together if they are short; of long ones only what lies across pieces.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use core::ops::Range;

use digest::array::Array as ByteArray;

use super::{Batch, Source, Start};
use crate::{
    engine::{
        Engine, Work,
        messages::Messages,
        rehash::{self, Rehash},
    },
    hash::{
        HashFunction, MAX_BLOCK, Output, State,
        compression::{AllLanes, Compression, LaneStates, max_lanes},
        digest_size,
    },
    simd::lanes::Array,
    wipe,
};

mod again;
mod asked;
#[cfg(feature = "alloc")]
mod order;
mod refill;
mod same;
mod staged;

pub(crate) use again::Again;
use asked::{Asked, Copied, Numbers, SHORT};
#[cfg(feature = "alloc")]
use order::{Class, Order};
use refill::Pieces;
pub(crate) use refill::refill;
use same::Same;

/// Digests `out.len()` messages; message `i` is the concatenation of `message(i)`.
pub fn digest<'a, H: HashFunction, E: Engine<H::Compression>, const P: usize>(
    engine: E,
    start: &Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P],
    out: &mut [Output<H>],
) {
    List { engine, start, again: None }.digest(message, out);
}

/// Digests records of `width` bytes that lie side by side in `records`.
///
/// # Panics
/// If there are not as many bytes as `out` has records.
pub fn records<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    start: &Start<H>,
    (records, width): (&[u8], usize),
    out: &mut [Output<H>],
) {
    assert_eq!(records.len(), width * out.len(), "as many digests as records");
    let list = List { engine, start, again: None };
    let record = |i: usize| [&records[i * width..][..width]];
    match out {
        [_] => list.only(records, out),
        _ => list.equal([width], &record, out),
    }
}

/// [`digest()`] of messages that share a prefix, whose whole blocks are hashed once.
pub fn digest_prefixed<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    prefix: &'a [u8],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    let (mut start, rest) = Start::<H>::after(engine, prefix);
    if rest.is_empty() {
        digest(engine, &start, |i| [message(i)], out);
    } else {
        digest(engine, &start, |i| [rest, message(i)], out);
    }
    start.wipe();
}

/// Digests messages in one piece that start each in its own state, behind `before` bytes:
/// `message(i)` and its state. For functions whose digest is the first words of the state.
pub(crate) fn each_from<'a, 's, H: HashFunction + 's, E: Engine<H::Compression>>(
    engine: E,
    before: u128,
    message: impl Fn(usize) -> (&'a [u8], &'s State<H>),
    out: &mut [Output<H>],
) {
    #[cfg(feature = "alloc")]
    let order = (out.len() > engine.lanes()).then(|| {
        let blocks = |i: usize| H::PADDING.blocks::<H::Compression>(message(i).0.len());
        Order::new(out.len(), &|first, shapes| {
            for (i, shape) in (first..).zip(shapes) {
                *shape = (blocks(i), true);
            }
        })
    });
    #[cfg(feature = "alloc")]
    let numbers = order.as_ref().map_or(Numbers::All(out.len()), Order::numbers);
    #[cfg(not(feature = "alloc"))]
    let numbers = Numbers::All(out.len());
    let mut order = numbers.iter();
    let mut next = || {
        let i = order.next()?;
        let (message, state) = message(i);
        Some((i, message, state))
    };
    refill::<H, E>(engine, before, &mut next, &mut |i, digest| out[i] = digest);
}

/// How messages in memory are hashed.
pub(crate) struct List<'s, H: HashFunction, E> {
    pub(crate) engine: E,
    pub(crate) start: &'s Start<H>,
    pub(crate) again: Option<&'s Again<H>>,
}

/// Takes messages in one piece each, with the range of the numbers that they have.
type Each<'e> = dyn FnMut(Range<usize>, &[&[u8]]) + 'e;

/// Messages whose pointers are collected for one call of the engine.
const COLLECTED: usize = 256;

/// Short messages in several pieces that are copied together for one call of the engine.
const PACKED: usize = 64;

impl<H: HashFunction, E: Engine<H::Compression>> List<'_, H, E> {
    const BLOCK: usize = H::Compression::BLOCK;
    const LANES: usize = max_lanes::<H::Compression>();

    pub(crate) fn digest<'a, const P: usize>(
        &self,
        message: impl Fn(usize) -> [&'a [u8]; P],
        out: &mut [Output<H>],
    ) {
        match out {
            // one message needs no lists
            [_] if P == 1 => self.only(message(0)[0], out),
            _ => self.asked(&message, out),
        }
    }

    /// One message.
    fn only(&self, message: &[u8], out: &mut [Output<H>]) {
        out[0] = self.start.digest_one(self.engine, message);
        self.hash_again(Numbers::All(1), out);
    }

    /// The same for all ways of having messages.
    fn asked<'a, const P: usize>(&self, messages: &dyn Asked<'a, P>, out: &mut [Output<H>]) {
        match messages.alike(out.len()) {
            _ if out.is_empty() => {}
            Some(lens) => self.equal(lens, messages, out),
            None => self.any(messages, out),
        }
    }

    /// Messages that are alike in the lengths of their pieces.
    pub(crate) fn equal<'a, const P: usize>(
        &self,
        lens: [usize; P],
        messages: &dyn Asked<'a, P>,
        out: &mut [Output<H>],
    ) {
        let len = lens.iter().sum();
        if P > 1 && len > SHORT {
            self.staged(messages, lens, out);
        } else {
            let same = Same::<H>::new(self.start.total, len, out.len());
            let count = out.len();
            let each: &mut Each<'_> = &mut |at, runs| self.group(runs, &same, &mut out[at]);
            if P > 1 && len > 0 && count > 1 {
                self.packed(count, len, messages, each);
            } else {
                self.collected(Numbers::All(count), messages, each);
            }
        }
    }

    /// [`collected`](Self::collected), of all messages, which are alike in the lengths of their pieces
    /// and have `len` bytes each: side by side in a room that holds more of them the shorter they are.
    fn packed<'a, const P: usize>(
        &self,
        count: usize,
        len: usize,
        messages: &dyn Asked<'a, P>,
        each: &mut Each<'_>,
    ) {
        let mut room = <H::Compression as Compression>::PerLane::<Copied>::splat([0; SHORT]);
        let room = room.as_mut().as_flattened_mut();
        let most = (room.len() / len).min(PACKED);
        for first in (0..count).step_by(most) {
            let range = first..count.min(first + most);
            let packed = &mut room[..range.len() * len];
            messages.packed(first, len, packed);
            let mut runs = [&[] as &[u8]; PACKED];
            for (run, message) in runs.iter_mut().zip(packed.chunks_exact(len)) {
                *run = message;
            }
            each(range.clone(), &runs[..range.len()]);
        }
        wipe::bytes(room);
    }

    /// Hands `each` the messages of these numbers, as many at a time as one call of the engine takes.
    fn collected<'a, const P: usize>(
        &self,
        numbers: Numbers<'_>,
        messages: &dyn Asked<'a, P>,
        each: &mut Each<'_>,
    ) {
        if P == 1 && numbers.len() <= Self::LANES {
            let mut runs = <H::Compression as Compression>::PerLane::<&[u8]>::splat(&[]);
            let runs = &mut runs.as_mut()[..numbers.len()];
            messages.ask(numbers, 0, runs.as_chunks_mut().0);
            return each(0..numbers.len(), runs);
        }
        if P == 1 {
            let mut runs = [&[] as &[u8]; COLLECTED];
            for first in (0..numbers.len()).step_by(COLLECTED) {
                let range = first..numbers.len().min(first + COLLECTED);
                let runs = &mut runs[..range.len()];
                messages.ask(numbers, first, runs.as_chunks_mut().0);
                each(range, runs);
            }
            return;
        }
        let mut room = <H::Compression as Compression>::PerLane::<Copied>::splat([0; SHORT]);
        for first in (0..numbers.len()).step_by(Self::LANES) {
            let range = first..numbers.len().min(first + Self::LANES);
            let mut lens = <H::Compression as Compression>::PerLane::<usize>::splat(0);
            let lens = &mut lens.as_mut()[..range.len()];
            messages.together(numbers, first, room.as_mut(), lens);
            let mut runs = <H::Compression as Compression>::PerLane::<&[u8]>::splat(&[]);
            let runs = &mut runs.as_mut()[..range.len()];
            for ((run, copied), len) in runs.iter_mut().zip(room.as_ref()).zip(lens) {
                *run = &copied[..*len];
            }
            each(range, runs);
        }
        wipe::bytes(room.as_mut().as_flattened_mut());
    }

    /// Messages of one number of blocks, from their start to their digests.
    fn group(&self, messages: &[&[u8]], same: &Same<H>, out: &mut [Output<H>]) {
        if self.again.is_none() && !H::OUTPUT_TRANSFORM {
            let digests = Some((ByteArray::slice_as_flattened_mut(out), digest_size::<H>()));
            let states = LaneStates::new(&mut [], 0);
            return self.engine.run(Work::Messages(Messages {
                start: Some(&self.start.state),
                digests,
                ..same.to_the_end(self.start.total, states, messages)
            }));
        }
        let mut states = AllLanes::<H::Compression>::default();
        for (messages, out) in messages.chunks(Self::LANES).zip(out.chunks_mut(Self::LANES)) {
            self.engine.run(Work::Messages(Messages {
                start: Some(&self.start.state),
                ..same.to_the_end(self.start.total, states.states(), messages)
            }));
            self.finish(&mut states, out);
        }
        states.wipe();
    }

    /// From the states after the padding to the digests.
    fn finish(&self, states: &mut AllLanes<H::Compression>, out: &mut [Output<H>]) {
        if H::OUTPUT_TRANSFORM {
            transform::<H, E>(self.engine, states, out.len());
        }
        if let Some(again) = self.again {
            let digests = (ByteArray::slice_as_flattened_mut(out), digest_size::<H>());
            let work = again.work(states.states(), digests.0.len() / digests.1);
            return self.engine.run(Work::Rehash(Rehash { out: Some(digests), ..work }));
        }
        for (l, out) in out.iter_mut().enumerate() {
            *out = rehash::get_digest::<H>(&states.states(), l);
        }
    }

    /// Messages of any lengths.
    fn any<'a, const P: usize>(&self, messages: &dyn Asked<'a, P>, out: &mut [Output<H>]) {
        #[cfg(feature = "alloc")]
        if out.len() > self.engine.lanes() {
            return self.sorted(messages, out);
        }
        self.refill_in_order(Numbers::All(out.len()), messages, out);
    }

    /// Messages of any lengths, more than there are lanes.
    #[cfg(feature = "alloc")]
    fn sorted<'a, const P: usize>(&self, messages: &dyn Asked<'a, P>, out: &mut [Output<H>]) {
        let order = Order::new(out.len(), &|first, shapes| {
            messages.lens(first, shapes);
            for (size, together) in shapes {
                *together = P == 1 || *size <= SHORT;
                *size = H::PADDING.blocks::<H::Compression>(*size);
            }
        });
        if let Some(blocks) = order.alike() {
            let (same, count) = (Same { blocks, last: None }, out.len());
            return self.collected(Numbers::All(count), messages, &mut |at, runs| {
                self.group(runs, &same, &mut out[at]);
            });
        }
        let mut left_over = Vec::new();
        let mut digests = vec![Output::<H>::default(); COLLECTED.min(out.len())];
        for Class { blocks, messages: numbers } in order.classes() {
            let full = match blocks {
                // what fills no lanes is better off among others, if it can take lanes there
                Some(_) if P == 1 && !H::OUTPUT_TRANSFORM => {
                    numbers.len() / Self::LANES * Self::LANES
                }
                Some(_) => numbers.len(),
                None => 0,
            };
            let (full, rest) = numbers.split_at(full);
            left_over.extend_from_slice(rest);
            let Some(blocks) = blocks else { continue };
            let same = Same { blocks, last: None };
            self.collected(Numbers::These(full), messages, &mut |at, runs| {
                let digests = &mut digests[..runs.len()];
                self.group(runs, &same, digests);
                for (i, digest) in full[at].iter().zip(digests) {
                    out[*i].clone_from(digest);
                }
            });
        }
        wipe::digests::<H>(&mut digests);
        self.refill_in_order(Numbers::These(&left_over), messages, out);
    }

    /// Messages that take lanes in the given order, whatever their lengths.
    fn refill_in_order<'a, const P: usize>(
        &self,
        order: Numbers<'_>,
        messages: &dyn Asked<'a, P>,
        out: &mut [Output<H>],
    ) {
        if P > 1 || H::OUTPUT_TRANSFORM {
            return self.refill_pieces(order, messages, out);
        }
        let mut numbers = order.iter();
        let start = &self.start.state;
        let mut next = || numbers.next().map(|i| (i, messages.one(i)[0], start));
        let mut done = |i: usize, digest| out[i] = digest;
        refill::<H, E>(self.engine, self.start.total, &mut next, &mut done);
        self.hash_again(order, out);
    }

    /// [`refill_in_order`](Self::refill_in_order) of messages in any number of pieces.
    fn refill_pieces<'a, const P: usize>(
        &self,
        order: Numbers<'_>,
        messages: &dyn Asked<'a, P>,
        out: &mut [Output<H>],
    ) {
        let mut numbers = order.iter();
        let mut next = || numbers.next().map(|index| Pieces::new(index, messages.one(index)));
        let mut batch = Batch::<H, E, _>::new(self.engine, *self.start);
        while batch.step(&mut next, |source, Ok(digest)| out[source.into_key()] = digest) {}
        self.hash_again(order, out);
    }

    /// The second hash, if there is one, of digests that have left the lanes.
    fn hash_again(&self, order: Numbers<'_>, out: &mut [Output<H>]) {
        if let Some(again) = self.again {
            again.of_digests(self.engine, order, out);
        }
    }
}

/// The parts of a message's end after the padding ([`HashFunction::end`]), in all lanes.
fn transform<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    states: &mut AllLanes<H::Compression>,
    live: usize,
) {
    for part in 1.. {
        let mut blocks = <H::Compression as Compression>::PerLane::splat([0; 2 * MAX_BLOCK]);
        let mut count = 0;
        for (l, blocks) in blocks.as_mut()[..live].iter_mut().enumerate() {
            let mut state: State<H> = states.states().get(l);
            count = H::end(part, &mut state, 0, 0, blocks);
            states.states().set(l, &state);
        }
        if count == 0 {
            return;
        }
        let mut runs = <H::Compression as Compression>::PerLane::<&[u8]>::splat(&[]);
        for (run, blocks) in runs.as_mut().iter_mut().zip(blocks.as_ref()) {
            *run = blocks;
        }
        let work = Messages::advance(states.states(), &runs.as_ref()[..live]);
        engine.run(Work::Messages(Messages { blocks: count, ..work }));
    }
}
