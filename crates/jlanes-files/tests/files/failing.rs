//! Files, readers and callers that fail.

use std::{
    fs,
    io::{self, Read},
    iter,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::Arc,
};

use jlanes::Algorithm;
use jlanes_files::{Computation, Engine, FileResult, Input, Job, Outcome, Target, Work, system};

use crate::{SHA256, Scratch, paint, sha256};

/// A reader that returns `data` a few bytes at a time, with interruptions, and ends with `error` if
/// there is one.
struct Slow {
    data: Vec<u8>,
    at: usize,
    turn: usize,
    error: Option<io::ErrorKind>,
}

impl Slow {
    fn new(len: usize, error: Option<io::ErrorKind>) -> Self {
        Self { data: paint(len), at: 0, turn: 0, error }
    }
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(3) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = buffer.len().min(self.turn).min(self.data.len() - self.at);
        buffer[..n].copy_from_slice(&self.data[self.at..][..n]);
        self.at += n;
        match self.error {
            Some(error) if n == 0 => Err(error.into()),
            _ => Ok(n),
        }
    }
}

#[test]
fn a_reader_that_fails_fails_alone() {
    for algorithms in [vec!["sha256"], vec!["sha256", "md5"], vec!["fsverity-sha256"]] {
        let algorithms: Vec<Algorithm> =
            algorithms.into_iter().map(|name| name.parse().unwrap()).collect();
        let inputs = (0..200).map(|i| {
            let error = (i % 7 == 0).then_some(io::ErrorKind::ConnectionReset);
            Input::reader(format!("{i}"), Slow::new(i * 50, error))
        });
        let mut i = 0;
        let each = |hashed: FileResult| {
            assert_eq!(hashed.path, PathBuf::from(format!("{i}")));
            match hashed.digests {
                Err(error) => {
                    assert_eq!((i % 7, error.kind()), (0, io::ErrorKind::ConnectionReset));
                }
                Ok(digests) => {
                    assert_ne!(i % 7, 0);
                    let mut hasher = algorithms[0].hasher().unwrap();
                    hasher.update(&paint(i * 50));
                    assert_eq!(digests[0], hasher.finalize());
                }
            }
            i += 1;
            Ok(())
        };
        Engine::new().digests(algorithms.clone(), inputs, each).unwrap();
        assert_eq!(i, 200);
    }
}

#[test]
fn targets_that_are_no_files_are_errors_in_their_place() {
    let scratch = Scratch::new();
    let good = scratch.write("good", b"good");
    let inputs = [
        good.clone(),
        scratch.at("missing"),
        good.clone(),
        scratch.at(""),
        good.clone(),
        scratch.at("good/below"),
        good,
        "with\0nul".into(),
    ];
    let mut kinds = Vec::new();
    let each = |hashed: FileResult| {
        kinds.push(hashed.digests.map_err(|error| error.kind()));
        Ok(())
    };
    let stats = Engine::new().digests(SHA256, inputs, each).unwrap();
    assert_eq!(stats.bytes, 16);
    let good = Ok(vec![sha256(b"good")]);
    let not_found =
        if cfg!(windows) { io::ErrorKind::NotFound } else { io::ErrorKind::NotADirectory };
    let expected = [
        good.clone(),
        Err(io::ErrorKind::NotFound),
        good.clone(),
        Err(io::ErrorKind::IsADirectory),
        good.clone(),
        Err(not_found),
        good,
        Err(io::ErrorKind::InvalidInput),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn an_algorithm_of_lists_has_no_digest_of_a_file() {
    let scratch = Scratch::new();
    let path = scratch.write("file", b"file");
    let algorithm: Algorithm = "jpointers-sha256".parse().unwrap();
    let each = |hashed: FileResult| {
        assert_eq!(hashed.digests.unwrap_err().kind(), io::ErrorKind::Unsupported);
        Ok(())
    };
    assert_eq!(Engine::new().digests([algorithm], [path], each).unwrap().files, 1);
}

#[test]
fn an_error_of_the_caller_ends_the_run() {
    let scratch = Scratch::new();
    let paths: Vec<_> = (0..500).map(|i| scratch.write(&format!("{i}"), &paint(i))).collect();
    let mut left = 10;
    let error = Engine::new().digests(SHA256, paths, |_| {
        left -= 1;
        if left == 0 { Err(io::Error::other("enough")) } else { Ok(()) }
    });
    assert_eq!(error.unwrap_err().to_string(), "enough");
    assert_eq!(left, 0, "it is not called again");
}

#[test]
fn a_panic_of_the_caller_goes_on_and_nobody_waits_for_it() {
    let scratch = Scratch::new();
    let paths: Vec<_> = (0..500).map(|i| scratch.write(&format!("{i}"), &paint(20_000))).collect();
    // a panic in the iterator, in the sink, and in a reader
    for place in 0..3 {
        let inputs = paths.iter().enumerate().map(|(i, path)| match (place, i) {
            (0, 400) => panic!("iterator"),
            (2, 300) => Input::reader("panics", Panics),
            _ => Input::from(path.clone()),
        });
        let mut taken = 0;
        let run = || {
            Engine::new().threads(std::num::NonZero::new(4)).digests(SHA256, inputs, |_| {
                taken += 1;
                assert!(place != 1 || taken < 200, "taker");
                Ok(())
            })
        };
        assert!(panic::catch_unwind(AssertUnwindSafe(run)).is_err(), "{place}");
    }
    let inputs = [Input::reader("panics", Panics)];
    let mut results = Engine::new().spawn(SHA256, inputs).unwrap();
    assert!(panic::catch_unwind(AssertUnwindSafe(|| results.next())).is_err());
}

struct Panics;

impl Read for Panics {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        panic!("reader")
    }
}

#[test]
fn a_file_that_changes_is_noticed_on_demand() {
    let scratch = Scratch::new();
    let path = scratch.write("grows", &paint(200_000));
    let grow = {
        let path = path.clone();
        // while the file is read
        move |_| {
            let mut file = fs::File::options().append(true).open(&path).unwrap();
            io::Write::write_all(&mut file, b"more").unwrap();
        }
    };
    let mut changed = Vec::new();
    let each = |hashed: FileResult| {
        hashed.digests.unwrap();
        changed.push(hashed.changed);
        Ok(())
    };
    // the file grows with every read except the last
    let engine = Engine::new().detect_changes(true).first_buffer_only(true);
    engine.clone().digests(SHA256, [path.clone()], each).unwrap();
    let each = |hashed: FileResult| {
        changed.push(hashed.changed);
        Ok(())
    };
    let once = std::sync::Once::new();
    let engine = Engine::new().detect_changes(true).progress(move |n| once.call_once(|| grow(n)));
    engine.digests(SHA256, [path], each).unwrap();
    assert_eq!(changed, [false, true]);
}

#[test]
fn the_status_is_that_of_the_opened_file() {
    let scratch = Scratch::new();
    let (path, aside) = (scratch.write("path", b"one"), scratch.write("aside", b"two"));
    let status = |path: &PathBuf| system::stat(&system::bytes(path.as_os_str())).unwrap().identity;
    let (target, opened) = (Target::at(&system::bytes(path.as_os_str())).unwrap(), status(&aside));
    let computations: Arc<[Computation]> = [Algorithm::SHA256.into()].into();
    let job = Job { payload: path.clone(), work: Some(Work { computations, target }) };
    // the first job is ready before the second one is asked for, and its file is opened after that
    let swap = || {
        fs::rename(&aside, &path).ok()?;
        None
    };
    let mut found = None;
    let each = |_, outcome: Option<Outcome>| {
        found = outcome.and_then(|outcome| outcome.stat).map(|stat| stat.identity);
        Ok(())
    };
    let engine = Engine::new().record_stat(true);
    let _ = engine.run(iter::once(job).chain(iter::from_fn(swap)), each).unwrap();
    assert_eq!(found, Some(opened));
}
