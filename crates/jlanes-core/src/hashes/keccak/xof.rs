//! Extendable outputs of many messages at once: absorbed on lanes, and squeezed on lanes.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use digest::ExtendableOutput;

use super::{Extendable, Permutation, STATE};
use crate::{
    engine::{Engine, Work, messages::Messages},
    hash::{
        HashFunction, assert_block,
        compression::{AllLanes, Compression, max_lanes},
    },
};

/// A hasher that can also compute the outputs of many messages at once.
pub trait MultiXof: ExtendableOutput + Default {
    /// The function.
    type Function: Extendable;
    /// What computes it.
    type Engine: Engine<<Self::Function as HashFunction>::Compression>;

    /// The engine for this CPU.
    fn engine() -> Self::Engine;
}

/// The most lanes that any engine fills.
const LANES: usize = max_lanes::<super::Keccak<21, 24>>();

/// Fills every one of `outs` with the output of `message(i)`.
pub fn fill<'a, H: Extendable, E: Engine<H::Compression>>(
    engine: E,
    message: impl Fn(usize) -> &'a [u8],
    outs: &mut [&mut [u8]],
) {
    const { assert_block::<H>() };
    const { assert!(max_lanes::<H::Compression>() == LANES) };
    let numbers = 0..outs.len();
    #[cfg(feature = "alloc")]
    if outs.len() > LANES {
        // messages that run side by side end side by side, and so do their outputs
        let size = |i: usize| (blocks::<H>(message(i)), outs[i].len());
        let mut order: Vec<usize> = numbers.collect();
        if order.iter().any(|i| size(*i) != size(0)) {
            order.sort_by_key(|i| core::cmp::Reverse(size(*i)));
        }
        for group in order.chunks(LANES) {
            fill_group::<H, E>(engine, group, &message, outs);
        }
        return;
    }
    let mut group = [0; LANES];
    for first in numbers.clone().step_by(LANES) {
        let count = (numbers.end - first).min(LANES);
        for (number, i) in group.iter_mut().zip(first..) {
            *number = i;
        }
        fill_group::<H, E>(engine, &group[..count], &message, outs);
    }
}

/// Blocks of a message with its padding.
fn blocks<H: HashFunction>(message: &[u8]) -> usize {
    H::PADDING.blocks::<H::Compression>(message.len())
}

/// [`fill`] of the messages `numbers`, as many as there are lanes at most, the longest first.
fn fill_group<'a, H: Extendable, E: Engine<H::Compression>>(
    engine: E,
    numbers: &[usize],
    message: &impl Fn(usize) -> &'a [u8],
    outs: &mut [&mut [u8]],
) {
    // any order will do, but a message must not end before one that stands behind it
    let mut numbers: [usize; LANES] =
        core::array::from_fn(|l| numbers.get(l).copied().unwrap_or(usize::MAX));
    let count = numbers.iter().take_while(|number| **number < usize::MAX).count();
    let numbers = &mut numbers[..count];
    if !numbers.is_sorted_by_key(|i| core::cmp::Reverse(blocks::<H>(message(*i)))) {
        numbers.sort_unstable_by_key(|i| core::cmp::Reverse(blocks::<H>(message(*i))));
    }
    let mut states = absorb::<H, E>(engine, numbers, message);
    squeeze::<H, E>(engine, &mut states, numbers, outs);
    states.wipe();
}

/// The states after the messages, the longest of which come first.
fn absorb<'a, H: Extendable, E: Engine<H::Compression>>(
    engine: E,
    numbers: &[usize],
    message: &impl Fn(usize) -> &'a [u8],
) -> AllLanes<H::Compression> {
    let mut messages = [&[] as &[u8]; LANES];
    for (message_of_lane, i) in messages.iter_mut().zip(numbers) {
        *message_of_lane = message(*i);
    }
    let mut states = AllLanes::default();
    let mut ended = [[0; STATE]; LANES];
    let (mut done, mut live) = (0, numbers.len());
    while live > 0 {
        let until = blocks::<H>(messages[live - 1]);
        let skip = [done; LANES];
        engine.run(Work::Messages(Messages {
            skip: if done > 0 { &skip[..live] } else { &[] },
            blocks: until - done,
            end: Some((H::PADDING, 0)),
            start: if done > 0 { None } else { Some(&[0; STATE]) },
            ..Messages::advance(states.states(), &messages[..live])
        }));
        let before = live;
        while live > 0 && blocks::<H>(messages[live - 1]) == until {
            live -= 1;
        }
        if live == 0 && before == numbers.len() {
            return states;
        }
        // lanes that are not live may be overwritten
        for l in live..before {
            ended[l] = states.get(l);
        }
        done = until;
    }
    for (l, ended) in ended.iter_mut().enumerate() {
        states.states().set(l, ended);
        crate::wipe::words(ended);
    }
    states
}

/// Fills the outputs `numbers` from the states of the lanes.
fn squeeze<H: Extendable, E: Engine<H::Compression>>(
    engine: E,
    states: &mut AllLanes<H::Compression>,
    numbers: &[usize],
    outs: &mut [&mut [u8]],
) {
    let block = H::Compression::BLOCK;
    let mut at = 0;
    loop {
        for (l, i) in numbers.iter().enumerate() {
            if let Some(out) = outs[*i].get_mut(at..) {
                let part = out.len().min(block);
                write(states, l, &mut out[..part]);
            }
        }
        at += block;
        let Some(last) = numbers.iter().rposition(|i| at < outs[*i].len()) else { return };
        engine.advance_shared(states.states(), last + 1, &H::Compression::ZEROS);
    }
}

/// Writes the first bytes of lane `l`, without a call for each word.
fn write<C: Permutation>(states: &AllLanes<C>, l: usize, out: &mut [u8]) {
    let (words, rest) = out.as_chunks_mut();
    let (whole, last) = states.rows().split_at(words.len());
    for (bytes, row) in words.iter_mut().zip(whole) {
        *bytes = row.as_ref()[l].to_le_bytes();
    }
    for (i, byte) in rest.iter_mut().enumerate() {
        *byte = (last[0].as_ref()[l] >> (8 * i)) as u8;
    }
}
