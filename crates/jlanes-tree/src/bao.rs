//! BLAKE3's tree in parts: values of subtrees, and Bao's encodings, by which ranges of a message are verified against
//! its BLAKE3 digest.
//!
//! The parents of the tree are the proof. An [`Outboard`] has them in pre-order, apart from the message;
//! [`Verified`] reads ranges of a message with it, and a slice has both for one range. All of them work on
//! blocks of 256 KiB: the chunks of a block share the lanes, and so do the parents of a level.
//!
//! ```
//! use jlanes_tree::bao::{Bao, Layout, left_len};
//!
//! let message = vec![7; 100_000];
//! let bao = Bao::default();
//! let outboard = bao.outboard(Layout::BAO, &message);
//! let (left, right) = message.split_at(left_len(100_000).unwrap_or_default() as usize);
//! let left = bao.subtree(0, left)?;
//! let right = bao.subtree(100_000 - right.len() as u64, right)?;
//! assert_eq!(bao.merge_root(&left, &right), outboard.root());
//! # Ok::<(), jlanes_tree::bao::SubtreeError>(())
//! ```

use core::{error, fmt};

use digest::{FixedOutput, Reset, Update, XofReader};
use jlanes_core::hashes::blake3::{CHUNK, hasher::Hasher, reader::Reader, tree::Tree};
use jlanes_simd::Backend;

mod layout;
mod levels;
mod outboard;
#[cfg(feature = "std")]
mod slice;
#[cfg(feature = "std")]
mod source;
#[cfg(feature = "std")]
mod subtree;
#[cfg(feature = "std")]
mod verified;
#[cfg(feature = "std")]
mod walk;

pub use jlanes_core::hashes::blake3::tree::Value;
pub use layout::{Layout, left_len, max_len};
use levels::{BLOCK_BYTES, Levels};
pub use outboard::Outboard;
#[cfg(feature = "std")]
pub use slice::Decoded;
#[cfg(feature = "std")]
pub use verified::{Verified, verify_range};
#[cfg(feature = "std")]
pub use walk::Error;

/// BLAKE3's tree in the mode and on the backend of a hasher; the default is the hash.
#[derive(Clone, Debug, Default)]
pub struct Bao {
    hasher: Hasher<Backend>,
}

impl Bao {
    /// The tree in the mode and on the backend of `hasher`, which forgets its message.
    #[must_use]
    pub fn new(mut hasher: Hasher<Backend>) -> Self {
        hasher.reset();
        Self { hasher }
    }

    /// The same tree on a backend.
    #[must_use]
    pub fn on(&self, backend: Backend) -> Self {
        Self { hasher: self.hasher.on(backend) }
    }

    /// The chaining value of the subtree over `data`, which begins at byte `offset` of the message and is
    /// not the whole message. It fits the subtrees that [`left_len`] and [`max_len`] describe.
    ///
    /// # Errors
    /// If no subtree begins there, if `data` is empty, or if no subtree that begins there is as long.
    pub fn subtree(&self, offset: u64, data: &[u8]) -> Result<Value, SubtreeError> {
        let len = data.len() as u64;
        let past = offset.checked_add(len).is_none();
        match max_len(offset) {
            _ if !offset.is_multiple_of(CHUNK as u64) => Err(SubtreeError::Offset(offset)),
            _ if data.is_empty() => Err(SubtreeError::Empty),
            Some(max) if len > max => Err(SubtreeError::TooLong { len, max }),
            _ if past => Err(SubtreeError::TooLong { len, max: u64::MAX - offset }),
            _ => {
                let (tree, first) = (self.tree(), offset / CHUNK as u64);
                let blocks = (first..).step_by(BLOCK_BYTES / CHUNK).zip(data.chunks(BLOCK_BYTES));
                let values = blocks
                    .map(|(first, block)| Levels::of_chunks(&tree, block, first).value(&tree));
                Ok(Levels::new(&tree, values.collect()).value(&tree))
            }
        }
    }

    /// The chaining value of a parent that is not the root.
    #[must_use]
    pub fn merge(&self, left: &Value, right: &Value) -> Value {
        self.tree().parent(&[*left, *right])
    }

    /// The digest of the message with these children of the root.
    #[must_use]
    pub fn merge_root(&self, left: &Value, right: &Value) -> Value {
        let mut root = Value::default();
        self.merge_root_xof(left, right).read(&mut root);
        root
    }

    /// The output of any length of the message with these children of the root.
    #[must_use]
    pub fn merge_root_xof(&self, left: &Value, right: &Value) -> Reader<Backend> {
        self.hasher.root_of(&[*left, *right])
    }

    fn tree(&self) -> Tree {
        self.hasher.tree()
    }

    /// The digest of a message of at most [`BLOCK_BYTES`] bytes, with these levels.
    fn root(&self, levels: &Levels, message: &[u8]) -> Value {
        match levels.children() {
            Some([left, right]) => self.merge_root(left, right),
            None => {
                let mut hasher = self.hasher.clone();
                hasher.update(message);
                hasher.finalize_fixed().into()
            }
        }
    }
}

/// A subtree that is in no tree of BLAKE3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubtreeError {
    /// The offset is not a multiple of 1024 bytes.
    Offset(u64),
    /// A subtree has at least one byte.
    Empty,
    /// The subtree is longer than the maximum at its offset.
    TooLong {
        /// Bytes of the subtree.
        len: u64,
        /// The maximum number of bytes.
        max: u64,
    },
}

impl fmt::Display for SubtreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offset(offset) => write!(f, "no chunk begins at byte {offset}"),
            Self::Empty => f.write_str("a subtree has at least one byte"),
            Self::TooLong { len, max } => {
                write!(f, "a subtree of {len} bytes, where the longest one has {max}")
            }
        }
    }
}

impl error::Error for SubtreeError {}
