//! HMAC of one message, under a hash selected at run time.

use alloc::boxed::Box;

use digest::{Reset, Update};
use jlanes_core::wipe::Buffer;

use super::{
    Algorithm, AnyHash, AnyHasher, AnyLanes, Kind, Unsupported, dynamic::Dynamic, on_lanes::OnLanes,
};
use crate::{Backend, multi::Messages};

const SIZE: &str = "the digest has the size of the output";

/// A hasher of HMAC tags under a key of any length; the algorithm has been checked.
pub(super) fn hasher(algorithm: Algorithm, key: &[u8], backend: Backend) -> Box<dyn AnyHasher> {
    let [inner, outer] = algorithm.pads(key, backend).map(|pad| {
        let mut hasher = algorithm.plain_hasher_on(backend);
        hasher.update(&pad);
        hasher
    });
    Started::boxed(inner, Some(outer))
}

impl Algorithm {
    /// Checks that HMAC is defined for the algorithm.
    pub(super) fn check_hmac(self) -> Result<(), Unsupported> {
        match self.kind() {
            Kind::Hash(_) => Ok(()),
            #[cfg(feature = "blake2")]
            Kind::Blake2(_) => Ok(()),
            _ => Err(Unsupported::Hmac(self)),
        }
    }

    /// HMAC in lanes; the algorithm has been checked.
    pub(super) fn hmac_on_lanes(self, key: &[u8], backend: Backend) -> OnLanes {
        let [first, pad] = self.pads(key, backend);
        let mut outer = self.plain_hasher_on(backend);
        outer.update(&pad);
        let lanes = AnyHash::from(self).on_lanes(backend).expect("HMAC is for hashes in lanes");
        let tag = move |end: &[u8], out: &mut [u8]| {
            (lanes.digest)(end, out);
            let mut outer = outer.clone();
            outer.update(out);
            outer.finalize_into_reset(out).expect(SIZE);
        };
        OnLanes { function: lanes.function, first, digest: Box::new(tag) }
    }

    /// The key blocks that precede a message and its digest.
    fn pads(self, key: &[u8], backend: Backend) -> [Buffer; 2] {
        let block = self.block_size();
        let mut own = Buffer::new();
        if key.len() > block {
            let mut hasher = self.plain_hasher_on(backend);
            hasher.update(key);
            let digest = Buffer::from(hasher.finalize().into_vec());
            // a digest of Skein may be longer than its block
            own.append(&digest[..digest.len().min(block)]);
        } else {
            own.append(key);
        }
        own.resize(block);
        [0x36, 0x5c].map(|mask| {
            let mut pad = own.clone();
            pad.iter_mut().for_each(|byte| *byte ^= mask);
            pad
        })
    }

    fn plain_hasher_on(self, backend: Backend) -> Box<dyn AnyHasher> {
        match self.hasher_on(backend) {
            Ok(hasher) => hasher,
            Err(_) => unreachable!("a plain hash has a hasher"),
        }
    }
}

/// Jobs of [`AnyLanes`] for hashes that cannot share lanes: one message after the other.
impl AnyLanes {
    fn hmac_on(&self, key: &[u8]) -> Result<Box<dyn AnyHasher>, Unsupported> {
        self.algorithm().check_hmac()?;
        if !self.hash.is_plain() {
            return Err(Unsupported::Hmac(self.algorithm())); // a second key, or Skein's arguments
        }
        Ok(hasher(self.algorithm(), key, self.settings.backend))
    }

    pub(super) fn other_hmac(
        &self,
        key: &[u8],
        messages: Messages<'_>,
        out: &mut [u8],
    ) -> Result<(), Unsupported> {
        let mut hasher = self.hmac_on(key)?;
        for (i, out) in out.chunks_mut(self.output_size()).enumerate() {
            self.tag(&mut *hasher, messages.get(i), out);
        }
        Ok(())
    }

    pub(super) fn other_hmac_keyed(
        &self,
        keys: Messages<'_>,
        messages: Messages<'_>,
        out: &mut [u8],
    ) -> Result<(), Unsupported> {
        self.hmac_on(&[])?; // check the key even without messages
        for (i, out) in out.chunks_mut(self.output_size()).enumerate() {
            self.tag(&mut *self.hmac_on(keys.get(i))?, messages.get(i), out);
        }
        Ok(())
    }

    /// The tag of a message after the prefix.
    fn tag(&self, hmac: &mut dyn AnyHasher, message: &[u8], out: &mut [u8]) {
        hmac.update(&self.settings.prefix);
        hmac.update(message);
        hmac.finalize_into_reset(out).expect(SIZE);
    }

    pub(super) fn other_pbkdf2(
        &self,
        passwords: Messages<'_>,
        salts: Messages<'_>,
        rounds: u32,
        (out, width): (&mut [u8], usize),
    ) -> Result<(), Unsupported> {
        self.hmac_on(&[])?;
        for (i, out) in out.chunks_mut(width).enumerate() {
            pbkdf2(&mut *self.hmac_on(passwords.get(i))?, salts.get(i), rounds, out);
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

/// A hasher of messages that follow what it absorbed at first, such as HMAC's key.
#[derive(Clone)]
pub(super) struct Started {
    initial: Box<dyn AnyHasher>,
    state: Box<dyn AnyHasher>,
    /// The hasher of the digest, if there are two.
    outer: Option<Box<dyn AnyHasher>>,
}

impl Started {
    pub(super) fn boxed(
        initial: Box<dyn AnyHasher>,
        outer: Option<Box<dyn AnyHasher>>,
    ) -> Box<dyn AnyHasher> {
        let size = initial.output_size();
        let started = Self { state: initial.clone(), initial, outer };
        Box::new(Dynamic::new(started, size, Self::finish))
    }

    fn finish(&mut self, _: u64, out: &mut [u8]) {
        let mut state = core::mem::replace(&mut self.state, self.initial.clone());
        if let Some(outer) = &self.outer {
            let digest = core::mem::replace(&mut state, outer.clone()).finalize();
            state.update(&digest);
        }
        state.finalize_into_reset(out).expect(SIZE);
    }
}

impl Update for Started {
    fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }
}

impl Reset for Started {
    fn reset(&mut self) {
        self.state = self.initial.clone();
    }
}

impl AnyHasher for Dynamic<Started> {
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        self.hasher.state.par_update(data);
    }
}
