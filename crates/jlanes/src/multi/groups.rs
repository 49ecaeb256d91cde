//! Messages and outputs as lists of slices. Without memory for a list of all of them, a few are hashed at a time.

use core::array;

use jlanes_core::memory::try_collect;

use super::Messages;

/// Messages in a list on the stack, where memory for a longer one is missing: enough to fill the lanes.
const GROUP_MESSAGES: usize = 64;

/// Calls `each` with messages as slices, and with room for their digests of `size` bytes.
pub(crate) fn in_slices<'a>(
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
    for (first, out) in (0..).step_by(GROUP_MESSAGES).zip(out.chunks_mut(GROUP_MESSAGES * size)) {
        let count = out.len() / size;
        let group: [&[u8]; GROUP_MESSAGES] =
            array::from_fn(|i| if i < count { messages.get(first + i) } else { &[] });
        each(&group[..count], out);
    }
}

/// Calls `each` with the outputs in `out`, of `width` bytes each, and the number of outputs before.
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub(crate) fn in_outputs(
    out: &mut [u8],
    width: usize,
    each: &mut dyn FnMut(usize, &mut [&mut [u8]]),
) {
    match try_collect(out.chunks_mut(width)) {
        Some(mut outputs) => each(0, &mut outputs),
        None => in_groups(out, width, each),
    }
}

/// [`in_outputs`] without memory for a list: `each` is called with a few outputs at a time.
pub(crate) fn in_groups(
    out: &mut [u8],
    width: usize,
    each: &mut dyn FnMut(usize, &mut [&mut [u8]]),
) {
    for (first, out) in (0..).step_by(GROUP_MESSAGES).zip(out.chunks_mut(GROUP_MESSAGES * width)) {
        let mut outputs = out.chunks_mut(width);
        let count = outputs.len();
        let mut group: [&mut [u8]; GROUP_MESSAGES] =
            array::from_fn(|_| outputs.next().unwrap_or_default());
        each(first, &mut group[..count]);
    }
}
