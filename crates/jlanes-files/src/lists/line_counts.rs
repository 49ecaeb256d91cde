//! [`LineCounts`], the numbers of a list's lines: every line is an entry, structure, a comment, malformed or refused.

/// The numbers of lines of each kind in a list. Every line counts once.
///
/// If an entry has several lines, one counts as the entry (or as malformed, or refused) and the others
/// as structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    /// Lines with at least one entry.
    pub entries: u64,
    /// Lines of the format without an entry: headings, rules, fields, blank lines, signatures.
    pub structure: u64,
    /// Comments.
    pub comments: u64,
    /// Lines that match no known form.
    pub malformed: u64,
    /// Lines that are understood and refused.
    pub refused: u64,
}

impl LineCounts {
    /// The number of all lines.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.entries + self.structure + self.comments + self.malformed + self.refused
    }
}
