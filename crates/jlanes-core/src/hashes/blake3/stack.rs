//! The stack of a BLAKE3 hasher: chaining values of left subtrees, which wait for the right ones.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::tree::Value;
use crate::wipe;

/// The maximum number of values: the levels of a tree of 2^64 bytes.
#[cfg(not(feature = "alloc"))]
const MAX_LEVELS: usize = 54;

/// Values of whole subtrees, the largest first. On the heap, as most messages have none, and hashers are
/// moved a lot.
#[derive(Clone)]
pub(super) struct Stack {
    #[cfg(feature = "alloc")]
    values: Vec<Value>,
    #[cfg(not(feature = "alloc"))]
    values: [Value; MAX_LEVELS],
    #[cfg(not(feature = "alloc"))]
    depth: usize,
}

impl Stack {
    pub(super) fn new() -> Self {
        Self {
            #[cfg(feature = "alloc")]
            values: Vec::new(),
            #[cfg(not(feature = "alloc"))]
            values: [Value::default(); MAX_LEVELS],
            #[cfg(not(feature = "alloc"))]
            depth: 0,
        }
    }

    pub(super) fn values(&self) -> &[Value] {
        #[cfg(feature = "alloc")]
        return &self.values;
        #[cfg(not(feature = "alloc"))]
        &self.values[..self.depth]
    }

    pub(super) fn push(&mut self, value: Value) {
        #[cfg(feature = "alloc")]
        self.values.push(value);
        #[cfg(not(feature = "alloc"))]
        {
            self.values[self.depth] = value;
            self.depth += 1;
        }
    }

    /// Replaces the last two values by one.
    pub(super) fn merge(&mut self, parent: impl FnOnce(&[Value; 2]) -> Value) {
        let Some(children) = self.values().last_chunk() else { return };
        let parent = parent(children);
        self.pop();
        self.pop();
        self.push(parent);
    }

    fn pop(&mut self) {
        #[cfg(feature = "alloc")]
        self.values.pop();
        #[cfg(not(feature = "alloc"))]
        {
            self.depth -= 1;
        }
    }

    pub(super) fn clear(&mut self) {
        self.wipe();
        #[cfg(feature = "alloc")]
        self.values.clear();
        #[cfg(not(feature = "alloc"))]
        {
            self.depth = 0;
        }
    }

    /// Overwrites the values, with the feature `zeroize`.
    pub(super) fn wipe(&mut self) {
        wipe::bytes(self.values.as_flattened_mut());
    }
}
