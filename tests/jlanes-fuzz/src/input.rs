//! Decisions that several targets read from their input.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use jlanes::Backend;
pub(crate) use jlanes::digest::consts::{U32, U64, U128};
use jlanes_testing::{backends, message};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Calls `$check::<Hasher, Peer>(input)` for one of the hashers.
macro_rules! with_hasher {
    (($input:expr, $check:ident) $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {{
        let checks: &[fn(&mut arbitrary::Unstructured<'_>) -> arbitrary::Result<()>] = &[
            $($check::<jlanes::$hash, $peer>,)*
            $check::<jlanes::Sha1, sha1::Sha1>,
            $check::<jlanes::Sha224, sha2::Sha224>,
            $check::<jlanes::Sha256, sha2::Sha256>,
            $check::<jlanes::Sha384, sha2::Sha384>,
            $check::<jlanes::Sha512, sha2::Sha512>,
            $check::<jlanes::Sha512_224, sha2::Sha512_224>,
            $check::<jlanes::Sha512_256, sha2::Sha512_256>,
            $check::<jlanes::skein::Skein256, skein::Skein256<$crate::input::U32>>,
            $check::<jlanes::skein::Skein512, skein::Skein512<$crate::input::U64>>,
            $check::<jlanes::skein::Skein1024, skein::Skein1024<$crate::input::U128>>,
        ];
        $input.choose(checks)?($input)
    }};
    ($input:expr, $check:ident) => {
        jlanes_testing::plain_hashes!(with_hasher, ($input, $check))
    };
}
pub(crate) use with_hasher;

/// A length up to `most`: often short, often around a few blocks.
pub(crate) fn length(u: &mut Unstructured, most: usize) -> Result<usize> {
    let scale = *u.choose(&[2, 70, 140, 600, most])?;
    u.int_in_range(0..=scale.min(most))
}

/// A message of up to `most` bytes. Hash functions do not branch on its content, so a generator makes
/// its bytes, and the fuzzer's bytes decide its length.
pub(crate) fn text(u: &mut Unstructured, most: usize) -> Result<Vec<u8>> {
    let seed = u.int_in_range(0..=255)?;
    Ok(message(seed, length(u, most)?))
}

/// Up to `count` messages, half of the time of equal lengths.
pub(crate) fn texts(u: &mut Unstructured, count: usize, most: usize) -> Result<Vec<Vec<u8>>> {
    let count = u.int_in_range(0..=count)?;
    if u.ratio(1, 2)? {
        let len = length(u, most)?;
        return Ok((0..count).map(|i| message(i as u64, len)).collect());
    }
    (0..count).map(|i| Ok(message(i as u64, length(u, most)?))).collect()
}

pub(crate) fn slices(texts: &[Vec<u8>]) -> Vec<&[u8]> {
    texts.iter().map(Vec::as_slice).collect()
}

/// `data` in up to `most` pieces, some of them empty.
pub(crate) fn pieces<'d>(
    u: &mut Unstructured,
    mut data: &'d [u8],
    most: usize,
) -> Result<Vec<&'d [u8]>> {
    let mut pieces = Vec::new();
    for _ in 1..u.int_in_range(1..=most)? {
        let (piece, rest) = data.split_at(u.int_in_range(0..=data.len())?);
        pieces.push(piece);
        data = rest;
    }
    pieces.push(data);
    Ok(pieces)
}

/// One of the CPU's backends.
pub(crate) fn backend(u: &mut Unstructured) -> Result<Backend> {
    static BACKENDS: LazyLock<Vec<Backend>> = LazyLock::new(backends);
    u.choose(&BACKENDS).copied()
}

/// A pool of one to three threads.
pub(crate) fn pool(u: &mut Unstructured) -> Result<&'static ThreadPool> {
    static POOLS: LazyLock<[ThreadPool; 3]> = LazyLock::new(|| {
        [1, 2, 3].map(|threads| {
            ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had")
        })
    });
    u.choose(&*POOLS)
}
