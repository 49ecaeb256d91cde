//! A thread that hashes uploads on lanes: each upload is a source of its scheduler.

use std::{
    future::{Future, poll_fn},
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    task::{Context, Poll, ready},
    thread,
    time::Duration,
};

use bytes::{Buf, Bytes};
use jlanes::{Algorithm, Backend, algorithm::AnyScheduler, multi::Source};
use tokio::{
    runtime,
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        oneshot,
    },
    task::unconstrained,
    time::{Sleep, sleep},
};

/// The maximum number of pieces of an upload that wait to be hashed. At this number, its connection is
/// not read.
const PIECES: usize = 4;

/// A part of an upload.
enum Piece {
    Bytes(Bytes),
    End,
}

/// The error when the connection of an upload is gone, or the thread that hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

/// The thread that hashes.
#[derive(Debug)]
pub(crate) struct Lanes {
    uploads: UnboundedSender<Waiting>,
    /// The number of pieces that the thread has not taken yet.
    ready: Arc<AtomicUsize>,
}

impl Lanes {
    /// Starts the thread. With bytes of few uploads, it waits for more, up to `linger`.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn start(
        algorithm: Algorithm,
        backend: Backend,
        linger: Duration,
    ) -> io::Result<Self> {
        let (uploads, waiting) = mpsc::unbounded_channel();
        let ready = Arc::new(AtomicUsize::new(0));
        let runtime = runtime::Builder::new_current_thread().enable_time().build()?;
        let hashing =
            Hashing { waiting, ready: Arc::clone(&ready), linger, sleep: None, closed: false };
        thread::Builder::new().name("lanes".to_owned()).spawn(move || {
            // a scheduler stays on its thread
            let lanes = algorithm.lanes().expect("the algorithm has a digest").on(backend);
            runtime.block_on(unconstrained(hashing.run(lanes.scheduler())));
        })?;
        Ok(Self { uploads, ready })
    }

    /// An upload on these lanes.
    pub(crate) fn upload(&self) -> Result<OnLanes, Gone> {
        let (pieces, receiver) = mpsc::channel(PIECES);
        let (digest, result) = oneshot::channel();
        let ready = Arc::clone(&self.ready);
        let waiting = Waiting {
            pieces: receiver,
            ready,
            current: Bytes::new(),
            is_over: false,
            digest: Some(digest),
        };
        self.uploads.send(waiting).map_err(|_| Gone)?;
        Ok(OnLanes { pieces, ready: Arc::clone(&self.ready), result })
    }
}

/// The connection's side of an upload. Dropping it abandons the upload.
#[derive(Debug)]
pub(crate) struct OnLanes {
    pieces: mpsc::Sender<Piece>,
    ready: Arc<AtomicUsize>,
    result: oneshot::Receiver<Box<[u8]>>,
}

impl OnLanes {
    pub(crate) async fn write(&mut self, bytes: Bytes) -> Result<(), Gone> {
        self.send(Piece::Bytes(bytes)).await
    }

    pub(crate) async fn finish(self) -> Result<Box<[u8]>, Gone> {
        self.send(Piece::End).await?;
        self.result.await.map_err(|_| Gone)
    }

    async fn send(&self, piece: Piece) -> Result<(), Gone> {
        let place = self.pieces.reserve().await.map_err(|_| Gone)?;
        self.ready.fetch_add(1, Relaxed);
        place.send(piece);
        Ok(())
    }
}

/// The scheduler's side of an upload.
struct Waiting {
    pieces: mpsc::Receiver<Piece>,
    ready: Arc<AtomicUsize>,
    current: Bytes,
    is_over: bool,
    /// Present until the upload is over.
    digest: Option<oneshot::Sender<Box<[u8]>>>,
}

impl Source for Waiting {
    type Key = Option<oneshot::Sender<Box<[u8]>>>;
    type Error = Gone;
    type Buffer = ();

    fn fill(&mut self, cx: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), Gone>> {
        while self.current.is_empty() && !self.is_over {
            let piece = ready!(self.pieces.poll_recv(cx));
            match piece {
                None => return Poll::Ready(Err(Gone)),
                Some(Piece::Bytes(bytes)) => self.current = bytes,
                Some(Piece::End) => self.is_over = true,
            }
            self.ready.fetch_sub(1, Relaxed);
        }
        Poll::Ready(Ok(()))
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        &self.current
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        self.current.advance(n);
    }

    fn into_key(mut self) -> Self::Key {
        self.digest.take()
    }
}

/// Discards the waiting pieces of an abandoned upload.
impl Drop for Waiting {
    fn drop(&mut self) {
        self.pieces.close();
        while self.pieces.try_recv().is_ok() {
            self.ready.fetch_sub(1, Relaxed);
        }
    }
}

/// The state of the thread.
struct Hashing {
    waiting: UnboundedReceiver<Waiting>,
    ready: Arc<AtomicUsize>,
    linger: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
    closed: bool,
}

impl Hashing {
    /// Hashes until the server is dropped and all uploads are over.
    async fn run(mut self, mut scheduler: AnyScheduler<Waiting>) {
        poll_fn(|cx| {
            loop {
                self.take(&mut scheduler, cx);
                if self.lingers(&scheduler, cx) {
                    return Poll::Pending;
                }
                match ready!(scheduler.poll(cx)) {
                    // the receiver may be gone
                    Some((Some(digest), Ok(bytes))) => drop(digest.send(bytes)),
                    Some(_) => {}
                    None if self.closed => return Poll::Ready(()),
                    None => return Poll::Pending,
                }
            }
        })
        .await;
    }

    /// Takes new uploads.
    fn take(&mut self, scheduler: &mut AnyScheduler<Waiting>, cx: &mut Context<'_>) {
        while !self.closed
            && let Poll::Ready(next) = self.waiting.poll_recv(cx)
        {
            match next {
                Some(upload) => scheduler.submit(upload),
                None => self.closed = true,
            }
        }
    }

    /// Whether to wait for bytes of more uploads.
    fn lingers(&mut self, scheduler: &AnyScheduler<Waiting>, cx: &mut Context<'_>) -> bool {
        let ready = self.ready.load(Relaxed);
        let enough = scheduler.len().min(scheduler.lanes());
        if self.linger.is_zero() || ready == 0 || ready >= enough {
            self.sleep = None;
            return false;
        }
        let linger = self.linger;
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep(linger)));
        let is_over = sleep.as_mut().poll(cx).is_ready();
        if is_over {
            self.sleep = None;
        }
        !is_over
    }
}
