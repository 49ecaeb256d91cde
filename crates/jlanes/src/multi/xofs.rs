//! Extendable outputs that continue.

use core::fmt;

use jlanes_core::engine::{
    Engine,
    outputs::{Outputs, Slices},
};

use super::MultiXof;
use crate::Backend;

/// The outputs of many messages, each of which can be continued from its own position: for rejection
/// sampling, where some outputs need more bytes than others.
///
/// [`absorb`](Self::absorb) takes the messages. [`squeeze`](Self::squeeze) reads the next bytes of all
/// outputs, and [`squeeze_some`](Self::squeeze_some) those of some. Both run on lanes, whichever
/// outputs they read, and can be called again and again. Every output is what a reader of `H` would
/// return.
///
/// ```
/// use jlanes::{Shake128, multi::Xofs};
///
/// // numbers below 3329 from two seeds, as in ML-KEM
/// let mut xofs = Xofs::<Shake128>::new();
/// xofs.absorb(&["one seed", "another"]);
/// let mut numbers = [const { Vec::new() }; 2];
/// let mut unfinished = vec![0, 1];
/// while !unfinished.is_empty() {
///     let mut blocks = vec![[0; 168]; unfinished.len()];
///     xofs.squeeze_some(&unfinished, &mut blocks);
///     for (i, block) in unfinished.iter().zip(&blocks) {
///         let pairs = block.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1] & 15]));
///         numbers[*i].extend(pairs.filter(|number| *number < 3329));
///         numbers[*i].truncate(256);
///     }
///     unfinished.retain(|i| numbers[*i].len() < 256);
/// }
/// # use jlanes::digest::{ExtendableOutput, Update, XofReader};
/// # let (mut reader, mut known) = (Shake128::default().chain("another").finalize_xof(), vec![]);
/// # while known.len() < 256 {
/// #     let mut pair = [0; 2];
/// #     reader.read(&mut pair);
/// #     known.extend(Some(u16::from_le_bytes([pair[0], pair[1] & 15])).filter(|n| *n < 3329));
/// # }
/// # assert_eq!(numbers[1], known);
/// ```
///
/// Readers of the same function continue together, too. These may come from hashers with other
/// prefixes or customization strings, or from KangarooTwelve, of which the last node is TurboSHAKE:
///
/// ```
/// use jlanes::{Shake256, digest::{CustomizedInit, ExtendableOutput, XofReader}};
/// use jlanes::{multi::Xofs, sha3::CShake256};
///
/// let keys = ["encryption", "authentication"];
/// let reader = |key: &str| CShake256::new_customized(key.as_bytes()).finalize_xof();
/// let mut xofs: Xofs<Shake256> = keys.map(reader).into_iter().collect();
/// let mut outs = [[0; 300]; 2];
/// xofs.squeeze(&mut outs);
/// let mut alone = [0; 300];
/// reader("authentication").read(&mut alone);
/// assert_eq!(outs[1], alone);
/// ```
///
/// An output takes 200 bytes of memory with SHAKE, and about 140 with BLAKE3. `squeeze` and
/// `squeeze_some` allocate nothing. With the feature `zeroize` the states are wiped on drop.
pub struct Xofs<H: MultiXof> {
    engine: H::Engine,
    outputs: H::Outputs,
}

impl<H: MultiXof> Xofs<H> {
    /// No outputs yet, on the detected backend.
    #[must_use]
    pub fn new() -> Self {
        Self { engine: H::engine(), outputs: H::Outputs::default() }
    }

    /// Runs on a given [`Backend`], from here on.
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { engine: backend.into(), ..self }
    }

    /// Replaces all outputs by those of `messages`, from the start.
    ///
    /// Absorbing runs on lanes. It allocates memory for the outputs.
    pub fn absorb(&mut self, messages: &[impl AsRef<[u8]>]) {
        let message = |i: usize| messages[i].as_ref();
        H::absorb(self.engine, message, messages.len(), &mut self.outputs);
    }

    /// The number of outputs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Whether there are no outputs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Fills `outs[i]` with the next bytes of output `i`. The lengths may be any, and 0.
    ///
    /// Equal lengths are fastest, and so are whole blocks from a block's start.
    ///
    /// ```
    /// use jlanes::{Shake128, digest::ExtendableOutput, multi::Xofs};
    ///
    /// let mut xofs = Xofs::<Shake128>::new();
    /// xofs.absorb(&["one", "another"]);
    /// let mut first = [[0; 504]; 2];
    /// xofs.squeeze(&mut first);
    /// let mut next = [vec![0; 10], vec![0; 1000]];
    /// xofs.squeeze(&mut next);
    ///
    /// let mut alone = [0; 1504];
    /// Shake128::digest_xof("another", &mut alone);
    /// assert_eq!([&first[1][..], &next[1]].concat(), alone);
    /// ```
    ///
    /// # Panics
    /// If `outs` has not one element per output.
    pub fn squeeze(&mut self, outs: &mut [impl AsMut<[u8]>]) {
        assert_eq!(outs.len(), self.len(), "as many destinations as outputs");
        self.outputs.squeeze(&self.engine.kernels(), None, &mut Slices(outs));
    }

    /// Fills `outs[k]` with the next bytes of output `which[k]`. The other outputs stay where they are.
    ///
    /// # Panics
    /// If `which` and `outs` differ in length, or if `which` does not rise strictly or has an index
    /// that is no output's.
    pub fn squeeze_some(&mut self, which: &[usize], outs: &mut [impl AsMut<[u8]>]) {
        assert_eq!(which.len(), outs.len(), "as many destinations as outputs");
        check(which, self.len());
        self.outputs.squeeze(&self.engine.kernels(), Some(which), &mut Slices(outs));
    }
}

/// Panics unless indices rise strictly up to the last of `count` outputs.
pub(crate) fn check(which: &[usize], count: usize) {
    assert!(which.is_sorted_by(|a, b| a < b), "the outputs rise strictly");
    assert!(which.last().is_none_or(|last| *last < count), "there are {count} outputs");
}

/// The outputs of readers, each from the reader's position on.
impl<H: MultiXof> Extend<H::Reader> for Xofs<H> {
    fn extend<I: IntoIterator<Item = H::Reader>>(&mut self, readers: I) {
        readers.into_iter().for_each(|reader| H::push(&reader, &mut self.outputs));
    }
}

impl<H: MultiXof> FromIterator<H::Reader> for Xofs<H> {
    fn from_iter<I: IntoIterator<Item = H::Reader>>(readers: I) -> Self {
        let mut xofs = Self::new();
        xofs.extend(readers);
        xofs
    }
}

impl<H: MultiXof> Clone for Xofs<H> {
    fn clone(&self) -> Self {
        Self { engine: self.engine, outputs: self.outputs.clone() }
    }
}

impl<H: MultiXof> Default for Xofs<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: MultiXof> fmt::Debug for Xofs<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Xofs({} outputs)", self.len())
    }
}

/// The outputs wipe themselves.
#[cfg(feature = "zeroize")]
impl<H: MultiXof> digest::zeroize::ZeroizeOnDrop for Xofs<H> {}
