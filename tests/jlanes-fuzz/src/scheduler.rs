//! The scheduler: sources that are slow, are interrupted or fail, submitted while others run.

use std::io::{self, ErrorKind, Read};

use arbitrary::{Result, Unstructured};
use jlanes::{
    Backend, Digest,
    digest::Output,
    multi::{Lanes, MultiDigest, ReadSource, Scheduler},
};

use crate::input::{backend, text, with_hasher};

/// Runs the scheduler as `u` says.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a message is lost, comes twice, or comes to anything else than it should.
pub fn run(u: &mut Unstructured) -> Result<()> {
    with_hasher!(u, check)
}

/// A reader that hands its bytes out in small portions.
struct Trickle {
    rest: io::Cursor<Vec<u8>>,
    /// What each call gives, over and over: 0 is an interruption, n up to 16 n bytes.
    portions: Vec<u8>,
    calls: usize,
    /// Whether there is an error in the end's place.
    fails: bool,
}

impl Read for Trickle {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let portion = self.portions[self.calls % self.portions.len()];
        self.calls += 1;
        // every other call is not interrupted, so that there is an end
        if portion == 0 && self.calls.is_multiple_of(2) {
            return Err(ErrorKind::Interrupted.into());
        }
        let len = out.len().min(16 * usize::from(portion) + 1);
        match self.rest.read(&mut out[..len])? {
            0 if self.fails => Err(ErrorKind::UnexpectedEof.into()),
            len => Ok(len),
        }
    }
}

/// The scheduler, and what is to come of each message that was submitted: `None` once it came.
struct Run<H: MultiDigest> {
    scheduler: Scheduler<H, ReadSource<usize, Trickle>>,
    expected: Vec<Option<std::result::Result<Output<H>, ErrorKind>>>,
}

type Finished<H> = (usize, io::Result<Output<H>>);

impl<H: MultiDigest<Backend = Backend>> Run<H> {
    fn submit<P>(&mut self, u: &mut Unstructured) -> Result<()>
    where
        P: Digest<OutputSize = H::OutputSize>,
    {
        let text = text(u, 5000)?;
        let portions = (0..u.int_in_range(1..=4)?).map(|_| u.arbitrary()).collect::<Result<_>>()?;
        let fails = u.ratio(1, 8)?;
        let digest = P::digest(&text);
        let trickle = Trickle { rest: io::Cursor::new(text), portions, calls: 0, fails };
        self.scheduler.submit(ReadSource(self.expected.len(), trickle));
        self.expected.push(Some(if fails { Err(ErrorKind::UnexpectedEof) } else { Ok(digest) }));
        Ok(())
    }

    fn came(&mut self, (key, result): Finished<H>) {
        let expected = self.expected[key].take();
        assert_eq!(expected, Some(result.map_err(|error| error.kind())), "message {key}");
    }

    fn missing(&self) -> usize {
        self.expected.iter().flatten().count()
    }
}

fn check<H, P>(u: &mut Unstructured) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize>,
{
    let scheduler = Lanes::<H>::new().on(backend(u)?).scheduler();
    let mut run = Run::<H> { scheduler, expected: Vec::new() };
    while !u.is_empty() {
        match u.int_in_range(0..=9)? {
            0..=5 => run.submit::<P>(u)?,
            6..=8 => {
                let finished: Vec<_> = run.scheduler.step().collect();
                finished.into_iter().for_each(|finished| run.came(finished));
            }
            _ => {
                let some = u.int_in_range(0..=20)?;
                let finished: Vec<_> = run.scheduler.drain().take(some).collect();
                finished.into_iter().for_each(|finished| run.came(finished));
            }
        }
        assert_eq!(run.scheduler.len(), run.missing());
        assert!(run.scheduler.waiting() <= run.scheduler.len());
    }
    let finished: Vec<_> = run.scheduler.drain().collect();
    finished.into_iter().for_each(|finished| run.came(finished));
    assert_eq!((run.missing(), run.scheduler.is_empty()), (0, true));
    Ok(())
}
