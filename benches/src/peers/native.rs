//! Peers that need a C compiler, a C library or minutes to build.

use stringzilla::sz;

use super::Function;
use crate::method::Method;

/// The peer `name` computing `function`, if it does.
pub(super) fn find(name: &'static str, function: Function) -> Option<Method> {
    match name {
        "ring" => ring(function),
        "aws-lc-rs" => aws_lc(function),
        "OpenSSL" => openssl(function),
        "stringzilla" if function == Function::Sha256 => Some(stringzilla()),
        "hashtree-rs" if function == Function::Node => Some(hashtree()),
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
    Some(Method::each("ring", algorithm.output_len(), move |message, out| {
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
    Some(Method::each("aws-lc-rs", algorithm.output_len(), move |message, out| {
        out.copy_from_slice(digest(algorithm, message).as_ref());
    }))
}

/// By the functions that OpenSSL still offers without its look-ups for each message, where it does.
fn openssl(function: Function) -> Option<Method> {
    use openssl::{
        hash::{MessageDigest, hash},
        sha::{sha1, sha256, sha512},
    };
    let looked_up = |kind: MessageDigest| {
        Method::each("OpenSSL", kind.size(), move |message, out| {
            out.copy_from_slice(&hash(kind, message).expect("OpenSSL has it"));
        })
    };
    Some(match function {
        Function::Md5 => looked_up(MessageDigest::md5()),
        Function::Sha3 => looked_up(MessageDigest::sha3_256()),
        Function::Sha1 => Method::each("OpenSSL", 20, |m, out| out.copy_from_slice(&sha1(m))),
        Function::Sha256 => Method::each("OpenSSL", 32, |m, out| out.copy_from_slice(&sha256(m))),
        Function::Sha512 => Method::each("OpenSSL", 64, |m, out| out.copy_from_slice(&sha512(m))),
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
