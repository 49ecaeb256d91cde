//! Sources that are not ready yet: their lanes go to others, and nobody waits for them.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use jlanes::{
    Backend, Sha256, Sha512,
    multi::{Lanes, MultiDigest, Scheduler, Source},
};
use jlanes_testing::{backends, message};

use crate::{
    late::{Late, Manner, READY},
    table::{Hasher, expected},
};

for_every_hasher!(pieces_that_come_late, failures_while_others_wait);

fn messages(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| message(i as u64, i * i * 37 % 1000)).collect()
}

/// Waits for a future on this thread, and counts how often it was polled.
fn block_on<T>(future: impl Future<Output = T>) -> (T, usize) {
    struct Unpark(thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let (mut future, mut cx, mut polls) = (pin!(future), Context::from_waker(&waker), 0);
    loop {
        polls += 1;
        if let Poll::Ready(out) = future.as_mut().poll(&mut cx) {
            return (out, polls);
        }
        thread::park();
    }
}

fn pieces_that_come_late<H: Hasher>() {
    let messages = messages(41);
    for (portion, stalls) in [(1000, 0), (1000, 1), (64, 1), (7, 3), (130, 2)] {
        for backend in backends::<Backend>() {
            let mut scheduler = Lanes::<H>::new().on(backend).scheduler();
            // every third source is always ready
            for (i, message) in messages.iter().enumerate() {
                let stalls = if i % 3 == 0 { 0 } else { stalls };
                scheduler.submit(Late::new(i, message, Manner { portion, stalls, fails: false }));
            }
            let mut seen = vec![0; messages.len()];
            for (key, digest) in scheduler.drain() {
                seen[key] += 1;
                assert_eq!(digest, Ok(expected::<H>(&messages[key])), "message {key}");
            }
            assert!(seen.iter().all(|times| *times == 1), "{seen:?}");
        }
    }
}

fn failures_while_others_wait<H: Hasher>() {
    let messages = messages(41);
    let mut scheduler = Scheduler::<H, _>::new();
    for (i, message) in messages.iter().enumerate() {
        let fails = i % 5 == 2;
        scheduler.submit(Late::new(i, message, Manner { portion: 100, stalls: i % 4, fails }));
    }
    let mut count = 0;
    for (key, digest) in scheduler.drain() {
        count += 1;
        let outcome = if key % 5 == 2 { Err("broken") } else { Ok(expected::<H>(&messages[key])) };
        assert_eq!(digest, outcome, "message {key}");
    }
    assert_eq!(count, messages.len());
}

#[test]
fn a_task_gets_every_digest() {
    let messages = messages(100);
    let mut scheduler = Scheduler::<Sha256, _>::new();
    for (i, message) in messages.iter().enumerate() {
        scheduler.submit(Late::new(i, message, Manner { portion: 90, stalls: i % 3, ..READY }));
    }
    let (digests, _) = block_on(async {
        let mut digests = Vec::new();
        while let Some((key, digest)) = poll_fn(|cx| scheduler.poll(cx)).await {
            digests.push(key);
            assert_eq!(digest, Ok(expected::<Sha256>(&messages[key])));
        }
        digests.sort_unstable();
        digests
    });
    assert_eq!(digests, (0..100).collect::<Vec<_>>());
}

/// One call of `poll` is no more than some milliseconds of hashing.
#[test]
fn a_long_message_lets_other_tasks_run() {
    let long = vec![7; 40 << 20];
    let mut scheduler = Scheduler::<Sha256, _>::new();
    scheduler.submit((0, &long[..]));
    let ((_, digest), polls) = block_on(async {
        poll_fn(|cx| scheduler.poll(cx)).await.expect("a message was submitted")
    });
    assert_eq!(digest, Ok(expected::<Sha256>(&long)));
    assert!((10..100).contains(&polls), "{polls} calls for 40 MiB");
}

#[cfg(feature = "async")]
#[test]
fn a_scheduler_is_a_stream() {
    use futures_core::Stream;
    let mut scheduler = Scheduler::<Sha256, _>::new();
    scheduler.submit(Late::new(1, b"a message", Manner { portion: 4, stalls: 2, ..READY }));
    assert_eq!(scheduler.size_hint(), (1, Some(1)));
    let mut stream = pin!(scheduler);
    let (first, _) = block_on(poll_fn(|cx| stream.as_mut().poll_next(cx)));
    assert_eq!(first, Some((1, Ok(expected::<Sha256>(b"a message")))));
    assert_eq!(block_on(poll_fn(|cx| stream.as_mut().poll_next(cx))).0, None);
}

/// The others take as many steps as they would without it.
#[test]
fn a_stalled_source_costs_the_others_nothing() {
    fn steps<H: MultiDigest<Backend = Backend>>(backend: Backend, stalled: usize) -> u64 {
        let messages = vec![message(1, 10_000); 31];
        let mut scheduler = Lanes::<H>::new().on(backend).scheduler();
        for i in 0..stalled {
            scheduler.submit(Late::new(100 + i, b"never", Manner { stalls: usize::MAX, ..READY }));
        }
        for (i, message) in messages.iter().enumerate() {
            scheduler.submit(Late::new(i, message, Manner { portion: 3000, ..READY }));
        }
        let ended: usize = (0..100_000).map(|_| scheduler.step().count()).take(1000).sum();
        assert_eq!((ended, scheduler.parked()), (31, stalled), "{backend}");
        scheduler.usage().steps
    }
    for backend in Backend::available() {
        assert_eq!(steps::<Sha256>(backend, 1), steps::<Sha256>(backend, 0), "{backend}");
        assert_eq!(steps::<Sha512>(backend, 40), steps::<Sha512>(backend, 0), "{backend}");
    }
}

/// Messages that are always ready do not keep out one that was not ready once.
#[test]
fn new_messages_let_parked_ones_in() {
    let text = message(1, 100);
    let mut scheduler = Scheduler::<Sha256, _>::new();
    scheduler.submit(Late::new(usize::MAX, &text, Manner { stalls: 1, ..READY }));
    for i in 0..1000 {
        scheduler.submit(Late::new(i, &text, READY));
    }
    let place = scheduler.drain().position(|(key, _)| key == usize::MAX);
    assert!(place.is_some_and(|place| place < 100), "it came as number {place:?}");
}

#[test]
fn a_scheduler_takes_no_more_messages_than_may_wait() {
    let messages = messages(50);
    for bound in [0, 1, 3] {
        let mut scheduler = Scheduler::<Sha256, _>::new();
        scheduler.park_at_most(bound);
        for (i, message) in messages.iter().enumerate() {
            scheduler.submit(Late::new(i, message, Manner { portion: 50, stalls: 5, ..READY }));
        }
        let (mut most, mut ended) = (0, 0);
        for _ in 0..100_000 {
            ended += scheduler.step().count();
            most = most.max(scheduler.parked());
        }
        assert_eq!(ended, 50);
        assert!((1..=bound.max(1) + 16).contains(&most), "{most} messages waited at once");
    }
}

/// A thread that waits for another one sleeps until woken by it.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "WASI has no threads")]
fn a_drain_sleeps_until_it_is_woken() {
    /// The message, once it is there, and whom to wake then.
    type Desk = Mutex<(Option<Vec<u8>>, Option<Waker>)>;

    /// A message of one piece, which another thread hands over.
    struct Handed {
        shared: Arc<Desk>,
        asked: Arc<AtomicUsize>,
        piece: Option<Vec<u8>>,
        taken: usize,
    }
    impl Source for Handed {
        type Key = ();
        type Error = ();
        type Buffer = ();

        fn fill(&mut self, cx: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), ()>> {
            if self.piece.is_none() {
                self.asked.fetch_add(1, Ordering::Relaxed);
                let mut shared = self.shared.lock().expect("no thread panics with it");
                self.piece = shared.0.take();
                if self.piece.is_none() {
                    shared.1 = Some(cx.waker().clone());
                    return Poll::Pending;
                }
            }
            Poll::Ready(Ok(()))
        }

        fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
            self.piece.as_ref().map_or(&[], |piece| &piece[self.taken..])
        }

        fn consume(&mut self, (): &mut (), n: usize) {
            self.taken += n;
        }

        fn into_key(self) {}
    }

    let (shared, asked) = (Arc::new(Mutex::new((None, None))), Arc::new(AtomicUsize::new(0)));
    let mut scheduler = Scheduler::<Sha256, _>::new();
    let source = Handed { shared: shared.clone(), asked: asked.clone(), piece: None, taken: 0 };
    scheduler.submit(source);
    let other = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        let mut shared = shared.lock().expect("no thread panics with it");
        shared.0 = Some(b"handed over".to_vec());
        if let Some(waker) = shared.1.take() {
            waker.wake();
        }
    });
    let ended: Vec<_> = scheduler.drain().collect();
    assert_eq!(ended, [((), Ok(expected::<Sha256>(b"handed over")))]);
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked < 20, "asked {asked} times: it did not sleep");
    other.join().expect("the other thread does not panic");
}
