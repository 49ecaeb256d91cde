//! Digests of messages in memory: which of them share the lanes, and when.
//!
//! All lanes advance by the same number of blocks at a time, so a batch is fastest if the messages in
//! the lanes end together. So messages are first sorted by their exact number of blocks (one pass to
//! count, one to place). Then:
//!
//! ```text
//! full lanes of messages with equal numbers of blocks:  one kernel from the first block to the digests
//! the remaining messages, and the long ones:            lane refill, longest first
//! ```
//!
//! On vectors, blocks are padded while they are loaded, and a message in one piece is not copied; on streams,
//! short messages and the ends of others are. Short messages in several pieces are copied together; of long
//! ones, only the blocks that span pieces are.

pub(crate) mod batch;
pub(super) mod equal_blocks;
mod halves;
mod long_pieces;
mod outer_hash;
mod refill;
mod select;
#[cfg(feature = "alloc")]
mod sort;
