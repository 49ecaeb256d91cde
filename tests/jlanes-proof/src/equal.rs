//! Proofs that two terms are equal.
//!
//! Two sums are equal if they have the same summands. Summands without a common bit may be merged first.
//! Two terms of bitwise operations, rotations and shifts are equal if they have the same truth table at every
//! position of a word. The table's inputs are the terms that both reach, at most [`MOST`].

use std::collections::{HashMap, HashSet};

use crate::term::{Arena, Node, Term};

/// The maximum number of leaves of a truth table.
const MOST: usize = 12;

/// The number of words in a truth table.
const WORDS: usize = (1 << MOST) / 64;

/// The maximum number of operations between a term and a leaf.
const DEPTH: u32 = 12;

/// A term, and the number of bits by which it is rotated to the right.
type Turned = (Term, u32);

/// Whether `a` and `b` are proved equal for all inputs. `false` does not mean that they differ.
pub(crate) fn proved(arena: &mut Arena, a: Term, b: Term) -> bool {
    if a == b {
        return true;
    }
    match (arena.node(a), arena.node(b)) {
        (Node::Sum(..), _) | (_, Node::Sum(..)) => equal_sums(arena, a, b),
        _ => equal_bits(arena, a, b),
    }
}

fn equal_sums(arena: &mut Arena, a: Term, b: Term) -> bool {
    let ((ours, x), (theirs, y)) = (arena.summands(a), arena.summands(b));
    let only = |of: &[(Term, u64)], not: &[(Term, u64)]| -> Vec<_> {
        of.iter().filter(|summand| !not.contains(summand)).copied().collect()
    };
    let [left, right] = [only(&ours, &theirs), only(&theirs, &ours)];
    if x != y || left.len() + right.len() > 6 {
        return false;
    }
    match (joined(arena, &left), joined(arena, &right)) {
        (Some(left), Some(right)) => left == right,
        _ => false,
    }
}

/// The summands as one term, if no two of them have a common bit.
fn joined(arena: &mut Arena, summands: &[(Term, u64)]) -> Option<Term> {
    let zero = arena.constant(0);
    let mut all = zero;
    for (term, factor) in summands {
        if *factor != 1 || arena.and(all, *term) != zero {
            return None;
        }
        all = arena.or(all, *term);
    }
    Some(all)
}

/// Whether all bits of `a` and `b` are equal.
fn equal_bits(arena: &Arena, a: Term, b: Term) -> bool {
    for depth in 1..=DEPTH {
        let common = meeting(arena, a, b, depth);
        let mut cone = Cone { common, ..Cone::default() };
        let steps = [cone.add(arena, (a, 0), depth), cone.add(arena, (b, 0), depth)];
        if let [Some(a), Some(b)] = steps
            && cone.tables_agree(arena, a, b)
        {
            return true;
        }
    }
    false
}

/// The terms that both reach within `depth` operations.
pub(crate) fn meeting(arena: &Arena, a: Term, b: Term, depth: u32) -> HashSet<Turned> {
    let [a, b] = [a, b].map(|term| {
        let mut seen = HashMap::new();
        reach(arena, (term, 0), depth, &mut seen);
        seen
    });
    a.keys().filter(|turned| b.contains_key(*turned)).copied().collect()
}

/// The operands of a bitwise operation.
pub(crate) fn operands(arena: &Arena, (term, turn): Turned) -> Vec<Turned> {
    match arena.node(term) {
        Node::And(a, b) | Node::Or(a, b) | Node::Xor(a, b) => vec![(*a, turn), (*b, turn)],
        Node::Rotr(a, n) | Node::Shr(a, n) => vec![(*a, (turn + n) % arena.bits)],
        _ => Vec::new(),
    }
}

fn reach(arena: &Arena, turned: Turned, depth: u32, seen: &mut HashMap<Turned, u32>) {
    if seen.get(&turned).is_some_and(|had| *had >= depth) {
        return;
    }
    seen.insert(turned, depth);
    if depth > 0 {
        for operand in operands(arena, turned) {
            reach(arena, operand, depth - 1, seen);
        }
    }
}

/// The same bits as those of a term that is not a rotation, so that a word is one leaf, whether a
/// rotation or a shift moved its bits.
fn unturned(arena: &Arena, (term, turn): Turned) -> Turned {
    match arena.node(term) {
        Node::Rotr(a, n) => unturned(arena, (*a, (turn + n) % arena.bits)),
        _ => (term, turn),
    }
}

/// A step in the computation of a truth table.
#[derive(Clone, Copy)]
enum Step {
    Leaf(usize),
    Constant(u64),
    And(usize, usize),
    Or(usize, usize),
    Xor(usize, usize),
}

/// Bitwise operations over leaves.
#[derive(Default)]
struct Cone {
    common: HashSet<Turned>,
    steps: Vec<Step>,
    at: HashMap<Turned, usize>,
    leaves: usize,
}

impl Cone {
    /// The index of the step that computes `turned`; `None` if there are too many leaves.
    fn add(&mut self, arena: &Arena, turned: Turned, depth: u32) -> Option<usize> {
        let turned = unturned(arena, turned);
        if let Some(at) = self.at.get(&turned) {
            return Some(*at);
        }
        let leaf = depth == 0 || self.common.contains(&turned);
        let step = match arena.node(turned.0) {
            Node::Constant(word) => Step::Constant(arena.rotate(*word, turned.1)),
            // a rotation, with zeros in place of the bits that wrapped around
            Node::Shr(a, n) if !leaf => {
                let rotated = self.add(arena, (*a, (turned.1 + n) % arena.bits), depth - 1)?;
                self.steps.push(Step::Constant(arena.rotate(arena.mask() >> n, turned.1)));
                Step::And(rotated, self.steps.len() - 1)
            }
            node @ (Node::And(a, b) | Node::Or(a, b) | Node::Xor(a, b)) if !leaf => {
                let x = self.add(arena, (*a, turned.1), depth - 1)?;
                let y = self.add(arena, (*b, turned.1), depth - 1)?;
                match node {
                    Node::And(..) => Step::And(x, y),
                    Node::Or(..) => Step::Or(x, y),
                    _ => Step::Xor(x, y),
                }
            }
            _ if self.leaves == MOST => return None,
            _ => {
                self.leaves += 1;
                Step::Leaf(self.leaves - 1)
            }
        };
        self.steps.push(step);
        self.at.insert(turned, self.steps.len() - 1);
        Some(self.steps.len() - 1)
    }

    /// Whether the steps `a` and `b` have the same truth table at every position.
    fn tables_agree(&self, arena: &Arena, a: usize, b: usize) -> bool {
        let words = (1_usize << self.leaves).div_ceil(64).min(WORDS);
        let mut seen = HashSet::new();
        (0..arena.bits).all(|position| {
            let constants = |step: &Step| match step {
                Step::Constant(word) => Some(word >> position & 1),
                _ => None,
            };
            // a position where all constants have the same bits as at an earlier one has the same table
            let bits: Vec<u64> = self.steps.iter().filter_map(constants).collect();
            !seen.insert(bits) || (0..words).all(|word| self.rows_agree(a, b, position, word))
        })
    }

    /// Whether the rows `64 * word..` of both tables agree at `position`.
    fn rows_agree(&self, a: usize, b: usize, position: u32, word: usize) -> bool {
        let mut rows = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            rows.push(match *step {
                Step::Leaf(i) => leaf(i, word),
                Step::Constant(bits) => 0_u64.wrapping_sub(bits >> position & 1),
                Step::And(x, y) => rows[x] & rows[y],
                Step::Or(x, y) => rows[x] | rows[y],
                Step::Xor(x, y) => rows[x] ^ rows[y],
            });
        }
        rows[a] == rows[b]
    }
}

/// Leaf `i` in the rows `64 * word..`: row `r` is the assignment of bit `i` of `r`.
fn leaf(i: usize, word: usize) -> u64 {
    const LOW: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    LOW.get(i).copied().unwrap_or_else(|| 0_u64.wrapping_sub((word >> (i - 6) & 1) as u64))
}
