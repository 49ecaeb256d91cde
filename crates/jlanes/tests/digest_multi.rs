//! `digest_multi`, the shape that RustCrypto discusses: byte for byte the digests of RustCrypto's hashers, one
//! by one, for every hash function, at every edge of the padding, and on every backend of the CPU.

use std::array;

use jlanes::{
    Backend,
    digest::{
        Digest, Output,
        common::{Block, BlockSizeUser},
        typenum::Unsigned,
    },
    digest_multi::{LaneCore, MultiDigest, MultiFixedOutputCore, MultiUpdateCore},
    multi,
};
use jlanes_testing::{backends, message};

/// Blocks of message `i`, other ones for each `seed`.
fn blocks<H: BlockSizeUser, const BLOCKS: usize>(seed: usize, i: usize) -> [Block<H>; BLOCKS] {
    let bytes = message((1000 * seed + i) as u64, BLOCKS * H::BlockSize::USIZE);
    array::from_fn(|block| {
        let start = block * H::BlockSize::USIZE;
        Block::<H>::try_from(&bytes[start..][..H::BlockSize::USIZE]).expect("a block")
    })
}

/// Messages with shared blocks, blocks of their own, both and neither.
fn each_shape<H, P, const MSGS: usize, const TAIL: usize>(backend: Backend)
where
    H: multi::MultiDigest + BlockSizeUser,
    P: Digest<OutputSize = H::OutputSize>,
{
    shape::<H, P, MSGS, 0, 0, TAIL>(backend);
    shape::<H, P, MSGS, 0, 1, TAIL>(backend);
    shape::<H, P, MSGS, 1, 0, TAIL>(backend);
    shape::<H, P, MSGS, 2, 3, TAIL>(backend);
}

fn shape<H, P, const MSGS: usize, const SHARED: usize, const OWN: usize, const TAIL: usize>(
    backend: Backend,
) where
    H: multi::MultiDigest + BlockSizeUser,
    P: Digest<OutputSize = H::OutputSize>,
{
    let tails: [[u8; TAIL]; MSGS] =
        array::from_fn(|i| message(i as u64, TAIL).try_into().expect("of that length"));
    let (shared, later) = (blocks::<H, SHARED>(1, 0), blocks::<H, SHARED>(2, 0));
    let own: [_; MSGS] = array::from_fn(|i| blocks::<H, OWN>(3, i));
    let absorb = |core: &mut LaneCore<H, MSGS>| {
        core.update_blocks_shared(&shared);
        core.update_blocks_shared::<0>(&[]);
        core.update_blocks(&own.each_ref());
        core.update_blocks_shared(&later);
        core.update_blocks::<0>(&[&[]; MSGS]);
    };
    let expected = |i: usize, tail: &[u8]| {
        let blocks = shared.iter().chain(&own[i]).chain(&later);
        blocks.fold(P::new(), P::chain_update).chain_update(tail).finalize()
    };
    let case = format!("{backend}, {MSGS} of {SHARED}, {OWN}, {SHARED} blocks and {TAIL} bytes");

    let mut core = LaneCore::<H, MSGS>::on(backend);
    absorb(&mut core);
    let mut out = array::from_fn(|_| Output::<H>::default());
    core.finalize_fixed_core(&tails.each_ref(), &mut out);
    for (i, digest) in out.iter().enumerate() {
        assert_eq!(*digest, expected(i, &tails[i]), "{core:?}: {case}, message {i}");
    }

    let mut core = LaneCore::<H, MSGS>::on(backend);
    absorb(&mut core);
    let tail = [7; TAIL];
    core.finalize_fixed_core_shared(&tail, &mut out);
    for (i, digest) in out.iter().enumerate() {
        assert_eq!(*digest, expected(i, &tail), "{core:?}: {case}, message {i}, a shared tail");
    }
}

/// A test a hash: with tails around its padding's edges, and numbers of messages around those of lanes.
macro_rules! every_hash {
    ($($name:ident: $hasher:ty, $peer:ty, tails $low:literal $edge:literal $last:literal;)*) => {$(
        #[test]
        fn $name() {
            for backend in backends::<Backend>() {
                each_shape::<$hasher, $peer, 0, 0>(backend);
                each_shape::<$hasher, $peer, 1, $last>(backend);
                each_shape::<$hasher, $peer, 3, $low>(backend);
                each_shape::<$hasher, $peer, 16, 0>(backend);
                each_shape::<$hasher, $peer, 17, $edge>(backend);
                each_shape::<$hasher, $peer, 40, $last>(backend);
            }
        }
    )*};
}
every_hash! {
    md5: jlanes::Md5, md5::Md5, tails 55 56 63;
    ripemd160: jlanes::Ripemd160, ripemd::Ripemd160, tails 55 56 63;
    sm3: jlanes::Sm3, sm3::Sm3, tails 55 56 63;
    sha1: jlanes::Sha1, sha1::Sha1, tails 55 56 63;
    sha1_checked: jlanes::Sha1Checked, sha1::Sha1, tails 55 56 63;
    sha224: jlanes::Sha224, sha2::Sha224, tails 55 56 63;
    sha256: jlanes::Sha256, sha2::Sha256, tails 55 56 63;
    sha384: jlanes::Sha384, sha2::Sha384, tails 111 112 127;
    sha512: jlanes::Sha512, sha2::Sha512, tails 111 112 127;
    sha512_224: jlanes::Sha512_224, sha2::Sha512_224, tails 111 112 127;
    sha512_256: jlanes::Sha512_256, sha2::Sha512_256, tails 111 112 127;
    sha3_224: jlanes::Sha3_224, sha3::Sha3_224, tails 1 142 143;
    sha3_256: jlanes::Sha3_256, sha3::Sha3_256, tails 1 134 135;
    sha3_512: jlanes::Sha3_512, sha3::Sha3_512, tails 1 70 71;
    keccak256: jlanes::Keccak256, sha3::Keccak256, tails 1 134 135;
    keccak256_full: jlanes::Keccak256Full, sha3::Keccak256Full, tails 1 134 135;
    blake2b: jlanes::Blake2b512, blake2::Blake2b512, tails 1 64 127;
    blake2b_160: jlanes::Blake2b<digest::consts::U20>, blake2::Blake2b<digest::consts::U20>,
        tails 1 64 127;
    blake2s: jlanes::Blake2s256, blake2::Blake2s256, tails 1 32 63;
    skein256: jlanes::Skein256, skein::Skein256<digest::consts::U32>, tails 1 16 31;
    skein512_800: jlanes::Skein512<digest::consts::U100>, skein::Skein512<digest::consts::U100>,
        tails 1 32 63;
    skein1024: jlanes::Skein1024, skein::Skein1024<digest::consts::U128>, tails 1 64 127;
}

/// As a function over any such hash calls it.
#[test]
fn cores_come_from_the_hash() {
    fn of<D: MultiDigest>() -> [Output<D>; 5] {
        let mut out = array::from_fn(|_| Output::<D>::default());
        D::multi_core::<5>().finalize_fixed_core(&[b"a", b"b", b"c", b"d", b"e"], &mut out);
        out
    }
    assert_eq!(of::<jlanes::Sha256>()[4], sha2::Sha256::digest("e"));
    assert_eq!(of::<jlanes::Sha3_512>()[0], sha3::Sha3_512::digest("a"));
}
