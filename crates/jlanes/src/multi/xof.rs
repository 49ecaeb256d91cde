//! Extendable outputs.

#[cfg(feature = "alloc")]
use jlanes_core::{
    batch::tweaked::TweakedChains,
    engine::outputs::{Destinations, Slices},
};

use super::MultiXof;
use crate::Backend;

/// Fills `outs[i]`, of any length, with the output of `H` for `msgs[i]`.
///
/// Absorbing and squeezing both run on lanes; outputs of similar lengths share them.
///
/// ```
/// use jlanes::{Shake128, digest::ExtendableOutput, multi};
///
/// let (mut short, mut long) = ([0; 16], [0; 672]);
/// multi::xof_many::<Shake128>(&[b"one", b"another"], &mut [&mut short, &mut long]);
/// let mut alone = [0; 672];
/// Shake128::digest_xof(b"another", &mut alone);
/// assert_eq!(long, alone);
/// ```
///
/// # Panics
/// If `msgs` and `outs` differ in length.
pub fn xof_many<H: MultiXof>(msgs: &[&[u8]], outs: &mut [&mut [u8]]) {
    assert_eq!(msgs.len(), outs.len(), "as many outputs as messages");
    if let ([msg], [out]) = (msgs, &mut *outs) {
        return H::digest_xof(msg, out); // one message needs no lanes
    }
    H::fill(H::engine(), |i| msgs[i], outs);
}

/// [`xof_many`] on a given backend.
///
/// ```
/// use jlanes::{Backend, Shake256, digest::ExtendableOutput, multi};
///
/// for backend in Backend::available() {
///     let mut outs = [[0; 200]; 2];
///     let [one, other] = &mut outs;
///     multi::xof_many_with::<Shake256>(backend, &[b"one", b"another"], &mut [one, other]);
///     let mut alone = [0; 200];
///     Shake256::digest_xof(b"one", &mut alone);
///     assert_eq!(outs[0], alone, "{backend}");
/// }
/// ```
///
/// # Panics
/// If `msgs` and `outs` differ in length.
pub fn xof_many_with<H: MultiXof>(backend: Backend, msgs: &[&[u8]], outs: &mut [&mut [u8]]) {
    assert_eq!(msgs.len(), outs.len(), "as many outputs as messages");
    H::fill(backend.into(), |i| msgs[i], outs);
}

/// [`Lanes::tweaked_chains`](super::Lanes::tweaked_chains) of an extendable-output function: the values
/// are outputs of their length. A prefix is a part of each tweak.
///
/// ```
/// use jlanes::{Shake256, digest::ExtendableOutput, multi::{self, TweakedChains}};
///
/// let mut values = [[1; 24], [2; 24]];
/// let chains = TweakedChains {
///     steps: &|chain| if chain == 0 { 0..15 } else { 4..5 },
///     size: 2,
///     tweak: &|chain, step, tweak| tweak.copy_from_slice(&[chain as u8, step as u8]),
/// };
/// multi::xof_chains::<Shake256>(&chains, &mut values);
///
/// let mut step = [0; 24];
/// Shake256::digest_xof([&[1, 4], &[2; 24][..]].concat(), &mut step);
/// assert_eq!(values[1], step);
/// ```
///
/// # Panics
/// If the values are not of one length, of at least 1 byte.
#[cfg(feature = "alloc")]
pub fn xof_chains<H: MultiXof>(chains: &TweakedChains<'_>, values: &mut [impl AsMut<[u8]>]) {
    chains_on::<H>(H::engine(), chains, values);
}

/// [`xof_chains`] on a given backend.
///
/// # Panics
/// As `xof_chains`.
#[cfg(feature = "alloc")]
pub fn xof_chains_with<H: MultiXof>(
    backend: Backend,
    chains: &TweakedChains<'_>,
    values: &mut [impl AsMut<[u8]>],
) {
    chains_on::<H>(backend.into(), chains, values);
}

#[cfg(feature = "alloc")]
fn chains_on<H: MultiXof>(
    engine: H::Engine,
    chains: &TweakedChains<'_>,
    values: &mut [impl AsMut<[u8]>],
) {
    let (count, mut values) = (values.len(), Slices(values));
    let size = if count > 0 { values.get(0).len() } else { 0 };
    chains.run(count, &mut values, size, &mut |records, width, out| {
        let mut outs: alloc::vec::Vec<&mut [u8]> = out.chunks_exact_mut(size).collect();
        H::fill(engine, |i| &records[i * width..][..width], &mut outs);
    });
}

/// [`xof_many`] on rayon's thread pool, with the same result.
///
/// ```
/// use jlanes::{Shake128, multi};
///
/// let (mut one, mut other) = ([0; 300], [0; 300]);
/// multi::par_xof_many::<Shake128>(&[b"same", b"same"], &mut [&mut one, &mut other]);
/// assert_eq!(one, other);
/// ```
///
/// # Panics
/// If `msgs` and `outs` differ in length.
#[cfg(feature = "rayon")]
pub fn par_xof_many<H: MultiXof>(msgs: &[&[u8]], outs: &mut [&mut [u8]]) {
    use jlanes_core::{batch::load::Load, compression::Compression, engine::Engine};
    use jlanes_tree::join::Join;

    assert_eq!(msgs.len(), outs.len(), "as many outputs as messages");
    let load = msgs.iter().zip(&*outs).map(|(msg, out)| H::blocks(msg.len(), out.len()));
    let load = load.fold(Load::default(), Load::with);
    let threads = Join::Rayon.threads(load.shared_bytes(<H::Compression as Compression>::BLOCK));
    let kernels = Engine::<H::Compression>::kernels(&H::engine());
    let (count, lanes) = (load.parts(&kernels, threads), kernels.lanes());
    let width = msgs.len().div_ceil(count).next_multiple_of(lanes).max(1);
    let mut parts: alloc::vec::Vec<_> = msgs.chunks(width).zip(outs.chunks_mut(width)).collect();
    Join::Rayon.each(&mut parts, |_, (msgs, outs)| xof_many::<H>(msgs, outs));
}
