//! Prints a line for each kernel in a file of assembly, and fails if any has a fault.

use std::{env, fs, process::ExitCode};

use anyhow::{Context, Result, ensure};
use jlanes_codegen::{Level, Report, functions};

fn main() -> Result<ExitCode> {
    let usage = "usage: jlanes-codegen ARCHITECTURE FILE.s";
    let architecture = env::args().nth(1).context(usage)?;
    let file = env::args_os().nth(2).context(usage)?;
    let functions = functions(&fs::read_to_string(&file).context("cannot read the assembly")?);
    let reports: Vec<_> = functions.iter().filter_map(Report::of).collect();
    ensure!(Level::all(&architecture).next().is_some(), "no levels of {architecture} are known");
    for level in Level::all(&architecture) {
        // without kernels, the check would always pass
        let kernels = reports.iter().any(|report| report.level.name == level.name);
        ensure!(kernels, "there are no kernels of {}", level.name);
    }
    println!("{:>9} {:>12} {:>6}  kernel", "level", "instructions", "stack");
    for report in &reports {
        let (level, size) = (report.level.name, report.function.instructions.len());
        let name = report.function.name.replace("jlanes_core::", "").replace("jlanes_simd::", "");
        println!("{level:>9} {size:>12} {:>6}  {name}", report.on_stack);
        report.faults.iter().for_each(|fault| println!("{:>30}: {fault}", "FAULT"));
    }
    let bad = reports.iter().filter(|report| !report.faults.is_empty()).count();
    println!("{} kernels, {bad} with faults", reports.len());
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
