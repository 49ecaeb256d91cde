//! Checks that no byte of a message decides a branch or an address.
//!
//! Kernels hold these bytes in vector registers. From there, they can reach a branch through
//! instructions that compare or test vectors into flags or masks, and an address through gathers and
//! scatters: a kernel must have none of these. Moves to general registers remain. Kernels store digests
//! of odd sizes and load pointers in pairs through these, so moves alone are no fault, and the moved
//! bytes are not followed. Valgrind checks kernels in general registers.

use crate::assembly::{Function, Instruction};

/// The beginnings of mnemonics that move data from vectors to flags, masks or addresses.
const FORBIDDEN: [&str; 22] = [
    "comis",
    "fccmp",
    "fcmp",
    "kortest",
    "ktest",
    "movmskp",
    "pcmpestr",
    "pcmpistr",
    "pmovmskb",
    "ptest",
    "ucomis",
    "vcomis",
    "vgather",
    "vmovmskp",
    "vpcmpestr",
    "vpcmpistr",
    "vpgather",
    "vpmovmskb",
    "vpscatter",
    "vptest",
    "vscatter",
    "vtestp",
];

/// The instructions of `function` with which data could decide.
pub(crate) fn decisions(function: &Function) -> impl Iterator<Item = String> {
    let decides = |instruction: &&Instruction| {
        let Instruction { mnemonic, operands } = instruction;
        let compares = mnemonic.starts_with("vpcmp") && is_mask(operands);
        let reads_mask = mnemonic.starts_with("kmov")
            && operands.split_once(", ").is_some_and(|(to, from)| !is_mask(to) && is_mask(from));
        compares || reads_mask || FORBIDDEN.iter().any(|name| mnemonic.starts_with(name))
    };
    let found = function.instructions.iter().filter(decides);
    found.map(|Instruction { mnemonic, operands }| format!("data decide: {mnemonic} {operands}"))
}

/// Whether the first operand is a mask register.
fn is_mask(operands: &str) -> bool {
    let number = operands.strip_prefix('k').and_then(|rest| rest.chars().next());
    number.is_some_and(|number| number.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::functions;

    fn faults(line: &str) -> usize {
        let line = line.replacen(' ', "\t", 1);
        let functions = functions(&format!("_RNvCs1_1a1f:\n\t{line}\n.Lfunc_end0:\n"));
        functions.iter().flat_map(decisions).count()
    }

    #[test]
    fn comparisons_of_vectors_are_found() {
        for bad in [
            "vptest xmm0, xmm1",
            "vpgatherdd zmm0 {k1}, dword ptr [rax + 4*zmm1]",
            "vpmovmskb eax, ymm0",
            "vptestmd k1, zmm0, zmm0",
            "vpcmpeqd k1, zmm0, zmm1",
            "kmovw eax, k1",
            "kortestw k1, k1",
            "fcmp d0, d1",
        ] {
            assert_eq!(faults(bad), 1, "{bad}");
        }
        let good = ["vmovq rax, xmm0", "kmovw k1, eax", "vpaddd zmm0, zmm1, zmm2", "cmp rax, rdi"];
        for good in good {
            assert_eq!(faults(good), 0, "{good}");
        }
    }
}
