//! Decoding of lists: byte order marks, UTF-16, and lines that end with NUL.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use super::clearsign::BEGIN;

/// The decoded text of a list, and the byte that ends its lines.
pub type DecodedText = (BufReader<Box<dyn Read + Send>>, u8);

/// Bytes at the beginning of a list that decide its encoding, however many reads they take.
pub(super) const HEAD_BYTES: usize = 32 << 10;

/// Detects the encoding of a list from its beginning, and decodes it. Windows' shells write UTF-16 and
/// byte order marks; only lists with NUL as the line end contain NULs.
///
/// # Errors
/// The reader's.
pub fn decode_text(mut reader: Box<dyn Read + Send>) -> io::Result<DecodedText> {
    let mut head = Vec::new();
    reader.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    // a terminal that has reported its end is not read again
    let rest = if head.len() < HEAD_BYTES { Box::new(io::empty()) } else { reader };
    let reader: Box<dyn Read + Send> = Box::new(Cursor::new(head).chain(rest));
    let mut reader = BufReader::with_capacity(HEAD_BYTES, reader);
    let start = reader.fill_buf()?;
    let utf16 = |skip: usize, is_big: bool| Some((skip, is_big));
    let found = match start {
        [0xff, 0xfe, ..] => utf16(2, false),
        [0xfe, 0xff, ..] => utf16(2, true),
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => utf16(0, false),
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => utf16(0, true),
        _ => None,
    };
    if let Some((skip, is_big)) = found {
        reader.consume(skip);
        let text = Utf16 { reader, is_big, text: Vec::new(), at: 0, begun: 0 };
        return Ok((BufReader::with_capacity(HEAD_BYTES, Box::new(text)), b'\n'));
    }
    let end = if ends_with_nul(start) { 0 } else { b'\n' };
    if start.starts_with(b"\xef\xbb\xbf") {
        reader.consume(3);
    }
    Ok((reader, end))
}

/// Whether the lines of a list that begins with `start` end with NUL. A NUL of a hole in the file, or
/// in the middle of a line, does not count. The first name may contain line feeds, so a complete line
/// has to follow.
fn ends_with_nul(start: &[u8]) -> bool {
    let Some(at) = start.iter().position(|byte| *byte == 0) else { return false };
    let (first, next) = (&start[..at], &start[at + 1..]);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=-:._".contains(byte);
    let is_line = || {
        let end = next.iter().position(|byte| matches!(byte, b' ' | b'('));
        next.is_empty() || end.is_some_and(|end| end > 2 && next[..end].iter().all(is_part))
    };
    !first.is_empty() && (!first.contains(&b'\n') || is_line())
}

/// Decodes UTF-16 to UTF-8. An invalid character becomes U+FFFD, which no file's name contains. Text
/// that OpenPGP signed begins in ASCII even after UTF-16; from there on, bytes are passed as they are.
struct Utf16<R> {
    reader: R,
    is_big: bool,
    text: Vec<u8>,
    at: usize,
    /// Bytes of [`BEGIN`] that have just been read; its length once the signed text has begun.
    begun: usize,
}

impl<R: BufRead> Utf16<R> {
    fn unit(&mut self) -> io::Result<Option<u16>> {
        let mut bytes = [0; 2];
        for byte in &mut bytes {
            match self.reader.fill_buf()?.first() {
                Some(next) => *byte = *next,
                None => return Ok(None),
            }
            self.reader.consume(1);
            self.begun = match (*byte, self.begun) {
                (byte, begun) if byte == BEGIN[begun] => begun + 1,
                // one dash more than [`BEGIN`] has
                (b'-', 5) => 5,
                (byte, _) => usize::from(byte == b'-'),
            };
            if self.begun == BEGIN.len() {
                return Ok(None);
            }
        }
        let unit = if self.is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
        Ok(Some(unit))
    }

    /// Decodes the next line, or as much of it as fits.
    fn fill(&mut self) -> io::Result<()> {
        if self.begun == BEGIN.len() {
            (self.text, self.at) = (self.reader.fill_buf()?.to_vec(), 0);
            self.reader.consume(self.text.len());
            return Ok(());
        }
        let mut units = Vec::new();
        while let Some(unit) = self.unit()? {
            units.push(unit);
            // do not stop between the two halves of a character
            let is_half = (0xd800..0xdc00).contains(&unit);
            if unit == u16::from(b'\n') || (units.len() >= 4096 && !is_half) {
                break;
            }
        }
        let chars = char::decode_utf16(units);
        let text: String = chars.map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        (self.text, self.at) = (text.into_bytes(), 0);
        if self.begun == BEGIN.len() {
            self.text.push(b'\n');
            self.text.extend_from_slice(BEGIN);
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.text.len() {
            self.fill()?;
        }
        let n = (&self.text[self.at..]).read(buffer)?;
        self.at += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: Vec<u8>) -> (Vec<u8>, u8) {
        let (mut reader, end) = decode_text(Box::new(Cursor::new(bytes))).unwrap();
        let mut text = Vec::new();
        reader.read_to_end(&mut text).unwrap();
        (text, end)
    }

    #[test]
    fn utf16_is_read_in_either_order_with_a_mark_or_without() {
        let text = format!("a line\r\n{}\u{1f600}\u{e9}\n", "x".repeat(10_000));
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let expected = (text.clone().into_bytes(), b'\n');
        for bytes in [
            [&b"\xff\xfe"[..], &little].concat(),
            [&b"\xfe\xff"[..], &big].concat(),
            little,
            big,
            text.clone().into_bytes(),
            [&b"\xef\xbb\xbf"[..], text.as_bytes()].concat(),
        ] {
            assert_eq!(read(bytes.clone()), expected, "{:x?}", &bytes[..4]);
        }
    }

    #[test]
    fn undecodable_bytes_are_distinguished_from_all_names() {
        assert_eq!(read(b"\xff\xfea\0\x00\xd8b\0".to_vec()).0, "a\u{fffd}b".as_bytes());
        assert_eq!(read(b"\xff\xfea\0b".to_vec()).0, b"a", "half a unit at the end");
        assert_eq!(read(b"\xff\xfe".to_vec()).0, b"");
        assert_eq!(read(Vec::new()), (Vec::new(), b'\n'));
    }

    #[test]
    fn a_signed_text_is_seen_in_utf16() {
        let begin = str::from_utf8(BEGIN).unwrap();
        for odd in ["", "-", "--BEG", "-----BEGIN PGP"] {
            let (text, _) = read([b"\xff\xfea\0\n\0", odd.as_bytes(), BEGIN, b"\n\nb\n"].concat());
            let text = String::from_utf8(text).unwrap();
            assert!(
                text.starts_with("a\n") && text.ends_with(&format!("\n{begin}\n\nb\n")),
                "{text}"
            );
        }
    }

    #[test]
    fn lines_end_with_nul_where_there_is_one() {
        assert_eq!(read(b"00  a\0".to_vec()), (b"00  a\0".to_vec(), 0));
        for text in [
            "00  a\x0000  b\nc\0",
            "00  a\n\0",
            "00  a\nb\0abcd  c\0",
            "MD5 (\n) = 00\0MD5 (b) = 00\0",
        ] {
            assert_eq!(read(text.into()).1, 0, "a line feed in a name: {text:?}");
        }
        for text in [
            "00  a\n",
            "\0\0\0\0\n00  a\n",
            "00  a\n\0\0",
            "00  a\n00  b\0\0c\n",
            "00  a\n00  \0b\n",
            "00  a\nb\0ab  c",
            "00  a\nb\0\x01\x02\x03  c",
        ] {
            assert_eq!(read(text.into()).1, b'\n', "{text:?}");
        }
    }

    #[test]
    fn two_characters_tell_utf16_without_a_mark() {
        for bytes in [b"a\0\0\0\n", b"\0a\0\0\n"] {
            assert_eq!(read(bytes.to_vec()).0, bytes);
        }
    }

    #[test]
    fn a_line_without_an_end_is_read_in_parts() {
        let endless = (&b"\xff\xfe"[..]).chain(io::repeat(b'x'));
        let (mut reader, _) = decode_text(Box::new(endless)).unwrap();
        let mut text = [0; 100];
        reader.read_exact(&mut text).unwrap();
        assert!(str::from_utf8(&text[..99]).unwrap().starts_with('\u{7878}'));
    }
}
