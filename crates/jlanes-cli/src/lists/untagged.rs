//! Which algorithms the digests without a tag in lists are taken for: verdicts come later than lines, and
//! tell them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::hash::Computation;

/// A list's name, and an algorithm of digests in it.
type Note = (Vec<u8>, Computation);

/// The notes. All copies share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Untagged(Arc<Mutex<Vec<Note>>>);

impl Untagged {
    fn all(&self) -> MutexGuard<'_, Vec<Note>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that digests in `list`, the last one of which something was noted, are of `computation`.
    pub(super) fn note(&self, list: &[u8], computation: &Computation) {
        let mut all = self.all();
        let mut known = all.iter().rev().take_while(|(other, _)| other == list);
        if !known.any(|(_, other)| other == computation) {
            all.push((list.to_vec(), computation.clone()));
        }
    }

    /// The algorithms of digests in `list`, which are forgotten.
    pub(super) fn take(&self, list: &[u8]) -> Vec<Computation> {
        self.all().extract_if(.., |(other, _)| other == list).map(|(_, it)| it).collect()
    }
}
