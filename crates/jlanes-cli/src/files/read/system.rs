//! What Linux tells about files and disks, and the advice that it takes. On other systems nothing
//! is known, and nothing is advised. Advice that is not taken does no harm, so nobody hears of it.

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) use elsewhere::*;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use linux::*;

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    use std::{fs, io::IoSliceMut, num::NonZero, os::fd::OwnedFd};

    use rustix::{
        fs::{Advice, Dev, fadvise, fstatfs, major, minor},
        io::{Errno, ReadWriteFlags, preadv2},
    };

    /// Advises that `fd` is going to be read from its start to its end.
    pub(in super::super) fn read_in_line(fd: &OwnedFd) {
        let _ = fadvise(fd, 0, None, Advice::Sequential);
    }

    /// Has the first `len` bytes of `fd` read into the cache, without waiting for them.
    pub(in super::super) fn read_ahead(fd: &OwnedFd, len: u64) {
        let _ = fadvise(fd, 0, NonZero::new(len), Advice::WillNeed);
    }

    /// Whether the byte of `fd` at `offset` can be had without waiting, if the file system tells.
    pub(in super::super) fn is_cached(fd: &OwnedFd, offset: u64) -> Option<bool> {
        let mut byte = [0];
        match preadv2(fd, &mut [IoSliceMut::new(&mut byte)], offset, ReadWriteFlags::NOWAIT) {
            Ok(_) => Some(true),
            Err(Errno::AGAIN) => Some(false),
            Err(_) => None,
        }
    }

    /// Whether `fd` is on a disk of this machine, as far as is known. On others, a page that is
    /// touched may take a network's time, or fail with it.
    pub(in super::super) fn is_local(fd: &OwnedFd) -> bool {
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
        fstatfs(fd).is_ok_and(|stat| !REMOTE.contains(&(stat.f_type as u32)))
    }

    /// Whether the disk `id`, or the one of which it is a part, rotates. What is no disk, and disks
    /// under a file system that counts as a device itself, are taken not to.
    pub(in super::super) fn rotates(id: Dev) -> bool {
        let device = format!("/sys/dev/block/{}:{}", major(id), minor(id));
        let says = |of: &str| fs::read(format!("{device}/{of}/queue/rotational")).ok();
        says(".").or_else(|| says("..")).is_some_and(|text| text.starts_with(b"1"))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod elsewhere {
    use std::os::fd::OwnedFd;

    pub(in super::super) fn read_in_line(_: &OwnedFd) {}

    pub(in super::super) fn read_ahead(_: &OwnedFd, _: u64) {}

    pub(in super::super) fn is_cached(_: &OwnedFd, _: u64) -> Option<bool> {
        None
    }

    pub(in super::super) fn is_local(_: &OwnedFd) -> bool {
        false
    }

    pub(in super::super) fn rotates(_: u64) -> bool {
        false
    }
}
