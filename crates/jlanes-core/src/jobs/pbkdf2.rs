//! PBKDF2 (RFC 8018, section 5.2) with HMAC, for many passwords at once.
//!
//! Block `n` of a key is `U_1 ^ U_2 ^ ...` with `U_1 = HMAC(password, salt || BE32(n))` and `U_i =
//! HMAC(password, U_(i-1))`: a serial chain, two compressions per round. Blocks are independent, so
//! the lanes are filled with (password, block) pairs of any passwords and key lengths.

use core::array;

use super::{
    hashing::Hashing,
    hmac::{Pads, midstates, tags},
    in_memory::batch::Batch,
};
use crate::{
    compression::{LaneBuffer, LaneStart, MAX_LANES},
    lanes::rehash::{self, DigestBlock, RehashDigests, RehashWork},
    simd::vector::Word,
};

/// A block of a key, `U_1 ^ U_2 ^ ...`; `out` takes a prefix of it.
#[derive(Default)]
struct KeyBlock<'a, 'o> {
    password: &'a [u8],
    salt: &'a [u8],
    number: [u8; 4],
    out: &'o mut [u8],
}

/// [`pbkdf2`](crate::function::Function::pbkdf2).
pub(crate) fn keys<W: Word>(
    plain: &Hashing<'_, W>,
    passwords: &Batch<'_, '_>,
    prefix: &[u8],
    salts: &Batch<'_, '_>,
    rounds: u32,
    outs: &mut [&mut [u8]],
) {
    let (lanes, size) = (plain.hash.shape.max_lanes, plain.digest_bytes);
    let defined = |len: usize| u32::try_from(len.div_ceil(size)).is_ok();
    assert!(outs.iter().all(|out| defined(out.len())), "a key of PBKDF2 has less than 2^32 blocks");
    let mut blocks = outs.iter_mut().enumerate().flat_map(|(i, out)| {
        let (password, salt) = (passwords.message_at_position(i), salts.message_at_position(i));
        let numbered = out.chunks_mut(size).zip(1_u32..=u32::MAX);
        numbered.map(move |(out, n)| KeyBlock { password, salt, number: n.to_be_bytes(), out })
    });
    loop {
        let mut group: [KeyBlock<'_, '_>; MAX_LANES] = array::from_fn(|_| KeyBlock::default());
        let mut live = 0;
        for block in blocks.by_ref().take(lanes) {
            group[live] = block;
            live += 1;
        }
        if live == 0 {
            return;
        }
        derive_blocks(plain, prefix, rounds, &mut group[..live]);
    }
}

fn derive_blocks<W: Word>(
    plain: &Hashing<'_, W>,
    prefix: &[u8],
    rounds: u32,
    blocks: &mut [KeyBlock<'_, '_>],
) {
    let hash = plain.hash;
    let mut keys = [&[] as &[u8]; MAX_LANES];
    keys.iter_mut().zip(&*blocks).for_each(|(key, block)| *key = block.password);
    let mut pads = [const { Pads::EMPTY }; MAX_LANES];
    let pads = &mut pads[..blocks.len()];
    Pads::add_keys(plain, &keys[..blocks.len()], pads);
    plain.with_digest_buffer(|xor_sum| {
        let xor_sum = &mut xor_sum[..blocks.len() * plain.digest_bytes];
        tags(plain, pads, |l| [prefix, blocks[l].salt, &blocks[l].number], xor_sum);
        match DigestBlock::after(hash, plain.digest_bytes, hash.shape.block_bytes as u128) {
            Some(block) => iterate_in_lanes(plain, pads, &block, rounds, xor_sum),
            None => iterate(plain, pads, rounds, xor_sum),
        }
        for (block, key) in blocks.iter_mut().zip(xor_sum.chunks_exact(plain.digest_bytes)) {
            block.out.copy_from_slice(&key[..block.out.len()]);
        }
    });
}

/// From `U_1` to the exclusive or of all, for any hash function.
fn iterate<W: Word>(plain: &Hashing<'_, W>, pads: &[Pads], rounds: u32, xor_sum: &mut [u8]) {
    let size = plain.digest_bytes;
    plain.with_digest_buffer(|u| {
        let u = &mut u[..xor_sum.len()];
        u.copy_from_slice(xor_sum);
        plain.with_digest_buffer(|before| {
            let before = &mut before[..xor_sum.len()];
            for _ in 1..rounds {
                before.copy_from_slice(u);
                tags(plain, pads, |l| [&before[l * size..][..size], &[], &[]], u);
                xor_sum.iter_mut().zip(&*u).for_each(|(to, u)| *to ^= u);
            }
        });
    });
}

/// [`iterate`] for functions with digests that can be hashed again within the lanes.
fn iterate_in_lanes<W: Word>(
    plain: &Hashing<'_, W>,
    pads: &[Pads],
    block: &DigestBlock<W>,
    rounds: u32,
    keys: &mut [u8],
) {
    let Hashing { kernels, hash, .. } = plain;
    let mut starts = [
        midstates(plain, pads, |pads| pads.inner(hash.shape.block_bytes)),
        midstates(plain, pads, |pads| pads.outer(hash.shape.block_bytes)),
    ];
    starts.iter_mut().for_each(|states| block.prepare_starts(states));
    let mut u = plain.digest_states(keys);
    let mut xor_sum = u;
    kernels.rehash(RehashWork {
        digests: RehashDigests::States(u.states()),
        block,
        starts: &starts.each_ref().map(|states| LaneStart::Each(states.rows(0))),
        rounds: u64::from(rounds.max(1)) - 1,
        xor_sum: Some(xor_sum.states()),
        live: pads.len(),
    });
    for (l, key) in keys.chunks_exact_mut(plain.digest_bytes).enumerate() {
        rehash::get_digest(hash, &xor_sum.states(), l, key);
    }
    starts.iter_mut().for_each(LaneBuffer::wipe);
    u.wipe();
    xor_sum.wipe();
}
