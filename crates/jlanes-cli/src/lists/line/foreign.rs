//! Lists of other tools: the one line a file that they have, whatever the number of digests.

use super::{
    hashdeep::{self, MAGIC},
    mtree::{self, enter, path, vis},
};

/// Whose lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Foreign {
    Hashdeep,
    Mtree,
    /// With CRC-32 alone.
    Sfv,
}

impl Foreign {
    /// What the format calls the digests with this tag, if it has them.
    pub(crate) fn keyword(self, tag: &str) -> Option<&'static str> {
        let known: &[(&str, &[u8])] = match self {
            Self::Hashdeep => &hashdeep::DIGESTS,
            Self::Mtree => &mtree::DIGESTS,
            Self::Sfv => &[("", b"CRC32")],
        };
        known.iter().find(|(_, known)| *known == tag.as_bytes()).map(|(keyword, _)| *keyword)
    }

    /// Appends what comes before all files, which have digests with these tags.
    pub(crate) fn begin<'t>(self, tags: impl Iterator<Item = &'t str>, out: &mut Vec<u8>) {
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
    pub(crate) fn takes(self, name: &[u8]) -> bool {
        let is_line = !name.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
        match self {
            Self::Mtree => true,
            Self::Hashdeep => is_line,
            // what it would be read as is a comment, or has a directory before the name
            Self::Sfv => {
                let is_bare = !name.starts_with(b";") && !name.contains(&b'\\');
                is_line && is_bare && name.trim_ascii() == name
            }
        }
    }

    /// Appends the line of a file of `len` bytes, and what has to come before it; digests come with
    /// their tags. `dir` is the directory of the last file.
    pub(crate) fn write<'d>(
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
