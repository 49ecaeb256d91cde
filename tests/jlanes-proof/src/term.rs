//! Terms: computations on words of 32 or 64 bits, for all inputs.
//!
//! A [`Term`] is an index into an arena of the thread. Equal terms are one term: an existing node is
//! found again, sums are sorted lists of summands with their factors, and a node that is proved equal
//! to an older one is replaced by it. Values at a few random inputs select the older nodes to try.
//! Equal values prove nothing; different values prove that the terms differ.

use std::{
    cell::RefCell,
    collections::HashMap,
    ops::{Add, BitAnd, BitOr, BitXor, Not, Shr, Sub},
};

use crate::{equal, names::Names};

/// A computation on words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

/// The values at four inputs.
pub(crate) type Values = [u64; 4];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// Any word.
    Input {
        name: &'static str,
        index: usize,
        lane: usize,
    },
    Constant(u64),
    /// A sum of terms, each times its factor, and of a number.
    Sum(Vec<(Term, u64)>, u64),
    And(Term, Term),
    Or(Term, Term),
    Xor(Term, Term),
    /// A rotation to the right.
    Rotr(Term, u32),
    /// A logical shift to the right.
    Shr(Term, u32),
}

/// All terms of a proof.
pub(crate) struct Arena {
    pub(crate) bits: u32,
    pub(crate) nodes: Vec<Node>,
    pub(crate) values: Vec<Values>,
    /// The longest way to an input.
    pub(crate) heights: Vec<u32>,
    known: HashMap<Node, Term>,
    by_values: HashMap<Values, Vec<Term>>,
    random: u64,
    pub(crate) names: Names,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::new(Arena::new(32));
}

pub(crate) fn with<R>(run: impl FnOnce(&mut Arena) -> R) -> R {
    ARENA.with_borrow_mut(run)
}

/// Begins a proof about words of `bits` bits, and discards the previous one of this thread.
///
/// # Panics
/// If there are no words of this size.
pub fn begin(bits: u32) {
    assert!(bits == 32 || bits == 64);
    with(|arena| *arena = Arena::new(bits));
}

/// The next pseudo-random number (SplitMix64).
pub(crate) fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Arena {
    fn new(bits: u32) -> Self {
        Self {
            bits,
            nodes: Vec::new(),
            values: Vec::new(),
            heights: Vec::new(),
            known: HashMap::new(),
            by_values: HashMap::new(),
            random: 1,
            names: Names::default(),
        }
    }

    pub(crate) fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    pub(crate) fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    pub(crate) fn values(&self, term: Term) -> Values {
        self.values[term.0 as usize]
    }

    pub(crate) fn rotate(&self, word: u64, n: u32) -> u64 {
        match n % self.bits {
            0 => word,
            n => (word >> n | word << (self.bits - n)) & self.mask(),
        }
    }

    /// The term of `node`: the oldest one that is known to be equal.
    fn make(&mut self, node: Node) -> Term {
        if let Some(term) = self.known.get(&node) {
            return *term;
        }
        let (values, height) = self.evaluate(&node);
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer terms"));
        self.nodes.push(node.clone());
        self.values.push(values);
        self.heights.push(height);
        let older = self.by_values.get(&values).cloned().unwrap_or_default();
        let found = older.into_iter().find(|older| equal::proved(self, term, *older));
        if found.is_none() {
            self.by_values.entry(values).or_default().push(term);
        }
        self.known.insert(node, found.unwrap_or(term));
        found.unwrap_or(term)
    }

    fn evaluate(&mut self, node: &Node) -> (Values, u32) {
        let mask = self.mask();
        let mut height = 0;
        let mut of = |arena: &Self, term: Term| {
            height = height.max(1 + arena.heights[term.0 as usize]);
            arena.values(term)
        };
        let values = match node {
            Node::Input { .. } => {
                let values = [(); 4].map(|()| random(&mut self.random) & mask);
                // the last ones are high, so that sums carry
                let [a, b, c, d] = values;
                [a, b, c, !(d & 0x3f) & mask]
            }
            Node::Constant(word) => [*word; 4],
            Node::Sum(terms, constant) => {
                let mut sum = [*constant; 4];
                for (term, factor) in terms {
                    let values = of(self, *term);
                    for (sum, value) in sum.iter_mut().zip(values) {
                        *sum = sum.wrapping_add(value.wrapping_mul(*factor)) & mask;
                    }
                }
                sum
            }
            Node::And(a, b) => pairs(of(self, *a), of(self, *b), |a, b| a & b),
            Node::Or(a, b) => pairs(of(self, *a), of(self, *b), |a, b| a | b),
            Node::Xor(a, b) => pairs(of(self, *a), of(self, *b), |a, b| a ^ b),
            Node::Rotr(a, n) => of(self, *a).map(|a| self.rotate(a, *n)),
            Node::Shr(a, n) => of(self, *a).map(|a| a >> n),
        };
        (values, height)
    }

    pub(crate) fn constant(&mut self, word: u64) -> Term {
        let word = word & self.mask();
        self.make(Node::Constant(word))
    }

    /// `term` as a sum: its summands with their factors, and a number.
    pub(crate) fn summands(&self, term: Term) -> (Vec<(Term, u64)>, u64) {
        match self.node(term) {
            Node::Sum(terms, constant) => (terms.clone(), *constant),
            Node::Constant(word) => (Vec::new(), *word),
            _ => (vec![(term, 1)], 0),
        }
    }

    /// `a + factor * b`.
    fn sum(&mut self, a: Term, b: Term, factor: u64) -> Term {
        let mask = self.mask();
        let ((left, x), (right, y)) = (self.summands(a), self.summands(b));
        let constant = x.wrapping_add(y.wrapping_mul(factor)) & mask;
        let mut terms = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        loop {
            let next = [left.peek(), right.peek()].into_iter().flatten().map(|part| part.0).min();
            let Some(term) = next else { break };
            let ours = left.next_if(|part| part.0 == term).map_or(0, |part| part.1);
            let theirs = right.next_if(|part| part.0 == term).map_or(0, |part| part.1);
            let times = ours.wrapping_add(theirs.wrapping_mul(factor)) & mask;
            if times != 0 {
                terms.push((term, times));
            }
        }
        match (&terms[..], constant) {
            ([], _) => self.constant(constant),
            ([(term, 1)], 0) => *term,
            _ => self.make(Node::Sum(terms, constant)),
        }
    }

    fn number(&self, term: Term) -> Option<u64> {
        match self.node(term) {
            Node::Constant(word) => Some(*word),
            _ => None,
        }
    }

    pub(crate) fn and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(x & y),
            (Some(0), _) => a,
            (_, Some(0)) => b,
            (Some(ones), _) if ones == self.mask() => b,
            (_, Some(ones)) if ones == self.mask() => a,
            _ if a == b => a,
            _ => self.make(Node::And(a, b)),
        }
    }

    pub(crate) fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(x | y),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ if a == b => a,
            _ => self.make(Node::Or(a, b)),
        }
    }

    pub(crate) fn xor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        match (self.number(a), self.number(b)) {
            (Some(x), Some(y)) => self.constant(x ^ y),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ if a == b => self.constant(0),
            _ => self.make(Node::Xor(a, b)),
        }
    }

    fn rotr(&mut self, a: Term, n: u32) -> Term {
        let n = n % self.bits;
        match self.node(a) {
            _ if n == 0 => a,
            Node::Constant(word) => self.constant(self.rotate(*word, n)),
            Node::Rotr(inner, m) => self.rotr(*inner, n + m),
            _ => self.make(Node::Rotr(a, n)),
        }
    }

    fn shr(&mut self, a: Term, n: u32) -> Term {
        match self.number(a) {
            _ if n == 0 => a,
            Some(word) => self.constant(word >> n),
            None => self.make(Node::Shr(a, n)),
        }
    }
}

fn pairs(a: Values, b: Values, f: impl Fn(u64, u64) -> u64) -> Values {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Term {
    /// Any word: word `index` of the input `name`.
    #[must_use]
    pub fn input(name: &'static str, index: usize, lane: usize) -> Self {
        with(|arena| arena.make(Node::Input { name, index, lane }))
    }

    /// The constant `word`.
    #[must_use]
    pub fn constant(word: u64) -> Self {
        with(|arena| arena.constant(word))
    }

    /// Rotation to the right.
    #[must_use]
    pub fn rotr(self, n: u32) -> Self {
        with(|arena| arena.rotr(self, n))
    }

    /// Rotation to the left.
    #[must_use]
    pub fn rotl(self, n: u32) -> Self {
        with(|arena| arena.rotr(self, arena.bits - n % arena.bits))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident: $arena:ident, $a:ident, $b:ident => $body:expr;)*) => {$(
        impl $trait for Term {
            type Output = Self;
            fn $method(self, $b: Self) -> Self {
                let $a = self;
                with(|$arena| $body)
            }
        }
    )*};
}
operators! {
    Add add: arena, a, b => arena.sum(a, b, 1);
    Sub sub: arena, a, b => arena.sum(a, b, u64::MAX);
    BitAnd bitand: arena, a, b => arena.and(a, b);
    BitOr bitor: arena, a, b => arena.or(a, b);
    BitXor bitxor: arena, a, b => arena.xor(a, b);
}

/// A logical shift.
impl Shr<u32> for Term {
    type Output = Self;
    fn shr(self, n: u32) -> Self {
        with(|arena| arena.shr(self, n))
    }
}

impl Not for Term {
    type Output = Self;
    fn not(self) -> Self {
        with(|arena| {
            let ones = arena.constant(u64::MAX);
            arena.xor(self, ones)
        })
    }
}
