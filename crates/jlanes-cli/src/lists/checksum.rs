//! Lines with the checksums of `cksum` and `sum`, which are printed and never checked.

use jlanes_files::{
    Checksum,
    lists::{LineLayout, Style, digest},
};

/// Appends the line of one file of `len` bytes, in the checksum's own form. There is no name if no file
/// was named.
pub(crate) fn write(
    style: Style,
    checksum: Checksum,
    name: Option<&[u8]>,
    len: u64,
    digest: &[u8],
    out: &mut Vec<u8>,
) {
    if style.layout == LineLayout::Raw {
        return out.extend_from_slice(digest);
    }
    let number = digest::text(&checksum.into(), digest, style.encoding);
    let blocks = |size: u64| len.div_ceil(size);
    out.extend(
        match checksum {
            Checksum::Crc | Checksum::Crc32b => format!("{number} {len}"),
            Checksum::Bsd => format!("{number:0>5} {:>5}", blocks(1024)),
            // the others have the same lines as digests
            _ => format!("{number} {}", blocks(512)),
        }
        .bytes(),
    );
    if let Some(name) = name.filter(|_| style.layout != LineLayout::Nameless) {
        out.push(b' ');
        out.extend_from_slice(name);
    }
    out.push(style.end());
}
