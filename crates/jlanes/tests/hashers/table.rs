//! The hashers under test, each with its oracles.

use std::{
    fmt::{Debug, Display},
    str::FromStr,
};

use jlanes::{
    Backend, Digest,
    digest::{
        FixedOutputReset, Output, Reset, block_api::EagerHash, common::AlgorithmName,
        common::BlockSizeUser, common::hazmat::SerializableState,
    },
    multi::{Lanes, MultiDigest, Source},
};
use jlanes_reference as reference;

/// The result of a [`Source`]'s message.
pub(crate) type Outcome<H, S> = (<S as Source>::Key, Result<Output<H>, <S as Source>::Error>);

/// A hasher of this crate, and what it is compared with.
///
/// The provided bounds are the traits that `sha2`'s hashers have, so this is also the test that
/// ours have them.
pub(crate) trait Hasher:
    MultiDigest<Backend: FromStr<Err: Display> + Display>
    + EagerHash
    + BlockSizeUser
    + Reset
    + FixedOutputReset
    + AlgorithmName
    + SerializableState
    + Clone
    + Debug
    + Default
    + Send
    + Sync
    + 'static
{
    /// The same hasher of RustCrypto's.
    type Peer: Digest<OutputSize = Self::OutputSize>
        + BlockSizeUser<BlockSize = <Self as BlockSizeUser>::BlockSize>
        + SerializableState<SerializedStateSize = Self::SerializedStateSize>
        + EagerHash
        + Reset
        + FixedOutputReset
        + AlgorithmName
        + Clone
        + Debug
        + Default;

    /// Name in the corpora.
    const CORPUS: &'static str;
    /// Name as a type.
    const NAME: &'static str;

    /// The oracle's digest.
    fn reference(message: &[u8]) -> Output<Self>;

    /// `Lanes::digest` on a backend.
    fn many(backend: Backend, messages: &[&[u8]]) -> Vec<Output<Self>>;

    /// The same after a prefix.
    fn many_prefixed(backend: Backend, prefix: &[u8], messages: &[&[u8]]) -> Vec<Output<Self>>;

    /// All that `sources` come to in a scheduler on a backend, in the order in which they end.
    fn schedule<S: Source>(
        backend: Backend,
        sources: impl IntoIterator<Item = S>,
    ) -> Vec<Outcome<Self, S>>;
}

/// The digest on which the oracles agree.
pub(crate) fn expected<H: Hasher>(message: &[u8]) -> Output<H> {
    let digest = H::reference(message);
    assert_eq!(digest, H::Peer::digest(message), "{} bytes: the oracles differ", message.len());
    digest
}

/// [`expected`] of each message.
pub(crate) fn expected_each<H: Hasher>(messages: &[&[u8]]) -> Vec<Output<H>> {
    messages.iter().map(|message| expected::<H>(message)).collect()
}

/// The table: name in the corpora and of the reference, the hasher, its peer.
macro_rules! hashers {
    ($then:ident $arguments:tt) => {
        jlanes_testing::plain_hashes! { with_sha, ($then $arguments) }
    };
}

macro_rules! with_sha {
    (($then:ident $arguments:tt) $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
        $then! { $arguments
            $($name: $hash, $peer;)*
            sha1: Sha1, sha1::Sha1;
            sha224: Sha224, sha2::Sha224;
            sha256: Sha256, sha2::Sha256;
            sha384: Sha384, sha2::Sha384;
            sha512: Sha512, sha2::Sha512;
            sha512_224: Sha512_224, sha2::Sha512_224;
            sha512_256: Sha512_256, sha2::Sha512_256;
        }
    };
}

macro_rules! implement {
    (() $($corpus:ident: $hasher:ident, $peer:ty;)*) => {$(
        impl Hasher for jlanes::$hasher {
            type Peer = $peer;
            const CORPUS: &'static str = stringify!($corpus);
            const NAME: &'static str = stringify!($hasher);

            fn reference(message: &[u8]) -> Output<Self> {
                reference::$corpus(message).into()
            }

            fn many(backend: Backend, messages: &[&[u8]]) -> Vec<Output<Self>> {
                let mut out = vec![Default::default(); messages.len()];
                Lanes::<Self>::new().on(backend).digest(messages, &mut out);
                out
            }

            fn many_prefixed(
                backend: Backend,
                prefix: &[u8],
                messages: &[&[u8]],
            ) -> Vec<Output<Self>> {
                let mut out = vec![Default::default(); messages.len()];
                Lanes::<Self>::new().on(backend).prefix(prefix).digest(messages, &mut out);
                out
            }

            fn schedule<S: Source>(
                backend: Backend,
                sources: impl IntoIterator<Item = S>,
            ) -> Vec<Outcome<Self, S>> {
                let mut scheduler = Lanes::<Self>::new().on(backend).scheduler();
                sources.into_iter().for_each(|source| scheduler.submit(source));
                scheduler.drain().collect()
            }
        }
    )*};
}
hashers!(implement());

macro_rules! names {
    (() $($corpus:ident: $hasher:ident, $peer:ty;)*) => {
        [$(stringify!($corpus)),*]
    };
}

/// That a hash is in the lists that nothing else depends on. Other suites have SHA-3 and SHA-1 with detection.
#[test]
fn every_hash_is_here_and_on_the_page() {
    let table = hashers!(names());
    let page = include_str!("../../../../docs/src/algorithms.md");
    for hash in jlanes::algorithm::Fixed::all().map(|hash| hash.to_string()) {
        assert!(page.contains(&format!("`{hash}`")), "docs/src/algorithms.md lacks {hash}");
        let others = ["sha3-", "keccak", "sha1dc"].iter().any(|other| hash.starts_with(other));
        let here = table.iter().any(|corpus| corpus.replace('_', "-") == hash);
        assert!(here || others, "tests/jlanes-testing/src/hashes.rs lacks {hash}");
    }
}

/// Makes a module `$check` with one test a hasher out of the generic function `$check`.
macro_rules! stamp {
    (($check:ident) $($corpus:ident: $hasher:ident, $peer:ty;)*) => {
        mod $check {
            $(#[test]
            fn $corpus() {
                super::$check::<jlanes::$hasher>();
            })*
        }
    };
}

/// Runs generic functions as tests, once a hasher.
macro_rules! for_every_hasher {
    ($($check:ident),* $(,)?) => {
        $(hashers! { stamp ($check) })*
    };
}
