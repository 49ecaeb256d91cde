//! Keyed BLAKE2, one message or many.

use core::{fmt, marker::PhantomData};

use digest::{
    FixedOutput, FixedOutputReset, Key, KeyInit, MacMarker, Output, OutputSizeUser, Reset, Update,
    array::{Array, ArraySize},
    block_api::BlockSizeUser,
    common::{InvalidLength, KeySizeUser},
    typenum::Unsigned,
};

use super::{Blake2, Blake2Word, Sequential, variable::Variable};
use crate::{
    compression::Compression,
    function::{Batch, Function, Start, filling},
    kernel::HasKernels,
    wipe,
};

/// BLAKE2 with a key and tags of `N` bytes.
pub struct Mac<W: Blake2Word, N, B> {
    hasher: Variable<W, B>,
    output: PhantomData<fn() -> N>,
}

impl<W: Blake2Word, N: ArraySize, B: HasKernels<Blake2<W>> + Default> Mac<W, N, B> {
    /// A MAC with a key, a salt and a personalization. Without a key it is a hash.
    ///
    /// # Errors
    /// If the key is empty or longer than BLAKE2's digests, or the salt or the personalization is
    /// longer than two words.
    pub fn new_with_salt_and_personal(
        key: Option<&[u8]>,
        salt: &[u8],
        persona: &[u8],
    ) -> Result<Self, InvalidLength> {
        const { assert!(0 < N::USIZE && N::USIZE <= W::MaxSize::USIZE) }
        let hasher = Variable::with_params(B::default(), N::USIZE, key, salt, persona)?;
        Ok(Self { hasher, output: PhantomData })
    }

    /// The tags of messages, each of which continues from the state of this MAC. The key's block is
    /// compressed once.
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    #[track_caller]
    pub fn tags(&self, messages: &[impl AsRef<[u8]> + Sync], out: &mut [Array<u8, N>]) {
        assert_eq!(messages.len(), out.len(), "as many tags as messages");
        let fill = filling(|i| [messages[i].as_ref()]);
        self.tag_all(&Batch::filled(out.len(), &fill), out);
    }

    fn tag_all(&self, messages: &Batch<'_, '_>, out: &mut [Array<u8, N>]) {
        let (backend, (state, held)) = (B::default(), self.hasher.absorbed());
        // the state counts the absorbed bytes itself
        let digest = |state, messages: &Batch<'_, '_>, out: &mut [_]| {
            let mut keyed = Function::new(&Start::<Sequential<W, N>>::at(state, 0), backend);
            keyed.digest(&[], messages, Array::slice_as_flattened_mut(out));
            keyed.wipe();
        };
        let mut state = *state;
        if held.len() < Blake2::<W>::BLOCK_BYTES {
            digest(state, &messages.prefixed_by(&[held]), out);
        } else {
            backend.advance_one(&mut state, held);
            digest(state, messages, out);
            // for an empty message, the block that was held back is the last one
            let mut empty = None;
            for (i, out) in out.iter_mut().enumerate() {
                if messages.message_at_position(i).is_empty() {
                    *out = empty.get_or_insert_with(|| self.clone().finalize_fixed()).clone();
                }
            }
        }
        wipe::words(&mut state);
    }
}

impl<W: Blake2Word, N, B: Clone> Clone for Mac<W, N, B> {
    fn clone(&self) -> Self {
        Self { hasher: self.hasher.clone(), output: PhantomData }
    }
}

impl<W: Blake2Word, N, B> KeySizeUser for Mac<W, N, B> {
    type KeySize = W::MaxSize;
}

/// Keys from one byte to the length of [`KeySizeUser`]. RFC 7693 has no MAC with an empty key;
/// RustCrypto's crate `blake2` takes one here, as a first block of zeros.
impl<W: Blake2Word, N: ArraySize, B: HasKernels<Blake2<W>> + Default> KeyInit for Mac<W, N, B> {
    fn new(key: &Key<Self>) -> Self {
        Self::new_from_slice(key).expect("the key has the type's length")
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Self::new_with_salt_and_personal(Some(key), &[], &[])
    }
}

impl<W: Blake2Word, N, B> MacMarker for Mac<W, N, B> {}

impl<W: Blake2Word, N, B> BlockSizeUser for Mac<W, N, B> {
    type BlockSize = W::BlockSize;
}

impl<W: Blake2Word, N: ArraySize, B> OutputSizeUser for Mac<W, N, B> {
    type OutputSize = N;
}

impl<W: Blake2Word, N, B: HasKernels<Blake2<W>>> Update for Mac<W, N, B> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        Update::update(&mut self.hasher, data);
    }
}

impl<W: Blake2Word, N: ArraySize, B: HasKernels<Blake2<W>> + Default> FixedOutput for Mac<W, N, B> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.hasher.finish(out);
    }
}

impl<W: Blake2Word, N: ArraySize, B: HasKernels<Blake2<W>> + Default> FixedOutputReset
    for Mac<W, N, B>
{
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.hasher.finish(out);
        Reset::reset(&mut self.hasher);
    }
}

impl<W: Blake2Word, N, B: Copy> Reset for Mac<W, N, B> {
    fn reset(&mut self) {
        Reset::reset(&mut self.hasher);
    }
}

impl<W: Blake2Word, N: ArraySize, B> fmt::Debug for Mac<W, N, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Mac{} {{ ... }}", W::NAME, N::USIZE)
    }
}

/// The hasher wipes itself.
#[cfg(feature = "zeroize")]
impl<W: Blake2Word, N, B> digest::zeroize::ZeroizeOnDrop for Mac<W, N, B> {}
