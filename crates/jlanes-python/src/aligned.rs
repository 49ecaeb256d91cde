//! Columns that are chunked at different rows, piece by piece.

use jlanes_columns::{Column, Error, ffi::Imported};

/// Rows of a chunk.
pub(crate) struct Piece<'c> {
    chunk: &'c Imported,
    first: usize,
    rows: usize,
    relation: bool,
}

impl<'c> Piece<'c> {
    /// The rows of a column.
    pub(crate) fn column(&self) -> Result<Column<'c>, Error> {
        if self.relation
            && let [only] = &*self.chunk.columns()?
        {
            return only.slice(self.first, self.rows);
        }
        self.chunk.column()?.slice(self.first, self.rows)
    }

    /// The rows of all columns of a table.
    pub(crate) fn columns(&self) -> Result<Vec<Column<'c>>, Error> {
        let columns = self.chunk.columns()?;
        columns.iter().map(|column| column.slice(self.first, self.rows)).collect()
    }
}

/// One column's chunks, as far as they are not used up.
struct Operand<I> {
    chunks: I,
    /// Whether it is a result of SQL, which is a column if it has one.
    relation: bool,
    /// The chunk that is being used, or the last one.
    chunk: Option<Imported>,
    first: usize,
    rows: usize,
}

impl<I: Iterator<Item = Result<Imported, Error>>> Operand<I> {
    /// The number of rows that are left of a chunk; `None` behind the last one.
    fn left(&mut self) -> Result<Option<usize>, Error> {
        while self.first == self.rows {
            let Some(chunk) = self.chunks.next().transpose()? else { return Ok(None) };
            (self.first, self.rows) = (0, chunk.rows()?);
            self.chunk = Some(chunk);
        }
        Ok(Some(self.rows - self.first))
    }
}

/// Columns of the same length, of which each piece has the same rows.
pub(crate) struct Aligned<I> {
    operands: Vec<Operand<I>>,
    started: bool,
}

impl<I: Iterator<Item = Result<Imported, Error>>> Aligned<I> {
    /// Columns, and for each whether it is a result of SQL, which is a column if it has one.
    pub(crate) fn new(columns: impl IntoIterator<Item = (I, bool)>) -> Self {
        let operand =
            |(chunks, relation)| Operand { chunks, relation, chunk: None, first: 0, rows: 0 };
        Self { operands: columns.into_iter().map(operand).collect(), started: false }
    }

    /// The next rows of all columns, at most as many as `most` says for the first column's chunk. Columns
    /// without rows have one piece, if they have a chunk, so that their types are looked at.
    pub(crate) fn next(
        &mut self,
        most: impl FnOnce(&Imported) -> usize,
    ) -> Result<Option<Vec<Piece<'_>>>, Error> {
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
            let (first, relation) = (operand.first, operand.relation);
            pieces.push(Piece { chunk, first, rows, relation });
            operand.first += rows;
        }
        Ok(Some(pieces))
    }
}
