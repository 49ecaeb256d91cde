//! S-HASH over messages in memory.
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
//! Blocks are padded while they are loaded, so a message in one piece is never copied. Short messages in
//! several pieces are copied together; of long ones, only the blocks that span pieces are copied.

mod equal_blocks;
mod long_pieces;
mod outer_hash;
mod refill;
mod select;
#[cfg(feature = "alloc")]
mod sort;
pub(crate) mod source;
