//! Uses jlanes as a program without an operating system does: no `std`, no allocator, no features.
#![no_std]
#![forbid(unsafe_code)]

use core::{hint, panic::PanicInfo};

use jlanes::{Backend, Digest, Sha256, digest::Output, multi::Lanes};

/// The digest of one message that arrives in pieces.
#[must_use]
pub fn one(pieces: &[&[u8]]) -> Output<Sha256> {
    pieces.iter().fold(Sha256::new(), Digest::chain_update).finalize()
}

/// The digests of many messages: of equal lengths, in the caller's memory, and of any lengths.
pub fn many(messages: &[&[u8]], digests: &mut [Output<Sha256>]) {
    Lanes::<Sha256>::new().on(Backend::portable()).digest(messages, digests);
    Lanes::<Sha256>::new().prefix(b"prefix").digest(messages, digests);
    Lanes::<Sha256>::new().digest(messages, digests);
}

/// Digests of pairs, of digests, and of digests' digests.
pub fn again(messages: &[&[u8]], digests: &mut [Output<Sha256>]) {
    Lanes::<Sha256>::new().pairs(messages, messages, digests);
    Lanes::<Sha256>::new().double(messages, digests);
    Lanes::<Sha256>::new().chains(digests, 100);
}

/// MACs under one key and under a key each, and keys from passwords.
pub fn keyed(keys: &[&[u8]], messages: &[&[u8]], tags: &mut [Output<Sha256>], out: &mut [u8]) {
    Lanes::<Sha256>::new().hmac(b"key", messages, tags);
    Lanes::<Sha256>::new().hmac_keyed(keys, messages, tags);
    Lanes::<Sha256>::new().pbkdf2(&[b"password"], &[b"salt"], 1000, &mut [out]);
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        hint::spin_loop();
    }
}
