//! Known answers: the JSON lines in `tests/data`.

use std::{fmt::Display, fs, path::Path};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{message, paint};

/// The records of `tests/data/{name}.jsonl`; never empty.
///
/// # Panics
/// If the file is missing, empty or not JSON.
#[must_use]
pub fn corpus(name: &str) -> Vec<Record> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(name).with_extension("jsonl");
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let records: Vec<_> = text.lines().map(|line| Record::parse(name, line)).collect();
    assert!(!records.is_empty(), "{} is empty", path.display());
    records
}

/// One known answer, or an object within one.
#[derive(Clone, Debug)]
pub struct Record {
    name: String,
    fields: Value,
}

impl Record {
    fn parse(corpus: &str, line: &str) -> Self {
        let fields: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{corpus}: {error}: {line}"));
        let id = fields["id"].as_str().unwrap_or_else(|| panic!("{corpus}: no id: {line}"));
        Self { name: format!("{corpus} {id}"), fields }
    }

    /// Corpus and identifier, for assertions' messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the field is there and not null.
    #[must_use]
    pub fn has(&self, field: &str) -> bool {
        self.fields.get(field).is_some_and(|value| !value.is_null())
    }

    /// A field of any type, as JSON.
    ///
    /// # Panics
    /// This and all that follow: if the record has no such field, or of another type.
    #[must_use]
    pub fn value(&self, field: &str) -> &Value {
        self.fields.get(field).unwrap_or_else(|| panic!("{}: no {field}", self.name))
    }

    /// A text field.
    #[must_use]
    #[track_caller]
    pub fn text(&self, field: &str) -> &str {
        self.value(field).as_str().unwrap_or_else(|| self.wrong(field, "no text"))
    }

    /// A number field.
    #[must_use]
    #[track_caller]
    pub fn number<T: TryFrom<u64>>(&self, field: &str) -> T {
        self.to_number(field, self.value(field))
    }

    /// A list of numbers.
    #[must_use]
    #[track_caller]
    pub fn numbers<T: TryFrom<u64>>(&self, field: &str) -> Vec<T> {
        self.list(field).iter().map(|value| self.to_number(field, value)).collect()
    }

    /// Bytes in hexadecimal.
    #[must_use]
    #[track_caller]
    pub fn hex(&self, field: &str) -> Vec<u8> {
        self.to_bytes(field, self.value(field))
    }

    /// Bytes in hexadecimal; `None` for null.
    #[must_use]
    #[track_caller]
    pub fn optional_hex(&self, field: &str) -> Option<Vec<u8>> {
        let value = self.value(field);
        (!value.is_null()).then(|| self.to_bytes(field, value))
    }

    /// A list of byte strings in hexadecimal.
    #[must_use]
    #[track_caller]
    pub fn hexes(&self, field: &str) -> Vec<Vec<u8>> {
        self.list(field).iter().map(|value| self.to_bytes(field, value)).collect()
    }

    /// A field that is an object.
    #[must_use]
    pub fn record(&self, field: &str) -> Self {
        Self { name: format!("{} {field}", self.name), fields: self.value(field).clone() }
    }

    /// The message of the fields that start with `msg`.
    #[must_use]
    #[track_caller]
    pub fn message(&self) -> Vec<u8> {
        self.input("msg")
    }

    /// The input called `name`: the bytes in `{name}_hex`, `{name}_repeat` times, or `{name}_len` bytes
    /// of the generator `{name}_gen`, by default SplitMix64.
    #[must_use]
    #[track_caller]
    pub fn input(&self, name: &str) -> Vec<u8> {
        let field = |end: &str| format!("{name}_{end}");
        if self.has(&field("hex")) {
            let repeat = field("repeat");
            let times = if self.has(&repeat) { self.number(&repeat) } else { 1 };
            return self.hex(&field("hex")).repeat(times);
        }
        let (len, generator) = (self.number(&field("len")), field("gen"));
        match if self.has(&generator) { self.text(&generator) } else { "sm64" } {
            "sm64" => message(self.number(&field("seed")), len),
            "ptn" => paint(len, 0),
            other => self.wrong(&generator, other),
        }
    }

    /// The items of a tuple, each as hexadecimal or by its seed and length.
    #[track_caller]
    #[must_use]
    pub fn items(&self) -> Vec<Vec<u8>> {
        if self.has("items_hex") {
            return self.hexes("items_hex");
        }
        let (seeds, lens) = (self.numbers("item_seeds"), self.numbers("item_lens"));
        seeds.into_iter().zip(lens).map(|(seed, len)| message(seed, len)).collect()
    }

    /// Checks an extendable output: `out_hex`, or for a long one `out_sha256_hex`, and `tail_hex` if a
    /// standard prints its end.
    ///
    /// # Panics
    /// If the output is another one, or as the fields' functions do.
    #[track_caller]
    pub fn assert_output(&self, out: &[u8]) {
        assert_eq!(out.len(), self.number::<usize>("out_len"), "{}", self.name);
        if self.has("out_hex") {
            assert_eq!(out, self.hex("out_hex"), "{}", self.name);
        } else {
            assert_eq!(Sha256::digest(out)[..], self.hex("out_sha256_hex"), "{}", self.name);
        }
        if self.has("tail_hex") {
            assert!(out.ends_with(&self.hex("tail_hex")), "{}", self.name);
        }
    }

    #[track_caller]
    fn list(&self, field: &str) -> &[Value] {
        self.value(field).as_array().unwrap_or_else(|| self.wrong(field, "no list"))
    }

    #[track_caller]
    fn to_number<T: TryFrom<u64>>(&self, field: &str, value: &Value) -> T {
        let number = value.as_u64().and_then(|number| T::try_from(number).ok());
        number.unwrap_or_else(|| self.wrong(field, "no number, or too large"))
    }

    #[track_caller]
    fn to_bytes(&self, field: &str, value: &Value) -> Vec<u8> {
        let text = value.as_str().unwrap_or_else(|| self.wrong(field, "no text"));
        hex::decode(text).unwrap_or_else(|error| self.wrong(field, error))
    }

    #[track_caller]
    fn wrong(&self, field: &str, why: impl Display) -> ! {
        panic!("{}: {field}: {why}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::Record;

    fn record() -> Record {
        let line = r#"{"id": "x1", "n": 7, "hex": "00ff", "none": null,
            "ns": [1, 2], "hexes": ["01", ""], "inner": {"n": 8}}"#;
        Record::parse("made_up", line)
    }

    #[test]
    fn fields_are_read_by_type() {
        let record = record();
        assert_eq!(record.name(), "made_up x1");
        assert_eq!(record.number::<usize>("n"), 7);
        assert_eq!(record.hex("hex"), [0, 0xff]);
        assert_eq!(record.optional_hex("none"), None);
        assert_eq!(record.numbers::<u8>("ns"), [1, 2]);
        assert_eq!(record.hexes("hexes"), [vec![1], vec![]]);
        assert_eq!(record.record("inner").number::<u8>("n"), 8);
        assert!(record.has("n") && !record.has("none") && !record.has("more"));
    }

    #[test]
    fn inputs_are_written_in_three_ways() {
        let line = r#"{"id": "x2", "a_hex": "0102", "a_repeat": 2, "b_gen": "ptn", "b_len": 252,
            "c_seed": 0, "c_len": 2, "d_hex": ""}"#;
        let record = Record::parse("made_up", line);
        assert_eq!(record.input("a"), [1, 2, 1, 2]);
        assert_eq!(record.input("b")[249..], [249, 250, 0]);
        assert_eq!(record.input("c"), [0xaf, 0xcd]);
        assert!(record.input("d").is_empty());
    }

    #[test]
    fn outputs_are_compared_in_three_ways() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let line = format!(
            r#"{{"id": "x3", "out_len": 3, "out_sha256_hex": "{abc}", "tail_hex": "6263"}}"#
        );
        Record::parse("made_up", &line).assert_output(b"abc");
        let line = r#"{"id": "x4", "out_len": 3, "out_hex": "616263"}"#;
        Record::parse("made_up", line).assert_output(b"abc");
    }

    #[test]
    #[should_panic(expected = "made_up x5")]
    fn a_tail_is_compared() {
        let line = r#"{"id": "x5", "out_len": 3, "out_hex": "616263", "tail_hex": "6163"}"#;
        Record::parse("made_up", line).assert_output(b"abc");
    }

    #[test]
    #[should_panic(expected = "made_up x1: no digest")]
    fn a_missing_field_is_named() {
        let _ = record().hex("digest");
    }

    #[test]
    #[should_panic(expected = "made_up x1: hex: no number")]
    fn a_field_of_another_type_is_named() {
        let _ = record().number::<u8>("hex");
    }
}
