//! The standards word for word: a test oracle, slow on purpose.
//!
//! Each file has a standard's formulas in its order and with its names, for whole messages of
//! bytes. It shares nothing with the shipped code, neither a round nor a constant (constants with a
//! definition are computed from it), so a mistake would have to be made twice to go unnoticed.
//! SHA-256 and SHA-512 are written out separately as in the standard, because a generic version
//! would be harder to trust. Section numbers in a file refer to the standard that it names,
//! otherwise to FIPS 180-4 (August 2015).
//!
//! ```
//! assert_eq!(jlanes_reference::sha256(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```

extern crate alloc;

mod blake2;
pub mod constants;
mod kangaroo;
mod keccak;
mod md5;
mod padding;
mod ripemd160;
mod sha1;
mod sha256;
mod sha3;
mod sha512;
pub mod skein;
mod sm3;
mod sp800_185;

pub use blake2::{Blake2, blake2b, blake2b_compress, blake2s, blake2s_compress};
pub use kangaroo::{kt128, kt256, turboshake128, turboshake256};
pub use keccak::{keccak_f1600, keccak_p1600};
pub use md5::md5;
pub use ripemd160::ripemd160;
pub use sha1::sha1;
pub use sha3::{
    keccak224, keccak256, keccak256full, keccak384, keccak512, sha3_224, sha3_256, sha3_384,
    sha3_512, shake128, shake256,
};
pub use sha256::{sha224, sha256};
pub use sha512::{initial_value_of, sha384, sha512, sha512_224, sha512_256};
pub use sm3::sm3;
pub use sp800_185::{
    cshake128, cshake256, kmac128, kmac256, kmacxof128, kmacxof256, parallelhash128,
    parallelhash256, parallelhashxof128, parallelhashxof256, tuplehash128, tuplehash256,
    tuplehashxof128, tuplehashxof256,
};
