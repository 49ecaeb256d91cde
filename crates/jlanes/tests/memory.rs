//! The most that every kind of entry point allocates: the promises of SECURITY.md, "Memory". Counted by an
//! allocator, for an amount of data and for eight times as much.

use std::{
    hint::black_box,
    io::{self, Read},
    thread,
};

use jlanes::{
    Algorithm, Digest, Sha256, Sha512, Shake128,
    merkle::{Bitcoin, Dropbox, Format, FsVerity, Glacier, Rfc6962, Sha256Tree, Ssz},
    multi::{Lanes, Messages, ReadSource, Scheduler, Xofs},
};
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The most bytes that `work` had allocated at a time.
fn peak<R>(work: impl FnOnce() -> R) -> usize {
    HEAP.reset_peak_usage();
    let before = HEAP.current_usage();
    black_box(work());
    HEAP.peak_usage() - before
}

/// Fails if `work` takes more than `most`.
fn at_most<R>(most: usize, what: &str, work: impl FnOnce() -> R) {
    let taken = peak(work);
    println!("{taken:>9} of {most:>9}  {what}");
    assert!(taken <= most, "{what}: {taken} bytes, promised are {most}");
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// The stack that is enough for all of it; half of it, where all of it is optimised.
const STACK: usize = if cfg!(debug_assertions) { 256 * KIB } else { 128 * KIB };

/// Messages of `count` lengths, of at most `longest` bytes.
fn mixed(data: &[u8], count: usize, longest: usize) -> Vec<&[u8]> {
    (0..count).map(|i| &data[i..][..i * 7919 % (longest + 1)]).collect()
}

/// One test, since the allocator counts what the whole process does.
#[test]
fn what_is_promised_is_kept() {
    let data = vec![7; 16 * MIB];
    peak(|| Sha256::digest(b"the CPU is asked once"));
    let all = || {
        in_memory(&data);
        in_pieces(&data);
        from_readers();
        whole_trees(&data);
    };
    thread::scope(|scope| {
        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, all).unwrap();
    });
}

/// Batches of messages that are in memory.
fn in_memory(data: &[u8]) {
    for count in [1000, 8000] {
        let equal: Vec<&[u8]> = data.chunks(100).take(count).collect();
        let mixed = mixed(data, count, 1000);
        let lanes = Lanes::<Sha256>::new();
        let mut out = vec![Default::default(); count];
        let mut long = vec![Default::default(); count];
        at_most(0, "messages of one length", || lanes.digest(&equal, &mut out));
        at_most(0, "nodes", || lanes.nodes(&data[..64 * count], 64, &mut out));
        at_most(0, "pairs", || lanes.pairs(&equal, &equal, &mut out));
        at_most(0, "second hashes", || lanes.double(&equal, &mut out));
        at_most(0, "chains", || lanes.chains(&mut out, 3));
        at_most(0, "HMAC, one length", || lanes.hmac(b"key", &equal, &mut out));
        at_most(16 * count + 16 * KIB, "mixed lengths", || lanes.digest(&mixed, &mut out));
        at_most(16 * count + 16 * KIB, "mixed, SHA-512", || {
            Lanes::<Sha512>::new().digest(&mixed, &mut long);
        });
        at_most(16 * count + 16 * KIB, "HMAC, mixed", || lanes.hmac(b"key", &mixed, &mut out));
        at_most(16 * count + 16 * KIB, "HMAC, a key for each", || {
            Lanes::<Sha256>::new().hmac_keyed(&mixed, &mixed, &mut out);
        });
        at_most(16 * count + 16 * KIB, "the same, SHA-512", || {
            Lanes::<Sha512>::new().hmac_keyed(&mixed, &mixed, &mut long);
        });
        let mut keys = vec![0; 32 * count];
        let mut outs: Vec<&mut [u8]> = keys.chunks_mut(32).collect();
        at_most(0, "PBKDF2", || {
            Lanes::<Sha256>::new().pbkdf2(&equal, &mixed, 2, &mut outs);
        });
        at_most(16 * count + 16 * KIB, "SHAKE", || {
            Xofs::<Shake128>::new().fill(&mixed, &mut outs);
        });
        for name in ["sha256", "md5", "blake2b", "sha3-256", "skein512", "skein512-200"] {
            let lanes = name.parse::<Algorithm>().expect("a name").lanes().expect("a hash");
            let mut out = vec![0; count * lanes.output_size()];
            at_most(128 * count + 16 * KIB, &format!("{name}, by its name"), || {
                lanes.digest(Messages::slices(&mixed), &mut out);
            });
        }
    }
}

/// Messages of any length, in pieces.
fn in_pieces(data: &[u8]) {
    let small = [
        "md5",
        "sha1",
        "sha256",
        "sha512",
        "ripemd160",
        "sm3",
        "sha3-256",
        "shake128-512",
        "blake2b",
        "blake2s-128",
        "skein256",
        "skein512",
        "skein1024",
        "mh-sha256",
    ];
    // leaves of as many messages as there are lanes, and a digest or a window for each level
    let trees = [
        ("kt128", 128 * KIB),
        ("kt256", 128 * KIB),
        ("parallelhash128:8192", 128 * KIB),
        ("jlanes32-sha256", 4 * KIB),
        ("jlanes256-sha512", 64 * KIB),
        ("skein512-tree:6.1.255", 4 * MIB),
        ("skein512-tree:1.1.255", 12 * MIB),
        ("fsverity-sha256", 512 * KIB),
        ("sha256tree", 512 * KIB),
        ("glacier", 25 * MIB),
        ("dropbox", 4 * KIB),
        ("rfc6962-sha256:1024", 512 * KIB),
    ];
    let hash = |name: &str, len: usize| {
        let mut hasher = name.parse::<Algorithm>().expect("a name").hasher().expect("a hash");
        for piece in data[..len].chunks(64 * KIB - 1) {
            hasher.update(piece);
        }
        hasher.finalize()
    };
    for len in [2 * MIB, 16 * MIB] {
        for name in small {
            at_most(4 * KIB, &format!("{name}, {} MiB in pieces", len / MIB), || hash(name, len));
        }
        for (name, most) in trees {
            at_most(most, &format!("{name}, {} MiB in pieces", len / MIB), || hash(name, len));
        }
    }
}

/// Readers: a buffer for each lane, however many there are and however long they are.
fn from_readers() {
    for (count, len) in [(100, 4 * MIB as u64), (800, 64 * KIB as u64), (800, 4 * MIB as u64)] {
        let what = format!("{count} readers of {len} bytes");
        at_most(2 * MIB, &what, || {
            let mut scheduler = Scheduler::<Sha256, _>::new();
            let mut left = count;
            while left > 0 || !scheduler.is_empty() {
                while left > 0 && scheduler.waiting() == 0 {
                    scheduler.submit(ReadSource(left, io::repeat(7).take(len)));
                    left -= 1;
                }
                for (_, digest) in scheduler.step() {
                    digest.expect("the reader does not fail");
                }
            }
        });
    }
}

/// Merkle formats over what is in memory.
fn whole_trees(data: &[u8]) {
    for len in [2 * MIB, 16 * MIB] {
        let data = &data[..len];
        at_most(512 * KIB, "fs-verity", || FsVerity::sha256(4096, b"").map(|it| it.digest(data)));
        at_most(512 * KIB, "SHA256TREE", || Sha256Tree::default().digest(data));
        at_most(512 * KIB, "Dropbox", || Dropbox.digest(data));
        at_most(512 * KIB, "Glacier", || Glacier.digest(data));
        at_most(512 * KIB, "RFC 6962", || Rfc6962::chunks::<Sha256>(64).map(|it| it.digest(data)));
        at_most(512 * KIB, "SSZ", || Ssz::default().digest(data));
        at_most(512 * KIB, "Bitcoin", || Bitcoin.digest(data));
    }
}
