//! Blocks with candidates that wait for their check until they fill a register.

use super::recheck::SUSPECT_ROWS;

/// The maximum number of blocks that wait.
pub(super) const MAX_WAITING_BLOCKS: usize = 16;

/// Blocks that wait for their check.
#[derive(Debug)]
pub(super) struct WaitingBlocks {
    /// Word `i` of the block in slot `s` is word `s` of row `i`.
    pub(super) rows: [[u32; MAX_WAITING_BLOCKS]; SUSPECT_ROWS],
    /// The number of slots in use, from slot 0 on.
    pub(super) len: usize,
    /// Whether a check has found something.
    pub(super) found: bool,
}

impl Default for WaitingBlocks {
    #[inline(always)]
    fn default() -> Self {
        Self { rows: [[0; MAX_WAITING_BLOCKS]; SUSPECT_ROWS], len: 0, found: false }
    }
}
