//! What a core's ports allow: cycles a byte that no kernel on 512-bit vectors goes below.
//!
//! Only operations are counted, and that each can start as soon as a port is free. On Zen 5, where an
//! operation takes two cycles and a round is a chain of them, no kernel of one register comes near.

use crate::cpu::Cpu;

/// A kernel on all lanes of 512-bit vectors.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Vector operations of a block in every lane, without loads and stores.
    operations: f64,
    /// Bytes of these blocks.
    bytes: f64,
}

/// SHA-256 on 16 lanes with contiguous words.
pub const SHA256: Kernel = Kernel { operations: 1640.0, bytes: 1024.0 };
/// SHA-256 of 16 separate buffers: 64 shuffles more, which transpose them.
pub const SHA256_BUFFERS: Kernel = Kernel { operations: 1704.0, bytes: 1024.0 };
/// SHA-512 on 8 lanes.
pub const SHA512: Kernel = Kernel { operations: 2136.0, bytes: 1024.0 };
/// Threefish-512 on 8 lanes.
pub const THREEFISH512: Kernel = Kernel { operations: 1103.0, bytes: 512.0 };

impl Kernel {
    /// Cycles a byte on this CPU, if it is known how many operations it starts in a cycle: Intel's
    /// cores two, Zen 4 one in each of two 256-bit pipes, which takes two cycles there, and Zen 5
    /// four.
    #[must_use]
    pub fn limit(self) -> Option<f64> {
        let per_cycle = match Cpu::this() {
            Cpu::Avx512Sha | Cpu::Zen4 => 2.0,
            Cpu::Zen5 => 4.0,
            Cpu::Other => return None,
        };
        Some(self.operations / per_cycle / self.bytes)
    }
}
