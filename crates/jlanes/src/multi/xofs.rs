//! [`Xofs`], extendable outputs of many messages: whole ones, and outputs that can be read on.

use core::fmt;

use jlanes_core::{compression::Compression, kernel::HasKernels};
#[cfg(feature = "alloc")]
use jlanes_core::{
    function::tweaked::TweakedChains,
    lanes::outputs::{Destinations, Outputs as _, Slices},
};

#[cfg(feature = "alloc")]
use super::value_size;
use super::{MultiXof, threads::Threads};
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
/// [`fill`](Self::fill) has whole outputs of known lengths, and keeps nothing. It works without an allocator,
/// which the feature `alloc` demands of what continues.
///
/// An output takes 200 bytes of memory with SHAKE, and about 140 with BLAKE3. `squeeze` and
/// `squeeze_some` allocate nothing. With the feature `zeroize` the states are wiped on drop.
pub struct Xofs<H: SqueezedXof> {
    backend: Backend,
    threads: Threads,
    #[cfg_attr(not(feature = "alloc"), allow(dead_code))] // nothing continues
    outputs: H::Outputs,
}

/// The function of [`Xofs`]: a hasher's, or one that is selected at run time. It is sealed.
pub trait SqueezedXof {
    /// The outputs of messages, and where each continues.
    type Outputs: Clone;

    /// The number of outputs.
    #[cfg(feature = "alloc")]
    fn len(outputs: &Self::Outputs) -> usize;

    /// Fills the destinations with the next bytes of the outputs `which`, or of all.
    #[cfg(feature = "alloc")]
    fn squeeze(
        backend: Backend,
        outputs: &mut Self::Outputs,
        which: Option<&[usize]>,
        outs: &mut dyn Destinations,
    );
}

impl<H: MultiXof> SqueezedXof for H {
    #[cfg(feature = "alloc")]
    type Outputs = H::Outputs;
    #[cfg(not(feature = "alloc"))]
    type Outputs = ();

    #[cfg(feature = "alloc")]
    fn len(outputs: &H::Outputs) -> usize {
        outputs.len()
    }

    #[cfg(feature = "alloc")]
    fn squeeze(
        backend: Backend,
        outputs: &mut H::Outputs,
        which: Option<&[usize]>,
        outs: &mut dyn Destinations,
    ) {
        outputs.squeeze(&H::Backend::from(backend).kernels(), which, outs);
    }
}

impl<H: MultiXof> Xofs<H> {
    /// No outputs yet, on the detected backend and the calling thread.
    #[must_use]
    pub fn new() -> Self {
        Self { backend: Backend::detect(), threads: Threads::One, outputs: Default::default() }
    }

    /// Runs on a given [`Backend`], from here on.
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// [`fill`](Self::fill) and [`tweaked_chains`](Self::tweaked_chains) run on rayon's thread pool, with the
    /// same results, as [`Lanes::parallel`](super::Lanes::parallel).
    ///
    /// ```
    /// use jlanes::{Shake128, multi::Xofs};
    ///
    /// let (mut one, mut other) = ([0; 300], [0; 300]);
    /// Xofs::<Shake128>::new().parallel().fill(&["same", "same"], &mut [&mut one, &mut other]);
    /// assert_eq!(one, other);
    /// ```
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(self) -> Self {
        Self { threads: Threads::Rayon, ..self }
    }

    /// Fills `outs[i]`, of any length, with the output for `messages[i]`.
    ///
    /// Absorbing and squeezing both run on lanes; outputs of similar lengths share them.
    ///
    /// ```
    /// use jlanes::{Shake128, digest::ExtendableOutput, multi::Xofs};
    ///
    /// let (mut short, mut long) = ([0; 16], [0; 672]);
    /// Xofs::<Shake128>::new().fill(&["one", "another"], &mut [&mut short, &mut long]);
    /// let mut alone = [0; 672];
    /// Shake128::digest_xof(b"another", &mut alone);
    /// assert_eq!(long, alone);
    /// ```
    ///
    /// # Panics
    /// If `messages` and `outs` differ in length.
    #[track_caller]
    pub fn fill(&self, messages: &[impl AsRef<[u8]> + Sync], outs: &mut [&mut [u8]]) {
        assert_eq!(messages.len(), outs.len(), "as many outputs as messages");
        let (backend, message) = (self.backend, |i: usize| messages[i].as_ref());
        let blocks = |i: usize, outs: &[&mut [u8]]| H::blocks(message(i).len(), outs[0].len());
        self.for_each_part(&blocks, outs, |first, outs| {
            H::fill(backend.into(), |i| message(first + i), outs);
        });
    }

    /// Calls `job` with parts of `outs`.
    fn for_each_part<T: Send>(
        &self,
        blocks: &dyn Fn(usize, &[T]) -> u64,
        outs: &mut [T],
        job: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let kernels = || HasKernels::<H::Compression>::kernels(&H::Backend::from(self.backend));
        self.threads.for_each_part::<<H::Compression as Compression>::Word, _>(
            kernels,
            blocks,
            (outs, 1),
            job,
        );
    }

    /// [`Lanes::tweaked_chains`](super::Lanes::tweaked_chains) of an extendable-output function: the values
    /// are outputs of their length. A prefix is a part of each tweak.
    ///
    /// ```
    /// use jlanes::{Shake256, digest::ExtendableOutput, multi::{TweakedChains, Xofs}};
    ///
    /// let mut values = [[1; 24], [2; 24]];
    /// let chains = TweakedChains {
    ///     steps: &|chain| if chain == 0 { 0..15 } else { 4..5 },
    ///     size: 2,
    ///     tweak: &|chain, step, tweak| tweak.copy_from_slice(&[chain as u8, step as u8]),
    /// };
    /// Xofs::<Shake256>::new().tweaked_chains(&chains, &mut values);
    ///
    /// let mut step = [0; 24];
    /// Shake256::digest_xof([&[1, 4], &[2; 24][..]].concat(), &mut step);
    /// assert_eq!(values[1], step);
    /// ```
    ///
    /// # Panics
    /// If the values are not of one length, of at least 1 byte.
    #[cfg(feature = "alloc")]
    pub fn tweaked_chains(
        &self,
        chains: &TweakedChains<'_>,
        values: &mut [impl AsMut<[u8]> + Send],
    ) {
        let size = value_size(values);
        let (backend, step) = (self.backend, H::blocks(chains.size + size, size));
        let blocks = |i: usize, _: &[_]| chains.count(i) * step;
        self.for_each_part(&blocks, values, |first, values| {
            assert_eq!(value_size(values), size, "all values have the same length");
            chains.skip(first, &mut |chains| {
                let (count, values) = (values.len(), &mut Slices(&mut *values));
                chains.run(count, values, size, &mut |records, width, out| {
                    let mut outs: alloc::vec::Vec<_> = out.chunks_exact_mut(size).collect();
                    let record = |i: usize| &records[i * width..][..width];
                    H::fill(backend.into(), record, &mut outs);
                });
            });
        });
    }

    /// Replaces all outputs by those of `messages`, from the start.
    ///
    /// Absorbing runs on lanes. It allocates memory for the outputs.
    #[cfg(feature = "alloc")]
    pub fn absorb(&mut self, messages: &[impl AsRef<[u8]>]) {
        let message = |i: usize| messages[i].as_ref();
        H::absorb(self.backend.into(), message, messages.len(), &mut self.outputs);
    }
}

#[cfg(feature = "alloc")]
impl<H: SqueezedXof> Xofs<H> {
    /// Outputs that have been absorbed elsewhere.
    #[cfg(feature = "trees")]
    pub(crate) fn of(backend: Backend, outputs: H::Outputs) -> Self {
        Self { backend, threads: Threads::One, outputs }
    }

    /// The number of outputs.
    #[must_use]
    pub fn len(&self) -> usize {
        H::len(&self.outputs)
    }

    /// Whether there are no outputs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
    #[track_caller]
    pub fn squeeze(&mut self, outs: &mut [impl AsMut<[u8]>]) {
        assert_eq!(outs.len(), self.len(), "as many destinations as outputs");
        H::squeeze(self.backend, &mut self.outputs, None, &mut Slices(outs));
    }

    /// Fills `outs[k]` with the next bytes of output `which[k]`. The other outputs stay where they are.
    ///
    /// # Panics
    /// If `which` and `outs` differ in length, or if `which` does not rise strictly or has an index
    /// that is no output's.
    #[track_caller]
    pub fn squeeze_some(&mut self, which: &[usize], outs: &mut [impl AsMut<[u8]>]) {
        assert_eq!(which.len(), outs.len(), "as many destinations as outputs");
        assert!(which.is_sorted_by(|a, b| a < b), "the outputs rise strictly");
        let count = self.len();
        assert!(which.last().is_none_or(|last| *last < count), "there are {count} outputs");
        H::squeeze(self.backend, &mut self.outputs, Some(which), &mut Slices(outs));
    }
}

/// The outputs of readers, each from the reader's position on.
#[cfg(feature = "alloc")]
impl<H: MultiXof> Extend<H::Reader> for Xofs<H> {
    fn extend<I: IntoIterator<Item = H::Reader>>(&mut self, readers: I) {
        readers.into_iter().for_each(|reader| H::push(&reader, &mut self.outputs));
    }
}

#[cfg(feature = "alloc")]
impl<H: MultiXof> FromIterator<H::Reader> for Xofs<H> {
    fn from_iter<I: IntoIterator<Item = H::Reader>>(readers: I) -> Self {
        let mut xofs = Self::new();
        xofs.extend(readers);
        xofs
    }
}

impl<H: SqueezedXof> Clone for Xofs<H> {
    fn clone(&self) -> Self {
        Self { outputs: self.outputs.clone(), ..*self }
    }
}

impl<H: MultiXof> Default for Xofs<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H: SqueezedXof> fmt::Debug for Xofs<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "alloc")]
        return write!(f, "Xofs({} outputs)", self.len());
        #[cfg(not(feature = "alloc"))]
        f.write_str("Xofs")
    }
}

/// The outputs wipe themselves.
#[cfg(feature = "zeroize")]
impl<H: SqueezedXof> digest::zeroize::ZeroizeOnDrop for Xofs<H> {}
