//! From operands to files.

use std::{io, sync::Arc};

use jlanes_files::Skipped;

use super::{Operand, Rules, Target};
use crate::report::Notice;

/// What an operand stands for.
pub(crate) enum Found {
    File(Target),
    /// What could not be opened or read; or what only is to be told of, a [`Notice`].
    Failed(io::Error),
}

/// The files that one operand stands for, each with its name.
pub(crate) enum Files {
    /// No files, and the reason: an error of the operand.
    Wrong(Option<(Vec<u8>, io::Error)>),
    Found(jlanes_files::Files),
}

impl Files {
    /// What `operand` stands for by `rules`.
    pub(crate) fn of(operand: Operand, rules: &Arc<Rules>) -> Self {
        match operand {
            Ok(name) => Self::Found(jlanes_files::Files::of(name, rules)),
            Err(wrong) => Self::Wrong(Some(wrong)),
        }
    }
}

impl Iterator for Files {
    type Item = (Vec<u8>, Found);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, found) = match self {
            Self::Wrong(wrong) => {
                return wrong.take().map(|(name, error)| (name, Found::Failed(error)));
            }
            Self::Found(files) => files.next()?,
        };
        let found = match found {
            jlanes_files::Found::File(target) => Found::File(target),
            jlanes_files::Found::Failed(error) => Found::Failed(error),
            jlanes_files::Found::Skipped(Skipped::Other(kind)) => {
                Found::Failed(Notice::LeftOut(kind).into())
            }
            jlanes_files::Found::Skipped(Skipped::Refused) => {
                Found::Failed(io::Error::other("the output goes here; --force leaves it out"))
            }
            jlanes_files::Found::Skipped(Skipped::Output) => Found::Failed(Notice::Output.into()),
        };
        Some((name, found))
    }
}
