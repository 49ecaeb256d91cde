//! The sections of the report: tables of contests, and what is measured in a way of its own.

pub mod batches;
pub mod calibrate;
pub mod figures;
pub mod files;
pub mod instructions;
pub mod kernels;
pub mod linear;
pub mod trees;

use anyhow::Result;

use crate::{contest::Line, measure::Plan, row::Row};

/// A section that is a table of contests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// One backend at a time.
    Kernels,
    /// One message at a time.
    Linear,
    /// The batch API.
    Batches,
    /// Trees over one buffer, and Merkle nodes.
    Trees,
    /// Speed by size, as in the papers.
    Figures,
    /// Whole processes.
    Files,
}

/// How much of a table is measured, and how long.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Rounds and times.
    pub plan: Plan,
    /// Only lines whose title has this in it.
    pub filter: String,
}

impl Table {
    /// All tables, in the report's order.
    pub const ALL: [Self; 6] =
        [Self::Kernels, Self::Linear, Self::Batches, Self::Trees, Self::Figures, Self::Files];

    /// The section's name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernels => "kernels",
            Self::Linear => "linear",
            Self::Batches => "batches",
            Self::Trees => "trees",
            Self::Figures => "figures",
            Self::Files => "files",
        }
    }

    /// The section's name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Kernels => "Kernels",
            Self::Linear => "One message at a time",
            Self::Batches => "Batches of messages",
            Self::Trees => "Trees",
            Self::Figures => "Speed by size",
            Self::Files => "Whole processes over files",
        }
    }

    /// Measures the table and prints each line as soon as it is known.
    ///
    /// # Errors
    /// If two methods for one function disagree, and for whole processes the system's errors.
    pub fn measure(self, effort: &Effort) -> Result<Vec<Row>> {
        match self {
            Self::Kernels => self.lines(&kernels::contests(), effort),
            Self::Linear => self.lines(&linear::contests(), effort),
            Self::Batches => self.lines(&batches::contests(), effort),
            Self::Trees => self.lines(&trees::contests(), effort),
            Self::Figures => self.lines(&figures::contests(), effort),
            Self::Files => self.lines(&files::contests(), effort),
        }
    }

    fn lines<L: Line>(self, lines: &[L], effort: &Effort) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for line in lines.iter().filter(|line| line.title().contains(&effort.filter)) {
            let measured = line.run(self.name(), effort.plan)?;
            measured.iter().for_each(|row| println!("{row}"));
            rows.extend(measured);
        }
        Ok(rows)
    }
}
