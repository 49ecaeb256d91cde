//! Words, and vectors of words: all that an algorithm may know of an instruction set.
//!
//! A [`Lanes`] value holds one word of each of `N` independent messages. The algorithms of this
//! crate are written once over `Lanes` and read like the scalar standard; the vector types live in
//! `jlanes-simd`, one file a register width.
//!
//! **Values are proofs.** A vector can only be made from a [`Lanes::Proof`], a zero-sized token
//! that exists only where the CPU has the instructions. Whoever holds a vector may therefore
//! compute with it, and no arithmetic in here is `unsafe`.

use core::fmt::Debug;

use crate::simd::isa::Isa;

/// A hash function's word: `u32` or `u64`.
pub trait Word: Copy + Default + Eq + Debug + Send + Sync + 'static {
    /// Bytes of a word.
    const BYTES: usize;
    /// This word's vector on the instruction set `I`.
    type Vector<I: Isa>: Lanes<Self, Proof = I::Proof>;
    /// The word in the first [`BYTES`](Self::BYTES) bytes, big-endian.
    fn from_be(bytes: &[u8]) -> Self;
    /// The word in the first [`BYTES`](Self::BYTES) bytes, little-endian.
    fn from_le(bytes: &[u8]) -> Self;
    /// Writes the word big-endian into the first [`BYTES`](Self::BYTES) bytes.
    fn write_be(self, out: &mut [u8]);
    /// Writes the word little-endian into the first [`BYTES`](Self::BYTES) bytes.
    fn write_le(self, out: &mut [u8]);
    /// Sum modulo 2^w.
    fn wrapping_add(self, other: Self) -> Self;
    /// Rotation to the right.
    fn rotr(self, n: u32) -> Self;
    /// Logical shift to the right.
    fn shr(self, n: u32) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// `!self & other`.
    fn andnot(self, other: Self) -> Self;
    /// Overwrites `words` in a way that the compiler keeps.
    #[cfg(feature = "zeroize")]
    fn wipe(words: &mut [Self]);
}

macro_rules! word {
    ($w:ident, $bytes:literal, $vector:ident) => {
        impl Word for $w {
            const BYTES: usize = $bytes;
            type Vector<I: Isa> = I::$vector;
            #[inline(always)]
            fn from_be(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or(0, |b| Self::from_be_bytes(*b))
            }
            #[inline(always)]
            fn from_le(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or(0, |b| Self::from_le_bytes(*b))
            }
            #[inline(always)]
            fn write_be(self, out: &mut [u8]) {
                out[..$bytes].copy_from_slice(&self.to_be_bytes());
            }
            #[inline(always)]
            fn write_le(self, out: &mut [u8]) {
                out[..$bytes].copy_from_slice(&self.to_le_bytes());
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                $w::wrapping_add(self, other)
            }
            #[inline(always)]
            fn rotr(self, n: u32) -> Self {
                self.rotate_right(n)
            }
            #[inline(always)]
            fn shr(self, n: u32) -> Self {
                self >> n
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn andnot(self, other: Self) -> Self {
                !self & other
            }
            #[cfg(feature = "zeroize")]
            fn wipe(words: &mut [Self]) {
                digest::zeroize::Zeroize::zeroize(words);
            }
        }
    };
}
word!(u32, 4, U32);
word!(u64, 8, U64);

/// `[T; LEN]`, named so that an array's length can be an associated constant of a trait.
pub trait Array<T: Copy>: Copy + AsRef<[T]> + AsMut<[T]> {
    /// Number of elements.
    const LEN: usize;
    /// All elements equal.
    fn splat(value: T) -> Self;
}

impl<T: Copy, const N: usize> Array<T> for [T; N] {
    const LEN: usize = N;
    #[inline(always)]
    fn splat(value: T) -> Self {
        [value; N]
    }
}

/// The most words of a vector.
const MAX_N: usize = 16;

/// A vector of `N` words, one a lane.
///
/// Implementations mark every method `#[inline(always)]`: a single method that is not inlined into
/// the kernel's entry point loses the target features and turns each instruction into a call.
/// Shift counts are constants at every call site; the back ends rely on constant folding to turn
/// them into immediates (checked in the disassembly).
pub trait Lanes<W: Word>: Copy {
    /// Number of lanes.
    const N: usize;
    /// Evidence that the CPU has this vector's instructions.
    type Proof: Copy;
    /// One `T` a lane.
    type Per<T: Copy>: Array<T>;

    /// `word` in every lane.
    fn splat(proof: Self::Proof, word: W) -> Self;
    /// `words[l]` in lane `l`. Panics if there are fewer than `N` words.
    fn load(proof: Self::Proof, words: &[W]) -> Self;
    /// Lane `l` into `words[l]`. Panics if there are fewer than `N` words.
    fn store(self, words: &mut [W]);
    /// Big-endian word `l` of `bytes` in lane `l`. Panics if there are fewer than `N` words.
    fn load_be(proof: Self::Proof, bytes: &[u8]) -> Self;
    /// Little-endian word `l` of `bytes` in lane `l`. Panics if there are fewer than `N` words.
    fn load_le(proof: Self::Proof, bytes: &[u8]) -> Self;
    /// Rows to columns: element `l` of result `i` is element `i` of row `l`.
    fn transpose(rows: Self::Per<Self>) -> Self::Per<Self>;

    /// The words of `a` from number `at` on, then the first of `b`; `at` is less than `N`, and
    /// constant at every call site.
    #[inline(always)]
    fn straddle(proof: Self::Proof, a: Self, b: Self, at: usize) -> Self {
        let mut words = [W::default(); 2 * MAX_N];
        a.store(&mut words);
        b.store(&mut words[Self::N..]);
        Self::load(proof, &words[at..])
    }

    /// Sum modulo 2^w.
    fn add(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// `!self & other`.
    fn andnot(self, other: Self) -> Self;
    /// Rotation to the right by a constant.
    fn rotr(self, n: u32) -> Self;
    /// Logical shift to the right by a constant.
    fn shr(self, n: u32) -> Self;

    /// `a ^ b ^ c`; one instruction where the CPU has ternary logic.
    #[inline(always)]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        a.xor(b).xor(c)
    }
    /// `Ch` of FIPS 180-4: bits of `f` where `e` is set, of `g` elsewhere.
    #[inline(always)]
    fn ch(e: Self, f: Self, g: Self) -> Self {
        g.xor(e.and(f.xor(g)))
    }
    /// `Maj` of FIPS 180-4: the bit that at least two of the three have. In this form, because a
    /// round's `a ^ b` is the `b ^ c` of the next one, and compilers see that.
    #[inline(always)]
    fn maj(a: Self, b: Self, c: Self) -> Self {
        b.xor(a.xor(b).and(b.xor(c)))
    }

    /// Asks the cache for the line at `bytes[offset]`; any offset is allowed, it is only a hint.
    #[inline(always)]
    fn prefetch(_proof: Self::Proof, _bytes: &[u8], _offset: usize) {}
}
