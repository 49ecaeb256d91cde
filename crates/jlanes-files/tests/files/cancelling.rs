//! Runs that are cancelled, or dropped, before their files end.

use std::{
    io::{self, Read},
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use jlanes::Algorithm;
use jlanes_files::{Cancel, Engine, Input, Order};

use crate::SHA256;

/// A reader that never ends. It reports when it is first read, and when it is dropped.
struct Endless {
    begun: mpsc::Sender<()>,
    dropped: Arc<AtomicBool>,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // the receiver may be gone
        let _ = self.begun.send(());
        buffer.fill(1);
        Ok(buffer.len())
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::Relaxed);
    }
}

fn endless() -> (Input, mpsc::Receiver<()>, Arc<AtomicBool>) {
    let (begun, begins) = mpsc::channel();
    let dropped = Arc::new(AtomicBool::new(false));
    let reader = Endless { begun, dropped: Arc::clone(&dropped) };
    (Input::reader("endless", reader), begins, dropped)
}

#[test]
fn another_thread_cancels_a_run() {
    // on shared lanes, on a tree's lanes, and with several digests
    for names in ["sha256", "fsverity-sha256", "sha256 md5"] {
        let algorithms: Vec<Algorithm> =
            names.split(' ').map(|name| name.parse().unwrap()).collect();
        for threads in [1, 2, 4] {
            let (input, begins, dropped) = endless();
            let cancel = Cancel::new();
            let engine = Engine::new().threads(NonZero::new(threads)).cancel(&cancel);
            let inputs = [Input::reader("first", io::empty()), input];
            let ran = thread::scope(|scope| {
                let cancel = cancel.clone();
                scope.spawn(move || begins.recv().map(|()| cancel.cancel()));
                let mut ended = 0;
                let ran = engine.digests(algorithms.clone(), inputs, |hashed| {
                    ended += 1;
                    hashed.digests.map(drop)
                });
                assert!(ended < 2, "what was cancelled has no digest");
                ran
            });
            assert_eq!(ran.unwrap_err().kind(), io::ErrorKind::Interrupted);
            assert!(dropped.load(Ordering::Relaxed));
        }
    }
}

#[test]
fn workers_that_wait_hear_of_it() {
    // all workers but one are idle, because the queue is full of results that wait for the endless file
    let (input, begins, _) = endless();
    let many = (0..100_000).map(|_| Input::reader("", io::empty()));
    let cancel = Cancel::new();
    let engine = Engine::new().threads(NonZero::new(3)).cancel(&cancel);
    thread::scope(|scope| {
        let cancel = cancel.clone();
        scope.spawn(move || {
            begins.recv().unwrap();
            thread::sleep(Duration::from_millis(50));
            cancel.cancel();
        });
        let first = (0..1000).map(|_| Input::reader("", io::empty()));
        let ran = engine.digests(SHA256, first.chain([input]).chain(many), |_| Ok(()));
        assert_eq!(ran.unwrap_err().kind(), io::ErrorKind::Interrupted);
    });
}

#[test]
fn a_handle_that_is_cancelled_ends_later_runs_and_no_others() {
    let cancel = Cancel::new();
    cancel.clone().cancel();
    assert!(cancel.is_cancelled());
    let run = |engine: Engine| engine.digests(SHA256, [Input::reader("", io::empty())], |_| Ok(()));
    assert!(run(Engine::new().cancel(&cancel)).is_err());
    assert!(run(Engine::new()).is_ok());
}

#[test]
fn dropping_results_ends_the_work() {
    let (input, begins, dropped) = endless();
    let results = Engine::new().spawn(SHA256, [input]).unwrap();
    begins.recv().unwrap();
    drop(results);
    // otherwise the test would never end
    while !dropped.load(Ordering::Relaxed) {
        thread::yield_now();
    }
}

#[test]
fn results_that_nobody_takes_hold_up_the_work() {
    let (tell, drawn) = mpsc::channel();
    let inputs = (0..20_000).map(move |i| {
        let _ = tell.send(i);
        Input::reader("", io::empty())
    });
    let results = Engine::new().order(Order::AsFinished).spawn(SHA256, inputs).unwrap();
    // many jobs are drawn before the queue is full
    drawn.iter().take(200).for_each(drop);
    assert_eq!(results.count(), 20_000);
}

#[test]
fn waiting_ends_after_a_while() {
    let (input, begins, _) = endless();
    let cancel = Cancel::new();
    let engine = Engine::new().cancel(&cancel);
    let mut results = engine.spawn(SHA256, [input]).unwrap();
    begins.recv().unwrap();
    let waited = results.wait(Duration::from_millis(1));
    assert_eq!(waited.unwrap_err(), mpsc::RecvTimeoutError::Timeout);
    cancel.cancel();
    assert!(results.next().is_none());
    assert_eq!(results.finish().unwrap_err().kind(), io::ErrorKind::Interrupted);
}
