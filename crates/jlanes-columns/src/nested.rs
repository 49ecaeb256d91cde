//! Columns of lists and structs, which contain other columns.

use core::ops::Range;

use crate::{
    Column, DataType, Error,
    column::{Layout, read},
};

impl<'a> Column<'a> {
    /// Lists: row `i` is the rows `offsets[i]` to `offsets[i + 1]` of `items`.
    ///
    /// ```
    /// use jlanes::Algorithm;
    /// use jlanes_columns::{Column, Encoding, ColumnHasher};
    ///
    /// let words = Column::utf8(&[0, 3, 6, 11], b"onetwothree")?;
    /// let lists = Column::list(&[0, 2, 3], words)?;
    /// let sha256 = ColumnHasher::new(Algorithm::SHA256)?;
    /// assert_eq!(sha256.row_digest(&[lists], Encoding::Binary)?.len(), 2);
    /// # Ok::<(), jlanes_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are no offsets.
    pub fn list(offsets: &'a [i32], items: Column<'a>) -> Result<Self, Error> {
        let len = offsets.len().checked_sub(1).ok_or(Error::Length)?;
        let data_type = DataType::List(Box::new(items.data_type().clone()));
        let offsets = bytemuck::cast_slice(offsets);
        let layout = Layout::List { offsets, large: false, items: Box::new(items) };
        Self::new(data_type, layout, 0, len)
    }

    /// `len` structs: row `i` has the values in row `i` of all fields.
    ///
    /// # Errors
    /// If a field has fewer rows.
    pub fn structs(
        fields: impl IntoIterator<Item = (String, Column<'a>)>,
        len: usize,
    ) -> Result<Self, Error> {
        let (types, columns): (Vec<_>, Vec<_>) = fields
            .into_iter()
            .map(|(name, field)| ((name, field.data_type().clone()), field))
            .unzip();
        Self::new(DataType::Struct(types), Layout::Struct(columns), 0, len)
    }

    /// Whether the column contains no other columns.
    pub(crate) fn is_flat(&self) -> bool {
        match self.layout_and_offset().0 {
            Layout::Null | Layout::Bits(_) | Layout::Fixed { .. } => true,
            Layout::Offsets { .. } | Layout::LargeOffsets { .. } | Layout::Views { .. } => true,
            Layout::Dictionary { .. } | Layout::List { .. } => false,
            Layout::FixedSizeList { .. } | Layout::Struct(_) => false,
        }
    }

    /// The rows of the items in row `i` of a column of lists; the row is not null.
    ///
    /// Items that take no memory are refused, because any number of them costs the producer nothing.
    pub(crate) fn items_of(&self, i: usize) -> Result<Range<usize>, Error> {
        let (layout, offset) = self.layout_and_offset();
        let at = offset + i;
        let (range, items) = match layout {
            Layout::List { offsets, large, items } => {
                let offset = |at| match large {
                    true => read(offsets, at).and_then(|x| i64::from_ne_bytes(x).try_into().ok()),
                    false => read(offsets, at).and_then(|x| i32::from_ne_bytes(x).try_into().ok()),
                };
                let range = offset(at).zip(offset(at + 1));
                (range.map(|(from, to)| from..to).ok_or(Error::Offsets(i))?, items)
            }
            Layout::FixedSizeList { count, items } => (at * count..(at + 1) * count, items),
            _ => return Err(Error::Type(self.data_type().format())),
        };
        if range.start > range.end || range.end > items.len() {
            return Err(Error::Offsets(i));
        }
        if !range.is_empty() && items.data_type().is_void() {
            return Err(Error::Void);
        }
        Ok(range)
    }

    /// The column of the items, or the columns of the fields.
    pub(crate) fn children(&self) -> &[Column<'a>] {
        match self.layout_and_offset().0 {
            Layout::List { items, .. } | Layout::FixedSizeList { items, .. } => {
                core::slice::from_ref(&**items)
            }
            Layout::Struct(fields) => fields,
            _ => &[],
        }
    }
}
