//! Secrets in dropped hashers: their memory holds no part of the message and no state.
//!
//! Values are fed and dropped in place, in memory that stays readable, which needs `unsafe` and so a
//! separate package. The test `heap` covers the heap. Not covered: registers, the stack, and copies
//! that a move leaves, even in a value's own padding, because no destructor can wipe these.

use std::{
    mem::{MaybeUninit, size_of},
    ops::Range,
    ptr,
};

use digest::{KeyInit, Update, common::hazmat::SerializableState};
use hmac::Hmac;
use jlanes::{
    Digest, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256,
    skein::{Skein256, Skein512, Skein512Mac, Skein1024},
};
use jlanes_testing::message;

/// Memory for one value.
struct Storage<T>(Box<MaybeUninit<T>>);

impl<T> Storage<T> {
    fn new(value: T) -> Self {
        let mut storage = Box::new(MaybeUninit::zeroed());
        storage.write(value);
        Self(storage)
    }

    fn value(&mut self) -> &mut T {
        // SAFETY: `new` wrote a value, and it is dropped last.
        unsafe { self.0.assume_init_mut() }
    }

    /// The bytes of the value, whatever they mean.
    fn bytes(&self) -> Vec<u8> {
        let first = self.0.as_ptr().cast::<u8>();
        (0..size_of::<T>())
            .map(|i| {
                // SAFETY: `i` is within the allocation, which outlives this. Padding may be among the
                // bytes: the read is volatile, so the compiler takes them as they are.
                unsafe { ptr::read_volatile(first.wrapping_add(i)) }
            })
            .collect()
    }

    fn drop_value(&mut self) {
        // SAFETY: `new` wrote a value, and this is called once.
        unsafe { ptr::drop_in_place(self.0.as_mut_ptr()) }
    }
}

/// Checks that the bytes that `feed` puts into `value` and returns are in memory before the drop, and
/// no part of them after it.
#[track_caller]
fn is_wiped<T>(value: T, feed: impl FnOnce(&mut T) -> Vec<Vec<u8>>) {
    let mut storage = Storage::new(value);
    let secrets = feed(storage.value());
    let holds = |bytes: &[u8], secret: &[u8]| bytes.windows(secret.len()).any(|w| w == secret);
    let before = storage.bytes();
    for secret in &secrets {
        assert!(holds(&before, secret), "not where it is looked for: {secret:x?}");
    }
    storage.drop_value();
    let after = storage.bytes();
    for piece in secrets.iter().flat_map(|secret| secret.chunks(8)) {
        assert!(!holds(&after, piece), "left in memory: {piece:x?}");
    }
}

/// Checks a hasher after a block and a half: its chaining value, in the bytes `chain` of a serialized
/// state, and the bytes that wait for more.
fn hasher<H: Digest + SerializableState>(block: usize, chain: Range<usize>) {
    let secret = message(7, block + block / 2);
    is_wiped(H::new(), |hasher| {
        Digest::update(hasher, &secret);
        vec![hasher.serialize()[chain].to_vec(), secret[block..].to_vec()]
    });
}

#[test]
fn hashers_of_sha() {
    hasher::<Sha1>(64, 0..20);
    hasher::<Sha224>(64, 0..32);
    hasher::<Sha256>(64, 0..32);
    hasher::<Sha384>(128, 0..64);
    hasher::<Sha512>(128, 0..64);
    hasher::<Sha512_224>(128, 0..64);
    hasher::<Sha512_256>(128, 0..64);
}

macro_rules! plain {
    (() $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        #[test]
        fn plain_hashers() {
            $(hasher::<jlanes::$hash>(64, 0..<jlanes::$hash as Digest>::output_size());)*
        }
    };
}
jlanes_testing::plain_hashes!(plain, ());

#[test]
fn hashers_of_skein() {
    hasher::<Skein256>(32, 16..48);
    hasher::<Skein512>(64, 16..80);
    hasher::<Skein1024>(128, 16..144);
}

/// Feeds `hasher` a message, of which it keeps the last `kept` bytes.
fn keeps<T: Update>(hasher: T, len: usize, kept: usize) {
    let text = message(9, len);
    is_wiped(hasher, |hasher| {
        hasher.update(&text);
        vec![text[len - kept..].to_vec()]
    });
}

#[test]
fn keyed_hashers() {
    let key = message(8, 48);
    keeps(<Skein512Mac>::new_from_slice(&key).expect("keys of any length"), 20, 20);
    keeps(Hmac::<Sha256>::new_from_slice(&key).expect("keys of any length"), 100, 36);
}
