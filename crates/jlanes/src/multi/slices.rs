//! Messages and outputs as lists of slices. Without memory for a list of all of them, a few are hashed at a time.

use core::array;

use jlanes_core::memory::try_collect;

use super::Messages;

/// Messages in a list on the stack, where memory for a longer one is missing: enough to fill the lanes.
const CHUNK_MESSAGES: usize = 64;

/// Calls `each` with messages as slices, and with room for their digests of `size` bytes.
pub(crate) fn with_message_slices<'a>(
    messages: Messages<'a>,
    (out, size): (&mut [u8], usize),
    mut each: impl FnMut(&[&'a [u8]], &mut [u8]),
) {
    if let Some(slices) = messages.as_slices() {
        return each(slices, out);
    }
    if let Some(slices) = try_collect((0..messages.len()).map(|i| messages.get(i))) {
        return each(&slices, out);
    }
    for (first, out) in (0..).step_by(CHUNK_MESSAGES).zip(out.chunks_mut(CHUNK_MESSAGES * size)) {
        let count = out.len() / size;
        let chunk: [&[u8]; CHUNK_MESSAGES] =
            array::from_fn(|i| if i < count { messages.get(first + i) } else { &[] });
        each(&chunk[..count], out);
    }
}

/// Calls `each` with the outputs in `out`, of `width` bytes each, and the number of outputs before.
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub(crate) fn with_output_slices(
    out: &mut [u8],
    width: usize,
    each: &mut dyn FnMut(usize, &mut [&mut [u8]]),
) {
    match try_collect(out.chunks_mut(width)) {
        Some(mut outputs) => each(0, &mut outputs),
        None => with_output_chunks(out, width, each),
    }
}

/// [`with_output_slices`] without memory for a list: `each` is called with a few outputs at a time.
pub(crate) fn with_output_chunks(
    out: &mut [u8],
    width: usize,
    each: &mut dyn FnMut(usize, &mut [&mut [u8]]),
) {
    for (first, out) in (0..).step_by(CHUNK_MESSAGES).zip(out.chunks_mut(CHUNK_MESSAGES * width)) {
        let mut outputs = out.chunks_mut(width);
        let count = outputs.len();
        let mut chunk: [&mut [u8]; CHUNK_MESSAGES] =
            array::from_fn(|_| outputs.next().unwrap_or_default());
        each(first, &mut chunk[..count]);
    }
}
