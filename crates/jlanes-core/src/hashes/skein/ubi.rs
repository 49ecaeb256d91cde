//! UBI (Skein 1.3, section 3.4): Threefish as a compression function that includes the kind and
//! position of its input.
//!
//! A lane's state is the chaining value and the tweak, so lanes can be anywhere in messages of any
//! kind: every block advances the tweak's position and clears its "first" flag.

use super::threefish::{Key, Threefish, encrypt};
use crate::{
    compression::{
        AdvanceStreams, Bytes, Compression, Ending, LaneBuffer, MAX_BLOCK, Shape, padding::Padding,
    },
    engine::{Engine, messages::Messages},
    kernel::{Kernels, plan::Plan, portable, stream},
    simd::lanes::{Array, ByteOrder, SimdWord},
    wipe,
};

/// Flags of the tweak's upper word.
const FIRST: u64 = 1 << 62;
const FINAL: u64 = 1 << 63;
const BIT_PADDED: u64 = 1 << 55;
/// The positions of the tree level and the kind in the upper word.
const LEVEL: u32 = 48;
const KIND: u32 = 56;

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

/// The compression function of UBI: Threefish in one of its sizes.
pub trait Ubi: Compression<Word = u64> {
    /// A chaining value. It is sent between threads, which [`Compression::Block`] does not
    /// guarantee.
    type Chain: Array<u64> + Send + Sync + 'static;
    /// Words of a chaining value; the state has two more, the tweak.
    const WORDS: usize;
    /// One stream in scalar code.
    const ONE_STREAM: Kernels<u64>;
}

/// The engine of a single block, for which no other is worth its choice: a configuration, an output.
#[derive(Clone, Copy, Debug)]
pub struct OneStream;

impl<T: Ubi> Engine<T> for OneStream {
    fn kernels(&self) -> Kernels<u64> {
        T::ONE_STREAM
    }
}

macro_rules! compressions {
    ($($words:literal, $state:literal, $scalar:ident;)*) => {$(
        #[inline(never)]
        fn $scalar(
            shape: &Shape<u64>,
            state: &mut [u64],
            runs: &[&[u8]],
            bytes: Bytes,
            blocks: usize,
            last: &[u64],
        ) {
            stream::advance_one::<Threefish<$words>>(shape, state, runs, bytes, blocks, last);
        }

        impl Compression for Threefish<$words> {
            type Word = u64;
            type State<T: Copy> = [T; $state];
            type Block<T: Copy> = [T; $words];
            type PerLane<T: Copy> = [T; 8];
            const BLOCK: usize = 8 * $words;
            const ORDER: ByteOrder = ByteOrder::Little;
            const ENDING: Ending =
                Ending::Counter { low: $words, high: None, flag: $words + 1, bits: FINAL };
            const SCALAR: Option<AdvanceStreams<u64>> = Some($scalar);

            #[inline(always)]
            fn compress<V: SimdWord<u64>>(
                proof: V::Proof,
                state: &mut [V; $state],
                block: [V; $words],
            ) {
                compress::<V, $words, $state>(proof, state, block);
            }
        }

        impl Ubi for Threefish<$words> {
            type Chain = [u64; $words];
            const WORDS: usize = $words;
            const ONE_STREAM: Kernels<u64> = Kernels {
                shape: const { &Shape::of::<Self>() },
                table: const { &[portable::kernel::<Self>()] },
                sets: 0,
                plans: [const { &Plan::only(1) }; 3],
            };
        }
    )*};
}
compressions! { 4, 6, scalar_256; 8, 10, scalar_512; 16, 18, scalar_1024; }

#[inline(always)]
fn compress<V: SimdWord<u64>, const W: usize, const S: usize>(
    proof: V::Proof,
    state: &mut [V; S],
    block: [V; W],
) where
    Threefish<W>: super::threefish::Rounds,
{
    let mut chain = [state[0]; W];
    chain.copy_from_slice(&state[..W]);
    let position = state[W].add(V::splat(proof, 8 * W as u64));
    let key = Key::new(proof, chain, [position, state[W + 1]]);
    let cipher = encrypt(proof, &key, block);
    for i in 0..W {
        state[i] = cipher[i].xor(block[i]);
    }
    state[W] = position;
    state[W + 1] = state[W + 1].and(V::splat(proof, !FIRST));
}

/// A chaining value: the state without the tweak.
pub type Chain<T> = <T as Ubi>::Chain;
/// A chaining value and a tweak.
pub type State<T> = <T as Compression>::State<u64>;

/// The chaining value before the first UBI call.
#[must_use]
pub fn zero<T: Ubi>() -> Chain<T> {
    Array::splat(0)
}

/// The state before the first block of a UBI call on `chain` with data from byte `position` of its
/// level on (below 2^96; not 0 for a tree's later leaves and nodes).
///
/// The upper 32 bits of a position are constant from here on, because no call sees 2^64 bytes.
#[must_use]
pub fn start<T: Ubi>(chain: &Chain<T>, kind: BlockType, level: u8, position: u128) -> State<T> {
    let mut state = State::<T>::splat(0);
    let words = state.as_mut();
    words[..T::WORDS].copy_from_slice(chain.as_ref());
    words[T::WORDS] = position as u64;
    words[T::WORDS + 1] =
        (position >> 64) as u64 | FIRST | (kind as u64) << KIND | u64::from(level) << LEVEL;
    state
}

/// Prepares `state` for the call's last block, of which `tail` bytes are data.
#[inline]
pub fn last<T: Ubi>(state: &mut State<T>, tail: usize, bit_padded: bool) {
    let words = state.as_mut();
    words[T::WORDS] = words[T::WORDS].wrapping_add(tail as u64).wrapping_sub(T::BLOCK as u64);
    words[T::WORDS + 1] |= FINAL | if bit_padded { BIT_PADDED } else { 0 };
}

/// The chaining value in a state.
#[inline]
#[must_use]
pub fn chain<T: Ubi>(state: &State<T>) -> Chain<T> {
    let mut chain = Chain::<T>::splat(0);
    chain.as_mut().copy_from_slice(&state.as_ref()[..T::WORDS]);
    chain
}

/// Writes a chaining value's bytes until `out` is full.
#[inline]
pub fn write(words: &[u64], out: &mut [u8]) {
    for (out, word) in out.chunks_mut(8).zip(words) {
        out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
    }
}

/// One UBI call with data in pieces.
#[derive(Clone)]
pub struct Absorber<T: Ubi, E> {
    engine: E,
    state: State<T>,
    /// The last block is treated differently, so a full one waits here for more data.
    block: [u8; MAX_BLOCK],
    held: usize,
}

impl<T: Ubi, E: Engine<T>> Absorber<T, E> {
    /// A call that begins at `state`.
    #[must_use]
    pub fn new(engine: E, state: State<T>) -> Self {
        Self { engine, state, block: [0; MAX_BLOCK], held: 0 }
    }

    /// Absorbs `data`.
    pub fn update(&mut self, mut data: &[u8]) {
        if self.held > 0 {
            let n = data.len().min(T::BLOCK - self.held);
            self.block[self.held..][..n].copy_from_slice(&data[..n]);
            self.held += n;
            data = &data[n..];
            if data.is_empty() {
                return;
            }
            self.engine.advance_one(&mut self.state, &self.block[..T::BLOCK]);
        }
        let whole = data.len().saturating_sub(1) / T::BLOCK * T::BLOCK;
        let (blocks, tail) = data.split_at(whole);
        self.engine.advance_one(&mut self.state, blocks);
        self.block[..tail.len()].copy_from_slice(tail);
        self.held = tail.len();
    }

    /// Finishes the call; nothing may follow. Only the `bits` most significant bits of the last byte are
    /// data; 0 means all eight.
    #[must_use]
    pub fn finish(&mut self, bits: u32) -> Chain<T> {
        if bits > 0 {
            let byte = &mut self.block[self.held - 1];
            *byte = *byte & !(0xff >> bits) | 0x80 >> bits;
        }
        self.block[self.held..].fill(0);
        last::<T>(&mut self.state, self.held, bits > 0);
        self.engine.advance_one(&mut self.state, &self.block[..T::BLOCK]);
        chain::<T>(&self.state)
    }
}

impl<T: Ubi, E> Drop for Absorber<T, E> {
    fn drop(&mut self) {
        wipe::words(self.state.as_mut());
        wipe::bytes(self.block.as_mut());
    }
}

/// One UBI call on `data`, finished as in [`Absorber::finish`].
#[must_use]
pub fn once<T: Ubi, E: Engine<T>>(engine: E, state: State<T>, data: &[u8], bits: u32) -> Chain<T> {
    let mut absorber = Absorber::<T, E>::new(engine, state);
    absorber.update(data);
    absorber.finish(bits)
}

/// Up to [`Engine::lanes`] UBI calls at once, on `data` of equal lengths, a positive number of
/// blocks. `states` are the initial states, and hold the chaining values afterwards.
///
/// # Panics
/// If there are more states than lanes, or fewer data than states.
pub fn many<T: Ubi, E: Engine<T>>(engine: E, states: &mut [State<T>], data: &[&[u8]]) {
    let kernels = engine.kernels();
    let mut lanes = LaneBuffer::new(kernels.shape);
    for (l, state) in states.iter().enumerate() {
        lanes.states().set(l, state.as_ref());
    }
    kernels.messages(Messages {
        blocks: data[0].len() / T::BLOCK,
        end: Some((Padding::Zeros, 0)),
        ..Messages::advance(lanes.states(), &data[..states.len()])
    });
    for (l, state) in states.iter_mut().enumerate() {
        lanes.get_into(l, state.as_mut());
    }
}

/// The output function: bytes from block `counter` on, one block per lane.
pub fn output<T: Ubi, E: Engine<T>>(engine: E, chain: &Chain<T>, counter: u64, out: &mut [u8]) {
    let mut start = start::<T>(chain, BlockType::Output, 0, 0);
    last::<T>(&mut start, 8, false);
    output_blocks(engine.kernels(), start.as_ref(), counter, out);
}

fn output_blocks(kernels: Kernels<u64>, start: &[u64], counter: u64, out: &mut [u8]) {
    let (lanes, size) = (kernels.lanes(), kernels.shape.block);
    for (group, out) in out.chunks_mut(lanes * size).enumerate() {
        let mut blocks = [[0; MAX_BLOCK]; LANES];
        for (l, block) in blocks[..lanes].iter_mut().enumerate() {
            let number = counter.wrapping_add((group * lanes + l) as u64);
            block[..8].copy_from_slice(&number.to_le_bytes());
        }
        let inputs = blocks.each_ref().map(|block| &block[..size]);
        let mut states = LaneBuffer::new(kernels.shape);
        let live = out.len().div_ceil(size);
        kernels.messages(Messages {
            blocks: 1,
            start: Some(start),
            ..Messages::advance(states.states(), &inputs[..live])
        });
        for (l, out) in out.chunks_mut(size).enumerate() {
            let mut state = [0; LONGEST];
            states.get_into(l, &mut state[..kernels.shape.state]);
            write(&state, out);
        }
    }
}

/// The maximum number of lanes of any kernel here.
const LANES: usize = 8;

/// Words of the longest state.
const LONGEST: usize = 18;
