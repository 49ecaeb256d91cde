//! Differences between operating systems: file names, and metadata of files.
//!
//! Names are bytes, with `/` between directories. On Windows they are UTF-8, and a name that is not
//! Unicode cannot be opened.

use std::io;

// Opening and reading files, and information about disks, are private. `unix` and `windows` have the
// same functions; `linux` has Linux's own, which `fallback` replaces elsewhere. Apart from `guard`, no
// other module depends on the system.

#[cfg(unix)]
mod beneath;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod fallback;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use self::beneath::{open_beneath, stat_beneath};
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) use self::fallback::{
    is_cached, is_local, next_data, read_ahead, read_sequentially, rotates,
};
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use self::linux::{
    is_cached, is_local, next_data, read_ahead, read_sequentially, rotates,
};
#[cfg(unix)]
pub use self::unix::*;
#[cfg(windows)]
pub use self::windows::*;

/// The kind of a file.
#[cfg_attr(windows, allow(dead_code, reason = "there are no sockets and no block devices"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
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
    /// Not reported by the system.
    Unknown,
}

/// The status of a file.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// The kind.
    pub kind: FileKind,
    /// The size in bytes.
    pub size: u64,
    /// The device and the file's number on it, unique to the file.
    pub identity: (u64, u64),
    /// When the contents were last written.
    pub modified: Time,
    /// When the contents or metadata last changed; if unknown, the time of creation.
    pub changed: Time,
    /// Whether the owner may execute it.
    pub is_executable: bool,
}

impl Stat {
    /// The size of a regular file.
    ///
    /// # Errors
    /// If it is something else: for a directory the system's.
    pub fn regular_size(&self) -> io::Result<u64> {
        match self.kind {
            FileKind::File => Ok(self.size),
            FileKind::Directory => Err(is_a_directory()),
            _ => Err(io::Error::other("not a regular file")),
        }
    }
}

/// Whether the file called `name`, or what it links to, is a directory.
#[must_use]
pub fn is_directory(name: &[u8]) -> bool {
    stat(name).is_ok_and(|stat| stat.kind == FileKind::Directory)
}

/// A time since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Whole seconds.
    pub seconds: i64,
    /// The rest, in nanoseconds.
    pub nanoseconds: i64,
}
