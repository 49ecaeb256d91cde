//! Waiting for a waker without an executor.

use core::task::Waker;

#[cfg(feature = "std")]
use {
    std::sync::Arc,
    std::task::Wake,
    std::thread::{self, Thread},
};

/// The calling thread, asleep until its waker is woken.
pub(super) struct Sleeper(Waker);

#[cfg(feature = "std")]
struct Unpark(Thread);

#[cfg(feature = "std")]
impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl Sleeper {
    /// The calling thread.
    #[cfg(feature = "std")]
    pub(super) fn here() -> Self {
        std::thread_local! {
            static HERE: Waker = Waker::from(Arc::new(Unpark(thread::current())));
        }
        Self(HERE.with(Waker::clone))
    }

    /// Without threads nobody can wake it, so sources are polled in a loop.
    #[cfg(not(feature = "std"))]
    pub(super) fn here() -> Self {
        Self(Waker::noop().clone())
    }

    pub(super) fn waker(&self) -> &Waker {
        &self.0
    }

    /// Sleeps until the waker has been woken since the last sleep.
    pub(super) fn sleep(&self) {
        #[cfg(feature = "std")]
        thread::park();
        #[cfg(not(feature = "std"))]
        core::hint::spin_loop();
    }
}
