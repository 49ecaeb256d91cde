//! Strict parser of bencoding (BEP 3): a number has one spelling, and a dictionary has each key once.
//! Only the order of keys is free, as in clients.

/// The maximum depth of values; enough for the deepest tree of files that a path can name.
const MAX_DEPTH: usize = 512;

/// A bencoded value.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Value<'t> {
    Number(i64),
    Text(&'t [u8]),
    List(Vec<Value<'t>>),
    /// Keys in their order in the text, each once.
    Dictionary(Vec<(&'t [u8], Value<'t>)>),
}

impl<'t> Value<'t> {
    /// Parses `text`, which must be one value; `None` if it is malformed.
    pub(super) fn parse(text: &'t [u8]) -> Option<Self> {
        let mut reader = BencodeReader { rest: text };
        let value = reader.value(MAX_DEPTH)?;
        reader.rest.is_empty().then_some(value)
    }

    /// The value of `key`, if this is a dictionary that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let entries = self.entries()?;
        let at = entries.binary_search_by(|(known, _)| (*known).cmp(key.as_bytes())).ok()?;
        Some(&entries[at].1)
    }

    pub(super) fn entries(&self) -> Option<&[(&'t [u8], Self)]> {
        if let Self::Dictionary(entries) = self { Some(entries) } else { None }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        if let Self::List(values) = self { Some(values) } else { None }
    }

    pub(super) fn text(&self) -> Option<&'t [u8]> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The number, if this is one and not negative.
    pub(super) fn number(&self) -> Option<u64> {
        if let Self::Number(number) = self { u64::try_from(*number).ok() } else { None }
    }
}

struct BencodeReader<'t> {
    rest: &'t [u8],
}

impl<'t> BencodeReader<'t> {
    /// Skips `byte`, if it is next. Returns whether it was.
    fn skip(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((first, rest)) if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value<'t>> {
        let depth = depth.checked_sub(1)?;
        match self.rest.first()? {
            b'i' => {
                self.skip(b'i');
                self.digits(b'e').map(Value::Number)
            }
            b'l' => {
                self.skip(b'l');
                let mut values = Vec::new();
                while !self.skip(b'e') {
                    values.push(self.value(depth)?);
                }
                Some(Value::List(values))
            }
            b'd' => {
                self.skip(b'd');
                let mut entries: Vec<(&[u8], _)> = Vec::new();
                while !self.skip(b'e') {
                    entries.push((self.text()?, self.value(depth)?));
                }
                entries.sort_by_key(|(key, _)| *key);
                let is_once = entries.windows(2).all(|pair| pair[0].0 != pair[1].0);
                is_once.then_some(Value::Dictionary(entries))
            }
            _ => self.text().map(Value::Text),
        }
    }

    fn text(&mut self) -> Option<&'t [u8]> {
        let len = usize::try_from(self.digits(b':')?).ok()?;
        let (text, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(text)
    }

    /// Parses a number that ends in `end`, without leading zeros.
    fn digits(&mut self, end: u8) -> Option<i64> {
        // longer numbers do not fit
        let at = self.rest.iter().take(21).position(|byte| *byte == end)?;
        let text = str::from_utf8(&self.rest[..at]).ok()?;
        let number: i64 = text.parse().ok()?;
        self.rest = &self.rest[at + 1..];
        (number.to_string() == text).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_read() {
        let value = Value::parse(b"d1:ai-3e1:bl4:spam0:e1:cdee").unwrap();
        assert_eq!(value.get("a"), Some(&Value::Number(-3)));
        assert_eq!(value.get("a").and_then(Value::number), None);
        let list = value.get("b").and_then(Value::list).unwrap();
        assert_eq!(list, [Value::Text(b"spam"), Value::Text(b"")]);
        assert_eq!(value.get("c").and_then(Value::entries), Some(&[][..]));
        assert_eq!(value.get("d"), None);
        assert_eq!(
            Value::parse(b"d1:bi1e1:ai2ee"),
            Value::parse(b"d1:ai2e1:bi1ee"),
            "in any order"
        );
    }

    #[test]
    fn hostile_text_is_malformed() {
        for text in [
            "",
            "i",
            "ie",
            "i-e",
            "i03e",
            "i-0e",
            "i+1e",
            "i9223372036854775808e",
            "i1e ",
            "1:",
            "01:a",
            "-1:a",
            "9999999999999999999:a",
            "18446744073709551616:",
            "l",
            "li1e",
            "d",
            "d1:ae",
            "di1ei2ee",
            "d1:ai1e1:ai2ee",
            "d1:ai1e1:bi2e1:ai3ee",
            "x",
            "\u{661}:a",
        ] {
            assert_eq!(Value::parse(text.as_bytes()), None, "{text}");
        }
        for open in ["l", "d1:a"] {
            assert_eq!(Value::parse(open.repeat(1_000_000).as_bytes()), None, "{open}");
        }
        let deep = format!("{}{}", "l".repeat(MAX_DEPTH), "e".repeat(MAX_DEPTH));
        assert!(Value::parse(deep.as_bytes()).is_some());
        assert_eq!(Value::parse(format!("l{deep}e").as_bytes()), None);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in proptest::collection::vec(
            prop_oneof![proptest::sample::select(b"ilde0123456789:-".to_vec()), any::<u8>()], 0..200,
        )) {
            Value::parse(&text);
        }
    }
}
