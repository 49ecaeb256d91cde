//! Reading of lines from untrusted input, with a bound on their length in memory: [`read_line`] from any input, and
//! [`TextLines`], a list's, each with its place in a signed text.

use std::io::{self, BufRead, BufReader, Read};

use super::{
    MAX_LINE_BYTES,
    clearsign::{ClearsignPart, LineRole},
};

/// Reads a line up to `end`, or the end of the input, into `line`, without `end`. Of a line of more
/// than `max_bytes` bytes, it reads the beginning and skips the rest. Returns whether it did, or `None`
/// if there is no line any more.
///
/// # Errors
/// The reader's.
pub fn read_line(
    mut reader: impl BufRead,
    end: u8,
    max_bytes: usize,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    line.clear();
    if reader.by_ref().take(max_bytes as u64 + 1).read_until(end, line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&end) {
        line.pop();
    }
    let is_truncated = line.len() > max_bytes;
    if is_truncated {
        line.truncate(max_bytes);
        reader.skip_until(end)?;
    }
    Ok(Some(is_truncated))
}

/// A line of text in a list.
pub(super) struct TextLine {
    pub(super) number: u64,
    /// The text without the line's end.
    pub(super) text: Vec<u8>,
    /// Whether the text is cut off, because the line is too long.
    pub(super) is_truncated: bool,
    pub(super) role: LineRole,
    /// The part of a signed list that the line is in.
    pub(super) place: Option<ClearsignPart>,
}

/// The lines of a list.
pub(super) struct TextLines {
    reader: BufReader<Box<dyn Read + Send>>,
    /// The byte at the end of each line.
    pub(super) end: u8,
    /// The maximum length of a line, in bytes.
    pub(super) max_bytes: usize,
    /// The number of lines read.
    pub(super) number: u64,
    /// The part of an OpenPGP signature that the next line is in, if signatures are recognized.
    pub(super) clearsign: Option<ClearsignPart>,
}

impl TextLines {
    pub(super) fn new(
        reader: BufReader<Box<dyn Read + Send>>,
        end: u8,
        clearsign: Option<ClearsignPart>,
    ) -> Self {
        Self { reader, end, max_bytes: MAX_LINE_BYTES, number: 0, clearsign }
    }

    /// Reads a line, if there is one.
    pub(super) fn next(&mut self) -> io::Result<Option<TextLine>> {
        let mut text = Vec::new();
        let is_truncated = read_line(&mut self.reader, self.end, self.max_bytes, &mut text)?;
        let Some(is_truncated) = is_truncated else { return Ok(None) };
        self.number += 1;
        if self.end == b'\n' && text.last() == Some(&b'\r') {
            text.pop();
        }
        let role =
            self.clearsign.as_mut().map_or(LineRole::Text(0), |clearsign| clearsign.advance(&text));
        if let LineRole::Text(dashes @ 1..) = role {
            text.drain(..dashes);
        }
        Ok(Some(TextLine { number: self.number, text, is_truncated, role, place: self.clearsign }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_long_line_is_passed_over() {
        let mut input = &b"abc\nabcd\nabcdefgh\n\nab"[..];
        let mut line = Vec::new();
        let expected: [(&[u8], bool); 5] =
            [(b"abc", false), (b"abc", true), (b"abc", true), (b"", false), (b"ab", false)];
        for (text, is_truncated) in expected {
            let read = read_line(&mut input, b'\n', 3, &mut line).unwrap();
            assert_eq!((&line[..], read), (text, Some(is_truncated)));
        }
        assert_eq!(read_line(&mut input, b'\n', 3, &mut line).unwrap(), None);
    }
}
