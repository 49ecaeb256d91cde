//! One thread's part of the work.

use std::{collections::BTreeMap, mem, sync::Arc};

use super::{
    Engine, Job, Outcome, Payload, Sink, Stats, Work,
    supply::{Rest, Supply, Task},
    window::Window,
};
use crate::{
    Digester,
    lanes::{Finished, Lanes, Method, threads},
    read::{Ahead, End, FileSource, ReadError, Stream},
};

/// Tasks that a worker holds for each method: a lane's and one that follows it, so that lanes
/// are filled again at once.
const TASKS: usize = 32;

/// The work after which a worker calls for help, in bytes: to hash as much takes longer than to
/// start a thread.
const BUSY: u64 = 256 << 10;

/// What opening a file costs, in bytes that could be hashed meanwhile.
const FILE: u64 = 8 << 10;

/// The most methods that a worker has lanes for. A list may name any number of algorithms, and lanes
/// take memory.
const METHODS: usize = 16;

/// What all workers share.
pub(super) struct Shared<P, D, I, S> {
    pub(super) engine: Engine,
    pub(super) supply: Supply<D, I>,
    pub(super) window: Window<P, S>,
}

impl<P: Payload, D: Digester, I: Iterator<Item = Job<P, D>>, S: Sink<P>> Shared<P, D, I, S> {
    fn threads(&self) -> usize {
        self.engine.threads.count()
    }

    /// How many workers besides the first have something to do.
    pub(super) fn helpers_wanted(&self) -> usize {
        self.supply.ready().len().min(self.threads() - 1)
    }
}

type Digesters<D> = Arc<[D]>;

/// One thread's lanes, and what it has in them.
pub(super) struct Worker<'a, P, D, I, S> {
    shared: &'a Shared<P, D, I, S>,
    lanes: Vec<(Digesters<D>, Box<dyn Lanes + 'a>)>,
    /// What is known of lanes that were given up.
    given_up: Stats<D>,
    /// Tasks on their way from the supply to the lanes; empty between turns.
    taken: Vec<Task<D>>,
    /// Tasks in the lanes, waiting for one, or among the streams.
    tasks: usize,
    /// Streams by number: they are read alone and in their turn.
    streams: BTreeMap<u64, (Digesters<D>, Stream)>,
    ahead: Ahead,
    /// What a step finished; empty between steps.
    finished: Vec<Finished>,
    outcomes: Vec<(u64, Outcome)>,
    bytes: u64,
    files: u64,
}

impl<'a, P: Payload, D: Digester, I: Iterator<Item = Job<P, D>>, S: Sink<P>>
    Worker<'a, P, D, I, S>
{
    pub(super) fn new(shared: &'a Shared<P, D, I, S>) -> Self {
        Self {
            shared,
            lanes: Vec::new(),
            given_up: Stats::default(),
            taken: Vec::new(),
            tasks: 0,
            streams: BTreeMap::new(),
            ahead: Ahead::new(),
            finished: Vec::new(),
            outcomes: Vec::new(),
            bytes: 0,
            files: 0,
        }
    }

    /// Works until nothing is left.
    pub(super) fn work(mut self) -> Stats<D> {
        while self.turn() {}
        self.stats()
    }

    /// Whether this worker has had enough to do to pay for help.
    pub(super) fn is_busy(&self) -> bool {
        let blocks: u64 = self.lanes.iter().map(|(_, lanes)| lanes.usage().blocks).sum();
        64 * blocks + FILE * self.files > BUSY
    }

    /// Takes tasks and goes on with all of them. Returns whether there is, or may come, more.
    pub(super) fn turn(&mut self) -> bool {
        if self.shared.window.has_failed() {
            return false;
        }
        let seen = self.shared.window.filed();
        self.resume();
        // a stream's turn comes when the lanes are empty
        let rest = if self.streams.is_empty() { self.take() } else { Rest::Tasks };
        if self.lanes.iter().any(|(_, lanes)| lanes.len() > 0) {
            self.step();
            return true;
        }
        if let Some((number, (digesters, stream))) = self.streams.pop_first() {
            self.hash_stream(number, &digesters, stream);
            return true;
        }
        match rest {
            Rest::Nothing => false,
            Rest::Later => self.shared.window.wait_past(seen),
            Rest::Tasks => true,
        }
    }

    /// How many tasks this worker may have.
    fn limit(&self) -> usize {
        TASKS * self.lanes.len().max(1)
    }

    /// Goes on with large files whose turn has come. Nothing waits while any of them is left that
    /// could be read: whatever is in order may wait for it.
    fn resume(&mut self) {
        while self.tasks < self.limit()
            && let Some(task) = self.shared.supply.resume()
        {
            self.start(task);
        }
    }

    fn take(&mut self) -> Rest {
        let shared = self.shared;
        let (own, limit) = (self.tasks, self.limit());
        if own >= limit {
            return Rest::Tasks;
        }
        let mut taken = mem::take(&mut self.taken);
        let backend = shared.engine.backend;
        let threads =
            |task: &Task<D>, files| threads(&task.work.digesters, backend, files, shared.threads());
        let rest = shared.supply.take(&shared.window, threads, own, limit - own, &mut taken);
        // hints are given while others may take tasks
        taken.iter().for_each(|task| self.ahead.note(&task.work.target));
        taken.drain(..).for_each(|task| self.start(task));
        self.taken = taken;
        rest
    }

    fn start(&mut self, task: Task<D>) {
        self.tasks += 1;
        let Task { number, work: Work { digesters, target }, turn } = task;
        let source = FileSource::new(number, target, self.shared.engine.reading, turn);
        self.lanes(&digesters).submit(source);
    }

    fn lanes(&mut self, digesters: &Digesters<D>) -> &mut (dyn Lanes + 'a) {
        let known =
            |(known, _): &(Digesters<D>, _)| Arc::ptr_eq(known, digesters) || known == digesters;
        if !self.lanes.iter().any(known) {
            self.make_room();
            let Engine { backend, threads, .. } = self.shared.engine.clone();
            let method = Method { digesters: Arc::clone(digesters), backend, threads };
            self.lanes.push((Arc::clone(digesters), method.lanes()));
        }
        let at = self.lanes.iter().position(known).expect("they have just been made");
        &mut *self.lanes[at].1
    }

    /// Gives up lanes with nothing in them, where there are too many.
    fn make_room(&mut self) {
        while self.lanes.len() >= METHODS {
            let mut lanes = mem::take(&mut self.lanes);
            let idle = lanes.extract_if(.., |(_, lanes)| lanes.len() == 0);
            let reports = idle.map(|(digesters, lanes)| (digesters, lanes.report())).collect();
            self.lanes = lanes;
            self.given_up.add(Stats { reports, ..Stats::default() });
            if self.lanes.len() >= METHODS {
                self.step();
            }
        }
    }

    /// Advances the messages in all lanes.
    fn step(&mut self) {
        for (digesters, lanes) in &mut self.lanes {
            if lanes.len() > 0 {
                lanes.step(&mut self.finished);
            }
            for Finished { end: End { number, len, changed }, digests } in self.finished.drain(..) {
                let digests = match digests {
                    Ok(digests) => Ok(digests),
                    Err(ReadError::Io(error)) => Err(error),
                    Err(ReadError::Stream(stream)) => {
                        self.streams.insert(number, (Arc::clone(digesters), stream));
                        continue;
                    }
                    Err(ReadError::Busy(target, device)) => {
                        let work = Work { digesters: Arc::clone(digesters), target };
                        self.shared.supply.defer(number, work, device);
                        self.tasks -= 1;
                        continue;
                    }
                };
                self.outcomes.push((number, Outcome { len, changed, digests }));
            }
        }
        self.hand_on();
    }

    /// Files the outcomes.
    fn hand_on(&mut self) {
        let shared = self.shared;
        if self.outcomes.is_empty() {
            // only large files are under way
            return shared.window.pause();
        }
        self.tasks -= self.outcomes.len();
        self.files += self.outcomes.len() as u64;
        self.bytes += self.outcomes.iter().map(|(_, outcome)| outcome.len).sum::<u64>();
        shared.supply.finished(self.outcomes.len());
        shared.window.finish(self.outcomes.drain(..));
    }

    /// Hashes a stream, alone, when everything before it is done: this is the order in which
    /// whoever writes to several pipes expects them to be read.
    fn hash_stream(&mut self, number: u64, digesters: &Digesters<D>, stream: Stream) {
        if !self.shared.window.wait_for_turn(number) {
            return;
        }
        match stream.into_source(number, self.shared.engine.reading) {
            Ok(source) => {
                self.lanes(digesters).submit(source);
                while self.lanes(digesters).len() > 0 && !self.shared.window.has_failed() {
                    self.step();
                }
            }
            Err(error) => {
                self.outcomes
                    .push((number, Outcome { len: 0, changed: false, digests: Err(error) }));
                self.hand_on();
            }
        }
    }

    pub(super) fn stats(&self) -> Stats<D> {
        let report =
            |(digesters, lanes): &(_, Box<dyn Lanes + 'a>)| (Arc::clone(digesters), lanes.report());
        let reports = self.lanes.iter().map(report).collect();
        let mut stats = Stats { threads: 1, bytes: self.bytes, files: self.files, reports };
        stats.add(Stats { reports: self.given_up.reports.clone(), ..Stats::default() });
        stats
    }
}
