//! The types of columns, and Arrow's formats for them.

use crate::Error;

/// The type of a column: the supported types of Arrow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)] // the names are Arrow's
pub enum DataType {
    Null,
    Boolean,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    /// 128 bits, with the number of digits and the number of decimal places.
    Decimal128(u8, i8),
    /// Days since 1970.
    Date32,
    /// Milliseconds since 1970.
    Date64,
    Time32(TimeUnit),
    Time64(TimeUnit),
    /// A time since 1970: `true` for an instant with a time zone, `false` for local time.
    Timestamp(TimeUnit, bool),
    Duration(TimeUnit),
    Utf8,
    LargeUtf8,
    Utf8View,
    Binary,
    LargeBinary,
    BinaryView,
    /// Values of a fixed number of bytes.
    FixedSizeBinary(usize),
    /// Integer indices, and the type of the values.
    Dictionary(Box<DataType>, Box<DataType>),
    /// Lists of values of this type.
    List(Box<DataType>),
    LargeList(Box<DataType>),
    /// Lists of this many values.
    FixedSizeList(Box<DataType>, usize),
    /// Named fields; also a record batch.
    Struct(Vec<(String, DataType)>),
}

/// The unit of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are Arrow's
pub enum TimeUnit {
    Second,
    Millisecond,
    Microsecond,
    Nanosecond,
}

impl TimeUnit {
    const ALL: [Self; 4] = [Self::Second, Self::Millisecond, Self::Microsecond, Self::Nanosecond];

    fn letter(self) -> char {
        match self {
            Self::Second => 's',
            Self::Millisecond => 'm',
            Self::Microsecond => 'u',
            Self::Nanosecond => 'n',
        }
    }

    fn parse(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| letter.chars().eq([unit.letter()]))
    }
}

/// The types with a constant format.
const PLAIN: [(DataType, &str); 21] = [
    (DataType::Null, "n"),
    (DataType::Boolean, "b"),
    (DataType::Int8, "c"),
    (DataType::UInt8, "C"),
    (DataType::Int16, "s"),
    (DataType::UInt16, "S"),
    (DataType::Int32, "i"),
    (DataType::UInt32, "I"),
    (DataType::Int64, "l"),
    (DataType::UInt64, "L"),
    (DataType::Float16, "e"),
    (DataType::Float32, "f"),
    (DataType::Float64, "g"),
    (DataType::Binary, "z"),
    (DataType::LargeBinary, "Z"),
    (DataType::Utf8, "u"),
    (DataType::LargeUtf8, "U"),
    (DataType::BinaryView, "vz"),
    (DataType::Utf8View, "vu"),
    (DataType::Date32, "tdD"),
    (DataType::Date64, "tdm"),
];

impl DataType {
    /// The format in Arrow's C data interface. A dictionary has the format of its indices.
    #[must_use]
    pub fn format(&self) -> String {
        if let Some((_, format)) = PLAIN.iter().find(|(plain, _)| plain == self) {
            return (*format).into();
        }
        match self {
            Self::Decimal128(digits, scale) => format!("d:{digits},{scale}"),
            Self::Time32(unit) | Self::Time64(unit) => format!("tt{}", unit.letter()),
            Self::Timestamp(unit, false) => format!("ts{}:", unit.letter()),
            Self::Timestamp(unit, true) => format!("ts{}:UTC", unit.letter()),
            Self::Duration(unit) => format!("tD{}", unit.letter()),
            Self::FixedSizeBinary(width) => format!("w:{width}"),
            Self::Dictionary(index, _) => index.format(),
            Self::List(_) => "+l".into(),
            Self::LargeList(_) => "+L".into(),
            Self::FixedSizeList(_, count) => format!("+w:{count}"),
            Self::Struct(_) => "+s".into(),
            plain => unreachable!("{plain:?} is a plain type"),
        }
    }

    /// Parses a format of Arrow's C data interface that is a type without children.
    ///
    /// # Errors
    /// If the type has children, or is not supported, such as unions and intervals.
    pub fn parse(format: &str) -> Result<Self, Error> {
        Self::parse_supported(format).ok_or_else(|| Error::Format(format.into()))
    }

    fn parse_supported(format: &str) -> Option<Self> {
        if let Some((plain, _)) = PLAIN.iter().find(|(_, plain)| *plain == format) {
            return Some(plain.clone());
        }
        if let Some(width) = format.strip_prefix("w:") {
            let width: i32 = width.parse().ok()?; // Arrow's widths have 32 bits
            return usize::try_from(width).ok().map(Self::FixedSizeBinary);
        }
        if let Some(decimal) = format.strip_prefix("d:") {
            let decimal = decimal.strip_suffix(",128").unwrap_or(decimal);
            let (digits, scale) = decimal.split_once(',')?;
            return Some(Self::Decimal128(digits.parse().ok()?, scale.parse().ok()?));
        }
        if let Some(unit) = format.strip_prefix("tt") {
            return Some(match TimeUnit::parse(unit)? {
                unit @ (TimeUnit::Second | TimeUnit::Millisecond) => Self::Time32(unit),
                unit => Self::Time64(unit),
            });
        }
        if let Some(unit) = format.strip_prefix("tD") {
            return TimeUnit::parse(unit).map(Self::Duration);
        }
        let (unit, zone) = format.strip_prefix("ts")?.split_once(':')?;
        Some(Self::Timestamp(TimeUnit::parse(unit)?, !zone.is_empty()))
    }

    /// A noun for the values of columns with this Arrow format, for messages.
    pub(crate) fn noun_of_format(format: &str) -> &'static str {
        const OTHERS: [(&str, &str); 10] = [
            ("+s", "structs, or several columns"),
            ("+w:", "lists of one length"),
            ("+m", "maps"),
            ("+r", "run-end encoded values"),
            ("+u", "unions"),
            ("+v", "lists as views"),
            ("+", "lists"),
            ("ti", "intervals"),
            ("d:", "decimals of other than 128 bits"),
            ("", "a type that is not known here"),
        ];
        match Self::parse(format) {
            Ok(known) => known.meaning().noun,
            Err(_) => {
                let other = OTHERS.iter().find(|(start, _)| format.starts_with(start));
                other.map_or("", |(_, words)| words)
            }
        }
    }

    /// Whether a dictionary may have indices of this type.
    pub(crate) fn is_index(&self) -> bool {
        use DataType::{Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64};
        matches!(self, Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{DataType, PLAIN};

    /// The formats of types with parameters.
    const OTHERS: [&str; 10] =
        ["d:10,-3", "tts", "ttm", "ttu", "ttn", "tsn:", "tss:UTC", "tDu", "w:0", "w:32"];

    /// A type of every kind except dictionaries.
    pub(crate) fn every() -> impl Iterator<Item = DataType> {
        let flat = PLAIN.iter().map(|(_, format)| *format).chain(OTHERS);
        let of = || Box::new(DataType::Int8);
        flat.map(|format| DataType::parse(format).unwrap()).chain([
            DataType::List(of()),
            DataType::LargeList(of()),
            DataType::FixedSizeList(of(), 3),
            DataType::Struct(vec![("x".into(), DataType::Int8)]),
        ])
    }

    /// The name of the type without its parameters.
    pub(crate) fn name(data_type: &DataType) -> String {
        format!("{data_type:?}").split('(').next().unwrap().into()
    }

    #[test]
    fn formats_come_back() {
        for format in PLAIN.iter().map(|(_, format)| *format).chain(OTHERS) {
            assert_eq!(DataType::parse(format).map(|x| x.format()).as_deref(), Ok(format));
        }
        assert_eq!(DataType::parse("d:38,10,128"), Ok(DataType::Decimal128(38, 10)));
        assert!(DataType::parse("tsu:Europe/Paris").is_ok());
        assert_eq!(DataType::noun_of_format("tss:UTC"), "timestamps");
        assert_eq!(DataType::noun_of_format("+l"), "lists");
        assert_eq!(DataType::noun_of_format("_pli128"), "a type that is not known here");
        let bad = ["", "w:", "w:-1", "w:4294967296", "d:", "d:1", "d:1,2,256", "ts", "tsx:", "tt"];
        for format in bad.into_iter().chain(["tD", "+l", "+s", "q", "zz", "ü"]) {
            assert!(DataType::parse(format).is_err(), "{format}");
        }
    }
}
