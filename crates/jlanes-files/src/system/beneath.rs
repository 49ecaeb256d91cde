//! Files below a directory, however symbolic links point: a path that leads out is an error.
//!
//! Linux resolves such paths since 5.6 (`openat2`). Elsewhere, and where a sandbox forbids that call,
//! this module resolves them name by name. It never opens a link, so a name that is replaced meanwhile
//! is an error, too.

use std::{
    ffi::{CStr, CString},
    fs::File,
    io,
    os::fd::{AsFd, OwnedFd},
};

use rustix::{
    fs::{AtFlags, Mode, OFlags, fstat, openat, readlinkat, statat},
    io::{Errno, retry_on_intr},
};

use super::{At, Stat};

/// The maximum number of symbolic links in a path, the same as Linux's.
const MAX_LINKS: usize = 40;

/// Flags for reading. A FIFO or a terminal that has just taken the place of a file must not block us.
const READ: OFlags =
    OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NOCTTY).union(OFlags::NONBLOCK);

/// Opens the regular file at `path` below `base` for reading.
///
/// # Errors
/// The system's; also for a path that leads out, and for anything but a regular file.
pub(crate) fn open_beneath(base: At<'_>, path: &CStr) -> io::Result<File> {
    // opening a device may have side effects
    stat_beneath(base, path)?.regular_size()?;
    let file = match resolved(base, path, READ) {
        Some(file) => file?,
        None => {
            let (dir, name) = resolve_stepwise(base, path)?;
            retry_on_intr(|| openat(&dir, &name, READ | OFlags::NOFOLLOW, Mode::empty()))?
        }
    };
    Stat::of(fstat(&file)?).regular_size()?;
    Ok(file.into())
}

/// The status of the file at `path` below `base`.
///
/// # Errors
/// The system's; also for a path that leads out.
pub(crate) fn stat_beneath(base: At<'_>, path: &CStr) -> io::Result<Stat> {
    match resolved(base, path, PATH_ONLY) {
        Some(found) => Ok(Stat::of(fstat(found?)?)),
        None => {
            let (dir, name) = resolve_stepwise(base, path)?;
            Ok(Stat::of(statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW)?))
        }
    }
}

fn leads_out() -> io::Error {
    io::Error::other("leads out of the directory")
}

/// The descriptor of `path` below `base`, resolved by the system; `None` if it cannot do that.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn resolved(base: At<'_>, path: &CStr, flags: OFlags) -> Option<io::Result<OwnedFd>> {
    use rustix::fs::{ResolveFlags, openat2};

    /// Attempts, because a rename elsewhere can make the system give up.
    const MAX_TRIES: usize = 8;

    let how = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..MAX_TRIES {
        match openat2(base, path, flags, Mode::empty(), how) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => return None,
            Err(Errno::XDEV) => return Some(Err(leads_out())),
            found => return Some(found.map_err(io::Error::from)),
        }
    }
    None
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn resolved(_: At<'_>, _: &CStr, _: OFlags) -> Option<io::Result<OwnedFd>> {
    None
}

/// Flags for a descriptor that serves to query the status or to resolve the rest of a path, not to read.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PATH_ONLY: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const PATH_ONLY: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC);

/// Resolves `path` name by name. Returns the directory of the last name, and that name, which is no link.
fn resolve_stepwise(base: At<'_>, path: &CStr) -> io::Result<(OwnedFd, CString)> {
    let enter = |dir: At<'_>, name: &CStr| {
        let flags = PATH_ONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
        retry_on_intr(|| openat(dir, name, flags, Mode::empty()))
    };
    let mut above: Vec<OwnedFd> = Vec::new();
    let mut dir = enter(base, c".")?;
    // in reverse order: the next name is the last
    let mut names = Vec::new();
    add(path.to_bytes(), &mut names)?;
    let mut links = 0;
    while let Some(name) = names.pop() {
        match name.as_bytes() {
            b"" | b"." if names.is_empty() => return Ok((dir, c".".to_owned())),
            b"" | b"." => {}
            b".." => dir = above.pop().ok_or_else(leads_out)?,
            _ => match readlinkat(&dir, &name, Vec::new()) {
                Ok(_) if links == MAX_LINKS => return Err(Errno::LOOP.into()),
                Ok(text) => {
                    links += 1;
                    add(text.to_bytes(), &mut names)?;
                }
                Err(Errno::INVAL) if names.is_empty() => return Ok((dir, name)),
                Err(Errno::INVAL) => {
                    let below = enter(dir.as_fd(), &name)?;
                    above.push(std::mem::replace(&mut dir, below));
                }
                Err(error) => return Err(error.into()),
            },
        }
    }
    Ok((dir, c".".to_owned()))
}

/// Adds the names in `path` in reverse order.
fn add(path: &[u8], names: &mut Vec<CString>) -> io::Result<()> {
    if path.starts_with(b"/") {
        return Err(leads_out());
    }
    for name in path.rsplit(|byte| *byte == b'/') {
        names.push(CString::new(name)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use proptest::prelude::*;

    use super::*;

    /// The number of the file at `path`, by the system and by hand, which have to agree.
    #[track_caller]
    fn found(base: At<'_>, path: &str) -> Result<u64, String> {
        let path = CString::new(path).unwrap();
        let (dir, name) = match resolve_stepwise(base, &path) {
            Ok(found) => found,
            Err(error) => {
                let same = stat_beneath(base, &path).unwrap_err();
                assert_eq!(same.to_string(), error.to_string(), "{path:?}");
                return Err(error.to_string());
            }
        };
        let by_hand = statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW).map_err(io::Error::from);
        let same = stat_beneath(base, &path);
        match (by_hand.map(Stat::of), same) {
            (Ok(hand), Ok(same)) => {
                assert_eq!(hand.identity, same.identity, "{path:?}");
                Ok(hand.size)
            }
            (Err(hand), Err(same)) => {
                assert_eq!(hand.to_string(), same.to_string(), "{path:?}");
                Err(hand.to_string())
            }
            (hand, same) => panic!("{path:?}: {hand:?} {same:?}"),
        }
    }

    #[test]
    fn paths_are_resolved_by_hand_as_by_the_system() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        fs::create_dir_all(at("base/d/e")).unwrap();
        fs::write(at("out"), "out").unwrap();
        fs::write(at("base/f"), "f").unwrap();
        fs::write(at("base/d/e/g"), "gg").unwrap();
        for (link, to) in [
            ("base/to-f", "f"),
            ("base/to-dir", "d"),
            ("base/d/up", "../f"),
            ("base/d/e/far", "../../d/../f"),
            ("base/out", "../out"),
            ("base/d/out", "../../out"),
            ("base/absolute", "/etc/passwd"),
            ("base/root", "/"),
            ("base/parent", ".."),
            ("base/loop", "loop"),
            ("base/again", "../base/f"),
            ("base/none", "nothing"),
        ] {
            symlink(to, at(link)).unwrap();
        }
        let base = File::open(at("base")).unwrap();
        for (path, size) in [
            ("f", 1),
            ("./f", 1),
            ("d//e/./g", 2),
            ("d/../f", 1),
            ("to-f", 1),
            ("to-dir/e/g", 2),
            ("to-dir/up", 1),
            ("d/e/far", 1),
        ] {
            assert_eq!(found(base.as_fd(), path), Ok(size), "{path}");
        }
        for path in [
            "..",
            "../out",
            "/etc/passwd",
            "out",
            "d/out",
            "d/../../out",
            "absolute",
            "root/etc",
            "parent/out",
            "again",
            "to-dir/../../out",
            "d/e/../../../base/f",
        ] {
            let error = found(base.as_fd(), path).unwrap_err();
            assert_eq!(error, "leads out of the directory", "{path}");
        }
        for path in ["loop", "none", "nothing", "f/x", "d/nothing/f"] {
            assert!(found(base.as_fd(), path).is_err(), "{path}");
        }
        assert!(open_beneath(base.as_fd(), c"d").is_err());
        assert!(open_beneath(base.as_fd(), c"d/e/g").is_ok());
    }

    /// The parts of random links and paths.
    const PARTS: [&str; 11] = ["a", "b", "f", "l0", "l1", "l2", "l3", ".", "..", "", "../base"];

    fn paths() -> impl Strategy<Value = String> {
        let parts = proptest::collection::vec(proptest::sample::select(PARTS.to_vec()), 1..6);
        (proptest::bool::weighted(0.1), parts)
            .prop_map(|(root, parts)| format!("{}{}", if root { "/" } else { "" }, parts.join("/")))
            .prop_filter("the system has no empty links", |path| !path.is_empty())
    }

    proptest! {
        #[test]
        fn no_links_lead_out(
            links in proptest::collection::vec(paths(), 8),
            tried in proptest::collection::vec(paths(), 16),
        ) {
            let scratch = tempfile::tempdir().unwrap();
            let at = |name: &str| scratch.path().join("base").join(name);
            fs::create_dir_all(at("a/b")).unwrap();
            for (size, name) in ["../f", "f", "a/f", "a/b/f"].into_iter().enumerate() {
                fs::write(at(name), vec![0; size]).unwrap();
            }
            let places = ["l0", "l1", "a/l0", "a/l1", "a/l2", "a/b/l1", "a/b/l2", "a/b/l3"];
            for (place, to) in places.into_iter().zip(links) {
                symlink(to, at(place)).unwrap();
            }
            let base = File::open(at("")).unwrap();
            for path in tried {
                let path = CString::new(path).unwrap();
                let by_hand = resolve_stepwise(base.as_fd(), &path).and_then(|(dir, name)| {
                    Ok(Stat::of(statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW)?).identity)
                });
                let by_system = stat_beneath(base.as_fd(), &path).map(|stat| stat.identity);
                prop_assert_eq!(by_hand.as_ref().ok(), by_system.as_ref().ok(), "{:?}", path);
                if by_hand.is_ok_and(|found| found == identity(&at("../f"))) {
                    prop_assert!(false, "{:?} leads out", path);
                }
            }
        }
    }

    fn identity(path: &std::path::Path) -> (u64, u64) {
        Stat::of(rustix::fs::stat(path).unwrap()).identity
    }
}
