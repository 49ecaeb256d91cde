//! Corpora that are made when the first line wants them, and that lines share.

use std::{cell::OnceCell, rc::Rc};

use anyhow::Result;

use crate::{corpus::Corpus, workload::Workload};

/// A corpus, made or not yet.
pub(super) struct Stock {
    source: Source,
    corpus: OnceCell<Corpus>,
}

enum Source {
    Made(Workload),
    CargoRegistry,
}

impl Stock {
    /// A file for each message of `workload`.
    pub(super) fn made(workload: Workload) -> Rc<Self> {
        Rc::new(Self { source: Source::Made(workload), corpus: OnceCell::new() })
    }

    /// The sources that cargo unpacked.
    pub(super) fn cargo_registry() -> Rc<Self> {
        Rc::new(Self { source: Source::CargoRegistry, corpus: OnceCell::new() })
    }

    /// The corpus.
    pub(super) fn corpus(&self) -> Result<&Corpus> {
        if let Some(corpus) = self.corpus.get() {
            return Ok(corpus);
        }
        let corpus = match &self.source {
            Source::Made(workload) => Corpus::make(workload)?,
            Source::CargoRegistry => Corpus::cargo_registry()?,
        };
        Ok(self.corpus.get_or_init(|| corpus))
    }
}
