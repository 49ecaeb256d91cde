//! Which algorithms digests without a tag were compared with. Their lines name none: the list's name decides, or the
//! length of the digest. If a file does not match, a hint says so. Lists are read long before, so what was assumed is
//! recorded here.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jlanes_files::Computation;

/// The name of a list, and an algorithm of digests in it.
type Assumption = (Vec<u8>, Computation);

/// The assumed algorithms so far, shared by all copies.
#[derive(Clone, Debug, Default)]
pub(crate) struct AssumedAlgorithms(Arc<Mutex<Vec<Assumption>>>);

impl AssumedAlgorithms {
    fn all(&self) -> MutexGuard<'_, Vec<Assumption>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records `computation` for digests in `list`, unless it is the last record.
    pub(super) fn record(&self, list: &[u8], computation: &Computation) {
        let mut all = self.all();
        let mut known = all.iter().rev().take_while(|(other, _)| other == list);
        if !known.any(|(_, other)| other == computation) {
            all.push((list.to_vec(), computation.clone()));
        }
    }

    /// Removes and returns the algorithms of digests in `list`.
    pub(super) fn take(&self, list: &[u8]) -> Vec<Computation> {
        self.all().extract_if(.., |(other, _)| other == list).map(|(_, it)| it).collect()
    }
}
