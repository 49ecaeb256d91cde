//! PBKDF2 (RFC 8018, section 5.2) with HMAC, for many passwords at once.
//!
//! Block `n` of a key is `U_1 ^ U_2 ^ ...` with `U_1 = HMAC(password, salt || BE32(n))` and
//! `U_i = HMAC(password, U_(i-1))`: a serial chain, two compressions a round. Blocks of one key do
//! not depend on each other, so the lanes are filled with (password, block) pairs, whatever the
//! passwords and the keys' lengths.

use core::array;

use crate::{
    engine::{
        Engine, MAX_LANES, Work,
        rehash::{self, DigestBlock, Rehash},
    },
    hash::{
        HashFunction, Output,
        compression::{AllLanes, Compression, max_lanes},
        digest_size,
    },
    mac::hmac::{self, Pads},
    simd::lanes::Array,
    wipe,
};

/// Fills `outs[i]` with the key of `password(i)` and the salt `prefix || salt(i)`. As in RustCrypto's crate
/// `pbkdf2`, no rounds are one.
///
/// # Panics
/// If a key is longer than 2^32 - 1 digests, which PBKDF2 does
/// not define.
pub fn derive<'a, H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    password: impl Fn(usize) -> &'a [u8],
    (prefix, salt): (&'a [u8], impl Fn(usize) -> &'a [u8]),
    rounds: u32,
    outs: &mut [&mut [u8]],
) {
    let size = digest_size::<H>();
    let lanes = max_lanes::<H::Compression>();
    let defined = |len: usize| u32::try_from(len.div_ceil(size)).is_ok();
    assert!(outs.iter().all(|out| defined(out.len())), "a key of PBKDF2 has less than 2^32 blocks");
    let mut blocks = outs.iter_mut().enumerate().flat_map(|(i, out)| {
        let (password, salt) = (password(i), salt(i));
        let numbered = out.chunks_mut(size).zip(1_u32..=u32::MAX);
        numbered.map(move |(out, n)| Block { password, salt, number: n.to_be_bytes(), out })
    });
    loop {
        let mut group: [Block<'_>; MAX_LANES] = array::from_fn(|_| Block::default());
        for block in &mut group[..lanes] {
            *block = blocks.next().unwrap_or_default();
        }
        let live = group.iter().filter(|block| !block.out.is_empty()).count();
        if live == 0 {
            return;
        }
        derive_blocks::<H, E>(engine, prefix, &mut group[..live], rounds);
    }
}

/// A block of a key: `U_1 ^ U_2 ^ ...`, of which `out` takes what it needs.
#[derive(Default)]
struct Block<'a> {
    password: &'a [u8],
    salt: &'a [u8],
    number: [u8; 4],
    out: &'a mut [u8],
}

fn derive_blocks<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    prefix: &[u8],
    blocks: &mut [Block<'_>],
    rounds: u32,
) {
    let mut passwords = <H::Compression as Compression>::PerLane::<&[u8]>::splat(&[]);
    let passwords = &mut passwords.as_mut()[..blocks.len()];
    for (password, block) in passwords.iter_mut().zip(&*blocks) {
        *password = block.password;
    }
    let mut pads = [const { Pads::empty() }; MAX_LANES];
    Pads::add_keys::<H, E, _>(engine, passwords, &mut pads);
    let mut u: [Output<H>; MAX_LANES] = array::from_fn(|_| Output::<H>::default());
    let live = &mut u[..blocks.len()];
    hmac::tag::<H, E>(engine, &pads, |l| [prefix, blocks[l].salt, &blocks[l].number], live);
    match hmac::outer_block::<H>() {
        Some(block) => iterate_on_lanes::<H, E>(engine, &pads, &block, rounds, live),
        None => iterate::<H, E>(engine, &pads, rounds, live),
    }
    for (block, sum) in blocks.iter_mut().zip(live) {
        block.out.copy_from_slice(&sum[..block.out.len()]);
    }
    wipe::digests::<H>(&mut u);
}

/// From `U_1` to the sum of all, for any hash function.
fn iterate<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    pads: &[Pads],
    rounds: u32,
    sums: &mut [Output<H>],
) {
    let mut u: [Output<H>; MAX_LANES] = array::from_fn(|_| Output::<H>::default());
    u[..sums.len()].clone_from_slice(sums);
    for _ in 1..rounds {
        let mut before = u.clone();
        hmac::tag::<H, E>(engine, pads, |l| [&before[l], &[], &[]], &mut u[..sums.len()]);
        wipe::digests::<H>(&mut before);
        for (sum, u) in sums.iter_mut().zip(&u) {
            sum.iter_mut().zip(u).for_each(|(sum, u)| *sum ^= u);
        }
    }
    wipe::digests::<H>(&mut u);
}

/// [`iterate`] for functions whose digests are hashed again without leaving the lanes.
fn iterate_on_lanes<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    pads: &[Pads; MAX_LANES],
    block: &DigestBlock<H::Compression>,
    rounds: u32,
    sums: &mut [Output<H>],
) {
    let pads = &pads[..sums.len()];
    let mut starts = [
        rehash::Start::Each(hmac::midstates::<H, E>(engine, pads, Pads::inner::<H>)),
        rehash::Start::Each(hmac::midstates::<H, E>(engine, pads, Pads::outer::<H>)),
    ]
    .map(|start| block.starting_at(start));
    let mut u = AllLanes::<H::Compression>::default();
    for (l, digest) in sums.iter().enumerate() {
        rehash::put_digest::<H>(&mut u.states(), l, digest);
    }
    let mut sum = u;
    engine.run(Work::Rehash(Rehash {
        digests: u.states(),
        block,
        starts: &starts,
        rounds: u64::from(rounds.max(1)) - 1,
        sum: Some(sum.states()),
        live: sums.len(),
        out: None,
    }));
    for (l, digest) in sums.iter_mut().enumerate() {
        *digest = rehash::get_digest::<H>(&sum.states(), l);
    }
    starts.iter_mut().for_each(rehash::Start::wipe);
    u.wipe();
    sum.wipe();
}
