//! A drain wakes up for its sources, and for nothing else.

use std::{
    sync::{Arc, Mutex, mpsc},
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use jlanes::{
    Algorithm, Digest, Sha256,
    multi::{Scheduler, Source},
};

/// The waker of the source that is asked first.
type Desk = Arc<Mutex<Option<Waker>>>;

/// An empty message, not ready at first: then `wait` is called.
struct Waiting<F>(Option<F>);

impl<F: FnOnce(&Waker)> Source for Waiting<F> {
    type Key = ();
    type Error = ();
    type Buffer = ();

    fn fill(&mut self, cx: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), ()>> {
        let Some(wait) = self.0.take() else { return Poll::Ready(Ok(())) };
        wait(cx.waker());
        Poll::Pending
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        &[]
    }

    fn consume(&mut self, (): &mut (), _: usize) {}

    fn into_key(self) {}
}

/// A source's way to wait.
type Wait = Box<dyn FnOnce(&Waker)>;

/// Hashes with a scheduler of a type, by a name, and by one under which messages take turns.
const NAMES: [Option<&str>; 3] = [None, Some("sha256"), Some("jlanes8-sha256")];

/// Drains a scheduler of these sources.
fn drain(name: Option<&str>, sources: Vec<Wait>) {
    let count = sources.len();
    let sources = sources.into_iter().map(|wait| Waiting(Some(wait)));
    let Some(name) = name else {
        let mut scheduler = Scheduler::<Sha256, _>::new();
        sources.for_each(|source| scheduler.submit(source));
        let ended: Vec<_> = scheduler.drain().collect();
        return assert_eq!(ended, vec![((), Ok(Sha256::digest(b""))); count]);
    };
    let lanes = name.parse::<Algorithm>().expect("a name").lanes().expect("a digest");
    let mut scheduler = lanes.scheduler();
    sources.for_each(|source| scheduler.submit(source));
    let ended: Vec<_> = scheduler.drain().collect();
    assert_eq!(ended, vec![((), Ok(lanes.hasher().finalize())); count]);
}

/// Fails if `work` takes a minute under one of the names.
fn ends(work: fn(Option<&str>)) {
    for name in NAMES {
        let (done, ended) = mpsc::channel();
        thread::spawn(move || {
            work(name);
            done.send(()).expect("somebody waits");
        });
        ended.recv_timeout(Duration::from_secs(60)).expect("it hangs, or has failed");
    }
}

/// Keeps the waker on the desk.
fn kept(desk: &Desk) -> Wait {
    let desk = desk.clone();
    Box::new(move |waker| *desk.lock().expect("no panics") = Some(waker.clone()))
}

fn wake(desk: &Desk) {
    desk.lock().expect("no panics").take().expect("a waker is there").wake();
}

/// As a channel does, on which a source waits.
#[test]
fn a_source_may_park() {
    ends(|name| {
        let desk = Desk::default();
        let first = kept(&desk);
        let second = move |_: &Waker| {
            wake(&desk);
            // takes every token that there is
            thread::park_timeout(Duration::ZERO);
        };
        drain(name, vec![first, Box::new(second)]);
    });
}

#[test]
fn a_source_may_drain_another_scheduler() {
    ends(|name| {
        let desk = Desk::default();
        let first = kept(&desk);
        let second = move |_: &Waker| {
            wake(&desk);
            let later = |waker: &Waker| {
                let waker = waker.clone();
                thread::spawn(move || {
                    thread::sleep(Duration::from_millis(10));
                    waker.wake();
                });
            };
            drain(None, vec![Box::new(later)]);
        };
        drain(name, vec![first, Box::new(second)]);
    });
}

#[test]
fn the_callers_own_token_stays() {
    ends(|name| {
        thread::current().unpark();
        let later = |waker: &Waker| {
            let waker = waker.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(50));
                waker.wake();
            });
        };
        drain(name, vec![Box::new(later)]);
        let began = Instant::now();
        thread::park_timeout(Duration::from_secs(30));
        assert!(began.elapsed() < Duration::from_secs(20), "the token is gone");
    });
}
