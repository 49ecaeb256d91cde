//! Ending a run from outside.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Ends the runs of an [`Engine`](crate::Engine) from any thread. Clones cancel the same runs.
///
/// Workers stop after the step that they are in: some buffers, or one window of 8 to 32 MiB. A read from
/// a pipe that nobody writes to is not interrupted.
///
/// ```
/// use jlanes::Algorithm;
/// use jlanes_files::{Cancel, Engine};
///
/// let cancel = Cancel::new();
/// cancel.cancel(); // from any thread, before or after the run begins
/// let engine = Engine::new().cancel(&cancel);
/// let run = engine.digests([Algorithm::SHA256], ["src/lib.rs"], |_| Ok(()));
/// assert_eq!(run.unwrap_err().kind(), std::io::ErrorKind::Interrupted);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    own: Arc<AtomicBool>,
    /// That of the handle that this one is a child of.
    above: Option<Arc<AtomicBool>>,
}

impl Cancel {
    /// A handle that has not been used.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends all runs that have this handle, now and later.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has called [`cancel`](Self::cancel).
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        is_set(&self.own) || self.above.as_ref().is_some_and(is_set)
    }

    /// A handle that is cancelled with this one, or without it.
    pub(super) fn child(&self) -> Self {
        Self { own: Arc::default(), above: Some(Arc::clone(&self.own)) }
    }

    /// The error of a run that was cancelled.
    pub(super) fn error() -> io::Error {
        io::Error::new(io::ErrorKind::Interrupted, "cancelled")
    }
}
