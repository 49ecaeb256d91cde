//! [`Key`]: a key of HMAC or a salt of PBKDF2, one for all rows or one per row.

use core::fmt;

use crate::Column;

/// A key or a salt: one for all rows, or a column.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Key<'k> {
    /// One value for all rows.
    One(&'k [u8]),
    /// One value per row.
    Each(&'k Column<'k>),
}

/// Shows that there is a key, never its bytes.
impl fmt::Debug for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One(_) => "Key::One(..)",
            Self::Each(_) => "Key::Each(..)",
        })
    }
}
