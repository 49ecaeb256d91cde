//! [`Sleeper`] puts the thread to sleep until its waker is woken.
//!
//! Sources of a scheduler may be pending, as futures are. A program may call the scheduler without an executor,
//! and then its thread has to wait. It waits on a condition variable, not by `thread::park`: a thread has one
//! token for `unpark`, so the scheduler could take a token that is meant for other code of the thread, and a
//! source that parks could take the scheduler's.

use core::task::Waker;

#[cfg(feature = "std")]
use {
    core::mem,
    std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    std::task::Wake,
};

/// Lets the calling thread sleep until the waker is woken.
pub(super) struct Sleeper {
    #[cfg(feature = "std")]
    signal: Arc<Signal>,
    waker: Waker,
}

#[cfg(feature = "std")]
#[derive(Default)]
struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

#[cfg(feature = "std")]
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Awake,
    /// The waker has been woken since the last sleep.
    Woken,
    Asleep,
}

#[cfg(feature = "std")]
impl Signal {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(feature = "std")]
impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        if mem::replace(&mut *self.state(), State::Woken) == State::Asleep {
            self.changed.notify_one();
        }
    }
}

impl Sleeper {
    #[cfg(feature = "std")]
    pub(super) fn new() -> Self {
        let signal = Arc::new(Signal::default());
        Self { waker: Waker::from(signal.clone()), signal }
    }

    /// Without threads nobody could wake the thread, so sources are polled in a loop.
    #[cfg(not(feature = "std"))]
    pub(super) fn new() -> Self {
        Self { waker: Waker::noop().clone() }
    }

    pub(super) fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Sleeps until the waker has been woken since the last sleep.
    #[cfg(feature = "std")]
    pub(super) fn sleep(&self) {
        let mut state = self.signal.state();
        if *state == State::Awake {
            *state = State::Asleep;
        }
        while *state == State::Asleep {
            state = self.signal.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        *state = State::Awake;
    }

    #[cfg(not(feature = "std"))]
    pub(super) fn sleep(&self) {
        core::hint::spin_loop();
    }
}
