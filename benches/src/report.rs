//! The whole report in a folder: a page, plots, and the records behind them.

mod chart;
mod headline;
mod machine;
mod page;
mod plot;
mod quote;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use anyhow::{Context, Result};
use jlanes::Backend;
use time::OffsetDateTime;

use self::machine::Machine;
pub use self::{chart::chart, quote::quote};
use crate::{
    measure::Plan,
    row::{Row, read_csv, write_csv},
    sections::{
        Effort, Table,
        calibrate::{self, Policy},
        figures::{self, Plot},
        instructions::{self, Count},
        memory::{self, Peak},
        model::{self, Prediction},
    },
};

/// Everything that was measured.
#[derive(Default)]
pub struct Findings {
    /// Lines of the tables.
    pub rows: Vec<Row>,
    /// Lines that failed.
    pub failures: Vec<String>,
    /// The policies of the hash functions.
    pub policies: Vec<Policy>,
    /// Instruction counts.
    pub counts: Vec<Count>,
    /// Figures of the cost model.
    pub predictions: Vec<Prediction>,
    /// Memory of our tool.
    pub peaks: Vec<Peak>,
    /// Seconds that it took.
    pub seconds: u64,
}

impl Findings {
    /// Measures all sections; a filter leaves out what is no table.
    ///
    /// # Errors
    /// If methods disagree in what is no table, and the system's errors.
    pub fn measure(effort: &Effort) -> Result<Self> {
        let start = Instant::now();
        let mut findings = Self::default();
        for table in Table::ALL {
            let measured = table.measure(effort);
            findings.rows.extend(measured.rows);
            findings.failures.extend(measured.failures);
        }
        if effort.filter.is_empty() {
            // The policies' table is wide, and the choice not so fine.
            let plan = Plan { slice: effort.plan.slice / 2, ..effort.plan };
            findings.policies = calibrate::run(plan)?;
            findings.counts = instructions::run()?;
            findings.predictions = model::run(effort.plan)?;
            findings.peaks = memory::run()?;
        }
        findings.seconds = start.elapsed().as_secs();
        Ok(findings)
    }

    /// Success, unless a line failed.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        if self.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// The rows of a table that are in no paper.
    fn of(&self, table: Table) -> Vec<&Row> {
        let own = |row: &&Row| row.section == table.name() && !row.name.starts_with('[');
        self.rows.iter().filter(own).collect()
    }

    /// The rows of one name.
    fn named(&self, name: &str) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.name == name).collect()
    }
}

/// Writes the report below `reports`, in a folder named after the CPU, its class and today: CPUs of
/// several classes have one name on machines that are rented.
///
/// # Errors
/// If files cannot be written.
pub fn write(reports: &Path, findings: &Findings) -> Result<PathBuf> {
    let machine = Machine::this();
    let date = OffsetDateTime::now_utc().date().to_string();
    let class = Backend::detect().class();
    let folder = reports.join(format!("{}-{date}", slug(&format!("{} {class}", machine.cpu))));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    records(&folder, findings)?;
    plots(&folder, findings)?;
    fs::write(folder.join("README.md"), page::page(&machine, &date, findings))?;
    Ok(folder)
}

/// The record of the tables, by which two reports are compared and documents quote one.
const RECORD: &str = "record.csv";

/// The record of a report's folder, or in a file.
///
/// # Errors
/// If it cannot be read, or is no record.
pub fn record(path: &Path) -> Result<Vec<Row>> {
    if path.is_dir() { read_csv(&path.join(RECORD)) } else { read_csv(path) }
}

fn records(folder: &Path, findings: &Findings) -> Result<()> {
    write_csv(&folder.join(RECORD), &findings.rows)?;
    let figures: Vec<_> = findings.policies.iter().flat_map(Policy::figures).collect();
    write_csv(&folder.join("lanes.csv"), &figures)?;
    write_csv(&folder.join("instructions.csv"), &findings.counts)?;
    write_csv(&folder.join("model.csv"), &findings.predictions)?;
    write_csv(&folder.join("memory.csv"), &findings.peaks)
}

fn plots(folder: &Path, findings: &Findings) -> Result<()> {
    let file = |name: &str| folder.join(slug(name)).with_extension("svg");
    let headline = headline::rows(&findings.rows);
    plot::ratios(&file("headline"), "Times as fast as the others", &headline)?;
    for table in Table::ALL {
        plot::ratios(&file(table.name()), table.title(), &page::plotted(findings.of(table)))?;
    }
    for figure in figures::all() {
        let rows = findings.named(figure.title);
        let draw = match figure.plot {
            Plot::Sizes => plot::sizes,
            Plot::Methods => plot::methods,
            Plot::Ratios => plot::ratios,
        };
        draw(&file(figure.title), figure.title, &rows)?;
    }
    for rows in page::figures_of_files(findings) {
        plot::methods(&file(&rows[0].name), &rows[0].name, &rows)?;
    }
    for policy in &findings.policies {
        plot::policy(&file(policy.hash), policy)?;
    }
    Ok(())
}

/// A name as part of a path: letters and digits, joined by hyphens.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}
