//! The class of this CPU, by which limits and targets differ.

use jlanes::Backend;

/// The target on this CPU, of those on Intel's from Ice Lake to Granite Rapids, Zen 4 and
/// Zen 5; nothing on CPUs that we do not know.
pub(crate) fn target(avx512_sha: f64, zen4: f64, zen5: f64) -> Option<f64> {
    match Backend::detect().class() {
        "Avx512Sha" => Some(avx512_sha),
        "Zen4" => Some(zen4),
        "Zen5" => Some(zen5),
        _ => None,
    }
}

/// A kernel on all lanes of 512-bit vectors, and the limit that a core's ports set to it. The model counts operations
/// alone, and each starts as soon as a port is free. On Zen 5, where an operation takes two cycles and a round is a
/// chain of them, no kernel of one register comes near.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortModel {
    /// Vector operations of a block in every lane, without loads and stores.
    operations: f64,
    /// Bytes of these blocks.
    bytes: f64,
}

impl PortModel {
    /// SHA-256 on 16 lanes with contiguous words.
    pub(crate) const SHA256: Self = Self { operations: 1640.0, bytes: 1024.0 };
    /// SHA-256 of 16 separate buffers: 64 shuffles more, which transpose them.
    pub(crate) const SHA256_BUFFERS: Self = Self { operations: 1704.0, bytes: 1024.0 };
    /// SHA-512 on 8 lanes.
    pub(crate) const SHA512: Self = Self { operations: 2136.0, bytes: 1024.0 };
    /// Threefish-512 on 8 lanes.
    pub(crate) const THREEFISH512: Self = Self { operations: 1103.0, bytes: 512.0 };

    /// Cycles a byte that it cannot go below on this CPU, if it is known how many operations it starts in a cycle:
    /// Intel's cores two, Zen 4 one in each of two 256-bit pipes, which takes two cycles there, and Zen 5 four.
    pub(crate) fn limit_cpb(self) -> Option<f64> {
        target(2.0, 2.0, 4.0).map(|per_cycle| self.operations / per_cycle / self.bytes)
    }
}
