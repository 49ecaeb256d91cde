//! Metadata by which an object is known to be the one that was listed.

use std::time::{SystemTime, UNIX_EPOCH};

/// The metadata of an object before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) size: Option<u64>,
    /// Milliseconds since 1970.
    pub(crate) mtime: Option<i64>,
    pub(crate) etag: Option<String>,
    pub(crate) version: Option<String>,
}

/// Now, in milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}
