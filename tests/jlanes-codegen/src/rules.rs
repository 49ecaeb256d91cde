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

/// An instruction on registers of a kind.
type Expected = (&'static str, &'static str);

/// Every level. The budgets are what rustc 1.95 needs for the largest kernel, and a fifth more.
static LEVELS: [Level; 13] = [
    Level {
        name: "sse41",
        architecture: "x86_64",
        path: ["::sse41::Sse41 as ", "Isa>::run::enter::<"],
        foreign: &["ymm", "zmm"],
        lacks: &[],
        expected: &[("paddd", "xmm"), ("paddq", "xmm")],
        instructions: 12000,
        stack: 35,
    },
    Level {
        name: "avx",
        architecture: "x86_64",
        path: ["::avx::Avx as ", "Isa>::run::enter::<"],
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vpaddd", "xmm"), ("vpaddq", "xmm")],
        instructions: 10500,
        stack: 35,
    },
    Level {
        name: "avx2",
        architecture: "x86_64",
        path: ["::avx2::Avx2 as ", "Isa>::run::enter::<"],
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vpaddd", "ymm"), ("vpaddq", "ymm")],
        instructions: 10500,
        stack: 43, // nine of the 25 words of Keccak find no register
    },
    Level {
        name: "avx512vl",
        architecture: "x86_64",
        path: ["::avx512vl::Avx512Vl as ", "Isa>::run::enter::<"],
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vprord", "ymm"), ("vprorq", "ymm"), ("vprolq", "ymm"), ("vprold", "ymm")],
        instructions: 8400,
        stack: 35,
    },
    Level {
        name: "avx512vl",
        architecture: "x86_64",
        path: ["::avx512vl::Avx512VlNarrow as ", "Isa>::run::enter::<"],
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vprord", "xmm"), ("vprold", "xmm")],
        instructions: 1000,
        stack: 35,
    },
    Level {
        name: "avx512",
        architecture: "x86_64",
        path: ["::avx512::Avx512 as ", "Isa>::run::enter::<"],
        foreign: &[],
        lacks: &[],
        expected: &[("vprord", "zmm"), ("vprorq", "zmm"), ("vprolq", "zmm"), ("vprold", "zmm")],
        instructions: 8400,
        stack: 34, // BLAKE2 and Keccak take the words of blocks from memory
    },
    Level {
        name: "shani",
        architecture: "x86_64",
        path: ["::x86_64::shani::sha", "::advance::<"],
        foreign: &["ymm", "zmm"],
        lacks: &[],
        expected: &[("sha256rnds2", "xmm"), ("sha1rnds4", "xmm")],
        instructions: 1300,
        stack: 46,
    },
    Level {
        name: "shani+avx512vl",
        architecture: "x86_64",
        path: ["::x86_64::shani_vl::enter_", ""],
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("sha256rnds2", "xmm")],
        instructions: 8400,
        stack: 35,
    },
    Level {
        name: "sha512ni",
        architecture: "x86_64",
        path: ["::x86_64::sha512ni::enter::<", ""],
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vsha512rnds2", "ymm")],
        instructions: 1300,
        stack: 46,
    },
    Level {
        name: "neon",
        architecture: "aarch64",
        path: ["::neon::Neon as ", "Isa>::run::enter::<"],
        foreign: &["z"],
        lacks: &["eor3", "bcax", "rax1", "xar", "sha1", "sha256", "sha512"],
        expected: &[("add", "v")],
        instructions: 12000,
        stack: 35,
    },
    Level {
        name: "sha3ce",
        architecture: "aarch64",
        path: ["::sha3ce::Sha3Ce as ", "Isa>::run::enter::<"],
        foreign: &["z"],
        lacks: &["sha1", "sha256", "sha512"],
        expected: &[("xar", "v"), ("eor3", "v"), ("bcax", "v")],
        instructions: 12000,
        stack: 35,
    },
    Level {
        name: "sha2ce",
        architecture: "aarch64",
        path: ["::aarch64::sha2ce::sha", "::advance::<"],
        foreign: &["z"],
        lacks: &["eor3", "bcax", "rax1", "xar", "sha512"],
        expected: &[("sha256h", "q"), ("sha1c", "q")],
        instructions: 1300,
        stack: 46,
    },
    Level {
        name: "sha512ce",
        architecture: "aarch64",
        path: ["::aarch64::sha512ce::advance::<", ""],
        foreign: &["z"],
        lacks: &["sha1", "sha256"],
        expected: &[("sha512h", "q")],
        instructions: 1300,
        stack: 46,
    },
];

/// Functions that a kernel may call: those that never return, and the compiler's own copies.
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
        report.calls();
        report.registers();
        report.budgets();
        if !report.on_scalars() {
            report.faults.extend(secrets::decisions(function));
        }
        Some(report)
    }

    fn calls(&mut self) {
        let callees = self.function.callees();
        let strange = callees
            .into_iter()
            .filter(|name| !ALLOWED.iter().any(|allowed| name.starts_with(allowed)));
        self.faults.extend(strange.map(|name| format!("calls {name}")));
    }

    fn registers(&mut self) {
        let instructions = &self.function.instructions;
        for kind in self.level.foreign {
            // memory is copied and filled through whatever is widest, which is not what a kernel is
            // about
            let moves = |i: &Instruction| {
                ["vmov", "vbroadcasti"].iter().any(|prefix| i.mnemonic.starts_with(prefix))
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
        if !self.on_scalars() && !self.level.expected.iter().any(as_expected) {
            self.faults.push(format!("has none of {:?}", self.level.expected));
        }
    }

    /// Whether it is text for general registers, of which there are too few, and only wants some
    /// instruction of its level, such as BMI's rotations.
    fn on_scalars(&self) -> bool {
        self.function.name.contains("::streams::Scalar<")
    }

    fn budgets(&mut self) {
        let size = self.function.instructions.len();
        if size > self.level.instructions {
            let most = self.level.instructions;
            self.faults.push(format!("{size} instructions, and not {most} at most"));
        }
        if !self.on_scalars() && 100 * self.on_stack > self.level.stack * size {
            let most = self.level.stack * size / 100;
            self.faults
                .push(format!("{} operands on the stack, not {most} at most", self.on_stack));
        }
    }
}
