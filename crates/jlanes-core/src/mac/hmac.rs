//! HMAC (RFC 2104) of many messages at once, under one key or one key per message.

use digest::array::Array as ByteArray;

use crate::{
    batch::Start,
    engine::Engine,
    hash::{Output, WordOf},
    jobs::{
        BatchFunction, Jobs as _,
        list::source::{MessageSource, filling},
    },
};

/// The tags of `out.len()` messages under one key; message `i` is `prefix || message(i)`.
#[inline]
pub fn digest<'a, H: BatchFunction, E: Engine<H::Compression>>(
    engine: E,
    key: &[u8],
    prefix: &'a [u8],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    let fill = filling(|i| [message(i)]);
    let messages = MessageSource::filled(out.len(), 1, &fill);
    let out = ByteArray::slice_as_flattened_mut(out);
    WordOf::<H>::hmac(&Start::<H>::new().on(engine), key, prefix, &messages, out);
}

/// The tags under one key per message: `out[i]` is the tag of `prefix || message(i)` under
/// `key(i)`.
#[inline]
pub fn digest_keyed<'a, H: BatchFunction, E: Engine<H::Compression>>(
    engine: E,
    key: impl Fn(usize) -> &'a [u8],
    prefix: &'a [u8],
    message: impl Fn(usize) -> &'a [u8],
    out: &mut [Output<H>],
) {
    let (fill_key, fill) = (filling(|i| [key(i)]), filling(|i| [message(i)]));
    let keys = MessageSource::filled(out.len(), 1, &fill_key);
    let messages = MessageSource::filled(out.len(), 1, &fill);
    let out = ByteArray::slice_as_flattened_mut(out);
    WordOf::<H>::hmac_keyed(&Start::<H>::new().on(engine), &keys, prefix, &messages, out);
}
