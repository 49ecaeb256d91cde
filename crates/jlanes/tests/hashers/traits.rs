//! The traits around the digest: names, sizes, object identifiers, MACs, writers.

use std::io::Write;

use hmac::{Hmac, KeyInit, Mac};
use jlanes::{
    Digest, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256,
    digest::{CollisionResistance, common::BlockSizeUser, typenum::Unsigned},
};
use jlanes_testing::{algorithm_name, message};

use crate::table::{Hasher, expected};

for_every_hasher!(names_are_the_types_names, sizes_are_the_peers, hmac_is_the_peers, writers);

fn names_are_the_types_names<H: Hasher>() {
    assert_eq!(algorithm_name::<H>(), H::NAME);
    let secret = H::default().chain_update(b"secret");
    assert_eq!(format!("{secret:?}"), format!("{} {{ ... }}", H::NAME));
}

fn sizes_are_the_peers<H: Hasher>() {
    assert_eq!(H::block_size(), H::Peer::block_size());
    assert_eq!(<H as Digest>::output_size(), H::reference(b"").len());
}

/// SHA-1 does not claim any.
#[test]
fn collision_resistance_is_half_of_the_digest() {
    fn check<H: Digest + CollisionResistance>() {
        assert_eq!(H::CollisionResistance::USIZE, <H as Digest>::output_size() / 2);
    }
    check::<Sha224>();
    check::<Sha256>();
    check::<Sha384>();
    check::<Sha512>();
    check::<Sha512_224>();
    check::<Sha512_256>();
}

fn hmac_is_the_peers<H: Hasher>() {
    for len in 0..=2 * H::block_size() {
        let key = message(1, len);
        let ours = Hmac::<H>::new_from_slice(&key).expect("keys of any length");
        let theirs = Hmac::<H::Peer>::new_from_slice(&key).expect("keys of any length");
        let text = message(2, 3 * len);
        let tags = (ours.chain_update(&text).finalize(), theirs.chain_update(&text).finalize());
        assert_eq!(tags.0.as_bytes()[..], tags.1.as_bytes()[..], "a key of {len} bytes");
    }
}

fn writers<H: Hasher>() {
    let text = message(1, 1000);
    let mut writer = digest_io::IoWrapper(H::default());
    writer.write_all(&text).expect("a hasher takes everything");
    assert_eq!(writer.0.finalize(), expected::<H>(&text));
}

#[cfg(feature = "oid")]
mod oid {
    use jlanes::digest::const_oid::AssociatedOid;

    use crate::table::Hasher;

    for_every_hasher!(object_identifiers_are_the_peers);

    fn object_identifiers_are_the_peers<H: Hasher<Peer: AssociatedOid> + AssociatedOid>() {
        assert_eq!(H::OID, H::Peer::OID);
    }
}

#[cfg(feature = "zeroize")]
mod zeroize {
    use jlanes::digest::zeroize::ZeroizeOnDrop;

    use crate::table::{Hasher, expected};

    for_every_hasher!(hashers_wipe_themselves);

    /// That memory is wiped cannot be read in safe code; that the wiping leaves digests alone can.
    fn hashers_wipe_themselves<H: Hasher + ZeroizeOnDrop>() {
        let hasher = H::default().chain_update(b"secret");
        drop(hasher.clone());
        assert_eq!(hasher.finalize(), expected::<H>(b"secret"));
    }
}
