//! Hashing of objects on lanes: pieces are hashed as they arrive, from any object.

use std::{
    future::poll_fn,
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    thread,
};

use bytes::{Buf, Bytes};
use futures::executor::block_on;
use jlanes::{Backend, algorithm::AnyScheduler, multi::Source};
use jlanes_files::{FileHasher, ToResult};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

use crate::computation::Computation;

/// A part of an object, and the memory that it takes.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) bytes: Bytes,
    /// Returned when the last hasher is done with the piece.
    pub(crate) _room: Arc<OwnedSemaphorePermit>,
}

/// An item of an object's stream. A stream without an end has no digest.
pub(crate) enum Part {
    Piece(Piece),
    End,
}

/// The maximum number of pieces of an object that wait for an algorithm.
const PIECES: usize = 2;

/// An object with pieces that arrive through a channel.
pub(crate) struct Incoming {
    parts: mpsc::Receiver<Part>,
    piece: Option<Piece>,
    ended: bool,
    digest: oneshot::Sender<Digest>,
}

/// The digest of an object, or the reason why it has none.
pub(crate) type Digest = io::Result<Box<[u8]>>;

/// The error of an object that broke off. The sender of its pieces knows the reason.
pub(crate) struct BrokenOff;

impl Source for Incoming {
    type Key = oneshot::Sender<Digest>;
    type Error = BrokenOff;
    type Buffer = ();

    fn fill(&mut self, cx: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), BrokenOff>> {
        while !self.ended && self.piece.is_none() {
            match ready!(self.parts.poll_recv(cx)) {
                Some(Part::Piece(piece)) => {
                    self.piece = Some(piece).filter(|piece| !piece.bytes.is_empty());
                }
                Some(Part::End) => self.ended = true,
                None => return Poll::Ready(Err(BrokenOff)),
            }
        }
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        self.piece.as_ref().map_or(&[], |piece| &piece.bytes)
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        if let Some(piece) = &mut self.piece {
            piece.bytes.advance(n);
        }
        self.piece = self.piece.take().filter(|piece| !piece.bytes.is_empty()); // frees its memory
    }

    fn into_key(self) -> Self::Key {
        self.digest
    }
}

/// The channels of an object: for its pieces and for its digest.
pub(crate) struct Outgoing {
    pub(crate) parts: mpsc::Sender<Part>,
    pub(crate) digest: oneshot::Receiver<Digest>,
}

fn channel() -> (Outgoing, Incoming) {
    let (parts, receiver) = mpsc::channel(PIECES);
    let (digest, result) = oneshot::channel();
    let incoming = Incoming { parts: receiver, piece: None, ended: false, digest };
    (Outgoing { parts, digest: result }, incoming)
}

/// The way to compute one digest of all objects.
enum Engine {
    /// Objects share the lanes.
    Lanes(AnyScheduler<Incoming>, ToResult),
    /// Each object has a hasher.
    Hashers(Computation, Vec<(Incoming, Box<dyn FileHasher>)>),
}

impl Engine {
    fn new(computation: Computation) -> Self {
        match computation.scheduler(Backend::detect()) {
            Some((lanes, result)) => Self::Lanes(lanes, result),
            None => Self::Hashers(computation, Vec::new()),
        }
    }

    fn submit(&mut self, object: Incoming) {
        match self {
            Self::Lanes(lanes, _) => lanes.submit(object),
            Self::Hashers(computation, objects) => {
                objects.push((object, computation.hasher(Backend::detect(), false)));
            }
        }
    }

    /// Hashes ready pieces for about a millisecond, and sends the digests of finished objects.
    fn work(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match self {
            Self::Lanes(lanes, result) => {
                while let Some((sender, output)) = ready!(lanes.poll(cx)) {
                    if let Ok(output) = output {
                        drop(sender.send(result(output))); // the receiver may be gone
                    }
                }
                Poll::Ready(())
            }
            Self::Hashers(_, objects) => advance(objects, cx),
        }
    }
}

/// Hashes a piece of each object that has one, and sends the digests of finished objects.
fn advance(objects: &mut Vec<(Incoming, Box<dyn FileHasher>)>, cx: &mut Context<'_>) -> Poll<()> {
    let mut waiting = Vec::with_capacity(objects.len());
    let mut hashed = false;
    for (mut object, mut hasher) in objects.drain(..) {
        match object.fill(cx, &mut ()) {
            Poll::Pending => waiting.push((object, hasher)),
            Poll::Ready(Err(BrokenOff)) => {}
            Poll::Ready(Ok(())) if object.ended => drop(object.into_key().send(hasher.finish())),
            Poll::Ready(Ok(())) => {
                let n = object.piece(&()).len();
                hasher.update(object.piece(&()));
                object.consume(&mut (), n);
                hashed = true;
                waiting.push((object, hasher));
            }
        }
    }
    *objects = waiting;
    if hashed {
        cx.waker().wake_by_ref();
    }
    if objects.is_empty() { Poll::Ready(()) } else { Poll::Pending }
}

/// The threads that hash, each with lanes of its own.
pub(crate) struct Pool {
    workers: Vec<mpsc::UnboundedSender<Vec<Incoming>>>,
    next: AtomicUsize,
    pub(crate) computations: Vec<Computation>,
}

impl Pool {
    /// Starts threads that compute all of these digests. They end with the pool.
    pub(crate) fn new(computations: Vec<Computation>, workers: usize) -> Self {
        let start = |_| {
            let (sender, objects) = mpsc::unbounded_channel();
            let computations = computations.clone();
            // a scheduler stays on its thread
            thread::spawn(move || block_on(work(objects, computations)));
            sender
        };
        let workers = (0..workers).map(start).collect();
        Self { workers, next: AtomicUsize::new(0), computations }
    }

    /// Starts an object. Returns the channels for its parts, one for each computation.
    pub(crate) fn object(&self) -> Vec<Outgoing> {
        let channels = self.computations.iter().map(|_| channel());
        let (outgoing, incoming) = channels.unzip();
        let worker = self.next.fetch_add(1, Ordering::Relaxed) % self.workers.len();
        // without the worker, sending a part fails
        drop(self.workers[worker].send(incoming));
        outgoing
    }
}

/// Hashes objects until the pool is dropped.
async fn work(mut objects: mpsc::UnboundedReceiver<Vec<Incoming>>, computations: Vec<Computation>) {
    let mut engines: Vec<Engine> = computations.into_iter().map(Engine::new).collect();
    let mut open = true;
    poll_fn(|cx| {
        while open && let Poll::Ready(more) = objects.poll_recv(cx) {
            match more {
                Some(object) => {
                    engines.iter_mut().zip(object).for_each(|(engine, part)| engine.submit(part));
                }
                None => open = false,
            }
        }
        let idle = engines.iter_mut().map(|engine| engine.work(cx).is_ready());
        let idle = idle.fold(true, |all, one| all & one);
        if idle && !open { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
