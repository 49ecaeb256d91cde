//! Secrets on the heap: no block that a hasher frees still holds a part of the message or of the key.
//!
//! The allocator of this program searches every block that the thread under test frees, including
//! blocks that were too small and have been copied.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    hint::black_box,
    ptr,
};

use jlanes::{
    Algorithm, Backend, Digest, Sha256, Sha512,
    algorithm::{AnyHash, Key},
    multi::Messages,
    tree::{JLanes, JLanesRaw},
};

/// The byte that all messages and keys repeat.
const SECRET: u8 = 0xa7;

/// The same byte in the pads of HMAC's key.
const PADS: [u8; 2] = [SECRET ^ 0x36, SECRET ^ 0x5c];

/// The number of such bytes in a row that only a secret has.
const ROW: usize = 16;

thread_local! {
    /// The number of blocks with a part of the secret that this thread has freed; `None` if it is not
    /// counting.
    static FOUND: Cell<Option<usize>> = const { Cell::new(None) };
    /// Whether to search only blocks of bytes. A structure that moves to the heap takes along old bytes
    /// of the stack in places without a value, and the stack is not wiped.
    static ONLY_BYTES: Cell<bool> = const { Cell::new(false) };
}

struct Looking;

// SAFETY: all methods are the system's allocator's.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: `layout` meets `alloc`'s contract, which is the same for `System`. Zeros, so that old
        // bytes are not found.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Some(found) = FOUND.get()
            && (layout.align() == 1 || !ONLY_BYTES.get())
        {
            let mut row = 0;
            let holds = (0..layout.size()).any(|i| {
                // SAFETY: `i` is within the block. Padding may be among the bytes: the read is
                // volatile, so the compiler takes them as they are.
                let byte = unsafe { ptr::read_volatile(block.wrapping_add(i)) };
                row = if byte == SECRET || PADS.contains(&byte) { row + 1 } else { 0 };
                row == ROW
            });
            FOUND.set(Some(found + usize::from(holds)));
        }
        // SAFETY: `block` comes from `System` with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Looking = Looking;

/// The number of blocks that still hold a part of the secret when `work` frees them.
fn left(work: impl FnOnce()) -> usize {
    count_left(false, work)
}

/// The number of such blocks of bytes.
fn left_in_bytes(work: impl FnOnce()) -> usize {
    count_left(true, work)
}

fn count_left(only_bytes: bool, work: impl FnOnce()) -> usize {
    ONLY_BYTES.set(only_bytes);
    FOUND.set(Some(0));
    work();
    FOUND.take().expect("only this sets it back")
}

#[test]
fn a_block_that_is_not_wiped_is_found() {
    assert_eq!(left(|| drop(black_box(vec![SECRET; 100]))), 1);
    assert_eq!(left(|| drop(black_box(Box::new([u64::from_ne_bytes([SECRET; 8]); 8])))), 1);
    let mut grows = black_box(vec![SECRET; 100]);
    assert_eq!(left(|| grows.reserve_exact(1000)), 1);
    assert_eq!(left(|| drop(vec![0; 100])), 0);
}

/// Hashers of each kind that is more than an array, for messages that fill their buffers or not, in
/// pieces of any size.
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

/// A tree keeps the part of a super-block that is not full.
#[test]
fn trees_by_type() {
    let text = [SECRET; 8 * 64 + 100];
    assert_eq!(left(|| drop(black_box(JLanes::<Sha256, 8>::new_with_prefix(text)))), 0);
    let text = [SECRET; 4 * 128 + 24];
    assert_eq!(left(|| drop(black_box(JLanesRaw::<Sha512, 4>::new_with_prefix(text)))), 0);
}

/// Messages read for lanes, and one by one.
#[test]
fn messages_from_readers() {
    let text = vec![SECRET; 70_000];
    for name in ["sha256", "kt128"] {
        let lanes = name.parse::<Algorithm>().unwrap().lanes().unwrap();
        let found = left_in_bytes(|| {
            let readers = (0..3).map(|i| Box::new(&text[i * 1000..]) as _);
            lanes.digest_readers(readers, |_, digest| assert!(digest.is_ok()));
        });
        assert_eq!(found, 0, "{name}");
    }
}

/// An algorithm, a use of its key, and the key's bytes.
type Keyed = (&'static str, fn(Vec<u8>) -> Key, usize);

/// A use of a keyed algorithm.
type Job = (&'static str, fn(AnyHash));

fn with_key((name, key, len): Keyed) -> AnyHash {
    let algorithm: Algorithm = name.parse().expect(name);
    algorithm.with(key(vec![SECRET; len])).expect(name)
}

/// The key itself, and blocks with it that precede messages.
#[test]
fn keys_of_each_kind() {
    let jobs: [Job; 4] = [
        ("none", drop),
        ("a hasher", |hash| {
            let mut hasher = hash.clone().hasher_on(Backend::detect()).unwrap();
            hasher.update(b"message");
            let _ = hasher.finalize_reset();
        }),
        ("messages", |hash| {
            let lanes = hash.lanes().unwrap().prefix(&[SECRET; 100]);
            let _ = lanes.digests(Messages::slices(&[&b"one"[..], b"another", b""]));
        }),
        ("a scheduler", |hash| {
            let mut scheduler = hash.lanes().unwrap().prefix(&[SECRET; 100]).scheduler();
            for (i, message) in [&b"one"[..], b"another", b""].into_iter().enumerate() {
                scheduler.submit((i, message));
            }
            assert!(scheduler.step().count() <= 3);
        }),
    ];
    let keyed: [Keyed; 10] = [
        ("sha256", Key::Hmac, 32),
        ("sha256", Key::Hmac, 200),
        ("sha3-512", Key::Hmac, 40),
        ("skein512", Key::Hmac, 64),
        ("blake2s", Key::Hmac, 20),
        ("blake2s-128", Key::Own, 32),
        ("blake2b", Key::Own, 64),
        ("blake3", Key::Own, 32),
        ("skein512", Key::Own, 300),
        ("skein256-tree:1.1.255", Key::Own, 32),
    ];
    let mut leave = Vec::new();
    for keyed in keyed {
        for (job, work) in jobs {
            let found = left_in_bytes(|| work(with_key(keyed)));
            if found > 0 {
                leave.push((keyed.0, keyed.2, job, found));
            }
        }
    }
    assert!(leave.is_empty(), "left on the heap: {leave:#?}");
}

#[test]
fn keys_that_are_refused() {
    let found = left_in_bytes(|| {
        assert!(Algorithm::SHA256.with(Key::Own(vec![SECRET; 32])).is_err());
        let tree: Algorithm = "kt128".parse().unwrap();
        assert!(tree.with(Key::Hmac(vec![SECRET; 32])).is_err());
    });
    assert_eq!(found, 0);
}
