//! Cycles of kernels on other CPUs than this one, as `llvm-mca` models them.
//!
//! A kernel's work is in long runs of instructions without a jump: its rounds, and what loads and
//! transposes blocks. The model of a kernel is the sum of their cycles, each run once, so it is no time of a
//! block: loops have more turns than one, and of two feeds one is used. But it moves with them: a change
//! that costs cycles on some CPU shows, whatever CPU the change was made on.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    process::{Command, Stdio},
    thread,
};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    assembly::{Function, Instruction},
    levels::Level,
};

/// The fewest instructions of a run that counts. Shorter ones are bookkeeping.
const SHORTEST: usize = 64;
/// How often `llvm-mca` repeats a run: the second time follows the first as in a loop.
const TURNS: u64 = 2;
/// The version of LLVM, on which the figures depend as on the compiler.
const LLVM: &str = "22";
/// The most by which a kernel may become slower, in hundredths.
const TOLERANCE: u64 = 3;

/// Cycles by CPU and kernel.
pub type Cycles = BTreeMap<String, u64>;

/// Models the kernels of `architecture` among `functions`.
///
/// # Errors
/// If `llvm-mca` is not there, or does not understand an instruction.
pub fn model(architecture: &str, functions: &[Function]) -> Result<Cycles> {
    let kernels: Vec<_> = functions.iter().filter_map(|f| Some((f, Level::of(f)?))).collect();
    let cpus: BTreeSet<_> = Level::all(architecture).flat_map(|level| level.cpus).collect();
    let mut cycles = Cycles::new();
    for cpu in cpus {
        let of_cpu = kernels.iter().filter(|(_, level)| level.cpus.contains(cpu));
        let of_cpu = on_cpu(architecture, cpu, of_cpu.map(|(function, _)| *function));
        for (name, sum) in of_cpu.with_context(|| format!("llvm-mca for {cpu}"))? {
            *cycles.entry(format!("{cpu} {name}")).or_default() += sum;
        }
    }
    Ok(cycles)
}

/// The cycles of functions on one CPU, with their names.
fn on_cpu<'f>(
    architecture: &str,
    cpu: &str,
    functions: impl Iterator<Item = &'f Function>,
) -> Result<Vec<(String, u64)>> {
    let mut text = String::new();
    let mut runs = Vec::new();
    for function in functions {
        for run in function.runs().filter(|run| run.len() >= SHORTEST) {
            let region = runs.len();
            text.push_str(&format!("# LLVM-MCA-BEGIN {region}\n"));
            run.iter().for_each(|instruction| text.push_str(&without_symbols(instruction)));
            text.push_str(&format!("# LLVM-MCA-END {region}\n"));
            runs.push(function);
        }
    }
    let output = run_mca(architecture, cpu, text)?;
    let totals = output.lines().filter_map(|line| line.strip_prefix("Total Cycles:"));
    let totals: Vec<u64> = totals.map(|total| total.trim().parse()).collect::<Result<_, _>>()?;
    ensure!(totals.len() == runs.len(), "{} results for {} runs", totals.len(), runs.len());
    let of_runs = runs.into_iter().zip(totals);
    Ok(of_runs.map(|(function, total)| (function.short_name(), total / TURNS)).collect())
}

/// The output of `llvm-mca` for `text`.
fn run_mca(architecture: &str, cpu: &str, text: String) -> Result<String> {
    let mut command = Command::new(format!("llvm-mca-{LLVM}"));
    command.args([format!("-mtriple={architecture}"), format!("-mcpu={cpu}")]);
    command.arg(format!("-iterations={TURNS}"));
    command.args(["-instruction-info=0", "-resource-pressure=0"]);
    command.arg(match architecture {
        "x86_64" => "-x86-asm-syntax=intel",
        // instructions that some of the CPUs have by choice
        _ => "-mattr=+sha2,+sha3",
    });
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("it is in Debian's package llvm")?;
    let mut stdin = child.stdin.take().context("it was piped")?;
    // it reads everything before it writes, but for warnings
    let writer = thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output()?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{}", errors.lines().take(5).collect::<Vec<_>>().join("\n"));
    writer.join().expect("it does not panic")?;
    Ok(String::from_utf8(output.stdout)?)
}

/// The instruction as a line; places in memory without the symbols that only a linker knows.
fn without_symbols(instruction: &Instruction) -> String {
    let Instruction { mnemonic, operands } = instruction;
    let mut operands = operands.clone();
    if let Some((before, rest)) = operands.split_once("[rip + ") {
        let after = rest.split_once(']').map_or("", |(_, after)| after);
        operands = format!("{before}[rip]{after}");
    }
    format!("\t{mnemonic}\t{operands}\n")
}

/// Reads lines of cycles, a CPU and a kernel. Comments begin with `#`.
///
/// # Errors
/// If a line is another.
pub fn read(text: &str) -> Result<Cycles> {
    let mut cycles = Cycles::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (number, kernel) =
            line.split_once(' ').with_context(|| format!("no kernel: {line}"))?;
        if cycles.insert(kernel.to_owned(), number.parse()?).is_some() {
            bail!("twice: {kernel}");
        }
    }
    Ok(cycles)
}

/// How `now` differs from what was `before`: kernels that are slower, or that only one of them has.
#[must_use]
pub fn differences(before: &Cycles, now: &Cycles) -> Vec<String> {
    let kernels: BTreeSet<_> = before.keys().chain(now.keys()).collect();
    let difference = |kernel: &String| match (before.get(kernel), now.get(kernel)) {
        (Some(before), Some(now)) if *now * 100 <= *before * (100 + TOLERANCE) => None,
        (Some(before), Some(now)) => Some(format!("{before} -> {now} cycles: {kernel}")),
        (None, _) => Some(format!("new: {kernel}")),
        (_, None) => Some(format!("gone: {kernel}")),
    };
    kernels.into_iter().filter_map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_differences_pass() {
        let before = read("# cycles\n100 zen a::b<c: 4>\n200 zen d\n").expect("cycles");
        let same = read("103 zen a::b<c: 4>\n100 zen d\n").expect("cycles");
        assert_eq!(differences(&before, &same), [""; 0]);
        let other = read("104 zen a::b<c: 4>\n200 other d\n").expect("cycles");
        let expected = ["new: other d", "100 -> 104 cycles: zen a::b<c: 4>", "gone: zen d"];
        assert_eq!(differences(&before, &other), expected);
        for wrong in ["", "100", "x zen a", "1 zen a\n1 zen a"] {
            assert!(read(&format!("{wrong}\n")).is_err(), "{wrong}");
        }
    }
}
