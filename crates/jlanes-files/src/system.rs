//! What differs between operating systems: how files are named, and what is known of them.
//!
//! Names are bytes, with `/` between directories. On Windows these bytes are UTF-8, and a name that
//! is no Unicode cannot be opened.

// How files are opened and read, and what a system tells about its disks, is not public. `unix` and
// `windows` have the same functions. What Linux alone has is in `linux`, and `plain` takes its place
// on every other system. Nothing else but `guard` asks which system it is for.

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
pub use self::unix::*;
#[cfg(windows)]
pub use self::windows::*;

/// What a file is.
#[cfg_attr(windows, allow(dead_code, reason = "there are no sockets and no block devices"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A block device.
    BlockDevice,
    /// A character device.
    CharacterDevice,
    /// What the system does not tell.
    Unknown,
}

/// What a system knows of a file.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// What it is.
    pub kind: Kind,
    /// Bytes of it.
    pub size: u64,
    /// What tells it from all other files: its device, and its number there.
    pub identity: (u64, u64),
    /// When its bytes were last written.
    pub modified: Time,
    /// When anything of it was last written; where that is not known, when it was made.
    pub changed: Time,
    /// Whether its owner may run it.
    pub is_executable: bool,
}

/// A time since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Whole seconds.
    pub seconds: i64,
    /// And so many of these.
    pub nanoseconds: i64,
}
