//! Tokens: a token proves that the CPU supports an instruction set, and is the only way into code
//! compiled for it.
//!
//! The list of a token's features is written once. From it [`token!`] generates
//!
//! - the constructor `new`, which has these features: safe code can call it only with all of them
//!   enabled;
//! - the detection of the features;
//! - the functions compiled for them: the trampoline of
//!   [`Isa::run`](jlanes_core::simd::vector::Isa::run), and kernels of streams. These call `new` and
//!   the code below them without `unsafe`, so a list that lacks a feature does not compile.

use jlanes_core::kernel::panic_unsupported;

use super::needs::Needs;

/// Proof that the CPU supports one or more instruction sets.
pub(crate) trait Token: Copy + 'static {
    /// Name of the backend that forces it.
    const NAME: &'static str;
    /// The sets.
    const SETS: Needs;

    /// The token, if the CPU supports the sets.
    fn detected() -> Option<Self>;

    /// The token.
    ///
    /// # Panics
    /// If the CPU lacks one of the sets.
    #[inline(always)]
    fn get() -> Self {
        match Self::detected() {
            Some(token) => token,
            None => panic_unsupported(),
        }
    }
}

/// Defines a token in a module directly below an architecture; the architecture has the function `has`.
///
/// ```text
/// token! {
///     /// Documentation
///     Name(Other, tokens, that, it, implies): "name of the backend", Needs::OF_IT;
///     enables ["the", "features"];
///     implies ["what", "detection", "checks", "too"];     // if it can be asked for
///     isa { all of `Isa` but `run` }                      // if it has vectors
///     fn kernel(arguments: types) { .. }                  // kernels with these features
/// }
/// ```
macro_rules! token {
    (
        $(#[$doc:meta])*
        $token:ident$(($($other:ident),+))?: $name:literal, $sets:expr;
        enables $features:tt;
        $(implies $implied:tt;)?
        $(isa { $($isa:tt)* })?
        $(
            $(#[$about:meta])*
            fn $function:ident$(<const $s:ident: usize>)?($($argument:ident: $type:ty),* $(,)?)
            $body:block
        )*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $token(($($($other,)+)?));

        impl $crate::common::token::Token for $token {
            const NAME: &'static str = $name;
            const SETS: $crate::common::needs::Needs = $sets;

            #[inline(always)]
            fn detected() -> Option<Self> {
                // SAFETY: detection has found the sets, and so the features.
                super::has(Self::SETS).then(|| unsafe { Self::new() })
            }
        }

        token! { @new $token [$($($other),+)?] $features }
        $(token! { @detection $token $features $implied })?
        $(token! { @isa $token $features { $($isa)* } })?
        $(token! {
            @function $token $features
            $(#[$about])*
            fn $function$(<const $s: usize>)?($($argument: $type),*) $body
        })*
    };

    (@new $token:ident [$($other:ident),*] [$($feature:tt),+]) => {
        impl $token {
            /// The features.
            #[cfg(test)]
            #[allow(dead_code)] // unused if the list has no second form
            pub(super) const ENABLES: &[&str] = &[$($feature),+];

            /// The token, in code with all of its features enabled.
            #[inline]
            $(#[target_feature(enable = $feature)])+
            pub(super) fn new() -> Self {
                Self(($($other::new(),)*))
            }
        }
    };

    (@detection $token:ident [$($feature:tt),+] [$($implied:tt),*]) => {
        cpufeatures::new!(cpu, $($feature,)+ $($implied),*);

        impl $token {
            /// The features that [`is_detected`](Self::is_detected) tests.
            #[cfg(test)]
            pub(super) const FEATURES: &[&str] = &[$($feature,)+ $($implied),*];

            /// Whether the CPU supports the features and the ones that they imply. The result is
            /// cached.
            pub(super) fn is_detected() -> bool {
                cpu::get()
            }
        }
    };

    (@isa $token:ident [$($feature:tt),+] { $($isa:tt)* }) => {
        impl jlanes_core::simd::vector::Isa for $token {
            $($isa)*

            #[inline(always)]
            fn token() -> Self {
                $crate::common::token::Token::get()
            }

            #[inline]
            fn run<K: jlanes_core::simd::vector::VectorCode<Self>>(self, kernel: K) -> K::Out {
                // a function of its own, so that the check of machine code sees kernels one by one
                #[inline(never)]
                $(#[target_feature(enable = $feature)])+
                fn enter<K: jlanes_core::simd::vector::VectorCode<$token>>(kernel: K) -> K::Out {
                    kernel.call($token::new())
                }
                // SAFETY: a token exists only where the CPU has its features.
                unsafe { enter(kernel) }
            }
        }
    };

    (
        @function $token:ident [$($feature:tt),+]
        $(#[$about:meta])*
        fn $function:ident$(<const $s:ident: usize>)?($($argument:ident: $type:ty),*) $body:block
    ) => {
        $(#[$about])*
        pub(super) fn $function$(<const $s: usize>)?($($argument: $type),*) {
            #[inline(never)]
            $(#[target_feature(enable = $feature)])+
            fn enter$(<const $s: usize>)?($($argument: $type),*) $body

            let _: $token = $crate::common::token::Token::get();
            // SAFETY: the token exists, so the CPU has its features.
            unsafe { enter$(::<$s>)?($($argument),*) }
        }
    };
}
pub(crate) use token;
