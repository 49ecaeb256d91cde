//! [`advise_huge_pages`]: large pages for the memory of results, because the system clears small ones one at a
//! time.

/// The size from which a result gets large pages, as in NumPy.
const LARGE_RESULT_BYTES: usize = 4 << 20;
/// The alignment of advised addresses. Systems with larger pages refuse the advice, which does no harm.
const PAGE_BYTES: usize = 4096;

/// Requests large pages for untouched memory. Without support, nothing changes.
///
/// The first access to a small page enters the system, which clears the page: half of the time of
/// SHA-512 for a column of 64 MB (docs/EXPERIMENTS.md, "Memory of results").
pub(crate) fn advise_huge_pages<T>(room: &mut [T]) {
    let bytes = size_of_val(room);
    if bytes < LARGE_RESULT_BYTES {
        return;
    }
    let room = room.as_mut_ptr().cast::<u8>();
    let skipped = room.addr().next_multiple_of(PAGE_BYTES) - room.addr();
    let len = (bytes - skipped) / PAGE_BYTES * PAGE_BYTES;
    #[cfg(target_os = "linux")]
    // SAFETY: the addresses are inside `room`, which is borrowed exclusively. The advice changes no
    // value.
    unsafe {
        libc::madvise(room.wrapping_add(skipped).cast(), len, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = len;
}
