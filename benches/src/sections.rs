//! The sections of the report: tables of contests, and what is measured in a way of its own.

pub mod batches;
pub mod blake3;
pub mod calibrate;
pub mod examples;
pub mod figures;
pub mod files;
pub mod hashes;
pub mod instructions;
pub mod kernels;
pub mod memory;
pub mod model;
pub mod nodes;
pub mod sha1dc;
pub mod trees;

use clap::Subcommand;

use crate::{
    contest::{Contest, Line},
    measure::Plan,
    row::Row,
};

/// A section that is a table of contests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum Table {
    /// Each backend's kernels in cache and beyond
    Kernels,
    /// The hashes outside SHA-2, and KangarooTwelve
    Hashes,
    /// Batches of messages on all that the CPU has, MACs and chains
    Batches,
    /// Nodes of Merkle trees
    Nodes,
    /// Trees over one buffer, on one thread and on two
    Trees,
    /// The figures of the papers
    Figures,
    /// Whole processes over directories of files
    Files,
    /// Programs in place of another crate or tool
    Examples,
}

/// How much of a table is measured, and how long.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Rounds and times.
    pub plan: Plan,
    /// Only lines with this in their title.
    pub filter: String,
}

impl Table {
    /// All tables, in the report's order.
    pub const ALL: [Self; 8] = [
        Self::Kernels,
        Self::Hashes,
        Self::Batches,
        Self::Nodes,
        Self::Trees,
        Self::Figures,
        Self::Files,
        Self::Examples,
    ];

    /// The section's name in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernels => "kernels",
            Self::Hashes => "hashes",
            Self::Batches => "batches",
            Self::Nodes => "nodes",
            Self::Trees => "trees",
            Self::Figures => "figures",
            Self::Files => "files",
            Self::Examples => "examples",
        }
    }

    /// The section's name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Kernels => "Kernels",
            Self::Hashes => "Hashes outside SHA-2",
            Self::Batches => "Batches of messages",
            Self::Nodes => "Nodes of Merkle trees",
            Self::Trees => "Trees",
            Self::Figures => "Figures of the papers",
            Self::Files => "Whole processes over files",
            Self::Examples => "Programs in place of another crate or tool",
        }
    }

    /// The lines that run in this process.
    #[must_use]
    pub fn contests(self) -> Vec<Contest> {
        match self {
            Self::Kernels => kernels::contests(),
            Self::Hashes => hashes::contests(),
            Self::Batches => batches::contests(),
            Self::Nodes => nodes::contests(),
            Self::Trees => trees::contests(),
            Self::Figures => figures::contests(),
            Self::Files | Self::Examples => Vec::new(),
        }
    }

    /// Measures the table and prints each line as soon as it is known.
    #[must_use]
    pub fn measure(self, effort: &Effort) -> Measured {
        match self {
            Self::Files => self.lines(&files::contests(), effort),
            Self::Examples => self.lines(&examples::contests(), effort),
            _ => self.lines(&self.contests(), effort),
        }
    }

    fn lines<L: Line>(self, lines: &[L], effort: &Effort) -> Measured {
        let mut measured = Measured::default();
        for line in lines.iter().filter(|line| line.title().contains(&effort.filter)) {
            match line.run(self.name(), effort.plan) {
                Ok(rows) => {
                    rows.iter().for_each(|row| println!("{row}"));
                    measured.rows.extend(rows);
                }
                Err(error) => {
                    let failure = format!("{}: {error:#}", line.title());
                    println!("FAILED: {failure}");
                    measured.failures.push(failure);
                }
            }
        }
        measured
    }
}

/// What came of a table. A line that fails does not take the others with it.
#[derive(Debug, Default)]
pub struct Measured {
    /// The lines that were measured.
    pub rows: Vec<Row>,
    /// Digests that differ, and what went wrong in the system.
    pub failures: Vec<String>,
}

#[cfg(all(test, feature = "peers"))]
mod tests {
    use super::Table;
    use crate::contest::Line;

    #[test]
    fn every_named_peer_is_built() {
        for contest in Table::ALL.iter().flat_map(|table| table.contests()) {
            for gap in contest.methods().filter_map(|method| method.gap()) {
                assert!(!gap.contains("feature `peers`"), "{}: {gap}", contest.title());
            }
        }
    }
}
