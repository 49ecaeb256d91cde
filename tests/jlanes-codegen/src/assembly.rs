//! Parser of rustc's assembly (Intel syntax on x86-64, v0 symbols): functions and their instructions.

use std::collections::{HashMap, HashSet};

use rustc_demangle::demangle;

/// A function's instructions.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its path, with generic arguments.
    pub name: String,
    /// Its instructions, in order, without labels and directives.
    pub instructions: Vec<Instruction>,
    /// Where a run begins: at the target of a jump, or after one.
    starts: Vec<usize>,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The mnemonic.
    pub mnemonic: String,
    /// All that follows it.
    pub operands: String,
}

impl Instruction {
    fn parse(line: &str) -> Option<Self> {
        let line = line.strip_prefix('\t')?;
        // a `#` without a blank after it begins an immediate of AArch64
        let text = line.split("//").next()?.split("# ").next()?.trim_end();
        if text.is_empty() || text.starts_with(['.', '#']) {
            return None;
        }
        let (mnemonic, operands) = text.split_once('\t').unwrap_or((text, ""));
        Some(Self { mnemonic: mnemonic.to_owned(), operands: operands.to_owned() })
    }

    fn jumps(&self) -> bool {
        ["jmp", "b", "br"].contains(&self.mnemonic.as_str())
    }

    /// Whether it is a jump, a call or a return, which ends a run.
    fn is_control(&self) -> bool {
        let name = self.mnemonic.as_str();
        let x86 = name.starts_with('j') || ["call", "ret", "ud2"].contains(&name);
        let aarch64 = name.starts_with("b.")
            || ["b", "bl", "br", "blr", "cbz", "cbnz", "tbz", "tbnz", "brk"].contains(&name);
        x86 || aarch64
    }

    /// The operand of a call, or of a jump out of the function.
    fn target(&self) -> Option<&str> {
        let calls = ["call", "bl", "blr"].contains(&self.mnemonic.as_str());
        let leaves = self.jumps() && !self.operands.starts_with(".L");
        (calls || leaves).then_some(self.operands.as_str())
    }

    /// The register that gets a function's address, and that address.
    fn loads_address(&self) -> Option<(&str, &str)> {
        let (register, source) = self.operands.split_once(", ")?;
        let x86 = self.mnemonic == "mov" && source.ends_with("@GOTPCREL]");
        let aarch64 = self.mnemonic == "ldr" && source.contains(":got_lo12:");
        (x86 || aarch64).then_some((register, source))
    }

    /// Whether a register of `kind`, such as `ymm`, is among the operands.
    #[must_use]
    pub fn uses(&self, kind: &str) -> bool {
        self.operands
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| word.strip_prefix(kind).is_some_and(|number| number.parse::<u8>().is_ok()))
    }

    /// Whether a memory operand is on the stack.
    #[must_use]
    pub fn is_on_stack(&self) -> bool {
        ["[rsp", "[sp"].iter().any(|operand| self.operands.contains(operand))
    }
}

impl Function {
    /// The runs of instructions that are executed one after another, without the jump at the end.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &[Instruction]> {
        let ends = self.starts.iter().skip(1).copied().chain([self.instructions.len()]);
        let run = |(&start, end)| match &self.instructions[start..end] {
            [run @ .., last] if last.is_control() => run,
            run => run,
        };
        self.starts.iter().zip(ends).map(run)
    }

    /// A function of one run.
    #[cfg(test)]
    pub(crate) fn of(name: &str, instructions: Vec<Instruction>) -> Self {
        Self { name: name.to_owned(), instructions, starts: vec![0] }
    }

    /// The path without the names of jlanes's crates.
    #[must_use]
    pub fn short_name(&self) -> String {
        self.name.replace("jlanes_core::", "").replace("jlanes_simd::", "")
    }

    /// Adds a line of assembly.
    fn extend(&mut self, line: &str) {
        let ended = self.instructions.last().is_some_and(Instruction::is_control);
        if line.starts_with(".L") || ended {
            self.starts.push(self.instructions.len());
        }
        self.instructions.extend(Instruction::parse(line));
    }

    /// The paths of all functions that this one calls or jumps to.
    #[must_use]
    pub fn callees(&self) -> Vec<String> {
        let mut addresses = HashMap::new();
        let mut callees = Vec::new();
        // operands that hold a sum
        let mut sums = HashSet::new();
        for instruction in &self.instructions {
            addresses.extend(instruction.loads_address());
            // an address that was added to an offset from a table leads to a place in the function
            let within = |target: &&str| instruction.jumps() && sums.contains(*target);
            if let Some(target) = instruction.target().filter(|target| !within(target)) {
                // a call in a loop may take the address from a register
                callees.push(path(addresses.get(target).copied().unwrap_or(target)));
            }
            let first = instruction.operands.split(", ").next().unwrap_or("");
            if instruction.mnemonic == "add" {
                sums.insert(first);
            } else if !instruction.jumps() {
                sums.remove(first);
            }
        }
        callees
    }
}

/// The path in a symbol, which may be part of an address.
fn path(operand: &str) -> String {
    let symbol = operand.trim_start_matches("qword ptr [rip + ");
    let symbol = symbol.rsplit(":got_lo12:").next().unwrap_or(symbol);
    let symbol = symbol.split(['@', ']']).next().unwrap_or(symbol);
    format!("{:#}", demangle(symbol))
}

/// The version of the compiler that wrote `assembly`, as `1.95.0`.
#[must_use]
pub fn compiler(assembly: &str) -> Option<&str> {
    assembly.split_once("\"rustc version ")?.1.split(' ').next()
}

/// The functions in `assembly`.
#[must_use]
pub fn functions(assembly: &str) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut current: Option<Function> = None;
    for line in assembly.lines() {
        if line.starts_with(".Lfunc_end") {
            functions.extend(current.take());
        } else if let Some(function) = &mut current {
            function.extend(line);
        } else if let Some(symbol) = line.strip_suffix(':').filter(|label| label.starts_with("_R"))
        {
            current =
                Some(Function { name: path(symbol), instructions: Vec::new(), starts: vec![0] });
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_goes_from_its_label_to_its_end() {
        let assembly = "_RNvCs1_1a1f:\n\t.cfi_startproc\n\tpush\trbp\n.LBB0_1:\n\
            \tvpaddd\tymm0, ymm1, ymmword ptr [rsp + 32] # spilled\n\tjmp\t.LBB0_1\n\
            \tcall\tqword ptr [rip + _RNvCs1_1a1g@GOTPCREL]\n\
            \tmov\tr13, qword ptr [rip + memset@GOTPCREL]\n\tcall\tr13\n\
            \tmovsxd\trax, dword ptr [rcx + 4*rax]\n\tadd\trax, rcx\n\tmov\trdx, rsi\n\tjmp\trax\n\tjmp\trdx\n\
            .Lfunc_end0:\n\t.size\tx\n";
        let [function] = &functions(assembly)[..] else { panic!("one function") };
        assert_eq!((function.name.as_str(), function.instructions.len()), ("a::f", 11));
        let [push, add, ..] = &function.instructions[..] else { panic!("11 of them") };
        assert_eq!((push.mnemonic.as_str(), push.operands.as_str()), ("push", "rbp"));
        assert!(add.uses("ymm") && !add.uses("zmm") && add.is_on_stack() && !push.is_on_stack());
        assert_eq!(function.callees(), ["a::g", "memset", "rdx"]);
        let runs: Vec<_> = function.runs().map(<[_]>::len).filter(|len| *len > 0).collect();
        assert_eq!(runs, [1, 1, 1, 3], "to the loop, the loop, to a call, to a jump");
    }

    #[test]
    fn calls_of_aarch64_are_found() {
        let assembly = "_RNvCs1_1a1f:\n\tadd\tv0.4s, v1.4s, v2.4s\n\tstp\tq0, q1, [sp, #32]\n\
            \tsub\tsp, sp, #64\t// =64\n\tb\t.LBB0_1\n\tbl\t_RNvCs1_1a1g\n\
            \tldr\tx8, [x8, :got_lo12:memset]\n\tblr\tx8\n\tb\t_RNvCs1_1a1h\n\
            \tadd\tx9, x9, x10, lsl #2\n\tbr\tx9\n\
            .Lfunc_end0:\n";
        let [function] = &functions(assembly)[..] else { panic!("one function") };
        let [add, store, sub, ..] = &function.instructions[..] else { panic!("10 of them") };
        assert!(add.uses("v") && !add.uses("z") && !add.is_on_stack() && store.is_on_stack());
        assert_eq!(sub.operands, "sp, sp, #64");
        assert_eq!(function.callees(), ["a::g", "memset", "a::h"]);
    }
}
