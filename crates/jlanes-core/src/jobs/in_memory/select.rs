//! Selects the messages that run together, by their number, their pieces and their lengths.
//!
//! ```text
//! one message, hashed once               without lanes; short pieces are copied together
//! up to a lane each, looked up singly    looked up first, then one of the others
//! whole, of equal lengths                in groups that fill all lanes
//! in pieces, short                       copied together in groups, up to one with other lengths; then:
//!   of equal lengths                     the same; long ones in place, except blocks that span pieces
//! of any lengths                         up to a lane of the kernels each: in lanes that are refilled
//!                                        up to a lane of the widest vectors each: the same, longest first
//!                                        more: sorted; equal numbers of blocks in groups, the rest refilled
//! ```

use core::array;
#[cfg(feature = "alloc")]
use core::iter::repeat_n;

#[cfg(feature = "alloc")]
use super::sort::{SizeClass, Sorted};
use super::{
    batch::{Batch, EachChunk, MAX_PIECES, copy_pieces},
    equal_blocks::EqualBlocks,
};
use crate::{
    compression::MAX_LANES,
    hash::absorb_one,
    jobs::hashing::Hashing,
    longest::longest_first,
    simd::{vector::Word, words::write_words},
    wipe,
};
#[cfg(feature = "alloc")]
use crate::{memory::try_collect, simd::copy::copy};

/// The maximum length of messages in several pieces that are copied together.
pub(super) const MAX_SHORT_BYTES: usize = 256;

/// The maximum number of messages per call of the kernels.
const MESSAGES_PER_CALL: usize = 256;

/// The maximum number of messages that are copied together for one call of the kernels.
const PACKED_MESSAGES: usize = 64;

/// The maximum number of bytes that are copied together: a [`MAX_SHORT_BYTES`] message per lane.
pub(super) const PACKED_BYTES: usize = MAX_LANES * MAX_SHORT_BYTES;

impl<W: Word> Hashing<'_, W> {
    /// Hashes messages; `out` has exactly their digests.
    pub(crate) fn digest(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        let once = self.outer.is_none();
        match (messages.len(), messages.pieces()) {
            _ if out.is_empty() => {}
            (1, 1) if once => self.digest_one(messages.message_of_index(0), out),
            (1, _) if once => {
                let pieces = messages.pieces_of_index(0);
                if pieces.iter().map(|piece| piece.len()).sum::<usize>() > MAX_SHORT_BYTES {
                    return self.digest_scattered(messages, out);
                }
                let mut room = [0; MAX_SHORT_BYTES];
                let len = copy_pieces(&pieces, &mut room);
                self.digest_one(&room[..len], out);
                wipe::bytes(&mut room);
            }
            (count @ ..=MAX_LANES, 1) if messages.are_scattered() => {
                let mut slices = [&[] as &[u8]; MAX_LANES];
                messages.fill_own_pieces(&mut slices[..count]);
                self.digest(&Batch::slices(&slices[..count]), out);
            }
            (_, 1) if !messages.are_scattered() => match messages.equal_own_len() {
                Some(len) => self.digest_equal_lengths(len, messages, out),
                None => self.digest_any_lengths(messages, out),
            },
            _ => self.digest_scattered(messages, out),
        }
    }

    /// Hashes messages that have to be looked up, or are in several pieces.
    fn digest_scattered(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        let rest_after = |done: usize| messages.part_renumbered(done..messages.len());
        let done = self.digest_halves(messages, out);
        if done > 0 {
            // a single message, if one is left, takes less time there
            return self.digest(&rest_after(done), &mut out[done * self.digest_bytes..]);
        }
        let done = self.digest_first_alike(messages, out);
        if done == messages.len() {
            return;
        }
        let (rest, out) = (&rest_after(done), &mut out[done * self.digest_bytes..]);
        match rest.equal_piece_lens() {
            None => self.digest_any_lengths(rest, out),
            Some(lens) => match lens.iter().sum() {
                len if len <= MAX_SHORT_BYTES || rest.pieces() == 1 => {
                    self.digest_equal_lengths(len, rest, out);
                }
                _ => self.digest_long_pieces(rest, &lens, out),
            },
        }
    }

    /// Hashes messages up to the first with pieces of other lengths, in whole calls of the kernels, unless they are
    /// long and in several pieces. Returns their number. The lengths are compared when the pieces are looked up:
    /// another pass over them takes a tenth of the time of a node.
    fn digest_first_alike(&self, messages: &Batch<'_, '_>, out: &mut [u8]) -> usize {
        let lens =
            messages.pieces_of_index(messages.indices().next().unwrap_or(0)).map(<[u8]>::len);
        let (len, size) = (lens.iter().sum(), self.digest_bytes);
        if len > MAX_SHORT_BYTES && messages.pieces() > 1 {
            return 0;
        }
        let mut computed = None;
        let lengths = (len, messages.len());
        let equal = EqualBlocks::of_length(self.hash, self.before, lengths, &mut computed);
        self.for_each_call(messages, len, Some(&lens), &mut |at, runs| {
            self.digest_group(runs, &equal, &mut out[at.start * size..at.end * size]);
        })
    }

    /// [`digest`](Self::digest) of messages that share a prefix.
    pub(crate) fn digest_prefixed(&self, prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]) {
        if prefix.is_empty() {
            return self.digest(messages, out);
        }
        let (mut start, rest) = self.after(prefix);
        start.digest(&messages.prefixed_by(&[rest]), out);
        start.wipe();
    }

    /// Hashes one message once.
    pub(crate) fn digest_one(&self, message: &[u8], out: &mut [u8]) {
        let Self { kernels, hash, .. } = self;
        let mut start = self.start;
        let state = &mut start.as_mut()[..hash.shape.state_words];
        absorb_one(kernels, hash, state, message, self.before);
        if hash.has_output_transform {
            (hash.output)(state, out);
        } else {
            write_words(hash.shape.order, state, out);
        }
        wipe::words(state);
    }

    /// Hashes messages of `len` bytes, short ones if they are in several pieces.
    fn digest_equal_lengths(&self, len: usize, messages: &Batch<'_, '_>, out: &mut [u8]) {
        let mut computed = None;
        let lengths = (len, messages.len());
        let equal = EqualBlocks::of_length(self.hash, self.before, lengths, &mut computed);
        self.digest_groups(messages, len, &equal, out);
    }

    /// Hashes messages with equal numbers of blocks; messages in several pieces have at most `len`
    /// bytes.
    fn digest_groups(
        &self,
        messages: &Batch<'_, '_>,
        len: usize,
        equal: &EqualBlocks<'_, W>,
        out: &mut [u8],
    ) {
        let size = self.digest_bytes;
        self.for_each_call(messages, len, None, &mut |at, runs| {
            self.digest_group(runs, equal, &mut out[at.start * size..at.end * size]);
        });
    }

    /// Passes messages to `each`, as many at a time as one call of the kernels takes. Messages in
    /// several pieces have at most `len` bytes. With `lens`, it stops before the call with a message that
    /// has pieces of other lengths. Returns the number of messages passed to `each`.
    fn for_each_call(
        &self,
        messages: &Batch<'_, '_>,
        len: usize,
        lens: Option<&[usize; MAX_PIECES]>,
        each: &mut EachChunk<'_>,
    ) -> usize {
        if messages.pieces() > 1 {
            return self.for_each_packed(messages, len, lens, each);
        }
        let len = lens.map(|lens| lens[0]);
        if let (Some(slices), None) = (messages.as_slices(), len) {
            each(0..slices.len(), slices);
            return slices.len();
        }
        // clearing a long list takes as long as hashing a few messages
        match messages.len() {
            0..=4 => messages.for_each_chunk::<4>(len, each),
            5..=16 => messages.for_each_chunk::<16>(len, each),
            17..=64 => messages.for_each_chunk::<64>(len, each),
            _ => messages.for_each_chunk::<MESSAGES_PER_CALL>(len, each),
        }
    }

    /// [`for_each_call`](Self::for_each_call) of messages that are copied together. Shorter messages allow
    /// more of them, but at least full lanes.
    fn for_each_packed(
        &self,
        messages: &Batch<'_, '_>,
        len: usize,
        lens: Option<&[usize; MAX_PIECES]>,
        each: &mut EachChunk<'_>,
    ) -> usize {
        let lanes = self.hash.shape.max_lanes;
        let most = (PACKED_BYTES / len.max(1)).min(PACKED_MESSAGES) / lanes * lanes;
        let count = most.min(messages.len());
        // little more space than needed, because it is cleared
        let pack_in = match (count, len * count) {
            (..=4, ..=512) => for_each_packed_in::<4, 512>,
            (..=16, ..=2048) => for_each_packed_in::<16, 2048>,
            (_, ..=4096) => for_each_packed_in::<PACKED_MESSAGES, 4096>,
            _ => for_each_packed_in::<PACKED_MESSAGES, PACKED_BYTES>,
        };
        pack_in(messages, most, lens, each)
    }

    /// Hashes messages of any lengths.
    fn digest_any_lengths(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        if messages.len() <= self.kernels.lanes_to_fill() {
            return self.digest_in_order(messages, out);
        }
        if messages.len() <= self.hash.shape.max_lanes {
            return self.digest_few(messages, out);
        }
        #[cfg(feature = "alloc")]
        self.digest_sorted(messages, out);
        #[cfg(not(feature = "alloc"))]
        self.digest_in_order(messages, out);
    }

    /// [`digest_any_lengths`](Self::digest_any_lengths) for no more messages than the widest vectors have lanes,
    /// longest first. Without allocations: PBKDF2 has as many salts, and promises none.
    fn digest_few(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        let (size, count) = (self.digest_bytes, messages.len());
        let mut lens = [(0, false); MAX_LANES];
        let lens = &mut lens[..count];
        messages.fill_lens(lens);
        let longest = lens.iter().map(|(len, _)| *len).max().unwrap_or(0);
        if messages.pieces() > 1 && longest <= MAX_SHORT_BYTES {
            self.for_each_packed(messages, longest, None, &mut |at, runs| {
                self.digest_few(&Batch::slices(runs), &mut out[at.start * size..at.end * size]);
            });
            return;
        }
        let mut blocks = [0; MAX_LANES];
        for (blocks, (len, _)) in blocks.iter_mut().zip(&*lens) {
            *blocks = self.hash.blocks(*len);
        }
        let equal = blocks[..count].iter().all(|other| *other == blocks[0]);
        if messages.pieces() == 1 && equal {
            return self.digest_groups(messages, longest, &EqualBlocks::of_blocks(blocks[0]), out);
        }
        let mut indices: [usize; MAX_LANES] = array::from_fn(|i| i);
        let indices = &mut indices[..count];
        longest_first(indices, &blocks.map(|blocks| blocks as u64));
        self.digest_in_order(&messages.with_indices(indices), out);
    }

    /// [`digest_any_lengths`](Self::digest_any_lengths) for more messages than lanes, in their order if there is
    /// no memory to sort them.
    #[cfg(feature = "alloc")]
    fn digest_sorted(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        let (size, lanes) = (self.digest_bytes, self.hash.shape.max_lanes);
        let Some(Sorted { mut indices, classes }) = self.sort_by_blocks(messages) else {
            return self.digest_in_order(messages, out);
        };
        if let Some(blocks) = classes.common_blocks() {
            return self.digest_groups(
                messages,
                MAX_SHORT_BYTES,
                &EqualBlocks::of_blocks(blocks),
                out,
            );
        }
        let Some(mut digests) =
            try_collect(repeat_n(0, MESSAGES_PER_CALL.min(messages.len()) * size))
        else {
            return self.digest_in_order(messages, out);
        };
        // messages that are left over move to the front of `indices`, which is no longer needed
        let mut left_over = 0;
        for SizeClass { blocks, places } in classes.iter() {
            let full = match blocks {
                // leave partial groups to refill, if it supports them
                Some(_) if messages.pieces() == 1 && !self.hash.has_output_transform => {
                    places.len() / lanes * lanes
                }
                Some(_) => places.len(),
                None => 0,
            };
            let rest = places.start + full..places.end;
            if let Some(blocks) = blocks {
                let full = &indices[places.start..rest.start];
                let equal = EqualBlocks::of_blocks(blocks);
                let own = messages.with_indices(full);
                self.for_each_call(&own, MAX_SHORT_BYTES, None, &mut |at, runs| {
                    let digests = &mut digests[..runs.len() * size];
                    self.digest_group(runs, &equal, digests);
                    for (i, digest) in full[at].iter().zip(digests.chunks_exact(size)) {
                        copy(&mut out[i * size..][..size], digest);
                    }
                });
            }
            indices.copy_within(rest.clone(), left_over);
            left_over += rest.len();
        }
        wipe::bytes(&mut digests);
        if left_over > 0 {
            self.digest_in_order(&messages.with_indices(&indices[..left_over]), out);
        }
    }

    /// The order in which messages take the lanes, if there is memory to sort them.
    #[cfg(feature = "alloc")]
    fn sort_by_blocks(&self, messages: &Batch<'_, '_>) -> Option<Sorted> {
        Sorted::new(messages.len(), &|first, sizes| {
            messages.part_keeping_indices(first..first + sizes.len()).fill_lens(sizes);
            let whole = messages.pieces() == 1;
            for (len, together) in sizes {
                *together = whole || *len <= MAX_SHORT_BYTES;
                *len = self.hash.blocks(*len);
            }
        })
    }

    /// Hashes messages of any lengths in the given order.
    pub(super) fn digest_in_order(&self, messages: &Batch<'_, '_>, out: &mut [u8]) {
        if messages.pieces() > 1 || self.hash.has_output_transform {
            self.refill_pieces(messages, out);
        } else {
            self.refill(messages, None, out);
        }
        if let Some(outer) = self.outer {
            self.hash_digests(outer, messages, out);
        }
    }

    /// Hashes messages in one piece, each with its own start, the first words of one of `starts`.
    /// For functions with a digest that is the first words of the state.
    pub(crate) fn digest_from_each(
        &self,
        messages: &Batch<'_, '_>,
        starts: &[W::State],
        out: &mut [u8],
    ) {
        #[cfg(feature = "alloc")]
        if messages.len() > self.kernels.lanes_to_fill()
            && let Some(order) = self.sort_by_blocks(messages)
        {
            return self.refill(&messages.with_indices(&order.indices), Some(starts), out);
        }
        self.refill(messages, Some(starts), out);
    }
}

/// Copies up to `most` messages at a time together into `S` bytes, for lists of `N`. See
/// [`Hashing::for_each_packed`].
#[inline(never)] // keeps its arrays off the caller's stack
fn for_each_packed_in<const N: usize, const S: usize>(
    messages: &Batch<'_, '_>,
    most: usize,
    lens: Option<&[usize; MAX_PIECES]>,
    each: &mut EachChunk<'_>,
) -> usize {
    let mut room = [0; S];
    let mut done = 0;
    while done < messages.len() {
        let range = done..messages.len().min(done + most);
        let mut runs = [&[] as &[u8]; N];
        let runs = &mut runs[..range.len()];
        let part = messages.part_keeping_indices(range.clone());
        match lens {
            None => part.pack(&mut room, runs),
            Some(lens) if part.pack_if_lens(lens, &mut room, runs) => {}
            Some(_) => break,
        }
        done = range.end;
        each(range, runs);
    }
    wipe::bytes(&mut room);
    done
}
