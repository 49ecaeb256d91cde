//! Jobs that wait for a worker, and how many of them a worker may take.

use std::{
    collections::{BTreeMap, VecDeque},
    iter,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{Job, Sink, Work, window::Window};
use crate::{
    method::is_alone,
    read::{Device, Turn},
};

/// Jobs drawn ahead for each thread: as many as show whether there are enough for all lanes.
const AHEAD: usize = 64;

/// Tasks that a worker holds where one tree is made of each file: one that is hashed, and the next.
const ALONE: usize = 2;

/// The most large files that wait for their devices before no more tasks are handed out.
const DEFERRED: usize = 64;

/// A job with its number.
pub(super) struct Task {
    pub(super) number: u64,
    pub(super) work: Work,
    /// What it has waited for, if it had to.
    pub(super) turn: Option<Turn>,
}

/// The jobs of all workers.
pub(super) struct Supply<I> {
    queue: Mutex<Queue<I>>,
    /// Tasks that workers have taken and not finished.
    taken: AtomicUsize,
    /// How many tasks are deferred.
    deferred: AtomicUsize,
}

struct Queue<I> {
    /// `None` once it is exhausted.
    jobs: Option<I>,
    ready: VecDeque<Task>,
    /// Large files that wait for their devices, by number.
    deferred: BTreeMap<u64, (Work, &'static Device)>,
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

impl<P, I: Iterator<Item = Job<P>>> Supply<I> {
    pub(super) fn new(jobs: I) -> Self {
        let (ready, deferred) = (VecDeque::new(), BTreeMap::new());
        Self {
            queue: Mutex::new(Queue { jobs: Some(jobs), ready, deferred }),
            taken: AtomicUsize::new(0),
            deferred: AtomicUsize::new(0),
        }
    }

    /// Moves up to `wanted` tasks to a worker that has `own`. The share of every worker is the
    /// same part of all tasks in sight: a few large files are spread over all threads.
    pub(super) fn take<S: Sink<P>>(
        &self,
        window: &Window<P, S>,
        threads: impl Fn() -> usize,
        own: usize,
        wanted: usize,
        to: &mut Vec<Task>,
    ) -> Rest {
        let mut queue = self.lock();
        if queue.deferred.len() >= DEFERRED {
            return Rest::Later;
        }
        if queue.ready.len() < wanted {
            queue.draw(window);
        }
        let ready = queue.ready.len();
        if ready == 0 {
            return if queue.jobs.is_some() { Rest::Later } else { Rest::Nothing };
        }
        let in_sight = ready + self.taken.load(Ordering::Relaxed);
        let share = if in_sight == 1 { 1 } else { in_sight.div_ceil(threads()) };
        let alone = queue.ready.front().is_some_and(|task| is_alone(&task.work.algorithms));
        let wanted = if alone { wanted.min(ALONE.saturating_sub(own)) } else { wanted };
        let n = share.saturating_sub(own).min(wanted).min(ready);
        to.extend(queue.ready.drain(..n));
        self.taken.fetch_add(n, Ordering::Relaxed);
        Rest::Tasks
    }

    /// Puts a task that a worker had taken aside until `device` has a turn for it.
    pub(super) fn defer(&self, number: u64, work: Work, device: &'static Device) {
        self.finished(1);
        let mut queue = self.lock();
        queue.deferred.insert(number, (work, device));
        self.deferred.store(queue.deferred.len(), Ordering::Relaxed);
    }

    /// The first task that had been put aside and has its turn now.
    pub(super) fn resume(&self) -> Option<Task> {
        if self.deferred.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut queue = self.lock();
        let enter = |(&number, (_, device)): (&u64, &(_, &'static Device))| {
            device.enter().map(|turn| (number, turn))
        };
        let (number, turn) = queue.deferred.iter().find_map(enter)?;
        let (work, _) = queue.deferred.remove(&number)?;
        self.deferred.store(queue.deferred.len(), Ordering::Relaxed);
        self.taken.fetch_add(1, Ordering::Relaxed);
        Some(Task { number, work, turn: Some(turn) })
    }

    /// Notes that tasks are finished.
    pub(super) fn finished(&self, tasks: usize) {
        self.taken.fetch_sub(tasks, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Queue<I>> {
        self.queue.lock().expect("no supply of jobs panics")
    }

    /// How many tasks wait.
    pub(super) fn waiting(&self) -> usize {
        self.lock().ready.len()
    }
}

impl<P, I: Iterator<Item = Job<P>>> Queue<I> {
    /// Draws jobs as far as the window has room for them.
    fn draw<S: Sink<P>>(&mut self, window: &Window<P, S>) {
        let Some(jobs) = &mut self.jobs else { return };
        let wanted = window.room().min(AHEAD);
        let mut drawn = Vec::with_capacity(wanted);
        drawn.extend(jobs.take(wanted));
        if drawn.len() < wanted {
            self.jobs = None;
        }
        let (payloads, work): (Vec<_>, Vec<_>) =
            drawn.into_iter().map(|job| ((job.payload, job.work.is_some()), job.work)).unzip();
        let first = window.add(payloads.into_iter());
        let tasks = iter::zip(first.., work)
            .filter_map(|(number, work)| work.map(|work| Task { number, work, turn: None }));
        self.ready.extend(tasks);
    }
}
