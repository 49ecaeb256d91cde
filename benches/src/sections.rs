//! The sections of a record: tables of contests, and of lines that are measured in a way of their own.

pub(crate) mod batches;
pub(crate) mod blake3;
pub(crate) mod calibrate;
pub(crate) mod examples;
pub(crate) mod figures;
pub(crate) mod files;
pub(crate) mod hashes;
pub(crate) mod instructions;
pub(crate) mod kernels;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod nodes;
pub(crate) mod sha1dc;
pub(crate) mod single;
pub(crate) mod trees;

use clap::Subcommand;

use crate::{
    contest::{Contest, Line},
    measure::Timing,
    row::Row,
};

/// A section, which is a table of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Table {
    /// Each backend's kernels in cache and beyond
    Kernels,
    /// The hashes outside SHA-2, and KangarooTwelve
    Hashes,
    /// One message alone, by each way to hash it
    Single,
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
    /// The policy compared with each kernel by live lanes, and what kernels cost
    Calibrate,
    /// Instructions of linear hashing, counted by callgrind
    Instructions,
    /// The papers' cost model compared with the clock
    Model,
    /// Resident memory of `jlanes-sum` by the size of the file
    Memory,
}

/// The lines of a table that are measured, and for how long.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    pub(crate) timing: Timing,
    pub(crate) filter: String,
}

impl Table {
    /// All tables, in the report's order.
    pub(crate) const ALL: [Self; 13] = [
        Self::Kernels,
        Self::Hashes,
        Self::Single,
        Self::Batches,
        Self::Nodes,
        Self::Trees,
        Self::Figures,
        Self::Files,
        Self::Examples,
        Self::Calibrate,
        Self::Instructions,
        Self::Model,
        Self::Memory,
    ];

    /// The section's name in records.
    pub(crate) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// The section's name for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Kernels => "Kernels",
            Self::Hashes => "Hashes outside SHA-2",
            Self::Single => "One message alone",
            Self::Batches => "Batches of messages",
            Self::Nodes => "Nodes of Merkle trees",
            Self::Trees => "Trees",
            Self::Figures => "Figures of the papers",
            Self::Files => "Whole processes over files",
            Self::Examples => "Programs in place of another crate or tool",
            Self::Calibrate => "The best kernel by live lanes",
            Self::Instructions => "Instructions of linear hashing",
            Self::Model => "Predicted and measured",
            Self::Memory => "Memory by the size of the file",
        }
    }

    /// The lines that are contests within this process.
    pub(crate) fn contests(self) -> Vec<Contest> {
        let mut contests = match self {
            Self::Kernels => kernels::contests(),
            Self::Hashes => hashes::contests(),
            Self::Single => single::contests(),
            Self::Batches => batches::contests(),
            Self::Nodes => nodes::contests(),
            Self::Trees => trees::contests(),
            Self::Figures => figures::contests(),
            Self::Calibrate => calibrate::contests(),
            Self::Model => model::contests(),
            Self::Files | Self::Examples | Self::Instructions | Self::Memory => Vec::new(),
        };
        // a line of each section shows what noise makes of 1
        if let Some(first) = contests.first_mut() {
            first.against_itself = true;
        }
        contests
    }

    fn lines(self) -> Vec<Box<dyn Line>> {
        fn boxed<L: Line + 'static>(lines: Vec<L>) -> Vec<Box<dyn Line>> {
            lines.into_iter().map(|line| Box::new(line) as Box<dyn Line>).collect()
        }
        let others = match self {
            Self::Files => boxed(files::contests()),
            Self::Examples => boxed(examples::PROGRAMS.into()),
            Self::Calibrate => boxed(calibrate::costs()),
            Self::Instructions => boxed(instructions::subjects()),
            Self::Memory => boxed(memory::ALGORITHMS.into()),
            _ => Vec::new(),
        };
        boxed(self.contests()).into_iter().chain(others).collect()
    }

    /// Measures the table and prints each line as soon as it is known. A line that fails does not take the others
    /// with it.
    pub(crate) fn measure(self, effort: &Effort) -> Vec<Row> {
        let mut measured = Vec::new();
        for line in self.lines().iter().filter(|line| line.title().contains(&effort.filter)) {
            let failed = |error| vec![Row::of_failure(line.title(), &error)];
            let rows = line.run(effort.timing).unwrap_or_else(failed);
            match self {
                Self::Calibrate => println!("{}", calibrate::Summary(&rows)),
                _ => rows.iter().for_each(|row| println!("{row}")),
            }
            measured.extend(rows.into_iter().map(|row| Row { section: self.name(), ..row }));
        }
        measured
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn the_first_contest_of_each_section_shows_noise() {
        for table in Table::ALL {
            let contests = table.contests();
            let noisy = contests.iter().map(|contest| contest.against_itself);
            assert!(noisy.eq((0..contests.len()).map(|i| i == 0)), "{table:?}");
        }
    }

    #[cfg(feature = "peers")]
    #[test]
    fn every_named_peer_is_built() {
        use crate::contest::Line;
        for contest in Table::ALL.iter().flat_map(|table| table.contests()) {
            for gap in contest.methods().filter_map(|method| method.gap()) {
                assert!(!gap.contains("feature `peers`"), "{}: {gap}", contest.title());
            }
        }
    }
}
