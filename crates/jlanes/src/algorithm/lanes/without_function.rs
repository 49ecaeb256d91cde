//! Digests of many messages under algorithms without a [`Function`](jlanes_core::function::Function): trees, outputs
//! of any length, and parameters such as keys.
//!
//! The messages are split for threads, and each part takes the first way that its algorithm has: lanes, batches of
//! BLAKE3 or Keccak, or blocks of several files together. The last way is one message after the other.

use alloc::vec::Vec;
use core::mem;

#[cfg(feature = "sha3")]
use jlanes_core::{
    hashes::keccak::{
        cshake::Customizable,
        functions::{self, CShake128, CShake256},
        kmac::Kmac,
        xof,
    },
    kernel::HasKernels,
};

use super::AnyLanes;
#[cfg(feature = "sha3")]
use crate::algorithm::{
    Xof,
    parameters::Values,
    xof::{Family, Level, kmac},
};
#[cfg(feature = "sha3")]
use crate::{Backend, multi::slices::with_output_slices};
use crate::{
    algorithm::{Fixed, Kind},
    merkle::FsVerity,
    multi::{Messages, slices::with_message_slices},
};

const CHECKED: &str = "`with` has checked the parameters";

/// The smallest number of messages that a thread hashes: enough for all lanes.
const MIN_PART_MESSAGES: usize = 64;

/// Bytes that a message counts for in addition to its own: a tree pads each of its lanes.
const MESSAGE_OVERHEAD_BYTES: usize = 256;

/// Bytes of the messages that share a tree's lanes at a time: the tree keeps a list of their blocks.
const MAX_BATCH_BYTES: usize = 1 << 20;

impl AnyLanes {
    /// The digests under an algorithm without a function.
    pub(super) fn digest_without_function(&self, messages: Messages<'_>, out: &mut [u8]) {
        with_message_slices(messages, (out, self.output_size()), |messages, out| {
            self.digest_on_threads(messages, out);
        });
    }

    fn digest_on_threads(&self, messages: &[&[u8]], out: &mut [u8]) {
        let bytes = messages.iter().map(|message| message.len() + MESSAGE_OVERHEAD_BYTES).sum();
        let threads = self.settings.join().threads(bytes);
        let count = messages.len().div_ceil(threads).next_multiple_of(MIN_PART_MESSAGES).max(1);
        if count >= messages.len() {
            return self.digest_part(messages, out);
        }
        let outs = out.chunks_mut(count * self.output_size());
        let mut parts: Vec<_> = messages.chunks(count).zip(outs).collect();
        self.settings
            .join()
            .for_each_part(&mut parts, |_, (messages, out)| self.digest_part(messages, out));
    }

    fn digest_part(&self, messages: &[&[u8]], out: &mut [u8]) {
        let backend = self.settings.backend;
        let (values, prefix) = (self.hash.values(), &*self.settings.prefix);
        match self.algorithm().kind() {
            #[cfg(feature = "blake3")]
            Kind::Blake3(blake3) if values.seek.is_none() => {
                blake3.digest_many((values, backend), prefix, messages, out);
            }
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) if prefix.is_empty() && xof.is_shake() => {
                shake_many(xof, backend, messages, out);
            }
            #[cfg(feature = "sha3")]
            Kind::Xof(Xof { family: Family::Kmac(length), level, bytes, .. }) => {
                let (start, message, out) =
                    ((length, prefix), |i: usize| messages[i], (out, bytes));
                match level {
                    Level::S128 => keyed::<CShake128>(values, backend).fill(start, message, out),
                    Level::S256 => keyed::<CShake256>(values, backend).fill(start, message, out),
                }
            }
            Kind::FsVerity { hash, block } if prefix.is_empty() => {
                let new = if hash == Fixed::Sha512 { FsVerity::sha512 } else { FsVerity::sha256 };
                let format = new(block, values.salt()).expect(CHECKED);
                self.digest_in_batches(block, messages, out, |messages, out| {
                    out.copy_from_slice(&format.digest_many_on(backend, messages));
                });
            }
            _ => match (values.hmac_key(), self.hash.prefixed_function(backend)) {
                (None, Some(function)) => function.digests(prefix, messages, out),
                _ => self.digest_one_by_one(messages, out),
            },
        }
    }

    /// Calls `many` with batches of messages of at most `MAX_BATCH_BYTES`. A longer message fills the
    /// lanes alone.
    fn digest_in_batches(
        &self,
        block: usize,
        mut messages: &[&[u8]],
        mut out: &mut [u8],
        many: impl Fn(&[&[u8]], &mut [u8]),
    ) {
        while !messages.is_empty() {
            let mut bytes = 0;
            let fits = |message: &&&[u8]| {
                bytes += message.len() + block;
                bytes <= MAX_BATCH_BYTES
            };
            let count = messages.iter().take_while(fits).count();
            let (batch, rest) = messages.split_at(count.max(1));
            let (digests, left) =
                mem::take(&mut out).split_at_mut(batch.len() * self.output_size());
            match count {
                0 => self.digest_one_by_one(batch, digests),
                _ => many(batch, digests),
            }
            (messages, out) = (rest, left);
        }
    }

    fn digest_one_by_one(&self, messages: &[&[u8]], out: &mut [u8]) {
        let mut hasher = self.hasher();
        for (message, out) in messages.iter().zip(out.chunks_mut(self.output_size())) {
            hasher.update(&self.settings.prefix);
            hasher.update(message);
            hasher.finalize_into_reset(out).expect("the digest has the size of the output");
        }
    }
}

#[cfg(feature = "sha3")]
fn shake_many(xof: Xof, backend: Backend, messages: &[&[u8]], out: &mut [u8]) {
    with_output_slices(out, xof.bytes, &mut |first, outs| {
        let message = |i: usize| messages[first + i];
        match xof.level {
            Level::S128 => xof::fill::<functions::Shake128, _>(backend, message, outs),
            Level::S256 => xof::fill::<functions::Shake256, _>(backend, message, outs),
        }
    });
}

#[cfg(feature = "sha3")]
fn keyed<H: Customizable>(values: &Values, backend: Backend) -> Kmac<H, Backend>
where
    Backend: HasKernels<H::Compression>,
{
    kmac(values, backend).expect("a MAC has lanes only with its key")
}
