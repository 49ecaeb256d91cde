//! [`Entry`], a file in a list with its digests, and their comparison with the file's.

use crate::Computation;

/// A file in a list with its digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file's name, without NULs.
    pub name: Vec<u8>,
    /// A second name, tried if no file has the first one: writers of BagIt encode names differently.
    pub literal: Option<Vec<u8>>,
    /// Digests by different computations; empty if the list has only the size.
    pub digests: Vec<(Computation, Vec<u8>)>,
    /// Whether one matching digest is enough, because the line does not say which digest it means.
    pub any_suffices: bool,
    /// The size of the file in bytes, if the list has it.
    pub size: Option<u64>,
}

impl Entry {
    /// Compares the entry with a file: the length, if it is known, and all digests, in the entry's
    /// order. Returns the index of the digest to report.
    ///
    /// # Errors
    /// The index of the first digest that differs; 0 if only the length does.
    pub fn compare(&self, len: Option<u64>, found: &[impl AsRef<[u8]>]) -> Result<usize, usize> {
        let is_right = |at: &usize| self.digests[*at].1 == found[*at].as_ref();
        let all = 0..self.digests.len().min(found.len());
        let right = if self.any_suffices { all.clone().find(is_right) } else { None };
        let wrong = all.clone().find(|at| !is_right(at)).filter(|_| right.is_none());
        let at = right.or(wrong).unwrap_or(0);
        let is_whole = found.len() == self.digests.len()
            && (self.size.is_none() || len.is_none() || self.size == len);
        if wrong.is_none() && is_whole { Ok(at) } else { Err(at) }
    }

    /// Replaces the name by the second one, if only that file exists. Returns whether it did.
    pub fn choose_name(&mut self, is_there: impl Fn(&[u8]) -> bool) -> bool {
        let literal =
            self.literal.take().filter(|literal| !is_there(&self.name) && is_there(literal));
        if let Some(literal) = literal {
            self.name = literal;
            return true;
        }
        false
    }

    /// The size in memory, in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.name.len() + self.digests.iter().map(|(_, digest)| digest.len()).sum::<usize>()
    }
}
