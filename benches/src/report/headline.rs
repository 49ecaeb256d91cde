//! The few lines that stand for the rest.

use crate::row::Row;

/// Section, name, input and peer of a row.
pub(super) type Key = (&'static str, &'static str, &'static str, &'static str);

/// Jobs that users have most, won or lost.
const LINES: [Key; 24] = [
    ("batches", "SHA-256 batch", "16 x 64 KiB", "sha2"),
    ("batches", "SHA-256 batch", "1024 x 64 B", "sha2"),
    ("batches", "SHA-256 batch", "256 log-normal, 8 KiB", "sha2"),
    ("batches", "SHA-256 batch", "1 x 64 B", "sha2"),
    ("kernels", "SHA-256, in cache", "1 x 64 KiB", "sha2"),
    ("batches", "SHA-512 batch", "64 x 64 KiB", "sha2"),
    ("batches", "SHA-1 batch", "64 x 64 KiB", "sha1"),
    ("kernels", "Skein-512 on avx512", "8 x 64 KiB", "skein"),
    ("kernels", "Skein-512, in cache", "1 x 64 KiB", "skein"),
    ("batches", "HMAC-SHA-256", "100000 x 100 B", "hmac + sha2"),
    ("batches", "PBKDF2, 1000 rounds", "16 x 12 B", "pbkdf2 + sha2"),
    ("nodes", "nodes of two digests", "65536 x 64 B", "sha2"),
    ("nodes", "nodes of two digests", "65536 x 64 B", "hashtree-rs"),
    ("trees", "j-lanes, j = 16", "1 x 64 MiB", "plain sha2"),
    ("trees", "j-lanes, j = 16", "1 x 64 MiB", "BLAKE3"),
    ("trees", "fs-verity with SHA-512, 4 KiB", "1 x 512 KiB", "fs-verity"),
    ("files", "small files", "", "sha256sum"),
    ("files", "small files", "", "openssl"),
    ("files", "cargo registry", "", "openssl"),
    ("files", "large files", "", "openssl"),
    ("files", "one big file", "", "openssl"),
    ("files", "one big file", "", "b3sum"),
    ("files", "fs-verity of 1 GiB", "", "fsverity"),
    ("files", "BitTorrent v2 of 1 GiB", "", "libtorrent"),
];

/// Their rows, as far as they were measured.
pub(super) fn rows(rows: &[Row]) -> Vec<&Row> {
    let measured = LINES.iter().filter_map(|key| find(rows, key));
    measured.filter(|row| row.ratio.is_some()).collect()
}

/// The row of a key; a key without an input takes any.
pub(super) fn find<'a>(rows: &'a [Row], (section, name, size, peer): &Key) -> Option<&'a Row> {
    rows.iter().find(|row| {
        let same_size = size.is_empty() || row.size == *size;
        row.section == *section && row.name == *name && same_size && row.peer == *peer
    })
}

#[cfg(test)]
mod tests {
    use super::LINES;
    use crate::sections::Table;

    #[test]
    fn every_line_is_measured() {
        let contests: Vec<_> = Table::ALL.iter().flat_map(|table| table.contests()).collect();
        for (section, name, size, peer) in LINES {
            let measured = section == "files"
                || contests.iter().any(|contest| {
                    let same = contest.row.name == name && contest.row.size == size;
                    same && contest.methods().any(|method| method.name == peer)
                });
            assert!(measured, "{name}, {size} beside {peer}");
        }
    }
}
