//! Torrents: a written torrent is read back, and names in any torrent stay inside its directory.

use arbitrary::{Result, Unstructured};
use jlanes_files::torrent::Torrent;

/// The parts of torrents.
const PARTS: [&str; 34] = [
    "d",
    "l",
    "e",
    "i0e",
    "i1e",
    "i5e",
    "i-1e",
    "i16384e",
    "i9223372036854775807e",
    "4:info",
    "4:name",
    "5:files",
    "6:length",
    "6:pieces",
    "12:piece length",
    "4:path",
    "4:attr",
    "9:file tree",
    "12:meta version",
    "11:pieces root",
    "0:",
    "1:p",
    "1:l",
    "1:f",
    "1:/",
    "1:.",
    "2:..",
    "3:a/b",
    "20:xxxxxxxxxxxxxxxxxxxx",
    "32:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "d4:infod6:lengthi3e4:name1:f12:piece lengthi2e6:pieces40:",
    "d4:infod5:filesld6:lengthi1e4:pathl",
    "ee4:name1:d12:piece lengthi16384e6:pieces20:xxxxxxxxxxxxxxxxxxxxee",
    "d4:infod9:file treed",
];

/// Parses a torrent of files that the input names, or one made of parts.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a file differs from the one that was written, or a name leads out of the torrent's directory.
pub fn run(u: &mut Unstructured) -> Result<()> {
    if u.arbitrary()? {
        return written(u);
    }
    let mut text = Vec::new();
    while !u.is_empty() {
        if u.ratio(15, 16)? {
            text.extend_from_slice(u.choose(&PARTS)?.as_bytes());
        } else {
            let len = u.int_in_range(0..=8)?.min(u.len());
            text.extend_from_slice(u.bytes(len)?);
        }
    }
    if let Ok(torrent) = Torrent::parse(&text) {
        check(&torrent);
    }
    Ok(())
}

/// A torrent of version 1.
fn written(u: &mut Unstructured) -> Result<()> {
    let piece = u.int_in_range(1..=1_u64 << 20)?;
    let count = u.int_in_range(1..=5)?;
    let mut files: Vec<(Vec<Vec<u8>>, u64)> = Vec::new();
    for at in 0..count {
        // the first part differs, and so do the paths
        let mut parts = vec![format!("{at}").into_bytes()];
        for _ in 0..u.int_in_range(0..=3)? {
            let len = u.int_in_range(1..=4)?.min(u.len());
            parts.push(u.bytes(len)?.to_vec());
        }
        files.push((parts, u.int_in_range(0..=3 * piece)?));
    }
    let total: u64 = files.iter().map(|(_, len)| len).sum();
    let mut text = b"d4:infod5:filesl".to_vec();
    for (parts, len) in &files {
        text.extend(format!("d6:lengthi{len}e4:pathl").bytes());
        parts.iter().for_each(|part| push(&mut text, part));
        text.extend(b"ee");
    }
    text.extend(format!("e4:name1:d12:piece lengthi{piece}e6:pieces").bytes());
    push(&mut text, &vec![7; total.div_ceil(piece) as usize * 20]);
    text.extend(b"ee");
    let is_name = |part: &Vec<u8>| {
        let is_inside = !part.iter().any(|byte| matches!(byte, b'/' | b'\\' | 0));
        is_inside && !matches!(&part[..], b"" | b"." | b"..")
    };
    let are_names = files.iter().flat_map(|(parts, _)| parts).all(is_name);
    let torrent = Torrent::parse(&text);
    assert_eq!(torrent.is_ok(), are_names, "{:?}", torrent.err());
    if let Ok(torrent) = torrent {
        check(&torrent);
        let read: Vec<_> = torrent.files.into_iter().map(|file| (file.path, file.len)).collect();
        let expected = files.into_iter().map(|(parts, len)| (parts.join(&b'/'), len));
        assert_eq!(read, expected.collect::<Vec<_>>());
    }
    Ok(())
}

fn push(text: &mut Vec<u8>, part: &[u8]) {
    text.extend(format!("{}:", part.len()).bytes());
    text.extend_from_slice(part);
}

/// Checks the properties that every torrent has.
fn check(torrent: &Torrent) {
    for file in &torrent.files {
        let mut parts = file.path.split(|byte| *byte == b'/');
        let is_inside = parts.all(|part| !matches!(part, b"" | b"." | b".."));
        assert!(is_inside || (file.path.is_empty() && !torrent.is_directory), "{file:?}");
        assert!(!file.path.contains(&0) && !file.path.contains(&b'\\'), "{file:?}");
    }
    if let Some(pieces) = &torrent.pieces {
        let total: u64 = torrent.files.iter().map(|file| file.len).sum();
        assert_eq!(pieces.digests.len() as u64, total.div_ceil(pieces.len));
    }
}
