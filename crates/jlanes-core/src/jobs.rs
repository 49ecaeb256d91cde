//! Jobs: operations of hash functions on many messages, such as digests, HMAC, PBKDF2 and chains, for words of 32
//! bits and of 64 bits.
//!
//! All are S-HASH: many messages at once, each with its standard digest (\[SH\], Algorithm 1). Messages in memory
//! form groups with equal numbers of blocks, which fill all lanes. Of messages [in flight](in_flight::InFlight), up
//! to [`lanes`](in_flight::InFlight::lanes) of them have lanes, and each [`step`](in_flight::InFlight::step) advances
//! these by the smallest number of whole blocks that is ready in any. When a message ends, the next one takes its
//! lane. When none is left, the live lanes are compacted and run on the best kernel for their number; here the
//! paper finishes the last messages one by one.
//!
//! Every crate that calls a generic function compiles it. So [`Function`] only calls methods of [`CompiledWord`],
//! which are compiled in this crate. The same goes for lanes that trees advance.
//!
//! The modules below see a hash as values, and do not use `CompiledWord`.

use crate::{
    compression::{Compression, LaneStates},
    hash::{Descriptor, HashFunction},
    kernel::Kernels,
    lanes::{
        interleaved::InterleavedLanes,
        messages::{LaneWork, Route},
    },
    simd::vector::Word,
};

pub(crate) mod chains;
pub(crate) mod hashing;
pub(crate) mod hmac;
pub(crate) mod in_flight;
pub(crate) mod in_memory;
pub(crate) mod lanes_in_flight;
pub(crate) mod pbkdf2;
pub(crate) mod source;

use hashing::{AnyFunction, Function, Hashing};
pub use in_flight::{Poison, Progress};
use in_memory::{batch::Batch, equal_blocks};
use lanes_in_flight::LaneMethods;
pub use lanes_in_flight::Usage;
pub use source::Source;

macro_rules! compiled {
    (@trait $($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $body:path;)*) => {
        /// A word with what is compiled here: the jobs, and the lanes of trees.
        pub trait CompiledWord: Word {
            /// The function as a value with words of either width.
            fn any_function(hashing: Hashing<'static, Self>) -> AnyFunction;
            $($(#[$doc])* fn $name($($arg: $type),*) $(-> $out)?;)*
        }
    };
    (@impl $word:ty, $any:ident,
        $($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $body:path;)*
    ) => {
        impl CompiledWord for $word {
            fn any_function(hashing: Hashing<'static, Self>) -> AnyFunction {
                AnyFunction::$any(Function(hashing))
            }
            $(
                #[inline(never)]
                fn $name($($arg: $type),*) $(-> $out)? {
                    $body($($arg),*)
                }
            )*
        }
    };
    ($($functions:tt)*) => {
        compiled! { @trait $($functions)* }
        compiled! { @impl u32, U32, $($functions)* }
        compiled! { @impl u64, U64, $($functions)* }
    };
}

compiled! {
    /// [`Kernels::advance_messages`].
    fn advance_messages(work: LaneWork<'_, Self>, route: Route<'_, Self>, kernels: &Kernels<Self>)
        = LaneWork::run;
    /// [`Kernels::advance_interleaved`].
    fn advance_interleaved(work: InterleavedLanes<'_, Self>, kernels: &Kernels<Self>)
        = InterleavedLanes::run;
    /// [`Kernels::transform`].
    fn transform(
        hash: &Descriptor<Self>, states: LaneStates<'_, Self>, live: usize, kernels: &Kernels<Self>
    ) = equal_blocks::transform;
    /// The digests of messages, each after `prefix`.
    fn digest(
        hash: &Hashing<'_, Self>, prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]
    ) = Hashing::digest_prefixed;
    /// Digests of digests, `steps` times.
    fn chains(hash: &Hashing<'_, Self>, prefix: &[u8], digests: &mut [u8], steps: u64)
        = chains::chains;
    /// The digests of the digests of messages.
    fn double(
        hash: &Hashing<'_, Self>, prefix: &[u8], messages: &Batch<'_, '_>, out: &mut [u8]
    ) = chains::double;
    /// HMAC under one key.
    fn hmac(
        hash: &Hashing<'_, Self>, key: &[u8], prefix: &[u8], messages: &Batch<'_, '_>,
        out: &mut [u8]
    ) = hmac::one_key;
    /// HMAC under one key per message.
    fn hmac_keyed(
        hash: &Hashing<'_, Self>, keys: &Batch<'_, '_>, prefix: &[u8],
        messages: &Batch<'_, '_>, out: &mut [u8]
    ) = hmac::many_keys;
    /// PBKDF2 with HMAC.
    fn pbkdf2(
        hash: &Hashing<'_, Self>, passwords: &Batch<'_, '_>, prefix: &[u8],
        salts: &Batch<'_, '_>, rounds: u32, outs: &mut [&mut [u8]]
    ) = pbkdf2::keys;
    /// The methods of messages in flight.
    fn lane_methods() -> LaneMethods<Self> = LaneMethods::new;
}

/// A hash function of which batches can be hashed: every one, as its words have 32 or 64 bits.
pub trait BatchFunction: HashFunction<Compression: Compression<Word: CompiledWord>> {}

impl<H: HashFunction<Compression: Compression<Word: CompiledWord>>> BatchFunction for H {}

impl<W: CompiledWord> Kernels<W> {
    /// Advances lanes by blocks of messages.
    #[inline]
    pub fn advance_messages(&self, work: LaneWork<'_, W>, route: Route<'_, W>) {
        W::advance_messages(work, route, self);
    }

    /// Advances lanes by the blocks of one message.
    #[inline]
    pub fn advance_interleaved(&self, work: InterleavedLanes<'_, W>) {
        W::advance_interleaved(work, self);
    }

    /// The output transform of `hash` in the first `live` lanes, after the padding.
    #[inline]
    pub fn transform(&self, hash: &Descriptor<W>, states: LaneStates<'_, W>, live: usize) {
        W::transform(hash, states, live, self);
    }
}
