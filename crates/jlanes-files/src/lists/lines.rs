//! Reading of lines from untrusted input, with a bound on their length in memory.

use std::io::{self, BufRead, Read as _};

/// Reads a line up to `end`, or the end of the input, into `line`, without `end`. Of a line of more
/// than `longest` bytes, it reads the beginning and skips the rest. Returns whether it did, or `None`
/// if there is no line any more.
///
/// # Errors
/// The reader's.
pub fn read_line(
    mut reader: impl BufRead,
    end: u8,
    longest: usize,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    line.clear();
    if reader.by_ref().take(longest as u64 + 1).read_until(end, line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&end) {
        line.pop();
    }
    let is_longer = line.len() > longest;
    if is_longer {
        line.truncate(longest);
        reader.skip_until(end)?;
    }
    Ok(Some(is_longer))
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
        for (text, is_longer) in expected {
            let read = read_line(&mut input, b'\n', 3, &mut line).unwrap();
            assert_eq!((&line[..], read), (text, Some(is_longer)));
        }
        assert_eq!(read_line(&mut input, b'\n', 3, &mut line).unwrap(), None);
    }
}
