//! The job of a plugin call, parsed from its keyword arguments.

use std::collections::HashMap;

use jlanes_columns::{Array, Column, ColumnHasher, DataType, Encoding, Error, Key, ffi::Imported};

use super::Failure;
use crate::{
    aligned::{Aligned, Piece},
    keys, names,
    pickle::{self, Value},
};

/// An operation on columns, with its parameters.
pub(super) struct PluginJob {
    what: String,
    hasher: ColumnHasher,
    encoding: Encoding,
    key: Option<Vec<u8>>,
    /// The name of a key. The key itself is looked up where the job runs.
    key_name: Option<String>,
    rounds: u32,
    width: usize,
}

impl PluginJob {
    pub(super) fn parse(kwargs: &[u8]) -> Result<Self, Failure> {
        let mut kwargs: HashMap<String, Value> =
            pickle::read(kwargs).ok_or("the keyword arguments cannot be read")?;
        let mut take = |name: &str| kwargs.remove(name).unwrap_or(Value::None);
        let (Value::Text(what), Value::Text(name)) = (take("what"), take("name")) else {
            return Err("the job or its algorithm is missing".into());
        };
        let algorithm = names::find(&name)?;
        let hasher = ColumnHasher::new(algorithm)?;
        const WRONG: &str = "a keyword argument is of another type";
        let hex = match take("hex") {
            Value::Bool(hex) => hex,
            Value::None => false,
            _ => return Err(WRONG.into()),
        };
        let key = match take("key") {
            Value::Bytes(key) => Some(key),
            Value::None => None,
            _ => return Err(WRONG.into()),
        };
        let key_name = match take("key_name") {
            Value::Text(name) => Some(name),
            Value::None => None,
            _ => return Err(WRONG.into()),
        };
        let mut number = |name: &str, default: u32| match take(name) {
            Value::Int(number) => u32::try_from(number).map_err(|_| WRONG),
            Value::None => Ok(default),
            _ => Err(WRONG),
        };
        let rounds = number("iterations", 1)?;
        let width = number("dklen", hasher.output_size() as u32)? as usize;
        // of a newer version, on a machine where the plan was made
        if let Some(name) = kwargs.keys().next() {
            return Err(format!("this version has no keyword argument {name}").into());
        }
        let encoding = if hex { Encoding::LargeHex } else { Encoding::LargeBinary };
        Ok(Self { what, hasher, encoding, key, key_name, rounds, width })
    }

    pub(super) fn data_type(&self) -> DataType {
        match &*self.what {
            "verify" => DataType::Boolean,
            "pbkdf2" => self.encoding.data_type(self.width),
            _ => self.encoding.data_type(self.hasher.output_size()),
        }
    }

    /// Runs on columns of equal length. `key` is the key of all rows; without it, the last column of a
    /// job with keys has them.
    fn run(&self, columns: &[Column<'_>], key: Option<&[u8]>) -> Result<Array, Failure> {
        let (hasher, encoding) = (&self.hasher, self.encoding);
        let one = key.map(Key::One);
        Ok(match (&*self.what, columns, one) {
            ("digest", [column], None) => hasher.digest(column, encoding)?,
            ("hmac", [column], Some(key)) => hasher.hmac(key, column, encoding)?,
            ("hmac", [column, keys], None) => hasher.hmac(Key::Each(keys), column, encoding)?,
            ("pbkdf2", [column], Some(salt)) => {
                hasher.pbkdf2(column, salt, self.rounds, self.width, encoding)?
            }
            ("pbkdf2", [column, salts], None) => {
                hasher.pbkdf2(column, Key::Each(salts), self.rounds, self.width, encoding)?
            }
            ("verify", [column, expected], None) => hasher.verify(column, expected)?,
            ("verify", [column, expected], Some(key)) => {
                hasher.verify_hmac(key, column, expected)?
            }
            ("verify", [column, expected, keys], None) => {
                hasher.verify_hmac(Key::Each(keys), column, expected)?
            }
            ("rows", columns, None) => hasher.row_digest(columns, encoding)?,
            (what, columns, _) => {
                return Err(format!("{what} does not take {} columns", columns.len()).into());
            }
        })
    }

    /// Runs on series, which may have different chunk boundaries. A series with one row is broadcast,
    /// as polars does with literals.
    pub(super) fn run_all(&self, mut series: Vec<Vec<Imported>>) -> Result<Vec<Array>, Failure> {
        let mut key = self.key.clone();
        if let Some(name) = &self.key_name {
            key = Some(keys::find(name).map_err(keys::NoKey::text)?);
        }
        let rows = |chunks: &Vec<Imported>| {
            chunks.iter().try_fold(0, |sum, chunk| Ok::<_, Error>(sum + chunk.rows()?))
        };
        let lens: Vec<usize> = series.iter().map(rows).collect::<Result<_, _>>()?;
        let is_literal = |i: usize| lens[i] == 1 && lens.iter().any(|len| *len != 1);
        let last = series.len().saturating_sub(1);
        let has_keys = match &*self.what {
            "hmac" | "pbkdf2" => last == 1,
            what => what == "verify" && last == 2,
        };
        if has_keys && is_literal(last) {
            let literal = literal(&series[last])?;
            key = literal.column()?.get(0)?.map(<[u8]>::to_vec);
            if key.is_some() {
                series.truncate(last);
            }
        }
        let (mut literals, mut others) = (Vec::new(), Vec::new());
        for (i, chunks) in series.into_iter().enumerate() {
            match is_literal(i) {
                true => literals.push((i, chunks)),
                false => others.push((chunks.into_iter().map(Ok), false)),
            }
        }
        let mut aligned = Aligned::new(others);
        let mut arrays = Vec::new();
        while let Some(pieces) = aligned.next(|_| usize::MAX)? {
            let mut columns: Vec<_> = pieces.iter().map(Piece::column).collect::<Result<_, _>>()?;
            // a dictionary with a single value, which every row refers to
            let numbers = vec![0; columns.first().map_or(0, Column::len)];
            for (i, chunks) in &literals {
                let numbers = Column::numbers(DataType::UInt8, &numbers)?;
                columns.insert(*i, Column::dictionary(&numbers, literal(chunks)?.column()?)?);
            }
            arrays.push(self.run(&columns, key.as_deref())?);
        }
        Ok(arrays)
    }
}

/// The chunk with the only row of a series.
fn literal(chunks: &[Imported]) -> Result<&Imported, Error> {
    chunks.iter().find(|chunk| chunk.rows() == Ok(1)).ok_or(Error::Rows)
}
