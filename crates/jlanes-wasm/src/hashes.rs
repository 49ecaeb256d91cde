//! The hash functions of the package, by number.

use jlanes::{
    Backend, Blake3, Digest, Md5, Sha1, Sha256,
    digest::{DynDigest, Output, array::Array},
    multi::{BatchDigest, Lanes, Messages},
};

/// A hash function.
#[derive(Debug)]
pub struct Hash {
    /// Its name in JavaScript.
    pub name: &'static str,
    /// Bytes of a digest.
    pub size: usize,
    /// Writes the digest of a message.
    pub digest: fn(&[u8], &mut [u8]),
    /// Writes the digests of messages, one after the other.
    pub digest_many: fn(Messages<'_>, &mut [u8]),
    /// Starts a hasher.
    pub hasher: fn() -> Box<dyn DynDigest>,
}

impl Hash {
    const fn of<H>(name: &'static str, size: usize) -> Self
    where
        H: BatchDigest + Digest + DynDigest + Default + 'static,
    {
        Self {
            name,
            size,
            digest: |data, out| out.copy_from_slice(&H::digest(data)),
            digest_many: digest_many::<H>,
            hasher: || Box::new(H::default()),
        }
    }
}

/// All hash functions. A number in JavaScript is an index into this list.
pub static HASHES: [Hash; 4] = [
    Hash::of::<Sha256>("sha256", 32),
    Hash::of::<Blake3>("blake3", 32),
    Hash::of::<Sha1>("sha1", 20),
    Hash::of::<Md5>("md5", 16),
];

fn digest_many<H: BatchDigest>(messages: Messages<'_>, out: &mut [u8]) {
    let (out, rest): (&mut [Output<H>], _) = Array::slice_as_chunks_mut(out);
    assert!(rest.is_empty(), "whole digests");
    Lanes::<H>::new().digest_all(messages, out);
}

/// The name of the instruction set in use.
pub fn backend() -> &'static str {
    if Backend::available().any(|backend| backend.name() == "simd128") {
        "simd128"
    } else {
        "portable"
    }
}
