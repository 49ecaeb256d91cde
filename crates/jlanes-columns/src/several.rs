//! Several digests of one column, from one read.

use crate::{Array, Column, ColumnHasher, Encoding, Error, run::run, task::Task};

/// The digests of a column under several algorithms, from one read.
///
/// ```
/// use jlanes::{Algorithm, Digest, Sha1};
/// use jlanes_columns::{Column, Encoding, ColumnHasher, digest_several};
///
/// let hashers = [ColumnHasher::new(Algorithm::SHA256)?, ColumnHasher::new("sha1".parse().expect("a name"))?];
/// let names = Column::utf8(&[0, 1, 2], b"ab")?;
/// let digests = digest_several(&hashers, &names, Encoding::Binary)?;
/// assert_eq!(digests[1].get(1), Some(&Sha1::digest("b")[..]));
/// # Ok::<(), jlanes_columns::Error>(())
/// ```
///
/// # Errors
/// As [`ColumnHasher::digest`].
pub fn digest_several(
    hashers: &[ColumnHasher],
    column: &Column<'_>,
    encoding: Encoding,
) -> Result<Vec<Array>, Error> {
    let tasks: Vec<Task<'_>> = hashers.iter().map(ColumnHasher::task).collect();
    run(&[column], &tasks, encoding)
}
