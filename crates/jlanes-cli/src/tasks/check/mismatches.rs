//! [`Mismatches`], the files of a list that do not match, and the other algorithms by which some do, as a hint.

use std::{iter, num::NonZero, sync::Arc};

use jlanes::Backend;
use jlanes_files::{
    Computation, Engine, Job, Outcome, Target, Work,
    lists::{Entry, candidates},
};

use crate::{hash::ComputationName, lists::AcceptedDigests};

/// The maximum number of files of a list that are hashed again: a failure should not take long.
const MAX_FILES: usize = 3;
/// The maximum number of bytes of such a file.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// The files of a list that do not match.
#[derive(Debug, Default)]
pub(super) struct Mismatches {
    /// The algorithms of their digests.
    pub(super) failed: Vec<Computation>,
    /// Files that match by another algorithm, and the hints about them.
    pub(super) hints: Vec<(Vec<u8>, String)>,
    /// The number of files that were hashed again.
    tried: usize,
}

impl Mismatches {
    /// Records a file that does not match. If `tries`, and few files were hashed again so far, returns
    /// the algorithm by which it does match, if there is one.
    pub(super) fn add(
        &mut self,
        entry: &Entry,
        accepted: &AcceptedDigests,
        tries: bool,
        backend: Backend,
    ) -> Option<String> {
        let [digest @ (computation, _)] = &entry.digests[..] else { return None };
        if !self.failed.contains(computation) {
            self.failed.push(computation.clone());
        }
        if !tries || accepted.assumed.is_none() || entry.name == b"-" || self.tried == MAX_FILES {
            return None;
        }
        self.tried += 1;
        let target = accepted.names.target(&entry.name, &accepted.names.path(&entry.name)).ok()?;
        let other = matching_algorithm(digest, target, backend)?;
        let what = format!("the digest is not its {}, but its {}", computation.tag(), other.tag());
        self.hints.push((entry.name.clone(), what));
        Some(other.to_string())
    }
}

/// The algorithm, other than `computation`, by which the file at `target` has the digest `expected`.
/// Only algorithms in which lists are published are tried.
fn matching_algorithm(
    (computation, expected): &(Computation, Vec<u8>),
    target: Target,
    backend: Backend,
) -> Option<Computation> {
    target.regular_size().ok().filter(|size| *size <= MAX_FILE_BYTES)?;
    let named =
        candidates(8 * expected.len() as u64).filter_map(|name| ComputationName::parse(name).ok());
    let computations = named.map(|named| named.plain().clone());
    let others: Arc<[Computation]> = computations.filter(|other| other != computation).collect();
    if computation.key().is_some() || others.is_empty() {
        return None;
    }
    let mut found = None;
    let work = Work { computations: Arc::clone(&others), target };
    let job = Job { payload: Vec::new(), work: Some(work) };
    let sink = |_: Vec<u8>, outcome: Option<Outcome>| {
        let digests = outcome.and_then(|it| it.digests.ok()).into_iter().flatten();
        let mut digests = digests.map(|digest| digest.is_ok_and(|it| *it == **expected));
        found = digests.position(|is_it| is_it);
        Ok(())
    };
    let engine = Engine::new().on(backend).threads(NonZero::new(1));
    let _ran = engine.run(iter::once(job), sink).ok()?;
    found.map(|at| others[at].clone())
}
