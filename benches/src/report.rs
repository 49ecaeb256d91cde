//! The whole report in a folder: a page, plots, and the records behind them.

mod machine;
mod page;
mod plot;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use time::OffsetDateTime;

use self::machine::Machine;
use crate::{
    row::{Row, write_csv},
    sections::{
        Effort, Table,
        calibrate::{self, Policy},
        instructions::{self, Count},
    },
};

/// Everything that was measured.
#[derive(Default)]
pub struct Findings {
    /// Lines of the tables.
    pub rows: Vec<Row>,
    /// The policies of the hash functions.
    pub policies: Vec<Policy>,
    /// Instruction counts.
    pub counts: Vec<Count>,
}

impl Findings {
    /// Measures all sections; a filter leaves out what is no table.
    ///
    /// # Errors
    /// If methods disagree, and the system's errors.
    pub fn measure(effort: &Effort) -> Result<Self> {
        let mut findings = Self::default();
        for table in Table::ALL {
            findings.rows.extend(table.measure(effort)?);
        }
        if effort.filter.is_empty() {
            findings.policies = calibrate::run(effort.plan)?;
            findings.counts = instructions::run()?;
        }
        Ok(findings)
    }

    /// The rows of a table.
    fn of(&self, table: Table) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.section == table.name()).collect()
    }
}

/// Writes the report below `reports`, in a folder named after the CPU and today.
///
/// # Errors
/// If files cannot be written.
pub fn write(reports: &Path, findings: &Findings) -> Result<PathBuf> {
    let machine = Machine::this();
    let date = OffsetDateTime::now_utc().date().to_string();
    let folder = reports.join(format!("{}-{date}", slug(&machine.cpu)));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    write_csv(&folder.join("record.csv"), &findings.rows)?;
    let figures: Vec<_> = findings.policies.iter().flat_map(Policy::figures).collect();
    write_csv(&folder.join("lanes.csv"), &figures)?;
    write_csv(&folder.join("instructions.csv"), &findings.counts)?;
    for table in Table::ALL {
        plots(&folder, table, findings)?;
    }
    for policy in &findings.policies {
        let file = folder.join(slug(policy.hash)).with_extension("svg");
        plot::policy(&file, policy)?;
    }
    fs::write(folder.join("README.md"), page::page(&machine, &date, findings))?;
    Ok(folder)
}

/// Draws a table: ratios as bars, but figures as lines by size.
fn plots(folder: &Path, table: Table, findings: &Findings) -> Result<()> {
    let file = |name: &str| folder.join(name).with_extension("svg");
    let rows = findings.of(table);
    if table != Table::Figures {
        return plot::ratios(&file(table.name()), table.title(), &rows);
    }
    for figure in rows.chunk_by(|a, b| a.name == b.name) {
        plot::sizes(&file(&slug(&figure[0].name)), &figure[0].name, figure)?;
    }
    Ok(())
}

/// A name as part of a path: letters and digits, joined by hyphens.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
