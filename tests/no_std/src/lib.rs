//! Uses jlanes as a program without operating system does: no `std`, no allocator, no features.
#![no_std]
#![forbid(unsafe_code)]

use core::{hint, panic::PanicInfo};

use jlanes::{Backend, Digest, Sha256, digest::Output, multi};

/// The digest of one message that arrives in pieces.
#[must_use]
pub fn one(pieces: &[&[u8]]) -> Output<Sha256> {
    pieces.iter().fold(Sha256::new(), Digest::chain_update).finalize()
}

/// The digests of many messages: of equal lengths, which are the caller's, and of any lengths.
pub fn many(messages: &[&[u8]], digests: &mut [Output<Sha256>]) {
    multi::digest_many_with::<Sha256>(Backend::portable(), messages, digests);
    multi::digest_many_prefixed::<Sha256>(b"prefix", messages, digests);
    multi::digest_many::<Sha256>(messages, digests);
}

/// Digests of pairs, of digests, and of digests' digests.
pub fn again(messages: &[&[u8]], digests: &mut [Output<Sha256>]) {
    multi::digest_pairs::<Sha256>(messages, messages, digests);
    multi::double_digest_many::<Sha256>(messages, digests);
    multi::digest_chains::<Sha256>(digests, 100);
}

/// MACs under one key and under a key each, and keys from passwords.
pub fn keyed(keys: &[&[u8]], messages: &[&[u8]], tags: &mut [Output<Sha256>], out: &mut [u8]) {
    multi::hmac_many::<Sha256>(b"key", messages, tags);
    multi::hmac_many_keyed::<Sha256>(keys, messages, tags);
    multi::pbkdf2_many::<Sha256>(&[b"password"], &[b"salt"], 1000, &mut [out]);
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        hint::spin_loop();
    }
}
