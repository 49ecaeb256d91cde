//! What differs between operating systems: how files are named, opened and read, what is known of
//! them, the standard streams, and what a system tells about its disks.
//!
//! `unix` and `windows` have the same functions. What Linux alone has is in `linux`, and `plain`
//! takes its place on every other system. Nothing else but `guard` asks which system it is for.
//!
//! Everywhere else names are bytes, with `/` between directories, as lists and messages have them.
//! On Windows these bytes are UTF-8, and a name that is no Unicode cannot be opened.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod plain;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use self::linux::{is_cached, is_local, read_ahead, read_in_line, rotates};
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) use self::plain::{is_cached, is_local, read_ahead, read_in_line, rotates};
#[cfg(unix)]
pub(crate) use self::unix::*;
#[cfg(windows)]
pub(crate) use self::windows::*;

/// What a file is.
#[cfg_attr(windows, allow(dead_code, reason = "there are no sockets and no block devices"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    Fifo,
    Socket,
    BlockDevice,
    CharacterDevice,
    Unknown,
}

/// What a system knows of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    pub(crate) kind: Kind,
    pub(crate) size: u64,
    /// What tells it from all other files: its device, and its number there.
    pub(crate) identity: (u64, u64),
    /// When its bytes were last written.
    pub(crate) modified: Time,
    /// When anything of it was last written; where that is not known, when it was made.
    pub(crate) changed: Time,
    /// Whether its owner may run it.
    pub(crate) is_executable: bool,
}

/// A time since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time {
    pub(crate) seconds: i64,
    pub(crate) nanoseconds: i64,
}
