//! Digests that are hashed again, without leaving the lanes: chains, double digests, the outer hash
//! of HMAC, the rounds of PBKDF2.
//!
//! A digest is the first words of a state, and the next block is those words and padding that is
//! the same for all. So the result of one compression becomes the input of the next as it is.

use core::marker::PhantomData;

use super::interleaved::{LanesOf, StateOf};
use crate::{
    hash::{
        HashFunction, MAX_BLOCK, State, WordOf,
        compression::{AllLanes, Compression, LaneStates, block_words, max_lanes, write_words},
        digest_size,
        padding::{self, Padding},
    },
    simd::{
        groups::Groups,
        isa::{Isa, Kernel},
        lanes::{Array, Lanes, Word},
    },
};

/// Digests that are hashed `rounds` times, each time from one start after the other.
///
/// ```text
/// for each lane:  repeat `rounds` times:
///                     for each of `starts`:  digest = compress(start, digest || padding)
///                     sum = sum ^ digest, if there is a sum
///                 write the digest, or keep it
/// ```
pub struct Rehash<'a, C: Compression> {
    /// The digests, each the first words of a state; the words behind them do not matter.
    pub digests: LaneStates<'a, C::Word>,
    /// The block around a digest.
    pub block: &'a DigestBlock<C>,
    /// Where the hashes start: what [`DigestBlock::starting_at`] gives.
    pub starts: &'a [Start<C>],
    /// How often.
    pub rounds: u64,
    /// What the digests of all rounds are added to, modulo 2.
    pub sum: Option<LaneStates<'a, C::Word>>,
    /// Number of lanes.
    pub live: usize,
    /// Where the last digests go, and the bytes of each.
    pub out: Option<(&'a mut [u8], usize)>,
}

/// Where a hash starts.
#[derive(Clone, Copy)]
pub enum Start<C: Compression> {
    /// In the same state in every lane.
    Same(C::State<C::Word>),
    /// In a state of its own in each lane.
    Each(AllLanes<C>),
}

impl<C: Compression> Start<C> {
    /// Overwrites the states, which may be made of a key, with the feature `zeroize`.
    pub fn wipe(&mut self) {
        match self {
            Self::Same(state) => crate::wipe::words(state.as_mut()),
            Self::Each(states) => states.wipe(),
        }
    }
}

impl<C: Compression> core::fmt::Debug for Start<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Same(_) => "Same",
            Self::Each(_) => "Each",
        })
    }
}

/// A block that consists of a digest and what follows it at the end of a message.
#[derive(Clone)]
pub struct DigestBlock<C: Compression> {
    /// The padding; zeros where the digest goes.
    words: C::Block<C::Word>,
    /// How many words hold bytes of the digest.
    digest: usize,
    /// The bits of the last of them that belong to the digest, if not all do.
    kept: Option<C::Word>,
    /// What the end of the message changes in the state, if it shows there.
    closing: Option<[C::Word; 2]>,
}

impl<C: Compression> DigestBlock<C> {
    /// The last block of messages that end with a digest of `H` behind `before` bytes, which are
    /// whole blocks. `None` where the digest of the digest is not computed by one compression, or
    /// is more than the words of the state.
    #[must_use]
    pub fn after<H: HashFunction<Compression = C>>(before: u128) -> Option<Self> {
        let size = digest_size::<H>();
        let total = before + size as u128;
        if H::OUTPUT_TRANSFORM || H::PADDING.blocks::<C>(size) != 1 {
            return None;
        }
        let mut bytes = [0; 2 * MAX_BLOCK];
        H::end(0, &mut H::start(), size, total, &mut bytes);
        let closing = (H::PADDING == Padding::Zeros).then(|| C::closing(size, total));
        let words = block_words::<C>(&bytes);
        let digest = size.div_ceil(C::Word::BYTES);
        let kept = size % C::Word::BYTES;
        let mut mask = [0; size_of::<u64>()];
        mask[..kept].fill(0xff);
        let kept = (kept > 0).then(|| C::Word::read(C::ORDER, &mask));
        Some(Self { words, digest, kept, closing })
    }

    /// Where a hash starts whose last block this is, after what stands before the digest has led to
    /// `start`.
    #[must_use]
    pub fn starting_at(&self, mut start: Start<C>) -> Start<C> {
        let Some(closing) = self.closing else { return start };
        match &mut start {
            Start::Same(state) => padding::close_state::<C>(state, closing),
            Start::Each(states) => {
                for lane in 0..max_lanes::<C>() {
                    let mut state = states.states().get(lane);
                    padding::close_state::<C>(&mut state, closing);
                    states.states().set(lane, &state);
                }
            }
        }
        start
    }

    /// Puts one digest, the first words of `state`, into its block, which had another one before.
    #[inline(always)]
    fn put(&self, state: &[C::Word], block: &mut [C::Word]) {
        // all words of the state, and then back those that are not of the digest: a copy of a length
        // that is known is whole vectors, which the kernel's loads don't have to wait for
        let most = C::State::<C::Word>::LEN.min(C::Block::<C::Word>::LEN);
        block[..most].copy_from_slice(&state[..most]);
        if self.digest < most {
            let behind = self.digest..most;
            block[behind.clone()].copy_from_slice(&self.words.as_ref()[behind]);
        }
        if let Some(kept) = self.kept {
            let last = self.digest - 1;
            block[last] = block[last].and(kept).or(self.words.as_ref()[last]);
        }
    }

    /// The block of every lane.
    #[inline(always)]
    fn around<V: Lanes<C::Word>>(&self, proof: V::Proof, digest: &C::State<V>) -> C::Block<V> {
        let mut block = C::Block::<V>::splat(V::splat(proof, C::Word::default()));
        for i in 0..C::Block::<V>::LEN {
            let word = V::splat(proof, self.words.as_ref()[i]);
            block.as_mut()[i] = match digest.as_ref().get(i) {
                Some(digest) if i < self.digest => *digest,
                _ => word,
            };
        }
        if let Some(kept) = self.kept {
            let last = self.digest - 1;
            let padding = V::splat(proof, self.words.as_ref()[last]);
            let kept = block.as_ref()[last].and(V::splat(proof, kept));
            block.as_mut()[last] = kept.or(padding);
        }
        block
    }
}

impl<C: Compression> Rehash<'_, C> {
    pub(super) fn on<I: Isa, G: Groups>(&mut self, isa: I, first: usize, end: usize) {
        let width = <LanesOf<C, I, G> as Lanes<C::Word>>::N;
        for first in (first..end).step_by(width) {
            isa.run(Run::<C, G> {
                work: self,
                first,
                live: width.min(end - first),
                groups: PhantomData,
            });
        }
    }
}

/// On code that advances `S` streams by runs of bytes, and knows no lanes.
impl<C: Compression> Rehash<'_, C> {
    /// Does what is to be done for the lanes `first..first + S`. `advance` takes the streams'
    /// states and the words of one block for each.
    pub fn on_streams<const S: usize>(
        &mut self,
        first: usize,
        mut advance: impl FnMut(&mut [C::State<C::Word>; S], [&[C::Word]; S]),
    ) {
        let mut digests: [C::State<C::Word>; S] =
            core::array::from_fn(|s| self.digests.get(first + s));
        let mut blocks = [self.block.words; S];
        for _ in 0..self.rounds {
            for start in self.starts {
                for s in 0..S {
                    self.block.put(digests[s].as_ref(), blocks[s].as_mut());
                    digests[s] = match start {
                        Start::Same(start) => *start,
                        Start::Each(starts) => starts.get(first + s),
                    };
                }
                advance(&mut digests, blocks.each_ref().map(|block| block.as_ref()));
            }
            if let Some(sum) = &mut self.sum {
                for s in 0..S {
                    for (i, word) in digests[s].as_ref().iter().enumerate() {
                        let sum = &mut sum.row_mut(i, first + s)[0];
                        *sum = sum.xor(*word);
                    }
                }
            }
        }
        for s in 0..S {
            match &mut self.out {
                Some((out, size)) => {
                    let out = &mut out[(first + s) * *size..][..*size];
                    write_words::<C>(digests[s].as_ref(), out);
                }
                None => self.digests.set(first + s, &digests[s]),
            }
        }
    }
}

/// As many lanes from `first` on as `G` registers have.
struct Run<'w, 'a, C: Compression, G> {
    work: &'w mut Rehash<'a, C>,
    first: usize,
    live: usize,
    groups: PhantomData<G>,
}

impl<C: Compression, G: Groups> Kernel for Run<'_, '_, C, G> {
    type Out = ();

    #[inline(always)]
    fn call<I: Isa>(self, isa: I) {
        let proof = isa.proof();
        let Self { work, first, live, .. } = self;
        let mut digest: StateOf<C, I, G> = work.digests.load::<C, _>(proof, first);
        for _ in 0..work.rounds {
            for start in work.starts {
                let block = work.block.around(proof, &digest);
                match start {
                    Start::Same(start) => {
                        for i in 0..C::State::<C::Word>::LEN {
                            digest.as_mut()[i] = Lanes::splat(proof, start.as_ref()[i]);
                        }
                    }
                    Start::Each(start) => {
                        for i in 0..C::State::<C::Word>::LEN {
                            let row = start.rows()[i].as_ref();
                            digest.as_mut()[i] = Lanes::load(proof, &row[first..]);
                        }
                    }
                }
                C::compress(proof, &mut digest, block);
            }
            if let Some(sum) = &mut work.sum {
                for i in 0..C::State::<C::Word>::LEN {
                    let row = sum.row_mut(i, first);
                    let before: LanesOf<C, I, G> = Lanes::load(proof, row);
                    before.xor(digest.as_ref()[i]).store(row);
                }
            }
        }
        match &mut work.out {
            Some((out, size)) => {
                let out = &mut out[first * *size..][..live * *size];
                Lanes::store_digests::<C>(proof, &digest, *size, out);
            }
            None => work.digests.store::<C, _>(first, &digest),
        }
    }
}

/// The words of a digest in the lane `lane` of `states`.
pub fn put_digest<H: HashFunction>(
    states: &mut LaneStates<'_, WordOf<H>>,
    lane: usize,
    digest: &[u8],
) {
    for (i, bytes) in digest.chunks(WordOf::<H>::BYTES).enumerate() {
        let mut whole = [0; size_of::<u64>()];
        whole[..bytes.len()].copy_from_slice(bytes);
        states.row_mut(i, lane)[0] = WordOf::<H>::read(H::Compression::ORDER, &whole);
    }
}

/// The digest in lane `lane` of `states`.
pub fn get_digest<H: HashFunction>(
    states: &LaneStates<'_, WordOf<H>>,
    lane: usize,
) -> crate::hash::Output<H> {
    H::output(&states.get::<State<H>>(lane))
}
