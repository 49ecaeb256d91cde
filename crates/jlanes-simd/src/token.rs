//! What all tokens of instruction sets with vectors have in common, whatever their architecture.

/// `$token`, the proof that the CPU has what its trampoline enables. Outside the file that calls this,
/// `assume` is the only way to make one.
macro_rules! token {
    ($(#[$doc:meta])* $token:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $token(());

        impl $token {
            /// # Safety
            /// The features of [`run`](jlanes_core::simd::isa::Isa::run)'s trampoline have been
            /// detected.
            pub(super) const unsafe fn assume() -> Self {
                Self(())
            }
        }
    };
}
pub(crate) use token;

/// `Isa::run` of `$token`: calls the kernel inside a function that is compiled for `$features`.
macro_rules! trampoline {
    ($(#[$attribute:meta])* $token:ident: $features:literal) => {
        #[inline]
        fn run<K: jlanes_core::simd::isa::Kernel>(self, kernel: K) -> K::Out {
            $(#[$attribute])*
            #[target_feature(enable = $features)]
            fn enter<K: jlanes_core::simd::isa::Kernel>(isa: $token, kernel: K) -> K::Out {
                kernel.call(isa)
            }
            // SAFETY: a token exists only where these features have been detected.
            unsafe { enter(self, kernel) }
        }
    };
}
pub(crate) use trampoline;
