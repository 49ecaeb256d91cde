//! A drain wakes up for its sources, and for nothing else.

use std::{
    sync::{Arc, Mutex, mpsc},
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use jlanes::{
    Digest, Sha256,
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

/// Drains a scheduler of these sources.
fn drain(sources: Vec<Wait>) {
    let mut scheduler = Scheduler::<Sha256, _>::new();
    let count = sources.len();
    sources.into_iter().for_each(|wait| scheduler.submit(Waiting(Some(wait))));
    let ended: Vec<_> = scheduler.drain().collect();
    assert_eq!(ended, vec![((), Ok(Sha256::digest(b""))); count]);
}

/// Fails if `work` takes a minute.
fn ends(work: impl FnOnce() + Send + 'static) {
    let (done, ended) = mpsc::channel();
    thread::spawn(move || {
        work();
        done.send(()).expect("somebody waits");
    });
    ended.recv_timeout(Duration::from_secs(60)).expect("it hangs, or has failed");
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
    ends(|| {
        let desk = Desk::default();
        let first = kept(&desk);
        let second = move |_: &Waker| {
            wake(&desk);
            // takes every token that there is
            thread::park_timeout(Duration::ZERO);
        };
        drain(vec![first, Box::new(second)]);
    });
}

#[test]
fn a_source_may_drain_another_scheduler() {
    ends(|| {
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
            drain(vec![Box::new(later)]);
        };
        drain(vec![first, Box::new(second)]);
    });
}

#[test]
fn the_callers_own_token_stays() {
    ends(|| {
        thread::current().unpark();
        let later = |waker: &Waker| {
            let waker = waker.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(50));
                waker.wake();
            });
        };
        drain(vec![Box::new(later)]);
        let began = Instant::now();
        thread::park_timeout(Duration::from_secs(30));
        assert!(began.elapsed() < Duration::from_secs(20), "the token is gone");
    });
}
