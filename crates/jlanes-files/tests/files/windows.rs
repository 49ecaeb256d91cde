//! Memory and open files, which do not grow with the number of files.

use std::{
    io::{self, Read},
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use jlanes_files::{Engine, Input, Order};

use crate::SHA256;

/// The number of jobs that are drawn and have no result yet.
#[derive(Clone, Default)]
struct UnderWay {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl UnderWay {
    fn draw(&self) {
        let now = self.now.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(now, Ordering::Relaxed);
    }

    fn take(&self) {
        self.now.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The maximum number of such jobs, including the 64 that are being drawn.
const MOST: usize = (16 << 10) + 64;

/// A reader that ends when this number of jobs is reached.
struct Blocks(UnderWay, usize);

impl Read for Blocks {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        while self.0.now.load(Ordering::Relaxed) < self.1 {
            thread::yield_now();
        }
        Ok(0)
    }
}

#[test]
fn results_that_wait_for_one_file_are_no_more_than_the_window() {
    const JOBS: usize = 20_000;
    for order in [Order::AsGiven, Order::AsFinished] {
        let under_way = UnderWay::default();
        let inputs = (0..JOBS).map(|i| {
            under_way.draw();
            // the other thread has begun by then
            match (i, order) {
                (1000, Order::AsGiven) => {
                    Input::reader("blocks", Blocks(under_way.clone(), MOST - 200))
                }
                _ => Input::reader("", &b"abc"[..]),
            }
        });
        let mut taken = 0;
        let each = |hashed: jlanes_files::FileResult| {
            under_way.take();
            taken += 1;
            hashed.digests.map(drop)
        };
        Engine::new().threads(NonZero::new(2)).order(order).digests(SHA256, inputs, each).unwrap();
        assert_eq!(taken, JOBS);
        let most = under_way.most.load(Ordering::Relaxed);
        assert!(most <= MOST, "{most}");
        assert!(order == Order::AsFinished || most >= MOST - 200, "{most}");
    }
}

/// A reader that counts the open ones of its kind.
struct Open(Arc<AtomicUsize>, Arc<AtomicUsize>, bool);

impl Read for Open {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        if !std::mem::replace(&mut self.2, true) {
            let now = self.0.fetch_add(1, Ordering::Relaxed) + 1;
            self.1.fetch_max(now, Ordering::Relaxed);
        }
        Ok(0)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.2 {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_worker_reads_no_more_files_at_once_than_its_lanes_and_the_next() {
    let (now, most) = (Arc::default(), Arc::<AtomicUsize>::default());
    let inputs =
        (0..10_000).map(|_| Input::reader("", Open(Arc::clone(&now), Arc::clone(&most), false)));
    Engine::new().threads(NonZero::new(2)).digests(SHA256, inputs, |_| Ok(())).unwrap();
    assert_eq!(now.load(Ordering::Relaxed), 0);
    assert!(most.load(Ordering::Relaxed) <= 2 * 32, "{most:?}");
}

/// The number of open files of this process.
#[cfg(target_os = "linux")]
fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
#[cfg(target_os = "linux")]
fn pipes_that_wait_for_their_turn_are_few() {
    use std::{fs, process::Command};

    use jlanes_files::LargeFileOrder;

    use crate::Scratch;

    let scratch = Scratch::new();
    let pipes: Vec<_> = (0..300).map(|i| scratch.at(format!("{i:03}"))).collect();
    assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
    let before = descriptors();
    let most = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            // the pipes get their data in the order of the files
            for (i, pipe) in pipes.iter().enumerate() {
                fs::write(pipe, format!("{i}")).unwrap();
            }
        });
        let mut i = 0;
        let each = |hashed: jlanes_files::FileResult| {
            most.fetch_max(descriptors(), Ordering::Relaxed);
            assert_eq!(hashed.digests?, [crate::sha256(format!("{i}").as_bytes())]);
            i += 1;
            Ok(())
        };
        let engine = Engine::new().threads(NonZero::new(2)).large_files(LargeFileOrder::InTurn);
        engine.digests(SHA256, pipes.clone(), each).unwrap();
        assert_eq!(i, pipes.len());
    });
    // other tests have a few dozen files open
    let most = most.load(Ordering::Relaxed).saturating_sub(before);
    assert!(most < 250, "{most}");
}
