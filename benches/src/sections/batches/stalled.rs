//! The cost of a source that never gets ready, for the others.

use std::{
    convert::Infallible,
    task::{Context, Poll},
};

use jlanes::{
    Sha256,
    multi::{Scheduler, Source},
};

use crate::{
    contest::Contest,
    method::{Method, outputs},
    workload::{KIB, Workload},
};

/// Messages with sources that are always ready.
const READY: usize = 31;

/// Sources in memory, and among them one that stalls.
pub(super) fn contest() -> Contest {
    let stalled = run("with a stalled one", true);
    Contest::new("SHA-256 of 31 sources", Workload::equal(READY, 64 * KIB), stalled)
        .against(run("without", false), 0.97)
}

fn run(name: &'static str, stalls: bool) -> Method {
    Method::plain(name, 32, move |messages, digests| {
        let digests = outputs::<Sha256>(digests);
        let mut scheduler = Scheduler::<Sha256, Memory<'_>>::new();
        for (i, message) in messages.iter().enumerate() {
            if stalls && i == READY / 2 {
                scheduler.submit(Memory::Stalled);
            }
            scheduler.submit(Memory::Ready(i, message));
        }
        let mut left = messages.len();
        while left > 0 {
            for (i, Ok(digest)) in scheduler.step() {
                digests[i] = digest;
                left -= 1;
            }
        }
    })
}

/// The source of a message in memory.
enum Memory<'m> {
    /// One that is ready, with its number.
    Ready(usize, &'m [u8]),
    /// One that never gets ready.
    Stalled,
}

impl Source for Memory<'_> {
    type Key = usize;
    type Error = Infallible;
    type Buffer = ();

    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Infallible>> {
        match self {
            Self::Ready(..) => Poll::Ready(Ok(())),
            Self::Stalled => Poll::Pending,
        }
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        match self {
            Self::Ready(_, rest) => rest,
            Self::Stalled => &[],
        }
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        if let Self::Ready(_, rest) = self {
            *rest = &rest[n..];
        }
    }

    fn into_key(self) -> usize {
        match self {
            Self::Ready(i, _) => i,
            Self::Stalled => unreachable!("it does not end"),
        }
    }
}
