//! The peers themselves. Each is called as its documentation says that it is fast.

use stringzilla::sz;

use super::Function;
use crate::method::{Method, one_by_one};

/// The peer `name` computing `function`, if it does.
pub(super) fn find(name: &'static str, function: Function) -> Option<Method> {
    match name {
        "ring" => ring(function),
        "aws-lc-rs" => aws_lc(function),
        "OpenSSL" => openssl(function),
        "stringzilla" if function == Function::Sha256 => Some(stringzilla()),
        "hashtree-rs" if function == Function::Node => Some(hashtree()),
        "bitcoin_hashes" if function == Function::DoubleNode => Some(bitcoin()),
        "fs-verity" if function == Function::FsVerity => Some(fs_verity()),
        "BLAKE3" if function == Function::OwnOnAllCores => Some(blake3_on_all_cores()),
        _ if function == Function::Own => own(name),
        _ => None,
    }
}

fn ring(function: Function) -> Option<Method> {
    use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512, digest};
    let algorithm = match function {
        Function::Sha1 => &SHA1_FOR_LEGACY_USE_ONLY,
        Function::Sha256 => &SHA256,
        Function::Sha512 => &SHA512,
        _ => return None,
    };
    Some(each("ring", algorithm.output_len(), move |message, out| {
        out.copy_from_slice(digest(algorithm, message).as_ref());
    }))
}

fn aws_lc(function: Function) -> Option<Method> {
    use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512, digest};
    let algorithm = match function {
        Function::Sha1 => &SHA1_FOR_LEGACY_USE_ONLY,
        Function::Sha256 => &SHA256,
        Function::Sha512 => &SHA512,
        _ => return None,
    };
    Some(each("aws-lc-rs", algorithm.output_len(), move |message, out| {
        out.copy_from_slice(digest(algorithm, message).as_ref());
    }))
}

/// The functions that OpenSSL still offers without its per-message look-ups.
fn openssl(function: Function) -> Option<Method> {
    use openssl::sha::{sha1, sha256, sha512};
    Some(match function {
        Function::Sha1 => each("OpenSSL", 20, |m, out| out.copy_from_slice(&sha1(m))),
        Function::Sha256 => each("OpenSSL", 32, |m, out| out.copy_from_slice(&sha256(m))),
        Function::Sha512 => each("OpenSSL", 64, |m, out| out.copy_from_slice(&sha512(m))),
        _ => return None,
    })
}

/// All messages at once, states kept between calls as its documentation shows.
fn stringzilla() -> Method {
    Method::prepared("stringzilla", 32, |messages| {
        let mut states = vec![sz::Sha256::new(); messages.len()];
        Box::new(move |out| {
            states.fill(sz::Sha256::new());
            sz::sha256_multistate_update(&mut states, messages).expect("a state a message");
            let digests = out.as_chunks_mut().0;
            sz::sha256_multistate_digest(&states, digests).expect("a digest a state");
        })
    })
}

/// Takes its nodes in one piece.
fn hashtree() -> Method {
    hashtree_rs::init();
    Method::prepared("hashtree-rs", 32, |messages| {
        let nodes = messages.concat();
        Box::new(move |out| hashtree_rs::hash(out, &nodes, nodes.len() / 64))
    })
}

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
fn fs_verity() -> Method {
    use fs_verity::{InnerHashAlgorithm, new_dyn};
    each("fs-verity", 32, |message, out| {
        let mut hasher = new_dyn(InnerHashAlgorithm::Sha256);
        hasher.update(message);
        out.copy_from_slice(&hasher.finalize());
    })
}

/// On rayon's thread pool.
fn blake3_on_all_cores() -> Method {
    each("BLAKE3", 32, |message, out| {
        let hash = blake3::Hasher::new().update_rayon(message).finalize();
        out.copy_from_slice(hash.as_bytes());
    })
}

/// Hash functions that are not ours, for speed alone.
fn own(name: &'static str) -> Option<Method> {
    Some(match name {
        "BLAKE3" => each(name, 32, |m, out| out.copy_from_slice(blake3::hash(m).as_bytes())),
        "KT128" => each(name, 32, |message, out| {
            use k12::digest::{ExtendableOutput, Update};
            let mut hasher = k12::Kt128::default();
            hasher.update(message);
            hasher.finalize_xof_into(out);
        }),
        "BLAKE2b" => one_by_one::<blake2::Blake2b512>(name),
        "BLAKE2s" => one_by_one::<blake2::Blake2s256>(name),
        "SHA3-256" => one_by_one::<sha3::Sha3_256>(name),
        "SHA3-512" => one_by_one::<sha3::Sha3_512>(name),
        "Grøstl-256" => one_by_one::<groestl::Groestl256>(name),
        "JH-256" => one_by_one::<jh::Jh256>(name),
        _ => return None,
    })
}

/// A function of one message, message after message.
fn each(
    name: &'static str,
    digest_bytes: usize,
    hash: impl Fn(&[u8], &mut [u8]) + Copy + 'static,
) -> Method {
    Method::plain(name, digest_bytes, move |messages, out| {
        for (message, digest) in messages.iter().zip(out.chunks_exact_mut(digest_bytes)) {
            hash(message, digest);
        }
    })
}
