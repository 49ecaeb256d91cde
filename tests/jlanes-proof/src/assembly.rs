//! Kernels in assembly: some instructions of x86-64 on terms of 64 bits.

use std::collections::HashMap;

use crate::term::Term;

/// The contents of a register, or of eight bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A word.
    Word(Term),
    /// The address of a byte in a part of memory, by the name of the part.
    Address(&'static str, i64),
}

/// A processor, and its memory.
#[derive(Debug, Default)]
pub struct Machine {
    /// The registers, by the name of an operand, or `rsp`.
    pub registers: HashMap<String, Value>,
    /// Constants of `vpshufb`, by the name of the register.
    pub shuffles: HashMap<String, [u8; 16]>,
    vectors: HashMap<String, [Term; 2]>,
    memory: HashMap<(&'static str, i64), Value>,
    /// The result of the last comparison: whether it was below.
    below: bool,
}

impl Machine {
    /// Writes words into a part of memory.
    pub fn store(&mut self, part: &'static str, words: &[Term]) {
        for (at, word) in (0..).step_by(8).zip(words) {
            self.memory.insert((part, at), Value::Word(*word));
        }
    }

    /// The first `count` words of a part of memory.
    ///
    /// # Panics
    /// If it has anything but words.
    #[must_use]
    pub fn load(&self, part: &'static str, count: usize) -> Vec<Term> {
        (0..).step_by(8).take(count).map(|at| word(self.memory[&(part, at)])).collect()
    }

    /// Runs a text in Intel's syntax, with an instruction or a label in each line.
    ///
    /// # Panics
    /// At an unknown instruction, or at memory that was never written.
    pub fn run(&mut self, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        let mut at = 0;
        while at < lines.len() {
            let (name, rest) = lines[at].split_once(' ').unwrap_or((lines[at], ""));
            let operands: Vec<&str> = rest.split(", ").collect();
            at += 1;
            if name == "jb" {
                let label = rest.strip_suffix('b').expect("a label before it");
                if self.below {
                    let label = format!("{label}:");
                    let before = lines[..at].iter().rposition(|line| *line == label);
                    at = before.expect("the label");
                }
            } else if !name.ends_with(':') {
                self.step(name, &operands);
            }
        }
    }

    fn step(&mut self, name: &str, operands: &[&str]) {
        match (name, operands) {
            ("mov", [to, from]) => self.set(to, self.get(from)),
            ("lea", [to, from]) => {
                let (part, at) = self.address(from);
                self.set(to, Value::Address(part, at));
            }
            ("push", [from]) => {
                let value = self.get(from);
                self.step("sub", &["rsp", "8"]);
                self.set("[rsp]", value);
            }
            ("pop", [to]) => {
                self.set(to, self.get("[rsp]"));
                self.step("add", &["rsp", "8"]);
            }
            ("cmp", [a, b]) => match (self.get(a), self.get(b)) {
                (Value::Address(part, a), Value::Address(other, b)) if part == other => {
                    self.below = a < b;
                }
                other => panic!("{other:?} are compared"),
            },
            ("add" | "sub", [to, by]) if by.parse::<i64>().is_ok() => {
                let by: i64 = by.parse().expect("a number");
                let Value::Address(part, at) = self.get(to) else { panic!("{to} is a word") };
                self.set(to, Value::Address(part, if name == "add" { at + by } else { at - by }));
            }
            ("add" | "xor" | "and", [to, from]) => {
                let (a, b) = (word(self.get(to)), word(self.get(from)));
                let result = match name {
                    "add" => a + b,
                    "xor" => a ^ b,
                    _ => a & b,
                };
                self.set(to, Value::Word(result));
            }
            ("rorx", [to, from, n]) => {
                let result = word(self.get(from)).rotr(number(n));
                self.set(to, Value::Word(result));
            }
            ("vmovdqu" | "vmovdqa", [to, from]) if to.starts_with('[') => {
                let (part, at) = self.address(to);
                for (at, word) in [at, at + 8].into_iter().zip(self.vectors[*from]) {
                    self.memory.insert((part, at), Value::Word(word));
                }
            }
            ("vmovdqu" | "vmovdqa", [to, from]) => self.set_vector(to, self.vector(from)),
            ("vpshufb", [to, from, by]) => {
                let n = rotation(&self.shuffles[*by]);
                self.set_vector(to, self.vector(from).map(|word| word.rotr(n)));
            }
            ("vpalignr", [to, high, low, "8"]) => {
                self.set_vector(to, [self.vector(low)[1], self.vector(high)[0]]);
            }
            ("vpsrlq", [to, from, n]) => {
                self.set_vector(to, self.vector(from).map(|word| word >> number(n)));
            }
            ("vpsllq", [to, from, n]) => {
                let ones = Term::constant(u64::MAX << number(n));
                self.set_vector(to, self.vector(from).map(|word| word.rotl(number(n)) & ones));
            }
            ("vpxor" | "vpaddq", [to, a, b]) => {
                let ([a0, a1], [b0, b1]) = (self.vector(a), self.vector(b));
                let sum = name == "vpaddq";
                self.set_vector(to, if sum { [a0 + b0, a1 + b1] } else { [a0 ^ b0, a1 ^ b1] });
            }
            _ => panic!("unknown: {name} {operands:?}"),
        }
    }

    /// The address in `[register + 8]`.
    fn address(&self, text: &str) -> (&'static str, i64) {
        let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let text = text.expect("an address in brackets");
        let (base, at) = text.split_once(" + ").unwrap_or((text, "0"));
        let Value::Address(part, from) = self.get(base) else { panic!("{base} is a word") };
        (part, from + at.parse::<i64>().expect("a number"))
    }

    fn get(&self, operand: &str) -> Value {
        if operand.starts_with('[') {
            self.memory[&self.address(operand)]
        } else {
            self.registers[operand]
        }
    }

    fn set(&mut self, operand: &str, value: Value) {
        if operand.starts_with('[') {
            self.memory.insert(self.address(operand), value);
        } else {
            self.registers.insert(operand.to_owned(), value);
        }
    }

    fn vector(&self, operand: &str) -> [Term; 2] {
        if operand.starts_with('[') {
            let (part, at) = self.address(operand);
            [at, at + 8].map(|at| word(self.memory[&(part, at)]))
        } else {
            self.vectors[operand]
        }
    }

    fn set_vector(&mut self, register: &str, words: [Term; 2]) {
        self.vectors.insert(register.to_owned(), words);
    }
}

fn word(value: Value) -> Term {
    match value {
        Value::Word(term) => term,
        Value::Address(..) => panic!("an address is no word"),
    }
}

fn number(text: &str) -> u32 {
    text.parse().expect("a number")
}

/// The number of bits by which a shuffle rotates both words to the right.
fn rotation(shuffle: &[u8; 16]) -> u32 {
    let by = shuffle[0];
    for (i, from) in (0..).zip(shuffle) {
        assert_eq!(*from, i / 8 * 8 + (i + by) % 8, "words are rotated");
    }
    u32::from(by) * 8
}
