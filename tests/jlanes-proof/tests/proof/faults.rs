//! Faults in each operation of a compression function: the proof must fail, unless the function is
//! still the same.
//!
//! If states differ for random words, no proof can exist. Otherwise the faulty rounds run on terms, and
//! must be proved equal to the standard.

use std::cell::Cell;

use jlanes_core::simd::{
    portable::PlainWords,
    registers::LatencyBound,
    vector::{Array, SimdWord, Word},
};
use jlanes_proof::{differ::compare, lanes::Terms, names::Name, standards::Standard, term};

use crate::forms::{array, block_of, inputs, lane, state_of, vector};

/// The kind of fault.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// A flipped bit of the result.
    Bit,
    /// The first operand in place of the second, or a distance of one bit more.
    Operand,
    /// Another operation.
    Operation,
}

thread_local! {
    /// The number of operations so far.
    static DONE: Cell<usize> = const { Cell::new(0) };
    /// The number of the faulty operation, and its fault.
    static WRONG: Cell<Option<(usize, Fault)>> = const { Cell::new(None) };
}

/// Counts an operation, and returns its fault.
fn wrong() -> Option<Fault> {
    let number = DONE.replace(DONE.get() + 1);
    WRONG.get().filter(|(wrong, _)| *wrong == number).map(|(_, fault)| fault)
}

/// Lanes with a fault in one operation.
#[derive(Clone, Copy)]
struct Faulty<V>(V);

impl<V> Faulty<V> {
    fn done<W: Name>(result: V, fault: Option<Fault>) -> Self
    where
        V: SimdWord<W, Proof = ()>,
    {
        let bit = W::truncate(1 << (DONE.get() as u32 % W::BITS));
        match fault {
            Some(Fault::Bit) => Self(result.xor(V::splat((), bit))),
            _ => Self(result),
        }
    }
}

macro_rules! binary {
    ($($name:ident: $other:ident;)*) => {$(
        #[inline(never)]
        fn $name(self, other: Self) -> Self {
            let fault = wrong();
            let result = match fault {
                Some(Fault::Operand) => self.0.$name(self.0),
                Some(Fault::Operation) => self.0.$other(other.0),
                _ => self.0.$name(other.0),
            };
            Self::done::<W>(result, fault)
        }
    )*};
}

impl<W: Name, V: SimdWord<W, Proof = ()>> SimdWord<W> for Faulty<V> {
    const N: usize = V::N;
    const LATENCY_BOUND: bool = V::LATENCY_BOUND;
    type Proof = ();
    type Vector = V::Vector;

    fn from_vectors(vectors: [V::Vector; 2]) -> Self {
        Self(V::from_vectors(vectors))
    }
    fn vectors(self) -> [V::Vector; 2] {
        self.0.vectors()
    }
    #[inline(never)]
    fn splat((): (), word: W) -> Self {
        Self::done::<W>(V::splat((), word), wrong().map(|_| Fault::Bit))
    }
    fn load((): (), words: &[W]) -> Self {
        Self(V::load((), words))
    }
    fn store(self, words: &mut [W]) {
        self.0.store(words);
    }
    binary! {
        add: xor;
        xor: or;
        and: or;
        or: and;
        andnot: and;
    }
    #[inline(never)]
    fn rotr(self, n: u32) -> Self {
        let fault = wrong();
        let result = match fault {
            Some(Fault::Operand) => self.0.rotr((n + 1) % W::BITS),
            Some(Fault::Operation) => self.0.shr(n),
            _ => self.0.rotr(n),
        };
        Self::done::<W>(result, fault)
    }
    #[inline(never)]
    fn shr(self, n: u32) -> Self {
        let fault = wrong();
        let result = match fault {
            Some(Fault::Operand) => self.0.shr(n - 1),
            Some(Fault::Operation) => self.0.rotr(n),
            _ => self.0.shr(n),
        };
        Self::done::<W>(result, fault)
    }
}

/// The states after several pseudo-random blocks.
fn values<C: Standard, V: SimdWord<C::Word, Proof = ()>>(
    fault: Option<(usize, Fault)>,
    sample: u128,
) -> Vec<C::Word> {
    let words = |seed: u128| {
        move |i| {
            let words: Vec<_> = (1..=V::N as u128)
                .map(|l| {
                    (seed + l + 64 * i as u128)
                        .wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
                })
                .map(|word| C::Word::truncate(word >> 40))
                .collect();
            Faulty(V::load((), &words))
        }
    };
    let mut state: C::State<Faulty<V>> = array(words(sample << 21));
    let block = array(words(sample << 21 | 1 << 20));
    DONE.set(0);
    WRONG.set(fault);
    C::compress::<Faulty<V>>((), &mut state, block);
    WRONG.set(None);
    let mut out = vec![C::Word::default(); C::State::<u8>::LEN * V::N];
    for (out, word) in out.chunks_exact_mut(V::N).zip(state.as_ref()) {
        word.0.store(out);
    }
    out
}

/// Whether the text with a fault is proved equal to the standard.
fn proof<C: Standard, V, const N: usize>(fault: (usize, Fault)) -> Result<(), String>
where
    V: SimdWord<C::Word, Proof = (), Vector = Terms<C::Word, N>>,
{
    let expected = C::compressed(&inputs(state_of::<C>(), 0), &inputs(block_of::<C>("block"), 0));
    let mut state: C::State<Faulty<V>> = array(|i| vector("state", i));
    let block = array(|i| vector("block", i));
    DONE.set(0);
    WRONG.set(Some(fault));
    C::compress::<Faulty<V>>((), &mut state, block);
    WRONG.set(None);
    compare("a fault", &lane(state.as_ref(), 0), &expected)
}

/// Plants every fault in the rounds on `Plain`. Tries the proof on `V` for each fault that no value
/// reveals, and for a sample of the others.
fn every_fault<C: Standard, Plain, V, const N: usize>()
where
    Plain: SimdWord<C::Word, Proof = ()>,
    V: SimdWord<C::Word, Proof = (), Vector = Terms<C::Word, N>>,
{
    const SHOWN: usize = 97;
    term::begin(C::Word::BITS);
    let right: Vec<_> = (0..8).map(|sample| values::<C, Plain>(None, sample)).collect();
    let operations = DONE.get();
    let (mut caught, mut same) = (0, Vec::new());
    let faults = (0..operations).flat_map(|operation| {
        [Fault::Bit, Fault::Operand, Fault::Operation].map(|kind| (operation, kind))
    });
    for fault in faults {
        let wrong =
            |(sample, right): (u128, &Vec<_>)| values::<C, Plain>(Some(fault), sample) != *right;
        let seen = (0..).zip(&right).any(wrong);
        if seen && caught % SHOWN != 0 {
            caught += 1;
            continue;
        }
        match proof::<C, V, N>(fault) {
            Ok(()) => {
                assert!(!seen, "{fault:?}: a wrong function is proved");
                same.push(fault);
            }
            Err(difference) => {
                assert!(
                    difference.contains("they are 0x"),
                    "{fault:?} is neither proved nor seen: {difference}"
                );
                caught += 1;
            }
        }
    }
    println!(
        "{operations} operations: {caught} faults found, {} change nothing: {same:?}",
        same.len()
    );
    assert!(caught > 100 * same.len());
}

/// The text on one lane.
pub(crate) fn faults<C: Standard>() {
    every_fault::<C, PlainWords<C::Word, 1>, Terms<C::Word, 1>, 1>();
}

/// The text on a register, for functions with a separate text for one lane.
pub(crate) fn faults_wide<C: Standard>() {
    every_fault::<C, PlainWords<C::Word, 2>, Terms<C::Word, 2>, 2>();
}

/// The text for cores that wait on latency.
pub(crate) fn faults_serial<C: Standard>() {
    every_fault::<C, LatencyBound<PlainWords<C::Word, 1>>, LatencyBound<Terms<C::Word, 1>>, 1>();
}
