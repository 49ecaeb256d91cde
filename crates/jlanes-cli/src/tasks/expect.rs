//! `--expect`: compares files with a digest from the command line.

use std::{iter, sync::Arc};

use crate::{
    files::{Found, Operands, Rules},
    hash::{Computation, Job, Work},
    lists::{Entry, Listed},
};

/// The files of `operands`, as entries of a list with the `expected` digests.
pub(crate) fn jobs(
    operands: Operands,
    rules: Rules,
    expected: Vec<(Computation, Vec<u8>)>,
    hint: Option<String>,
) -> impl Iterator<Item = Job<Listed>> + Send {
    let computations: Arc<[Computation]> = expected.iter().map(|(it, _)| it.clone()).collect();
    let jobs = operands.files(Arc::new(rules)).map(move |(name, found)| match found {
        Found::File(target) => {
            let (digests, either) = (expected.clone(), expected.len() > 1);
            let work = Work { computations: Arc::clone(&computations), target };
            Job {
                payload: Listed::File(Entry { name, literal: None, digests, either, size: None }),
                work: Some(work),
            }
        }
        Found::Failed(error) => {
            Job { payload: Listed::Unreadable { list: name.into(), error }, work: None }
        }
    });
    let end =
        Listed::End { list: Arc::from(&b"--expect"[..]), skipped: false, hint, literal: None };
    jobs.chain(iter::once(Job { payload: end, work: None }))
}
