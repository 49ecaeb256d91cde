//! What is allowed in a kernel.

use crate::{
    assembly::{Function, Instruction},
    secrets,
};

/// The instruction set that a kernel is compiled for, and what its machine code is held to.
#[derive(Debug)]
pub struct Level {
    /// Its name as a backend.
    pub name: &'static str,
    /// The architecture, as in the names of Rust's targets.
    pub architecture: &'static str,
    /// What kernels of this level have in their paths.
    path: [&'static str; 2],
    /// How its vector instructions are encoded.
    encoding: Encoding,
    /// Registers that it does not have, or is not to use.
    foreign: &'static [&'static str],
    /// Instructions that it does not have.
    lacks: &'static [&'static str],
    /// At least one of these must occur.
    expected: &'static [Expected],
    /// The most instructions.
    instructions: usize,
    /// The most operands on the stack, in a hundred instructions.
    stack: usize,
}

/// How a level's vector instructions are encoded. The two encodings of x86-64 have different names for
/// the same work, `paddd` and `vpaddd`: a kernel in the other one computes the same digests, but is
/// not what its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// SSE's.
    Legacy,
    /// That of AVX, or EVEX, which AVX-512 adds.
    Vex,
    /// The same, but for the SHA extensions: these have SSE's encoding only.
    VexAndSha,
    /// The architecture has one encoding.
    Fixed,
}

impl Encoding {
    /// Whether an instruction of this mnemonic, on registers of vectors if so, may be in a kernel.
    fn allows(self, instruction: &Instruction) -> bool {
        let vex = instruction.mnemonic.starts_with('v');
        let on_vectors = ["xmm", "ymm", "zmm"].iter().any(|kind| instruction.uses(kind));
        let sha = ["sha1", "sha256"].iter().any(|name| instruction.mnemonic.starts_with(name));
        match self {
            Self::Legacy => !vex,
            Self::Vex => vex || !on_vectors,
            Self::VexAndSha => vex || sha || !on_vectors,
            Self::Fixed => true,
        }
    }
}

/// An instruction on registers of a kind.
type Expected = (&'static str, &'static str);

/// Beginnings of what AVX-512 adds.
const EVEX: [&str; 5] = ["vpro", "vpternlog", "vpermt2", "vpermi2", "kmov"];

/// Every level. The budgets are what rustc 1.95 needs for the largest kernel, and a fifth more.
static LEVELS: [Level; 13] = [
    Level {
        name: "sse41",
        architecture: "x86_64",
        path: ["::sse41::Sse41 as ", "Isa>::run::enter::<"],
        encoding: Encoding::Legacy,
        foreign: &["ymm", "zmm"],
        lacks: &["sha1", "sha256"],
        expected: &[("paddd", "xmm"), ("paddq", "xmm")],
        instructions: 6300,
        stack: 19,
    },
    Level {
        name: "avx",
        architecture: "x86_64",
        path: ["::avx::Avx as ", "Isa>::run::enter::<"],
        encoding: Encoding::Vex,
        foreign: &["ymm", "zmm"],
        lacks: &EVEX,
        expected: &[("vpaddd", "xmm"), ("vpaddq", "xmm")],
        instructions: 2300,
        stack: 18,
    },
    Level {
        name: "avx2",
        architecture: "x86_64",
        path: ["::avx2::Avx2 as ", "Isa>::run::enter::<"],
        encoding: Encoding::Vex,
        foreign: &["zmm"],
        lacks: &EVEX,
        expected: &[("vpaddd", "ymm"), ("vpaddq", "ymm")],
        instructions: 6200,
        stack: 28,
    },
    Level {
        name: "avx512vl",
        architecture: "x86_64",
        path: ["::avx512vl::Avx512Vl as ", "Isa>::run::enter::<"],
        encoding: Encoding::Vex,
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vprord", "ymm"), ("vprorq", "ymm"), ("vprolq", "ymm"), ("vprold", "ymm")],
        instructions: 6200,
        stack: 30,
    },
    Level {
        name: "avx512vl",
        architecture: "x86_64",
        path: ["::avx512vl::Avx512VlNarrow as ", "Isa>::run::enter::<"],
        encoding: Encoding::Vex,
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vprord", "xmm"), ("vprold", "xmm")],
        instructions: 720,
        stack: 8,
    },
    Level {
        name: "avx512",
        architecture: "x86_64",
        path: ["::avx512::Avx512 as ", "Isa>::run::enter::<"],
        encoding: Encoding::Vex,
        foreign: &[],
        lacks: &[],
        expected: &[("vprord", "zmm"), ("vprorq", "zmm"), ("vprolq", "zmm"), ("vprold", "zmm")],
        instructions: 6700,
        stack: 31,
    },
    Level {
        name: "shani",
        architecture: "x86_64",
        path: ["::x86_64::shani::sha", "::enter::<"],
        encoding: Encoding::Legacy,
        foreign: &["ymm", "zmm"],
        lacks: &[],
        expected: &[("sha256rnds2", "xmm"), ("sha1rnds4", "xmm")],
        instructions: 890,
        stack: 27,
    },
    Level {
        name: "shani+avx512vl",
        architecture: "x86_64",
        path: ["::x86_64::shani_vl::", "enter_"],
        encoding: Encoding::VexAndSha,
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("sha256rnds2", "xmm"), ("vpaddd", "ymm")],
        instructions: 10000,
        stack: 11,
    },
    Level {
        name: "sha512ni",
        architecture: "x86_64",
        path: ["::x86_64::sha512ni::sha512::enter::<", ""],
        encoding: Encoding::Vex,
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vsha512rnds2", "ymm")],
        instructions: 340,
        stack: 5,
    },
    Level {
        name: "neon",
        architecture: "aarch64",
        path: ["::neon::Neon as ", "Isa>::run::enter::<"],
        encoding: Encoding::Fixed,
        foreign: &["z"],
        lacks: &["eor3", "bcax", "rax1", "xar", "sha1", "sha256", "sha512"],
        expected: &[("add", "v")],
        instructions: 4200,
        stack: 8,
    },
    Level {
        name: "sha3ce",
        architecture: "aarch64",
        path: ["::sha3ce::Sha3Ce as ", "Isa>::run::enter::<"],
        encoding: Encoding::Fixed,
        foreign: &["z"],
        lacks: &["sha1", "sha256", "sha512"],
        expected: &[("xar", "v"), ("eor3", "v"), ("bcax", "v")],
        instructions: 3900,
        stack: 8,
    },
    Level {
        name: "sha2ce",
        architecture: "aarch64",
        path: ["::aarch64::sha2ce::sha", "::enter::<"],
        encoding: Encoding::Fixed,
        foreign: &["z"],
        lacks: &["eor3", "bcax", "rax1", "xar", "sha512"],
        expected: &[("sha256h", "q"), ("sha1c", "q")],
        instructions: 710,
        stack: 7,
    },
    Level {
        name: "sha512ce",
        architecture: "aarch64",
        path: ["::aarch64::sha512ce::sha512::enter::<", ""],
        encoding: Encoding::Fixed,
        foreign: &["z"],
        lacks: &["sha1", "sha256"],
        expected: &[("sha512h", "q")],
        instructions: 680,
        stack: 8,
    },
];

/// What the names of kernels for SHA-1 with detection, and of their checks, contain.
const CHECKED: &str = "sha1::checked";

/// Functions that a kernel may call: diverging ones, and the compiler's own copies.
const ALLOWED: [&str; 5] =
    ["core::panicking::", "core::slice::index::", "memcpy", "memmove", "memset"];

impl Level {
    /// Every level of an architecture.
    pub fn all(architecture: &str) -> impl Iterator<Item = &'static Self> {
        LEVELS.iter().filter(move |level| level.architecture == architecture)
    }

    /// The level of a kernel; `None` for a function that is none.
    #[must_use]
    pub fn of(function: &Function) -> Option<&'static Self> {
        LEVELS.iter().find(|level| level.path.iter().all(|part| function.name.contains(part)))
    }
}

/// What a kernel does, on which depends what is expected of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KernelRole {
    /// It computes in vectors.
    Rounds,
    /// It computes in general registers, of which there are too few, and only wants some instruction of
    /// its level, such as BMI's rotations.
    Scalar,
    /// It moves words to where they are wanted, and computes nothing.
    Feed,
}

/// The most instructions of a feed, on any level.
const FEED_INSTRUCTIONS: usize = 2100;
/// The most operands on the stack, in a hundred instructions of a feed: it has a pointer for each lane,
/// and few registers for these.
const FEED_STACK: usize = 47;

/// What was found in a kernel.
#[derive(Debug)]
pub struct Report<'f> {
    /// The kernel.
    pub function: &'f Function,
    /// What it was compiled for.
    pub level: &'static Level,
    /// Operands on the stack.
    pub on_stack: usize,
    /// What is wrong; empty if nothing is.
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
        // it calls its checks, has more variables than registers, and branches on the message
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
        self.function.name.contains(CHECKED)
    }

    /// Whether every instruction has the encoding of the kernel's name.
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
            // a kernel of the same level has its own report
            .filter(|name| !self.level.path.iter().all(|part| name.contains(part)));
        self.faults.extend(strange.map(|name| format!("calls {name}")));
    }

    fn registers(&mut self) {
        let instructions = &self.function.instructions;
        for kind in self.level.foreign {
            // the compiler copies and fills memory through the widest registers, which is no fault of a
            // kernel
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
            instructions.iter().any(|i| i.mnemonic == *mnemonic && i.uses(kind))
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
    use crate::assembly::functions;

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
                let has_sha = ["sse41", "shani", "shani+avx512vl"].contains(&name);
                assert_eq!(encoding.allows(&instruction(line)), has_sha, "{name}: {line}");
            }
        }
    }

    /// A kernel of a level, with `lines` as its code.
    fn faults(path: &str, lines: &[&str]) -> Vec<String> {
        let instructions = lines.iter().map(|line| instruction(line)).collect();
        let function = Function { name: path.to_owned(), instructions };
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
