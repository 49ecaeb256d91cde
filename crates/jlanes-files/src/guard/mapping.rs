//! Mapped windows of files that survive changes to the file.
//!
//! Touching a mapped page raises SIGBUS if the file has lost the page by truncation, or if the disk
//! cannot deliver it; by default this ends the process. Here a handler replaces the page with zeros
//! and marks the window. The hashing loop goes on, and the owner of the window finds out afterwards
//! that its result is invalid.

use std::{
    ffi::{c_int, c_void},
    io, mem,
    os::fd::AsFd,
    ptr::{self, NonNull},
    slice,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use rustix::{
    mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap},
    param::page_size,
};

/// The maximum number of windows at a time, as many as two threads have lanes: it bounds resident
/// memory for any number of threads.
const MAX_WINDOWS: usize = 32;

/// The mapped windows, for the handler.
static SLOTS: [Slot; MAX_WINDOWS] = [const { Slot::FREE }; MAX_WINDOWS];

/// The previous action for SIGBUS, used for faults outside of windows.
static PREVIOUS_ACTION: OnceLock<libc::sigaction> = OnceLock::new();

/// One window, as the handler sees it.
struct Slot {
    /// Address of the first byte, or [`FREE`](Self::FREE) or [`TAKEN`](Self::TAKEN).
    start: AtomicUsize,
    len: AtomicUsize,
    /// Address of the first lost page, or 0.
    lost: AtomicUsize,
}

impl Slot {
    #[expect(clippy::declare_interior_mutable_const, reason = "the initial value of an array")]
    const FREE: Self =
        Self { start: AtomicUsize::new(0), len: AtomicUsize::new(0), lost: AtomicUsize::new(0) };
    /// The address in a slot that is taken, but not filled yet.
    const TAKEN: usize = 1;

    /// Takes a free slot, if there is one.
    fn take() -> Option<&'static Self> {
        SLOTS.iter().find(|slot| {
            let taken =
                slot.start.compare_exchange(0, Self::TAKEN, Ordering::Acquire, Ordering::Relaxed);
            taken.is_ok()
        })
    }

    fn set(&self, start: usize, len: usize) {
        self.len.store(len, Ordering::Relaxed);
        self.lost.store(0, Ordering::Relaxed);
        self.start.store(start, Ordering::Release);
    }

    fn release(&self) {
        self.start.store(0, Ordering::Release);
    }

    fn contains(&self, address: usize) -> bool {
        let start = self.start.load(Ordering::Acquire);
        start > Self::TAKEN && address.wrapping_sub(start) < self.len.load(Ordering::Relaxed)
    }
}

/// A mapped part of a file.
///
/// Not `Send`: threads that borrow the bytes finish before the owner looks at the slot's state.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: NonNull<u8>,
    len: usize,
    slot: &'static Slot,
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slot").finish_non_exhaustive()
    }
}

impl Mapping {
    /// Maps `len` bytes of `file` from `offset`, a multiple of the page size.
    ///
    /// # Errors
    ///
    /// The system's error, or that there are too many windows.
    pub(crate) fn new(file: impl AsFd, offset: u64, len: usize) -> io::Result<Self> {
        ensure_handler()?;
        let slot = Slot::take().ok_or_else(|| io::Error::from(io::ErrorKind::ResourceBusy))?;
        // SAFETY: the system chooses the address, so nothing existing is mapped over.
        let start =
            unsafe { mmap(ptr::null_mut(), len, ProtFlags::READ, MapFlags::PRIVATE, file, offset) };
        match start.map(|start| NonNull::new(start.cast::<u8>())) {
            Ok(Some(start)) => {
                slot.set(start.as_ptr().expose_provenance(), len);
                Ok(Self { start, len, slot })
            }
            Ok(None) => unreachable!("the system maps nothing at address 0"),
            Err(error) => {
                slot.release();
                Err(error.into())
            }
        }
    }

    /// The bytes. Bytes that could not be read are zeros; see [`lost`](Self::lost).
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: `len` bytes are mapped for reading from `start` as long as `self` lives, and the
        // handler replaces pages that the file has lost. Other processes may write to the file
        // and so change bytes under this slice: hashing loads each byte once and no control flow
        // depends on it, so only the digest can be wrong.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The offset of the first lost page that was touched, if any.
    pub(crate) fn lost(&self) -> Option<usize> {
        match self.slot.lost.load(Ordering::Relaxed) {
            0 => None,
            address => Some(address.saturating_sub(self.start.as_ptr().addr())),
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // release the slot first: the addresses may belong to another window as soon as they are
        // free
        self.slot.release();
        // SAFETY: these are the mapping's pages, and all slices of them are gone with `self`.
        let unmapped = unsafe { munmap(self.start.as_ptr().cast(), self.len) };
        debug_assert!(unmapped.is_ok(), "a mapping can be removed");
    }
}

/// Installs the handler, once.
fn ensure_handler() -> io::Result<()> {
    static DONE: OnceLock<Option<i32>> = OnceLock::new();
    match DONE.get_or_init(|| install().err().and_then(|error| error.raw_os_error())) {
        None => Ok(()),
        Some(number) => Err(io::Error::from_raw_os_error(*number)),
    }
}

/// Installs the handler, and keeps the previous one for faults outside of windows.
fn install() -> io::Result<()> {
    // SAFETY: zeros are a valid `sigaction`.
    let mut earlier: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the pointers are null, which means no change, or to a `sigaction`.
    let asked = unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut earlier) };
    if asked != 0 {
        return Err(io::Error::last_os_error());
    }
    PREVIOUS_ACTION.get_or_init(|| earlier);
    let mut action = earlier;
    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_sigbus;
    action.sa_sigaction = handler as usize;
    // the alternate stack, which the standard library has set up for its own handler
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: `on_sigbus` may run at any time: it only loads and stores atomics and makes system
    // calls that are allowed in handlers.
    let installed = unsafe { libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) };
    if installed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The handler of SIGBUS. It runs on the thread that touched a missing page.
extern "C" fn on_sigbus(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system hands over a valid `siginfo_t`, as SA_SIGINFO asks it to.
    let info_ref = unsafe { &*info };
    // SAFETY: SIGBUS comes with an address.
    let address = unsafe { info_ref.si_addr() }.addr();
    if SLOTS.iter().find(|slot| slot.contains(address)).is_none_or(|slot| !patch(slot, address)) {
        forward(signal, info, context);
    }
}

/// Maps zeros at `address`, in the window of `slot`.
fn patch(slot: &Slot, address: usize) -> bool {
    let page = address & !(page_size() - 1);
    let at = ptr::with_exposed_provenance_mut::<c_void>(page);
    let flags = MapFlags::PRIVATE | MapFlags::FIXED;
    // SAFETY: the page lies in a window, and nothing else uses its pages; its bytes may change, as
    // `Mapping::bytes` explains.
    let patched = unsafe { mmap_anonymous(at, page_size(), ProtFlags::READ, flags) };
    // the first lost page says most about the cause
    let _ = slot.lost.compare_exchange(0, page, Ordering::Relaxed, Ordering::Relaxed);
    patched.is_ok()
}

/// Passes the signal on: to the previous handler, or to the default action.
fn forward(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let Some(earlier) = PREVIOUS_ACTION.get() else { return };
    match earlier.sa_sigaction {
        libc::SIG_DFL | libc::SIG_IGN => {
            // the access is repeated on return, and then the default ends the program
            // SAFETY: `earlier` is a `sigaction` that the system has returned.
            unsafe { libc::sigaction(signal, earlier, ptr::null_mut()) };
        }
        handler if earlier.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: with SA_SIGINFO, the handler is a function of these arguments.
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                unsafe { mem::transmute(handler) };
            handler(signal, info, context);
        }
        handler => {
            // SAFETY: without SA_SIGINFO, the handler is a function of the signal's number.
            let handler: extern "C" fn(c_int) = unsafe { mem::transmute(handler) };
            handler(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs::File,
        io::Write,
        sync::{Mutex, MutexGuard, PoisonError},
    };

    use super::*;

    /// The process has a fixed number of windows, and one of these tests takes them all.
    fn alone() -> MutexGuard<'static, ()> {
        static WINDOWS: Mutex<()> = Mutex::new(());
        WINDOWS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(content: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file
    }

    #[test]
    fn bytes_are_the_files() {
        let _alone = alone();
        let content: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
        let file = file(&content);
        let page = page_size();
        let mapping = Mapping::new(&file, page as u64, content.len() - page).unwrap();
        assert_eq!(mapping.bytes(), &content[page..]);
        assert_eq!(mapping.lost(), None);
    }

    #[test]
    fn pages_that_a_file_loses_are_zeros_and_noticed() {
        let _alone = alone();
        let page = page_size();
        let file = file(&vec![7; 8 * page]);
        let mapping = Mapping::new(&file, 0, 8 * page).unwrap();
        let other = Mapping::new(&file, 0, page).unwrap();
        assert!(mapping.bytes()[..page].iter().all(|byte| *byte == 7));
        file.set_len(3 * page as u64 - 1).unwrap();
        assert_eq!((mapping.bytes()[3 * page - 2], mapping.lost()), (7, None));
        assert!(mapping.bytes()[3 * page..].iter().all(|byte| *byte == 0));
        assert_eq!(mapping.lost(), Some(3 * page));
        assert_eq!((other.bytes()[0], other.lost()), (7, None));
    }

    #[test]
    fn windows_are_limited_and_used_again() {
        let _alone = alone();
        let page = page_size();
        let file = file(&vec![1; page]);
        for _ in 0..3 {
            let mut windows = Vec::new();
            let refused = loop {
                match Mapping::new(&file, 0, page) {
                    Ok(window) => windows.push(window),
                    Err(error) => break error,
                }
                assert!(windows.len() <= MAX_WINDOWS);
            };
            assert_eq!(refused.kind(), io::ErrorKind::ResourceBusy);
            assert!(windows.iter().all(|window| window.bytes()[0] == 1));
        }
    }
}
