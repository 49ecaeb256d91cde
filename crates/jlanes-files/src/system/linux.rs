//! What Linux tells about files and disks, and the advice that it takes. Advice that is not taken
//! does no harm, so nobody hears of it.

use std::{
    fs::{self, File},
    io::IoSliceMut,
    num::NonZero,
};

use rustix::{
    fs::{Advice, fadvise, fstatfs, major, minor},
    io::{Errno, ReadWriteFlags, preadv2},
};

/// Advises that `file` is going to be read from its start to its end.
pub(crate) fn read_in_line(file: &File) {
    let _ = fadvise(file, 0, None, Advice::Sequential);
}

/// Has the first `len` bytes of `file` read into the cache, without waiting for them.
pub(crate) fn read_ahead(file: &File, len: u64) {
    let _ = fadvise(file, 0, NonZero::new(len), Advice::WillNeed);
}

/// Whether the byte of `file` at `offset` can be had without waiting, if the file system tells.
pub(crate) fn is_cached(file: &File, offset: u64) -> Option<bool> {
    let mut byte = [0];
    match preadv2(file, &mut [IoSliceMut::new(&mut byte)], offset, ReadWriteFlags::NOWAIT) {
        Ok(_) => Some(true),
        Err(Errno::AGAIN) => Some(false),
        Err(_) => None,
    }
}

/// Whether `file` is on a disk of this machine, as far as is known. On others, a page that is
/// touched may take a network's time, or fail with it.
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

/// Whether the disk `id`, or the one of which it is a part, rotates. What is no disk, and disks
/// under a file system that counts as a device itself, are taken not to.
pub(crate) fn rotates(id: u64) -> bool {
    let device = format!("/sys/dev/block/{}:{}", major(id), minor(id));
    let says = |of: &str| fs::read(format!("{device}/{of}/queue/rotational")).ok();
    says(".").or_else(|| says("..")).is_some_and(|text| text.starts_with(b"1"))
}
