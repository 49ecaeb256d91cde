//! Results: their order, and the data that comes with them.

use std::{
    iter,
    num::NonZero,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use jlanes::Algorithm;
use jlanes_files::{Engine, FileResult, Input, LargeFileOrder, MapPolicy, Order};
use sha2::{Digest, Sha512};

use crate::{SHA256, Scratch, paint, sha256};

/// The sizes of files: empty, around a lane's buffer, around the size from which files are mapped, and
/// many small ones.
fn lengths() -> Vec<usize> {
    let large = [0, 1, (32 << 10) - 1, 32 << 10, (32 << 10) + 1, (1 << 20) - 1, 1 << 20, 5 << 20];
    large.into_iter().chain((0..300).map(|i| i * 37 % 5000)).chain([3 << 20, 0]).collect()
}

fn files(scratch: &Scratch) -> Vec<(PathBuf, usize)> {
    let file = |(i, len)| (scratch.write(&format!("{i}"), &paint(len)), len);
    lengths().into_iter().enumerate().map(file).collect()
}

fn engines() -> impl Iterator<Item = Engine> {
    let threads = [1, 2, 5].map(NonZero::new);
    threads.into_iter().flat_map(|threads| {
        [MapPolicy::Never, MapPolicy::Always].into_iter().flat_map(move |map| {
            [LargeFileOrder::Auto, LargeFileOrder::InTurn, LargeFileOrder::SideBySide]
                .map(|large| Engine::new().threads(threads).mmap(map).large_files(large))
        })
    })
}

#[test]
fn results_come_in_the_order_of_paths() {
    let scratch = Scratch::new();
    let files = files(&scratch);
    let expected: Vec<_> = files.iter().map(|(_, len)| sha256(&paint(*len))).collect();
    for engine in engines() {
        let mut expected = iter::zip(&files, &expected);
        let paths = files.iter().map(|(path, _)| path.clone());
        let stats = engine.digests(SHA256, paths, |FileResult { path, len, digests, .. }| {
            let ((known, known_len), digest) = expected.next().unwrap();
            assert_eq!((&path, len), (known, *known_len as u64));
            assert_eq!(
                digests.unwrap(),
                std::slice::from_ref(digest),
                "{engine:?}, {}",
                path.display()
            );
            Ok(())
        });
        let stats = stats.unwrap();
        assert_eq!(expected.next(), None);
        assert_eq!(stats.files, files.len() as u64);
        assert_eq!(stats.bytes, files.iter().map(|(_, len)| *len as u64).sum::<u64>());
    }
}

#[test]
fn results_come_as_files_end_on_demand() {
    let scratch = Scratch::new();
    // one file that takes long, and many that end meanwhile
    let long = scratch.write("long", &paint(8 << 20));
    let short: Vec<_> = (0..100).map(|i| scratch.write(&format!("{i}"), &paint(i))).collect();
    let paths: Vec<_> = iter::once(long).chain(short).collect();
    for threads in [1, 3] {
        let engine = Engine::new().threads(NonZero::new(threads)).order(Order::AsFinished);
        let mut ended = Vec::new();
        let each = |hashed: FileResult| {
            ended.push((hashed.path, hashed.digests?.remove(0)));
            Ok(())
        };
        engine.digests(SHA256, paths.clone(), each).unwrap();
        assert_ne!(ended[0].0, paths[0], "a file of 8 MiB ends before 100 small ones");
        ended.sort();
        let mut expected: Vec<_> = paths
            .iter()
            .map(|path| (path.clone(), sha256(&std::fs::read(path).unwrap())))
            .collect();
        expected.sort();
        assert_eq!(ended, expected);
    }
}

#[test]
fn several_digests_come_from_one_read() {
    let scratch = Scratch::new();
    let files = files(&scratch);
    let algorithms = ["sha512", "fsverity-sha256", "sha256"].map(|name| name.parse().unwrap());
    let one_by_one = |algorithm: Algorithm, message: &[u8]| {
        let mut hasher = algorithm.hasher().unwrap();
        hasher.update(message);
        hasher.finalize()
    };
    let bytes = Arc::new(AtomicU64::new(0));
    for threads in [1, 2] {
        bytes.store(0, Ordering::Relaxed);
        let meter = Arc::clone(&bytes);
        let engine = Engine::new().threads(NonZero::new(threads));
        let engine = engine.progress(move |n| {
            meter.fetch_add(n, Ordering::Relaxed);
        });
        let mut lens = files.iter().map(|(_, len)| *len);
        let paths = files.iter().map(|(path, _)| path.clone());
        engine
            .digests(algorithms, paths, |hashed| {
                let message = paint(lens.next().unwrap());
                let digests = hashed.digests?;
                assert_eq!(*digests[0], *Sha512::digest(&message));
                assert_eq!(digests[1], one_by_one(algorithms[1], &message));
                assert_eq!(digests[2], sha256(&message));
                Ok(())
            })
            .unwrap();
        let once: usize = files.iter().map(|(_, len)| *len).sum();
        assert_eq!(bytes.load(Ordering::Relaxed), once as u64, "every byte is read once");
    }
}

#[test]
fn progress_adds_up_to_what_was_read() {
    let scratch = Scratch::new();
    let files = files(&scratch);
    for engine in engines() {
        let bytes = Arc::new(AtomicU64::new(0));
        let meter = Arc::clone(&bytes);
        let engine = engine.progress(move |n| {
            meter.fetch_add(n, Ordering::Relaxed);
        });
        let inputs = files.iter().map(|(path, _)| Input::from(path.clone()));
        let inputs: Vec<_> = inputs.chain([Input::reader("reader", &[7; 70_000][..])]).collect();
        let mut sum = 0;
        let each = |hashed: FileResult| {
            sum += hashed.len;
            Ok(())
        };
        let stats = engine.digests(SHA256, inputs, each).unwrap();
        assert_eq!((bytes.load(Ordering::Relaxed), stats.bytes), (sum, sum));
        assert_eq!(sum, files.iter().map(|(_, len)| *len as u64).sum::<u64>() + 70_000);
    }
}

#[test]
fn heads_are_the_first_buffer() {
    let scratch = Scratch::new();
    let path = scratch.write("large", &paint(100_000));
    let mut seen = Vec::new();
    let each = |hashed: FileResult| {
        seen.push((hashed.len as usize, hashed.digests?.remove(0)));
        Ok(())
    };
    Engine::new().first_buffer_only(true).digests(SHA256, [path], each).unwrap();
    let (len, digest) = seen.remove(0);
    assert!((1..100_000).contains(&len), "{len}");
    assert_eq!(digest, sha256(&paint(100_000)[..len]));
}

#[test]
fn heads_of_equal_files_are_equal_however_many_come_together() {
    let scratch = Scratch::new();
    let path = scratch.write("large", &paint(1 << 20));
    for name in ["sha256", "s3-sha256:64K", "etag:64K", "blake3"] {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut seen = Vec::new();
        for count in [1, 3, 4, 8] {
            let each = |hashed: FileResult| {
                seen.push((hashed.len, hashed.digests?.remove(0)));
                Ok(())
            };
            let engine = Engine::new().first_buffer_only(true);
            engine.digests([algorithm], vec![path.clone(); count], each).unwrap();
        }
        seen.dedup();
        assert_eq!(seen.len(), 1, "{name}");
    }
}

#[test]
fn threads_of_its_own_give_the_same_results() {
    let scratch = Scratch::new();
    let files = files(&scratch);
    let paths: Vec<_> = files.iter().map(|(path, _)| path.clone()).collect();
    let mut results = Engine::new().spawn(SHA256, paths).unwrap();
    for (path, len) in &files {
        let hashed = results.next().unwrap();
        assert_eq!(&hashed.path, path);
        assert_eq!(hashed.digests.unwrap(), [sha256(&paint(*len))]);
    }
    assert!(results.next().is_none());
    assert!(results.next().is_none());
    assert_eq!(results.finish().unwrap().files, files.len() as u64);
}

#[test]
fn nothing_is_hashed_of_nothing() {
    let none: [PathBuf; 0] = [];
    let stats = Engine::new().digests(SHA256, none.clone(), |_| unreachable!()).unwrap();
    assert_eq!((stats.files, stats.bytes), (0, 0));
    assert!(Engine::new().spawn(SHA256, none).unwrap().next().is_none());
}
