//! HMAC of one message, under a hash selected at run time.

use alloc::{boxed::Box, vec::Vec};

use digest::{DynDigest, InvalidBufferSize};

use super::{Algorithm, AnyHasher, AnyLanes, HmacUnsupported, Kind};
use crate::{Backend, multi::Messages};

const SIZE: &str = "the digest has the size of the output";

impl Algorithm {
    /// A hasher of HMAC tags under a key of any length, for messages in pieces.
    ///
    /// ```
    /// use jlanes::{Algorithm, Backend};
    ///
    /// let mut tag = Algorithm::SHA256.hmac_on(b"Jefe", Backend::detect())?;
    /// tag.update(b"what do ya want ");
    /// tag.update(b"for nothing?");
    /// assert_eq!(tag.finalize()[..4], [0x5b, 0xdc, 0xc1, 0x46]); // RFC 4231, test case 2
    /// # Ok::<(), jlanes::algorithm::HmacUnsupported>(())
    /// ```
    ///
    /// # Errors
    /// For algorithms that are not plain hashes: trees, and functions with any output length.
    pub fn hmac_on(
        self,
        key: &[u8],
        backend: Backend,
    ) -> Result<Box<dyn AnyHasher>, HmacUnsupported> {
        let [inner, outer] = self.pads(key, backend)?.map(|mut pad| {
            let mut hasher = self.plain_hasher_on(backend);
            hasher.update(&pad);
            wipe(&mut pad);
            hasher
        });
        let size = self.output_size();
        Ok(Box::new(Hmac { state: inner.clone(), inner, outer, size }))
    }

    /// The key blocks that precede a message and its digest.
    pub(super) fn pads(
        self,
        key: &[u8],
        backend: Backend,
    ) -> Result<[Vec<u8>; 2], HmacUnsupported> {
        match self.kind() {
            Kind::Hash(_) => {}
            #[cfg(feature = "blake2")]
            Kind::Blake2(_) => {}
            _ => return Err(HmacUnsupported(self)),
        }
        let block = self.block_size();
        let mut own = Vec::with_capacity(block);
        if key.len() > block {
            let mut hasher = self.plain_hasher_on(backend);
            hasher.update(key);
            let digest = hasher.finalize();
            // a digest of Skein may be longer than its block
            own.extend_from_slice(&digest[..digest.len().min(block)]);
        } else {
            own.extend_from_slice(key);
        }
        own.resize(block, 0);
        let pads = [0x36, 0x5c].map(|pad| own.iter().map(|byte| byte ^ pad).collect());
        wipe(&mut own);
        Ok(pads)
    }

    fn plain_hasher_on(self, backend: Backend) -> Box<dyn AnyHasher> {
        match self.hasher_on(backend) {
            Ok(hasher) => hasher,
            Err(_) => unreachable!("a plain hash has a hasher"),
        }
    }
}

/// Wipes bytes that reveal a key, with the feature `zeroize`.
pub(super) fn wipe(_bytes: &mut [u8]) {
    #[cfg(feature = "zeroize")]
    digest::zeroize::Zeroize::zeroize(_bytes);
}

/// Jobs of [`AnyLanes`] for hashes that cannot share lanes: one message after the other.
impl AnyLanes {
    fn hmac_on(&self, key: &[u8]) -> Result<Box<dyn AnyHasher>, HmacUnsupported> {
        if !self.settings.key.is_empty() {
            return Err(HmacUnsupported(self.algorithm())); // BLAKE2's own key excludes HMAC
        }
        self.algorithm().hmac_on(key, self.settings.backend)
    }

    pub(super) fn other_hmac(
        &self,
        key: &[u8],
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<(), HmacUnsupported> {
        let mut hasher = self.hmac_on(key)?;
        for (message, out) in messages.iter().zip(out.chunks_mut(self.output_size())) {
            hasher.update(&self.settings.prefix);
            hasher.update(message);
            hasher.finalize_into_reset(out).expect(SIZE);
        }
        Ok(())
    }

    pub(super) fn other_hmac_keyed(
        &self,
        keys: Messages<'_>,
        messages: &[&[u8]],
        out: &mut [u8],
    ) -> Result<(), HmacUnsupported> {
        self.hmac_on(&[])?; // check the key even without messages
        for ((i, message), out) in
            messages.iter().enumerate().zip(out.chunks_mut(self.output_size()))
        {
            self.other_hmac(keys.get(i), &[message], out)?;
        }
        Ok(())
    }

    pub(super) fn other_pbkdf2(
        &self,
        passwords: &[&[u8]],
        salts: &[&[u8]],
        rounds: u32,
        outs: &mut [&mut [u8]],
    ) -> Result<(), HmacUnsupported> {
        self.hmac_on(&[])?;
        for ((password, salt), out) in passwords.iter().zip(salts).zip(outs) {
            pbkdf2(&mut *self.hmac_on(password)?, salt, rounds, out);
        }
        Ok(())
    }
}

/// PBKDF2 (RFC 8018, section 5.2) with HMAC under the password.
fn pbkdf2(hmac: &mut dyn AnyHasher, salt: &[u8], rounds: u32, out: &mut [u8]) {
    for (number, out) in (1u32..).zip(out.chunks_mut(hmac.output_size())) {
        hmac.update(salt);
        hmac.update(&number.to_be_bytes());
        let mut tag = alloc::vec![0; hmac.output_size()];
        hmac.finalize_into_reset(&mut tag).expect(SIZE);
        let mut sum = tag.clone();
        for _ in 1..rounds {
            hmac.update(&tag);
            hmac.finalize_into_reset(&mut tag).expect(SIZE);
            sum.iter_mut().zip(&tag).for_each(|(sum, byte)| *sum ^= byte);
        }
        out.copy_from_slice(&sum[..out.len()]);
    }
}

/// Hashers that have absorbed the key's blocks, and the one that absorbs the message.
struct Hmac {
    inner: Box<dyn AnyHasher>,
    outer: Box<dyn AnyHasher>,
    state: Box<dyn AnyHasher>,
    size: usize,
}

impl Clone for Hmac {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            outer: self.outer.clone(),
            state: self.state.clone(),
            size: self.size,
        }
    }
}

impl DynDigest for Hmac {
    fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }

    fn finalize_into(mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        self.finalize_into_reset(out)
    }

    fn finalize_into_reset(&mut self, out: &mut [u8]) -> Result<(), InvalidBufferSize> {
        if out.len() != self.size {
            return Err(InvalidBufferSize);
        }
        let inner = core::mem::replace(&mut self.state, self.inner.clone());
        let mut outer = self.outer.clone();
        outer.update(&inner.finalize());
        outer.finalize_into_reset(out)
    }

    fn reset(&mut self) {
        self.state = self.inner.clone();
    }

    fn output_size(&self) -> usize {
        self.size
    }

    fn box_clone(&self) -> Box<dyn DynDigest> {
        Box::new(self.clone())
    }
}

impl AnyHasher for Hmac {
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        self.state.par_update(data);
    }
}
