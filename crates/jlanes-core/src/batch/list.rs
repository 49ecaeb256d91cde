//! Messages in memory, of a hash function and a start that are types.

use digest::array::Array as ByteArray;

use super::start::Start;
use crate::{
    engine::Engine,
    hash::{Output, WordOf},
    jobs::{
        BatchFunction, Jobs as _,
        list::source::{MessageSource, filling},
    },
};

/// Hashes `out.len()` messages; message `i` is the concatenation of `message(i)`.
#[inline]
pub fn digest<'a, H: BatchFunction, E: Engine<H::Compression>, const P: usize>(
    engine: E,
    start: &Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P],
    out: &mut [Output<H>],
) {
    // one message needs no lists
    if let ([out], true) = (&mut *out, P == 1) {
        *out = start.digest_one(engine, message(0)[0]);
        return;
    }
    let (mut hashing, fill) = (start.on(engine), filling(message));
    let messages = MessageSource::filled(out.len(), P, &fill);
    WordOf::<H>::digest(&hashing, &messages, ByteArray::slice_as_flattened_mut(out));
    hashing.wipe();
}

/// [`digest()`] of slices, without a call for each message.
///
/// # Panics
/// If `messages` and `out` differ in length.
#[inline]
pub fn slices<H: BatchFunction, E: Engine<H::Compression>>(
    engine: E,
    start: &Start<H>,
    messages: &[&[u8]],
    out: &mut [Output<H>],
) {
    assert_eq!(messages.len(), out.len(), "as many digests as messages");
    let mut hashing = start.on(engine);
    let messages = MessageSource::slices(messages);
    WordOf::<H>::digest(&hashing, &messages, ByteArray::slice_as_flattened_mut(out));
    hashing.wipe();
}

/// Hashes contiguous records of `width` bytes.
///
/// # Panics
/// If there are not as many bytes as `out` has records.
#[inline]
pub fn records<H: BatchFunction, E: Engine<H::Compression>>(
    engine: E,
    start: &Start<H>,
    (records, width): (&[u8], usize),
    out: &mut [Output<H>],
) {
    assert_eq!(records.len(), width * out.len(), "as many digests as records");
    let messages = MessageSource::records(out.len(), records, width);
    let mut hashing = start.on(engine);
    WordOf::<H>::digest(&hashing, &messages, ByteArray::slice_as_flattened_mut(out));
    hashing.wipe();
}

/// [`digest()`] of messages with a common prefix; its whole blocks are hashed once.
#[inline]
pub fn digest_prefixed<'a, H: BatchFunction, E: Engine<H::Compression>, const P: usize>(
    engine: E,
    prefix: &[u8],
    message: impl Fn(usize) -> [&'a [u8]; P],
    out: &mut [Output<H>],
) {
    if let ([out], true) = (&mut *out, P == 1 && prefix.is_empty()) {
        *out = Start::<H>::new().digest_one(engine, message(0)[0]);
        return;
    }
    let (hashing, fill) = (Start::<H>::new().on(engine), filling(message));
    let messages = MessageSource::filled(out.len(), P, &fill);
    let out = ByteArray::slice_as_flattened_mut(out);
    WordOf::<H>::digest_prefixed(&hashing, prefix, &messages, out);
}

/// [`digest_prefixed`] of messages that are slices already, which saves a call for some of them.
#[inline]
pub fn slices_prefixed<H: BatchFunction, E: Engine<H::Compression>>(
    engine: E,
    prefix: &[u8],
    messages: &[&[u8]],
    out: &mut [Output<H>],
) {
    if let ([out], [message], []) = (&mut *out, messages, prefix) {
        *out = Start::<H>::new().digest_one(engine, message);
        return;
    }
    let (hashing, messages) = (Start::<H>::new().on(engine), MessageSource::slices(messages));
    let out = ByteArray::slice_as_flattened_mut(out);
    WordOf::<H>::digest_prefixed(&hashing, prefix, &messages, out);
}

/// [`records`] behind a prefix.
///
/// # Panics
/// As [`records`].
#[inline]
pub fn records_prefixed<H: BatchFunction, E: Engine<H::Compression>>(
    engine: E,
    prefix: &[u8],
    (records, width): (&[u8], usize),
    out: &mut [Output<H>],
) {
    assert_eq!(records.len(), width * out.len(), "as many digests as records");
    if let ([out], []) = (&mut *out, prefix) {
        *out = Start::<H>::new().digest_one(engine, records);
        return;
    }
    let hashing = Start::<H>::new().on(engine);
    let messages = MessageSource::records(out.len(), records, width);
    let out = ByteArray::slice_as_flattened_mut(out);
    WordOf::<H>::digest_prefixed(&hashing, prefix, &messages, out);
}
