//! [`Cancel`]: a flag that ends runs from any thread.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Cancels the runs of an [`Engine`](crate::Engine) from any thread. Clones cancel the same runs.
///
/// Workers stop after their current step: a few buffers, or one window of 8 to 32 MiB. A blocked
/// read from a pipe is not interrupted.
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
    /// The flag of the parent handle.
    above: Option<Arc<AtomicBool>>,
}

impl Cancel {
    /// A new handle.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends all current and later runs with this handle.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) has been called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        is_set(&self.own) || self.above.as_ref().is_some_and(is_set)
    }

    /// A handle that is cancelled together with this one, or alone.
    pub(super) fn child(&self) -> Self {
        Self { own: Arc::default(), above: Some(Arc::clone(&self.own)) }
    }

    /// The error of a cancelled run.
    pub(super) fn error() -> io::Error {
        io::Error::new(io::ErrorKind::Interrupted, "cancelled")
    }
}
