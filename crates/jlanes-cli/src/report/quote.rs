//! File names in messages, quoted for a shell where they need it, as GNU's tools quote them.
//!
//! A plain name stays as it is; `a b` becomes `'a b'`, `it's` becomes `"it's"`, and bytes that do not
//! print become `$'\n'` or `$'\377'` between quoted parts.

use std::{borrow::Cow, ffi::OsStr};

use crate::system;

/// Whether a shell would not read this character as part of a name.
fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'!'
            | b'"'
            | b'$'
            | b'&'..=b'*'
            | b':'..=b'?'
            | b'['
            | b'\\'
            | b'^'
            | b'`'
            | b'|'
    )
}

/// Whether a special character may stand between double quotes.
fn is_tame(byte: u8) -> bool {
    matches!(byte, b' ' | b'\'' | b':')
}

/// The characters that messages may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// ASCII; any other byte is escaped.
    Ascii,
    /// All printable characters, as GNU's tools print them.
    Utf8,
    /// All printable characters, except the ones that hide others or change their order.
    Visible,
}

impl Charset {
    /// The character set of the locale.
    pub(crate) fn of_locale() -> Self {
        if system::shows_unicode() { Self::Visible } else { Self::Ascii }
    }

    /// The set that GNU's tools use.
    pub(super) fn like_gnu(self) -> Self {
        if self == Self::Visible { Self::Utf8 } else { self }
    }

    /// Whether a character beyond ASCII is printed as it is.
    fn prints(self, c: char) -> bool {
        match self {
            Self::Ascii => false,
            Self::Utf8 => !c.is_control(),
            Self::Visible => !c.is_control() && !is_invisible(c),
        }
    }

    /// The length of the character at the start of `bytes`; 0 if it is not printable.
    fn printable(self, bytes: &[u8]) -> usize {
        /// The length of the longest character in UTF-8.
        const MAX_CHARACTER_BYTES: usize = 4;
        let start = &bytes[..bytes.len().min(MAX_CHARACTER_BYTES)];
        let Some(chunk) = start.utf8_chunks().next() else { return 0 };
        match chunk.valid().chars().next() {
            Some(c) if c.is_ascii() && !c.is_control() => 1,
            Some(c) if !c.is_ascii() && self.prints(c) => c.len_utf8(),
            _ => 0,
        }
    }
}

/// Whether a character shows nothing, and changes how characters around it look: controls of direction,
/// joiners, and the rest of Unicode's format characters and line separators.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// `name` in a form that a shell reads as `name`.
pub(crate) fn shell(name: &[u8], charset: Charset) -> Cow<'_, [u8]> {
    let prints = all_printable(name, charset);
    if prints && !needs_quotes(name) {
        return Cow::Borrowed(name);
    }
    if prints && name.contains(&b'\'') && fits_double_quotes(name) {
        return Cow::Owned([b"\"", name, b"\""].concat());
    }
    Cow::Owned(single_quotes(name, charset))
}

/// A value in quotes, as GNU's tools show it in errors of the command line: characters that do not
/// print, and quotes, are escaped as in C.
pub(crate) fn value(text: impl AsRef<OsStr>) -> String {
    name(&system::bytes(text.as_ref()))
}

/// A name in quotes, like a [value].
pub(crate) fn name(name: &[u8]) -> String {
    in_quotes(name, Charset::of_locale())
}

fn in_quotes(text: &[u8], charset: Charset) -> String {
    let mut out = vec![b'\''];
    let mut unquoted = text;
    while let Some(&first) = unquoted.first() {
        let n = charset.printable(unquoted).max(1);
        match first {
            b'\'' | b'\\' => out.extend([b'\\', first]),
            _ if charset.printable(unquoted) > 0 => out.extend_from_slice(&unquoted[..n]),
            _ => escape(first, &mut out),
        }
        unquoted = &unquoted[n..];
    }
    out.push(b'\'');
    String::from_utf8(out).expect("what does not print is escaped")
}

fn all_printable(name: &[u8], charset: Charset) -> bool {
    match charset {
        Charset::Ascii => name.iter().all(|byte| matches!(byte, b' '..=b'~')),
        Charset::Utf8 | Charset::Visible => str::from_utf8(name).is_ok_and(|name| {
            name.chars().all(|c| matches!(c, ' '..='~') || (!c.is_ascii() && charset.prints(c)))
        }),
    }
}

fn needs_quotes(name: &[u8]) -> bool {
    match name {
        [] | b"{" | b"}" | [b'#' | b'~', ..] => true,
        _ => name.iter().any(|byte| is_special(*byte)),
    }
}

fn fits_double_quotes(name: &[u8]) -> bool {
    name.iter().enumerate().all(|(i, byte)| match byte {
        b'{' | b'}' => false,
        b'#' | b'~' => i == 0,
        _ => is_tame(*byte) || !is_special(*byte),
    })
}

fn single_quotes(name: &[u8], charset: Charset) -> Vec<u8> {
    let mut out = vec![b'\''];
    let mut escaping = false;
    let mut unquoted = name;
    while let Some(&first) = unquoted.first() {
        let n = charset.printable(unquoted);
        if first == b'\'' {
            out.extend_from_slice(b"'\\''");
            escaping = false;
        } else if n > 0 {
            if escaping {
                out.extend_from_slice(b"''");
            }
            out.extend_from_slice(&unquoted[..n]);
            escaping = false;
        } else {
            if !escaping {
                out.extend_from_slice(b"'$'");
            }
            escape(first, &mut out);
            escaping = true;
        }
        unquoted = &unquoted[n.max(1)..];
    }
    out.push(b'\'');
    out
}

fn escape(byte: u8, out: &mut Vec<u8>) {
    const LETTERS: &[u8; 7] = b"abtnvfr";
    out.push(b'\\');
    match byte {
        7..14 => out.push(LETTERS[usize::from(byte - 7)]),
        _ => out.extend([byte >> 6, byte >> 3 & 7, byte & 7].map(|digit| b'0' + digit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(name: &[u8]) -> Vec<u8> {
        shell(name, Charset::Ascii).into_owned()
    }

    #[test]
    fn names_are_quoted_as_gnu_quotes_them() {
        let pairs: [(&[u8], &[u8]); 18] = [
            (b"plain-name_1.2,3+4@5%", b"plain-name_1.2,3+4@5%"),
            (b"", b"''"),
            (b"a b", b"'a b'"),
            (b"a:b", b"'a:b'"),
            (b"{", b"'{'"),
            (b"{a", b"{a"),
            (b"~a", b"'~a'"),
            (b"a~#", b"a~#"),
            (b"it's", b"\"it's\""),
            (b"#'a", b"\"#'a\""),
            (b"it's #1", b"'it'\\''s #1'"),
            (b"'{", b"''\\''{'"),
            (b"\n", b"''$'\\n'"),
            (b"a\nb", b"'a'$'\\n''b'"),
            (b"a'\n'b", b"'a'\\'''$'\\n'\\''b'"),
            (b"\xffa\xfe1", b"''$'\\377''a'$'\\376''1'"),
            (b"\x07\x0d\x0e\x7f", b"''$'\\a\\r\\016\\177'"),
            ("né".as_bytes(), b"'n'$'\\303\\251'"),
        ];
        for (name, expected) in pairs {
            assert_eq!(
                quoted(name).escape_ascii().to_string(),
                expected.escape_ascii().to_string()
            );
        }
    }

    #[test]
    fn values_are_quoted_as_gnu_quotes_them() {
        for (text, expected) in [
            (&b"a b"[..], "'a b'"),
            (b"", "''"),
            (b"a\x1b\\'b\n\xff", r"'a\033\\\'b\n\377'"),
            ("\u{e9}".as_bytes(), r"'\303\251'"),
        ] {
            assert_eq!(in_quotes(text, Charset::Ascii), expected);
        }
        assert_eq!(
            in_quotes("\u{e9}\u{85}\x07".as_bytes(), Charset::Utf8),
            "'\u{e9}\\302\\205\\a'"
        );
    }

    #[test]
    fn characters_that_hide_others_are_shown() {
        let name = "a\u{202e}gpj.exe\u{200b}";
        assert_eq!(*shell(name.as_bytes(), Charset::Utf8), *name.as_bytes());
        let shown = shell(name.as_bytes(), Charset::Visible).escape_ascii().to_string();
        assert_eq!(shown, r"\'a\'$\'\\342\\200\\256\'\'gpj.exe\'$\'\\342\\200\\213\'");
        assert_eq!(*shell("n\u{e9}".as_bytes(), Charset::Visible), *"n\u{e9}".as_bytes());
    }

    #[test]
    fn special_characters_are_these() {
        let special: Vec<u8> = (b' '..=b'~').filter(|byte| is_special(*byte)).collect();
        assert_eq!(
            special.escape_ascii().to_string(),
            b" !\"$&'()*:;<=>?[\\^`|".escape_ascii().to_string()
        );
    }

    #[test]
    fn printable_characters_stand_for_themselves_in_utf8() {
        assert_eq!(*shell("né".as_bytes(), Charset::Utf8), *"né".as_bytes());
        assert_eq!(*shell(b"n\xc3", Charset::Utf8), *b"'n'$'\\303'");
    }
}
