use std::{format, panic::catch_unwind, string::String, vec::Vec};

use jlanes_core::hashes::sha2::consts::IV_512;
use jlanes_proof::{
    assembly::{Machine, Value},
    standards::{Scheduled, Standard},
    term::{self, Term},
};
use jlanes_testing::message;

use super::*;
use crate::x86_64::avx2;

type Hash = Sha2<u64>;

#[test]
fn a_thousand_blocks_are_compressed_as_by_portable_code() {
    const BLOCKS: usize = 1000;
    if !std::is_x86_feature_detected!("avx2") {
        return;
    }
    let text = message(1, 128 * BLOCKS);
    let (mut state, mut portable) = (IV_512, IV_512);
    for block in text.chunks(128) {
        avx2::sha512(&SHAPE, &mut state, &[block], RunByteOrder::Message, 1, &[]);
        advance_one::<Hash>(&SHAPE, &mut portable, &[block], RunByteOrder::Message, 1, &[]);
        assert_eq!(state, portable);
    }
    let mut state = IV_512;
    avx2::sha512(&SHAPE, &mut state, &[&text], RunByteOrder::Message, BLOCKS, &[]);
    assert_eq!(state, portable);
}

fn inputs(name: &'static str, count: usize) -> Vec<Term> {
    (0..count).map(|i| Term::input(name, i, 0)).collect()
}

/// A machine with a stack, and with addresses of parts of memory in registers.
fn machine(addresses: &[(&str, &'static str, i64)]) -> Machine {
    let mut machine = Machine::default();
    for (register, part, at) in [("rsp", "stack", 0)].iter().chain(addresses) {
        machine.registers.insert((*register).into(), Value::Address(part, *at));
    }
    machine
}

/// The state after `text`, which returns what it took of the stack.
fn state_after(text: &str, mut machine: Machine) -> Vec<Term> {
    machine.run(text);
    assert_eq!(machine.registers["rsp"], Value::Address("stack", 0));
    machine.load("state", 8)
}

/// The state after blocks, by `text`.
fn compressed(text: &str, state: &[Term], blocks: &[Term]) -> Vec<Term> {
    let end = 8 * blocks.len() as i64;
    let mut machine = machine(&[
        ("{t}", "state", 0),
        ("{u}", "blocks", 0),
        ("{p}", "blocks", end),
        ("{k}", "constants", 0),
    ]);
    machine.store("state", state);
    machine.store("blocks", blocks);
    machine.store("constants", &K.0.map(Term::constant));
    machine.shuffles.insert("xmm12".into(), ROTATE_8.to_le_bytes());
    machine.shuffles.insert("xmm13".into(), NATIVE.to_le_bytes());
    state_after(text, machine)
}

#[test]
fn the_text_is_the_standard() {
    term::begin(64);
    let (state, blocks) = (inputs("state", 8), inputs("block", 32));
    let expected = Hash::compressed(&Hash::compressed(&state, &blocks[..16]), &blocks[16..]);
    assert!(compressed(compress!(), &state, &blocks) == expected);
}

#[test]
fn the_text_for_a_shared_block_is_the_standard() {
    term::begin(64);
    let (state, sums) = (inputs("state", 8), inputs("sum", 80));
    let words: Vec<Term> =
        (0..).zip(&sums).map(|(t, sum)| *sum - Term::constant(Hash::constant(t))).collect();
    let expected = Hash::rounds(&state, &words);
    let mut machine = machine(&[("{t}", "state", 0), ("{k}", "sums", 0), ("{q}", "sums", 640)]);
    machine.store("state", &state);
    machine.store("sums", &sums);
    assert!(state_after(compress_shared!(), machine) == expected);
}

/// Every line of two rounds counts: with another number, or without it, the text is not that of the standard.
#[test]
fn another_text_is_not_the_standard() {
    let lines: Vec<&str> = compress!().lines().collect();
    let first = 2 + lines.iter().position(|line| *line == "2:").expect("the loop");
    for at in first..first + 71 {
        let changed: String = (0..)
            .zip(&lines)
            .map(|(i, line)| if i == at { other(line) } else { format!("{line}\n") })
            .collect();
        let proved = catch_unwind(|| {
            term::begin(64);
            let (state, block) = (inputs("state", 8), inputs("block", 16));
            let expected = Hash::compressed(&state, &block);
            compressed(&changed, &state, &block) == expected
        });
        assert!(!proved.unwrap_or(false), "{}", lines[at]);
    }
}

/// The line with another number at its end, or no line if it does not end with a number.
fn other(line: &str) -> String {
    let number =
        line.rsplit_once(", ").and_then(|(before, last)| Some((before, last.parse::<u32>().ok()?)));
    number.map_or_else(String::new, |(before, number)| format!("{before}, {}\n", number + 1))
}
