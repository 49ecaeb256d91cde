//! Tests of messages in flight: in pieces, some of them late, some never.

use std::{
    cell::{Cell, RefCell},
    convert::Infallible,
    iter,
    task::{Context, Poll, Waker},
};

use jlanes_core::{
    function::{self, OnEnd, Progress, Source},
    hash::{Output, WordOf},
};
use jlanes_testing::message;

use crate::{Function, Sha256, backend, block, expected};

/// Messages under `H`.
type InFlight<H, S> = function::InFlight<WordOf<H>, S>;

fn in_flight<H: Function, S: Source>() -> InFlight<H, S> {
    function::InFlight::new(&function::Function::of::<H, _>(backend::<H>()), &[])
}

/// Takes a step, for sources that wake nobody. Returns whether messages are in flight.
fn step<H: Function, S: Source>(
    in_flight: &mut InFlight<H, S>,
    mut next: impl FnMut() -> Option<S>,
    done: &mut OnEnd<'_, WordOf<H>, S>,
) -> bool {
    in_flight.step(&mut Context::from_waker(Waker::noop()), &mut |_| next(), done) != Progress::Idle
}

/// The digest that is written.
fn digest<H: Function>(end: function::Ended<'_, WordOf<H>>) -> Output<H> {
    let mut digest = Output::<H>::default();
    end.write(&mut digest);
    digest
}

for_every_function!(messages_in_pieces, messages_that_wait_and_fail);

/// A message in portions, before each of which it is `late` times not ready.
#[derive(Clone)]
struct Late {
    number: usize,
    rest: Vec<u8>,
    portion: usize,
    ready: usize,
    late: usize,
    waited: usize,
    /// Whether there is an error in the end's place.
    fails: bool,
}

impl Source for Late {
    type Key = usize;
    type Error = &'static str;
    /// Bytes that were taken: a lane's buffer goes with its message.
    type Buffer = usize;

    fn fill(&mut self, _: &mut Context<'_>, _: &mut usize) -> Poll<Result<(), &'static str>> {
        if self.ready > 0 {
            return Poll::Ready(Ok(()));
        }
        if self.waited < self.late {
            self.waited += 1;
            return Poll::Pending;
        }
        self.waited = 0;
        if self.rest.is_empty() && self.fails {
            return Poll::Ready(Err("broken"));
        }
        self.ready = self.portion.min(self.rest.len());
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, _: &'a usize) -> &'a [u8] {
        &self.rest[..self.ready]
    }

    fn consume(&mut self, taken: &mut usize, n: usize) {
        self.ready -= n;
        self.rest.drain(..n);
        *taken += n;
    }

    fn into_key(self) -> usize {
        self.number
    }
}

fn late(number: usize, len: usize, portion: usize, late: usize) -> Late {
    let rest = message(number as u64, len);
    Late { number, rest, portion, ready: 0, late, waited: 0, fails: false }
}

type Ended<H> = Option<Result<Output<H>, &'static str>>;

/// Runs messages to their ends, which have to have blocks for all lanes most of the time.
fn run<H: Function>(sources: &[Late]) -> Vec<Ended<H>> {
    let mut ended: Vec<Ended<H>> = iter::repeat_with(|| None).take(sources.len()).collect();
    let mut queue = sources.iter().cloned();
    let mut in_flight = in_flight::<H, _>();
    let mut done = |source: Late, result: Result<function::Ended<'_, _>, _>| {
        let before = ended[source.into_key()].replace(result.map(digest::<H>));
        assert!(before.is_none(), "a message ends once");
    };
    while step::<H, _>(&mut in_flight, || queue.next(), &mut done) {}
    assert_eq!((in_flight.live(), in_flight.parked()), (0, 0));
    let usage = in_flight.usage();
    assert!(usage.steps <= usage.blocks && usage.steps > 0);
    ended
}

fn messages_in_pieces<H: Function>() {
    let block = block::<H>();
    for portion in [1, block - 1, block, block + 1, 3 * block, 1000] {
        let len = |i: usize| i * i * 61 % 599;
        let sources: Vec<_> = (0..30).map(|i| late(i, len(i), portion, 0)).collect();
        for (source, ended) in sources.iter().zip(run::<H>(&sources)) {
            assert_eq!(ended, Some(Ok(expected::<H>(&source.rest))), "portions of {portion}");
        }
    }
}

fn messages_that_wait_and_fail<H: Function>() {
    for portion in [7, 100, 1000] {
        let mut sources: Vec<_> = (0..40).map(|i| late(i, i * 23, portion, i % 4)).collect();
        sources.iter_mut().skip(2).step_by(5).for_each(|source| source.fails = true);
        for (source, ended) in sources.iter().zip(run::<H>(&sources)) {
            let expected =
                if source.fails { Err("broken") } else { Ok(expected::<H>(&source.rest)) };
            assert_eq!(ended, Some(expected), "portions of {portion}");
        }
    }
}

#[test]
fn lanes_that_are_full_take_a_step_a_block() {
    let sources: Vec<_> = (0..8).map(|i| late(i, 1000, 1000, 0)).collect();
    let mut queue = sources.into_iter();
    let mut in_flight = in_flight::<Sha256, _>();
    while step::<Sha256, _>(&mut in_flight, || queue.next(), &mut |_, _| ()) {}
    let usage = in_flight.usage();
    assert_eq!((usage.blocks, usage.steps), (8 * 16, 2 * 16), "four lanes, filled twice");
}

/// The numbers that have been taken from `queue` after every step, and what the steps came to.
fn taken(sources: &[Late], most: usize, steps: usize) -> Vec<(usize, usize, Progress)> {
    let mut next = 0;
    let mut in_flight = in_flight::<Sha256, _>();
    in_flight.park_at_most(most);
    let cx = &mut Context::from_waker(Waker::noop());
    let mut step = |_| {
        let mut source = |_: &mut [_]| {
            let source = sources.get(next).cloned();
            next += usize::from(source.is_some());
            source
        };
        let progress = in_flight.step(cx, &mut source, &mut |_, _| ());
        (next, in_flight.live(), progress)
    };
    (0..steps).map(&mut step).collect()
}

#[test]
fn messages_that_wait_leave_their_lanes_to_others() {
    // the first ones are never ready, the others at once
    let source = |i: usize| late(i, 64, 64, if i < 6 { usize::MAX } else { 0 });
    let sources: Vec<_> = (0..20).map(source).collect();
    let steps = taken(&sources, usize::MAX, 12);
    assert_eq!(steps[0], (10, 10, Progress::Advanced), "six wait and four are in lanes");
    assert_eq!(steps[11], (20, 6, Progress::Waiting));
}

#[test]
fn no_more_messages_are_taken_than_may_wait() {
    let source = |i: usize| late(i, 64, 64, if i < 6 { usize::MAX } else { 0 });
    let sources: Vec<_> = (0..20).map(source).collect();
    for most in [1, 2, 3] {
        // one of four lanes takes others in turn, until there are enough
        assert_eq!(taken(&sources, most, 12), [(most + 3, most + 3, Progress::Waiting); 12]);
    }
}

/// A message that is never ready, and counts how often it is asked.
pub(crate) struct Never<'c>(pub(crate) &'c Cell<usize>);

impl Source for Never<'_> {
    type Key = ();
    type Error = Infallible;
    type Buffer = ();

    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Infallible>> {
        self.0.update(|asked| asked + 1);
        Poll::Pending
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        &[]
    }

    fn consume(&mut self, (): &mut (), _: usize) {}

    fn into_key(self) {}
}

#[test]
fn new_messages_do_not_starve_those_that_wait() {
    let mut numbers = 0..;
    let mut ended = Vec::new();
    let mut in_flight = in_flight::<Sha256, _>();
    for _ in 0..12 {
        let next = || numbers.next().map(|i| late(i, 64, 64, usize::from(i < 6)));
        step::<Sha256, _>(&mut in_flight, next, &mut |source, _| ended.push(source.number));
    }
    assert!((0..6).all(|number| ended.contains(&number)), "{ended:?}");
}

#[test]
fn messages_that_wait_do_not_starve_new_ones() {
    let asked = Cell::new(0);
    let mut in_flight = in_flight::<Sha256, _>();
    let mut sources = (0..40).map(|_| Never(&asked));
    step::<Sha256, _>(&mut in_flight, || sources.next(), &mut |_, _| ());
    assert_eq!((asked.get(), in_flight.parked()), (40, 40));
    let mut before = None;
    let next = || {
        before.get_or_insert(asked.get() - 40);
        None
    };
    step::<Sha256, _>(&mut in_flight, next, &mut |_, _| ());
    assert!(before.is_some_and(|asked| asked <= 4), "{before:?} are asked before a new one");
    assert_eq!(asked.get(), 80, "each is asked once in a step");
}

/// Records how many bytes are taken at a time.
struct Taken<'t>(&'t [u8], &'t RefCell<Vec<usize>>);

impl Source for Taken<'_> {
    type Key = ();
    type Error = Infallible;
    type Buffer = ();

    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        self.0
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        self.0 = &self.0[n..];
        self.1.borrow_mut().push(n);
    }

    fn into_key(self) {}
}

#[test]
fn long_pieces_are_hashed_in_place_one_turn_at_a_time() {
    let (text, taken) = (message(12, (600 << 10) + 5), RefCell::default());
    let mut source = Some(Taken(&text, &taken));
    let mut in_flight = in_flight::<Sha256, _>();
    let mut ended = None;
    let mut done =
        |_, result: Result<function::Ended<'_, _>, _>| ended = Some(result.map(digest::<Sha256>));
    while step::<Sha256, _>(&mut in_flight, || source.take(), &mut done) {}
    assert_eq!(ended, Some(Ok(expected::<Sha256>(&text))));
    assert_eq!(*taken.borrow(), [256 << 10, 256 << 10, 88 << 10, 5]);
}

#[test]
fn no_messages_are_idle() {
    assert_eq!(taken(&[], 1, 2), [(0, 0, Progress::Idle); 2]);
}
