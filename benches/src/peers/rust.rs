//! Peers that cargo builds like any other crate.

use digest::{
    FixedOutput, HashMarker, Output, OutputSizeUser, Update,
    block_api::BlockSizeUser,
    consts::{U32, U64},
};

use fs_verity::{
    InnerHashAlgorithm::{self, Sha256, Sha512},
    new_dyn,
};

use super::Function;
use crate::method::{Method, one_by_one};

/// The peer `name` computing `function`, if it does.
pub(super) fn find(name: &'static str, function: Function) -> Option<Method> {
    match (name, function) {
        ("bitcoin_hashes", Function::DoubleNode) => Some(bitcoin()),
        ("fs-verity", Function::FsVerity) => Some(fs_verity::<32>(Sha256)),
        ("fs-verity", Function::FsVerity512) => Some(fs_verity::<64>(Sha512)),
        ("BLAKE3", Function::OwnOnAllCores) => Some(blake3_on_all_cores()),
        (_, Function::Own) => own(name),
        _ => None,
    }
}

/// Double digests of blocks of 64 bytes, in one piece.
fn bitcoin() -> Method {
    Method::prepared("bitcoin_hashes", 32, |messages| {
        let nodes = messages.concat();
        Box::new(move |out| {
            let digests = out.as_chunks_mut().0;
            bitcoin_hashes::sha256d::Hash::hash_64_many(digests, nodes.as_chunks().0);
        })
    })
}

/// Of 4 KiB blocks, without salt.
fn fs_verity<const BYTES: usize>(hash: InnerHashAlgorithm) -> Method {
    Method::each("fs-verity", BYTES, move |message, out| {
        let mut hasher = new_dyn(hash);
        hasher.update(message);
        out.copy_from_slice(&hasher.finalize());
    })
}

/// On rayon's thread pool.
fn blake3_on_all_cores() -> Method {
    Method::each("BLAKE3", 32, |message, out| {
        let hash = blake3::Hasher::new().update_rayon(message).finalize();
        out.copy_from_slice(hash.as_bytes());
    })
}

/// Hash functions that are not ours, for speed alone.
fn own(name: &'static str) -> Option<Method> {
    Some(match name {
        "BLAKE3" => {
            Method::each(name, 32, |m, out| out.copy_from_slice(blake3::hash(m).as_bytes()))
        }
        "KT128" => Method::each(name, 32, |message, out| {
            use k12::digest::ExtendableOutput;
            let mut hasher = k12::Kt128::default();
            hasher.update(message);
            hasher.finalize_xof_into(out);
        }),
        "BLAKE-256" => one_by_one::<Blake256>(name),
        "BLAKE2b" => one_by_one::<blake2::Blake2b512>(name),
        "BLAKE2s" => one_by_one::<blake2::Blake2s256>(name),
        "SHA3-256" => one_by_one::<sha3::Sha3_256>(name),
        "SHA3-512" => one_by_one::<sha3::Sha3_512>(name),
        "Grøstl-256" => one_by_one::<groestl::Groestl256>(name),
        "JH-256" => one_by_one::<jh::Jh256>(name),
        _ => return None,
    })
}

/// BLAKE as submitted to NIST; its crate implements the traits of an older `digest`.
#[derive(Clone, Default)]
pub(crate) struct Blake256(blake_hash::Blake256);

impl Update for Blake256 {
    fn update(&mut self, data: &[u8]) {
        blake_hash::Digest::update(&mut self.0, data);
    }
}

impl OutputSizeUser for Blake256 {
    type OutputSize = U32;
}

impl BlockSizeUser for Blake256 {
    type BlockSize = U64;
}

impl FixedOutput for Blake256 {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&blake_hash::Digest::finalize(self.0));
    }
}

impl HashMarker for Blake256 {}
