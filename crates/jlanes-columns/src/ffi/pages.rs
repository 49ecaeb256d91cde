//! What the system is told about the memory of results.

/// Bytes from which on a result is worth large pages, as in NumPy.
const LARGE: usize = 4 << 20;
/// What addresses of advice are multiples of. Where pages are larger, it is refused, and nothing is lost.
const PAGE: usize = 4096;

/// Asks for large pages behind memory that nobody has touched yet. Where the system has none, or does
/// not want to, nothing changes.
///
/// A page is cleared when it is touched first, and for each small one the system is entered: 15,600 times
/// for 64 MB, which took as long as half of their SHA-512 (Intel Xeon, model 167, 2026-11-22).
pub(crate) fn advise_large<T>(room: &mut [T]) {
    let bytes = size_of_val(room);
    if bytes < LARGE {
        return;
    }
    let room = room.as_mut_ptr().cast::<u8>();
    let skipped = room.addr().next_multiple_of(PAGE) - room.addr();
    let len = (bytes - skipped) / PAGE * PAGE;
    #[cfg(target_os = "linux")]
    // SAFETY: the addresses are some of those of `room`, which nobody else uses meanwhile; the advice is
    // about what is behind them, and changes no value.
    unsafe {
        libc::madvise(room.wrapping_add(skipped).cast(), len, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = len;
}
