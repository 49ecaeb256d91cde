//! What hashers leave on the heap: no block that they free still holds a part of the message.
//!
//! The allocator of this program looks for the message in every block that the thread under test gives back,
//! also in blocks that were too small and have been copied.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    hint::black_box,
    ptr,
};

use jlanes::Algorithm;

/// The byte that messages repeat.
const SECRET: u8 = 0xa7;

/// Such bytes in a row that nothing else has.
const ROW: usize = 16;

thread_local! {
    /// Blocks with a part of the message that this thread freed; `None` if nobody looks.
    static FOUND: Cell<Option<usize>> = const { Cell::new(None) };
}

struct Looking;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises. Zeros: old bytes are no finding.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(found) = FOUND.get() {
            let mut row = 0;
            let holds = (0..layout.size()).any(|i| {
                // SAFETY: within the block. Padding may be among the bytes: the read is volatile, so
                // the compiler takes them as they are.
                let byte = unsafe { ptr::read_volatile(block.wrapping_add(i)) };
                row = if byte == SECRET { row + 1 } else { 0 };
                row == ROW
            });
            FOUND.set(Some(found + usize::from(holds)));
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Looking = Looking;

/// Blocks that still hold a part of the message when `work` frees them.
fn left(work: impl FnOnce()) -> usize {
    FOUND.set(Some(0));
    work();
    FOUND.take().expect("only this sets it back")
}

#[test]
fn a_block_that_is_not_wiped_is_found() {
    assert_eq!(left(|| drop(black_box(vec![SECRET; 100]))), 1);
    let mut grows = black_box(vec![SECRET; 100]);
    assert_eq!(left(|| grows.reserve_exact(1000)), 1);
    assert_eq!(left(|| drop(vec![0; 100])), 0);
}

/// Hashers of each kind that is not only an array, for messages that fill their buffers or not, in pieces of any
/// size.
#[test]
fn hashers_by_name() {
    let text = vec![SECRET; 300_000];
    let mut leave = Vec::new();
    for name in [
        "sha256",
        "sha1dc",
        "blake2b",
        "blake3",
        "shake128-1000",
        "kt128",
        "parallelhash256:10000",
        "parallelhash256:1000000",
        "jlanes8-sha256",
        "jlanes100-sha512-raw",
        "mh-sha256",
        "skein512",
        "skein512-tree:1.1.255",
        "skein256-tree:3.2.4",
        "skein1024-tree:20.1.255",
        "fsverity-sha512",
        "rfc6962-sha256:1000",
        "rfc6962-sha256:10000000",
        "glacier",
    ] {
        let algorithm: Algorithm = name.parse().expect(name);
        for len in [20, 100, 5_000, 70_000, text.len()] {
            for piece in [37, 4_096, text.len()] {
                let fed = || {
                    let mut hasher = algorithm.hasher().expect(name);
                    text[..len].chunks(piece).for_each(|piece| hasher.update(piece));
                    hasher
                };
                let dropped = left(|| drop(fed()));
                let finished = left(|| {
                    let mut hasher = fed();
                    let _ = hasher.finalize_reset();
                });
                if dropped + finished > 0 {
                    leave.push((name, len, piece, dropped, finished));
                }
            }
        }
    }
    assert!(leave.is_empty(), "left on the heap: {leave:#?}");
}
