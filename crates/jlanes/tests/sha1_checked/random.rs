//! Random blocks: none is one of an attack, although many are candidates.

use std::time::Instant;

use jlanes::{Sha1, Sha1Checked, multi::Lanes};
use jlanes_testing::message;

/// Hashes `count` messages of 64 blocks.
fn no_false_alarm(first: u64, count: u64) {
    let messages: Vec<Vec<u8>> = (first..first + count).map(|seed| message(seed, 4096)).collect();
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let mut digests = vec![Default::default(); slices.len()];
    Lanes::<Sha1>::new().digest(&slices, &mut digests);
    for (result, digest) in
        Lanes::<Sha1Checked>::new().try_digests(&slices).into_iter().zip(digests)
    {
        assert_eq!(result, Ok(digest));
    }
}

#[test]
fn random_blocks_raise_no_alarm() {
    no_false_alarm(1 << 40, 512);
}

/// For release builds: as many blocks as `JLANES_BLOCKS` says, 10^9 by default.
#[test]
#[ignore = "takes minutes"]
fn a_billion_random_blocks_raise_no_alarm() {
    let blocks = std::env::var("JLANES_BLOCKS").map_or(1_000_000_000, |text| text.parse().unwrap());
    let (start, step) = (Instant::now(), 4096);
    for first in (0..u64::div_ceil(blocks, 65)).step_by(step) {
        no_false_alarm(1 << 41 | first, step as u64);
    }
    eprintln!("{blocks} blocks, no alarm, {:?}", start.elapsed());
}
