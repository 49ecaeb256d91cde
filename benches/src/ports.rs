//! What a core's ports allow: cycles a byte that no kernel on 512-bit vectors goes below.
//!
//! A core that starts two 512-bit operations a cycle, one of them a rotation or a shift at most,
//! needs half a cycle for every operation of a block, and a block of all lanes has so many bytes.
//! Intel's cores with two 512-bit ports do so, and AMD's Zen 4, which takes each 512-bit operation
//! through a 256-bit pipe twice.

/// SHA-256 on 16 lanes whose words lie side by side: 1624 vector operations a block of 16 x 64 bytes.
pub const SHA256: f64 = 0.801;
/// SHA-256 of 16 separate buffers: 64 shuffles more, which transpose them.
pub const SHA256_BUFFERS: f64 = 0.832;
/// SHA-512 on 8 lanes.
pub const SHA512: f64 = 1.043;
/// Threefish-512 on 8 lanes.
pub const THREEFISH512: f64 = 1.077;
