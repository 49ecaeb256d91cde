//! What all instructions for rounds have in common, whatever their architecture.

/// `$unit`, the token of the backend `$name`: a proof that the CPU has `$features`, and for each
/// compression function up to how many streams it interleaves, and the function in the token's file that
/// does it, which is compiled for these features.
macro_rules! unit {
    (
        $(#[$doc:meta])* $unit:ident: $name:ident;
        $(#[$safety:meta])* assume;
        $($compression:ty => $streams:literal, $advance:path;)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $unit(());

        impl $unit {
            /// # Safety
            $(#[$safety])*
            pub(super) const unsafe fn assume() -> Self {
                Self(())
            }
        }

        $(
            impl $crate::streams::Unit<$compression> for $unit {
                const NAME: &'static str = stringify!($name);
                const STREAMS: usize = $streams;

                #[inline(always)]
                fn of(features: $crate::features::Features) -> Option<Self> {
                    features.$name()
                }

                #[inline]
                fn advance<F, const S: usize>(
                    self,
                    states: &mut [$crate::unit::StateOf<$compression>; S],
                    feed: F,
                    blocks: usize,
                    last: Option<&$crate::unit::SharedOf<$compression>>,
                ) where
                    F: $crate::feed::Feed<$crate::unit::WordOf<$compression>, S>,
                {
                    // SAFETY: a token exists only where these features have been detected.
                    unsafe { $advance(self, states, feed, blocks, last) }
                }
            }
        )+
    };
}
pub(crate) use unit;

use jlanes_core::hash::compression::Compression;

/// The state of a compression function, in words.
pub(crate) type StateOf<C> = <C as Compression>::State<<C as Compression>::Word>;
/// The word of a compression function.
pub(crate) type WordOf<C> = <C as Compression>::Word;
/// A block that streams share, expanded.
pub(crate) type SharedOf<C> = <C as Compression>::Shared;
