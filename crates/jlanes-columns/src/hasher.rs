//! [`ColumnHasher`], the operations on columns: digests, HMAC, PBKDF2, verification, and digests of rows.

use core::fmt;

use jlanes::{
    Algorithm, Backend,
    algorithm::{AnyLanes, NotADigest},
    multi::Messages,
};

use crate::{
    Array, Column, Encoding, Error, Key,
    allocation::try_with_capacity,
    rows,
    run::{compare, run},
    task::{Task, ThreadedLanes},
};

/// An algorithm, and its settings for columns.
///
/// Null rows stay null: a row of the result is null if one of its operands is. Dictionaries are
/// hashed once per value. Creating a hasher is almost free.
///
/// ```
/// use jlanes::{Digest, Sha512};
/// use jlanes_columns::{Column, Encoding, ColumnHasher};
///
/// let sha512 = ColumnHasher::new("sha512".parse().expect("it is a name"))?;
/// let names = Column::fixed_size_binary(b"onetwo", 3)?;
/// let digests = sha512.digest(&names, Encoding::FixedSizeBinary)?;
/// assert_eq!(digests.get(1), Some(&Sha512::digest(b"two")[..]));
/// # Ok::<(), jlanes_columns::Error>(())
/// ```
#[derive(Clone)]
pub struct ColumnHasher {
    lanes: ThreadedLanes,
}

impl fmt::Debug for ColumnHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ColumnHasher({:?})", self.lanes.select(false))
    }
}

/// The settings of the lanes, such as a [`Key`](jlanes::algorithm::Key). The lanes run on the calling
/// thread; [`ColumnHasher::parallel`] adds threads.
///
/// ```
/// use jlanes::{Algorithm, algorithm::Key};
/// use jlanes_columns::{Column, Encoding, ColumnHasher};
///
/// let blake2s: Algorithm = "blake2s".parse()?;
/// let keyed = blake2s.with(Key::Own(b"secret".to_vec()))?;
/// let names = Column::fixed_size_binary(b"onetwo", 3)?;
/// let tags = ColumnHasher::from(keyed.lanes()?).digest(&names, Encoding::Binary)?;
/// let digests = ColumnHasher::new(blake2s)?.digest(&names, Encoding::Binary)?;
/// assert_ne!(tags.get(1), digests.get(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<AnyLanes> for ColumnHasher {
    fn from(lanes: AnyLanes) -> Self {
        Self { lanes: lanes.into() }
    }
}

impl ColumnHasher {
    /// A hasher on the detected backend and the calling thread.
    ///
    /// # Errors
    /// For algorithms that have no digest for some messages.
    pub fn new(algorithm: Algorithm) -> Result<Self, NotADigest> {
        Ok(algorithm.lanes()?.into())
    }

    /// Runs on a given backend.
    #[must_use]
    pub fn on(self, backend: Backend) -> Self {
        Self { lanes: self.lanes.map(|lanes| lanes.on(backend)) }
    }

    /// Prepends `prefix` to every row, as [`Lanes::prefix`](jlanes::multi::Lanes::prefix).
    ///
    /// ```
    /// use jlanes::{Algorithm, Digest, Sha256};
    /// use jlanes_columns::{Column, Encoding, ColumnHasher};
    ///
    /// let hasher = ColumnHasher::new(Algorithm::SHA256)?.prefix(b"user:");
    /// let digests = hasher.digest(&Column::utf8(&[0, 3], b"Ada")?, Encoding::Binary)?;
    /// assert_eq!(digests.get(0), Some(&Sha256::digest(b"user:Ada")[..]));
    /// # Ok::<(), jlanes_columns::Error>(())
    /// ```
    #[must_use]
    pub fn prefix(self, prefix: &[u8]) -> Self {
        Self { lanes: self.lanes.map(|lanes| lanes.prefix(prefix)) }
    }

    /// Runs on rayon's thread pool, with the same results. Do not use it in engines with their own
    /// threads, such as Polars and DataFusion, which call hashers on each of them.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(self) -> Self {
        Self { lanes: self.lanes.parallel() }
    }

    /// Calls `go_on` every few milliseconds, on the worker threads, and ends with [`Error::Stopped`] once
    /// it returns `false`.
    ///
    /// ```
    /// use jlanes::Algorithm;
    /// use jlanes_columns::{Column, Encoding, Error, ColumnHasher};
    ///
    /// let hasher = ColumnHasher::new(Algorithm::SHA256)?.watched(|| false);
    /// let names = Column::utf8(&[0, 1], b"a")?;
    /// assert_eq!(hasher.digest(&names, Encoding::Binary), Err(Error::Stopped));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn watched(self, go_on: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { lanes: self.lanes.watched(go_on) }
    }

    /// The algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.lanes.select(false).algorithm()
    }

    /// Bytes of a digest.
    #[must_use]
    pub fn output_size(&self) -> usize {
        self.lanes.select(false).output_size()
    }

    /// The digest of every row.
    ///
    /// # Errors
    /// If the column is not of text or bytes, is malformed, or the result is too large.
    pub fn digest(&self, column: &Column<'_>, encoding: Encoding) -> Result<Array, Error> {
        single(run(&[column], &[self.task()], encoding))
    }

    /// The HMAC tag of every row.
    ///
    /// ```
    /// use jlanes::Algorithm;
    /// use jlanes_columns::{Column, Encoding, ColumnHasher, Key};
    ///
    /// let sha256 = ColumnHasher::new(Algorithm::SHA256)?;
    /// let names = Column::utf8(&[0, 28, 28], b"what do ya want for nothing?")?;
    /// let tags = sha256.hmac(Key::One(b"Jefe"), &names, Encoding::Hex)?;
    /// assert_eq!(tags.get(0).map(|hex| &hex[..8]), Some(&b"5bdcc146"[..])); // RFC 4231, test case 2
    ///
    /// let keys = Column::utf8(&[0, 4, 9], b"Jefeother")?;
    /// let with_keys = sha256.hmac(Key::Each(&keys), &names, Encoding::Hex)?;
    /// assert_eq!(with_keys.get(0), tags.get(0));
    /// assert_ne!(with_keys.get(1), tags.get(1));
    /// # Ok::<(), jlanes_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`digest`](Self::digest); if HMAC is not defined for the algorithm; if the numbers of
    /// keys and rows differ.
    pub fn hmac(
        &self,
        key: Key<'_>,
        column: &Column<'_>,
        encoding: Encoding,
    ) -> Result<Array, Error> {
        let width = self.output_size();
        match key {
            Key::One(key) => {
                let task = self.task_of(width, move |lanes, messages, out| {
                    Ok(lanes.hmac(key, Messages::slices(messages[0]), out)?)
                });
                single(run(&[column], &[task], encoding))
            }
            Key::Each(keys) => {
                let task = self.task_of(width, |lanes, operands, out| {
                    let (keys, messages) = (operands[0], operands[1]);
                    Ok(lanes.hmac_keyed(Messages::slices(keys), Messages::slices(messages), out)?)
                });
                single(run(&[keys, column], &[task], encoding))
            }
        }
    }

    /// Keys of `width` bytes, derived from passwords with PBKDF2 and HMAC (RFC 8018).
    ///
    /// ```
    /// use jlanes::Algorithm;
    /// use jlanes_columns::{Column, Encoding, ColumnHasher, Key};
    ///
    /// let passwords = Column::utf8(&[0, 6, 13], b"passwdanother")?;
    /// let salts = Column::utf8(&[0, 4, 10], b"saltpepper")?;
    /// let sha256 = ColumnHasher::new(Algorithm::SHA256)?;
    /// let keys = sha256.pbkdf2(&passwords, Key::Each(&salts), 1, 32, Encoding::Hex)?;
    /// assert_eq!(keys.get(0).map(|key| &key[..8]), Some(&b"55ac046e"[..])); // RFC 7914, section 11
    /// # Ok::<(), jlanes_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`hmac`](Self::hmac), and if `width` is 0. Keys of 2^32 bytes and more are too large.
    pub fn pbkdf2(
        &self,
        passwords: &Column<'_>,
        salt: Key<'_>,
        rounds: u32,
        width: usize,
        encoding: Encoding,
    ) -> Result<Array, Error> {
        if width == 0 {
            return Err(Error::Width);
        }
        u32::try_from(width).map_err(|_| Error::TooLarge)?;
        let blocks = width.div_ceil(self.output_size()).saturating_mul(rounds as usize);
        let cost = blocks.saturating_mul(2 * self.algorithm().block_size());
        match salt {
            Key::One(salt) => {
                let task = self.task_of(width, move |lanes, passwords, out| {
                    let mut salts = try_with_capacity(passwords[0].len())?;
                    salts.resize(passwords[0].len(), salt);
                    let passwords = Messages::slices(passwords[0]);
                    Ok(lanes.pbkdf2(passwords, Messages::slices(&salts), rounds, width, out)?)
                });
                single(run(&[passwords], &[Task { cost, ..task }], encoding))
            }
            Key::Each(salts) => {
                let task = self.task_of(width, move |lanes, operands, out| {
                    let passwords = Messages::slices(operands[0]);
                    let salts = Messages::slices(operands[1]);
                    Ok(lanes.pbkdf2(passwords, salts, rounds, width, out)?)
                });
                single(run(&[passwords, salts], &[Task { cost, ..task }], encoding))
            }
        }
    }

    /// Whether the digest of every row equals the one in `expected`: a column of booleans, null if
    /// one of the two is. Columns of bytes contain raw digests, columns of text hexadecimal ones in
    /// either case.
    ///
    /// The time does not depend on the digests' bytes.
    ///
    /// ```
    /// use jlanes::{Algorithm, Digest, Sha256};
    /// use jlanes_columns::{Column, ColumnHasher};
    ///
    /// let digests = [Sha256::digest("a"), Sha256::digest("c")].concat();
    /// let names = Column::utf8(&[0, 1, 2], b"ab")?;
    /// let expected = Column::fixed_size_binary(&digests, 32)?;
    /// let right = ColumnHasher::new(Algorithm::SHA256)?.verify(&names, &expected)?;
    /// assert_eq!((right.is_true(0), right.is_true(1)), (Some(true), Some(false)));
    /// # Ok::<(), jlanes_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`digest`](Self::digest), and if the columns have different numbers of rows.
    pub fn verify(&self, column: &Column<'_>, expected: &Column<'_>) -> Result<Array, Error> {
        compare(&self.digest(column, Encoding::FixedSizeBinary)?, expected)
    }

    /// Whether the HMAC tag of every row equals the one in `expected`, as [`verify`](Self::verify).
    ///
    /// # Errors
    /// As [`hmac`](Self::hmac) and `verify`.
    pub fn verify_hmac(
        &self,
        key: Key<'_>,
        column: &Column<'_>,
        expected: &Column<'_>,
    ) -> Result<Array, Error> {
        compare(&self.hmac(key, column, Encoding::FixedSizeBinary)?, expected)
    }

    /// One digest per row of a table, independent of the columns' layouts: the digest of the row's
    /// canonical [encoding](crate#rows). No row of the result is null.
    ///
    /// ```
    /// use jlanes::{Algorithm, Digest, Sha256};
    /// use jlanes_columns::{Column, DataType, Encoding, ColumnHasher};
    ///
    /// let names = Column::utf8(&[0, 2, 2], b"ab")?.with_validity(&[0b01], 0)?;
    /// let ages = [7u8, 9];
    /// let ages = Column::numbers(DataType::UInt8, &ages)?;
    /// let rows = ColumnHasher::new(Algorithm::SHA256)?.row_digest(&[names, ages], Encoding::Binary)?;
    /// let second = b"JLR1\x02\0\0\0\xa0\x06\x09"; // two fields: no string, and the number 9
    /// assert_eq!(rows.get(1), Some(&Sha256::digest(second)[..]));
    /// # Ok::<(), jlanes_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`digest`](Self::digest), but numbers, booleans, dates and times are supported, too; and
    /// if the columns have different numbers of rows.
    pub fn row_digest(&self, columns: &[Column<'_>], encoding: Encoding) -> Result<Array, Error> {
        rows::digest(&self.task(), columns, encoding)
    }

    /// The task that digests.
    pub(crate) fn task(&self) -> Task<'_> {
        self.task_of(self.output_size(), |lanes, messages, out| {
            lanes.digest(Messages::slices(messages[0]), out);
            Ok(())
        })
    }

    fn task_of<'j>(
        &'j self,
        width: usize,
        job: impl Fn(&AnyLanes, &[&[&[u8]]], &mut [u8]) -> Result<(), Error> + Sync + 'j,
    ) -> Task<'j> {
        Task { lanes: &self.lanes, width, cost: width, job: Box::new(job) }
    }
}

/// The array of a run with a single task.
fn single(arrays: Result<Vec<Array>, Error>) -> Result<Array, Error> {
    Ok(arrays?.pop().expect("a run has an array for each task"))
}
