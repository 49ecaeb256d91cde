//! The place where an upload is hashed: the task of its connection, or lanes that uploads share.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use bytes::Bytes;
use jlanes::{Algorithm, Backend, algorithm::AnyHasher};

use crate::lanes::{Lanes, OnLanes};

pub use crate::lanes::Gone;

/// The uploads that share lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// None: each is hashed in the task of its connection.
    Never,
    /// All.
    Always,
    /// Uploads that begin while at least this many others are in flight.
    From(usize),
}

impl Share {
    /// The rule for an algorithm and a number of threads, from the costs of its kernels on this CPU:
    /// uploads share lanes from the number on for which fewer threads, with lanes, take hardly longer
    /// than a thread for each. [`Never`](Self::Never) if the algorithm's messages cannot share lanes.
    #[must_use]
    pub fn rule(algorithm: Algorithm, backend: Backend, threads: usize) -> Self {
        /// More uploads than any kernel has lanes.
        const MOST: usize = 64;
        let pays = |uploads: &usize| {
            algorithm.threads_on(backend, *uploads, threads) < threads.min(*uploads)
        };
        // with one thread, only the lanes can pay
        let pays_alone = |uploads: &usize| {
            let kernels = algorithm.kernels_on(backend);
            kernels.iter().skip(1).any(|(live, _)| live <= uploads)
        };
        let found = match threads {
            1 => (2..=MOST).find(pays_alone),
            _ => (2..=MOST).find(pays),
        };
        found.map_or(Self::Never, |uploads| Self::From(uploads - 1))
    }
}

/// The hashing of a server's uploads.
#[derive(Debug)]
pub struct Hashing {
    algorithm: Algorithm,
    backend: Backend,
    share: Share,
    lanes: Vec<Lanes>,
    in_flight: AtomicUsize,
    begun: AtomicUsize,
}

impl Hashing {
    /// Hashes with `algorithm` on `threads` threads that have lanes. A thread with bytes of few uploads
    /// waits for more, up to `linger`.
    ///
    /// # Errors
    /// If a thread cannot be started, or if the algorithm has no digest of an upload.
    pub fn new(
        algorithm: Algorithm,
        share: Share,
        threads: usize,
        linger: Duration,
    ) -> io::Result<Arc<Self>> {
        let backend = Backend::detect();
        algorithm.hasher_on(backend).map_err(io::Error::other)?;
        let lanes = (0..threads.max(1)).map(|_| Lanes::start(algorithm, backend, linger));
        let lanes = lanes.collect::<io::Result<_>>()?;
        let (in_flight, begun) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Ok(Arc::new(Self { algorithm, backend, share, lanes, in_flight, begun }))
    }

    /// The number of uploads that have begun and not ended.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.in_flight.load(Relaxed)
    }

    /// Begins an upload.
    ///
    /// # Errors
    /// If the thread that hashes is gone.
    pub fn upload(self: &Arc<Self>) -> Result<Upload, Gone> {
        let others = self.in_flight.fetch_add(1, Relaxed);
        let counted = Counted(Arc::clone(self));
        let shares = match self.share {
            Share::Never => false,
            Share::Always => true,
            Share::From(least) => others >= least,
        };
        let place = if shares {
            let next = self.begun.fetch_add(1, Relaxed) % self.lanes.len();
            Place::Lanes(self.lanes[next].upload()?)
        } else {
            Place::Task(self.algorithm.hasher_on(self.backend).map_err(|_| Gone)?)
        };
        Ok(Upload { place, _counted: counted })
    }
}

/// An upload that counts as being in flight.
struct Counted(Arc<Hashing>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Relaxed);
    }
}

/// The place where an upload is hashed.
enum Place {
    Task(Box<dyn AnyHasher>),
    Lanes(OnLanes),
}

/// An upload. Dropping it abandons the message.
pub struct Upload {
    place: Place,
    _counted: Counted,
}

impl Upload {
    /// Whether it shares lanes with others.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.place, Place::Lanes(_))
    }

    /// Adds bytes. On shared lanes, it blocks while several pieces of the upload are waiting.
    ///
    /// # Errors
    /// If the thread that hashes is gone.
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), Gone> {
        match &mut self.place {
            Place::Task(hasher) => {
                hasher.update(&bytes);
                Ok(())
            }
            Place::Lanes(lanes) => lanes.write(bytes).await,
        }
    }

    /// The digest.
    ///
    /// # Errors
    /// If the thread that hashes is gone.
    pub async fn finish(self) -> Result<Box<[u8]>, Gone> {
        match self.place {
            Place::Task(hasher) => Ok(hasher.finalize()),
            Place::Lanes(lanes) => lanes.finish().await,
        }
    }
}
