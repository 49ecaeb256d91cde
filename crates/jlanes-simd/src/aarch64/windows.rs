//! Detection of AArch64's features on Windows, which the crate cpufeatures does not support, with its interface.

#[link(name = "kernel32")]
unsafe extern "system" {
    /// Whether the CPU has a feature; 0 for features that this version of Windows does not know.
    safe fn IsProcessorFeaturePresent(feature: u32) -> i32;
}

/// `PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE`: AES, SHA-1 and SHA-256.
const CRYPTO_FEATURE: u32 = 30;
/// `PF_ARM_SHA3_INSTRUCTIONS_AVAILABLE`
const SHA3: u32 = 64;
/// `PF_ARM_SHA512_INSTRUCTIONS_AVAILABLE`
const SHA512: u32 = 65;

fn has(feature: u32) -> bool {
    IsProcessorFeaturePresent(feature) != 0
}

pub(super) mod cpu_sha2 {
    pub(in super::super) fn get() -> bool {
        super::has(super::CRYPTO_FEATURE)
    }
}

pub(super) mod cpu_sha3 {
    pub(in super::super) fn get() -> bool {
        super::has(super::SHA3) && super::has(super::SHA512)
    }
}
