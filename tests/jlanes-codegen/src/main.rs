//! Prints a line for each kernel in a file of assembly, and fails if there is a fault in one, or if it is
//! slower than a file of cycles says.

use std::{env, fmt::Write as _, fs, process::ExitCode};

use anyhow::{Context, Result, ensure};
use jlanes_codegen::{Function, Level, Report, functions, model};

fn main() -> Result<ExitCode> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [architecture, assembly, cycles, options @ ..] = &arguments[..] else {
        anyhow::bail!("usage: jlanes-codegen ARCHITECTURE FILE.s CYCLES [--raise]");
    };
    let functions = functions(&fs::read_to_string(assembly).context("cannot read the assembly")?);
    let mut faults = rules(architecture, &functions)?;
    let now = model::model(architecture, &functions)?;
    if options == ["--raise"] {
        let mut text = format!("# Cycles, CPU and kernel of {architecture}, by .ci/codegen.\n");
        now.iter()
            .for_each(|(kernel, cycles)| writeln!(text, "{cycles} {kernel}").expect("a string"));
        fs::write(cycles, text)?;
    }
    let before = fs::read_to_string(cycles).with_context(|| format!("cannot read {cycles}"))?;
    let differences = model::differences(&model::read(&before)?, &now);
    differences.iter().for_each(|difference| println!("MODEL: {difference}"));
    println!("{} models of {}, {} with differences", now.len(), functions.len(), differences.len());
    faults += differences.len();
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints a line for each kernel; returns the number of kernels with faults.
fn rules(architecture: &str, functions: &[Function]) -> Result<usize> {
    let reports: Vec<_> = functions.iter().filter_map(Report::of).collect();
    ensure!(Level::all(architecture).next().is_some(), "no levels of {architecture} are known");
    for level in Level::all(architecture) {
        // a check that looks at nothing would always pass
        let kernels = reports.iter().any(|report| report.level.name == level.name);
        ensure!(kernels, "there are no kernels of {}", level.name);
    }
    println!("{:>9} {:>12} {:>6}  kernel", "level", "instructions", "stack");
    for report in &reports {
        let (level, size) = (report.level.name, report.function.instructions.len());
        let name = report.function.short_name();
        println!("{level:>9} {size:>12} {:>6}  {name}", report.on_stack);
        report.faults.iter().for_each(|fault| println!("{:>30}: {fault}", "FAULT"));
    }
    let bad = reports.iter().filter(|report| !report.faults.is_empty()).count();
    println!("{} kernels, {bad} with faults", reports.len());
    Ok(bad)
}
