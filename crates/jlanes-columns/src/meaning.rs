//! The meaning of types: the bytes of a value, and its encoding in a row. The table of rows in the
//! crate's documentation says the same; a test compares them.

use crate::{DataType, Error, types::TimeUnit};

/// The extension types that have the values of their storage.
const EXTENSIONS: [&str; 1] = ["arrow.json"];

/// Refuses an extension type, unless its values are those of its storage. The storage is bytes or
/// numbers, and only the name of the extension says what they mean.
///
/// `ffi` checks the schemas that it imports. If you make columns from arrays of another library, check
/// the names in the metadata of their fields.
///
/// # Errors
/// [`Error::Extension`].
///
/// ```
/// assert!(jlanes_columns::check_extension("arrow.json").is_ok()); // text
/// assert!(jlanes_columns::check_extension("arrow.uuid").is_err());
/// ```
pub fn check_extension(name: &str) -> Result<(), Error> {
    match EXTENSIONS.contains(&name) {
        true => Ok(()),
        false => Err(Error::Extension(name.into())),
    }
}

/// The meaning of a type's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// The first byte of a field.
    pub(crate) tag: u8,
    parameters: [u8; 2],
    parameter_bytes: usize,
    /// The plural noun of the values, for messages.
    pub(crate) noun: &'static str,
    pub(crate) kind: Kind,
}

/// The kinds of values. A kind selects the encoding in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bit,
    /// A number of this many bytes.
    Number(usize),
    Float16,
    Float32,
    Float64,
    Text,
    Bytes,
    List,
    Struct,
}

impl Meaning {
    /// The parameters of the type, which follow the first byte of a field.
    pub(crate) fn parameters(&self) -> &[u8] {
        &self.parameters[..self.parameter_bytes]
    }

    /// Whether operations hash the value itself.
    pub(crate) fn is_message(self) -> bool {
        matches!(self.kind, Kind::Null | Kind::Text | Kind::Bytes)
    }
}

fn plain(tag: u8, noun: &'static str, kind: Kind) -> Meaning {
    Meaning { tag, parameters: [0; 2], parameter_bytes: 0, noun, kind }
}

fn with<const N: usize>(parameters: [u8; N], plain: Meaning) -> Meaning {
    let mut all = [0; 2];
    all[..N].copy_from_slice(&parameters);
    Meaning { parameters: all, parameter_bytes: N, ..plain }
}

fn unit_code(unit: TimeUnit) -> u8 {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 1,
        TimeUnit::Microsecond => 2,
        TimeUnit::Nanosecond => 3,
    }
}

impl DataType {
    /// The meaning of the type. A dictionary means the same as its values.
    pub(crate) fn meaning(&self) -> Meaning {
        use Kind::{Bit, Bytes, Float16, Float32, Float64, List, Null, Number, Struct, Text};
        const FLOATS: &str = "floating-point numbers";
        match self {
            Self::Null => plain(0x00, "nulls", Null),
            Self::Boolean => plain(0x01, "booleans", Bit),
            Self::Int8 => plain(0x02, "integers", Number(1)),
            Self::Int16 => plain(0x03, "integers", Number(2)),
            Self::Int32 => plain(0x04, "integers", Number(4)),
            Self::Int64 => plain(0x05, "integers", Number(8)),
            Self::UInt8 => plain(0x06, "integers", Number(1)),
            Self::UInt16 => plain(0x07, "integers", Number(2)),
            Self::UInt32 => plain(0x08, "integers", Number(4)),
            Self::UInt64 => plain(0x09, "integers", Number(8)),
            Self::Float16 => plain(0x0a, FLOATS, Float16),
            Self::Float32 => plain(0x0b, FLOATS, Float32),
            Self::Float64 => plain(0x0c, FLOATS, Float64),
            Self::Date32 => plain(0x0d, "dates", Number(4)),
            Self::Date64 => plain(0x0e, "dates", Number(8)),
            Self::Time32(of) => with([unit_code(*of)], plain(0x0f, "times", Number(4))),
            Self::Time64(of) => with([unit_code(*of)], plain(0x10, "times", Number(8))),
            Self::Timestamp(of, instant) => {
                with([unit_code(*of), (*instant).into()], plain(0x11, "timestamps", Number(8)))
            }
            Self::Duration(of) => with([unit_code(*of)], plain(0x12, "durations", Number(8))),
            Self::Decimal128(_, scale) => {
                with(scale.to_le_bytes(), plain(0x13, "decimals", Number(16)))
            }
            Self::Utf8 | Self::LargeUtf8 | Self::Utf8View => plain(0x20, "text", Text),
            Self::Binary | Self::LargeBinary | Self::BinaryView | Self::FixedSizeBinary(_) => {
                plain(0x21, "bytes", Bytes)
            }
            Self::List(_) | Self::LargeList(_) => plain(0x30, "lists", List),
            Self::FixedSizeList(..) => plain(0x30, "lists of one length", List),
            Self::Struct(_) => plain(0x31, "structs, or several columns", Struct),
            Self::Dictionary(_, values) => values.meaning(),
        }
    }

    /// The number of bytes of a value, for numbers.
    pub(crate) fn number_width(&self) -> Option<usize> {
        match self.meaning().kind {
            _ if matches!(self, Self::Dictionary(..)) => None,
            Kind::Number(width) => Some(width),
            Kind::Float16 => Some(2),
            Kind::Float32 => Some(4),
            Kind::Float64 => Some(8),
            Kind::Null | Kind::Bit | Kind::Text | Kind::Bytes | Kind::List | Kind::Struct => None,
        }
    }

    /// Whether `f` is true for the type or for any type inside it.
    ///
    /// ```
    /// use jlanes_columns::DataType;
    ///
    /// let texts = DataType::List(Box::new(DataType::Utf8));
    /// assert!(texts.any(&|part| *part == DataType::Utf8));
    /// ```
    #[must_use]
    pub fn any(&self, f: &dyn Fn(&Self) -> bool) -> bool {
        f(self)
            || match self {
                Self::List(of) | Self::LargeList(of) | Self::FixedSizeList(of, _) => of.any(f),
                Self::Dictionary(_, of) => of.any(f),
                Self::Struct(fields) => fields.iter().any(|(_, of)| of.any(f)),
                _ => false,
            }
    }

    /// Whether values take no memory, so that their number is unlimited.
    pub(crate) fn is_void(&self) -> bool {
        match self {
            Self::Null | Self::FixedSizeBinary(0) | Self::FixedSizeList(_, 0) => true,
            Self::FixedSizeList(of, _) => of.is_void(),
            Self::Struct(fields) => fields.iter().all(|(_, of)| of.is_void()),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;
    use crate::{
        Column, DataType, Error,
        types::tests::{every, name},
    };

    /// The rows of the table in the documentation: the code and the types of each.
    fn rows() -> impl Iterator<Item = (Vec<u8>, Vec<&'static str>)> {
        let table = include_str!("../README.md").split("| first byte |").nth(1).unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let codes = cells[1]
                .split_whitespace()
                .map(|code| u8::from_str_radix(code.trim_matches('`'), 16).unwrap());
            let names = cells[2].split_once(" (").map_or(cells[2], |(names, _)| names);
            (codes.collect(), names.split(", ").collect())
        })
    }

    #[test]
    fn the_documentation_has_the_table() {
        let mut seen = std::collections::BTreeSet::new();
        for data_type in every() {
            let meaning = data_type.meaning();
            let name = name(&data_type);
            let there = rows().any(|(codes, names)| match codes[..] {
                [one] => one == meaning.tag && names.contains(&&*name),
                _ => codes.iter().zip(&names).any(|row| row == (&meaning.tag, &&*name)),
            });
            assert!(there, "{data_type:?} has no row with {:02x}", meaning.tag);
            seen.insert((meaning.tag, name));
        }
        for (codes, names) in rows() {
            for (i, name) in names.into_iter().enumerate() {
                let code = codes[i.min(codes.len() - 1)];
                assert!(seen.contains(&(code, name.into())), "{name} is no type");
            }
        }
    }

    #[test]
    fn messages_are_text_and_bytes() {
        for data_type in every() {
            let meaning = data_type.meaning();
            let named = matches!(meaning.noun, "text" | "bytes" | "nulls");
            assert_eq!(meaning.is_message(), named, "{data_type:?}");
            assert_eq!(meaning.kind == Kind::List, meaning.tag == 0x30);
        }
    }

    #[test]
    fn lists_of_any_length_in_no_memory() {
        let items = Column::fixed(&DataType::FixedSizeBinary(0), &[], i32::MAX as usize).unwrap();
        let list = Column::list(&[0, i32::MAX], items).unwrap();
        assert_eq!(list.items_of(0), Err(Error::Void));
    }
}
