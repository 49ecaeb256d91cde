//! The rules for a kernel's machine code.

use crate::{
    assembly::{Function, Instruction},
    levels::{Expected, Level},
    secrets,
};

/// The part of a path that marks kernels of SHA-1 with detection, and their checks.
const CHECKED: [&str; 2] = ["sha1::checked", "sha1_checked"];

/// Functions that a kernel may call: diverging ones, and the compiler's own copies.
const ALLOWED: [&str; 7] = [
    // after the rounds of eight streams
    "<jlanes_simd::x86_64::shani_vl::DigestBytes>::write",
    "core::panicking::",
    "core::slice::index::",
    "jlanes_core::simd::subslice::too_short",
    "memcpy",
    "memmove",
    "memset",
];

/// The work of a kernel, which decides the rules for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KernelRole {
    /// Computation in vectors.
    Rounds,
    /// Computation in general registers, of which there are too few. It must have at least one
    /// instruction of its level, such as BMI's rotations.
    Scalar,
    /// Moving words, without computation.
    Feed,
}

/// The maximum number of instructions in a feed, on any level.
const FEED_INSTRUCTIONS: usize = 2100;
/// The maximum number of operands on the stack, for every hundred instructions of a feed, which has a
/// pointer for each lane and few registers for them.
const FEED_STACK: usize = 47;

/// The result of checking a kernel.
#[derive(Debug)]
pub struct Report<'f> {
    /// The kernel.
    pub function: &'f Function,
    /// The level that it was compiled for.
    pub level: &'static Level,
    /// Operands on the stack.
    pub on_stack: usize,
    /// The faults; empty if there is no fault.
    pub faults: Vec<String>,
}

impl<'f> Report<'f> {
    /// The report on `function`, if it is a kernel.
    #[must_use]
    pub fn of(function: &'f Function) -> Option<Self> {
        let level = Level::of(function)?;
        let on_stack = function.instructions.iter().filter(|i| i.is_on_stack()).count();
        let mut report = Self { function, level, on_stack, faults: Vec::new() };
        report.encoding();
        report.registers();
        // a checked kernel calls its checks, has more variables than registers, and branches on the
        // message
        if !report.is_checked() {
            report.calls();
            report.budgets();
            if report.role() != KernelRole::Scalar {
                report.faults.extend(secrets::decisions(function));
            }
        }
        Some(report)
    }

    /// Whether it detects attacks on SHA-1.
    fn is_checked(&self) -> bool {
        CHECKED.iter().any(|part| self.function.name.contains(part))
    }

    /// Checks that all instructions have the encoding in the kernel's name.
    fn encoding(&mut self) {
        let encoding = self.level.encoding;
        let mut strange = self.function.instructions.iter().filter(|i| !encoding.allows(i));
        if let Some(found) = strange.next() {
            let (mnemonic, operands) = (&found.mnemonic, &found.operands);
            let more = strange.count();
            self.faults
                .push(format!("is not {encoding:?}: {mnemonic} {operands}, and {more} more"));
        }
    }

    fn calls(&mut self) {
        let callees = self.function.callees();
        let strange = callees
            .into_iter()
            .filter(|name| !ALLOWED.iter().any(|allowed| name.starts_with(allowed)))
            // another kernel of the same level has its own report
            .filter(|name| !self.level.path.iter().all(|part| name.contains(part)));
        self.faults.extend(strange.map(|name| format!("calls {name}")));
    }

    fn registers(&mut self) {
        let instructions = &self.function.instructions;
        for kind in self.level.foreign {
            // the compiler copies and fills memory through the widest registers, which is not the
            // kernel's fault
            let moves = |i: &Instruction| {
                ["vmov", "vbroadcastf", "vbroadcasti"]
                    .iter()
                    .any(|prefix| i.mnemonic.starts_with(prefix))
            };
            let works = |i: &&Instruction| i.uses(kind) && !moves(i);
            if let Some(found) = instructions.iter().find(works) {
                self.faults.push(format!("uses {kind}: {} {}", found.mnemonic, found.operands));
            }
        }
        let lacks = &self.level.lacks;
        let strange = |i: &&Instruction| lacks.iter().any(|name| i.mnemonic.starts_with(name));
        if let Some(found) = instructions.iter().find(strange) {
            self.faults.push(format!("uses {} {}", found.mnemonic, found.operands));
        }
        let as_expected = |(mnemonic, kind): &Expected| {
            let has_kind = |i: &Instruction| kind.is_empty() || i.uses(kind);
            instructions.iter().any(|i| i.mnemonic == *mnemonic && has_kind(i))
        };
        if self.role() == KernelRole::Rounds
            && !self.is_checked()
            && !self.level.expected.iter().any(as_expected)
        {
            self.faults.push(format!("has none of {:?}", self.level.expected));
        }
    }

    fn role(&self) -> KernelRole {
        let name = &self.function.name;
        if name.contains("::stream::Scalar>") {
            KernelRole::Scalar
        } else if name.contains("::kernel::feed::Feed") {
            KernelRole::Feed
        } else {
            KernelRole::Rounds
        }
    }

    fn budgets(&mut self) {
        let size = self.function.instructions.len();
        let (most, stack) = match self.role() {
            KernelRole::Rounds => (self.level.instructions, Some(self.level.stack)),
            KernelRole::Scalar => (self.level.instructions, None),
            KernelRole::Feed => (FEED_INSTRUCTIONS, Some(FEED_STACK)),
        };
        if size > most {
            self.faults.push(format!("{size} instructions, and not {most} at most"));
        }
        if let Some(stack) = stack.filter(|stack| 100 * self.on_stack > stack * size) {
            let most = stack * size / 100;
            self.faults
                .push(format!("{} operands on the stack, not {most} at most", self.on_stack));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{assembly::functions, levels::LEVELS};

    fn instruction(line: &str) -> Instruction {
        let line = line.replacen(' ', "\t", 1);
        let functions = functions(&format!("_RNvCs1_1a1f:\n\t{line}\n.Lfunc_end0:\n"));
        functions[0].instructions[0].clone()
    }

    fn level(name: &str) -> &'static Level {
        LEVELS.iter().find(|level| level.name == name).unwrap()
    }

    #[test]
    fn each_backend_is_held_to_its_encoding() {
        let legacy = ["paddd xmm0, xmm1", "pxor xmm2, xmm2", "movdqu xmm0, xmmword ptr [rsi]"];
        let vex = ["vpaddd xmm0, xmm1, xmm2", "vmovdqu ymmword ptr [rdi], ymm0", "vzeroupper"];
        let sha = ["sha256rnds2 xmm0, xmm1, xmm0", "sha1msg1 xmm0, xmm1"];
        let neither = ["add rax, rdi", "rorx eax, ecx, 6", "kmovw k1, eax", "call memcpy"];
        for (name, allowed, forbidden) in [
            ("sse41", vec![legacy], vec![vex]),
            ("shani", vec![legacy], vec![vex]),
            ("avx", vec![vex], vec![legacy]),
            ("avx2", vec![vex], vec![legacy]),
            ("avx512vl", vec![vex], vec![legacy]),
            ("avx512", vec![vex], vec![legacy]),
            ("sha512ni", vec![vex], vec![legacy]),
            ("shani+avx", vec![vex], vec![legacy]),
            ("shani+avx512vl", vec![vex], vec![legacy]),
        ] {
            let encoding = level(name).encoding;
            for good in allowed.concat().into_iter().chain(neither) {
                assert!(encoding.allows(&instruction(good)), "{name}: {good}");
            }
            for bad in forbidden.concat() {
                assert!(!encoding.allows(&instruction(bad)), "{name}: {bad}");
            }
            for line in sha {
                let has_sha = ["sse41", "shani", "shani+avx", "shani+avx512vl"].contains(&name);
                assert_eq!(encoding.allows(&instruction(line)), has_sha, "{name}: {line}");
            }
        }
    }

    /// The faults of a kernel with `path` and the code `lines`.
    fn faults(path: &str, lines: &[&str]) -> Vec<String> {
        let instructions = lines.iter().map(|line| instruction(line)).collect();
        let function = Function::of(path, instructions);
        Report::of(&function).unwrap().faults
    }

    #[test]
    fn one_instruction_of_another_encoding_is_a_fault() {
        let avx = "<jlanes_simd::x86_64::avx::Avx as Isa>::run::enter::<jlanes_core::Work>";
        let add = "vpaddd xmm0, xmm1, xmm2";
        assert_eq!(faults(avx, &[add]), [""; 0]);
        assert_eq!(
            faults(avx, &[add, "pshufb xmm0, xmm1", "pxor xmm0, xmm0"]),
            ["is not Vex: pshufb xmm0, xmm1, and 1 more"],
        );
        let sse = "<jlanes_simd::x86_64::sse41::Sse41 as Isa>::run::enter::<jlanes_core::Work>";
        assert_eq!(faults(sse, &["paddd xmm0, xmm1"]), [""; 0]);
        assert_eq!(
            faults(sse, &["paddd xmm0, xmm1", add]),
            [format!("is not Legacy: {add}, and 0 more")]
        );
    }

    #[test]
    fn feeds_and_scalar_code_need_not_compute_in_vectors() {
        let path = |work: &str| {
            format!("<jlanes_simd::x86_64::avx::Avx as Isa>::run::enter::<jlanes_core::{work}>")
        };
        let moves = ["vmovdqu xmm0, xmmword ptr [rsi]"];
        assert_eq!(faults(&path("kernel::feed::FeedBlocks<u32>"), &moves), [""; 0]);
        assert_eq!(
            faults(&path("AdvanceOne<Sm3, jlanes_core::kernel::stream::Scalar>"), &moves),
            [""; 0]
        );
        assert_eq!(faults(&path("kernel::vectors::AdvanceLanes<Sha2<u32>>"), &moves).len(), 1);
    }
}
