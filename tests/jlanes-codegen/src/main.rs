//! Prints a line for each kernel in a file of assembly, and fails if there is a fault in one, if it is slower
//! than a file of cycles says, or if its code is not that of a file of hashes. Lists the costs that were
//! measured with other code.

use std::{env, fs, path::Path, process::ExitCode};

use anyhow::{Context, Result, ensure};
use jlanes_codegen::{
    Function, Level, Report,
    codes::{self, Codes},
    compiler, functions, model,
};

fn main() -> Result<ExitCode> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [architecture, assembly, options @ ..] = &arguments[..] else {
        anyhow::bail!("usage: jlanes-codegen ARCHITECTURE FILE.s [--raise]");
    };
    let raise = options == ["--raise"];
    let assembly = fs::read_to_string(assembly).context("cannot read the assembly")?;
    let compiler = compiler(&assembly).context("the assembly does not name its compiler")?;
    let functions = functions(&assembly);
    let mut faults = rules(architecture, &functions)?;
    let path = |name: &str| format!(".ci/{name}-{architecture}.txt");
    let file = |name: &str, title: &str, lines: Vec<String>| -> Result<String> {
        if raise {
            let text =
                format!("# {title} of {architecture}, by .ci/codegen.\n{}\n", lines.join("\n"));
            fs::write(path(name), text)?;
        }
        fs::read_to_string(path(name)).with_context(|| format!("cannot read {}", path(name)))
    };
    let mut report = |kind: &str, differences: &[String]| {
        differences.iter().for_each(|difference| println!("{kind}: {difference}"));
        faults += differences.len();
    };

    let now = model::model(architecture, &functions)?;
    let lines = now.iter().map(|(kernel, cycles)| format!("{cycles} {kernel}")).collect();
    let before = file("cycles", "Cycles, CPU and kernel", lines)?;
    report("MODEL", &model::differences(&model::read(&before)?, &now));

    let lines = |codes: &Codes| codes.iter().map(|(name, code)| format!("{code} {name}")).collect();
    let code = codes::codes(&functions)?;
    let title = format!("Hashes of code by rustc {compiler}, backend and hash function");
    let before = file("kernels", &title, lines(&code))?;
    ensure!(before.contains(&title), "the hashes are of another compiler than rustc {compiler}");
    report("CODE", &codes::differences(&codes::read(&before)?, &code));

    let costs = codes::costs(&costs_text(architecture)?, &code)?;
    let before = fs::read_to_string(path("costs")).unwrap_or_default();
    let calibrated = codes::calibrated(&codes::read(&before)?, &costs);
    let title = "Hashes of code and cycles when a cost was written, class and function";
    let before = file("costs", title, lines(&calibrated))?;
    report("COSTS", &codes::differences(&codes::read(&before)?, &calibrated));
    let stale = codes::differences(&calibrated, &costs);
    stale.iter().for_each(|cost| println!("STALE: the code of a cost has {cost}"));
    let (models, hashes) = (now.len(), code.len());
    println!(
        "{models} models of {} functions, {hashes} hashes, {} stale of {} costs",
        functions.len(),
        stale.len(),
        costs.len()
    );
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The text of `costs.rs` and of its modules.
fn costs_text(architecture: &str) -> Result<String> {
    let source = Path::new("crates/jlanes-simd/src").join(architecture);
    let mut text = fs::read_to_string(source.join("costs.rs"))?;
    for module in fs::read_dir(source.join("costs")).into_iter().flatten() {
        text += &fs::read_to_string(module?.path())?;
    }
    Ok(text)
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
