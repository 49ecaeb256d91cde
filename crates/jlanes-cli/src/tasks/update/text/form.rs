//! The forms of lines with digests: a fast reader for the usual ones, and the style of any line.

use std::borrow::Cow;

use jlanes_files::{
    Computation,
    lists::{Encoding, Entry, LineLayout, Style, from_hex, needs_escape},
};

/// A line with a digest.
#[derive(Clone)]
pub(crate) struct DigestLine<'t> {
    /// The number of the digest's computation.
    pub(crate) number: usize,
    pub(crate) name: Cow<'t, [u8]>,
    /// The digest in hexadecimal.
    pub(super) digits: Cow<'t, [u8]>,
}

impl DigestLine<'_> {
    pub(crate) fn digest(&self) -> Vec<u8> {
        let mut digest = Vec::with_capacity(self.digits.len() / 2);
        from_hex(&self.digits, &mut digest);
        digest
    }
}

/// The form of lines with a hexadecimal digest and a name without escapes. Reading these takes a
/// fraction of the time that a parser takes.
pub(super) struct LineForm {
    pub(super) computation: Computation,
    /// The number of digits of the digest.
    digits: usize,
    /// The text before the name, and between the name and the digest.
    before: String,
    between: &'static [u8],
    is_tagged: bool,
}

impl LineForm {
    pub(super) fn new(computation: Computation, layout: LineLayout) -> Self {
        let (digits, is_tagged) = (2 * computation.output_size(), layout == LineLayout::Tagged);
        let before = if is_tagged { format!("{} (", computation.tag()) } else { String::new() };
        let between: &[u8] = match layout {
            LineLayout::Tagged => b") = ",
            LineLayout::Untagged { binary: true } => b" *",
            _ => b"  ",
        };
        Self { computation, digits, before, between, is_tagged }
    }

    /// The name and the digest in `line`, if it has this form. Forms differ in the number of digits.
    pub(super) fn split<'l>(&self, line: &'l [u8]) -> Option<(&'l [u8], &'l [u8])> {
        let rest = line.strip_prefix(self.before.as_bytes())?;
        if self.is_tagged {
            let (name, digits) = rest.split_at_checked(rest.len().checked_sub(self.digits)?)?;
            Some((name.strip_suffix(self.between)?, digits))
        } else {
            let (digits, name) = rest.split_at_checked(self.digits)?;
            Some((name.strip_prefix(self.between)?, digits)).filter(|_| !digits.contains(&b' '))
        }
    }

    /// The name in `line`, if it has this form, and `--update` would write it the same.
    pub(super) fn name<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        let (name, digits) = self.split(line)?;
        let is_plain = !name.is_empty() && !needs_escape(name) && !name.contains(&0);
        (is_plain && from_hex(digits, &mut Vec::with_capacity(self.digits / 2))).then_some(name)
    }
}

/// The style of `line`, which contains `entry`; `None` if we do not write such lines.
pub(super) fn style_of(entry: &Entry, line: &[u8]) -> Option<Style> {
    let untagged = [false, true].map(|binary| LineLayout::Untagged { binary });
    let layouts = untagged.into_iter().chain([LineLayout::Tagged]);
    let mut styles = layouts.flat_map(|layout| {
        let encodings = [Encoding::Hex, Encoding::Base64].into_iter();
        encodings.map(move |encoding| Style { layout, encoding, zero: false })
    });
    styles.find(|style| is_in(*style, entry, line))
}

/// Whether `line` is what we write for `entry` in this style.
pub(super) fn is_in(style: Style, entry: &Entry, line: &[u8]) -> bool {
    let [(computation, digest)] = &entry.digests[..] else { return false };
    if matches!(computation, Computation::Directory(_)) {
        return false;
    }
    let tag = if style.layout == LineLayout::Tagged { computation.tag() } else { String::new() };
    let mut written = Vec::with_capacity(line.len() + 1);
    style.write(computation, &tag, &entry.name, digest, &mut written);
    written.strip_suffix(b"\n") == Some(line)
}
