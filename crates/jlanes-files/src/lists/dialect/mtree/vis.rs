//! Names in lists of mtree, in which vis(3) hides the bytes that would end a name, or make it a pattern or a command.
//!
//! Names are written with octal escapes alone, and read with the escapes of every writer.

/// Encodes `name`: bytes that mtree would misread, and names of commands, become `\` and three octal
/// digits.
pub(in crate::lists) fn vis(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    let is_command = matches!(name, b"/set" | b"/unset");
    for (i, &byte) in name.iter().enumerate() {
        if is_command && i == 0 {
            out.extend_from_slice(b"\\057");
        } else if byte.is_ascii_graphic()
            && !matches!(byte, b'\\' | b'#' | b'*' | b'?' | b'[' | b'=')
        {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
        }
    }
    out
}

/// Decodes names of any vis(3) writer: octal digits, the escapes of C, `\^` for control characters, and
/// `\M` for bytes with the highest bit.
pub(super) fn unvis(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            out.push(*first);
            continue;
        }
        let (byte, used) = escaped(after)?;
        out.push(byte);
        rest = &after[used..];
    }
    (!out.is_empty() && !out.contains(&0)).then_some(out)
}

/// The byte that an escape means, and its length after the backslash.
fn escaped(text: &[u8]) -> Option<(u8, usize)> {
    const META: u8 = 0x80;
    let control = |byte: &u8| if *byte == b'?' { 0x7f } else { byte & 0x1f };
    Some(match text {
        [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => {
            ((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'), 3)
        }
        [b'M', b'-', byte, ..] => (byte | META, 3),
        [b'M', b'^', byte, ..] => (control(byte) | META, 3),
        [b'^', byte, ..] => (control(byte), 2),
        [b'a', ..] => (0x07, 1),
        [b'b', ..] => (0x08, 1),
        [b't', ..] => (b'\t', 1),
        [b'n', ..] => (b'\n', 1),
        [b'v', ..] => (0x0b, 1),
        [b'f', ..] => (0x0c, 1),
        [b'r', ..] => (b'\r', 1),
        [b'E', ..] => (0x1b, 1),
        [b's', ..] => (b' ', 1),
        // other characters mean themselves
        [byte, ..] if byte.is_ascii_punctuation() => (*byte, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_be_commands_are_escaped() {
        for name in [&b"/set"[..], b"/unset", b"/settle", b"a/set"] {
            let text = vis(name);
            assert!(!matches!(&text[..], b"/set" | b"/unset"));
            assert_eq!(unvis(&text).as_deref(), Some(name));
        }
    }

    #[test]
    fn every_byte_comes_back() {
        let name: Vec<u8> = (1..=255).collect();
        assert_eq!(unvis(&vis(&name)), Some(name));
    }

    #[test]
    fn escapes_of_other_writers_are_known() {
        let rows: [(&[u8], Option<&[u8]>); 11] = [
            (b"\\M-C\\M-<", Some("\u{fc}".as_bytes())),
            (b"\\M^?\\M^@\\M-\\040", Some(b"\xff\x80\xdc040")),
            (b"\\^A\\^?", Some(b"\x01\x7f")),
            (b"\\a\\b\\t\\n\\v\\f\\r\\E\\s", Some(b"\x07\x08\t\n\x0b\x0c\r\x1b ")),
            (b"\\#a\\\\b\\*", Some(b"#a\\b*")),
            (b"\\M-\xfc", Some(b"\xfc")),
            (b"a\\000", None),
            (b"a\\", None),
            (b"a\\M-", None),
            (b"a\\q", None),
            (b"a\\477", None),
        ];
        for (text, name) in rows {
            assert_eq!(unvis(text).as_deref(), name, "{}", text.escape_ascii());
        }
    }
}
