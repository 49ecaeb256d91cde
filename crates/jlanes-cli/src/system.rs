//! Differences between operating systems: standard streams, and properties of files that are written.
//! [`jlanes_files::system`] has the functions for finding and reading files.
//!
//! `unix` and `windows` have the same functions. Apart from `guard`, no other module depends on the
//! system.
//!
//! Everywhere else names are bytes, with `/` between directories, as in lists and messages. On Windows
//! these bytes are UTF-8, and a name that is not Unicode cannot be opened.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub(crate) use jlanes_files::system::*;

#[cfg(unix)]
pub(crate) use self::unix::*;
#[cfg(windows)]
pub(crate) use self::windows::*;
