//! Memory of a call where the system has none.
//!
//! Lists as long as the caller's are reserved and may fail. Objects of a bounded size are made in many
//! places of Rust's libraries, and Rust ends the process where one cannot be made. So, as C++'s runtime
//! does for exceptions, the library keeps some memory back: a call that had to draw on it frees what it
//! has made, and returns `JLANES_ERROR_MEMORY`.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::{Cell, UnsafeCell},
    ptr,
    sync::atomic::{AtomicU32, Ordering::AcqRel, Ordering::Relaxed},
};

/// Bytes that allocations are rounded up to.
const UNIT: usize = 512;
/// Units of the reserve: 16 MiB, of addresses only as long as nothing draws on them.
const UNITS: u32 = 1 << 15;
/// Bytes of the reserve.
const BYTES: usize = UNIT * UNITS as usize;
/// Units of the largest allocation, so that lists, which may fail, leave enough for what may not.
const LARGEST: u32 = UNITS / 16;

#[global_allocator]
static MEMORY: Memory =
    Memory { reserve: Reserve(UnsafeCell::new([0; BYTES])), used: AtomicU32::new(0) };

thread_local! {
    /// Whether the call that runs on this thread has drawn on the reserve.
    static SHORT: Cell<bool> = const { Cell::new(false) };
}

/// Starts a call.
pub(crate) fn start() {
    SHORT.set(false);
}

/// Whether the call that runs on this thread has drawn on the reserve.
pub(crate) fn is_short() -> bool {
    SHORT.get()
}

// a multiple of `UNIT`
#[repr(align(512))]
struct Reserve(UnsafeCell<[u8; BYTES]>);

/// The system's memory, and a reserve that is handed out from front to back, and begins again when
/// all of it was freed.
struct Memory {
    reserve: Reserve,
    /// The number of allocations in the reserve, and in the lower half the number of units up to the
    /// end of the last one.
    used: AtomicU32,
}

// SAFETY: the reserve is only reached through the allocations in it, which do not overlap: `used`
// gives each its own units, and begins again only when all are freed.
unsafe impl Sync for Memory {}

impl Memory {
    /// Whether memory is a part of the reserve.
    fn owns(&self, at: *const u8) -> bool {
        at.addr().wrapping_sub(self.reserve.0.get().addr()) < BYTES
    }

    /// Memory of the reserve; null if there is not enough.
    fn draw(&self, layout: Layout) -> *mut u8 {
        let units = u32::try_from(layout.size().div_ceil(UNIT)).unwrap_or(u32::MAX);
        if layout.align() > UNIT || units > LARGEST {
            return ptr::null_mut();
        }
        let drawn = self.used.fetch_update(AcqRel, Relaxed, |used| {
            (used % (1 << 16) + units <= UNITS).then_some(used + (1 << 16) + units)
        });
        let Ok(used) = drawn else { return ptr::null_mut() };
        SHORT.set(true);
        self.reserve.0.get().cast::<u8>().wrapping_add(used as usize % (1 << 16) * UNIT)
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
// `UNIT`. None is moved by the system that did not come from there.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller passes on a layout of at least one byte.
        let at = unsafe { System.alloc(layout) };
        if at.is_null() { self.draw(layout) } else { at }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller passes on a layout of at least one byte.
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
            // SAFETY: it is not of the reserve, so `System` has returned it for this layout.
            unsafe { System.dealloc(at, layout) };
        }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !self.owns(at) {
            // SAFETY: it is not of the reserve, so `System` has returned it for this layout.
            let moved = unsafe { System.realloc(at, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller promises a size that is a layout's with this alignment.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the caller promises that the size is not 0.
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
