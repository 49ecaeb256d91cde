//! What differs between operating systems: the standard streams, what names mean, and what belongs to
//! files that are written. How files are found and read is in [`jlanes_files::system`].
//!
//! `unix` and `windows` have the same functions. Nothing else but `guard` asks which system it is for.
//!
//! Everywhere else names are bytes, with `/` between directories, as lists and messages have them.
//! On Windows these bytes are UTF-8, and a name that is no Unicode cannot be opened.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use jlanes_files::system::*;

#[cfg(unix)]
pub(crate) use self::unix::*;
#[cfg(windows)]
pub(crate) use self::windows::*;
