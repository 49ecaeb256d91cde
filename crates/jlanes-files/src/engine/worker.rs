//! The work of one thread: taking jobs from the queue, and advancing the lanes that hash them.

use std::{mem, sync::Arc, thread};

use super::{
    Engine, Job, Payload, Sink, Stats,
    queue::{DeferredFile, Queue, QueueAnswer, TakenJob},
};
use crate::{
    Computation,
    lanes::{FileLanes, FinishedFile, LanesConfig, threads},
    read::{FileSource, ReadAhead, ReadSummary},
};

/// The maximum number of jobs of a worker for each set of computations: one for each lane and one to
/// follow it, so that lanes are refilled at once.
const MAX_JOBS: usize = 32;

/// Bytes of work after which a worker starts others: hashing these takes longer than starting a thread.
const BUSY_BYTES: u64 = 256 << 10;

/// What a file counts for besides its bytes: a part of what opening it takes, as threads that open files wait for each
/// other in the kernel.
const FILE_COST_BYTES: u64 = 1 << 10;

/// The maximum number of sets of computations for which a worker keeps lanes. A list may name many
/// algorithms, and lanes take memory.
const MAX_SETS: usize = 16;

/// State shared by all workers.
pub(super) struct Shared<P, I, S> {
    pub(super) engine: Engine,
    pub(super) queue: Queue<P, I, S>,
}

impl<P, I, S> Shared<P, I, S>
where
    P: Payload,
    I: Iterator<Item = Job<P>>,
    S: Sink<P>,
{
    fn threads(&self) -> usize {
        self.engine.threads.count()
    }

    /// The number of workers, besides the first, that would have work.
    pub(super) fn helpers_wanted(&self) -> usize {
        self.queue.ready().min(self.threads() - 1)
    }
}

/// Lanes for a set of computations.
type LanesOf = (Arc<[Computation]>, Box<dyn FileLanes>);

/// One thread's lanes and their jobs.
pub(super) struct Worker<'a, P, I, S> {
    shared: &'a Shared<P, I, S>,
    lanes: Vec<LanesOf>,
    /// Statistics of lanes that were dropped.
    dropped: Stats,
    /// Buffer for jobs on their way to the lanes; empty between turns.
    taken: Vec<TakenJob>,
    /// Jobs in the lanes or waiting for one.
    jobs: usize,
    /// The file to read when the lanes are empty.
    alone: Option<(u64, DeferredFile)>,
    read_ahead: ReadAhead,
    bytes: u64,
    files: u64,
}

impl<'a, P, I, S> Worker<'a, P, I, S>
where
    P: Payload,
    I: Iterator<Item = Job<P>>,
    S: Sink<P>,
{
    pub(super) fn new(shared: &'a Shared<P, I, S>) -> Self {
        Self {
            shared,
            lanes: Vec::new(),
            dropped: Stats::default(),
            taken: Vec::new(),
            jobs: 0,
            alone: None,
            read_ahead: ReadAhead::new(),
            bytes: 0,
            files: 0,
        }
    }

    /// Works until nothing is left.
    pub(super) fn work(mut self) -> Stats {
        while self.work_once() {}
        self.stats()
    }

    /// Whether this worker has done enough to be worth starting others.
    pub(super) fn has_done_enough(&self) -> bool {
        let blocks: u64 = self.lanes.iter().map(|(_, lanes)| lanes.usage().blocks).sum();
        // the block of most functions: an estimate is enough
        64 * blocks + FILE_COST_BYTES * self.files > BUSY_BYTES
    }

    /// Takes jobs and advances all of them. Returns whether there may be more.
    pub(super) fn work_once(&mut self) -> bool {
        let queue = &self.shared.queue;
        if queue.is_stopped() {
            return false;
        }
        let seen = queue.stored();
        let answer = if self.alone.is_none() { self.take() } else { QueueAnswer::Jobs };
        if self.jobs > 0 {
            if let QueueAnswer::Alone(number, deferred) = answer {
                self.alone = Some((number, deferred));
            }
            self.step();
            return true;
        }
        match answer {
            QueueAnswer::Alone(number, deferred) => self.hash_alone(number, deferred),
            QueueAnswer::Later => return queue.wait_past(seen),
            QueueAnswer::Nothing => return false,
            QueueAnswer::Jobs => {
                if let Some((number, deferred)) = self.alone.take() {
                    self.hash_alone(number, deferred);
                }
            }
        }
        true
    }

    fn take(&mut self) -> QueueAnswer {
        let shared = self.shared;
        let limit = MAX_JOBS * self.lanes.len().max(1);
        if self.jobs >= limit {
            return QueueAnswer::Jobs;
        }
        let mut jobs = mem::take(&mut self.taken);
        let backend = shared.engine.backend;
        let threads_for = |computations: &[Computation], files| {
            threads(computations, backend, files, shared.threads())
        };
        let answer = shared.queue.take(threads_for, self.jobs, limit, &mut jobs);
        // hints go out while other workers may take jobs
        jobs.iter().for_each(|job| self.read_ahead.announce(&job.work.target));
        for TakenJob { number, work } in jobs.drain(..) {
            let source = FileSource::new(number, work.target, &shared.engine.reading);
            self.submit(&work.computations, source);
        }
        self.taken = jobs;
        answer
    }

    fn submit(&mut self, computations: &Arc<[Computation]>, source: FileSource) {
        self.jobs += 1;
        let known =
            |(known, _): &LanesOf| Arc::ptr_eq(known, computations) || known == computations;
        if !self.lanes.iter().any(known) {
            self.drop_idle_lanes();
            let engine = &self.shared.engine;
            let config = LanesConfig {
                computations: Arc::clone(computations),
                backend: engine.backend,
                threads: engine.threads.clone(),
                on_tree: engine.on_tree.clone(),
            };
            self.lanes.push((Arc::clone(computations), config.build()));
        }
        let lanes = self.lanes.iter_mut().find(|lanes| known(lanes));
        lanes.expect("they have just been made").1.submit(source);
    }

    /// Drops empty lanes if there are too many.
    fn drop_idle_lanes(&mut self) {
        while self.lanes.len() >= MAX_SETS {
            let idle = self.lanes.extract_if(.., |(_, lanes)| lanes.len() == 0);
            let reports =
                idle.map(|(computations, lanes)| (computations, lanes.report())).collect();
            self.dropped.add(Stats { reports, ..Stats::default() });
            if self.lanes.len() >= MAX_SETS {
                self.step();
            }
        }
    }

    /// Advances the messages in all lanes, and stores the outcomes of finished ones.
    fn step(&mut self) {
        let Self { shared, lanes, jobs, bytes, files, .. } = self;
        for (computations, lanes) in lanes.iter_mut().filter(|(_, lanes)| lanes.len() > 0) {
            lanes.step(&mut |ended| {
                let mut ended = ended.peekable();
                if ended.peek().is_none() {
                    // nothing has ended: only large files are in progress
                    return shared.queue.try_flush();
                }
                let ended = shared.queue.finish(computations, ended);
                *jobs -= ended.jobs;
                *files += ended.files;
                *bytes += ended.bytes;
            });
        }
    }

    /// Hashes a file that was set aside. Everything before it is done and the lanes are empty: a
    /// program that writes to several pipes expects them to be read in this order.
    fn hash_alone(&mut self, number: u64, DeferredFile { computations, file }: DeferredFile) {
        let queue = &self.shared.queue;
        // waiting for a pipe may take long
        queue.flush();
        match FileSource::alone(number, file, &self.shared.engine.reading) {
            Ok(source) => {
                self.submit(&computations, source);
                while self.jobs > 0 && !queue.is_stopped() {
                    self.step();
                }
            }
            Err(error) => {
                let summary = ReadSummary::empty(number);
                let failed = FinishedFile { summary, digests: Err(error.into()) };
                self.files += queue.finish(&computations, [failed].into_iter()).files;
            }
        }
    }

    pub(super) fn stats(&self) -> Stats {
        let report = |(computations, lanes): &LanesOf| (Arc::clone(computations), lanes.report());
        let reports = self.lanes.iter().map(report).collect();
        let mut stats = Stats { threads: 1, bytes: self.bytes, files: self.files, reports };
        stats.add(Stats { reports: self.dropped.reports.clone(), ..Stats::default() });
        stats
    }
}

/// Stops the other workers if this one panics, as a caller's sink or iterator may.
impl<P, I, S> Drop for Worker<'_, P, I, S> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.shared.queue.stop();
        }
    }
}
