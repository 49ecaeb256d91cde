//! The jobs of typed functions, for words of 32 bits and of 64 bits.
//!
//! Every crate that calls a generic function compiles it. So the typed functions of
//! [`batch`](super) and [`mac`](crate::mac) only convert types to values and call a method of
//! [`Jobs`], which is compiled in this crate. The same goes for lanes that trees advance.

use super::{
    chain,
    function::{AnyFunction, Function},
    hashing::Hashing,
    in_flight::LanesInFlight,
    list::MessageSource,
};
use crate::{
    compression::MAX_LANES,
    engine::{interleaved, interleaved::InterleavedLanes, messages, messages::Messages},
    kernel::Kernels,
    mac::{hmac, pbkdf2, pbkdf2::Passwords},
    simd::lanes::{Array, Word},
};

macro_rules! jobs {
    (@trait $(fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $body:path;)*) => {
        /// The jobs for words of one width.
        pub trait Jobs: Sized {
            /// Storage for the last two blocks of as many messages as any kernel has lanes.
            type HeldBlocks: Array<u8> + Send + Sync;
            /// The function as an [`AnyFunction`].
            fn any(function: Function<Self>) -> AnyFunction where Self: Word;
            $(fn $name($($arg: $type),*) $(-> $out)? where Self: Word;)*
        }
    };
    (@impl $word:ty, $held:expr,
        $(fn $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $body:path;)*
    ) => {
        impl Jobs for $word {
            type HeldBlocks = [u8; $held];
            fn any(function: Function<Self>) -> AnyFunction {
                function.into()
            }
            $(
                #[inline(never)]
                fn $name($($arg: $type),*) $(-> $out)? {
                    $body($($arg),*)
                }
            )*
        }
    };
    ($($jobs:tt)*) => {
        jobs! { @trait $($jobs)* }
        // MD5 has the most lanes of 32-bit words, Keccak the longest blocks of 64-bit ones
        jobs! { @impl u32, 2 * 64 * 32, $($jobs)* }
        jobs! { @impl u64, 2 * 168 * 8, $($jobs)* }
    };
}

type Hash<'h, 's, W> = &'h Hashing<'s, W>;
type Texts<'t, 's, 'a> = &'t MessageSource<'s, 'a>;

jobs! {
    fn messages(kernels: &Kernels<Self>, work: &mut Messages<'_, Self>) = messages::run;
    fn interleaved(kernels: &Kernels<Self>, work: &mut InterleavedLanes<'_, Self>) = interleaved::run;
    fn digest(hash: Hash<'_, '_, Self>, messages: Texts<'_, '_, '_>, out: &mut [u8])
        = Hashing::digest;
    fn digest_prefixed(
        hash: Hash<'_, '_, Self>, prefix: &[u8], messages: Texts<'_, '_, '_>, out: &mut [u8]
    ) = Hashing::digest_prefixed;
    fn chains(hash: Hash<'_, '_, Self>, prefix: &[u8], digests: &mut [u8], steps: u64)
        = chain::chains;
    fn digest_twice(hash: Hash<'_, '_, Self>, messages: Texts<'_, '_, '_>, out: &mut [u8])
        = chain::digest_twice;
    fn hmac(
        hash: Hash<'_, '_, Self>, key: &[u8], prefix: &[u8], messages: Texts<'_, '_, '_>,
        out: &mut [u8]
    ) = hmac::one_key;
    fn hmac_keyed(
        hash: Hash<'_, '_, Self>, keys: Texts<'_, '_, '_>, prefix: &[u8],
        messages: Texts<'_, '_, '_>, out: &mut [u8]
    ) = hmac::many_keys;
    fn pbkdf2(hash: Hash<'_, '_, Self>, passwords: &Passwords<'_, '_>, outs: &mut [&mut [u8]])
        = pbkdf2::keys;
    fn held_ready(lanes: &mut LanesInFlight<Self>, lane: usize) -> Option<usize>
        = LanesInFlight::held_ready;
    fn offer(lanes: &mut LanesInFlight<Self>, lane: usize, piece: &[u8]) -> (usize, usize)
        = LanesInFlight::offer;
    fn advance(lanes: &mut LanesInFlight<Self>, pieces: &[&[u8]; MAX_LANES], run: usize)
        = LanesInFlight::advance;
}
