//! The end of the lanes: their tails, of lengths that differ by a word at most, and their padding.

use core::ops::Range;

use jlanes_core::{
    engine::{Engine, Input},
    hash::{HashFunction, MAX_BLOCK, compression::Compression, padding::Padding, shared_block},
    simd::lanes::{Array, Word},
};

use crate::{deal::Group, model::slice};

/// What the ends of all lanes have in common.
pub(super) struct Ends<'a, C: Compression> {
    /// Lanes of the tree.
    pub(super) lanes: usize,
    /// The bytes after the last whole super-block.
    pub(super) tail: &'a [u8],
    /// Bytes of the message.
    pub(super) total: u64,
    /// What every lane starts with: nothing, or a block.
    pub(super) prefix: &'a [u8],
    /// The last block, where it is the same in every lane.
    shared: Option<C::Shared>,
    function: Function<C>,
}

/// A hash function as far as ends go, so that functions of one compression function have one code.
struct Function<C: Compression> {
    padding: Padding,
    /// [`HashFunction::start`].
    start: C::State<C::Word>,
    /// [`HashFunction::end`].
    end: End<C::State<C::Word>>,
}

/// Of a part's number, a state, the bytes of a tail and of a message, and room for blocks.
type End<S> = fn(usize, &mut S, usize, u128, &mut [u8]) -> usize;

/// Lanes from which on it pays to expand a block that they share.
const MANY: usize = 8;

/// One `T` for each of a group's lanes.
type PerLane<C, T> = <C as Compression>::PerLane<T>;
/// The last blocks of a lane.
type Blocks = [u8; 2 * MAX_BLOCK];

impl<'a, C: Compression> Ends<'a, C> {
    pub(super) fn new<F: HashFunction<Compression = C>>(
        lanes: usize,
        tail: &'a [u8],
        total: u64,
        prefix: &'a [u8],
    ) -> Self {
        let function = Function { padding: F::PADDING, start: F::start(), end: F::end };
        let mut ends = Self { lanes, tail, total, prefix, shared: None, function };
        ends.shared = ends.shared::<F>();
        ends
    }

    /// Takes the group's lanes to their ends.
    pub(super) fn finish<E: Engine<C>>(&self, engine: E, group: &mut Group<C>) {
        if let (Some(last), true) = (&self.shared, self.tail.is_empty()) {
            let live = group.live;
            return engine.advance_shared(group.states(), live, last);
        }
        let block = C::BLOCK;
        let mut room = PerLane::<C, Blocks>::splat([0; 2 * MAX_BLOCK]);
        let blocks = room.as_mut();
        let mut tails = PerLane::<C, usize>::splat(0);
        let tails = tails.as_mut();
        for l in 0..group.live {
            tails[l] = self.start(group, l, &mut blocks[l]);
        }
        let mut whole = PerLane::<C, usize>::splat(0);
        let whole = whole.as_mut();
        for (whole, tail) in whole.iter_mut().zip(&*tails) {
            *whole = tail.saturating_sub(self.function.padding.hold_back()) / block;
        }
        run(engine, group, blocks, 0..1, None, &|l| whole[l] > 0);
        for l in 0..group.live {
            blocks[l].copy_within(whole[l] * block..tails[l], 0);
            tails[l] -= whole[l] * block;
            blocks[l][tails[l]..].fill(0);
        }
        for part in 0.. {
            let mut counts = PerLane::<C, usize>::splat(0);
            let counts = counts.as_mut();
            for l in 0..group.live {
                let total = self.prefix.len() as u128 + u128::from(self.slice(group, l));
                let mut state: C::State<C::Word> = group.states().get(l);
                counts[l] = (self.function.end)(part, &mut state, tails[l], total, &mut blocks[l]);
                group.states().set(l, &state);
            }
            let least = counts[..group.live].iter().copied().min().unwrap_or(0);
            if least == 0 {
                break;
            }
            let own = if self.shared.is_some() { least - 1 } else { least };
            let last = self.shared.as_ref();
            run(engine, group, blocks, 0..own, last, &|_| true);
            // an end is a block or two
            run(engine, group, blocks, least..least + 1, None, &|l| counts[l] > least);
        }
        #[cfg(feature = "zeroize")]
        digest::zeroize::Zeroize::zeroize(blocks.as_flattened_mut());
    }

    /// Copies the tail of the group's lane number `l` into `blocks` and returns its length. Its
    /// last word may be more than a block has room for, in functions that hold the last block back.
    fn start(&self, group: &mut Group<C>, l: usize, blocks: &mut Blocks) -> usize {
        if self.function.padding.hold_back() > 0 && self.slice(group, l) == 0 {
            // nothing follows the prefix, so it is held back itself
            group.states().set(l, &self.function.start);
            blocks[..self.prefix.len()].copy_from_slice(self.prefix);
            return self.prefix.len();
        }
        let word = C::Word::BYTES;
        let mut tail = 0;
        let own = self.tail.get((group.first + l) * word..).unwrap_or_default();
        for bytes in own.chunks(self.lanes * word) {
            let bytes = &bytes[..bytes.len().min(word)];
            blocks[tail..][..bytes.len()].copy_from_slice(bytes);
            tail += bytes.len();
        }
        tail
    }

    /// The end's last block, if it is the same in all lanes and pays for being expanded.
    fn shared<F: HashFunction<Compression = C>>(&self) -> Option<C::Shared> {
        let equal = self.tail.len().is_multiple_of(self.lanes * C::Word::BYTES);
        if !equal || self.lanes < MANY {
            return None;
        }
        let slice = self.total / self.lanes as u64;
        shared_block::of_length::<F>(self.prefix.len() as u128 + u128::from(slice))
    }

    /// Bytes of the slice of the group's lane number `l`.
    fn slice(&self, group: &Group<C>, l: usize) -> u64 {
        let (lanes, lane) = (self.lanes as u64, (group.first + l) as u64);
        slice(C::Word::BYTES, self.total, lanes, lane)
    }
}

/// Advances by these of their blocks, and by the shared block `last`, the lanes of the group that
/// are asked for, and no other.
fn run<C: Compression, E: Engine<C>>(
    engine: E,
    group: &mut Group<C>,
    blocks: &[Blocks],
    range: Range<usize>,
    last: Option<&C::Shared>,
    wanted: &dyn Fn(usize) -> bool,
) {
    let Some(farthest) = (0..group.live).rfind(|l| wanted(*l)) else { return };
    let before = *group;
    let mut runs = PerLane::<C, &[u8]>::splat(&[]);
    for (run, blocks) in runs.as_mut().iter_mut().zip(blocks) {
        *run = &blocks[range.start * C::BLOCK..];
    }
    let input = Input::Runs(runs.as_ref());
    engine.advance(group.states(), input, farthest + 1, range.len(), last);
    for l in (0..group.live).filter(|l| !wanted(*l)) {
        group.restore(&before, l);
    }
}
