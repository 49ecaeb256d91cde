//! NIST's Monte Carlo tests (SHAVS section 6.4, SHA3VS section 6.2.3): a hundred checkpoints, each a
//! thousand digests after the one before it. A hasher goes through them in order; then the hundred
//! stretches between them have known beginnings by then, and run side by side on every backend.

use jlanes::{
    Backend, Sha1, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512,
    Sha512_224, Sha512_256, Shake128, Shake256,
    digest::{ExtendableOutput, Output},
    multi::{Lanes, MultiDigest, MultiXof, Xofs},
};
use jlanes_testing::{Record, backends, corpus};

const CHECKPOINTS: usize = 100;
const STEPS: usize = 1000;

macro_rules! tests {
    ($($name:ident: $chain:ident::<$hasher:ty>($($many:expr)?);)*) => {$(
        #[test]
        fn $name() {
            $chain::<$hasher>(stringify!($name) $(, $many)?);
        }
    )*};
}
tests! {
    sha1: three_before::<Sha1>();
    sha224: three_before::<Sha224>();
    sha256: three_before::<Sha256>();
    sha384: three_before::<Sha384>();
    sha512: three_before::<Sha512>();
    sha512_224: three_before::<Sha512_224>();
    sha512_256: three_before::<Sha512_256>();
    sha3_224: one_before::<Sha3_224>();
    sha3_256: one_before::<Sha3_256>();
    sha3_384: one_before::<Sha3_384>();
    sha3_512: one_before::<Sha3_512>();
    shake128: output_before::<Shake128>();
    shake256: output_before::<Shake256>();
}

/// The test of this name.
fn record(alg: &str) -> Record {
    let mut records = corpus("monte_carlo").into_iter();
    records.find(|record| record.text("alg") == alg).expect("a record for each test")
}

/// The seed and, after a stretch each, all checkpoints, of which the first and the last are known.
fn checkpoints(record: &Record, mut stretch: impl FnMut(&[u8]) -> Vec<u8>) -> Vec<Vec<u8>> {
    let mut found = vec![record.hex("seed_hex")];
    for _ in 0..CHECKPOINTS {
        found.push(stretch(&found[found.len() - 1]));
    }
    assert_eq!(found[1], record.hex("first_hex"), "{}", record.name());
    assert_eq!(found[CHECKPOINTS], record.hex("last_hex"), "{}", record.name());
    found
}

/// A message is the last three digests.
fn three_before<H: MultiDigest<Backend = Backend>>(alg: &str) {
    let found = checkpoints(&record(alg), |start| {
        let mut window = start.repeat(3);
        for _ in 0..STEPS {
            let next = H::digest(&window);
            push(&mut window, &next);
        }
        window.split_off(2 * start.len())
    });
    for backend in backends() {
        let lanes = Lanes::<H>::new().on(backend);
        let mut windows: Vec<_> =
            found[..CHECKPOINTS].iter().map(|start| start.repeat(3)).collect();
        let mut digests = vec![Output::<H>::default(); CHECKPOINTS];
        for _ in 0..STEPS {
            lanes.digest(&windows, &mut digests);
            windows.iter_mut().zip(&digests).for_each(|(window, next)| push(window, next));
        }
        assert!(
            digests.iter().zip(&found[1..]).all(|(digest, known)| digest[..] == *known),
            "{backend}"
        );
    }
}

/// Drops the oldest of three digests for `next`.
fn push(window: &mut [u8], next: &[u8]) {
    window.rotate_left(next.len());
    window[2 * next.len()..].copy_from_slice(next);
}

/// A message is the digest before it.
fn one_before<H: MultiDigest<Backend = Backend>>(alg: &str) {
    let found = checkpoints(&record(alg), |start| {
        (0..STEPS).fold(start.to_vec(), |digest, _| H::digest(digest).to_vec())
    });
    for backend in backends() {
        let starts = found[..CHECKPOINTS].iter();
        let mut digests: Vec<Output<H>> =
            starts.map(|start| start.iter().copied().collect()).collect();
        Lanes::<H>::new().on(backend).chains(&mut digests, STEPS as u64);
        assert!(
            digests.iter().zip(&found[1..]).all(|(digest, known)| digest[..] == *known),
            "{backend}"
        );
    }
}

/// A message is the first 16 bytes of the output before it, and the last two say how long the next
/// output is.
fn output_before<H: ExtendableOutput + MultiXof>(alg: &str) {
    let record = record(alg);
    let (least, most): (usize, usize) = (record.number("min_len"), record.number("max_len"));
    let next_len = |output: &[u8]| {
        let last = output.last_chunk().expect("two bytes and more");
        least + usize::from(u16::from_be_bytes(*last)) % (most - least + 1)
    };
    let message = |output: &[u8]| {
        let mut message = [0; 16];
        let len = output.len().min(16);
        message[..len].copy_from_slice(&output[..len]);
        message
    };

    // what the last output of a stretch says holds for the next stretch
    let mut lens = vec![most];
    let found = checkpoints(&record, |start| {
        let (mut output, mut len) = (start.to_vec(), lens[lens.len() - 1]);
        for _ in 0..STEPS {
            let mut next = vec![0; len];
            H::digest_xof(message(&output), &mut next);
            len = next_len(&next);
            output = next;
        }
        lens.push(len);
        output
    });
    for backend in backends() {
        let mut outputs = found[..CHECKPOINTS].to_vec();
        let mut lens = lens[..CHECKPOINTS].to_vec();
        for _ in 0..STEPS {
            let messages: Vec<_> = outputs.iter().map(|output| message(output)).collect();
            outputs = lens.iter().map(|len| vec![0; *len]).collect();
            let mut outs: Vec<_> = outputs.iter_mut().map(|output| &mut output[..]).collect();
            Xofs::<H>::new().on(backend).fill(&messages, &mut outs);
            lens = outputs.iter().map(|output| next_len(output)).collect();
        }
        assert_eq!(outputs, found[1..], "{backend}");
    }
}
