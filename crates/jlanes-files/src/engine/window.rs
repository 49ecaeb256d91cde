//! Results, put back into the order of the jobs.

use std::{
    collections::VecDeque,
    io, mem,
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use super::{Outcome, Payload, Sink};

/// The most jobs between the oldest that is not done and the newest that was drawn: while one
/// huge file is hashed, so many small ones may go on. Bounds memory to a few MiB.
const CAPACITY: usize = 16 << 10;

/// Bytes that waiting jobs may weigh before no more are drawn: lists can have long lines.
const WEIGHT: usize = 64 << 20;

/// The jobs under way, each with its outcome once it has one. Jobs are numbered as they come.
pub(super) struct Window<P, S> {
    state: Mutex<State<P, S>>,
    moved: Condvar,
    /// How often outcomes were filed; changes while the state is locked.
    filed: AtomicU64,
    /// Whether the sink failed: workers look here before every step.
    failed: AtomicBool,
}

struct State<P, S> {
    slots: VecDeque<(P, Progress)>,
    /// What the jobs in them weigh.
    weight: usize,
    /// Number of the first slot.
    head: u64,
    sink: S,
    /// Whether the sink has accepted something since it last paused.
    unseen: bool,
    failure: Option<io::Error>,
    /// Workers that wait for something to happen.
    waiting: usize,
}

enum Progress {
    Pending,
    Done(Option<Outcome>),
}

impl<P: Payload, S: Sink<P>> State<P, S> {
    /// Hands everything that is due to the sink.
    fn emit(&mut self) {
        while self.failure.is_none()
            && let Some((_, Progress::Done(_))) = self.slots.front()
            && let Some((payload, Progress::Done(outcome))) = self.slots.pop_front()
        {
            self.head += 1;
            self.weight -= payload.weight();
            self.unseen = true;
            self.failure = self.sink.accept(payload, outcome).err();
        }
    }

    fn pause(&mut self) {
        if mem::take(&mut self.unseen) && self.failure.is_none() {
            self.failure = self.sink.pause().err();
        }
    }
}

impl<P: Payload, S: Sink<P>> Window<P, S> {
    pub(super) fn new(sink: S) -> Self {
        let slots = VecDeque::new();
        let state =
            State { slots, weight: 0, head: 0, sink, unseen: false, failure: None, waiting: 0 };
        Self {
            state: Mutex::new(state),
            moved: Condvar::new(),
            filed: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<P, S>> {
        self.state.lock().expect("no sink panics")
    }

    /// How many jobs there is room for.
    pub(super) fn room(&self) -> usize {
        let state = self.lock();
        if state.weight < WEIGHT { CAPACITY.saturating_sub(state.slots.len()) } else { 0 }
    }

    /// Whether the sink failed, so that nothing is to be hashed any more.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Adds jobs, each with whether there is something to wait for. Returns the first's number.
    pub(super) fn add(&self, jobs: impl Iterator<Item = (P, bool)>) -> u64 {
        let mut state = self.lock();
        let first = state.head + state.slots.len() as u64;
        for (payload, waits) in jobs {
            state.weight += payload.weight();
            let progress = if waits { Progress::Pending } else { Progress::Done(None) };
            state.slots.push_back((payload, progress));
        }
        self.emit(&mut state);
        first
    }

    /// Files outcomes under their jobs' numbers.
    pub(super) fn finish(&self, outcomes: impl Iterator<Item = (u64, Outcome)>) {
        let mut state = self.lock();
        for (number, outcome) in outcomes {
            let at = (number - state.head) as usize;
            state.slots[at].1 = Progress::Done(Some(outcome));
        }
        self.filed.fetch_add(1, Ordering::Relaxed);
        self.emit(&mut state);
    }

    fn emit(&self, state: &mut State<P, S>) {
        state.emit();
        self.failed.store(state.failure.is_some(), Ordering::Relaxed);
        // a system call, even if nobody is there to hear it
        if state.waiting > 0 {
            self.moved.notify_all();
        }
    }

    /// Shows what there is, if another worker is not just about to add to it.
    pub(super) fn pause(&self) {
        if let Ok(mut state) = self.state.try_lock() {
            state.pause();
        }
    }

    /// How often outcomes were filed so far.
    pub(super) fn filed(&self) -> u64 {
        self.filed.load(Ordering::Relaxed)
    }

    /// Waits until outcomes were filed more than `seen` times. Returns whether there still is
    /// something to do.
    pub(super) fn wait_past(&self, seen: u64) -> bool {
        self.wait_while(|_| self.filed() == seen)
    }

    /// Waits until every job before `number` is done. Returns whether there still is something to
    /// do.
    pub(super) fn wait_for_turn(&self, number: u64) -> bool {
        self.wait_while(|state| state.head < number)
    }

    fn wait_while(&self, condition: impl Fn(&State<P, S>) -> bool) -> bool {
        let mut state = self.lock();
        while state.failure.is_none() && condition(&state) {
            state.pause();
            state.waiting += 1;
            state = self.moved.wait(state).expect("no sink panics");
            state.waiting -= 1;
        }
        state.pause();
        state.failure.is_none()
    }

    /// The sink, after everything.
    pub(super) fn into_sink(self) -> io::Result<S> {
        let mut state = self.state.into_inner().expect("no sink panics");
        state.pause();
        state.failure.map_or(Ok(state.sink), Err)
    }
}
