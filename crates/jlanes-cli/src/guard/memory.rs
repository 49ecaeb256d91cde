//! Memory that is used up ends the program with a message, as it ends GNU's tools, and not by an abort.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's memory, or the end.
struct OrEnd;

#[global_allocator]
static MEMORY: OrEnd = OrEnd;

/// Says why, without memory, and ends the program.
#[cold]
fn end() -> ! {
    let message = b"jlanes-sum: memory exhausted\n";
    let _ = rustix::io::write(rustix::stdio::stderr(), message);
    // SAFETY: it ends the process and runs nothing else.
    unsafe { libc::_exit(1) }
}

/// `memory`, if there is any.
fn or_end(memory: *mut u8) -> *mut u8 {
    if memory.is_null() { end() } else { memory }
}

// SAFETY: the memory is the system's, and what callers have to see to is the same.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is what `System` wants.
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is what `System` wants.
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise is what `System` wants, which made the memory.
        or_end(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is what `System` wants, which made the memory.
        unsafe { System.dealloc(memory, layout) }
    }
}
