//! Extendable outputs that continue, of a function selected at run time.

use core::{error, fmt};

#[cfg(feature = "sha3")]
use digest::Update;
#[cfg(feature = "blake3")]
use jlanes_core::hashes::blake3;
#[cfg(feature = "sha3")]
use jlanes_core::{
    engine::MultiXof as _,
    hashes::keccak::{
        self, Extendable, Permutation,
        cursor::Reader,
        functions::{Shake128, Shake256},
        hasher::Hasher,
    },
};
use jlanes_core::{
    engine::{
        Engine,
        outputs::{Outputs, Slices},
    },
    kernel::Kernels,
};
#[cfg(feature = "sha3")]
use jlanes_tree::{
    kangaroo::{Kt, Leaf128, Leaf256},
    parallel_hash::{BlockFunction, ParallelHash},
};

#[cfg(feature = "blake3")]
use super::Blake3Mode;
use super::{Algorithm, AnyLanes, Kind};
#[cfg(feature = "sha3")]
use super::{Xof, XofFunction};
#[cfg(feature = "sha3")]
use crate::Backend;
use crate::multi::{Messages, xofs::check};

/// [`Xofs`](crate::multi::Xofs) of a function selected at run time.
///
/// ```
/// use jlanes::{Algorithm, Shake256, digest::ExtendableOutput, multi::Messages};
///
/// let lanes = "shake256-256".parse::<Algorithm>()?.lanes()?;
/// let mut xofs = lanes.xofs(Messages::slices(&[b"one", b"another"]))?;
/// let (mut first, mut next) = ([[0; 136]; 2], [[0; 64]; 1]);
/// xofs.squeeze(&mut first);
/// xofs.squeeze_some(&[1], &mut next);
///
/// let mut alone = [0; 200];
/// Shake256::digest_xof("another", &mut alone);
/// assert_eq!([&first[1][..], &next[0]].concat(), alone);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AnyXofs(Kept);

#[derive(Clone)]
enum Kept {
    #[cfg(feature = "sha3")]
    Sponges(Kernels<u64>, keccak::outputs::Outputs),
    #[cfg(feature = "blake3")]
    Blake3(Kernels<u32>, blake3::outputs::Outputs),
}

/// Calls `$body` with the kernels and the outputs of either word size.
macro_rules! with {
    ($kept:expr, |$kernels:pat_param, $outputs:pat_param| $body:expr) => {
        match $kept {
            #[cfg(feature = "sha3")]
            Kept::Sponges($kernels, $outputs) => $body,
            #[cfg(feature = "blake3")]
            Kept::Blake3($kernels, $outputs) => $body,
        }
    };
}

/// The error for an algorithm without an extendable output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotExtendable(Algorithm);

impl fmt::Display for NotExtendable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has no extendable output", self.0)
    }
}

impl error::Error for NotExtendable {}

impl fmt::Debug for AnyXofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyXofs({} outputs)", self.len())
    }
}

impl AnyLanes {
    /// The outputs of `messages`, to be continued: see [`Xofs`](crate::multi::Xofs). The length in the
    /// algorithm's name does not matter.
    ///
    /// Messages of SHAKE without a [prefix](Self::prefix), and those of BLAKE3, are absorbed on lanes.
    /// The outputs of all functions are squeezed on lanes.
    ///
    /// # Errors
    /// For all algorithms except SHAKE, KangarooTwelve, ParallelHashXOF and BLAKE3.
    pub fn xofs(&self, messages: Messages<'_>) -> Result<AnyXofs, NotExtendable> {
        let (prefix, backend) = (&*self.settings.prefix, self.settings.backend);
        match self.algorithm().kind() {
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => {
                sponges(xof, backend, prefix, messages).ok_or(NotExtendable(self.algorithm()))
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => {
                let hasher = Blake3Mode::of_key(&self.settings.key).after(prefix, backend);
                let mut outputs = blake3::outputs::Outputs::default();
                hasher.absorb_many(|i| messages.get(i), messages.len(), &mut outputs);
                let kernels = Engine::<blake3::Blake3Compression>::kernels(&backend);
                Ok(AnyXofs(Kept::Blake3(kernels, outputs)))
            }
            _ => Err(NotExtendable(self.algorithm())),
        }
    }
}

impl AnyXofs {
    /// The number of outputs.
    #[must_use]
    pub fn len(&self) -> usize {
        with!(&self.0, |_, outputs| outputs.len())
    }

    /// Whether there are no outputs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `outs[i]` with the next bytes of output `i`, as
    /// [`Xofs::squeeze`](crate::multi::Xofs::squeeze).
    ///
    /// # Panics
    /// If `outs` has not one element per output.
    pub fn squeeze(&mut self, outs: &mut [impl AsMut<[u8]>]) {
        assert_eq!(outs.len(), self.len(), "as many destinations as outputs");
        with!(&mut self.0, |kernels, outputs| outputs.squeeze(kernels, None, &mut Slices(outs)));
    }

    /// Fills `outs[k]` with the next bytes of output `which[k]`, as
    /// [`Xofs::squeeze_some`](crate::multi::Xofs::squeeze_some).
    ///
    /// # Panics
    /// If `which` and `outs` differ in length, or if `which` does not rise strictly or has an index
    /// that is no output's.
    pub fn squeeze_some(&mut self, which: &[usize], outs: &mut [impl AsMut<[u8]>]) {
        assert_eq!(which.len(), outs.len(), "as many destinations as outputs");
        check(which, self.len());
        let outs = &mut Slices(outs);
        with!(&mut self.0, |kernels, outputs| outputs.squeeze(kernels, Some(which), outs));
    }
}

/// Sponges that have absorbed `prefix` and messages; `None` for functions with a fixed length.
#[cfg(feature = "sha3")]
fn sponges(xof: Xof, on: Backend, prefix: &[u8], messages: Messages<'_>) -> Option<AnyXofs> {
    Some(match xof.function() {
        XofFunction::Shake128 => shake::<Shake128>(on, prefix, messages),
        XofFunction::Shake256 => shake::<Shake256>(on, prefix, messages),
        XofFunction::Kt128 => read(Kt::<Leaf128, _>::with_engine(on, &[]), on, prefix, messages),
        XofFunction::Kt256 => read(Kt::<Leaf256, _>::with_engine(on, &[]), on, prefix, messages),
        XofFunction::ParallelHashXof128 => parallel_hash::<Shake128>(xof, on, prefix, messages),
        XofFunction::ParallelHashXof256 => parallel_hash::<Shake256>(xof, on, prefix, messages),
        XofFunction::ParallelHash128 | XofFunction::ParallelHash256 => return None,
    })
}

#[cfg(feature = "sha3")]
fn shake<F: Extendable>(backend: Backend, prefix: &[u8], messages: Messages<'_>) -> AnyXofs
where
    Backend: Engine<F::Compression>,
{
    if !prefix.is_empty() {
        return read(Hasher::<F, _>::with_engine(backend), backend, prefix, messages);
    }
    let mut outputs = keccak::outputs::Outputs::default();
    let message = |i: usize| messages.get(i);
    Hasher::<F, Backend>::absorb(backend, message, messages.len(), &mut outputs);
    AnyXofs(Kept::Sponges(Engine::<F::Compression>::kernels(&backend), outputs))
}

#[cfg(feature = "sha3")]
fn parallel_hash<F: BlockFunction>(
    xof: Xof,
    backend: Backend,
    prefix: &[u8],
    messages: Messages<'_>,
) -> AnyXofs
where
    Backend: Engine<F::Compression>,
{
    let leaf = xof.leaf_size().expect("ParallelHash has blocks");
    let hasher = ParallelHash::<F, _>::with_engine(backend, leaf, &[]);
    read(hasher.expect("parsing has checked the size"), backend, prefix, messages)
}

/// The outputs of messages that are absorbed one by one.
#[cfg(feature = "sha3")]
fn read<H, C: Permutation>(
    mut hasher: H,
    backend: Backend,
    prefix: &[u8],
    messages: Messages<'_>,
) -> AnyXofs
where
    H: digest::ExtendableOutput<Reader = Reader<C, Backend>> + Update + Clone,
    Backend: Engine<C>,
{
    hasher.update(prefix);
    let mut outputs = keccak::outputs::Outputs::default();
    for i in 0..messages.len() {
        hasher.clone().chain(messages.get(i)).finalize_xof().append_to(&mut outputs);
    }
    AnyXofs(Kept::Sponges(Engine::<C>::kernels(&backend), outputs))
}
