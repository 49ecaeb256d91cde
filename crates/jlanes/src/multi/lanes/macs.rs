//! The jobs of [`Lanes`] under keys: HMAC and PBKDF2.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

#[cfg(feature = "alloc")]
use digest::CtOutput;
use digest::{Output, array::Array};
use jlanes_core::function::{Batch, filling};

use super::{super::MultiDigest, Lanes};

impl<H: MultiDigest> Lanes<'_, H> {
    /// Writes the HMAC tags of `messages` under one key of any length, in order (RFC 2104).
    ///
    /// The key's two blocks are hashed once, not once per message. Compare tags in constant time,
    /// as [`hmac_mismatches`](Self::hmac_mismatches) does.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Lanes};
    ///
    /// let mut tags = [Default::default(); 2];
    /// Lanes::<Sha256>::new().hmac(b"Jefe", &["what do ya want for nothing?", ""], &mut tags);
    /// assert_eq!(tags[0][..4], [0x5b, 0xdc, 0xc1, 0x46]); // RFC 4231, test case 2
    /// ```
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    #[track_caller]
    pub fn hmac(&self, key: &[u8], messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many tags as messages");
        let fill = filling(|i| [messages[i].as_ref()]);
        let messages = Batch::filled(out.len(), &fill);
        self.jobs(|jobs| jobs.hmac(key, &messages, Array::slice_as_flattened_mut(out)));
    }

    /// The indices of messages with a wrong tag, in order; [`hmac`](Self::hmac) computes the right
    /// ones. The time does not depend on the bytes of the right tags.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Lanes};
    ///
    /// let lanes = Lanes::<Sha256>::new();
    /// let mut tags = [Default::default(); 2];
    /// lanes.hmac(b"key", &["a", "b"], &mut tags);
    /// assert!(lanes.hmac_mismatches(b"key", &["a", "b"], &tags).is_empty());
    /// assert_eq!(lanes.hmac_mismatches(b"key", &["a", "c"], &tags), [1]);
    /// ```
    ///
    /// # Panics
    /// If `messages` and `tags` differ in length.
    #[cfg(feature = "alloc")]
    #[must_use]
    #[track_caller]
    pub fn hmac_mismatches(
        &self,
        key: &[u8],
        messages: &[impl AsRef<[u8]> + Sync],
        tags: &[Output<H>],
    ) -> Vec<usize> {
        assert_eq!(messages.len(), tags.len(), "as many tags as messages");
        let mut right = vec![Output::<H>::default(); tags.len()];
        self.hmac(key, messages, &mut right);
        let pairs = right.into_iter().zip(tags).enumerate();
        let wrong = pairs.filter(|(_, (right, tag))| {
            CtOutput::<H>::new(right.clone()) != CtOutput::new((*tag).clone())
        });
        wrong.map(|(i, _)| i).collect()
    }

    /// Writes HMAC tags under one key per message: `out[i]` is the tag of `messages[i]` under
    /// `keys[i]`.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Lanes};
    ///
    /// let (lanes, mut tags, mut alone) =
    ///     (Lanes::<Sha256>::new(), [Default::default(); 2], [Default::default()]);
    /// lanes.hmac_keyed(&["Jefe", "another key"], &["a", "b"], &mut tags);
    /// lanes.hmac(b"another key", &["b"], &mut alone);
    /// assert_eq!(tags[1], alone[0]);
    /// ```
    ///
    /// # Panics
    /// If `keys`, `messages` and `out` differ in length.
    #[track_caller]
    pub fn hmac_keyed(
        &self,
        keys: &[impl AsRef<[u8]> + Sync],
        messages: &[impl AsRef<[u8]> + Sync],
        out: &mut [Output<H>],
    ) {
        assert_eq!(keys.len(), messages.len(), "as many keys as messages");
        assert_eq!(messages.len(), out.len(), "as many tags as messages");
        let (keys, messages) =
            (filling(|i| [keys[i].as_ref()]), filling(|i| [messages[i].as_ref()]));
        let keys = Batch::filled(out.len(), &keys);
        let messages = Batch::filled(out.len(), &messages);
        self.jobs(|jobs| jobs.hmac_keyed(&keys, &messages, Array::slice_as_flattened_mut(out)));
    }

    /// Derives keys from passwords with PBKDF2 and HMAC (RFC 8018): fills `outs[i]`, of any length,
    /// from `passwords[i]` and `salts[i]`.
    ///
    /// The rounds of a password are serial, but passwords are independent, and so are the digests
    /// of a long key. As in RustCrypto's crate `pbkdf2`, 0 rounds are 1.
    ///
    /// ```
    /// use jlanes::{Sha256, multi::Lanes};
    ///
    /// let (mut one, mut other) = ([0; 32], [0; 32]);
    /// let keys: &mut [&mut [u8]] = &mut [&mut one, &mut other];
    /// Lanes::<Sha256>::new().pbkdf2(&["passwd", "another"], &["salt", "pepper"], 1, keys);
    /// assert_eq!(one[..4], [0x55, 0xac, 0x04, 0x6e]); // RFC 7914, section 11
    /// ```
    ///
    /// # Panics
    /// If `passwords`, `salts` and `outs` differ in length, or if one of `outs` is longer than
    /// PBKDF2's 2^32 - 1 digests.
    #[track_caller]
    pub fn pbkdf2(
        &self,
        passwords: &[impl AsRef<[u8]> + Sync],
        salts: &[impl AsRef<[u8]> + Sync],
        rounds: u32,
        outs: &mut [&mut [u8]],
    ) {
        assert_eq!(passwords.len(), salts.len(), "as many salts as passwords");
        assert_eq!(passwords.len(), outs.len(), "as many keys as passwords");
        let (passwords, salts) =
            (filling(|i| [passwords[i].as_ref()]), filling(|i| [salts[i].as_ref()]));
        let passwords = Batch::filled(outs.len(), &passwords);
        let salts = Batch::filled(outs.len(), &salts);
        self.jobs(|jobs| jobs.pbkdf2(&passwords, &salts, rounds, outs));
    }
}
