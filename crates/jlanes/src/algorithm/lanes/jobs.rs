//! The jobs of [`AnyLanes`] that Merkle trees and signatures are made of: hashes of records and of pairs of nodes,
//! digests of digests, chains; and which of many HMACs do not match.
//!
//! Each has the meaning and the name of its counterpart in [`Lanes`](crate::multi::Lanes). A hash with lanes of its
//! own runs the same job. Another one, as a checksum or a tree, has digests alone, of which `without_function.rs`
//! makes the job, so that every job works for every name.

use alloc::vec::Vec;

use ctutils::CtEq;
use jlanes_core::{
    function::{Batch, filling},
    lanes::outputs::Slices,
    with_function,
};

use super::{AnyLanes, Unsupported};
use crate::multi::{Messages, TweakedChains};

impl AnyLanes {
    /// The digests of `messages`, in order and contiguous.
    #[must_use]
    pub fn digests(&self, messages: Messages<'_>) -> Vec<u8> {
        let mut out = alloc::vec![0; messages.len() * self.output_size()];
        self.digest(messages, &mut out);
        out
    }

    /// Writes the digests of contiguous records, as [`Lanes::nodes`](crate::multi::Lanes::nodes).
    ///
    /// # Panics
    /// If `nodes` is not `width` bytes for each digest in `out`.
    #[track_caller]
    pub fn nodes(&self, nodes: &[u8], width: usize, out: &mut [u8]) {
        let count = out.len() / self.output_size();
        assert_eq!(Some(nodes.len()), width.checked_mul(count), "as many digests as records");
        match Messages::records(nodes, width) {
            Ok(records) => self.digest(records, out),
            // `Messages::records` cannot count records of no bytes
            Err(_) => self.digest(Messages::slices(&alloc::vec![&[][..]; count]), out),
        }
    }

    /// Writes the digests of pairs, as [`Lanes::pairs`](crate::multi::Lanes::pairs).
    ///
    /// ```
    /// use jlanes::{Algorithm, Digest, Sha256, multi::Messages};
    ///
    /// let lanes = Algorithm::SHA256.lanes()?;
    /// let (left, right) = (Messages::records(b"ac", 1)?, Messages::records(b"bd", 1)?);
    /// let mut nodes = [0; 2 * 32];
    /// lanes.pairs(left, right, &mut nodes);
    /// assert_eq!(nodes[32..], *Sha256::digest("cd"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `left` and `right` differ in length, or if `out` is not
    /// [`output_size`](Self::output_size) bytes for each pair.
    #[track_caller]
    pub fn pairs(&self, left: Messages<'_>, right: Messages<'_>, out: &mut [u8]) {
        assert_eq!(left.len(), right.len(), "as many right sides as left ones");
        self.check_output_len(left.len(), out.len());
        let Some(any) = &self.function else {
            let pairs: Vec<_> =
                (0..left.len()).map(|i| [left.get(i), right.get(i)].concat()).collect();
            let pairs: Vec<&[u8]> = pairs.iter().map(|pair| &**pair).collect();
            return self.digest_without_function(Messages::slices(&pairs), out);
        };
        let pairs = filling(|i| [left.get(i), right.get(i)]);
        let pairs = Batch::filled(left.len(), &pairs);
        with_function!(any, |f| self.settings.jobs(f).digest(&pairs, out));
    }

    /// Writes the double digests of `messages`, as [`Lanes::double`](crate::multi::Lanes::double).
    ///
    /// # Panics
    /// If `out` is not [`output_size`](Self::output_size) bytes for each message.
    #[track_caller]
    pub fn double(&self, messages: Messages<'_>, out: &mut [u8]) {
        self.check_output_len(messages.len(), out.len());
        let Some(any) = &self.function else {
            self.digest_without_function(messages, out);
            return self.clone().prefix(&[]).chains(out, 1);
        };
        with_function!(any, |f| self.settings.jobs(f).double(&messages.as_batch(), out));
    }

    /// Replaces every digest `d` in `digests` by the digest of `prefix || d`, `steps` times, as
    /// [`Lanes::chains`](crate::multi::Lanes::chains).
    ///
    /// # Panics
    /// If `digests` is not a multiple of [`output_size`](Self::output_size) bytes.
    #[track_caller]
    pub fn chains(&self, digests: &mut [u8], steps: u64) {
        let size = self.output_size();
        assert!(digests.len().is_multiple_of(size), "whole digests");
        let Some(any) = &self.function else {
            let mut before = digests.to_vec();
            for _ in 0..steps {
                before.copy_from_slice(digests);
                let before: Vec<&[u8]> = before.chunks(size).collect();
                self.digest_without_function(Messages::slices(&before), digests);
            }
            return;
        };
        with_function!(any, |f| self.settings.jobs(f).chains(digests, steps));
    }

    /// Advances chains with a tweak for every step, as
    /// [`Lanes::tweaked_chains`](crate::multi::Lanes::tweaked_chains).
    ///
    /// # Panics
    /// If the values are not of one length, from 1 byte to [`output_size`](Self::output_size).
    pub fn tweaked_chains(
        &self,
        chains: &TweakedChains<'_>,
        values: &mut [impl AsMut<[u8]> + Send],
    ) {
        let Some(any) = &self.function else {
            let (count, size) = (values.len(), self.output_size());
            return chains.run(count, &mut Slices(values), size, &mut |records, width, out| {
                let records: Vec<&[u8]> = records.chunks(width).collect();
                self.digest_without_function(Messages::slices(&records), out);
            });
        };
        with_function!(any, |f| self.settings.jobs(f).tweaked_chains(chains, values));
    }

    /// The indices of messages with a wrong tag, as
    /// [`Lanes::hmac_mismatches`](crate::multi::Lanes::hmac_mismatches). The time does not depend on
    /// the bytes of the right tags.
    ///
    /// # Errors
    /// If HMAC is not defined for the algorithm.
    ///
    /// # Panics
    /// If `tags` is not [`output_size`](Self::output_size) bytes for each message.
    #[track_caller]
    pub fn hmac_mismatches(
        &self,
        key: &[u8],
        messages: Messages<'_>,
        tags: &[u8],
    ) -> Result<Vec<usize>, Unsupported> {
        self.check_output_len(messages.len(), tags.len());
        let mut right = alloc::vec![0; tags.len()];
        self.hmac(key, messages, &mut right)?;
        let size = self.output_size();
        let pairs = right.chunks(size).zip(tags.chunks(size)).enumerate();
        Ok(pairs.filter(|(_, (right, tag))| !right.ct_eq(tag).to_bool()).map(|(i, _)| i).collect())
    }
}
