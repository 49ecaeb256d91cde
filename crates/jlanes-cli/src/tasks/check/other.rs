//! The algorithm that a digest is of, where it is not of the one that it was compared by.

use std::{iter, num::NonZero, sync::Arc};

use jlanes::Backend;

use crate::{
    files::Target,
    hash::{Engine, Job, Named, Outcome, Scheme, Work},
    lists::candidates,
};

/// Files of a list that are hashed again, and bytes of the largest one: a failure should not take long.
pub(super) const MOST_FILES: usize = 3;
const LARGEST: u64 = 256 << 20;

/// The usual algorithm, other than `scheme`, by which the file at `target` has the digest `expected`.
pub(super) fn other(
    (scheme, expected): &(Scheme, Vec<u8>),
    target: Target,
    backend: Backend,
) -> Option<Scheme> {
    target.regular_size().ok().filter(|size| *size <= LARGEST)?;
    let named = candidates(8 * expected.len() as u64).filter_map(|name| Named::parse(name).ok());
    let schemes = named.map(|named| named.plain().clone());
    let digesters: Arc<[Scheme]> = schemes.filter(|other| other != scheme).collect();
    if scheme.secret().is_some() || digesters.is_empty() {
        return None;
    }
    let mut found = None;
    let work = Work { digesters: Arc::clone(&digesters), target };
    let job = Job { payload: Vec::new(), work: Some(work) };
    let sink = |_: Vec<u8>, outcome: Option<Outcome>| {
        let digests = outcome.and_then(|it| it.digests.ok()).into_iter().flatten();
        let mut digests = digests.map(|digest| digest.is_ok_and(|it| *it == **expected));
        found = digests.position(|is_it| is_it);
        Ok(())
    };
    let engine = Engine::new().on(backend).threads(NonZero::new(1));
    let _ran = engine.run(iter::once(job), sink).ok()?;
    found.map(|at| digesters[at].clone())
}
