//! One message alone, which programs hash most: by `Digest`, by a batch of one and by name, compared with the
//! crate that is replaced. None of the three ways is to be slower.

use digest::Digest;
use jlanes::{
    Algorithm, Blake2b512, Blake2s256, Blake3, Keccak256, Md5, Ripemd160, Sha1, Sha1Checked,
    Sha3_256, Sha256, Sha512, Sm3,
    digest::consts::U64,
    multi::{BatchDigest, Lanes, Messages},
    skein::Skein512,
};

use crate::{
    contest::Contest,
    method::{Method, one_by_one, outputs},
    workload::{KIB, Workload},
};

/// Lengths of the message.
const LENGTHS: [usize; 5] = [0, 64, KIB, 4 * KIB, 64 * KIB];

pub(crate) fn contests() -> Vec<Contest> {
    let contests = [
        single::<Md5, md5::Md5>("MD5", "md5", "md-5"),
        single::<Ripemd160, ripemd::Ripemd160>("RIPEMD-160", "ripemd160", "ripemd"),
        single::<Sm3, sm3::Sm3>("SM3", "sm3", "sm3"),
        single::<Sha1, sha1::Sha1>("SHA-1", "sha1", "sha1"),
        against::<Sha1Checked>("SHA-1 with detection", "sha1dc", super::sha1dc::peer),
        single::<Sha256, sha2::Sha256>("SHA-256", "sha256", "sha2"),
        single::<Sha512, sha2::Sha512>("SHA-512", "sha512", "sha2"),
        single::<Sha3_256, sha3::Sha3_256>("SHA3-256", "sha3-256", "sha3"),
        single::<Keccak256, sha3::Keccak256>("Keccak-256", "keccak256", "sha3"),
        single::<Blake2b512, blake2::Blake2b512>("BLAKE2b", "blake2b", "blake2"),
        single::<Blake2s256, blake2::Blake2s256>("BLAKE2s", "blake2s", "blake2"),
        single::<Skein512, skein::Skein512<U64>>("Skein-512", "skein512", "skein"),
        against::<Blake3>("BLAKE3", "blake3", || {
            Method::each("blake3", 32, |message, digest| {
                digest.copy_from_slice(blake3::hash(message).as_bytes());
            })
        }),
    ];
    contests.into_iter().flatten().collect()
}

/// `H` by the three ways, compared with the hasher `P` of a crate.
fn single<H: BatchDigest, P: Digest>(
    hash: &str,
    name: &'static str,
    peer: &'static str,
) -> Vec<Contest> {
    against::<H>(hash, name, || one_by_one::<P>(peer))
}

fn against<H: BatchDigest>(
    hash: &str,
    name: &'static str,
    peer: impl Fn() -> Method,
) -> Vec<Contest> {
    let size = <H as Digest>::output_size();
    let ways = LENGTHS.into_iter().flat_map(|length| {
        let batch = Method::plain("batch of one", size, |messages, digests| {
            Lanes::<H>::new().digest(messages, outputs::<H>(digests));
        });
        [one_by_one::<H>("Digest"), batch, by_name(name, size)].map(|way| (length, way))
    });
    ways.map(|(length, way)| {
        Contest::new(format!("{hash} alone"), Workload::equal(1, length), way).against(peer(), 1.0)
    })
    .collect()
}

/// The hash function of a name that is known at run time.
pub(super) fn by_name(name: &'static str, size: usize) -> Method {
    Method::prepared("AnyLanes", size, move |messages| {
        let lanes = name.parse::<Algorithm>().ok().and_then(|algorithm| algorithm.lanes().ok());
        let lanes = lanes.expect("the hash function has lanes");
        Box::new(move |digests| lanes.digest(Messages::slices(messages), digests))
    })
}
