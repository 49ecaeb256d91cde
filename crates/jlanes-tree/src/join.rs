//! [`Join`]: where the two halves of a split run, one after the other or in parallel.
//!
//! Trees split their work identically with and without threads, so one implementation serves both
//! and the results cannot differ.

/// The place where the two halves of a split run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Join {
    /// One after the other, on the caller's thread.
    #[default]
    Serial,
    /// On rayon's pool.
    #[cfg(feature = "rayon")]
    Rayon,
}

impl Join {
    /// Rayon's pool, if the feature `rayon` is on.
    #[must_use]
    pub fn available() -> Self {
        #[cfg(feature = "rayon")]
        return Self::Rayon;
        #[cfg(not(feature = "rayon"))]
        Self::Serial
    }

    /// The number of pieces of `bytes` bytes of work that can run at once. Less than 128 KiB is for
    /// the caller's thread, and starts no others.
    #[must_use]
    #[cfg_attr(not(feature = "rayon"), allow(unused_variables))] // there is one thread
    pub fn threads(self, bytes: usize) -> usize {
        match self {
            #[cfg(feature = "rayon")]
            Self::Rayon if bytes >= MIN_SPLIT_BYTES && has_pool() => rayon::current_num_threads(),
            _ => 1,
        }
    }

    /// Runs both closures.
    ///
    /// # Panics
    /// If one of them does.
    pub fn join<A: Send, B: Send>(
        self,
        left: impl FnOnce() -> A + Send,
        right: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match self {
            Self::Serial => (left(), right()),
            #[cfg(feature = "rayon")]
            Self::Rayon if !has_pool() => (left(), right()),
            #[cfg(feature = "rayon")]
            Self::Rayon => {
                let (mut left, mut right) = (Some(left), Some(right));
                let (mut left_result, mut right_result) = (None, None);
                both(&mut || left_result = left.take().map(|left| left()), &mut || {
                    right_result = right.take().map(|right| right());
                });
                let both_run = "rayon has run both";
                (left_result.expect(both_run), right_result.expect(both_run))
            }
        }
    }

    /// Calls `work` with every part and its index.
    pub fn for_each_part<P: Send>(self, parts: &mut [P], work: impl Fn(usize, &mut P) + Sync) {
        self.for_each_part_from(0, parts, &work);
    }

    fn for_each_part_from<P: Send>(
        self,
        first: usize,
        parts: &mut [P],
        work: &(dyn Fn(usize, &mut P) + Sync),
    ) {
        match parts {
            [] => {}
            [part] => work(first, part),
            _ => {
                let half = parts.len() / 2;
                let (left, right) = parts.split_at_mut(half);
                self.join(
                    || self.for_each_part_from(first, left, work),
                    || self.for_each_part_from(first + half, right, work),
                );
            }
        }
    }
}

/// The minimum number of bytes of work for several threads. Waking a thread of the pool takes some 10 µs, in
/// which one core hashes 40 KiB (Zen 4).
#[cfg(feature = "rayon")]
pub(crate) const MIN_SPLIT_BYTES: usize = 128 << 10;

/// Whether the caller is in a pool or the global one has been started, by this call or before. Where
/// its threads cannot start, rayon panics and all work is for the caller's.
#[cfg(feature = "rayon")]
fn has_pool() -> bool {
    static GLOBAL: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    let start = || {
        // without threads at all, rayon's own answer is the caller's
        if !cfg!(target_family = "wasm")
            && let Err(error) = rayon::ThreadPoolBuilder::new().build_global()
            && core::error::Error::source(&error).is_some()
        {
            return false;
        }
        // somebody else may have tried before, in vain
        std::panic::catch_unwind(rayon::current_num_threads).is_ok()
    };
    rayon::current_thread_index().is_some() || *GLOBAL.get_or_init(start)
}

/// [`rayon::join`], compiled once: its code for each pair of closures is some 1.5 KB.
#[cfg(feature = "rayon")]
#[inline(never)]
fn both(left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
    rayon::join(left, right);
}

/// A value shared by the pieces of a split; without threads there is no lock.
#[cfg(feature = "skein")]
pub(crate) struct Shared<T>(
    #[cfg(feature = "rayon")] std::sync::Mutex<T>,
    #[cfg(not(feature = "rayon"))] core::cell::RefCell<T>,
);

#[cfg(all(feature = "rayon", feature = "skein"))]
impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(std::sync::Mutex::new(value))
    }

    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.0.lock().expect("no piece panics while it has the value"))
    }

    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner().expect("no piece panics while it has the value")
    }
}

#[cfg(all(not(feature = "rayon"), feature = "skein"))]
impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(core::cell::RefCell::new(value))
    }

    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.0.borrow_mut())
    }

    pub(crate) fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::Join;

    fn every_part_is_visited_once(join: Join) {
        for count in 0..20 {
            let mut parts = alloc::vec![0; count];
            join.for_each_part(&mut parts, |number, part| *part += number + 1);
            assert!(parts.iter().enumerate().all(|(number, part)| *part == number + 1));
        }
    }

    #[test]
    fn serial_visits_every_part_once() {
        every_part_is_visited_once(Join::Serial);
    }

    #[cfg(feature = "rayon")]
    #[test]
    fn rayon_visits_every_part_once() {
        every_part_is_visited_once(Join::Rayon);
    }

    #[test]
    fn one_after_the_other_is_one_thread() {
        assert_eq!(Join::Serial.threads(usize::MAX), 1);
    }

    #[cfg(feature = "rayon")]
    #[test]
    fn rayon_has_the_threads_of_its_pool() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads can be had");
            let seen = |bytes| pool.install(|| Join::Rayon.threads(bytes));
            assert_eq!(
                [seen(super::MIN_SPLIT_BYTES), seen(super::MIN_SPLIT_BYTES - 1)],
                [threads, 1]
            );
            assert_eq!(Join::available(), Join::Rayon);
        }
    }
}
