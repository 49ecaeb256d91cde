//! The allocator: when memory is exhausted, the program ends with a message, as GNU's tools do, and not
//! by an abort.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, or the end of the program.
struct OrEnd;

#[global_allocator]
static MEMORY: OrEnd = OrEnd;

/// Prints the reason, without allocating, and ends the program.
#[cold]
fn end() -> ! {
    let message = b"jlanes-sum: memory exhausted\n";
    let _ = rustix::io::write(rustix::stdio::stderr(), message);
    // SAFETY: `_exit` ends the process and runs no code of it.
    unsafe { libc::_exit(1) }
}

/// `memory`, unless it is null.
fn or_end(memory: *mut u8) -> *mut u8 {
    if memory.is_null() { end() } else { memory }
}

// SAFETY: every method is `System`'s, called with the same arguments, except that null ends the
// program.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: `layout` meets `alloc`'s contract, which is the same for `System`.
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: `layout` meets `alloc_zeroed`'s contract, which is the same for `System`.
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: `memory` is a block of `System` with this layout: every block comes from `System`.
        or_end(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: `memory` is a block of `System` with this layout: every block comes from `System`.
        unsafe { System.dealloc(memory, layout) }
    }
}
