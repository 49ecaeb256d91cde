//! The same rows in every layout.

use bytemuck::cast_slice;
use jlanes_columns::{Column, DataType};
use proptest::{
    collection, option,
    prelude::{Strategy, any},
};

/// The value of a row.
pub(crate) type Row = Option<Vec<u8>>;

pub(crate) const LAYOUTS: [Layout; 15] = [
    Layout::Plain(Plain::Utf8),
    Layout::Plain(Plain::LargeUtf8),
    Layout::Plain(Plain::Utf8View),
    Layout::Plain(Plain::Binary),
    Layout::Plain(Plain::LargeBinary),
    Layout::Plain(Plain::BinaryView),
    Layout::Plain(Plain::FixedSizeBinary),
    Layout::Dictionary(DataType::Int8, Plain::Utf8),
    Layout::Dictionary(DataType::UInt8, Plain::LargeBinary),
    Layout::Dictionary(DataType::Int16, Plain::BinaryView),
    Layout::Dictionary(DataType::UInt16, Plain::Binary),
    Layout::Dictionary(DataType::Int32, Plain::FixedSizeBinary),
    Layout::Dictionary(DataType::UInt32, Plain::LargeUtf8),
    Layout::Dictionary(DataType::Int64, Plain::Utf8View),
    Layout::Dictionary(DataType::UInt64, Plain::Utf8),
];

#[derive(Clone, Debug)]
pub(crate) enum Layout {
    Plain(Plain),
    Dictionary(DataType, Plain),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Utf8,
    LargeUtf8,
    Utf8View,
    Binary,
    LargeBinary,
    BinaryView,
    FixedSizeBinary,
}

impl Layout {
    /// Whether all rows need the same length.
    pub(crate) fn is_fixed(&self) -> bool {
        let (Self::Plain(plain) | Self::Dictionary(_, plain)) = self;
        *plain == Plain::FixedSizeBinary
    }

    pub(crate) fn is_text(&self) -> bool {
        let (Self::Plain(plain) | Self::Dictionary(_, plain)) = self;
        matches!(plain, Plain::Utf8 | Plain::LargeUtf8 | Plain::Utf8View)
    }
}

/// Buffers with more rows `around` the column, which is a slice of them.
pub(crate) struct Buffers {
    layout: Layout,
    values: Values,
    indices: Vec<u8>,
    validity: Option<Vec<u8>>,
    bit: usize,
    around: usize,
    len: usize,
}

/// The members of an array in the C data interface.
pub(crate) struct Parts<'b> {
    pub(crate) format: String,
    pub(crate) offset: usize,
    pub(crate) len: usize,
    pub(crate) buffers: Vec<Option<&'b [u8]>>,
}

struct Values {
    plain: Plain,
    small: Vec<i32>,
    large: Vec<i64>,
    views: Vec<u128>,
    bytes: Vec<u8>,
    more: Vec<u8>,
    sizes: [i64; 2],
    width: usize,
    validity: Option<Vec<u8>>,
    bit: usize,
}

impl Buffers {
    /// Lays out rows between `around` others, with validity from bit `bit` on.
    pub(crate) fn new(layout: &Layout, rows: &[Row], around: usize, bit: usize) -> Self {
        let width = rows.iter().flatten().map(Vec::len).next().unwrap_or(3).max(1);
        let junk = |i: usize| Some(vec![i as u8; width]);
        let before = (0..around).map(junk);
        let all: Vec<Row> =
            before.chain(rows.iter().cloned()).chain((0..around).map(junk)).collect();
        let (values, indices) = match layout {
            Layout::Plain(plain) => (Values::new(*plain, &all, width, 7), Vec::new()),
            Layout::Dictionary(index, plain) => {
                // a value of no row comes first; null rows are nulls in the dictionary, too
                let mut distinct: Vec<Row> = vec![Some(vec![0xee; width])];
                let mut indices = Vec::new();
                for row in &all {
                    let found = distinct.iter().position(|value| value == row);
                    let at = found.unwrap_or_else(|| {
                        distinct.push(row.clone());
                        distinct.len() - 1
                    });
                    let width = width_of(index);
                    let lowest = if cfg!(target_endian = "big") { 8 - width } else { 0 };
                    indices.extend(&(at as u64).to_ne_bytes()[lowest..lowest + width]);
                }
                (Values::new(*plain, &distinct, width, 0), indices)
            }
        };
        // if the dictionary has the nulls, the indices need not have them
        let says = matches!(layout, Layout::Plain(_)) || bit.is_multiple_of(2);
        let some = says && rows.iter().any(Option::is_none);
        let validity = some.then(|| bits(rows.iter().map(Option::is_some), bit));
        let layout = layout.clone();
        Self { layout, values, indices, validity, bit, around, len: rows.len() }
    }

    /// The array's format, offset, length and buffers (`None` for null), and those of its dictionary.
    pub(crate) fn parts(&self) -> (Parts<'_>, Option<Parts<'_>>) {
        let mut values = self.values.parts();
        let mut array = match &self.layout {
            Layout::Plain(_) => {
                values.len = self.len;
                values.offset = self.around;
                values
            }
            Layout::Dictionary(index, _) => {
                let buffers = vec![None, Some(&self.indices[..])];
                Parts { format: index.format(), offset: self.around, len: self.len, buffers }
            }
        };
        array.buffers[0] = self.validity.as_deref();
        let is_dictionary = matches!(self.layout, Layout::Dictionary(..));
        (array, is_dictionary.then(|| self.values.parts()))
    }

    pub(crate) fn column(&self) -> Column<'_> {
        let values = self.values.column();
        let all = match &self.layout {
            Layout::Plain(_) => values,
            Layout::Dictionary(index, _) => {
                let indices = Column::numbers(index.clone(), &self.indices).unwrap();
                Column::dictionary(&indices, values).unwrap()
            }
        };
        assert_eq!(all.len(), self.len + 2 * self.around);
        let column = all.slice(self.around, self.len).unwrap();
        match &self.validity {
            Some(bits) => column.with_validity(bits, self.bit).unwrap(),
            None => column,
        }
    }
}

impl Values {
    fn new(plain: Plain, rows: &[Row], width: usize, bit: usize) -> Self {
        let mut it = Self {
            plain,
            small: vec![1],
            large: vec![1],
            views: Vec::new(),
            bytes: Vec::new(),
            more: Vec::new(),
            sizes: [0; 2],
            width,
            validity: None,
            bit,
        };
        if rows.iter().any(Option::is_none) {
            it.validity = Some(bits(rows.iter().map(Option::is_some), bit));
        }
        if plain != Plain::FixedSizeBinary {
            it.bytes.push(0xaa); // the first value need not be the first byte
        }
        for (i, row) in rows.iter().enumerate() {
            // null rows have bytes, too, and invalid views
            let junk = vec![0xdd; width];
            let value = row.as_ref().unwrap_or(&junk);
            let buffer = if i % 2 == 0 { &mut it.bytes } else { &mut it.more };
            it.views.push(match row {
                None => u128::from_ne_bytes([0xfe; 16]),
                Some(value) => view(value, (i % 2) as u32, buffer.len() as u32),
            });
            let buffer = match plain {
                Plain::Utf8View | Plain::BinaryView => buffer,
                _ => &mut it.bytes,
            };
            buffer.extend(value);
            it.small.push(it.bytes.len() as i32);
            it.large.push(it.bytes.len() as i64);
        }
        it.sizes = [it.bytes.len() as i64, it.more.len() as i64];
        it
    }

    fn parts(&self) -> Parts<'_> {
        let bytes = Some(&self.bytes[..]);
        let (small, large) = (Some(cast_slice(&self.small)), Some(cast_slice(&self.large)));
        let (views, more) = (Some(cast_slice(&self.views)), Some(&self.more[..]));
        let sizes = Some(cast_slice(&self.sizes));
        let (format, buffers) = match self.plain {
            Plain::Utf8 => ("u".into(), vec![None, small, bytes]),
            Plain::LargeUtf8 => ("U".into(), vec![None, large, bytes]),
            Plain::Utf8View => ("vu".into(), vec![None, views, bytes, more, sizes]),
            Plain::Binary => ("z".into(), vec![None, small, bytes]),
            Plain::LargeBinary => ("Z".into(), vec![None, large, bytes]),
            Plain::BinaryView => ("vz".into(), vec![None, views, bytes, more, sizes]),
            Plain::FixedSizeBinary => (format!("w:{}", self.width), vec![None, bytes]),
        };
        let mut parts = Parts { format, offset: 0, len: self.views.len(), buffers };
        parts.buffers[0] = self.validity.as_deref();
        parts
    }

    fn column(&self) -> Column<'_> {
        let bytes = &self.bytes[..];
        let column = match self.plain {
            Plain::Utf8 => Column::utf8(&self.small, bytes),
            Plain::LargeUtf8 => Column::large_utf8(&self.large, bytes),
            Plain::Utf8View => Column::utf8_view(&self.views, vec![bytes, &self.more]),
            Plain::Binary => Column::binary(&self.small, bytes),
            Plain::LargeBinary => Column::large_binary(&self.large, bytes),
            Plain::BinaryView => Column::binary_view(&self.views, vec![bytes, &self.more]),
            Plain::FixedSizeBinary => Column::fixed_size_binary(bytes, self.width),
        };
        match &self.validity {
            Some(bits) => column.unwrap().with_validity(bits, self.bit).unwrap(),
            None => column.unwrap(),
        }
    }
}

fn width_of(index: &DataType) -> usize {
    match index {
        DataType::Int8 | DataType::UInt8 => 1,
        DataType::Int16 | DataType::UInt16 => 2,
        DataType::Int32 | DataType::UInt32 => 4,
        _ => 8,
    }
}

/// The given bits after `before` set ones.
pub(crate) fn bits(bits: impl Iterator<Item = bool>, before: usize) -> Vec<u8> {
    let bits: Vec<bool> = (0..before).map(|_| true).chain(bits).collect();
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    bits.chunks(8).map(byte).collect()
}

/// A view in memory, in the machine's byte order.
pub(crate) fn view(value: &[u8], buffer: u32, at: u32) -> u128 {
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(value.len() as u32).to_ne_bytes());
    if value.len() <= 12 {
        view[4..4 + value.len()].copy_from_slice(value);
    } else {
        view[4..8].copy_from_slice(&value[..4]);
        view[8..12].copy_from_slice(&buffer.to_ne_bytes());
        view[12..].copy_from_slice(&at.to_ne_bytes());
    }
    u128::from_ne_bytes(view)
}

/// Up to `most` rows with lengths around a block's. Few rows are different, for dictionaries.
pub(crate) fn rows(most: usize) -> impl Strategy<Value = Vec<Row>> {
    let short = collection::vec(any::<u8>(), 0..20);
    let any_length = collection::vec(any::<u8>(), 0..300);
    let pool = collection::vec(proptest::prop_oneof![short, any_length], 1..30);
    let chosen = collection::vec(option::weighted(0.8, any::<proptest::sample::Index>()), 0..most);
    (pool, chosen).prop_map(|(pool, chosen)| {
        chosen.into_iter().map(|row| row.map(|index| index.get(&pool).clone())).collect()
    })
}

/// The rows, changed to lengths that the layout allows.
pub(crate) fn fit(layout: &Layout, mut rows: Vec<Row>, width: usize) -> Vec<Row> {
    if layout.is_fixed() {
        rows.iter_mut().flatten().for_each(|row| row.resize(width, 0x55));
    }
    rows
}
