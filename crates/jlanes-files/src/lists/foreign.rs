//! Writers of other tools' formats, which have one line for each file, however many digests.

use super::dialect::{
    hashdeep::{self, MAGIC},
    mtree::{self, enter, path, vis},
};

/// A format with one line for each file.
///
/// ```
/// use jlanes_files::lists::ForeignFormat;
///
/// let (mut dir, mut list) = (Vec::new(), Vec::new());
/// ForeignFormat::Mtree.begin(["SHA256"].into_iter(), &mut list);
/// for name in ["d/e", "d/f"] {
///     let digests = [("SHA256", &[0x5a; 32][..])].into_iter();
///     ForeignFormat::Mtree.write(name.as_bytes(), 3, digests, &mut dir, &mut list);
/// }
/// assert!(list.starts_with(b"#mtree\n. type=dir\n./d type=dir\n./d/e type=file size=3 sha256"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFormat {
    /// hashdeep's, version 1.0.
    Hashdeep,
    /// A specification for mtree(5).
    Mtree,
    /// SFV, with CRC-32 only.
    Sfv,
}

impl ForeignFormat {
    /// The formats by name.
    pub const NAMED: [(&str, Self); 3] =
        [("hashdeep", Self::Hashdeep), ("mtree", Self::Mtree), ("sfv", Self::Sfv)];

    /// The file's `name` as a list of this format spells it.
    #[must_use]
    pub fn path(self, name: &[u8]) -> Vec<u8> {
        if self == Self::Mtree { path(name) } else { name.to_vec() }
    }

    /// The format's name for digests with this tag, if it supports them.
    #[must_use]
    pub fn keyword(self, tag: &str) -> Option<&'static str> {
        let known: &[(&str, &[u8])] = match self {
            Self::Hashdeep => &hashdeep::DIGESTS,
            Self::Mtree => &mtree::DIGESTS,
            Self::Sfv => &[("", b"CRC32")],
        };
        known.iter().find(|(_, known)| *known == tag.as_bytes()).map(|(keyword, _)| *keyword)
    }

    /// Appends the header, for digests with these tags.
    pub fn begin<'t>(self, tags: impl Iterator<Item = &'t str>, out: &mut Vec<u8>) {
        match self {
            Self::Hashdeep => {
                let columns: Vec<_> = tags.filter_map(|tag| self.keyword(tag)).collect();
                out.extend_from_slice(MAGIC);
                out.extend(format!("\n%%%% size,{},filename\n", columns.join(",")).bytes());
            }
            Self::Mtree => out.extend_from_slice(b"#mtree\n"),
            Self::Sfv => {}
        }
    }

    /// Whether the format can hold `name`.
    #[must_use]
    pub fn supports_name(self, name: &[u8]) -> bool {
        let is_line = !name.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        match self {
            Self::Mtree => true,
            Self::Hashdeep => is_line,
            // a semicolon starts a comment, in our lists also a number sign; a backslash ends a
            // directory's name; the last three are byte order marks
            Self::Sfv => {
                let marks: [&[u8]; 5] = [b";", b"#", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
                let is_bare =
                    !marks.iter().any(|mark| name.starts_with(mark)) && !name.contains(&b'\\');
                is_line && is_bare && name.trim_ascii() == name
            }
        }
    }

    /// Appends a symbolic link with this text to an mtree(5) specification, which has no digests of
    /// links. `dir` is the same as for [`write`](Self::write).
    pub fn write_link(name: &[u8], text: &[u8], dir: &mut Vec<u8>, out: &mut Vec<u8>) {
        let path = path(name);
        enter(&path, dir, out);
        for part in [&vis(&path)[..], b" type=link link=", &vis(text), b"\n"] {
            out.extend_from_slice(part);
        }
    }

    /// Appends the line of a file of `len` bytes, after the entries of its directories if the format
    /// has them. The digests come with their tags. `dir` is the directory of the last file, empty
    /// before the first.
    pub fn write<'d>(
        self,
        name: &[u8],
        len: u64,
        digests: impl Iterator<Item = (&'d str, &'d [u8])>,
        dir: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) {
        let mut digests = digests.map(|(tag, digest)| (tag, hex::encode(digest)));
        match self {
            Self::Hashdeep => {
                out.extend(len.to_string().bytes());
                digests.for_each(|(_, digest)| out.extend(format!(",{digest}").bytes()));
                out.push(b',');
                out.extend_from_slice(name);
            }
            Self::Mtree => {
                let path = path(name);
                enter(&path, dir, out);
                out.extend_from_slice(&vis(&path));
                out.extend(format!(" type=file size={len}").bytes());
                for (tag, digest) in digests {
                    let keyword = self.keyword(tag).unwrap_or_default();
                    out.extend(format!(" {keyword}={digest}").bytes());
                }
            }
            Self::Sfv => {
                let sum = digests.next().map_or(String::new(), |(_, sum)| sum.to_uppercase());
                out.extend_from_slice(name);
                out.push(b' ');
                out.extend_from_slice(sum.as_bytes());
            }
        }
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_specifications_have_other_names() {
        assert_eq!(ForeignFormat::Mtree.path(b"a file"), b"./a file");
        assert_eq!(ForeignFormat::Hashdeep.path(b"a file"), b"a file");
        assert_eq!(ForeignFormat::Sfv.path(b"a file"), b"a file");
    }
}
