//! Many messages at once, each with its standard digest (S-HASH).
//!
//! Messages of any number and any lengths share the SIMD lanes: a lane takes the next message as
//! soon as its message ends. [`Lanes`] is the handle for every job; it is at the root of the crate, too.
//!
//! ```
//! use jlanes::{Sha256, multi::Lanes};
//!
//! let mut digests = [Default::default(); 3];
//! Lanes::<Sha256>::new().digest(&["a", "bb", ""], &mut digests);
//! assert_eq!(digests[1][..4], [0x3b, 0x64, 0xdb, 0x95]);
//! ```

pub(crate) mod jobs;
mod lanes;
mod messages;
#[cfg(feature = "std")]
mod read;
#[cfg(feature = "alloc")]
pub(crate) mod scheduler;
#[cfg(feature = "alloc")]
mod sleep;
#[cfg(feature = "trees")]
pub(crate) mod slices;
pub(crate) mod threads;
mod traits;
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub(crate) mod xofs;

#[cfg(feature = "alloc")]
pub use jlanes_core::function::tweaked::TweakedChains;
pub use jlanes_core::jobs::{Source, Usage};
pub use lanes::Lanes;
pub use messages::{LayoutError, Messages};
#[cfg(feature = "std")]
pub use read::{PollSource, ReadBuffer, ReadSource};
#[cfg(feature = "alloc")]
pub use scheduler::Scheduler;
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub use traits::MultiXof;
pub use traits::{BatchDigest, MultiDigest};
#[cfg(any(feature = "blake3", feature = "sha3"))]
pub use xofs::Xofs;

/// The length of chains' values, by the first of them. All parts of a batch must have the same.
#[cfg(feature = "alloc")]
fn value_size(values: &mut [impl AsMut<[u8]>]) -> usize {
    values.first_mut().map_or(0, |value| value.as_mut().len())
}
