//! HMAC under a hash selected at run time: of one message by [`PrefixedHasher`], of many by a function on lanes.

use alloc::boxed::Box;

use digest::{Reset, Update};
use jlanes_core::wipe::Buffer;

use super::{
    Algorithm, AnyHash, AnyHasher, Kind, Unsupported, dyn_hasher::DynHasher,
    prefixed_function::PrefixedFunction,
};
use crate::Backend;

const SIZE: &str = "the digest has the size of the output";

/// A hasher of HMAC tags under a key of any length; the algorithm has been checked.
pub(super) fn hasher(algorithm: Algorithm, key: &[u8], backend: Backend) -> Box<dyn AnyHasher> {
    let [inner, outer] = algorithm.pads(key, backend).map(|pad| {
        let mut hasher = algorithm.unkeyed_hasher_on(backend);
        hasher.update(&pad);
        hasher
    });
    PrefixedHasher::boxed(inner, Some(outer))
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

    /// HMAC on lanes. The caller has checked that it is defined for the algorithm.
    pub(super) fn hmac_function(self, key: &[u8], backend: Backend) -> PrefixedFunction {
        let [own_prefix, pad] = self.pads(key, backend);
        let mut outer = self.unkeyed_hasher_on(backend);
        outer.update(&pad);
        let function =
            AnyHash::from(self).prefixed_function(backend).expect("HMAC is for hashes in lanes");
        PrefixedFunction { own_prefix, outer: Some(outer), ..function }
    }

    /// The blocks of a key that precede a message and its digest.
    fn pads(self, key: &[u8], backend: Backend) -> [Buffer; 2] {
        let block = self.block_size();
        let mut own = Buffer::new();
        if key.len() > block {
            let mut hasher = self.unkeyed_hasher_on(backend);
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

    fn unkeyed_hasher_on(self, backend: Backend) -> Box<dyn AnyHasher> {
        match self.hasher_on(backend) {
            Ok(hasher) => hasher,
            Err(_) => unreachable!("a linear hash has a hasher"),
        }
    }
}

/// A hasher that has absorbed a prefix, such as HMAC's key, and returns to it when it is reset.
#[derive(Clone)]
pub(super) struct PrefixedHasher {
    initial: Box<dyn AnyHasher>,
    state: Box<dyn AnyHasher>,
    /// HMAC's outer hasher, which hashes the digest.
    outer: Option<Box<dyn AnyHasher>>,
}

impl PrefixedHasher {
    pub(super) fn boxed(
        initial: Box<dyn AnyHasher>,
        outer: Option<Box<dyn AnyHasher>>,
    ) -> Box<dyn AnyHasher> {
        let size = initial.output_size();
        let prefixed = Self { state: initial.clone(), initial, outer };
        Box::new(DynHasher::new(prefixed, size, Self::finish))
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

impl Update for PrefixedHasher {
    fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }
}

impl Reset for PrefixedHasher {
    fn reset(&mut self) {
        self.state = self.initial.clone();
    }
}

impl AnyHasher for DynHasher<PrefixedHasher> {
    #[cfg(feature = "rayon")]
    fn par_update(&mut self, data: &[u8]) {
        self.hasher.state.par_update(data);
    }
}
