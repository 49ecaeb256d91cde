//! Several digests of one column, from one read.

use crate::{Array, Column, Encoding, Error, Kernel, run::run, task::Task};

/// The digests of a column under several algorithms, from one read.
///
/// ```
/// use jlanes::{Algorithm, Digest, Sha1};
/// use jlanes_columns::{Column, Encoding, Kernel, digest_several};
///
/// let kernels = [Kernel::new(Algorithm::SHA256)?, Kernel::new("sha1".parse().expect("a name"))?];
/// let names = Column::utf8(&[0, 1, 2], b"ab")?;
/// let digests = digest_several(&kernels, &names, Encoding::Binary)?;
/// assert_eq!(digests[1].get(1), Some(&Sha1::digest("b")[..]));
/// # Ok::<(), jlanes_columns::Error>(())
/// ```
///
/// # Errors
/// As [`Kernel::digest`].
pub fn digest_several(
    kernels: &[Kernel],
    column: &Column<'_>,
    encoding: Encoding,
) -> Result<Vec<Array>, Error> {
    let tasks: Vec<Task<'_>> = kernels.iter().map(Kernel::task).collect();
    run(&[column], &tasks, encoding)
}
