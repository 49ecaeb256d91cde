//! `cargo run --release -p jlanes-bench -- SECTION`

use std::{path::PathBuf, time::Duration};

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use jlanes_bench::{
    clock::Watch,
    contest::Contest,
    measure::Plan,
    row::{Row, write_csv},
    sections::{batches, calibrate, kernels},
};

/// Measures jlanes beside what people would use instead
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    section: Section,
    #[command(flatten)]
    effort: Effort,
    /// Measure only rows whose name or size contains this
    #[arg(long, global = true, value_name = "TEXT")]
    filter: Option<String>,
    /// Write the record to this file too
    #[arg(long, global = true, value_name = "FILE")]
    csv: Option<PathBuf>,
}

#[derive(Args)]
struct Effort {
    /// Alternating rounds
    #[arg(long, global = true, default_value_t = 11)]
    rounds: usize,
    /// Milliseconds that a contestant runs in a round, at least
    #[arg(long, global = true, default_value_t = 20)]
    millis: u64,
}

#[derive(Subcommand)]
enum Section {
    /// Each backend's kernels in cache and beyond
    Kernels,
    /// Batches of messages on all that the CPU has
    Batches,
    /// The best kernel by live lanes, and where the policy takes another
    Calibrate,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let Effort { rounds, millis } = arguments.effort;
    let slice = Duration::from_millis(millis);
    let plan = Plan { rounds: rounds.max(1), slice, watch: Watch::Thread };
    let rows = match arguments.section {
        Section::Kernels => table("kernels", kernels::contests(), &arguments, plan)?,
        Section::Batches => table("batches", batches::contests(), &arguments, plan)?,
        Section::Calibrate => return calibrate::run(plan),
    };
    match &arguments.csv {
        Some(path) => write_csv(path, &rows),
        None => Ok(()),
    }
}

/// Measures the contests that the filter lets through, and prints each as soon as it is known.
fn table(name: &str, contests: Vec<Contest>, given: &Arguments, plan: Plan) -> Result<Vec<Row>> {
    let wanted = |contest: &Contest| {
        let text = given.filter.as_deref().unwrap_or_default();
        contest.name.contains(text) || contest.workload.shape().contains(text)
    };
    let mut rows = Vec::new();
    for contest in contests.iter().filter(|contest| wanted(contest)) {
        let measured = contest.run(name, plan)?;
        measured.iter().for_each(|row| println!("{row}"));
        rows.extend(measured);
    }
    Ok(rows)
}
