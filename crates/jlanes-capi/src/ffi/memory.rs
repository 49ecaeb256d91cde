//! A reserve of memory for calls while the system has none.
//!
//! Lists that are as long as the caller's are allocated in a way that can fail. Objects of a bounded
//! size are allocated in many places of Rust's libraries, and Rust ends the process if that fails. So
//! the library keeps a reserve, as C++'s runtime does for exceptions. A call that has drawn on the
//! reserve frees its objects, and returns `JLANES_ERROR_MEMORY`.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::{Cell, UnsafeCell},
    ptr,
    sync::atomic::{AtomicU32, Ordering::AcqRel, Ordering::Relaxed},
};

/// The multiple to which the sizes of allocations are rounded up.
const UNIT_BYTES: usize = 512;
/// The number of units in the reserve: 16 MiB of addresses, without memory behind them before the first
/// use.
const RESERVE_UNITS: u32 = 1 << 15;
/// The size of the reserve in bytes.
const RESERVE_BYTES: usize = UNIT_BYTES * RESERVE_UNITS as usize;
/// The maximum size of an allocation in units: lists, which may fail, must leave room for objects,
/// which must not.
const MAX_ALLOCATION_UNITS: u32 = RESERVE_UNITS / 16;

#[global_allocator]
static MEMORY: Memory =
    Memory { reserve: Reserve(UnsafeCell::new([0; RESERVE_BYTES])), used: AtomicU32::new(0) };

thread_local! {
    /// Whether the current call on this thread has drawn on the reserve.
    static SHORT: Cell<bool> = const { Cell::new(false) };
}

/// Begins a call.
pub(crate) fn start() {
    SHORT.set(false);
}

/// Whether the current call on this thread has drawn on the reserve.
pub(crate) fn is_short() -> bool {
    SHORT.get()
}

// aligned to a unit
#[repr(align(512))]
struct Reserve(UnsafeCell<[u8; RESERVE_BYTES]>);

/// The system's allocator, with a reserve that is used from front to back, and from the front again
/// once everything in it was freed.
struct Memory {
    reserve: Reserve,
    /// The number of allocations in the reserve, in the upper half; in the lower half, the number of
    /// units up to the end of the last one.
    used: AtomicU32,
}

// SAFETY: the reserve is only reached through the allocations in it, which do not overlap: `used`
// gives each its own units, and begins again only when all are freed.
unsafe impl Sync for Memory {}

impl Memory {
    /// Whether an address is in the reserve.
    fn owns(&self, at: *const u8) -> bool {
        at.addr().wrapping_sub(self.reserve.0.get().addr()) < RESERVE_BYTES
    }

    /// Allocates from the reserve; null if it has too little left.
    fn draw(&self, layout: Layout) -> *mut u8 {
        let units = u32::try_from(layout.size().div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX);
        if layout.align() > UNIT_BYTES || units > MAX_ALLOCATION_UNITS {
            return ptr::null_mut();
        }
        let drawn = self.used.fetch_update(AcqRel, Relaxed, |used| {
            (used % (1 << 16) + units <= RESERVE_UNITS).then_some(used + (1 << 16) + units)
        });
        let Ok(used) = drawn else { return ptr::null_mut() };
        SHORT.set(true);
        self.reserve.0.get().cast::<u8>().wrapping_add(used as usize % (1 << 16) * UNIT_BYTES)
    }

    /// Frees an allocation of the reserve.
    fn give_back(&self) {
        let _ = self.used.fetch_update(AcqRel, Relaxed, |used| {
            let left = used - (1 << 16);
            Some(if left < 1 << 16 { 0 } else { left })
        });
    }
}

// SAFETY: allocations come from the system, or are units of the reserve of their own, aligned to
// `UNIT_BYTES`. None is moved by the system that did not come from there.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: `layout` has at least one byte, by the contract of `alloc`.
        let at = unsafe { System.alloc(layout) };
        if at.is_null() { self.draw(layout) } else { at }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: `layout` has at least one byte, by the contract of `alloc_zeroed`.
        let at = unsafe { System.alloc_zeroed(layout) };
        if !at.is_null() {
            return at;
        }
        let at = self.draw(layout);
        if !at.is_null() {
            // SAFETY: `draw` has returned at least as many bytes as the layout has.
            unsafe { at.write_bytes(0, layout.size()) };
        }
        at
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        if self.owns(at) {
            self.give_back();
        } else {
            // SAFETY: `at` is not in the reserve, so `System` has returned it for this layout.
            unsafe { System.dealloc(at, layout) };
        }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !self.owns(at) {
            // SAFETY: `at` is not in the reserve, so `System` has returned it for this layout.
            let moved = unsafe { System.realloc(at, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: `size`, rounded up to this alignment, does not overflow `isize`, by the contract of
        // `realloc`.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: `size` is not 0, by the contract of `realloc`.
        let moved = unsafe { self.alloc(new) };
        if !moved.is_null() {
            // SAFETY: the old allocation has `layout.size()` bytes and the new one `size`; both are
            // live, so they do not overlap.
            unsafe { moved.copy_from_nonoverlapping(at, layout.size().min(size)) };
            // SAFETY: `at` was allocated here with this layout.
            unsafe { self.dealloc(at, layout) };
        }
        moved
    }
}
