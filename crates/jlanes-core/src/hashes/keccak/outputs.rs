//! Outputs of many sponge states, each of which continues from its own position.

use alloc::vec::Vec;

use super::{
    STATE_WORDS,
    sponge_lanes::{MAX_LANES, SpongeLanes},
};
use crate::{
    compression::{LaneBuffer, Shape},
    kernel::Kernels,
    lanes::outputs::{self, Destinations},
};

/// Sponge states of one rate and number of rounds that have absorbed their messages. The outputs of a group
/// are squeezed in place if all of them are; others are collected into full lanes.
#[derive(Clone, Default)]
pub struct Outputs {
    groups: Vec<SpongeLanes>,
    len: usize,
    /// The places of the outputs, and the output at each place; empty if these are equal.
    places: Vec<usize>,
    order: Vec<usize>,
}

impl Outputs {
    /// Replaces all outputs by the `count` outputs of groups of lanes, of which only the last may be
    /// partial. `order` has the output of each lane, or is empty if the lanes are in order.
    pub(super) fn set(
        &mut self,
        count: usize,
        groups: impl Iterator<Item = SpongeLanes>,
        order: Vec<usize>,
    ) {
        self.wipe();
        self.groups.clear();
        self.groups.extend(groups);
        self.places.clear();
        self.places.resize(order.len(), 0);
        order.iter().enumerate().for_each(|(place, output)| self.places[*output] = place);
        (self.len, self.order) = (count, order);
    }

    /// Appends an output that continues at byte `at` of the block in `state`.
    pub(super) fn push(&mut self, shape: &Shape<u64>, state: &[u64; STATE_WORDS], at: u8) {
        let (group, lane) = (self.len / MAX_LANES, self.len % MAX_LANES);
        if group == self.groups.len() {
            self.groups.push(SpongeLanes::new(LaneBuffer::new(shape)));
        }
        self.groups[group].states.states().set(lane, state);
        self.groups[group].at[lane] = at;
        if !self.order.is_empty() {
            self.places.push(self.len);
            self.order.push(self.len);
        }
        self.len += 1;
    }

    /// The number of outputs in a group.
    fn lanes(&self, group: usize) -> usize {
        MAX_LANES.min(self.len - group * MAX_LANES)
    }

    /// [`squeeze`](Self::squeeze) of all outputs.
    fn squeeze_all(&mut self, kernels: &Kernels<u64>, outs: &mut dyn Destinations) {
        for g in 0..self.groups.len() {
            let mut outputs = [0; MAX_LANES];
            let outputs = &mut outputs[..self.lanes(g)];
            for (output, place) in outputs.iter_mut().zip(g * MAX_LANES..) {
                *output = self.order.get(place).copied().unwrap_or(place);
            }
            self.groups[g].squeeze(kernels, outputs, true, outs);
        }
    }

    /// [`squeeze`](Self::squeeze) of outputs of several groups, at most as many as there are lanes:
    /// their places, and the indices of their destinations.
    fn squeeze_collected(
        &mut self,
        kernels: &Kernels<u64>,
        (places, to): (&[usize], &[usize]),
        outs: &mut dyn Destinations,
    ) {
        if places.is_empty() {
            return;
        }
        let mut lanes = SpongeLanes::new(LaneBuffer::new(kernels.shape));
        let mut state = [0; STATE_WORDS];
        for (l, place) in places.iter().enumerate() {
            let home = &self.groups[place / MAX_LANES];
            home.states.get_into(place % MAX_LANES, &mut state);
            lanes.states.states().set(l, &state);
            lanes.at[l] = home.at[place % MAX_LANES];
        }
        lanes.squeeze(kernels, to, true, outs);
        for (l, place) in places.iter().enumerate() {
            let home = &mut self.groups[place / MAX_LANES];
            lanes.states.get_into(l, &mut state);
            home.states.states().set(place % MAX_LANES, &state);
            home.at[place % MAX_LANES] = lanes.at[l];
        }
        crate::wipe::words(&mut state);
        lanes.wipe();
    }

    fn wipe(&mut self) {
        self.groups.iter_mut().for_each(SpongeLanes::wipe);
    }
}

impl outputs::Outputs<u64> for Outputs {
    fn len(&self) -> usize {
        self.len
    }

    fn squeeze(
        &mut self,
        kernels: &Kernels<u64>,
        which: Option<&[usize]>,
        outs: &mut dyn Destinations,
    ) {
        let Some(which) = which.filter(|which| which.len() < self.len()) else {
            return self.squeeze_all(kernels, outs);
        };
        let (mut places, mut to, mut count) = ([0; MAX_LANES], [0; MAX_LANES], 0);
        let mut k = 0;
        while k < which.len() {
            let place = |k: usize| self.places.get(which[k]).copied().unwrap_or(which[k]);
            let (first, group) = (place(k), place(k) / MAX_LANES);
            let lanes = self.lanes(group);
            let end = k + lanes;
            if first % MAX_LANES == 0
                && end <= which.len()
                && (0..lanes).all(|l| place(k + l) == first + l)
            {
                let mut own = [0; MAX_LANES];
                own.iter_mut().zip(k..end).for_each(|(own, k)| *own = k);
                self.groups[group].squeeze(kernels, &own[..lanes], true, outs);
                k = end;
                continue;
            }
            (places[count], to[count]) = (first, k);
            (count, k) = (count + 1, k + 1);
            if count == MAX_LANES {
                self.squeeze_collected(kernels, (&places, &to), outs);
                count = 0;
            }
        }
        self.squeeze_collected(kernels, (&places[..count], &to[..count]), outs);
    }
}

impl Drop for Outputs {
    fn drop(&mut self) {
        self.wipe();
    }
}
