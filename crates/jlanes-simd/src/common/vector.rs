//! The macro `vector!`, which implements vector types of any width from the names of their intrinsics.

/// Defines a vector type, its [`SimdWord`](jlanes_core::simd::vector::SimdWord) and its
/// [`Vector`](jlanes_core::simd::vector::Vector), from the intrinsics of its width. The file that uses it has
/// functions for operations without an intrinsic, and the module above that file has `prefetch`.
///
/// Every `unsafe` block has one call of an intrinsic that the caller names. The proof is the same
/// for all: a value of the type, or of its `Proof`, exists only if the CPU has the features.
macro_rules! vector {
    (
        $(#[$doc:meta])*
        $name:ident: [$word:ident as $signed:ident; $n:literal] in $raw:ident, proof $proof:ident;
        load $load:ident; store $store:ident; splat $splat:ident; add $add:ident;
        xor $xor:ident; and $and:ident; or $or:ident; andnot $andnot:ident;
        rotr $rotr:ident; shr $shr:ident; swap $swap:ident; transpose $transpose:ident;
        // overrides of provided methods
        $(lanes { $($lanes_item:item)* })?
        $(vector { $($vector_item:item)* })?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name($raw);

        #[allow(dead_code)] // used where instructions do not work lane by lane
        impl $name {
            /// The register.
            #[cfg_attr(not(debug_assertions), inline(always))]
            pub(crate) fn raw(self) -> $raw {
                self.0
            }
            /// The words of a register.
            #[cfg_attr(not(debug_assertions), inline(always))]
            pub(crate) fn from_raw(_: $proof, words: $raw) -> Self {
                Self(words)
            }
            /// Converts the bytes of each word from `order` to the CPU's, or back.
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn ordered(self, order: jlanes_core::simd::vector::ByteOrder) -> Self {
                match order {
                    jlanes_core::simd::vector::ByteOrder::Big => $swap(self),
                    jlanes_core::simd::vector::ByteOrder::Little => self,
                }
            }
        }

        impl jlanes_core::simd::vector::SimdWord<$word> for $name {
            const N: usize = $n;
            type Proof = $proof;
            type Vector = Self;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn from_vectors([first, _]: [Self; 2]) -> Self {
                first
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn vectors(self) -> [Self; 2] {
                [self; 2]
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn splat(_: $proof, word: $word) -> Self {
                // SAFETY: the proof exists only where the CPU has this vector's features.
                Self(unsafe { $splat(word as $signed) })
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn load(_: $proof, words: &[$word]) -> Self {
                let words = words[..$n].as_ptr();
                // SAFETY: the proof stands for the features; `N` words are readable there, at any
                // alignment.
                Self(unsafe { $load(words.cast()) })
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn store(self, words: &mut [$word]) {
                let words = words[..$n].as_mut_ptr();
                // SAFETY: `self` stands for the features; `N` words are writable there, at any
                // alignment.
                unsafe { $store(words.cast(), self.0) }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn add(self, other: Self) -> Self {
                // SAFETY: `self` exists only where the CPU has this vector's features.
                Self(unsafe { $add(self.0, other.0) })
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn xor(self, other: Self) -> Self {
                // SAFETY: as for `add`: `self` stands for the features.
                Self(unsafe { $xor(self.0, other.0) })
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn and(self, other: Self) -> Self {
                // SAFETY: as for `add`: `self` stands for the features.
                Self(unsafe { $and(self.0, other.0) })
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn or(self, other: Self) -> Self {
                // SAFETY: as for `add`: `self` stands for the features.
                Self(unsafe { $or(self.0, other.0) })
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn andnot(self, other: Self) -> Self {
                // SAFETY: as for `add`: `self` stands for the features.
                Self(unsafe { $andnot(self.0, other.0) })
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn rotr(self, n: u32) -> Self {
                $rotr(self, n)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shr(self, n: u32) -> Self {
                $shr(self, n)
            }
            $($($lanes_item)*)?
        }

        impl jlanes_core::simd::vector::Vector<$word> for $name {
            type Per<T: Copy> = [T; $n];

            #[inline(always)]
            fn load_bytes(
                _: $proof,
                order: jlanes_core::simd::vector::ByteOrder,
                bytes: &[u8],
            ) -> Self {
                let bytes = bytes[..$n * size_of::<$word>()].as_ptr();
                // SAFETY: the proof stands for the features; the vector's bytes are readable
                // there, at any alignment.
                Self(unsafe { $load(bytes.cast()) }).ordered(order)
            }
            #[inline(always)]
            fn store_bytes(self, order: jlanes_core::simd::vector::ByteOrder, bytes: &mut [u8]) {
                let words = self.ordered(order);
                let bytes = bytes[..$n * size_of::<$word>()].as_mut_ptr();
                // SAFETY: `self` stands for the features; the vector's bytes are writable there,
                // at any alignment.
                unsafe { $store(bytes.cast(), words.0) }
            }
            #[inline(always)]
            fn transpose(rows: [Self; $n]) -> [Self; $n] {
                $transpose(rows)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn prefetch(_: $proof, bytes: &[u8], offset: usize) {
                super::prefetch(bytes, offset);
            }
            $($($vector_item)*)?
        }
    };
}
pub(crate) use vector;
