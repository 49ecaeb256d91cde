//! A source that panics takes the messages in flight with it, and no digest comes out wrong.

use std::{
    cell::RefCell,
    panic::{self, AssertUnwindSafe, catch_unwind},
    task::{Context, Poll},
};

use jlanes::{
    Algorithm, Blake2bMac512, Sha256, Shake128,
    digest::{Digest, KeyInit},
    multi::{Lanes, Messages, Scheduler, Source, Xofs},
    sha3::Kmac128,
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

#[test]
#[cfg_attr(target_family = "wasm", ignore = "a panic there ends the program")]
fn lengths_that_differ_are_blamed_on_the_caller() {
    thread_local!(static FILE: RefCell<String> = const { RefCell::new(String::new()) });
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        FILE.set(info.location().map_or_else(String::new, |place| place.file().to_owned()));
        before(info);
    }));
    let (lanes, any) = (Lanes::<Sha256>::new(), Algorithm::SHA256.lanes().unwrap());
    let one = || Messages::slices(&[b"a"]);
    let (mac, kmac) = (Blake2bMac512::new(&[1; 64].into()), Kmac128::new(&[1; 16].into()));
    let digests = || [Sha256::digest(""); 2];
    let calls: [(&str, &dyn Fn()); 13] = [
        ("digest", &|| lanes.digest(&["a"], &mut digests())),
        ("digest_all", &|| lanes.digest_all(one(), &mut digests())),
        ("nodes", &|| lanes.nodes(b"abc", 2, &mut digests())),
        ("pairs", &|| lanes.pairs(&["a", "b"], &["c"], &mut digests())),
        ("double_nodes", &|| lanes.double_nodes(b"abc", 2, &mut digests())),
        ("chains_of", &|| lanes.chains_of(&mut digests(), &[1])),
        ("hmac_mismatches", &|| drop(lanes.hmac_mismatches(b"", &["a"], &digests()))),
        ("pbkdf2", &|| lanes.pbkdf2(&["a"], &["b"], 1, &mut [])),
        ("AnyLanes::nodes", &|| any.nodes(b"abc", 2, &mut [0; 64])),
        ("AnyLanes::hmac_mismatches", &|| drop(any.hmac_mismatches(b"", one(), &[]))),
        ("Xofs::squeeze", &|| Xofs::<Shake128>::new().squeeze(&mut [[0]])),
        ("Mac::tags", &|| mac.tags(&["a"], &mut [])),
        ("Kmac::mismatches", &|| drop(kmac.mismatches(&["a"], &[]))),
    ];
    for (name, call) in calls {
        assert!(catch_unwind(AssertUnwindSafe(call)).is_err(), "{name}");
        assert_eq!(FILE.take(), file!(), "{name}");
    }
}
