//! Known answers: the JSON lines in `tests/data`.

use std::{fmt::Display, fs, path::Path};

use serde_json::Value;

use crate::message;

/// The records of `tests/data/{name}.jsonl`; never empty.
///
/// # Panics
/// If the file is missing, empty or no JSON.
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

    /// The message of `msg_seed` and `msg_len`.
    #[must_use]
    #[track_caller]
    pub fn message(&self) -> Vec<u8> {
        message(self.number("msg_seed"), self.number("msg_len"))
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
