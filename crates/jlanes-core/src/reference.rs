//! FIPS 180-4 word for word: an oracle for tests, slow on purpose.
//!
//! The standard's formulas in the standard's order and names, for whole messages of bytes. Nothing
//! is shared with the code that ships, neither a round nor a constant (those are computed from
//! their definition), so a mistake would have to be made twice to stay unseen. SHA-256 and SHA-512
//! are written out separately as in the standard, where a generic text would ask for more trust.
//! Section numbers in here are those of FIPS 180-4 (August 2015).
//!
//! ```
//! use jlanes_core::reference;
//!
//! assert_eq!(reference::sha256(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```

pub mod constants;
mod padding;
mod sha1;
mod sha256;
mod sha512;
#[cfg(feature = "alloc")]
pub mod skein;

pub use sha1::sha1;
pub use sha256::{sha224, sha256};
pub use sha512::{initial_value_of, sha384, sha512, sha512_224, sha512_256};
