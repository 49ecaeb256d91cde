//! `.SRCINFO` files of makepkg.
//!
//! ```text
//! list   = *( key " = " [ value ] )             ; indented by a tab, below the package's name
//! source = "source" [ "_" arch ] " = " ( name "::" url / url )
//! sum    = algorithm "sums" [ "_" arch ] " = " ( digest / "SKIP" )
//! ```
//!
//! The n-th sum of an algorithm belongs to the n-th source. If their numbers differ, nothing says which
//! belong together, so all are malformed, as are sources of an architecture without sums.

use std::collections::BTreeMap;

use super::{Dialect, KnownDialect, Meaning, SpelledFile, lines, split_once};
use crate::lists::{Fault, MAX_LINE_BYTES};

struct SrcInfo;

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| line.starts_with(b"pkgbase = ").then(|| Box::new(SrcInfo) as _),
    #[cfg(test)]
    sample: "pkgbase = demo\n\tsource = f::http://example.org/x\n\tsource = http://example.org/g\n\
             \tmd5sums = 900150983cd24fb0d6963f7d28e17f72\n\tmd5sums = e2fc714c4727ee9395f324cd2e7f331f\n",
};

impl Dialect for SrcInfo {
    /// One record for the whole list: the sums of an architecture may come after everything else.
    fn continues(&mut self, _: &[u8], _: &[u8]) -> bool {
        true
    }

    fn read<'r>(&mut self, record: &'r [u8]) -> Meaning<SpelledFile<'r>> {
        let (mut sources, mut places) = (BTreeMap::new(), BTreeMap::new());
        let (mut sums, mut files) = (Vec::<(_, Vec<_>)>::new(), Vec::new());
        for line in lines(record).map(<[u8]>::trim_ascii) {
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            // a package may have none of what the base has, as in "depends = "
            let field =
                split_once(line, b" = ").or(line.strip_suffix(b" =").map(|key| (key, &b""[..])));
            let Some((key, value)) = field.filter(|(key, _)| key.iter().all(is_word)) else {
                if !line.is_empty() && !line.starts_with(b"#") {
                    files.push(Err(Fault::Malformed));
                }
                continue;
            };
            let (key, arch) = split_once(key, b"_").unwrap_or((key, b""));
            if key == b"source" {
                sources.entry(arch).or_insert_with(Vec::new).push(name(value));
            } else if let Some(tag) = key.strip_suffix(b"sums") {
                let at = *places.entry((arch, tag)).or_insert(sums.len());
                match sums.get_mut(at) {
                    Some((_, digests)) => digests.push(value),
                    None => sums.push(((arch, tag), vec![value])),
                }
            }
        }
        let tags_of = |wanted| {
            let rest = places.range((wanted, &b""[..])..).map(|(key, _)| *key);
            rest.take_while(move |(arch, _)| *arch == wanted).map(|(_, tag)| tag)
        };
        // makepkg wants a sum for every source: the list is cut off, or the sums have lost their key
        let without = sources.iter().filter(|(arch, _)| tags_of(arch).next().is_none());
        files.extend(without.flat_map(|(_, names)| names).map(|_| Err(Fault::Malformed)));
        let mut copied = 0;
        for ((arch, tag), digests) in sums {
            // POSIX's checksum adds nothing to a digest
            if tag == b"ck" && tags_of(arch).any(|other| other != b"ck") {
                continue;
            }
            let names = sources.get(arch).map_or(&[][..], Vec::as_slice);
            // each entry has its own copy of its name; names of more or fewer sums are not copied
            let is_whole = names.len() == digests.len();
            let copy = if is_whole { names } else { &[] };
            copied += copy.iter().map(|name| name.len()).sum::<usize>();
            if !is_whole || copied > MAX_LINE_BYTES {
                files.extend(digests.iter().map(|_| Err(Fault::Malformed)));
                continue;
            }
            let wanted = names.iter().zip(digests).filter(|(_, digest)| *digest != b"SKIP");
            files.extend(
                wanted.map(|(name, digest)| Ok(SpelledFile::new(name.to_vec(), tag, digest))),
            );
        }
        Meaning::of(files)
    }
}

/// The name of the file as which a source is saved.
fn name(source: &[u8]) -> &[u8] {
    match split_once(source, b"::") {
        Some((name, _)) => name,
        None => {
            let url = split_once(source, b"#").map_or(source, |(url, _)| url);
            url.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
        }
    }
}
