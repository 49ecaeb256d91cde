//! The queue of files, in the order of the jobs: files that wait for a worker, files being hashed, and
//! results that wait for their turn.

mod state;

use std::{
    io, iter,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

pub(super) use self::state::{DeferredFile, TakenJob};
use self::state::{Slot, Stage, State};
use super::{Cancel, Job, Order, Outcome, Payload, Sink};
use crate::{
    Computation,
    lanes::{FinishedFile, fills_lanes},
    read::{ReadError, ReadSummary},
};

/// The maximum distance between the oldest unfinished job and the newest: this many small files can be
/// hashed while one huge file is. It bounds memory to a few MiB.
pub(super) const MAX_JOBS_APART: usize = 16 << 10;

/// The total weight of queued jobs, in bytes, at which no more are taken: lists can have long lines.
const MAX_QUEUED_BYTES: usize = 64 << 20;

/// Jobs drawn before any worker asks for them, so that the queue sees whether all lanes can be filled.
const JOBS_AHEAD: usize = 64;

/// The maximum number of jobs of a worker if each file fills all lanes: the current one and the next.
const MAX_TREE_JOBS: usize = 2;

/// The number of files set aside, some of them open, at which workers get no more jobs.
const MAX_DEFERRED_FILES: usize = 32;

/// The queue's answer to a worker that asks for jobs.
pub(super) enum QueueAnswer {
    /// All jobs that the worker may have now were appended.
    Jobs,
    /// A file that was set aside, to be read alone.
    Alone(u64, DeferredFile),
    /// No job now. There may be one after the next outcome is stored; see [`Queue::wait_past`].
    Later,
    /// No job any more.
    Nothing,
}

/// The queue of all workers.
pub(super) struct Queue<P, I, S> {
    /// `None` once exhausted. Only this lock is held while jobs are drawn: walking directories takes
    /// time, and other workers may take ready files meanwhile.
    jobs: Mutex<Option<I>>,
    state: Mutex<State<P, S>>,
    state_changed: Condvar,
    order: Order,
    /// How often outcomes were stored; changes only while the state is locked.
    stored: AtomicU64,
    /// Whether the run has ended: workers check this before each step.
    stopped: AtomicBool,
    cancel: Cancel,
}

impl<P, I, S> Queue<P, I, S> {
    /// Locks the state, even after a panic: a stopped queue is not used any more.
    fn lock(&self) -> MutexGuard<'_, State<P, S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops all workers.
    pub(super) fn stop(&self) {
        // under the lock, or a worker about to wait would miss it
        let _state = self.lock();
        self.stopped.store(true, Ordering::Relaxed);
        self.state_changed.notify_all();
    }
}

impl<P, I, S> Queue<P, I, S>
where
    P: Payload,
    I: Iterator<Item = Job<P>>,
    S: Sink<P>,
{
    pub(super) fn new(jobs: I, sink: S, order: Order, cancel: Cancel) -> Self {
        Self {
            jobs: Mutex::new(Some(jobs)),
            state: Mutex::new(State::new(sink)),
            state_changed: Condvar::new(),
            order,
            stored: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            cancel,
        }
    }

    /// Moves jobs to a worker that has `own` until it has up to `limit`. Each worker gets the same
    /// share of the visible jobs: a few large files are spread over as many threads as `threads`
    /// returns for their number.
    pub(super) fn take(
        &self,
        threads: impl Fn(&[Computation], usize) -> usize,
        own: usize,
        limit: usize,
        to: &mut Vec<TakenJob>,
    ) -> QueueAnswer {
        let mut state = self.lock();
        if let Some((number, deferred)) = state.take_deferred() {
            return QueueAnswer::Alone(number, deferred);
        }
        if state.deferred >= MAX_DEFERRED_FILES {
            return QueueAnswer::Later;
        }
        let ready = state.ready;
        drop(state);
        let may_be_more = ready >= JOBS_AHEAD / 2 || self.draw(ready == 0);
        let mut state = self.lock();
        let in_sight = state.ready + state.taken;
        let Some(next) = state.first_ready() else {
            return if may_be_more { QueueAnswer::Later } else { QueueAnswer::Nothing };
        };
        let among = if in_sight == 1 { 1 } else { threads(&next.computations, in_sight) };
        let limit = if fills_lanes(&next.computations) { limit.min(MAX_TREE_JOBS) } else { limit };
        let share = in_sight.div_ceil(among).min(limit).saturating_sub(own);
        to.extend(iter::from_fn(|| state.take()).take(share));
        QueueAnswer::Jobs
    }

    /// Draws jobs while there is room. Only a worker that `needed` one waits while another worker
    /// draws. Returns whether there may be more.
    fn draw(&self, needed: bool) -> bool {
        let mut jobs = if needed {
            self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
        } else {
            let Ok(jobs) = self.jobs.try_lock() else { return true };
            jobs
        };
        if needed && self.ready() > 0 {
            // another worker is drawing
            return true;
        }
        while !self.is_stopped() {
            let Some(source) = &mut *jobs else { return false };
            let wanted = self.free_places().min(JOBS_AHEAD);
            let drawn: Vec<_> = source.take(wanted).collect();
            if drawn.len() < wanted {
                *jobs = None;
            }
            self.add(drawn);
            // jobs without work are done already
            if wanted == 0 || self.ready() > 0 {
                return true;
            }
        }
        true
    }

    /// The number of jobs that there is room for.
    fn free_places(&self) -> usize {
        let state = self.lock();
        if state.weight < MAX_QUEUED_BYTES {
            MAX_JOBS_APART.saturating_sub(state.slots.len())
        } else {
            0
        }
    }

    /// Appends jobs.
    fn add(&self, jobs: Vec<Job<P>>) {
        let mut state = self.lock();
        for Job { payload, work } in jobs {
            let number = state.head + state.slots.len() as u64;
            state.weight += payload.weight();
            state.ready += usize::from(work.is_some());
            let is_done = work.is_none();
            let stage = work.map_or(Stage::Done(None), Stage::Ready);
            state.slots.push_back(Slot { payload: Some(payload), stage });
            if is_done && self.order == Order::AsFinished {
                state.pass_on(number);
            }
        }
        self.emit(&mut state);
    }

    /// Stores the outcomes of files under `computations`. Returns the number of files, how many of
    /// them are done, and the bytes read.
    pub(super) fn finish(
        &self,
        computations: &Arc<[Computation]>,
        ended: impl Iterator<Item = FinishedFile>,
    ) -> Totals {
        let mut state = self.lock();
        let mut sum = Totals::default();
        for FinishedFile { summary: ReadSummary { number, len, stat, changed }, digests } in ended {
            sum.jobs += 1;
            state.taken -= 1;
            let digests = match digests {
                Ok(digests) => Ok(digests),
                Err(ReadError::Io(error)) => Err(error),
                Err(ReadError::Alone(file)) => {
                    state.deferred += 1;
                    let deferred = DeferredFile { computations: Arc::clone(computations), file };
                    state.slot(number).stage = Stage::Deferred(deferred);
                    continue;
                }
            };
            sum.files += 1;
            sum.bytes += len;
            let outcome = Outcome { len, stat, changed, digests };
            state.slot(number).stage = Stage::Done(Some(outcome));
            if self.order == Order::AsFinished {
                state.pass_on(number);
            }
        }
        self.stored.fetch_add(1, Ordering::Relaxed);
        self.emit(&mut state);
        sum
    }

    fn emit(&self, state: &mut State<P, S>) {
        state.emit();
        if state.failure.is_some() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        // a system call, even if no thread waits
        if state.waiting > 0 {
            self.state_changed.notify_all();
        }
    }

    /// The number of files waiting for a worker.
    pub(super) fn ready(&self) -> usize {
        self.lock().ready
    }

    /// Whether the run has ended, because the sink failed or it was cancelled.
    pub(super) fn is_stopped(&self) -> bool {
        if self.cancel.is_cancelled() && !self.stopped.load(Ordering::Relaxed) {
            self.lock().failure.get_or_insert_with(Cancel::error);
            self.stop();
        }
        self.stopped.load(Ordering::Relaxed)
    }

    /// Lets the sink flush, unless another worker is about to add results.
    pub(super) fn try_flush(&self) {
        if let Ok(mut state) = self.state.try_lock() {
            state.flush();
        }
    }

    /// Lets the sink flush.
    pub(super) fn flush(&self) {
        self.lock().flush();
    }

    /// How often outcomes were stored so far.
    pub(super) fn stored(&self) -> u64 {
        self.stored.load(Ordering::Relaxed)
    }

    /// Waits until outcomes were stored more than `seen` times. Returns whether there is work left.
    pub(super) fn wait_past(&self, seen: u64) -> bool {
        let mut state = self.lock();
        while !self.stopped.load(Ordering::Relaxed) && self.stored() == seen {
            state.flush();
            state.waiting += 1;
            state = self.state_changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        state.flush();
        !self.stopped.load(Ordering::Relaxed)
    }

    /// Returns the sink at the end.
    pub(super) fn into_sink(self) -> io::Result<S> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.flush();
        state.failure.map_or(Ok(state.sink), Err)
    }
}

/// Totals of the stored outcomes.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) jobs: usize,
    pub(super) files: u64,
    pub(super) bytes: u64,
}
