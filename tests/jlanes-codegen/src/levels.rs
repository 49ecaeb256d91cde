//! The instruction sets that kernels are compiled for, with budgets for their machine code.

use crate::assembly::{Function, Instruction};

/// An instruction set for kernels, and the limits for their machine code.
#[derive(Debug)]
pub struct Level {
    /// Its name as a backend.
    pub name: &'static str,
    /// The architecture, as in the names of Rust's targets.
    pub architecture: &'static str,
    /// The parts that the paths of its kernels contain.
    pub(crate) path: [&'static str; 2],
    /// The CPUs, by LLVM's names, on which its kernels are modelled.
    pub(crate) cpus: &'static [&'static str],
    /// The encoding of its vector instructions.
    pub(crate) encoding: Encoding,
    /// Registers that it lacks, or must not use.
    pub(crate) foreign: &'static [&'static str],
    /// Instructions that it lacks.
    pub(crate) lacks: &'static [&'static str],
    /// At least one of these must occur.
    pub(crate) expected: &'static [Expected],
    /// The maximum number of instructions in a kernel.
    pub(crate) instructions: usize,
    /// The maximum number of operands on the stack, for every hundred instructions.
    pub(crate) stack: usize,
}

/// The encoding of a level's vector instructions. x86-64 has two encodings with different names for the
/// same work, `paddd` and `vpaddd`. A kernel in the wrong encoding computes the same digests, but is
/// not what its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// SSE's.
    Legacy,
    /// AVX's, or EVEX, which AVX-512 adds.
    Vex,
    /// The same, except for the SHA extensions, which only have SSE's encoding.
    VexAndSha,
    /// The architecture has one encoding.
    Fixed,
}

impl Encoding {
    /// Whether a kernel in this encoding may have this instruction.
    pub(crate) fn allows(self, instruction: &Instruction) -> bool {
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

/// The mnemonic and the kind of registers of an instruction; no kind for general registers.
pub(crate) type Expected = (&'static str, &'static str);

/// The beginnings of mnemonics that AVX-512 adds.
const EVEX: [&str; 5] = ["vpro", "vpternlog", "vpermt2", "vpermi2", "kmov"];

/// All levels. The budgets are a fifth above the largest kernel by rustc 1.95.
pub(crate) static LEVELS: [Level; 14] = [
    Level {
        name: "sse41",
        architecture: "x86_64",
        path: ["::sse41::Sse41 as ", "Isa>::run::enter::<"],
        cpus: &["westmere", "gracemont"],
        encoding: Encoding::Legacy,
        foreign: &["ymm", "zmm"],
        lacks: &["sha1", "sha256"],
        expected: &[("paddd", "xmm"), ("paddq", "xmm")],
        instructions: 4500,
        stack: 19,
    },
    Level {
        name: "avx",
        architecture: "x86_64",
        path: ["::avx::Avx as ", "Isa>::run::enter::<"],
        cpus: &["sandybridge", "znver1"],
        encoding: Encoding::Vex,
        foreign: &["ymm", "zmm"],
        lacks: &EVEX,
        expected: &[("vpaddd", "xmm"), ("vpaddq", "xmm")],
        instructions: 2200,
        stack: 18,
    },
    Level {
        name: "avx2",
        architecture: "x86_64",
        path: ["::avx2::Avx2 as ", "Isa>::run::enter::<"],
        cpus: &["haswell", "skylake", "alderlake", "znver1", "znver3"],
        encoding: Encoding::Vex,
        foreign: &["zmm"],
        lacks: &EVEX,
        // of BMI, which comes with AVX2
        expected: &[("vpaddd", "ymm"), ("vpaddq", "ymm"), ("rorx", "")],
        instructions: 5500,
        stack: 40,
    },
    Level {
        name: "avx512vl",
        architecture: "x86_64",
        path: ["::avx512vl::Avx512Vl as ", "Isa>::run::enter::<"],
        cpus: &["skylake-avx512", "icelake-server", "sapphirerapids", "znver4", "znver5"],
        encoding: Encoding::Vex,
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vprord", "ymm"), ("vprorq", "ymm"), ("vprolq", "ymm"), ("vprold", "ymm")],
        instructions: 4200,
        stack: 34,
    },
    Level {
        name: "avx512vl",
        architecture: "x86_64",
        path: ["::avx512vl::Avx512Vl128 as ", "Isa>::run::enter::<"],
        cpus: &["skylake-avx512", "icelake-server", "sapphirerapids", "znver4", "znver5"],
        encoding: Encoding::Vex,
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("vprord", "xmm"), ("vprold", "xmm"), ("vpternlogq", "xmm")],
        instructions: 960,
        stack: 8,
    },
    Level {
        name: "avx512",
        architecture: "x86_64",
        path: ["::avx512::Avx512 as ", "Isa>::run::enter::<"],
        // not znver5: LLVM 22 has 512 bits in two halves there
        cpus: &["skylake-avx512", "icelake-server", "sapphirerapids", "znver4"],
        encoding: Encoding::Vex,
        foreign: &[],
        lacks: &[],
        expected: &[("vprord", "zmm"), ("vprorq", "zmm"), ("vprolq", "zmm"), ("vprold", "zmm")],
        instructions: 5800,
        stack: 32,
    },
    Level {
        name: "shani",
        architecture: "x86_64",
        path: ["::x86_64::shani::sha", "::enter::<"],
        cpus: &["gracemont", "alderlake", "icelake-server"],
        encoding: Encoding::Legacy,
        foreign: &["ymm", "zmm"],
        lacks: &[],
        expected: &[("sha256rnds2", "xmm"), ("sha1rnds4", "xmm")],
        instructions: 890,
        stack: 27,
    },
    Level {
        name: "shani+avx",
        architecture: "x86_64",
        path: ["::x86_64::shani_avx::", "::enter"],
        cpus: &["alderlake", "icelake-server", "sapphirerapids"],
        encoding: Encoding::VexAndSha,
        foreign: &["ymm", "zmm"],
        lacks: &[],
        expected: &[("sha256rnds2", "xmm"), ("sha1rnds4", "xmm")],
        instructions: 1700,
        stack: 40,
    },
    Level {
        name: "shani+avx512vl",
        architecture: "x86_64",
        path: ["::x86_64::shani_vl::", "enter_"],
        cpus: &["icelake-server", "sapphirerapids"],
        encoding: Encoding::VexAndSha,
        foreign: &["zmm"],
        lacks: &[],
        expected: &[("sha256rnds2", "xmm"), ("vpaddd", "ymm")],
        instructions: 2000,
        // most words of eight schedules
        stack: 22,
    },
    Level {
        name: "sha512ni",
        architecture: "x86_64",
        path: ["::x86_64::sha512ni::sha512::enter::<", ""],
        cpus: &[],
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
        cpus: &["cortex-a72", "neoverse-n1", "neoverse-v1", "neoverse-v2"],
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
        cpus: &["neoverse-v1", "neoverse-v2"],
        encoding: Encoding::Fixed,
        foreign: &["z"],
        lacks: &["sha1", "sha256", "sha512"],
        expected: &[("xar", "v"), ("eor3", "v"), ("bcax", "v")],
        instructions: 3900,
        stack: 9,
    },
    Level {
        name: "sha2ce",
        architecture: "aarch64",
        path: ["::aarch64::sha2ce::sha", "::enter::<"],
        cpus: &["cortex-a72", "neoverse-n1", "neoverse-v1", "neoverse-v2"],
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
        cpus: &["neoverse-v1", "neoverse-v2"],
        encoding: Encoding::Fixed,
        foreign: &["z"],
        lacks: &["sha1", "sha256"],
        expected: &[("sha512h", "q")],
        instructions: 680,
        stack: 8,
    },
];

impl Level {
    /// Every level of an architecture.
    pub fn all(architecture: &str) -> impl Iterator<Item = &'static Self> {
        LEVELS.iter().filter(move |level| level.architecture == architecture)
    }

    /// The level of a kernel; `None` for any other function.
    #[must_use]
    pub fn of(function: &Function) -> Option<&'static Self> {
        LEVELS.iter().find(|level| level.path.iter().all(|part| function.name.contains(part)))
    }
}
