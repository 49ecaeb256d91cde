//! Linux: information about files and disks, and hints. A failed hint does no harm, so its error is
//! ignored.

use std::{
    fs::{self, File},
    io::IoSliceMut,
    num::NonZero,
    ops::Range,
};

use rustix::{
    fs::{Advice, SeekFrom, fadvise, fstatfs, major, minor, seek},
    io::{Errno, ReadWriteFlags, preadv2},
};

/// Tells the system that `file` will be read sequentially.
pub(crate) fn read_sequentially(file: &File) {
    let _ = fadvise(file, 0, None, Advice::Sequential);
}

/// Starts reading the first `len` bytes of `file` into the page cache, without waiting.
pub(crate) fn read_ahead(file: &File, len: u64) {
    let _ = fadvise(file, 0, NonZero::new(len), Advice::WillNeed);
}

/// The next range of `file` with data at or after `at`; the bytes before it are zeros. `None` if the
/// file system does not know. Moves the file's position.
pub(crate) fn next_data(file: &File, at: u64) -> Option<Range<u64>> {
    let start = match seek(file, SeekFrom::Data(at)) {
        Ok(start) => start,
        // a hole up to the end of the file, or nothing, if it has been truncated before `at`
        Err(Errno::NXIO) => {
            let end = seek(file, SeekFrom::End(0)).ok()?.max(at);
            // data may have been appended before that end was known
            let is_hole = seek(file, SeekFrom::Data(at)) == Err(Errno::NXIO);
            return Some(if is_hole { end..end } else { at..at });
        }
        Err(_) => return None,
    };
    // the position has moved, so this is an answer even if the file has been truncated since
    Some(start..seek(file, SeekFrom::Hole(start)).unwrap_or(start))
}

/// Whether the byte of `file` at `offset` is in the page cache, if the file system knows.
pub(crate) fn is_cached(file: &File, offset: u64) -> Option<bool> {
    let mut byte = [0];
    match preadv2(file, &mut [IoSliceMut::new(&mut byte)], offset, ReadWriteFlags::NOWAIT) {
        Ok(_) => Some(true),
        Err(Errno::AGAIN) => Some(false),
        Err(_) => None,
    }
}

/// Whether `file` is on a local disk, as far as the system knows. On others, touching a page may wait
/// for a network, or fail with it.
pub(crate) fn is_local(file: &File) -> bool {
    const REMOTE: [u32; 9] = [
        0x6969,      // NFS
        0x517b,      // SMB
        0xff53_4d42, // CIFS
        0xfe53_4d42, // SMB 2
        0x6573_5546, // FUSE
        0x0102_1997, // 9P
        0x00c3_6400, // Ceph
        0x5346_414f, // AFS
        0x7375_7245, // Coda
    ];
    fstatfs(file).is_ok_and(|stat| !REMOTE.contains(&(stat.f_type as u32)))
}

/// Whether the disk `id`, or the disk of the partition `id`, rotates. False for anything but a disk,
/// and for file systems with a device number of their own.
pub(crate) fn rotates(id: u64) -> bool {
    let device = format!("/sys/dev/block/{}:{}", major(id), minor(id));
    let says = |of: &str| fs::read(format!("{device}/{of}/queue/rotational")).ok();
    says(".").or_else(|| says("..")).is_some_and(|text| text.starts_with(b"1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_never_before_the_offset() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(3).unwrap();
        // the file was longer when the bytes before the offset were read
        assert_eq!(next_data(&file, 5), Some(5..5));
    }
}
