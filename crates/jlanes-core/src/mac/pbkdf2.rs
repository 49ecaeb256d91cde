//! PBKDF2 (RFC 8018, section 5.2) with HMAC, for many passwords at once.
//!
//! Block `n` of a key is `U_1 ^ U_2 ^ ...` with `U_1 = HMAC(password, salt || BE32(n))` and
//! `U_i = HMAC(password, U_(i-1))`: a serial chain, two compressions a round. Blocks of one key do
//! not depend on each other, so the lanes are filled with (password, block) pairs, whatever the
//! passwords and the keys' lengths.

use core::array;

use digest::typenum::Unsigned;

use crate::{
    batch::{
        chain,
        rows::{self, Rows, States},
    },
    engine::{Engine, Input, MAX_LANES},
    hash::{HashFunction, Output, compression::Compression},
    mac::hmac::{self, Pads},
    wipe,
};

/// Fills `outs[i]` with the key of `passwords[i]` and `salts[i]`. As in RustCrypto's crate
/// `pbkdf2`, no rounds are one.
///
/// # Panics
/// If the lists differ in length, or if a key is longer than 2^32 - 1 digests, which PBKDF2 does
/// not define.
pub fn derive<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    passwords: &[&[u8]],
    salts: &[&[u8]],
    rounds: u32,
    outs: &mut [&mut [u8]],
) {
    assert_eq!(passwords.len(), salts.len(), "as many salts as passwords");
    assert_eq!(passwords.len(), outs.len(), "as many keys as passwords");
    let size = H::OutputSize::USIZE;
    let defined = |len: usize| u32::try_from(len.div_ceil(size)).is_ok();
    assert!(outs.iter().all(|out| defined(out.len())), "a key of PBKDF2 has less than 2^32 blocks");
    let mut blocks = passwords.iter().zip(salts).zip(outs).flat_map(|((password, salt), out)| {
        let numbered = out.chunks_mut(size).zip(1_u32..=u32::MAX);
        numbered.map(|(out, n)| Block { password, salt, number: n.to_be_bytes(), out })
    });
    loop {
        let mut group: [Block<'_>; MAX_LANES] =
            array::from_fn(|_| blocks.next().unwrap_or_default());
        let live = group.iter().filter(|block| !block.out.is_empty()).count();
        if live == 0 {
            return;
        }
        derive_blocks::<H, E>(engine, &mut group[..live], rounds);
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
    blocks: &mut [Block<'_>],
    rounds: u32,
) {
    let mut passwords: [&[u8]; MAX_LANES] = [&[]; MAX_LANES];
    for (password, block) in passwords.iter_mut().zip(&*blocks) {
        *password = block.password;
    }
    let pads = Pads::new::<H, E, MAX_LANES>(engine, &passwords);
    let mut u: [Output<H>; MAX_LANES] = chain::copy::<H>(&[]);
    let live = &mut u[..blocks.len()];
    hmac::tag::<H, E>(engine, &pads, |l| [blocks[l].salt, &blocks[l].number], live);
    match Rows::<H>::after(H::Compression::BLOCK as u128) {
        Some(rows) => iterate_on_lanes::<H, E>(engine, &pads, rows, rounds, live),
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
    let mut u = chain::copy::<H>(sums);
    for _ in 1..rounds {
        let mut before = u.clone();
        hmac::tag::<H, E>(engine, pads, |l| [&before[l], &[]], &mut u[..sums.len()]);
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
    mut u: Rows<H>,
    rounds: u32,
    sums: &mut [Output<H>],
) {
    let live = sums.len();
    let mut inner = midstates::<H, E>(engine, pads.each_ref().map(Pads::inner::<H>), live);
    let mut outer = midstates::<H, E>(engine, pads.each_ref().map(Pads::outer::<H>), live);
    for (l, digest) in sums.iter().enumerate() {
        u.put(l, digest);
    }
    let mut sum = u.clone();
    let mut states = inner;
    for _ in 1..rounds {
        for midstates in [&inner, &outer] {
            states = *midstates;
            engine.advance(rows::columns::<H>(&mut states), u.input(), live, 1, &[]);
            u.take(&states);
        }
        sum.xor(&u);
    }
    for (l, digest) in sums.iter_mut().enumerate() {
        *digest = sum.get(l);
    }
    for states in [&mut inner, &mut outer, &mut states] {
        wipe::words(states.as_mut().as_flattened_mut());
    }
}

/// The states after one block a lane.
fn midstates<H: HashFunction, E: Engine<H::Compression>>(
    engine: E,
    blocks: [&[u8]; MAX_LANES],
    live: usize,
) -> States<H> {
    let mut states = rows::broadcast::<H>(&H::start());
    engine.advance(rows::columns::<H>(&mut states), Input::Pointers(&blocks), live, 1, &[]);
    states
}
