//! Words, vectors of words, and instruction sets: the whole interface between algorithms and CPUs.
//!
//! A [`SimdWord`] value holds one word of each of `N` independent messages. The algorithms of this
//! crate are written once over `SimdWord` and read like the scalar standard. A [`Vector`] is the case
//! of one register; those types are in `jlanes-simd`, one file per register width.
//!
//! **Values are proofs.** Creating a vector takes a [`SimdWord::Proof`], a zero-sized token that
//! exists only if the CPU has the instructions. Any code that holds a vector may therefore compute
//! with it, and no arithmetic here is `unsafe`.
//!
//! Rust does not allow `#[target_feature]` on trait methods, and generic functions do not inherit
//! it. So a kernel is a value: [`Isa::run`] enters one function with the features, and everything
//! below it is inlined and generic over the token. `run` is the only entry, and the only place where
//! inlining stops.

use core::fmt::Debug;

use super::{copy::copy_short, runs::Runs, subslice::subslice};

/// The order in which a hash function writes the bytes of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// Most significant byte first: SHA-1, SHA-2, SM3.
    Big,
    /// Least significant byte first: all others.
    Little,
}

impl ByteOrder {
    /// The CPU's own order.
    pub const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };
}

/// A hash function's word: `u32` or `u64`.
pub trait Word: Copy + Default + Eq + Debug + Send + Sync + 'static {
    /// Bytes of a word.
    const BYTES: usize;
    /// This word's vector on the instruction set `I`.
    type Vector<I: Isa>: Vector<Self, Proof = I::Proof>;
    /// Storage for the state of one message under any function with such words.
    type State: Array<Self> + Send + Sync + Debug;
    /// Storage for one block, or for the result of preparing a shared one.
    type Schedule: Array<Self> + Send + Sync + Debug;
    /// Storage for the states of as many lanes as any kernel fills.
    type LaneStorage: Array<Self> + Send + Sync;
    /// Storage for the last three blocks of a message.
    type EndBlocks: Array<u8>;
    /// Storage for the last two blocks of as many messages as any kernel has lanes.
    type HeldBlocks: Array<u8> + Send + Sync;
    /// The word in the first [`BYTES`](Self::BYTES) bytes, big-endian.
    fn from_be(bytes: &[u8]) -> Self;
    /// The word in the first [`BYTES`](Self::BYTES) bytes, little-endian.
    fn from_le(bytes: &[u8]) -> Self;
    /// Writes the word big-endian into the first [`BYTES`](Self::BYTES) bytes.
    fn write_be(self, out: &mut [u8]);
    /// Writes the word little-endian into the first [`BYTES`](Self::BYTES) bytes.
    fn write_le(self, out: &mut [u8]);
    /// The little-endian words at four positions of a block of sixteen, repeated to fill the vector.
    fn gather_row<I: Isa>(isa: I, block: &[u8], at: [usize; 4]) -> Self::Vector<I>;
    /// `(early ^ late).rotr(n)`, of which `late` is available last.
    fn xor_rotr<I: Isa>(
        isa: I,
        early: Self::Vector<I>,
        late: Self::Vector<I>,
        n: u32,
    ) -> Self::Vector<I>;
    /// The word in the first [`BYTES`](Self::BYTES) bytes, in `order`.
    #[inline(always)]
    fn read(order: ByteOrder, bytes: &[u8]) -> Self {
        match order {
            ByteOrder::Big => Self::from_be(bytes),
            ByteOrder::Little => Self::from_le(bytes),
        }
    }
    /// Writes the word into the first [`BYTES`](Self::BYTES) bytes, in `order`.
    #[inline(always)]
    fn write(self, order: ByteOrder, out: &mut [u8]) {
        match order {
            ByteOrder::Big => self.write_be(out),
            ByteOrder::Little => self.write_le(out),
        }
    }
    /// The lowest bits of `number`.
    fn truncate(number: u128) -> Self;
    /// Sum modulo 2^w.
    fn wrapping_add(self, other: Self) -> Self;
    /// Difference modulo 2^w.
    fn wrapping_sub(self, other: Self) -> Self;
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
    /// Overwrites `words` in a way that the compiler does not remove.
    #[cfg(feature = "zeroize")]
    fn wipe(words: &mut [Self]);
}

/// `[T; LEN]`, named so that an array's length can be an associated constant of a trait.
pub trait Array<T: Copy>: Copy + AsRef<[T]> + AsMut<[T]> {
    /// Number of elements.
    const LEN: usize;
    /// All elements equal.
    fn splat(value: T) -> Self;
    /// The elements of all arrays in a row.
    fn flatten(arrays: &[Self]) -> &[T];
    /// The elements of all arrays in a row.
    fn flatten_mut(arrays: &mut [Self]) -> &mut [T];
}

impl<T: Copy, const N: usize> Array<T> for [T; N] {
    const LEN: usize = N;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn splat(value: T) -> Self {
        [value; N]
    }
    #[inline(always)]
    fn flatten(arrays: &[Self]) -> &[T] {
        arrays.as_flattened()
    }
    #[inline(always)]
    fn flatten_mut(arrays: &mut [Self]) -> &mut [T] {
        arrays.as_flattened_mut()
    }
}

/// The maximum number of bytes of a register.
pub(crate) const MAX_VECTOR_BYTES: usize = 64;

/// `N` words, one per lane: the values that algorithms compute with.
///
/// Without debug assertions, implementations mark every method `#[inline(always)]`: a single method that is
/// not inlined into the kernel's entry point loses the target features and turns each instruction into a
/// call. Shift counts are constants at every call site, and constant folding turns them into immediate operands.
///
/// With them, methods of a single operation have no attribute: without optimization, the debug
/// information of inlined calls would be a fifth of a program; with it they are inlined all the same (SHA-256
/// has 0.96 of the speed at `opt-level = 3`). Whole transposes and loads of blocks keep the attribute,
/// because they are too large to be inlined on request.
pub trait SimdWord<W: Word>: Copy {
    /// Number of lanes.
    const N: usize;
    /// Evidence that the CPU has the instructions.
    type Proof: Copy;
    /// The register that the lanes are made of.
    type Vector: Vector<W, Proof = Self::Proof>;
    /// Whether rounds are bound by latency, not by throughput. An algorithm may then spend another
    /// operation to shorten the dependency chain.
    const LATENCY_BOUND: bool = false;
    /// Whether sixteen values and some more do not fit the registers, so that mixing functions side by
    /// side would go through memory.
    const FEW_REGISTERS: bool = false;

    /// The first `N` lanes of two adjacent registers.
    fn from_vectors(vectors: [Self::Vector; 2]) -> Self;
    /// The two registers, or one twice.
    fn vectors(self) -> [Self::Vector; 2];
    /// `word` in every lane.
    fn splat(proof: Self::Proof, word: W) -> Self;
    /// `words[l]` in lane `l`. Panics if there are fewer than `N` words.
    fn load(proof: Self::Proof, words: &[W]) -> Self;
    /// Lane `l` into `words[l]`. Panics if there are fewer than `N` words.
    fn store(self, words: &mut [W]);

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

    /// The same value, but the compiler does not regroup sums across it: LLVM reorders the operands
    /// of a sum, and could add the one that arrives last first.
    #[inline(always)]
    #[must_use]
    fn fence(self) -> Self {
        self
    }
    /// The same values, but the compiler computes neither before the other's operands: two
    /// independent computations stay interleaved, although LLVM would put one after the other.
    #[inline(always)]
    fn keep_interleaved(_a: &mut Self, _b: &mut Self) {}
    /// `a ^ b ^ c`; one instruction where the CPU has ternary logic.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        a.xor(b).xor(c)
    }
    /// `Ch` of FIPS 180-4: bits of `f` where `e` is set, of `g` elsewhere.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ch(e: Self, f: Self, g: Self) -> Self {
        g.xor(e.and(f.xor(g)))
    }
    /// `Maj` of FIPS 180-4: the majority bit. In this form, a round's `a ^ b` is the next round's
    /// `b ^ c`, which compilers exploit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn maj(a: Self, b: Self, c: Self) -> Self {
        b.xor(a.xor(b).and(b.xor(c)))
    }
    /// A row of Keccak's chi (FIPS 202, section 3.2.4): `a ^ (!b & c)`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn chi(a: Self, b: Self, c: Self) -> Self {
        a.xor(b.andnot(c))
    }
}

/// One register of `N` words: [`SimdWord`] with conversions between rows and columns.
pub trait Vector<W: Word>: SimdWord<W, Vector = Self> {
    /// One `T` per lane.
    type Per<T: Copy>: Array<T>;

    /// Word `l` of `bytes` in lane `l`. Panics if there are fewer than `N` words.
    fn load_bytes(proof: Self::Proof, order: ByteOrder, bytes: &[u8]) -> Self;
    /// Lane `l` into word `l` of `bytes`. Panics if there are fewer than `N` words.
    fn store_bytes(self, order: ByteOrder, bytes: &mut [u8]);
    /// Rows to columns: element `l` of result `i` is element `i` of row `l`.
    fn transpose(rows: Self::Per<Self>) -> Self::Per<Self>;

    /// A square of words as columns, one row from each of the lanes from `first` on, at byte `at`
    /// of its run: element `l` of result `i` is word `i` of row `l`.
    ///
    /// # Panics
    /// If there are not `N` such lanes, or `N` words in each of the runs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load_square(
        proof: Self::Proof,
        order: ByteOrder,
        runs: &Runs<'_>,
        first: usize,
        at: usize,
    ) -> Self::Per<Self> {
        let mut rows = Self::Per::<Self>::splat(Self::splat(proof, W::default()));
        // nested, so that it is unrolled
        for l in (0..Self::N).step_by(4) {
            for l in l..(l + 4).min(Self::N) {
                let row = subslice(runs.runs()[first + l], at, Self::N * W::BYTES);
                rows.as_mut()[l] = Self::load_bytes(proof, order, row);
            }
        }
        Self::transpose(rows)
    }

    /// The words at byte `offset` of `message`, followed by the byte `pad` if the message ends at
    /// or before them, and by zeros.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn load_padded(
        proof: Self::Proof,
        order: ByteOrder,
        message: &[u8],
        offset: usize,
        pad: u8,
    ) -> Self {
        let mut row = [0; MAX_VECTOR_BYTES];
        if let Some(rest) = message.get(offset..) {
            let bytes = Self::N * W::BYTES;
            if bytes <= rest.len() {
                return Self::load_bytes(proof, order, rest);
            }
            copy_short(&mut row, rest);
            row[rest.len()] = pad;
        }
        Self::load_bytes(proof, order, &row)
    }

    /// Lane `l` into word `l` of `bytes`, until it is full; less than `N` words.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store_part(self, order: ByteOrder, bytes: &mut [u8]) {
        // aligned, so that the stored words can be reloaded without a stall
        #[repr(align(64))]
        struct Row([u8; MAX_VECTOR_BYTES]);
        let mut row = Row([0; MAX_VECTOR_BYTES]);
        self.store_bytes(order, &mut row.0);
        copy_short(bytes, &row.0[..bytes.len()]);
    }

    /// Writes word `i` of every lane, `words[i]`, to `out`, which has `size` bytes per lane; the
    /// words of a lane start at its byte `first`. Lanes beyond `out` are left out.
    #[inline(always)]
    fn store_columns(
        proof: Self::Proof,
        words: &[Self],
        order: ByteOrder,
        (first, size): (usize, usize),
        out: &mut [u8],
    ) {
        store_square(proof, words, order, (first, size), out);
    }

    /// Rotates each group of four words to the left by `by`, which is constant at every call site.
    #[inline(always)]
    fn rotate_groups_left(proof: Self::Proof, groups: Self, by: usize) -> Self {
        if Self::N == 4 {
            return Self::concat_from(proof, groups, groups, by);
        }
        let (mut words, mut turned) = ([W::default(); 16], [W::default(); 16]);
        groups.store(&mut words);
        for i in 0..16 {
            turned[i] = words[i / 4 * 4 + (i + by) % 4];
        }
        Self::load(proof, &turned)
    }

    /// The words of `a` from index `at` on, followed by the first of `b`; `at` is less than `N` and
    /// constant at every call site.
    #[inline(always)]
    fn concat_from(proof: Self::Proof, a: Self, b: Self, at: usize) -> Self {
        let mut words = [W::default(); 2 * MAX_VECTOR_BYTES / 4];
        a.store(&mut words);
        b.store(&mut words[Self::N..]);
        Self::load(proof, &words[at..])
    }

    /// Prefetches the line at `bytes[offset]`. Any offset is allowed, because it is only a hint.
    #[inline(always)]
    fn prefetch(_proof: Self::Proof, _bytes: &[u8], _offset: usize) {}
}

/// [`Vector::store_columns`] by a transpose of as many words as there are lanes.
#[inline(always)]
pub fn store_square<W: Word, V: Vector<W>>(
    proof: V::Proof,
    words: &[V],
    order: ByteOrder,
    (first, size): (usize, usize),
    out: &mut [u8],
) {
    let mut columns = V::Per::<V>::splat(V::splat(proof, W::default()));
    for (column, word) in columns.as_mut().iter_mut().zip(words) {
        *column = *word;
    }
    let rows = V::transpose(columns);
    for l in 0..V::N {
        let Some(lane) = out.get_mut(l * size..(l + 1) * size) else { break };
        let part = &mut lane[first..];
        if V::N * W::BYTES <= part.len() {
            rows.as_ref()[l].store_bytes(order, part);
        } else {
            rows.as_ref()[l].store_part(order, part);
        }
    }
}

/// Words of a block, repeated to fill the vector.
#[inline(always)]
fn repeated<W: Word, V: Vector<W>>(proof: V::Proof, block: &[u8], at: [usize; 4]) -> V {
    let mut words = [W::default(); 16];
    for i in 0..16 {
        words[i] = W::from_le(&block[at[i % 4] * W::BYTES..]);
    }
    V::load(proof, &words)
}

/// Zero-sized evidence that the CPU supports an instruction set, and its vectors.
pub trait Isa: Copy {
    /// The proof that this set's vectors need; a set may borrow another's vectors (AVX takes
    /// SSE4.1's).
    type Proof: Copy;
    /// Vector of 32-bit words.
    type U32: Vector<u32, Proof = Self::Proof>;
    /// Vector of 64-bit words.
    type U64: Vector<u64, Proof = Self::Proof>;

    /// The token.
    ///
    /// # Panics
    /// If the CPU lacks the set.
    fn token() -> Self;
    /// The proof that the vectors take.
    fn proof(self) -> Self::Proof;
    /// [`Word::gather_row`] of words of 32 bits.
    #[inline(always)]
    fn gather_row32(self, block: &[u8; 64], at: [usize; 4]) -> Self::U32 {
        repeated(self.proof(), block, at)
    }
    /// [`Word::gather_row`] of words of 64 bits.
    #[inline(always)]
    fn gather_row64(self, block: &[u8; 128], at: [usize; 4]) -> Self::U64 {
        repeated(self.proof(), block, at)
    }
    /// [`Word::xor_rotr`] of words of 32 bits.
    #[inline(always)]
    fn xor_rotr32(self, early: Self::U32, late: Self::U32, n: u32) -> Self::U32 {
        early.xor(late).rotr(n)
    }
    /// [`Word::xor_rotr`] of words of 64 bits.
    #[inline(always)]
    fn xor_rotr64(self, early: Self::U64, late: Self::U64, n: u32) -> Self::U64 {
        early.xor(late).rotr(n)
    }
    /// Runs `kernel` compiled for this instruction set.
    fn run<K: VectorCode<Self>>(self, kernel: K) -> K::Out;
}

/// Code that [`Isa::run`] compiles for the instruction set `I`. Most implementations are for every `I`.
pub trait VectorCode<I: Isa> {
    /// The result of the work.
    type Out;
    /// The work. Implementations are `#[inline(always)]`.
    fn call(self, isa: I) -> Self::Out;
}
