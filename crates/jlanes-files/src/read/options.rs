//! How files are read.

use std::{fmt, sync::Arc};

use super::LargeFileOrder;

/// Options of reading files.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadOptions {
    pub(crate) map: MapPolicy,
    pub(crate) large: LargeFileOrder,
    /// Whether symbolic links are messages themselves, consisting of their target path.
    pub(crate) hash_links: bool,
    /// Whether to record the status of files.
    pub(crate) record_stat: bool,
    /// Whether to check that files do not change.
    pub(crate) detect_changes: bool,
    /// Whether files end after one buffer, for finding differences.
    pub(crate) first_buffer_only: bool,
    pub(crate) progress: Option<ProgressCallback>,
}

/// Counts the bytes read.
#[derive(Clone)]
pub(crate) struct ProgressCallback(pub(crate) Arc<dyn Fn(u64) + Send + Sync>);

impl fmt::Debug for ProgressCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressCallback")
    }
}

/// The files of 1 MiB and more that are mapped into memory instead of being read into buffers.
/// `Local` times both for trees with short leaves on several threads, and goes on with the faster; on
/// one thread it reads these.
///
/// Truncating a mapped file gives an error for that file, as if it could not be read: a handler for
/// SIGBUS ensures this, and passes SIGBUS of other causes to the previous handler. Windows maps
/// nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapPolicy {
    /// None.
    Never,
    /// Those on local file systems, if the system knows (Linux).
    #[default]
    Local,
    /// All.
    Always,
}
