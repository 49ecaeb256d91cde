//! [`AnyXofs`], extendable outputs that can be read on, of a function that is selected at run time.

use digest::Update;
#[cfg(feature = "blake3")]
use jlanes_core::hashes::blake3;
#[cfg(feature = "sha3")]
use jlanes_core::{
    function::XofOnKernels as _,
    hashes::keccak::{
        self, Extendable, RatedPermutation,
        cshake::{Customizable, Length},
        functions::{CShake128, CShake256, Shake128, Shake256},
        hasher::Hasher,
        sponge::Reader,
    },
};
use jlanes_core::{
    kernel::{HasKernels, Kernels},
    lanes::outputs::{Destinations, Outputs as _},
};
#[cfg(feature = "sha3")]
use jlanes_tree::{
    kangaroo::{Kt, Leaf128, Leaf256},
    parallel_hash::{LeafFunction, ParallelHash},
};

use super::{AnyLanes, Kind, Unsupported, scheduler::ByName};
#[cfg(feature = "sha3")]
use super::{
    Xof,
    parameters::Values,
    xof::{Family, Level, kmac},
};
use crate::{
    Backend,
    multi::{Messages, Xofs, xofs::SqueezedXof},
};

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
pub type AnyXofs = Xofs<ByName>;

/// Outputs, with the kernels that continue them.
#[derive(Clone)]
pub enum AnyOutputs {
    #[cfg(feature = "sha3")]
    Sponges(Kernels<u64>, keccak::outputs::Outputs),
    #[cfg(feature = "blake3")]
    Blake3(Kernels<u32>, blake3::outputs::Outputs),
}

impl SqueezedXof for ByName {
    type Outputs = AnyOutputs;

    fn len(outputs: &AnyOutputs) -> usize {
        match outputs {
            #[cfg(feature = "sha3")]
            AnyOutputs::Sponges(_, outputs) => outputs.len(),
            #[cfg(feature = "blake3")]
            AnyOutputs::Blake3(_, outputs) => outputs.len(),
        }
    }

    fn squeeze(
        _: Backend,
        outputs: &mut AnyOutputs,
        which: Option<&[usize]>,
        outs: &mut dyn Destinations,
    ) {
        match outputs {
            #[cfg(feature = "sha3")]
            AnyOutputs::Sponges(kernels, outputs) => outputs.squeeze(kernels, which, outs),
            #[cfg(feature = "blake3")]
            AnyOutputs::Blake3(kernels, outputs) => outputs.squeeze(kernels, which, outs),
        }
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
    /// For all algorithms except SHAKE, KangarooTwelve, ParallelHashXOF, KMACXOF and BLAKE3.
    pub fn xofs(&self, messages: Messages<'_>) -> Result<AnyXofs, Unsupported> {
        let (values, backend) = (self.hash.values(), self.settings.backend);
        match self.algorithm().kind() {
            #[cfg(feature = "sha3")]
            Kind::Xof(xof) => {
                let input = Input { backend, values, prefix: &self.settings.prefix, messages };
                let outputs = input.sponges(xof).ok_or(Unsupported::Xofs(self.algorithm()))?;
                Ok(Xofs::of(backend, outputs))
            }
            #[cfg(feature = "blake3")]
            Kind::Blake3(_) => {
                let hasher = super::blake3::hasher_in_mode(values, backend);
                let hasher = hasher.chain(&*self.settings.prefix);
                let mut outputs = blake3::outputs::Outputs::default();
                hasher.absorb_many(|i| messages.get(i), messages.len(), &mut outputs);
                let kernels = HasKernels::<blake3::Blake3Compression>::kernels(&backend);
                Ok(Xofs::of(backend, AnyOutputs::Blake3(kernels, outputs)))
            }
            _ => Err(Unsupported::Xofs(self.algorithm())),
        }
    }
}

/// The messages that sponges absorb, and the backend.
#[cfg(feature = "sha3")]
struct Input<'a> {
    backend: Backend,
    values: &'a Values,
    prefix: &'a [u8],
    messages: Messages<'a>,
}

#[cfg(feature = "sha3")]
impl Input<'_> {
    /// Sponges that have absorbed the messages; `None` for functions with a fixed length.
    fn sponges(self, xof: Xof) -> Option<AnyOutputs> {
        Some(match (xof.family, xof.level) {
            (Family::Shake, Level::S128) => self.shake::<Shake128>(),
            (Family::Shake, Level::S256) => self.shake::<Shake256>(),
            (Family::Kt, Level::S128) => self.kangaroo::<Leaf128>(),
            (Family::Kt, Level::S256) => self.kangaroo::<Leaf256>(),
            (Family::ParallelHash(Length::Any), Level::S128) => self.parallel_hash::<Shake128>(xof),
            (Family::ParallelHash(Length::Any), Level::S256) => self.parallel_hash::<Shake256>(xof),
            (Family::Kmac(Length::Any), Level::S128) => self.kmac::<CShake128>()?,
            (Family::Kmac(Length::Any), Level::S256) => self.kmac::<CShake256>()?,
            (Family::ParallelHash(Length::Fixed) | Family::Kmac(Length::Fixed), _)
            | (Family::TupleHash(_), _) => return None,
        })
    }

    fn kmac<H: Customizable>(self) -> Option<AnyOutputs>
    where
        Backend: HasKernels<H::Compression>,
    {
        let hasher = kmac::<H>(self.values, self.backend)?;
        Some(self.absorb_one_by_one(hasher))
    }

    fn shake<F: Extendable>(self) -> AnyOutputs
    where
        Backend: HasKernels<F::Compression>,
    {
        let Self { backend, prefix, messages, .. } = self;
        if !prefix.is_empty() {
            return self.absorb_one_by_one(Hasher::<F, _>::with_backend(backend));
        }
        let mut outputs = keccak::outputs::Outputs::default();
        let message = |i: usize| messages.get(i);
        Hasher::<F, Backend>::absorb(backend, message, messages.len(), &mut outputs);
        AnyOutputs::Sponges(HasKernels::<F::Compression>::kernels(&backend), outputs)
    }

    fn kangaroo<F: Extendable>(self) -> AnyOutputs
    where
        Backend: HasKernels<F::Compression>,
    {
        let hasher = Kt::<F, _>::with_backend(self.backend, self.values.customization());
        self.absorb_one_by_one(hasher)
    }

    fn parallel_hash<F: LeafFunction>(self, xof: Xof) -> AnyOutputs
    where
        Backend: HasKernels<F::Compression>,
    {
        let leaf = xof.leaf_size().expect("ParallelHash has blocks");
        let hasher =
            ParallelHash::<F, _>::with_backend(self.backend, leaf, self.values.customization());
        self.absorb_one_by_one(hasher.expect("parsing has checked the size"))
    }

    /// The outputs of messages that are absorbed one by one.
    fn absorb_one_by_one<H, C: RatedPermutation>(self, mut hasher: H) -> AnyOutputs
    where
        H: digest::ExtendableOutput<Reader = Reader<C, Backend>> + Update + Clone,
        Backend: HasKernels<C>,
    {
        hasher.update(self.prefix);
        let mut outputs = keccak::outputs::Outputs::default();
        for i in 0..self.messages.len() {
            hasher.clone().chain(self.messages.get(i)).finalize_xof().append_to(&mut outputs);
        }
        AnyOutputs::Sponges(HasKernels::<C>::kernels(&self.backend), outputs)
    }
}
