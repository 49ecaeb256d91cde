//! Words of memory that stand for terms.
//!
//! Kernels move states and blocks through arrays of plain words. So a word may be the name of a term:
//! a number drawn at random, which is that term again when it is loaded. Other words are constants.
//! Code that only moves words computes the same whatever they are named; code that computes with a plain
//! word finds a number that is no name, and its result is no term of the standard's.

use std::collections::HashMap;

use jlanes_core::simd::vector::Word;

use crate::term::{Arena, Node, Term, random, with};

/// Which words are names.
#[derive(Default)]
pub(crate) struct Names {
    terms: HashMap<u64, Term>,
    words: HashMap<Term, u64>,
    random: u64,
}

/// Words that can be names: `u32` and `u64`.
pub trait Name: Word {
    /// Bits of a word.
    const BITS: u32;
    /// The word as a number.
    fn number(self) -> u64;
}

impl Name for u32 {
    const BITS: u32 = 32;
    fn number(self) -> u64 {
        self.into()
    }
}

impl Name for u64 {
    const BITS: u32 = 64;
    fn number(self) -> u64 {
        self
    }
}

/// The term that `word` names, or the constant that it is.
pub fn term_of<W: Name>(word: W) -> Term {
    with(|arena| match arena.names.terms.get(&word.number()) {
        Some(term) => *term,
        None => arena.constant(word.number()),
    })
}

/// A word for `term`: its name, or the constant that it is.
pub fn word_of<W: Name>(term: Term) -> W {
    let word = with(|arena| match arena.node(term) {
        Node::Constant(word) => *word,
        _ => named(arena, term),
    });
    W::truncate(word.into())
}

fn named(arena: &mut Arena, term: Term) -> u64 {
    let mask = arena.mask();
    let names = &mut arena.names;
    if let Some(word) = names.words.get(&term) {
        return *word;
    }
    let mut word = random(&mut names.random) & mask;
    while names.terms.contains_key(&word) {
        word = random(&mut names.random) & mask;
    }
    names.terms.insert(word, term);
    names.words.insert(term, word);
    word
}

/// Lets `word` be another name of `term`: what plain arithmetic makes of a name.
///
/// # Panics
/// If it is the name of another one.
pub fn also<W: Name>(word: W, term: Term) {
    with(|arena| {
        let old = arena.names.terms.insert(word.number(), term);
        assert!(old.is_none_or(|old| old == term), "a word names two terms");
    });
}
