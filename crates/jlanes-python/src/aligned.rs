//! Iteration over columns with different chunk boundaries, in pieces that have the same rows.

use std::sync::Arc;

use jlanes_columns::{Column, Error, ffi::Imported};

/// A range of rows of one chunk.
pub(crate) struct Piece {
    chunk: Arc<Imported>,
    first: usize,
    rows: usize,
    relation: bool,
}

impl Piece {
    /// The rows as one column.
    pub(crate) fn column(&self) -> Result<Column<'_>, Error> {
        if self.relation
            && let [only] = &*self.chunk.columns()?
        {
            return only.slice(self.first, self.rows);
        }
        self.chunk.column()?.slice(self.first, self.rows)
    }

    /// The rows of every column of a table.
    pub(crate) fn columns(&self) -> Result<Vec<Column<'_>>, Error> {
        let columns = self.chunk.columns()?;
        columns.iter().map(|column| column.slice(self.first, self.rows)).collect()
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// An upper bound of the bytes of the values.
    pub(crate) fn size(&self) -> Result<usize, Error> {
        Ok(self.chunk.column()?.size())
    }
}

/// One column: its current chunk, and the chunks that follow.
struct Operand<I> {
    chunks: I,
    /// Whether it is a SQL result. If that has a single column, the operand is this column.
    relation: bool,
    /// The current chunk, or the last one at the end.
    chunk: Option<Arc<Imported>>,
    first: usize,
    rows: usize,
}

impl<I: Iterator<Item = Result<Imported, Error>>> Operand<I> {
    /// The number of rows left in the current chunk; `None` at the end.
    fn left(&mut self) -> Result<Option<usize>, Error> {
        while self.first == self.rows {
            let Some(chunk) = self.chunks.next().transpose()? else { return Ok(None) };
            (self.first, self.rows) = (0, chunk.rows()?);
            self.chunk = Some(Arc::new(chunk));
        }
        Ok(Some(self.rows - self.first))
    }
}

/// Columns of equal length.
pub(crate) struct Aligned<I> {
    operands: Vec<Operand<I>>,
    started: bool,
}

impl<I: Iterator<Item = Result<Imported, Error>>> Aligned<I> {
    /// An iterator over `columns`. The flags say whether they are SQL results.
    pub(crate) fn new(columns: impl IntoIterator<Item = (I, bool)>) -> Self {
        let operand =
            |(chunks, relation)| Operand { chunks, relation, chunk: None, first: 0, rows: 0 };
        Self { operands: columns.into_iter().map(operand).collect(), started: false }
    }

    /// The next rows, one piece for each column. `most` limits their number by the first column's
    /// chunk. A column without rows has one empty piece if it has a chunk, so that its type is checked.
    pub(crate) fn next(
        &mut self,
        most: impl FnOnce(&Imported) -> usize,
    ) -> Result<Option<Vec<Piece>>, Error> {
        let left: Result<Vec<_>, _> = self.operands.iter_mut().map(Operand::left).collect();
        let left = left?;
        let rows = match left.iter().copied().collect::<Option<Vec<usize>>>() {
            Some(left) => left.into_iter().min().unwrap_or(0),
            None if left.iter().any(Option::is_some) => return Err(Error::Rows),
            None if self.started => return Ok(None),
            None => 0,
        };
        self.started = true;
        let Some(chunk) = self.operands.first().and_then(|first| first.chunk.as_ref()) else {
            return Ok(None);
        };
        let rows = rows.min(most(chunk).max(1));
        let mut pieces = Vec::with_capacity(self.operands.len());
        for operand in &mut self.operands {
            let Some(chunk) = &operand.chunk else { return Ok(None) };
            let (chunk, first, relation) = (Arc::clone(chunk), operand.first, operand.relation);
            pieces.push(Piece { chunk, first, rows, relation });
            operand.first += rows;
        }
        Ok(Some(pieces))
    }
}
