//! The class of this CPU, by which limits and targets differ.

use jlanes::Backend;

/// Classes of CPUs that records or targets speak of, as the policy's table names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// Intel's from Ice Lake to Granite Rapids: two 512-bit ports.
    Avx512Sha,
    /// AMD's Zen 4: each 512-bit operation goes through a 256-bit pipe twice.
    Zen4,
    /// AMD's Zen 5: four 512-bit pipes.
    Zen5,
    /// Any other.
    Other,
}

impl Cpu {
    /// This machine's.
    #[must_use]
    pub fn this() -> Self {
        match Backend::detect().class() {
            "Avx512Sha" => Self::Avx512Sha,
            "Zen4" => Self::Zen4,
            "Zen5" => Self::Zen5,
            _ => Self::Other,
        }
    }
}

/// What we mean to reach on this CPU, of what we mean to reach on Intel's, Zen 4 and Zen 5; nothing
/// on CPUs that we do not know.
#[must_use]
pub fn target(avx512_sha: f64, zen4: f64, zen5: f64) -> Option<f64> {
    match Cpu::this() {
        Cpu::Avx512Sha => Some(avx512_sha),
        Cpu::Zen4 => Some(zen4),
        Cpu::Zen5 => Some(zen5),
        Cpu::Other => None,
    }
}
