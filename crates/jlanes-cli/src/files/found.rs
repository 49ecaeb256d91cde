//! From operands to files.

use std::{io, sync::Arc};

use jlanes_files::{Files, Skipped};

use super::{Operand, Rules, Target};
use crate::report::Notice;

/// What an operand stands for.
pub(crate) enum Found {
    File(Target),
    /// What could not be opened or read; or what only is to be told of, a [`Notice`].
    Failed(io::Error),
}

/// The files that `operand` stands for by `rules`, each with its name.
pub(crate) fn files_of(
    operand: Operand,
    rules: &Arc<Rules>,
) -> impl Iterator<Item = (Vec<u8>, Found)> + Send + use<> {
    let (files, wrong) = match operand {
        Ok(name) => (Some(Files::of(name, rules)), None),
        Err((name, error)) => (None, Some((name, Found::Failed(error)))),
    };
    let files = files.into_iter().flatten().map(|(name, found)| (name, Found::from(found)));
    wrong.into_iter().chain(files)
}

impl From<jlanes_files::Found> for Found {
    fn from(found: jlanes_files::Found) -> Self {
        Self::Failed(match found {
            jlanes_files::Found::File(target) => return Self::File(target),
            jlanes_files::Found::Failed(error) => error,
            jlanes_files::Found::Skipped(Skipped::Other(kind)) => Notice::LeftOut(kind).into(),
            jlanes_files::Found::Skipped(Skipped::Output) => Notice::Output.into(),
            jlanes_files::Found::Skipped(Skipped::Refused) => {
                io::Error::other("the output goes here; --force leaves it out")
            }
        })
    }
}
