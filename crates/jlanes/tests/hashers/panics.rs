//! A source that panics takes the messages in flight with it, and no digest comes out wrong.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    task::{Context, Poll},
};

use jlanes::{
    Algorithm, Sha256,
    multi::{Scheduler, Source},
};

/// The place where a source panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Fill,
    Piece,
    Consume,
    Key,
    Never,
}

/// A message of two pieces of 200 bytes.
struct Faulty(At, usize);

impl Source for Faulty {
    type Key = At;
    type Error = ();
    type Buffer = ();

    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), ()>> {
        assert_ne!(self.0, At::Fill);
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        assert_ne!(self.0, At::Piece);
        &[7; 400][..(400 - self.1).min(200)]
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        assert_ne!(self.0, At::Consume);
        self.1 += n;
    }

    fn into_key(self) -> At {
        assert_ne!(self.0, At::Key);
        self.0
    }
}

/// `step` panics, and then again, without a digest in between.
fn stays_broken(step: &mut dyn FnMut() -> usize, context: &str) {
    let mut calls = (0..200).map(|_| catch_unwind(AssertUnwindSafe(&mut *step)));
    assert!(calls.any(|call| call.is_err()), "{context}: it did not panic");
    assert!(calls.take(3).all(|call| call.is_err()), "{context}: it went on");
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn a_scheduler_stays_broken() {
    for at in [At::Fill, At::Piece, At::Consume, At::Key] {
        let sources = || [At::Never, at, At::Never, At::Never].map(|at| Faulty(at, 0));
        let mut scheduler = Scheduler::<Sha256, _>::new();
        sources().into_iter().for_each(|source| scheduler.submit(source));
        stays_broken(&mut || scheduler.step().count(), &format!("{at:?}"));
        assert!(catch_unwind(AssertUnwindSafe(|| scheduler.drain().count())).is_err());
        for name in ["sha256", "jlanes8-sha256"] {
            let lanes = name.parse::<Algorithm>().unwrap().lanes().unwrap();
            let mut scheduler = lanes.scheduler();
            sources().into_iter().for_each(|source| scheduler.submit(source));
            stays_broken(&mut || scheduler.step().count(), &format!("{name}, {at:?}"));
            assert!(catch_unwind(AssertUnwindSafe(|| scheduler.drain().count())).is_err());
        }
    }
}
