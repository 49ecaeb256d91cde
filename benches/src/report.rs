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
        let rows: Vec<&Row> =
            findings.rows.iter().filter(|row| row.section == table.name()).collect();
        let file = folder.join(table.name()).with_extension("svg");
        plot::ratios(&file, table.title(), &rows)?;
    }
    for policy in &findings.policies {
        plot::policy(&folder.join(page::file_name(policy)).with_extension("svg"), policy)?;
    }
    fs::write(folder.join("README.md"), page::page(&machine, &date, findings))?;
    Ok(folder)
}

/// A name as part of a path: letters and digits, joined by hyphens.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
