//! UBI (Skein 1.3, section 3.4): Threefish as a compression function that includes the kind and
//! position of its input.
//!
//! A lane's state is the chaining value and the tweak, so lanes can be anywhere in messages of any
//! kind: every block advances the tweak's position and clears its "first" flag.

use super::threefish::{KeySchedule, Threefish, encrypt};
use crate::{
    compression::{
        AdvanceStreamsFn, Compression, Ending, LaneBuffer, MAX_BLOCK_BYTES, RunByteOrder, Shape,
        padding::Padding,
    },
    kernel::{
        Kernels,
        plan::{InputKind, Plan},
        portable, stream,
    },
    lanes::messages::{LaneWork, MessageEnd, Route},
    simd::{
        vector::{ByteOrder, SimdWord},
        words::write_words,
    },
    wipe,
};

/// The flag in the tweak's upper word of the first block.
const FIRST_FLAG: u64 = 1 << 62;
/// The flag of the last block.
const FINAL_FLAG: u64 = 1 << 63;
/// The flag of a last byte that is not whole.
const BIT_PADDED_FLAG: u64 = 1 << 55;
/// The position of the tree level in the upper word.
const LEVEL_BIT: u32 = 48;
/// The position of the kind of input.
const KIND_BIT: u32 = 56;

/// The kinds of input of a UBI call, in the order of Skein's arguments (Skein 1.3, table 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockType {
    /// A key, which makes the hash a MAC.
    Key = 0,
    /// The configuration string.
    Config = 4,
    /// A personalization string.
    Personalization = 8,
    /// A public key.
    PublicKey = 12,
    /// A key identifier.
    KeyId = 16,
    /// A nonce.
    Nonce = 20,
    /// The message.
    Message = 48,
    /// The output transform's counter.
    Output = 63,
}

/// The portable kernel for a single block, such as a configuration or an output: choosing another one takes
/// longer than it gains.
pub(super) const fn one_stream<C: Compression<Word = u64>>() -> Kernels<u64> {
    Kernels {
        shape: const { &Shape::of::<C>() },
        table: const { &[portable::kernel::<C>()] },
        has: 0,
        plans: [const { &Plan::only(1) }; InputKind::COUNT],
    }
}

macro_rules! compressions {
    ($($words:literal, $state:literal, $scalar:ident;)*) => {$(
        #[inline(never)]
        fn $scalar(
            shape: &Shape<u64>,
            state: &mut [u64],
            runs: &[&[u8]],
            order: RunByteOrder,
            blocks: usize,
            shared: &[u64],
        ) {
            stream::advance_one::<Threefish<$words>>(shape, state, runs, order, blocks, shared);
        }

        impl Compression for Threefish<$words> {
            type Word = u64;
            type State<T: Copy> = [T; $state];
            type Block<T: Copy> = [T; $words];
            const MAX_LANES: usize = 8;
            const BLOCK_BYTES: usize = 8 * $words;
            const ORDER: ByteOrder = ByteOrder::Little;
            const ENDING: Ending =
                Ending::Counter { low: $words, high: None, flag: $words + 1, flag_bits: FINAL_FLAG };
            const SCALAR: Option<AdvanceStreamsFn<u64>> = Some($scalar);

            #[inline(always)]
            fn compress<V: SimdWord<u64>>(
                proof: V::Proof,
                state: &mut [V; $state],
                block: [V; $words],
            ) {
                compress::<V, $words, $state>(proof, state, block);
            }
        }
    )*};
}
compressions! { 4, 6, scalar_256; 8, 10, scalar_512; 16, 18, scalar_1024; }

#[inline(always)]
fn compress<V: SimdWord<u64>, const W: usize, const S: usize>(
    proof: V::Proof,
    state: &mut [V; S],
    block: [V; W],
) {
    let mut chain = [state[0]; W];
    chain.copy_from_slice(&state[..W]);
    let position = state[W].add(V::splat(proof, 8 * W as u64));
    let key = KeySchedule::new(proof, chain, [position, state[W + 1]]);
    let cipher = encrypt(proof, &key, block);
    for i in 0..W {
        state[i] = cipher[i].xor(block[i]);
    }
    state[W] = position;
    state[W + 1] = state[W + 1].and(V::splat(proof, !FIRST_FLAG));
}

/// Begins a UBI call on the chaining value in `state`, with data from byte `position` of its level on (below
/// 2^96; not 0 for a tree's later leaves and nodes).
///
/// The upper 32 bits of a position are constant from here on, because no call sees 2^64 bytes.
#[inline]
pub fn begin_call(state: &mut [u64], kind: BlockType, level: u8, position: u128) {
    let [.., low, high] = state else { unreachable!("a state ends with a tweak") };
    *low = position as u64;
    *high = (position >> 64) as u64
        | FIRST_FLAG
        | (kind as u64) << KIND_BIT
        | u64::from(level) << LEVEL_BIT;
}

/// Prepares `state` for the call's last block, of which `tail` bytes are data.
#[inline]
pub fn prepare_last(state: &mut [u64], tail: usize, bit_padded: bool) {
    let block = size_of_val(chaining_value(state)) as u64;
    let [.., low, high] = state else { unreachable!("a state ends with a tweak") };
    *low = low.wrapping_add(tail as u64).wrapping_sub(block);
    *high |= FINAL_FLAG | if bit_padded { BIT_PADDED_FLAG } else { 0 };
}

/// The chaining value in a state.
#[inline]
#[must_use]
pub fn chaining_value(state: &[u64]) -> &[u64] {
    &state[..state.len() - 2]
}

/// One UBI call with data in pieces.
#[derive(Clone)]
pub struct Absorber {
    kernels: Kernels<u64>,
    state: [u64; MAX_STATE],
    /// The last block is treated differently, so a full one waits here for more data.
    block: [u8; MAX_BLOCK_BYTES],
    held: usize,
}

impl Absorber {
    /// A call that begins at `start`.
    #[must_use]
    pub fn new(kernels: Kernels<u64>, start: &[u64]) -> Self {
        let mut state = [0; MAX_STATE];
        state[..start.len()].copy_from_slice(start);
        Self { kernels, state, block: [0; MAX_BLOCK_BYTES], held: 0 }
    }

    /// Absorbs `data`.
    pub fn update(&mut self, mut data: &[u8]) {
        let size = self.kernels.shape.block_bytes;
        let state = &mut self.state[..self.kernels.shape.state_words];
        if self.held > 0 {
            let n = data.len().min(size - self.held);
            self.block[self.held..][..n].copy_from_slice(&data[..n]);
            self.held += n;
            data = &data[n..];
            if data.is_empty() {
                return;
            }
            self.kernels.advance_one(state, &self.block[..size]);
        }
        let whole = data.len().saturating_sub(1) / size * size;
        let (blocks, tail) = data.split_at(whole);
        self.kernels.advance_one(state, blocks);
        self.block[..tail.len()].copy_from_slice(tail);
        self.held = tail.len();
    }

    /// Finishes the call; nothing may follow. Returns the state with the resulting chaining value. Only the
    /// `bits` most significant bits of the last byte are data; 0 means all eight.
    #[must_use]
    pub fn finish(&mut self, bits: u32) -> &[u64] {
        let state = &mut self.state[..self.kernels.shape.state_words];
        if bits > 0 {
            let byte = &mut self.block[self.held - 1];
            *byte = *byte & !(0xff >> bits) | 0x80 >> bits;
        }
        self.block[self.held..].fill(0);
        prepare_last(state, self.held, bits > 0);
        self.kernels.advance_one(state, &self.block[..self.kernels.shape.block_bytes]);
        state
    }
}

impl Drop for Absorber {
    fn drop(&mut self) {
        wipe::words(&mut self.state);
        wipe::bytes(&mut self.block);
    }
}

/// One UBI call on `data`, which begins at `state` and leaves its chaining value there, finished as in
/// [`Absorber::finish`].
pub fn one_call(kernels: Kernels<u64>, state: &mut [u64], data: &[u8], bits: u32) {
    let mut absorber = Absorber::new(kernels, state);
    absorber.update(data);
    state.copy_from_slice(absorber.finish(bits));
}

/// UBI calls in as many lanes as `data` has slices, of equal lengths, a positive number of blocks.
/// `lanes` holds the initial states, and the chaining values afterwards.
///
/// # Panics
/// If there is no data, or more than the kernels have lanes.
pub fn calls_in_lanes(kernels: Kernels<u64>, lanes: &mut LaneBuffer<u64>, data: &[&[u8]]) {
    let blocks = data[0].len() / kernels.shape.block_bytes;
    let end = Some(MessageEnd { padding: Padding::Zeros, before: 0, all_end: true });
    let work = LaneWork { end, ..LaneWork::new(data, blocks) };
    kernels.advance_messages(work, Route::StatesToStates(lanes.states()));
}

/// Writes the output of the chaining value in `state` (the output function), from block `counter` on, one per lane.
pub fn output(kernels: Kernels<u64>, state: &[u64], counter: u64, out: &mut [u8]) {
    let mut storage = [0; MAX_STATE];
    let start = &mut storage[..state.len()];
    start.copy_from_slice(state);
    begin_call(start, BlockType::Output, 0, 0);
    prepare_last(start, 8, false);
    let (lanes, size) = (kernels.lanes_to_fill(), kernels.shape.block_bytes);
    for (group, out) in out.chunks_mut(lanes * size).enumerate() {
        let mut blocks = [[0; MAX_BLOCK_BYTES]; MAX_LANES];
        for (l, block) in blocks[..lanes].iter_mut().enumerate() {
            let number = counter.wrapping_add((group * lanes + l) as u64);
            block[..8].copy_from_slice(&number.to_le_bytes());
        }
        let inputs = blocks.each_ref().map(|block| &block[..size]);
        let mut states = LaneBuffer::new(kernels.shape);
        let live = out.len().div_ceil(size);
        let route = Route::StartToStates { start, states: states.states() };
        kernels.advance_messages(LaneWork::new(&inputs[..live], 1), route);
        for (l, out) in out.chunks_mut(size).enumerate() {
            let mut state = [0; MAX_STATE];
            states.get_into(l, &mut state[..kernels.shape.state_words]);
            write_words(ByteOrder::Little, &state, out);
        }
    }
}

/// The maximum number of lanes of any kernel here.
const MAX_LANES: usize = 8;

/// Words of the longest state.
pub const MAX_STATE: usize = 18;
