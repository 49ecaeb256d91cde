//! The queue's data: slots of jobs in order, and counts of jobs by state. [`Queue`](super::Queue) locks them.

use std::{collections::VecDeque, io, mem, sync::Arc};

use crate::{
    Computation,
    engine::{Outcome, Payload, Sink, Work},
    read::ReadAlone,
};

/// A file taken by a worker, with its number.
pub(in crate::engine) struct TakenJob {
    pub(in crate::engine) number: u64,
    pub(in crate::engine) work: Work,
}

/// A file that was set aside, to be read alone.
pub(in crate::engine) struct DeferredFile {
    pub(in crate::engine) computations: Arc<[Computation]>,
    pub(in crate::engine) file: ReadAlone,
}

pub(super) struct State<P, S> {
    pub(super) slots: VecDeque<Slot<P>>,
    /// Number of the first slot.
    pub(super) head: u64,
    /// No file before this number waits for a worker.
    pub(super) next: u64,
    /// Files waiting for a worker.
    pub(super) ready: usize,
    /// Files being hashed.
    pub(super) taken: usize,
    /// Files set aside.
    pub(super) deferred: usize,
    /// The total weight of the jobs in the slots.
    pub(super) weight: usize,
    pub(super) sink: S,
    /// Whether the sink has accepted something since its last flush.
    pub(super) has_unflushed: bool,
    pub(super) failure: Option<io::Error>,
    /// Workers waiting for a change.
    pub(super) waiting: usize,
}

/// A job's place in the queue.
pub(super) struct Slot<P> {
    /// Present until the sink gets it.
    pub(super) payload: Option<P>,
    pub(super) stage: Stage,
}

pub(super) enum Stage {
    /// Waits for a worker.
    Ready(Work),
    Taken,
    /// To be read alone, when everything before it is done.
    Deferred(DeferredFile),
    /// Waits for earlier results, if the order matters.
    Done(Option<Outcome>),
}

impl<P: Payload, S: Sink<P>> State<P, S> {
    pub(super) fn new(sink: S) -> Self {
        Self {
            slots: VecDeque::new(),
            head: 0,
            next: 0,
            ready: 0,
            taken: 0,
            deferred: 0,
            weight: 0,
            sink,
            has_unflushed: false,
            failure: None,
            waiting: 0,
        }
    }

    pub(super) fn slot(&mut self, number: u64) -> &mut Slot<P> {
        &mut self.slots[(number - self.head) as usize]
    }

    /// Passes slot `number` to the sink.
    pub(super) fn pass_on(&mut self, number: u64) {
        let slot = self.slot(number);
        if let Stage::Done(outcome) = &mut slot.stage
            && let (outcome, Some(payload)) = (outcome.take(), slot.payload.take())
        {
            self.weight -= payload.weight();
            self.has_unflushed = true;
            if self.failure.is_none() {
                self.failure = self.sink.accept(payload, outcome).err();
            }
        }
    }

    /// Passes all slots that are due to the sink.
    pub(super) fn emit(&mut self) {
        while self.failure.is_none()
            && let Some(Slot { stage: Stage::Done(_), .. }) = self.slots.front()
        {
            self.pass_on(self.head);
            self.slots.pop_front();
            self.head += 1;
            self.next = self.next.max(self.head);
        }
    }

    pub(super) fn flush(&mut self) {
        if mem::take(&mut self.has_unflushed) && self.failure.is_none() {
            self.failure = self.sink.flush().err();
        }
    }

    /// The first file in the queue, if it has been set aside.
    pub(super) fn take_deferred(&mut self) -> Option<(u64, DeferredFile)> {
        let first = self.slots.front_mut()?;
        if !matches!(first.stage, Stage::Deferred(_)) {
            return None;
        }
        let Stage::Deferred(deferred) = mem::replace(&mut first.stage, Stage::Taken) else {
            return None;
        };
        self.deferred -= 1;
        self.taken += 1;
        Some((self.head, deferred))
    }

    /// The first file waiting for a worker.
    pub(super) fn first_ready(&mut self) -> Option<&Work> {
        let end = self.head + self.slots.len() as u64;
        while self.next < end {
            if matches!(self.slot(self.next).stage, Stage::Ready(_)) {
                break;
            }
            self.next += 1;
        }
        match &self.slots.get((self.next - self.head) as usize)?.stage {
            Stage::Ready(work) => Some(work),
            _ => None,
        }
    }

    /// Takes the first file waiting for a worker.
    pub(super) fn take(&mut self) -> Option<TakenJob> {
        self.first_ready()?;
        let number = self.next;
        let stage = mem::replace(&mut self.slot(number).stage, Stage::Taken);
        let Stage::Ready(work) = stage else { return None };
        self.next += 1;
        self.ready -= 1;
        self.taken += 1;
        Some(TakenJob { number, work })
    }
}
