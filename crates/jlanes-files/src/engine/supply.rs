//! Jobs that wait for a worker, and how many of them a worker may take.

use std::{
    collections::{BTreeMap, VecDeque},
    iter,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{Job, Payload, Sink, Work, window::Window};
use crate::{
    Digester,
    lanes::is_alone,
    read::{Device, Turn},
};

/// Jobs drawn ahead for each thread: as many as show whether there are enough for all lanes.
const AHEAD: usize = 64;

/// Tasks that a worker holds where one tree is made of each file: one that is hashed, and the next.
const ALONE: usize = 2;

/// The most large files that wait for their devices before no more tasks are handed out.
const DEFERRED: usize = 64;

/// A job with its number.
pub(super) struct Task<D> {
    pub(super) number: u64,
    pub(super) work: Work<D>,
    /// What it has waited for, if it had to.
    pub(super) turn: Option<Turn>,
}

/// The jobs of all workers.
pub(super) struct Supply<D, I> {
    /// `None` once it is exhausted. Whoever draws jobs holds only this lock meanwhile: to walk
    /// through directories takes a while, and others may take what is ready.
    jobs: Mutex<Option<I>>,
    ready: Mutex<VecDeque<Task<D>>>,
    /// Tasks that workers have taken and not finished.
    taken: AtomicUsize,
    /// Large files that wait for their devices, by number.
    deferred: Mutex<BTreeMap<u64, (Work<D>, &'static Device)>>,
    /// How many they are: workers look here before every step.
    deferrals: AtomicUsize,
}

/// What is left for a worker that got nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing, for ever.
    Nothing,
    /// There may be more, when results have been handed on.
    Later,
    /// There are tasks.
    Tasks,
}

impl<P: Payload, D: Digester, I: Iterator<Item = Job<P, D>>> Supply<D, I> {
    pub(super) fn new(jobs: I) -> Self {
        Self {
            jobs: Mutex::new(Some(jobs)),
            ready: Mutex::default(),
            taken: AtomicUsize::new(0),
            deferred: Mutex::default(),
            deferrals: AtomicUsize::new(0),
        }
    }

    /// Moves up to `wanted` tasks to a worker that has `own`. The share of every worker is the
    /// same part of all tasks in sight: a few large files are spread over as many threads as
    /// `threads` says of so many.
    pub(super) fn take<S: Sink<P>>(
        &self,
        window: &Window<P, S>,
        threads: impl Fn(&Task<D>, usize) -> usize,
        own: usize,
        wanted: usize,
        to: &mut Vec<Task<D>>,
    ) -> Rest {
        if self.deferrals.load(Ordering::Relaxed) >= DEFERRED {
            return Rest::Later;
        }
        let at_hand = self.ready().len();
        let may_be_more = at_hand >= AHEAD / 2 || self.draw(window, at_hand == 0);
        let mut tasks = self.ready();
        let ready = tasks.len();
        let Some(next) = tasks.front() else {
            return if may_be_more { Rest::Later } else { Rest::Nothing };
        };
        let in_sight = ready + self.taken.load(Ordering::Relaxed);
        let share = if in_sight == 1 { 1 } else { in_sight.div_ceil(threads(next, in_sight)) };
        let alone = is_alone(&next.work.digesters);
        let wanted = if alone { wanted.min(ALONE.saturating_sub(own)) } else { wanted };
        let n = share.saturating_sub(own).min(wanted).min(ready);
        to.extend(tasks.drain(..n));
        self.taken.fetch_add(n, Ordering::Relaxed);
        Rest::Tasks
    }

    /// Draws jobs as far as the window has room for them, unless another worker is about it: only
    /// one that cannot do without waits for that. Returns whether there may be more.
    fn draw<S: Sink<P>>(&self, window: &Window<P, S>, needed: bool) -> bool {
        let mut jobs = if needed {
            self.jobs.lock().expect("no supply of jobs panics")
        } else {
            let Ok(jobs) = self.jobs.try_lock() else { return true };
            jobs
        };
        if needed && !self.ready().is_empty() {
            // another worker was faster
            return true;
        }
        loop {
            let Some(source) = &mut *jobs else { return false };
            let wanted = window.room().min(AHEAD);
            let drawn: Vec<_> = source.take(wanted).collect();
            if drawn.len() < wanted {
                *jobs = None;
            }
            self.add(window, drawn);
            // jobs without work are done at once
            if wanted == 0 || !self.ready().is_empty() {
                return true;
            }
        }
    }

    /// Lines jobs up.
    fn add<S: Sink<P>>(&self, window: &Window<P, S>, jobs: Vec<Job<P, D>>) {
        let (payloads, work): (Vec<_>, Vec<_>) =
            jobs.into_iter().map(|job| ((job.payload, job.work.is_some()), job.work)).unzip();
        let first = window.add(payloads.into_iter());
        let tasks = iter::zip(first.., work)
            .filter_map(|(number, work)| work.map(|work| Task { number, work, turn: None }));
        self.ready().extend(tasks);
    }

    /// Puts a task that a worker had taken aside until `device` has a turn for it.
    pub(super) fn defer(&self, number: u64, work: Work<D>, device: &'static Device) {
        self.finished(1);
        let mut deferred = self.deferred();
        deferred.insert(number, (work, device));
        self.deferrals.store(deferred.len(), Ordering::Relaxed);
    }

    /// The first task that had been put aside and has its turn now.
    pub(super) fn resume(&self) -> Option<Task<D>> {
        if self.deferrals.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut deferred = self.deferred();
        let (number, turn) = deferred
            .iter()
            .find_map(|(number, (_, device))| device.enter().map(|turn| (*number, turn)))?;
        let (work, _) = deferred.remove(&number)?;
        self.deferrals.store(deferred.len(), Ordering::Relaxed);
        self.taken.fetch_add(1, Ordering::Relaxed);
        Some(Task { number, work, turn: Some(turn) })
    }

    /// Notes that tasks are finished.
    pub(super) fn finished(&self, tasks: usize) {
        self.taken.fetch_sub(tasks, Ordering::Relaxed);
    }

    /// The tasks that nobody has taken.
    pub(super) fn ready(&self) -> MutexGuard<'_, VecDeque<Task<D>>> {
        self.ready.lock().expect("nothing panics that lines tasks up")
    }

    fn deferred(&self) -> MutexGuard<'_, BTreeMap<u64, (Work<D>, &'static Device)>> {
        self.deferred.lock().expect("nothing panics that puts tasks aside")
    }
}
