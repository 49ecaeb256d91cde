//! Sources that are not ready yet: waiting threads are woken, and digests are right.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use arbitrary::{Result, Unstructured};
use jlanes::{
    Backend, Digest,
    digest::Output,
    multi::{Lanes, MultiDigest, Scheduler, Source},
};

use crate::input::{backend, text, with_hasher};

/// Runs the scheduler as `u` says.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a message is lost, comes twice, or comes to anything else than it should; or if all wait, and
/// nobody would be woken.
pub fn run(u: &mut Unstructured) -> Result<()> {
    with_hasher!(u, check)
}

/// A message in portions, before each of which it is some times not ready.
struct Late {
    key: usize,
    rest: Vec<u8>,
    ready: usize,
    /// The portions' lengths, and how often each is waited for, over and over.
    portions: Vec<(u8, u8)>,
    portion: usize,
    waited: u8,
    fails: bool,
}

impl Source for Late {
    type Key = usize;
    type Error = ();
    /// Bytes that were taken: a buffer stays with its message.
    type Buffer = usize;

    fn fill(
        &mut self,
        cx: &mut Context<'_>,
        taken: &mut usize,
    ) -> Poll<std::result::Result<(), ()>> {
        if self.ready > 0 {
            return Poll::Ready(Ok(()));
        }
        let (len, late) = self.portions[self.portion % self.portions.len()];
        if self.waited < late % 4 {
            self.waited += 1;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.waited = 0;
        self.portion += 1;
        if self.rest.is_empty() && self.fails {
            *taken = 0; // as a source that fails has to leave it
            return Poll::Ready(Err(()));
        }
        self.ready = self.rest.len().min(4 * usize::from(len) + 1);
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
        self.key
    }
}

/// Counts how often it was woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

type Ended<H> = std::result::Result<Output<H>, ()>;

/// The scheduler, and what is to come of each message that was submitted: `None` once it came.
struct Run<H: MultiDigest> {
    scheduler: Scheduler<H, Late>,
    expected: Vec<Option<Ended<H>>>,
    woken: Arc<Woken>,
}

impl<H: MultiDigest<Backend = Backend>> Run<H> {
    fn submit<P>(&mut self, u: &mut Unstructured) -> Result<()>
    where
        P: Digest<OutputSize = H::OutputSize>,
    {
        let rest = text(u, 3000)?;
        let portions = (0..u.int_in_range(1..=3)?).map(|_| u.arbitrary()).collect::<Result<_>>()?;
        let fails = u.ratio(1, 8)?;
        let key = self.expected.len();
        self.expected.push(Some(if fails { Err(()) } else { Ok(P::digest(&rest)) }));
        self.scheduler.submit(Late { key, rest, ready: 0, portions, portion: 0, waited: 0, fails });
        Ok(())
    }

    fn came(&mut self, (key, result): (usize, Ended<H>)) {
        assert_eq!(self.expected[key].take(), Some(result), "message {key}");
    }

    /// Polls once. Returns whether there is more to wait for.
    fn poll(&mut self) -> bool {
        let waker = Waker::from(Arc::clone(&self.woken));
        let before = self.woken.0.load(Ordering::Relaxed);
        match self.scheduler.poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(Some(finished)) => self.came(finished),
            Poll::Ready(None) => return false,
            Poll::Pending => {
                assert!(self.woken.0.load(Ordering::Relaxed) > before, "nobody will be woken");
            }
        }
        true
    }
}

fn check<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize>,
{
    let scheduler = Lanes::<H>::new().on(backend(u)?).scheduler();
    let mut run = Run::<H> { scheduler, expected: Vec::new(), woken: Arc::default() };
    if u.ratio(1, 3)? {
        run.scheduler.park_at_most(u.int_in_range(1..=20)?);
    }
    while !u.is_empty() {
        match u.int_in_range(0..=9)? {
            0..=5 => run.submit::<P>(u)?,
            6..=7 => _ = run.poll(),
            8 => {
                let finished: Vec<_> = run.scheduler.step().collect();
                finished.into_iter().for_each(|finished| run.came(finished));
            }
            _ => {
                let some = u.int_in_range(0..=20)?;
                let finished: Vec<_> = run.scheduler.drain().take(some).collect();
                finished.into_iter().for_each(|finished| run.came(finished));
            }
        }
        assert_eq!(run.scheduler.len(), run.expected.iter().flatten().count());
        assert!(run.scheduler.parked() <= run.scheduler.len());
    }
    while run.poll() {}
    assert!(run.scheduler.is_empty() && run.expected.iter().all(Option::is_none));
    Ok(())
}
