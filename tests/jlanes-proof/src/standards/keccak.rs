//! FIPS 202, sections 3.2 and 3.3; lane (x, y) is word `x + 5y`.

use jlanes_core::hashes::keccak::Keccak;
use jlanes_reference::constants::{RC, RHO};

use super::Standard;
use crate::term::Term;

type State = [[Term; 5]; 5];

fn state_of(lane: impl Fn(usize, usize) -> Term) -> State {
    std::array::from_fn(|x| std::array::from_fn(|y| lane(x, y)))
}

fn theta(a: &State) -> State {
    let c = |x: usize| a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4];
    let d = |x: usize| c((x + 4) % 5) ^ c((x + 1) % 5).rotl(1);
    let d: [Term; 5] = std::array::from_fn(d);
    state_of(|x, y| a[x][y] ^ d[x])
}

fn rho(a: &State) -> State {
    state_of(|x, y| a[x][y].rotl(RHO[x][y]))
}

fn pi(a: &State) -> State {
    state_of(|x, y| a[(x + 3 * y) % 5][x])
}

fn chi(a: &State) -> State {
    state_of(|x, y| a[x][y] ^ (!a[(x + 1) % 5][y] & a[(x + 2) % 5][y]))
}

impl<const WORDS: usize, const ROUNDS: usize> Standard for Keccak<WORDS, ROUNDS> {
    fn compressed(state: &[Term], block: &[Term]) -> Vec<Term> {
        let mut state = state.to_vec();
        for (word, added) in state.iter_mut().zip(block) {
            *word = *word ^ *added;
        }
        let mut a = state_of(|x, y| state[x + 5 * y]);
        for round in 24 - ROUNDS..24 {
            a = chi(&pi(&rho(&theta(&a))));
            a[0][0] = a[0][0] ^ Term::constant(RC[round]);
        }
        (0..25).map(|i| a[i % 5][i / 5]).collect()
    }
}
